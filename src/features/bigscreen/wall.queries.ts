import { sql, type RawBuilder } from 'kysely';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';
import { institutionConditions, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { persons, withCells, type Source } from '#features/statistics/cells.queries.ts';

/** An institution of the filters with its persons. */
export interface InstitutionCounts {
  musercode: string;
  insname: string;
  provincecode: string;
  citycode: string;
  districtcode: string;
  total: number;
  tested: number;
  exempt: number;
  valid: number;
  abnormal: number;
  levels: number[];
}

/** Institutions in the order of their regions and names, also those without persons. The disabled ones are left out. */
export const countByInstitution = async ({ db }: StatsScope, filters: StatisticFilters, source: Source) =>
  (
    await sql<InstitutionCounts>`${withCells(filters, source, ['state', 'result'])}, counted as (
        select musercode, ${persons()} as total, ${persons(sql`state in ('valid', 'invalid')`)} as tested,
          ${persons(sql`state = 'exempt'`)} as exempt, ${persons(sql`state = 'valid'`)} as valid,
          ${persons(sql`state = 'valid' and isabnormal`)} as abnormal, ${levelCounts} as levels
        from cell group by musercode
      )
      select u.musercode, coalesce(m.shortname, m.insname) as insname, coalesce(m.provincecode, '') as provincecode,
        coalesce(m.citycode, '') as citycode, coalesce(m.districtcode, '') as districtcode, coalesce(n.total, 0) as total,
        coalesce(n.tested, 0) as tested, coalesce(n.exempt, 0) as exempt, coalesce(n.valid, 0) as valid,
        coalesce(n.abnormal, 0) as abnormal, coalesce(n.levels, '{0,0,0,0,0}') as levels
      from u join muser m using (musercode) left join counted n using (musercode)
      where u.enabled = 1 or n.musercode is not null
      order by m.provincecode nulls last, m.citycode nulls last, m.districtcode nulls last, m.sortname, u.musercode`.execute(db)
  ).rows;

const levelCounts: RawBuilder<unknown> = sql`array[${sql.join(
  [0, 1, 2, 3, 4].map((level) => persons(sql`overalllevel = ${sql.lit(level)}`)),
)}]`;

/** The cases of an institution and a level: open ones, and those of them overdue; of those opened in the period, how they stand. */
export interface CaseCounts {
  musercode: string;
  level: number;
  open: number;
  overdue: number;
  opened: number;
  closed: number;
  settled: number;
}

export const countCases = async (
  { db }: StatsScope,
  filters: StatisticFilters,
  { begindate, enddate, now }: { begindate: string; enddate: string; now: Date },
) =>
  (
    await sql<CaseCounts>`
      with u as materialized (select m.musercode from muser m where ${institutionConditions(filters)}), c as (
        select w.musercode, w.level, w.state in ('07', '08') as isclosed, coalesce(w.nextdue < ${now}::timestamptz, false) as isoverdue,
          w.createtime >= ${fromShanghai(begindate)} and w.createtime < ${addDays(fromShanghai(enddate), 1)} as isofperiod
        from warning w join u using (musercode)
        where w.isdeleted = 0 and (w.state not in ('07', '08') or w.createtime >= ${fromShanghai(begindate)})
          and (${filters.appids}::text[] is null or w.appid = any(${filters.appids}::text[]))
      )
      select musercode, level, (count(*) filter (where not isclosed))::int as open,
        (count(*) filter (where not isclosed and isoverdue))::int as overdue, (count(*) filter (where isofperiod))::int as opened,
        (count(*) filter (where isofperiod and isclosed))::int as closed,
        (count(*) filter (where isofperiod and not isclosed and not isoverdue))::int as settled
      from c group by musercode, level`.execute(db)
  ).rows;

/** The names of regions, by their codes. */
export async function findRegionNames({ db }: Pick<StatsScope, 'db'>, codes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ code: string; name: string }>`
    select districtcode as code, districtname as name from ref.district where districtcode = any(${[...codes]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ code, name }) => [code, name]));
}

/** The name of the caller's institution. */
export const findOwnName = async ({ db }: Scope, musercode: string): Promise<string> =>
  (await sql<{ insname: string }>`select insname from muser where musercode = ${musercode}`.execute(db)).rows[0]?.insname ?? '';
