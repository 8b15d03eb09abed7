import type { Scope } from '#server/scope.ts';

/**
 * Leaves a message about the safety of an account to that account alone; an institution's own account has no userid. With a
 * `dedupekey` it is told once, however often this is called.
 */
export const tellAccount = (
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
