import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { TECHNICAL_DAYS } from '#domain/retention/retention.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { toSendError } from '#server/messages/outgoing.ts';
import { findAnswerFault, postJson } from '#server/messages/webhook.ts';
import { notifyAdministrators } from '#features/notice/administrators.queries.ts';
import * as queries from '#features/webhook/deliver.queries.ts';
import { signMessage } from '#features/webhook/sign.ts';
import { endWaiting, saveWebhook, SECRET_CONTEXT, type SavedWebhook } from '#features/webhook/webhook.queries.ts';

const MAX_DELIVERIES = 20;
/** After this time another server sends a delivery again whose server has died. Longer than any attempt. */
const LEASE_MINUTES = 5;
/** Minutes until the next attempt after each failed one. */
const RETRY_MINUTES = [1, 5, 30, 120, 480, 1440] as const;
/** An address is switched off when every attempt of so many days has failed. */
const FAILING_DAYS = 3;
const GONE = 410;

/** What an address gets. */
export interface OutgoingEvent {
  eventid: string;
  event: string;
  eventtime: Date;
  facts: Readonly<Record<string, string | number>>;
}
/** The end of an attempt: the status of the answer, null without one, and what was wrong, '' if nothing. */
export interface Attempt {
  answer: number | null;
  lasterror: string;
}

/** Sends an event to an address, signed with its secret and, for a day after a renewal, with the earlier one. */
export async function sendEvent(
  { cipher, isPrivateTargetAllowed }: Pick<Services, 'cipher' | 'isPrivateTargetAllowed'>,
  { musercode, url, secretsealed, oldsecretsealed, oldsecretuntil }: SavedWebhook,
  { eventid, event, eventtime, facts }: OutgoingEvent,
  now: Date,
): Promise<Attempt> {
  const isOldValid = oldsecretsealed !== null && oldsecretuntil !== null && oldsecretuntil > now;
  const secrets = [secretsealed, ...(isOldValid ? [oldsecretsealed] : [])].map((sealed) =>
    cipher.decrypt(musercode, SECRET_CONTEXT, sealed),
  );
  const body = JSON.stringify({
    id: eventid,
    type: event,
    timestamp: eventtime.toISOString(),
    institution: musercode,
    data: facts,
  });
  const seconds = Math.floor(now.getTime() / 1000);
  const headers = {
    'user-agent': 'xinli-events/1',
    'webhook-id': eventid,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signMessage(secrets, { id: eventid, seconds, body }),
  };
  try {
    const answer = await postJson(url, body, headers, isPrivateTargetAllowed ?? false);
    return { answer, lasterror: findAnswerFault(answer) ?? '' };
  } catch (error) {
    return { answer: null, lasterror: toSendError(error).message };
  }
}

/** Sends the deliveries that are due. Returns how many arrived and how many attempts failed. */
export async function deliverEvents(services: Services, now: Date): Promise<{ sent: number; failed: number }> {
  const due = await runAsSystem(services.pools, platformCode, async (scope) => {
    await queries.deleteOldDeliveries(scope, addDays(now, -TECHNICAL_DAYS));
    await queries.endWaitingOfClosed(scope, now);
    return queries.takeDueDeliveries(scope, now, new Date(now.getTime() + LEASE_MINUTES * 60_000), MAX_DELIVERIES);
  });
  // No transaction is open while the server waits for the other side.
  const ends = await Promise.all(
    due.map(async (delivery) => ({ delivery, attempt: await sendEvent(services, delivery, delivery, now) })),
  );
  for (const { delivery, attempt } of ends)
    await runAsSystem(services.pools, platformCode, (scope) => record(scope, delivery, attempt, now));
  const sent = ends.filter(({ attempt }) => attempt.lasterror === '').length;
  return { sent, failed: ends.length - sent };
}

/** Records an attempt. A failure decides about the next one and about the address. */
async function record(scope: Scope, delivery: queries.DueDelivery, attempt: Attempt, now: Date) {
  const { deliveryid, webhookid, attempts } = delivery;
  if (attempt.lasterror === '') {
    await queries.recordAttempt(scope, deliveryid, { ...attempt, donetime: now, nexttime: null });
    await saveWebhook(scope, webhookid, { successtime: now, failingsince: null });
    return;
  }
  const since = await queries.markFailing(scope, webhookid, now);
  const minutes = attempt.answer === GONE ? undefined : RETRY_MINUTES[attempts - 1];
  const nexttime = minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000);
  await queries.recordAttempt(scope, deliveryid, { ...attempt, donetime: null, nexttime });
  const isTooLong = since !== undefined && since <= addDays(now, -FAILING_DAYS);
  if (attempt.answer === GONE || isTooLong) {
    const why = attempt.answer === GONE ? 'gone' : 'failing';
    if (await queries.disableWebhook(scope, webhookid, why)) await notifyDisabled(scope, delivery, why, now);
    await endWaiting(scope, webhookid);
  } else if (nexttime === null) await notifyFailed(scope, delivery, attempt, now);
}

const link = '/webhooks';
const hostOf = (url: string) => new URL(url).host;

const notifyDisabled = (scope: Scope, { musercode, webhookid, url }: SavedWebhook, why: 'gone' | 'failing', now: Date) =>
  notifyAdministrators(
    scope,
    [
      {
        musercode,
        title: `事件推送已停用：${hostOf(url)}`,
        content:
          why === 'gone'
            ? '对方回答 410，表示不再接收。停用期间的事件不会补发；恢复后请重新启用。'
            : '连续 3 天没有一次送达。停用期间的事件不会补发；请对方检查后重新启用。',
        link,
        dedupekey: `webhookoff:${webhookid}:${now.toISOString()}`,
      },
    ],
    now,
  );

/** At most one notice for each address and day. */
const notifyFailed = (scope: Scope, { musercode, webhookid, url }: SavedWebhook, { lasterror }: Attempt, now: Date) =>
  notifyAdministrators(
    scope,
    [
      {
        musercode,
        title: `事件推送失败：${hostOf(url)}`,
        content: `重试全部失败，最近一次：${lasterror}。对方恢复后，可在推送记录中重新发送。`,
        link,
        dedupekey: `webhookfailed:${webhookid}:${shanghaiDate(now)}`,
      },
    ],
    now,
  );
