import { sql, type RawBuilder } from 'kysely';
import {
  institutionConditions,
  isOneInstitution,
  type StatisticFilters,
  withBaseSets,
} from '#features/statistics/baseSets.queries.ts';
import { isExempt } from '#features/task/board/rosterCounts.queries.ts';
import { toChoice, toSheetChoice, type Choice } from '#features/statistics/kept/choice.ts';

/** Where a figure counts: in the rows, or in the figures that a job keeps for several institutions (docs/decisions/0068). */
export type Source = 'rows' | 'kept';

/** The institutions of the filters as `u`. */
const withInstitutions = (filters: StatisticFilters) =>
  sql`with u as materialized (select m.musercode, m.enabled from muser m where ${institutionConditions(filters)})`;
/** The condition on rows `k` of a kept table. `chooseSource` has found that there is a choice. */
function isChosen(choice: Choice | undefined): RawBuilder<unknown> {
  if (!choice) throw new Error('no kept figures answer these filters');
  const { appid, plancode, year, term } = choice;
  return sql`k.year = ${year} and k.term = ${term} and k.appid = ${appid} and k.plancode = ${plancode}`;
}

/** Persons of `l` with their level of a domain: the highest of its primary indicators, or null. */
export const domainLevels = (domain: '01' | '02') => sql`
  select l.cuserid, max(v.level) as level
  from l join examresult v on v.examcode = l.examcode and v.domain = ${domain} and v.isprimary = 1
  group by l.cuserid`;

/** The level of a domain in the sheet of `l`. One sheet has few results, so an index finds them, and no plan reads all results. */
const levelOf = (domain: '01' | '02') => sql`
  select max(case when ${isOneInstitution} then v.level else coalesce(v.deflevel, v.level) end) as level from examresult v
  where v.examcode = l.examcode and v.domain = ${domain} and v.isprimary = 1`;

/** The columns of `cell` by which figures group and choose; `persons` counts the persons who have them in common. */
export const CELL_COLUMNS = sql`musercode, gradecode, gradename, persongender, state, gender, overalllevel, depressed, anxious,
  isabnormal, hasalert`;

/** What a figure reads of its cells. The rows are read and joined for no more than this. */
export type CellPart = keyof typeof PARTS;

/** The columns of each part, and the join that brings them to persons `cuserid`. */
const PARTS = {
  /** grade and class as in `placed` */
  place: {
    columns: sql`coalesce(l.gradecode, g.gradecode) as gradecode, case when l.gradecode is null then g.gradename else l.gradename end
      as gradename, case when l.gradecode is null then g.classname else l.classname end as classname`,
    join: sql`left join moreplaced g using (cuserid)`,
  },
  persongender: {
    columns: sql`c.gender as persongender`,
    join: sql`left join (select cuserid, gender from cuser) c using (cuserid)`,
  },
  /** how far the person came: valid and invalid have handed in; exempt and absent are excused; open is everybody else */
  state: {
    columns: sql`case when l.cuserid is not null then 'valid' when sheets > 0 then 'invalid' when isexempt then 'exempt'
      when isabsent then 'absent' else 'open' end as state`,
    join: sql``,
  },
  /** of the latest valid sheet */
  result: { columns: sql`l.gender, l.overalllevel, l.isabnormal, l.hasalert`, join: sql`` },
  /** the highest level of the primary indicators of domain 01 in the latest valid sheet */
  depressed: { columns: sql`dep.level as depressed`, join: sql`left join lateral (${levelOf('01')}) dep on true` },
  anxious: { columns: sql`anx.level as anxious`, join: sql`left join lateral (${levelOf('02')}) anx on true` },
  /** 人次 on rosters and handed in */
  rows: { columns: sql`coalesce(rosterrows, 0)::int as rosterrows, coalesce(sheets, 0)::int as sheets`, join: sql`` },
};
/** All parts, for the figures that the job keeps. */
export const ALL_PARTS = Object.keys(PARTS) as CellPart[];

const toColumns = (parts: readonly CellPart[]) => sql.join(parts.map((part) => PARTS[part].columns));
const toJoins = (parts: readonly CellPart[]) =>
  sql.join(
    parts.map((part) => PARTS[part].join),
    sql` `,
  );

const withKeptCells = (filters: StatisticFilters, condition: RawBuilder<unknown>) =>
  sql`${withInstitutions(filters)}, cell as (
    select k.* from statcell k join u using (musercode) where ${isChosen(toChoice(filters))} and ${condition})`;

/** The persons of the filters as `cell` with these parts. `persons` is 1 in a cell of the rows. */
export function withCells(filters: StatisticFilters, source: Source, parts: readonly CellPart[]): RawBuilder<unknown> {
  if (source === 'kept') return withKeptCells(filters, sql`true`);
  const needsResult = parts.some((part) => part !== 'persongender' && part !== 'rows');
  return sql`${withBaseSets(filters)}, handedin as (
    select cuserid, min(musercode) as musercode, count(*) as sheets from e group by cuserid
  ), rostered as (
    select cuserid, min(musercode) as musercode, count(*) as rosterrows, bool_or(${isExempt}) as isexempt,
      bool_or(r.status = 3) as isabsent
    from r group by cuserid
  ), cell as (
    select coalesce(h.musercode, q.musercode) as musercode, 1 as persons, ${toColumns(parts)}
    from rostered q full join handedin h using (cuserid) ${needsResult ? sql`left join l using (cuserid)` : sql``} ${toJoins(parts)}
  )`;
}

/** The persons with a valid sheet as `cell` with these parts. */
export function withResultCells(
  filters: StatisticFilters,
  source: Source,
  parts: readonly Exclude<CellPart, 'state' | 'rows'>[],
): RawBuilder<unknown> {
  if (source === 'kept') return withKeptCells(filters, sql`k.state = 'valid'`);
  return sql`${withBaseSets(filters)}, cell as (select 1 as persons, ${toColumns(parts)} from l ${toJoins(parts)})`;
}

/** The submitted sheets of the filters as `sheet`, by day and scene; `sheets` and `abnormal` count them. */
export function withSheets(filters: StatisticFilters, source: Source): RawBuilder<unknown> {
  if (source === 'kept') {
    const { begindate = '-infinity', enddate = 'infinity' } = filters;
    return sql`${withInstitutions(filters)}, sheet as (
      select k.* from statday k join u using (musercode)
      where ${isChosen(toSheetChoice(filters))} and k.day between ${begindate}::date and ${enddate}::date)`;
  }
  return sql`${withBaseSets(filters)}, sheet as (
    select musercode, (submittime at time zone 'Asia/Shanghai')::date as day, scenecode, 1 as sheets,
      (isvalid and isabnormal)::int as abnormal
    from e
  )`;
}

/** The number of persons of the cells that meet a condition. */
export const persons = (condition: RawBuilder<unknown> = sql`true`) =>
  sql`coalesce(sum(persons) filter (where ${condition}), 0)::int`;
