import { addDays } from '#domain/base/calendar.ts';
import { findNoticeGroup, findRetryTime, formatOutsideNotice, NOTICE_GROUP_TITLES } from '#domain/notice/noticeGroup.ts';
import { DEFAULT_QUIET_HOURS, findQuietTime, isUrgentNotice } from '#domain/notice/quietHours.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { ChannelMessage } from '#server/messages/channelAdapter.ts';
import { mailAdapter } from '#server/messages/mail.ts';
import { SendError, toSendError } from '#server/messages/outgoing.ts';
import { webhookAdapter } from '#server/messages/webhook.ts';
import { secretContext, type MailConfig, type WebhookConfig } from '#features/notice/channel/channel.queries.ts';
import * as queries from '#features/notice/channel/deliver.queries.ts';

const MAX_NOTICES = 1000;
const MAX_MESSAGES = 20;
/** After this time another server sends a message again whose server has died. Longer than any attempt. */
const LEASE_MINUTES = 5;
const KEEP_DAYS = 90;

/** Makes messages of the new notices, then sends the messages that are due. Returns how many were sent and how many attempts failed. */
export async function deliverNotices(services: Services, now: Date): Promise<{ sent: number; failed: number }> {
  await runAsSystem(services.pools, platformCode, async (scope) => {
    const notices = await queries.takeNewNotices(scope, now, MAX_NOTICES);
    const { ready, waiting } = sortByQuietHours(notices, now);
    for (const [end, ids] of waiting) await queries.setSendTime(scope, ids, new Date(end));
    await queries.setSendTime(
      scope,
      ready.map((notice) => notice.id),
      null,
    );
    await queries.addChannelMessages(scope, toMessages(ready), now);
    await queries.deleteOldMessages(scope, addDays(now, -KEEP_DAYS));
  });
  const due = await runAsSystem(services.pools, platformCode, (scope) =>
    queries.takeDueMessages(scope, now, new Date(now.getTime() + LEASE_MINUTES * 60_000), MAX_MESSAGES),
  );
  // No transaction is open while the server waits for the other side.
  const results = await Promise.all(due.map((message) => attempt(services, message, now)));
  if (due.length > 0)
    await runAsSystem(services.pools, platformCode, async (scope) => {
      for (const { messageid, ...result } of results) await queries.recordAttempt(scope, messageid, result);
    });
  const sent = results.filter((result) => result.donetime !== null).length;
  return { sent, failed: results.length - sent };
}

/** Divides notices into those that leave now and those that wait, by the end of their recipient's quiet time. */
function sortByQuietHours(notices: readonly queries.NewNotice[], now: Date) {
  const ready: queries.NewNotice[] = [];
  const waiting = new Map<number, number[]>();
  for (const notice of notices) {
    const { level, itemtrigger, ison, quietfrom, quietuntil } = notice;
    const hours =
      quietfrom === null || quietuntil === null ? DEFAULT_QUIET_HOURS : { isOn: ison === 1, from: quietfrom, until: quietuntil };
    const quiet = findQuietTime(hours, now);
    const warning = level === null || itemtrigger === null ? null : { level, itemtrigger };
    if (quiet && !notice.issameday && !isUrgentNotice(notice.kind, warning)) {
      const end = quiet.end.getTime();
      waiting.set(end, [...(waiting.get(end) ?? []), notice.id]);
    } else ready.push(notice);
  }
  return { ready, waiting };
}

/** One message for each recipient and group, and one webhook for each institution and group. Notices about one case count once. */
function toMessages(notices: readonly queries.NewNotice[]): queries.NewMessage[] {
  const found = new Map<string, { message: queries.NewMessage; subjects: Set<string> }>();
  for (const { musercode, channels, email, readtime, ...notice } of notices) {
    // Somebody who is in the console has read it there.
    if (readtime) continue;
    for (const channel of channels) {
      if (channel === 'mail' && !email) continue;
      const userid = channel === 'mail' ? notice.userid : null;
      const noticegroup = findNoticeGroup(notice.kind);
      const key = JSON.stringify([channel, musercode, userid, noticegroup]);
      const entry = found.get(key) ?? {
        message: { musercode, channel, userid, noticegroup, noticecount: 0 },
        subjects: new Set<string>(),
      };
      found.set(key, entry);
      entry.subjects.add(notice.warningcode ?? notice.title);
    }
  }
  return [...found.values()].map(({ message, subjects }) => ({ ...message, noticecount: subjects.size }));
}

async function attempt(services: Services, message: queries.DueMessage, now: Date) {
  const { messageid, attempts } = message;
  try {
    await send(services, message);
    return { messageid, donetime: now, nexttime: null, lasterror: '' };
  } catch (error) {
    const nexttime = message.config === null ? null : findRetryTime(attempts, now);
    return { messageid, donetime: null, nexttime, lasterror: toSendError(error).message };
  }
}

async function send({ cipher, publicUrl, isPrivateTargetAllowed }: Services, message: queries.DueMessage): Promise<void> {
  const { musercode, channel, config, secretsealed, email, insname, noticegroup, noticecount } = message;
  if (config === null || secretsealed === null) throw new SendError('通道已停用');
  const secret = cipher.decrypt(musercode, secretContext(channel), secretsealed);
  await sendByChannel(
    { channel, config, secret, to: email },
    {
      id: String(message.messageid),
      insname,
      group: noticegroup,
      groupname: NOTICE_GROUP_TITLES[noticegroup],
      count: noticecount,
      text: formatOutsideNotice({ insname, group: noticegroup, count: noticecount }),
      link: `${publicUrl}/notices?group=${noticegroup}`,
      time: message.createtime,
    },
    isPrivateTargetAllowed ?? false,
  );
}

/** Sends a message by an institution's channel. `to` is the address of a mail. */
export async function sendByChannel(
  settings: { channel: string; config: MailConfig | WebhookConfig; secret: string; to: string },
  message: ChannelMessage,
  isPrivateAllowed: boolean,
): Promise<void> {
  const { config, secret, to } = settings;
  if ('url' in config) return webhookAdapter.send({ url: config.url, secret }, message, { isPrivateAllowed });
  if (!to) throw new SendError('收件人没有邮箱');
  return mailAdapter.send({ ...config, password: secret, to }, message, { isPrivateAllowed });
}
