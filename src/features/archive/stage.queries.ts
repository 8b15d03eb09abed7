import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { schoolYearOf, FIRST_GRADES, POSTNATAL_STAGES, PREGNANCY_STAGES } from '#domain/person/stage.ts';
import { QUARTER_DAYS, RETEST_AHEAD_DAYS, WITHDRAWN_RETEST_DAYS, YEAR_DAYS, type StageDays } from '#domain/person/stage.ts';
import { TERM_DAYS } from '#domain/person/gestation.ts';

/**
 * The stage proposed for archive `a`, in SQL, so that lists can filter by it. The constants are those of domain/person/stage.ts; a
 * test compares both.
 */

const shanghaiDay = (column: RawBuilder<unknown>) => sql`(${column} at time zone 'Asia/Shanghai')::date`;

/** The valid sheets of archive `a` that fulfil a condition on `e`. */
const hasSheet = (condition: RawBuilder<unknown>) => sql<boolean>`exists (
  select from examrecord e
  where e.cuserid = a.cuserid and e.appid = a.appid and e.status = 2 and e.valid = 1
    and ${shanghaiDay(sql`e.submittime`)} >= a.opendate and ${condition})`;

/** Whether the institution of the archive tests at this stage. No row for an application means all of its stages. */
const isChosen = (stagecode: RawBuilder<unknown>) => sql<boolean>`(
  not exists (select from muserstage k where k.musercode = a.musercode and k.appid = a.appid)
  or exists (select from muserstage k where k.musercode = a.musercode and k.appid = a.appid and k.stagecode = ${stagecode}))`;

const byDays = (days: RawBuilder<unknown>, stages: readonly StageDays[]) =>
  sql`case ${sql.join(
    stages.map(({ stagecode, first, last }) => sql`when ${days} between ${first} and ${last} then ${stagecode}`),
    sql` `,
  )} end`;

/**
 * SQL: from a sheet `x` of a version `v` that was withdrawn, because it scores wrongly. Its person is due for a re-test from the day of
 * the withdrawal until another version is answered.
 */
const withdrawnSheet = sql`from formversion v join examform x on x.formcode = v.formcode and x.formversion = v.version
  where v.status = 3 and x.status = 2 and not exists (
    select from examform y
    where y.cuserid = x.cuserid and y.formcode = x.formcode and y.status = 2 and y.submittime > x.submittime
      and y.formversion <> x.formversion)`;
/** SQL: the first and the last day of such a re-test. */
const withdrawnDays = sql`${shanghaiDay(sql`v.withdrawtime`)} as due,
  ${shanghaiDay(sql`v.withdrawtime`)} + ${WITHDRAWN_RETEST_DAYS}::int as latest`;

/** The open re-tests that staff planned for the person; those of a case that suspects the caller show no more than a date. */
const plannedRetest = sql`
  select min(due) as due, min(latest) as latest
  from (
    select ${shanghaiDay(sql`f.duetime`)} as due,
      ${shanghaiDay(sql`coalesce(f.latesttime - interval '1 second', f.duetime)`)} as latest
    from followup f
    where f.cuserid = a.cuserid and f.method = '05' and f.status in ('01', '03') and f.isdeleted = 0
    union all select ${withdrawnDays} ${withdrawnSheet} and x.cuserid = a.cuserid) planned`;

/** The day of the re-test that the plan of the last valid sheet asks for, while its stage is the present one. */
const retestOfPlan = (stagecode: RawBuilder<unknown>) => sql`(
  select case when l.retestdays > 0 and l.overalllevel >= 1 and (${stagecode} is null or ${stagecode} = l.stagecode)
    then ${shanghaiDay(sql`l.submittime`)} + l.retestdays end
  from (
    select e.submittime, e.overalllevel, e.stagecode, p.retestdays
    from examrecord e join plan p on p.plancode = e.plancode
    where e.cuserid = a.cuserid and e.appid = a.appid and e.status = 2 and e.valid = 1
      and ${shanghaiDay(sql`e.submittime`)} >= a.opendate
    order by e.submittime desc limit 1) l)`;

