import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { TECHNICAL_DAYS } from '#domain/retention/retention.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { isPrivateAddress } from '#server/messages/outgoing.ts';
import { sendEvent } from '#features/webhook/deliver.ts';
import { createSecret } from '#features/webhook/sign.ts';
import * as contract from '#features/webhook/webhook.contract.ts';
import * as queries from '#features/webhook/webhook.queries.ts';

const timeOf = (time: Date | null) => time && shanghaiTime(time);

const getWebhooks = handle(contract.getWebhooks, async (_, { scope, caller, now }) => ({
  webhooks: (await queries.findWebhooks(scope, caller.musercode)).map((row) => ({
    ...row,
    createtime: shanghaiTime(row.createtime),
    successtime: timeOf(row.successtime),
    failingsince: timeOf(row.failingsince),
    oldsecretuntil: row.oldsecretuntil && row.oldsecretuntil > now ? shanghaiTime(row.oldsecretuntil) : null,
  })),
}));

/** Refuses an address that can never be sent to. The names of hosts are looked up before each attempt. */
function assertUrl(url: string, isPrivateAllowed = false) {
  if (!URL.canParse(url)) throw problems.invalid({ message: '接收地址不正确' }, { field: 'url' });
  if (isPrivateAllowed) return;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') throw problems.invalid({ message: '接收地址须以 https:// 开头' }, { field: 'url' });
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host)))
    throw problems.invalid({ message: '接收地址不能是本机或内网地址' }, { field: 'url' });
}

async function lock({ scope, caller }: Context<'staff'>, webhookid: number): Promise<queries.SavedWebhook> {
  const saved = await queries.lockWebhook(scope, caller.musercode, webhookid);
  if (!saved) throw problems.notFound({ what: '推送地址' });
  return saved;
}

/** Throws 110004 unless the caller reads all cases: nobody sends to another system what they may not know themselves. */
function assertMaySend(caller: Staff, events: readonly string[]) {
  const isOfCases = events.some((event) => event.startsWith('case.'));
  if (caller.hasDataScope || (isOfCases && !canReadField(caller, 'cases')))
    throw problems.notAllowed(undefined, { field: 'events' });
}

const insertWebhook = handle(contract.insertWebhook, async ({ url, events }, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  const { musercode } = caller;
  assertMaySend(caller, events);
  assertUrl(url, ctx.isPrivateTargetAllowed);
  if ((await queries.countWebhooks(scope, musercode)) >= contract.MOST_WEBHOOKS)
    throw problems.wrongState({ why: `最多 ${contract.MOST_WEBHOOKS} 个推送地址，请先删除不用的` });
  const secret = createSecret();
  const secretsealed = cipher.encrypt(musercode, queries.SECRET_CONTEXT, secret);
  const webhookid = await queries.addWebhook(scope, {
    musercode,
    url,
    events: [...new Set(events)],
    secretsealed,
    createtime: now,
  });
  ctx.audit({ objectid: String(webhookid), detail: { url, events } });
  return { webhookid, secret };
});

const updateWebhook = handle(contract.updateWebhook, async ({ webhookid, url, events, enabled }, ctx) => {
  const saved = await lock(ctx, webhookid);
  // A new address decides where the events go. Everybody who manages the addresses may switch one off.
  if (url !== undefined || events || enabled === 1) assertMaySend(ctx.caller, [...saved.events, ...(events ?? [])]);
  if (url !== undefined) assertUrl(url, ctx.isPrivateTargetAllowed);
  const isSwitchedOff = enabled === 0 && saved.enabled === 1;
  const isSwitchedOn = enabled === 1 && saved.enabled === 0;
  await queries.saveWebhook(ctx.scope, webhookid, {
    url: url ?? saved.url,
    events: events ? [...new Set(events)] : saved.events,
    enabled: enabled ?? saved.enabled,
    ...(isSwitchedOff && { disabledwhy: 'staff' }),
    // The days of failure begin anew.
    ...(isSwitchedOn && { disabledwhy: '', failingsince: null }),
  });
  if (isSwitchedOff) await queries.endWaiting(ctx.scope, webhookid);
  ctx.audit({ objectid: String(webhookid), detail: { url, events, enabled } });
  return {};
});

