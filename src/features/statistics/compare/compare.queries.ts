import { sql } from 'kysely';
import type { StatsScope } from '#server/db/scope.ts';
import { institutionConditions, withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { persons, withCells, type Source } from '#features/statistics/cells.queries.ts';

/** 应测, 有效 and 需关注 of one term. */
export interface TermFigures {
  total: number;
  complete: number;
  abnormal: number;
}

/** The figures of one term, and what makes it comparable with another. */
export interface TermCounts extends TermFigures {
  /** the plans and the forms with their major versions of the valid sheets, in a fixed order */
  plans: string;
  forms: string;
  /** the least level of a sheet that needs attention without an alert, and the highest level of one that does not */
  leastabnormal: number | null;
  highestnormal: number | null;
}

/** Two terms, and the persons with a valid sheet in both by whether they needed attention. */
export interface TwoTerms {
  before: TermCounts;
  now: TermCounts;
  pairs: { both: number; always: number; onlybefore: number; onlynow: number };
  /** the institution's present threshold; 2 over several institutions, where it is the same for all */
  threshold: number;
}

/** The persons of a term, with the latest valid sheet of those who have one. */
const personsOf = (filters: StatisticFilters) => sql`${withBaseSets(filters)}
  select cuserid, examcode, plancode, isabnormal, hasalert, overalllevel from p left join l using (cuserid)`;
const countsOf = (term: 'before' | 'now') => sql`(
  select json_build_object(
    'total', count(*), 'complete', count(examcode), 'abnormal', count(*) filter (where isabnormal),
    'plans', coalesce(string_agg(distinct plancode, ',' order by plancode), ''),
    'forms', coalesce((select string_agg(form, ',' order by form) from form where form.term = ${sql.lit(term)}), ''),
    'leastabnormal', min(overalllevel) filter (where isabnormal and hasalert = 0),
    'highestnormal', max(overalllevel) filter (where not isabnormal))
  from ${sql.table(term)})`;

/** Counts both terms in one statement, because the base sets of many institutions are large. */
export const countTwoTerms = async ({ db }: StatsScope, before: StatisticFilters, now: StatisticFilters) =>
  (
    await sql<TwoTerms>`with before as materialized (${personsOf(before)}), now as materialized (${personsOf(now)}),
      form as materialized (
        select distinct sheet.term, f.formcode || '@' || split_part(f.formversion, '.', 1) as form
        from (select 'before' as term, examcode from before union all select 'now', examcode from now) sheet
          join examform f using (examcode)
      )
      select ${countsOf('before')} as before, ${countsOf('now')} as now, (
        select json_build_object('both', count(*), 'always', count(*) filter (where before.isabnormal and now.isabnormal),
          'onlybefore', count(*) filter (where before.isabnormal and not now.isabnormal),
          'onlynow', count(*) filter (where now.isabnormal and not before.isabnormal))
        from before join now using (cuserid) where before.examcode is not null and now.examcode is not null) as pairs, (
        select case when count(*) = 1 then min(m.abnormalminlevel) else 2 end from muser m where ${institutionConditions(now)}
      ) as threshold`.execute(db)
  ).rows[0] as TwoTerms;

/** The figures of one term alone. */
export const countTermFigures = async ({ db }: StatsScope, filters: StatisticFilters, source: Source) =>
  (
    await sql<TermFigures>`${withCells(filters, source, ['state', 'result'])}
      select ${persons()} as total, ${persons(sql`state = 'valid'`)} as complete,
        ${persons(sql`state = 'valid' and isabnormal`)} as abnormal
      from cell`.execute(db)
  ).rows[0] as TermFigures;

/** The newest terms with tasks, the oldest first. */
export const findLastTerms = async ({ db }: StatsScope, filters: StatisticFilters, most: number) =>
  (
    await sql<{ year: string; term: string }>`${withBaseSets(filters)}
      select year, term from (
        select distinct task.year, task.term from t join assesstask task using (taskcode)
        where task.year <> '' and task.term <> '' order by task.year desc, task.term desc limit ${most}
      ) last order by year, term`.execute(db)
  ).rows;
