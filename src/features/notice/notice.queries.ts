import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** Messages to this account alone: a member of staff by userid, the institution's own account those without one. */
const noticesOf = (scope: Scope, { musercode, userid }: Pick<Staff, 'musercode' | 'userid'>) => {
  const query = scope.db.selectFrom('notification').where('musercode', '=', musercode);
  return userid === null ? query.where('userid', 'is', null) : query.where('userid', '=', userid);
};

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
    .select(['id', 'kind', 'title', 'content', 'link', 'createtime', 'readtime'])
    .orderBy('createtime', 'desc')
    .orderBy('id', 'desc')
    .$call(paginate({ page, pageSize }))
    .execute();
  return { total, rows };
}

export const countUnread = (scope: Scope, caller: Staff) =>
  noticesOf(scope, caller)
    .where('readtime', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();

/** Marks own messages as read, all of them without `ids`; a message read before keeps its first time. */
export async function markRead(scope: Scope, { musercode, userid }: Staff, ids: readonly number[] | undefined, now: Date) {
  let query = scope.db
    .updateTable('notification')
    .set({ readtime: now })
    .where('musercode', '=', musercode)
    .where('readtime', 'is', null);
  query = userid === null ? query.where('userid', 'is', null) : query.where('userid', '=', userid);
  if (ids) query = query.where('id', 'in', ids);
  await query.execute();
}

/**
 * Sends a message about the safety of an account to that account alone. An institution's own account has no userid. A message with a
 * `dedupekey` is stored once, however often this is called.
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
