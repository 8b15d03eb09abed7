import type { Scope } from '#server/db/scope.ts';

/** The entry of an institution in the caller's range; undefined when it has none. */
export const findEntryOf = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();
