import { sql, type RawBuilder } from 'kysely';
import { institutionConditions, withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
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

/** The columns of `cell` by which figures group and choose; `persons` counts the persons who have them in common. */
export const CELL_COLUMNS = sql`musercode, gradecode, gradename, persongender, state, gender, overalllevel, depressed, anxious,
  isabnormal, hasalert`;

/**
 * The persons of the filters as `cell`. `persons` is 1 in a cell of the rows, which also has the class. `state`: valid and invalid have
 * handed in; exempt and absent are excused; open is everybody else. `gender` and what follows belong to the latest valid sheet.
 * `depressed` and `anxious` are the highest levels of the primary indicators of domain 01 and 02.
 */
export function withCells(filters: StatisticFilters, source: Source): RawBuilder<unknown> {
  if (source === 'kept')
    return sql`${withInstitutions(filters)}, cell as (
      select k.* from statcell k join u using (musercode) where ${isChosen(toChoice(filters))})`;
  return sql`${withBaseSets(filters)}, handedin as (
    select cuserid, min(musercode) as musercode, count(*) as sheets from e group by cuserid
  ), rostered as (
    select cuserid, min(musercode) as musercode, count(*) as rosterrows from r group by cuserid
  ), cell as (
    select coalesce(h.musercode, q.musercode) as musercode, g.gradecode, g.gradename, g.classname, c.gender as persongender,
      case when l.cuserid is not null then 'valid' when h.cuserid is not null then 'invalid' when n.isexempt then 'exempt'
        when n.isabsent then 'absent' else 'open' end as state,
      l.gender, l.overalllevel, dep.level as depressed, anx.level as anxious, l.isabnormal, l.hasalert,
      1 as persons, coalesce(q.rosterrows, 0)::int as rosterrows, coalesce(h.sheets, 0)::int as sheets
    from p left join handedin h using (cuserid) left join rostered q using (cuserid) left join untested n using (cuserid)
      left join placed g using (cuserid) left join l using (cuserid) left join cuser c on c.cuserid = p.cuserid
      left join (${domainLevels('01')}) dep on dep.cuserid = p.cuserid left join (${domainLevels('02')}) anx on anx.cuserid = p.cuserid
  )`;
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
