import { sql } from 'kysely';
import type { StatsScope } from '#server/db/scope.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { persons, withCells, type Source } from '#features/statistics/cells.queries.ts';

/** 应测, 有效 and 需关注 of one term. */
export interface TermFigures {
  total: number;
  complete: number;
  abnormal: number;
}

/** The figures of one term, and what makes it comparable with another. */
export interface TermCounts extends TermFigures {
  /** the plans and the forms with their versions of the valid sheets, in a fixed order */
  plans: string;
  forms: string;
  /** the least level of a sheet that needs attention without an alert, and the highest level of one that does not */
  leastabnormal: number | null;
  highestnormal: number | null;
  /** the institution's present threshold; 2 over several institutions, where it is the same for all */
  threshold: number;
}

export const countTerm = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<TermCounts>`${withBaseSets(filters)}
      select (select count(*) from p)::int as total, count(*)::int as complete,
        (count(*) filter (where l.isabnormal))::int as abnormal,
        coalesce((select string_agg(plancode, ',' order by plancode) from (
          select distinct x.plancode from l valid join examrecord x on x.examcode = valid.examcode) plans), '') as plans,
        coalesce((select string_agg(form, ',' order by form) from (
          select distinct f.formcode || '@' || f.formversion as form
          from l valid join examform f on f.examcode = valid.examcode) forms), '') as forms,
        min(l.overalllevel) filter (where l.isabnormal and l.hasalert = 0) as leastabnormal,
        max(l.overalllevel) filter (where not l.isabnormal) as highestnormal,
        (select case when count(*) = 1 then min(m.abnormalminlevel) else 2 end from u join muser m using (musercode)) as threshold
      from l`.execute(db)
  ).rows[0] as TermCounts;

/** The figures of one term alone. */
export const countTermFigures = async ({ db }: StatsScope, filters: StatisticFilters, source: Source) =>
  (
    await sql<TermFigures>`${withCells(filters, source, ['state', 'result'])}
      select ${persons()} as total, ${persons(sql`state = 'valid'`)} as complete,
        ${persons(sql`state = 'valid' and isabnormal`)} as abnormal
      from cell`.execute(db)
  ).rows[0] as TermFigures;

/** The persons with a valid sheet by both filters, and those of them who need attention by both or by one only. */
export interface PairCounts {
  both: number;
  always: number;
  onlybefore: number;
  onlynow: number;
}
export const countPairs = async ({ db }: StatsScope, before: StatisticFilters, now: StatisticFilters) =>
  (
    await sql<PairCounts>`with earlier as materialized (
        ${withBaseSets(before)} select l.cuserid, l.isabnormal from l
      ), later as materialized (
        ${withBaseSets(now)} select l.cuserid, l.isabnormal from l
      )
      select count(*)::int as both, (count(*) filter (where earlier.isabnormal and later.isabnormal))::int as always,
        (count(*) filter (where earlier.isabnormal and not later.isabnormal))::int as onlybefore,
        (count(*) filter (where later.isabnormal and not earlier.isabnormal))::int as onlynow
      from earlier join later using (cuserid)`.execute(db)
  ).rows[0] as PairCounts;

/** The newest terms with tasks, the oldest first. */
export const findLastTerms = async ({ db }: StatsScope, filters: StatisticFilters, most: number) =>
  (
    await sql<{ year: string; term: string }>`${withBaseSets(filters)}
      select year, term from (
        select distinct task.year, task.term from t join assesstask task using (taskcode)
        where task.year <> '' and task.term <> '' order by task.year desc, task.term desc limit ${most}
      ) last order by year, term`.execute(db)
  ).rows;