/** The code of the stage proposed for archive `a` on a day; null without one. */
export function proposedStage(day: string): RawBuilder<string | null> {
  const month = Number(day.slice(5, 7));
  const today = sql`${day}::date`;
  const begin = sql`${`${schoolYearOf(day)}-08-01`}::date`;
  const gestation = sql`(${TERM_DAYS} - (coalesce(a.edcdate, a.lmpdate + ${TERM_DAYS}::int) - ${today}))`;
  const entry =
    month >= 8 && month <= 11
      ? sql`a.gradecode = any(${[...FIRST_GRADES]}::text[]) and ${isChosen(sql`'XS00'`)}
          and not ${hasSheet(sql`e.stagecode = 'XS00' and ${shanghaiDay(sql`e.submittime`)} >= ${begin}`)}`
      : sql`false`;
  const term = month >= 9 || month === 1 ? 'XS01' : month <= 7 ? 'XS02' : null;
  const isYearlyDue = (stagecode: string) =>
    sql`not ${hasSheet(sql`e.stagecode = ${stagecode} and ${shanghaiDay(sql`e.submittime`)} >= ${today} - ${YEAR_DAYS}::int`)}`;
  const quarterly = sql`coalesce((
    select ${shanghaiDay(sql`e.submittime`)} + ${QUARTER_DAYS}::int <= ${today} and e.overalllevel >= 1
    from examrecord e
    where e.cuserid = a.cuserid and e.appid = a.appid and e.status = 2 and e.valid = 1
      and ${shanghaiDay(sql`e.submittime`)} >= a.opendate
    order by e.submittime desc limit 1), false)`;
  return sql<string | null>`(
    select case when least((select r.due from (${plannedRetest}) r), ${retestOfPlan(sql`s.code`)})
      <= ${today} + ${RETEST_AHEAD_DAYS}::int then 'FC01' else s.code end
    from (select case when ${isChosen(sql`w.code`)} then w.code end as code from (select case a.appid
      when '000000001' then case when a.deliverydate <= ${today} then ${byDays(sql`(${today} - a.deliverydate)`, POSTNATAL_STAGES)}
        else ${byDays(gestation, PREGNANCY_STAGES)} end
      when '000000002' then case when ${entry} then 'XS00' else ${term}::text end
      when '000000003' then case when ${isYearlyDue('ZY02')} then 'ZY02' end
      when '000000004' then case when ${isYearlyDue('LN01')} and ${isChosen(sql`'LN01'`)} then 'LN01' when ${quarterly} then 'LN02' end
      end as code) w) s)`;
}

/** A valid sheet of a person. `retestdays`: the re-test that its plan asks for; null for none. */
export interface PersonSheet {
  cuserid: string;
  stagecode: string;
  level: number;
  retestdays: number | null;
  /** YYYY-MM-DD */
  date: string;
}

/** Only these persons; undefined means all of the institution. */
const amongst = (column: string, cuserids: readonly string[] | undefined) =>
  cuserids ? sql`and ${sql.ref(column)} = any(${[...cuserids]}::text[])` : sql``;

/**
 * The valid sheets of a population at one institution. Two plain reads, joined by the caller: a join for each archive costs the
 * policies of these tables twenty thousand times at a large hospital.
 */
export const findValidSheets = async (
  scope: Scope,
  { musercode, appid, cuserids }: { musercode: string; appid: string; cuserids: readonly string[] | undefined },
) =>
  (
    await sql<PersonSheet>`
      select e.cuserid, coalesce(e.stagecode, '') as stagecode, coalesce(e.overalllevel, 0)::int as level, p.retestdays,
        to_char(e.submittime at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as date
      from examrecord e join plan p on p.plancode = e.plancode
      where e.musercode = ${musercode} and e.appid = ${appid} and e.status = 2 and e.valid = 1
        ${amongst('e.cuserid', cuserids)}`.execute(scope.db)
  ).rows;

/**
 * The re-tests that staff planned, or that a withdrawn version needs, for the persons of an institution: the first due day, and the last
 * day of the first to end.
 */
export const findPlannedRetests = async (
  scope: Scope,
  { musercode, cuserids }: { musercode: string; cuserids: readonly string[] | undefined },
) =>
  (
    await sql<{ cuserid: string; due: string; latest: string }>`
      select cuserid, min(due) as due, min(latest) as latest
      from (
        select f.cuserid, ${shanghaiDay(sql`f.duetime`)} as due,
          ${shanghaiDay(sql`coalesce(f.latesttime - interval '1 second', f.duetime)`)} as latest
        from followup f
        where f.musercode = ${musercode} and f.method = '05' and f.status in ('01', '03') and f.isdeleted = 0
          ${amongst('f.cuserid', cuserids)}
        union all select x.cuserid, ${withdrawnDays} ${withdrawnSheet} and x.musercode = ${musercode}
          ${amongst('x.cuserid', cuserids)}) planned
      group by cuserid`.execute(scope.db)
  ).rows;
