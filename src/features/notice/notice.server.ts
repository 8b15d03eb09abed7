import { shanghaiTime } from '#domain/base/calendar.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/notice/notice.contract.ts';
import * as queries from '#features/notice/notice.queries.ts';

const getUnreadCount = handle(contract.getUnreadCount, (_, { scope, caller }) => queries.countUnread(scope, caller));

const getNoticePageList = handle(contract.getNoticePageList, async (filters, { scope, caller }) => {
  const { total, rows } = await queries.findNotices(scope, caller, filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      id: String(row.id),
      link: row.link ?? '',
      createtime: shanghaiTime(row.createtime),
      readtime: row.readtime && shanghaiTime(row.readtime),
    })),
  };
});

const readNotice = handle(contract.readNotice, async ({ ids, warningcode }, { scope, caller, now }) => {
  const numbers = ids?.map(Number).filter(Number.isSafeInteger);
  if (!numbers || numbers.length > 0) await queries.markRead(scope, caller, { ids: numbers, warningcode }, now);
  return {};
});

export const noticeHandlers = [getUnreadCount, getNoticePageList, readNotice];
