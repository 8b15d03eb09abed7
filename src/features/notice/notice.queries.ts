import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** The query of the messages to one account. Messages to the institution's own account have no userid. */
const noticesOf = (scope: Scope, { musercode, userid }: Pick<Staff, 'musercode' | 'userid'>) => {
  const query = scope.db.selectFrom('notification').where('musercode', '=', musercode);
  return userid === null ? query.where('userid', 'is', null) : query.where('userid', '=', userid);
};

/** A page of the caller's messages: the unread ones first, then by the time of the message or its last reminder. */
export async function findNotices(
  scope: Scope,
  caller: Staff,
  { unread, page, pageSize }: { unread?: string | undefined; page: number; pageSize: number },
) {
  let query = noticesOf(scope, caller);
  if (unread === '1') query = query.where('readtime', 'is', null);
  if (unread === '0') query = query.where('readtime', 'is not', null);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['id', 'kind', 'title', 'content', 'link', 'createtime', 'readtime', 'remindcount'])
    .orderBy((eb) => eb.case().when('readtime', 'is', null).then(0).else(1).end())
    .orderBy((eb) => eb.fn.coalesce('remindtime', 'createtime'), 'desc')
    .orderBy('id', 'desc')
    .$call(paginate({ page, pageSize }))
    .execute();
  return { total, rows };
}

/** The number of unread messages of the caller. */
export const countUnread = (scope: Scope, caller: Staff) =>
  noticesOf(scope, caller)
    .where('readtime', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();

/**
 * Marks the caller's messages as read: those with `ids`, those of a case, or all of them. A message that is already read keeps
 * its time.
 */
export async function markRead(
  scope: Scope,
  { musercode, userid }: Staff,
  { ids, warningcode }: { ids?: readonly number[] | undefined; warningcode?: string | undefined },
  now: Date,
) {
  let query = scope.db
    .updateTable('notification')
    .set({ readtime: now })
    .where('musercode', '=', musercode)
    .where('readtime', 'is', null);
  query = userid === null ? query.where('userid', 'is', null) : query.where('userid', '=', userid);
  if (ids) query = query.where('id', 'in', ids);
  if (warningcode) query = query.where('warningcode', '=', warningcode);
  await query.execute();
}

/**
 * Sends a message about the security of an account to that account only. An institution's own account has no userid. The database
 * stores one message for each `dedupekey`.
 */
export const notifyAccount = (
  scope: Scope,
  { musercode, userid }: { musercode: string; userid: string | null },
  message: { title: string; content: string; link?: string; dedupekey?: string },
  createtime: Date,
) =>
  scope.db
    .insertInto('notification')
    .values({ musercode, userid, kind: 'system', ...message, createtime })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
