import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/notice/notice.contract.ts';
import * as queries from '#features/notice/notice.queries.ts';

const getUnreadCount = handle(contract.getUnreadCount, async (_, { scope, caller, now }) => {
  const quiet = await queries.findQuietTimeOf(scope, caller, now);
  return queries.countUnread(scope, caller, quiet?.start ?? null);
});

const getNoticePageList = handle(contract.getNoticePageList, async (filters, { scope, caller, now }) => {
  const quiet = await queries.findQuietTimeOf(scope, caller, now);
  const { total, rows } = await queries.findNotices(scope, caller, filters, quiet?.start ?? null);
  return {
    total,
    rows: rows.map(({ lastreadtime, iswaiting, infokind, username, ...row }) => ({
      ...row,
      ...nameSubject(row, { infokind, username }, caller),
      id: String(row.id),
      link: row.link ?? '',
      createtime: shanghaiTime(row.createtime),
      readtime: row.unread === 0 && lastreadtime ? shanghaiTime(lastreadtime) : null,
      waituntil: iswaiting && quiet ? shanghaiTime(quiet.end) : null,
    })),
  };
});

/** ② and ⑤ of domain/warning/notices.ts: their titles stand alone. */
const NAMELESS_KINDS: readonly (number | null)[] = [2, 5];

/** The words of a message with the name of its person as the caller may see it. A case that the caller does not see has its code. */
function nameSubject(
  { title, content, warningcode }: { title: string; content: string; warningcode: string | null },
  { infokind, username }: { infokind: number | null; username: string | null },
  caller: Staff,
) {
  const words = username ? content.replaceAll(username, displayName(caller, username)) : content;
  if (!warningcode || NAMELESS_KINDS.includes(infokind)) return { title, content: words, username: '' };
  // Messages from before decision 0042 have the code in their title.
  const plainTitle = title.replace(` ${warningcode}`, '');
  return { title: username ? plainTitle : `个案 ${warningcode} ${plainTitle}`, content: words, username: username ?? '' };
}

const readNotice = handle(contract.readNotice, async ({ ids, warningcode, group }, { scope, caller, now }) => {
  const numbers = ids?.map(Number).filter(Number.isSafeInteger);
  if (!numbers || numbers.length > 0) await queries.markRead(scope, caller, { ids: numbers, warningcode, group }, now);
  return {};
});

const getQuietHours = handle(contract.getQuietHours, async (_, { scope, caller }) => {
  const { isOn, from, until, version } = await queries.findQuietHours(scope, caller.accountid);
  return { ison: isOn ? 1 : 0, quietfrom: from, quietuntil: until, version };
});

const updateQuietHours = handle(contract.updateQuietHours, async ({ ison, quietfrom, quietuntil }, { scope, caller, now }) => {
  const saved = await queries.findQuietHours(scope, caller.accountid);
  const hours = {
    isOn: ison === undefined ? saved.isOn : ison === 1,
    from: quietfrom ?? saved.from,
    until: quietuntil ?? saved.until,
  };
  if (hours.from === hours.until) throw problems.invalid({ message: '开始和结束时间不能相同' }, { field: 'quietuntil' });
  await queries.saveQuietHours(scope, caller, hours, now);
  return {};
});

export const noticeHandlers = [getUnreadCount, getNoticePageList, readNotice, getQuietHours, updateQuietHours];
