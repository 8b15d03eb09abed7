import { sql } from 'kysely';
import { fromShanghai, addDays } from '#domain/base/calendar.ts';
import { spanOf, STUDENTS, type Period } from '#domain/release/period.ts';
import type { CaseRow, PersonRow } from '#domain/release/closedSystem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { persons, withCells } from '#features/statistics/cells.queries.ts';
import { joinWholeSets } from '#features/statistics/kept/kept.queries.ts';

/** What the nightly job counts in the rows, with the definitions of 数据分析. */

/** A population in a period. */
export type Unit = Period & { appid: string };

/** The populations of institutions. */
export const findPopulations = async ({ db }: Scope): Promise<string[]> =>
  (await sql<{ appid: string }>`select distinct appid from muserapp order by 1`.execute(db)).rows.map(({ appid }) => appid);

/** The periods with tasks or, for quarters, sheets. */
export const findPeriodsOfRows = async ({ db }: Scope): Promise<Unit[]> => {
  const quarters = (time: string) => sql`to_char(${sql.ref(time)} at time zone 'Asia/Shanghai', 'YYYY') as year,
    to_char(${sql.ref(time)} at time zone 'Asia/Shanghai', '"Q"Q') as term`;
  const { rows } = await sql<Unit>`
    select distinct appid, year, term from assesstask
    where appid = ${STUDENTS} and status in (1, 2) and isdeleted = 0 and year <> '' and term <> ''
    union select distinct appid, ${quarters('begintime')} from assesstask
    where appid <> ${STUDENTS} and status in (1, 2) and isdeleted = 0
    union select distinct appid, ${quarters('submittime')} from examrecord where appid <> ${STUDENTS} and status = 2`.execute(db);
  return rows;
};

const filtersOf = ({ appid, ...period }: Unit): StatisticFilters => ({
  appids: [appid],
  ...(appid === STUDENTS ? period : spanOf(period)),
});

const RELEASE_PARTS = ['place', 'state', 'result', 'depressed', 'anxious'] as const;
/** Persons by institution, grade and gender, with the effort of each. */
export async function countPersons({ db }: Scope, unit: Unit): Promise<(PersonRow & Effort)[]> {
  await sql`set local statement_timeout = '4min'`.execute(db);
  await joinWholeSets({ db });
  const isValid = sql`state = 'valid'`;
  const levels = (column: 'overalllevel' | 'depressed' | 'anxious') =>
    sql`array[${sql.join([0, 1, 2, 3, 4].map((level) => persons(sql`${isValid} and ${sql.ref(column)} = ${sql.lit(level)}`)))}]`;
  const { rows } = await sql<PersonRow & Effort>`${withCells(filtersOf(unit), 'rows', RELEASE_PARTS)}
    select musercode, coalesce(gradecode, '') as gradecode, coalesce(gender, '') as gender,
      ${persons()} as total, ${persons(sql`state = 'exempt'`)} as exempt, ${persons(sql`state in ('valid', 'invalid')`)} as tested,
      ${persons(isValid)} as valid, ${persons(sql`${isValid} and (overalllevel >= 2 or hasalert = 1)`)} as abnormal,
      ${persons(sql`${isValid} and hasalert = 1`)} as alert,
      ${levels('overalllevel')} as levels, ${levels('depressed')} as depressed, ${levels('anxious')} as anxious
    from cell
    group by musercode, coalesce(gradecode, ''), coalesce(gender, '')`.execute(db);
  return rows;
}
/** 应测, 免测 and 实测. */
export interface Effort {
  total: number;
  exempt: number;
  tested: number;
}

/** The cases opened in the period by institution. Settled: closed, or open without an overdue duty (supplement 8.8). */
export async function countCases({ db }: Scope, unit: Unit, now: Date): Promise<CaseRow[]> {
  const span = spanOf(unit);
  if (!span) return [];
  const isClosed = sql`w.state in ('07', '08')`;
  const { rows } = await sql<CaseRow>`
    select w.musercode, count(*)::int as opened,
      (count(*) filter (where ${isClosed} or coalesce(w.nextdue >= ${now}, true)))::int as settled,
      (count(*) filter (where ${isClosed}))::int as closed
    from warning w
    where w.appid = ${unit.appid} and w.isdeleted = 0 and w.createtime >= ${fromShanghai(span.begindate)}
      and w.createtime < ${addDays(fromShanghai(span.enddate), 1)}
    group by w.musercode`.execute(db);
  return rows;
}

/** An institution with a population: its region, and the end of its last task in the period. */
export interface Institution {
  musercode: string;
  sector: string;
  provincecode: string;
  citycode: string;
  districtcode: string;
  /** enabled, and the population is one of its own */
  isactive: boolean;
  lasttaskend: Date | null;
}

/** The institutions with a region. A task that was closed early has ended. */
export const findInstitutions = async ({ db }: Scope, unit: Unit): Promise<Institution[]> => {
  const { begindate, enddate } = spanOf(unit) ?? { begindate: 'infinity', enddate: '-infinity' };
  const { rows } = await sql<Institution>`
    with ended as (
      select t.musercode,
        max(case when t.status = 2 then least(coalesce(t.closetime, t.endtime), t.endtime) else t.endtime end) as lasttaskend
      from assesstask t
      where t.appid = ${unit.appid} and t.status in (1, 2) and t.isdeleted = 0
        and case when ${unit.appid === STUDENTS}::boolean then t.year = ${unit.year} and t.term = ${unit.term}
          else t.begintime < ${enddate}::date + 1 and t.endtime >= ${begindate}::date end
      group by t.musercode
    )
    select m.musercode, m.sector, coalesce(m.provincecode, '') as provincecode, coalesce(m.citycode, '') as citycode,
      coalesce(m.districtcode, '') as districtcode, e.lasttaskend,
      m.enabled = 1 and exists (select from muserapp a where a.musercode = m.musercode and a.appid = ${unit.appid}) as isactive
    from muser m left join ended e using (musercode)
    where m.musertype in ('004', '005') and m.isdeleted = 0
      and coalesce(m.provincecode, m.citycode, m.districtcode) is not null
    order by m.musercode`.execute(db);
  return rows;
};
