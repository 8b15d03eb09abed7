import { levelName } from '#domain/warning/levels.ts';
import { addHours } from '#domain/base/calendar.ts';
import { NEXT_ABLE_HOURS, remindHours, toSendTime } from '#domain/warning/escalation.ts';
import { findNoticeEvent, NOTICE_TABLE, rankStandIns, type NodeAbove } from '#domain/warning/notices.ts';
import type { Scope } from '#server/db/scope.ts';
import type { WarningStaff } from '#features/warning/duty/duty.queries.ts';
import {
  addMessages,
  addNotices,
  caseLink,
  findNoticeSubject,
  notifyAbove,
  type Message,
} from '#features/warning/alerts/notify.queries.ts';
import { addLog } from '#features/warning/warning.queries.ts';
import {
  findLastNotices,
  markReminded,
  remindAbove,
  type LastNotice,
  type PendingCase,
} from '#features/warning/alerts/remind.queries.ts';

/**
 * Repeats the unread notices of an institution's cases that wait for acceptance, until somebody reads them or accepts the case.
 * Half an hour after a crisis that nobody has read, the next able person gets it. Returns the number of notices.
 */
export async function remindUnopened(
  scope: Scope,
  musercode: string,
  pendingCases: readonly PendingCase[],
  staff: readonly WarningStaff[],
  now: Date,
): Promise<number> {
  if (pendingCases.length === 0) return 0;
  const notices = await findLastNotices(scope, musercode);
  let noticeCount = 0;
  for (const warningcode of new Set(notices.map((notice) => notice.warningcode))) {
    const ofCase = notices.filter((notice) => notice.warningcode === warningcode);
    noticeCount += await remindOfCase(scope, musercode, ofCase, staff, now);
    if (ofCase[0]?.level === 4) noticeCount += await notifyNextAble(scope, musercode, ofCase, staff, now);
  }
  // The provider reads a notice in full when it stands in for the institution.
  for (const { warningcode, level, itemtrigger } of pendingCases) {
    const hours = remindHours(level, itemtrigger === 1);
    const isQuiet = toSendTime(now, level, itemtrigger === 1) > now;
    if (hours !== null && !isQuiet) noticeCount += await remindAbove(scope, warningcode, addHours(now, -hours), now);
  }
  return noticeCount;
}

async function remindOfCase(
  scope: Scope,
  musercode: string,
  notices: readonly LastNotice[],
  staff: readonly WarningStaff[],
  now: Date,
): Promise<number> {
  const messages: Message[] = [];
  let remindedCount = 0;
  for (const notice of notices) {
    const { level, userid } = notice;
    const hours = remindHours(level, notice.itemtrigger === 1);
    const isRecipient = staff.some((item) => item.userid === userid && item.isAble) && !notice.suspectuserids.includes(userid);
    if (hours === null || notice.readtime || !isRecipient) continue;
    const sendTime = toSendTime(addHours(notice.remindtime ?? notice.createtime, hours), level, notice.itemtrigger === 1);
    if (sendTime > now) continue;
    if (!(await markReminded(scope, notice, now))) continue;
    remindedCount += 1;
    const channel = NOTICE_TABLE[findNoticeEvent('news', level, notice.itemtrigger === 1)].owner?.channel;
    if (channel) messages.push({ userid, channel });
  }
  const [first] = notices;
  if (first && messages.length > 0) {
    const { warningcode, level } = first;
    await addMessages(scope, { musercode, warningcode, reason: 'unopened', level, messages, time: now });
  }
  return remindedCount;
}

/** Tells the next able person of a crisis that nobody has read for half an hour; without one, the nodes above. */
async function notifyNextAble(
  scope: Scope,
  musercode: string,
  notices: readonly LastNotice[],
  staff: readonly WarningStaff[],
  now: Date,
): Promise<number> {
  const newsTime = Math.max(...notices.filter((notice) => notice.isNews).map((notice) => notice.createtime.getTime()));
  const [latest] = notices.filter((notice) => notice.createtime.getTime() === newsTime);
  const isRead = notices.some((notice) => notice.readtime && notice.readtime.getTime() >= newsTime);
  if (!latest || isRead || now < addHours(new Date(newsTime), NEXT_ABLE_HOURS)) return 0;
  const { warningcode, level } = latest;
  const key = `unopened:${warningcode}:${newsTime}`;
  const notified = notices.filter((notice) => notice.createtime.getTime() >= newsTime).map((notice) => notice.userid);
  const hasNextAble = notices.some((notice) => !notice.isNews && notice.createtime.getTime() >= newsTime);
  const subject = await findNoticeSubject(scope, warningcode);
  const levelText = levelName(level, subject.sector);
  const title = `半小时无人查看，${levelText}，请接手`;
  const common = { musercode, warningcode, kind: 'warning' as const, title, link: caseLink(warningcode) };
  const [next] = hasNextAble ? [] : rankStandIns(staff, [...notified, ...latest.suspectuserids]);
  if (next) {
    const { userid } = next;
    const added = await addNotices(scope, [
      { ...common, userid, content: latest.content, infokind: 4, dedupekey: `${key}:${userid}`, createtime: now },
    ]);
    if (added > 0) {
      await addMessages(scope, {
        musercode,
        warningcode,
        reason: 'unopened',
        level,
        messages: [{ userid, channel: 'call' }],
        time: now,
      });
      await logUnread(scope, musercode, latest, next.realname, now);
    }
    return added;
  }
  if (hasNextAble) return 0;
  const content = `${levelText}，半小时内无人查看，请立即联系该机构。`;
  const above = { ...common, title: `${subject.insname}：个案 ${warningcode} ${title}`, content, time: now, infokind: 5 };
  let noticeCount = 0;
  // The log names only the nodes that got the notice: an institution may have no authority.
  const names: string[] = [];
  for (const [node, name] of Object.entries(NODE_NAMES) as [NodeAbove, string][]) {
    const added = await notifyAbove(scope, { ...above, node, key: `${key}:${node}` });
    noticeCount += added;
    if (added > 0) names.push(name);
  }
  if (names.length > 0) await logUnread(scope, musercode, latest, names.join('、'), now);
  return noticeCount;
}

const NODE_NAMES: Readonly<Record<NodeAbove, string>> = { provider: '服务商值守', authority: '主管部门', operator: '平台' };

const logUnread = (scope: Scope, musercode: string, { warningcode, cuserid }: LastNotice, name: string, now: Date) =>
  addLog(
    scope,
    { warningcode, cuserid, musercode },
    { action: '未读提醒', time: now, content: `半小时无人查看，已通知${name}`, operator: null, operatorname: '系统' },
  );
