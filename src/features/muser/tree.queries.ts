import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Scope } from '#server/scope.ts';

/** Row-level security also shows the institutions above the caller; whatever is changed or listed has to be its own or below. */
export const inReach = sql<SqlBool>`m.orgpath >= (select auth.lo()) and m.orgpath < (select auth.hi())`;

/** How many institutions stand directly under `code`, one of `codes`: a list of these looks all of them up at once. */
export const childrenOf = (codes: RawBuilder<unknown>, code: RawBuilder<unknown>) =>
  sql<number>`coalesce(((select auth.children_of(${codes}::text[])) ->> ${code})::int, 0)`;

interface Child {
  musercode: string;
  insname: string;
  musertype: string;
  categorylevel: number;
  enabled: number;
  childcount: number;
}

/** Children of an institution within reach, by name. */
export async function findChildren(scope: Scope, musercode: string, most: number): Promise<{ children: Child[]; more: number }> {
  const { rows } = await sql<Child & { total: number }>`
    with page as materialized (
      select m.musercode, m.insname, m.musertype, m.categorylevel, m.enabled, (count(*) over ())::int as total from muser m
      where m.parentmusercode = ${musercode} and m.isdeleted = 0 and ${inReach} order by m.insname limit ${sql.lit(most)})
    select p.*, ${childrenOf(sql`(select array_agg(musercode) from page)`, sql`p.musercode`)} as childcount from page p`.execute(
    scope.db,
  );
  return { children: rows.map(({ total: _, ...row }) => row), more: Math.max(0, (rows[0]?.total ?? 0) - rows.length) };
}
