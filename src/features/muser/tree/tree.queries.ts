import { sql, type RawBuilder } from 'kysely';
import { walkIndex } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { inReach } from '#features/access/institutionAccess.queries.ts';

/** Returns the SQL that counts the direct children of institution `code` within the caller's reach. */
export const childCountOf = (code: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from muser b where b.parentmusercode = ${code} and b.isdeleted = 0)`;

interface Child {
  musercode: string;
  insname: string;
  musertype: string;
  categorylevel: number;
  enabled: number;
  childcount: number;
}

interface Branch {
  self: Pick<Child, 'musercode' | 'insname' | 'musertype'>;
  children: Child[];
  /** number of further children */
  more: number;
}

/** Returns an institution with at most `limit` children, sorted by name; undefined outside the caller's reach. */
export async function findBranch(scope: Scope, musercode: string, limit: number): Promise<Branch | undefined> {
  await walkIndex(scope);
  const { rows } = await sql<Branch>`
    with page as materialized (
      select m.musercode, m.insname, m.sortname, m.musertype, m.categorylevel, m.enabled, (count(*) over ())::int as total
      from muser m
      where m.parentmusercode = ${musercode} and m.isdeleted = 0 and ${inReach}
      order by m.sortname limit ${sql.lit(limit)}),
    children as materialized (
      select
        coalesce(json_agg(json_build_object(
          'musercode', p.musercode, 'insname', p.insname, 'musertype', p.musertype, 'categorylevel', p.categorylevel,
          'enabled', p.enabled, 'childcount', ${childCountOf(sql`p.musercode`)}) order by p.sortname), '[]') as list,
        (coalesce(max(p.total), 0) - count(*))::int as more
      from page p)
    select json_build_object('musercode', m.musercode, 'insname', m.insname, 'musertype', m.musertype) as self,
      c.list as children, c.more
    from muser m, children c
    where m.musercode = ${musercode} and m.isdeleted = 0 and ${inReach}`.execute(scope.db);
  return rows[0];
}
