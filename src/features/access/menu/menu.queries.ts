import { sql } from 'kysely';
import type { MenuChange } from '#contract/menuTree.ts';
import type { Scope } from '#server/db/scope.ts';

/** Returns the platform's changes of the menu. */
export const findChanges = (scope: Scope) =>
  scope.db
    .selectFrom('menuoverride')
    .select(['menuid', 'title', 'icon', 'ordernum', 'hidden', 'enabled', 'remark', 'version'])
    .execute();

/** Saves a change of an entry; absent fields stay unchanged. */
export async function saveChange(
  scope: Scope,
  musercode: string,
  menuid: number,
  change: Partial<Omit<MenuChange, 'menuid'>> & { remark?: string | null },
) {
  await scope.db
    .insertInto('menuoverride')
    .values({ menuid, musercode, ...change })
    .onConflict((oc) => oc.column('menuid').doUpdateSet({ ...change, updatetime: sql<Date>`now()` }))
    .execute();
}

/** Deletes the change of an entry; returns undefined if there was none. */
export const dropChange = (scope: Scope, menuid: number) =>
  scope.db.deleteFrom('menuoverride').where('menuid', '=', menuid).returning('menuid').executeTakeFirst();
