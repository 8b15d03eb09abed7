import { sql, type SqlBool } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Only the caller's own institution and those below it. Row-level security also shows the institutions above. */
export const inReach = sql<SqlBool>`m.orgpath >= (select access.path_from()) and m.orgpath < (select access.path_to())`;

/** What places an institution in the tree, and what rules decide by. */
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

/** An institution of the caller's reach: its own or one below, with where it stands. */
export const findPlace = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muser as m')
    .select(placeColumns)
    .where('m.musercode', '=', musercode)
    .where('m.isdeleted', '=', 0)
    .where(inReach)
    .executeTakeFirst();
