import { sql } from 'kysely';
import type { MenuChange } from '#contract/menuTree.ts';
import type { Scope } from '#server/db/scope.ts';

/** What the platform changed about the menu. */
export const findChanges = (scope: Scope) =>
  scope.db.selectFrom('menuoverride').select(['menuid', 'title', 'icon', 'ordernum', 'hidden', 'enabled', 'remark']).execute();

/** Keeps a change; what is not named stays as it was before. */
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
export const dropChange = (scope: Scope, menuid: number) =>
  scope.db.deleteFrom('menuoverride').where('menuid', '=', menuid).returning('menuid').executeTakeFirst();
