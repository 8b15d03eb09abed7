import { sql, type SqlBool } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The condition for the caller's institution and those below it. Row-level security also shows the institutions above. */
export const inReach = sql<SqlBool>`m.orgpath >= (select access.path_from()) and m.orgpath < (select access.path_to())`;

/** The columns that place an institution in the tree, and those that the rules read. */
export const placeColumns = [
  'm.musercode',
  'm.musertype',
  'm.parentmusercode',
  'm.categorylevel',
  'm.orgpath',
  'm.insname',
  'm.sector',
  'm.enabled',
  'm.codes',
  'm.expiredate',
  'm.abnormalminlevel',
  'm.showreportdefault',
  sql<string[]>`array[m.categorycode0, m.categorycode1, m.categorycode2, m.categorycode3, m.categorycode4, m.categorycode5]`.as(
    'categorycodes',
  ),
] as const;

/** Returns the caller's institution or one below it, with its place in the tree; undefined for any other. */
export const findPlace = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muser as m')
    .select(placeColumns)
    .where('m.musercode', '=', musercode)
    .where('m.isdeleted', '=', 0)
    .where(inReach)
    .executeTakeFirst();
