import { sql, type SqlBool } from 'kysely';
import { alongIndex } from '#server/db/alongIndex.ts';
import type { Scope } from '#server/scope.ts';

/** Row-level security also shows the institutions above the caller; whatever is changed or listed has to be its own or below. */
export const inReach = sql<SqlBool>`m.orgpath >= (select auth.lo()) and m.orgpath < (select auth.hi())`;

/** How many institutions stand directly under each of these. */
export const childrenOf = (codes: readonly string[]) =>
  sql<{ musercode: string; children: number }>`auth.children_of(${codes}::text[])`;

/** Children of an institution within reach, by name. */
export async function findChildren(scope: Scope, musercode: string, most: number) {
  await alongIndex(scope);
  const found = await scope.db
    .selectFrom('muser as m')
    .select([
      'm.musercode',
      'm.insname',
      'm.musertype',
      'm.categorylevel',
      'm.enabled',
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('m.parentmusercode', '=', musercode)
    .where('m.isdeleted', '=', sql.lit(0))
    .where(inReach)
    .orderBy('m.insname')
    .limit(sql.lit(most))
    .execute();
  const { rows: counts } = await sql<{
    musercode: string;
    children: number;
  }>`select * from ${childrenOf(found.map((row) => row.musercode))}`.execute(scope.db);
  const children = new Map(counts.map((row) => [row.musercode, row.children]));
  return {
    children: found.map(({ total: _, ...row }) => ({ ...row, childcount: children.get(row.musercode) ?? 0 })),
    more: Math.max(0, (found[0]?.total ?? 0) - found.length),
  };
}