const deleteWebhook = handle(contract.deleteWebhook, async ({ webhookid }, ctx) => {
  const { url } = await lock(ctx, webhookid);
  await queries.removeWebhook(ctx.scope, webhookid);
  ctx.audit({ objectid: String(webhookid), detail: { url } });
  return {};
});

const renewWebhookSecret = handle(contract.renewWebhookSecret, async ({ webhookid }, ctx) => {
  const saved = await lock(ctx, webhookid);
  const secret = createSecret();
  const oldsecretuntil = addDays(ctx.now, 1);
  await queries.saveWebhook(ctx.scope, webhookid, {
    secretsealed: ctx.cipher.encrypt(saved.musercode, queries.SECRET_CONTEXT, secret),
    oldsecretsealed: saved.secretsealed,
    oldsecretuntil,
  });
  ctx.audit({ objectid: String(webhookid), detail: { url: saved.url } });
  return { secret, oldsecretuntil: shanghaiTime(oldsecretuntil) };
});

/** Institutions for which this server sends a test event now. Each holds a connection to the database until the receiver answers. */
const testing = new Set<string>();
/** Most test events at once on a server. */
const MOST_TESTS = 2;

const sendTestEvent = handle(contract.sendTestEvent, async (request, ctx) => {
  const { musercode } = ctx.caller;
  if (testing.has(musercode) || testing.size >= MOST_TESTS)
    throw problems.wrongState({ why: '上一个测试事件还在发送，请稍后再试' });
  testing.add(musercode);
  try {
    return await sendTest(request.webhookid, ctx);
  } finally {
    testing.delete(musercode);
  }
});

async function sendTest(webhookid: number, ctx: Context<'staff'>) {
  const { scope, now } = ctx;
  const saved = await lock(ctx, webhookid);
  const eventid = `evt_${randomUUID().replaceAll('-', '')}`;
  const attempt = await sendEvent(ctx, saved, { eventid, event: 'ping', eventtime: now, facts: {} }, now);
  const donetime = attempt.lasterror === '' ? now : null;
  const { musercode } = saved;
  await queries.addTestDelivery(scope, { musercode, webhookid, eventid, eventtime: now, donetime, ...attempt });
  if (donetime) await queries.saveWebhook(scope, webhookid, { successtime: now });
  ctx.audit({ objectid: String(webhookid), detail: { url: saved.url, ...attempt } });
  return attempt;
}

const getWebhookDeliveryPageList = handle(contract.getWebhookDeliveryPageList, async (filters, { scope, caller, now }) => {
  const { total, rows } = await queries.findDeliveries(scope, caller.musercode, addDays(now, -TECHNICAL_DAYS), filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      eventtime: shanghaiTime(row.eventtime),
      nexttime: timeOf(row.nexttime),
      donetime: timeOf(row.donetime),
    })),
  };
});

const resendWebhookDelivery = handle(contract.resendWebhookDelivery, async ({ deliveryid }, { scope, caller, now, audit }) => {
  const delivery = await queries.lockDelivery(scope, caller.musercode, deliveryid);
  if (!delivery || delivery.event === 'ping') throw problems.notFound({ what: '推送记录' });
  if (delivery.enabled === 0) throw problems.wrongState({ why: '推送地址已停用，请先启用' });
  if (delivery.nexttime) throw problems.wrongState({ why: '该记录正在等待发送' });
  await queries.requeueDelivery(scope, deliveryid, now);
  audit({ objectid: String(deliveryid) });
  return {};
});

export const webhookHandlers = [
  getWebhooks,
  insertWebhook,
  updateWebhook,
  deleteWebhook,
  renewWebhookSecret,
  sendTestEvent,
  getWebhookDeliveryPageList,
  resendWebhookDelivery,
];
