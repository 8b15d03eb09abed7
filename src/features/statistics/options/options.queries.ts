import { sql } from 'kysely';
import type { z } from 'zod';
import type { StatsScope } from '#server/db/scope.ts';
import { institutionConditions } from '#features/statistics/baseSets.queries.ts';
import type { getStatisticOptions } from '#features/statistics/options/options.contract.ts';

export type OptionFilters = z.output<(typeof getStatisticOptions)['request']> & { appids: readonly string[] | null };

/** The most tasks that a filter lists. */
const MOST_TASKS = 200;

/** `u` institutions of the filters, `alltasks` their tasks that count, `t` those of year, term and task. */
const withTasks = (filters: OptionFilters) => sql`with u as materialized (
    select m.musercode from muser m where ${institutionConditions(filters)}
  ), alltasks as materialized (
    select t.taskcode, t.taskname, t.year, t.term, t.plancode, t.appid, t.begintime
    from assesstask t join u using (musercode)
    where t.status in (1, 2) and t.isdeleted = 0
      and (${filters.appids}::text[] is null or t.appid = any(${filters.appids}::text[]))
  ), t as materialized (
    select * from alltasks where (${filters.year ?? null}::text is null or year = ${filters.year ?? null})
      and (${filters.term ?? null}::text is null or term = ${filters.term ?? null})
  )`;

export const countInstitutionsOfOptions = async ({ db }: StatsScope, filters: OptionFilters) =>
  (await sql<{ count: number }>`${withTasks(filters)} select count(*)::int as count from u`.execute(db)).rows[0]?.count ?? 0;

/** Institutions above some, but not all, of those that the caller counts, in the order of the tree. */
export const findParents = async ({ db }: StatsScope) =>
  (
    await sql<{ musercode: string; insname: string; institutions: number }>`with u as materialized (
        select m.orgpath from muser m where ${institutionConditions({})}
      )
      select above.musercode, above.insname, count(*)::int as institutions
      from muser above join u on starts_with(u.orgpath, above.orgpath)
      where above.musertype in ('002', '003') and above.isdeleted = 0
      group by above.musercode, above.insname, above.orgpath
      having count(*) < (select count(*) from u) order by above.orgpath`.execute(db)
  ).rows;

export const findTerms = async ({ db }: StatsScope, filters: OptionFilters) =>
  (
    await sql<{ year: string; term: string }>`${withTasks(filters)}
      select distinct year, term from alltasks where year <> '' and term <> '' order by year desc, term desc`.execute(db)
  ).rows;

export const findTasks = async ({ db }: StatsScope, filters: OptionFilters) =>
  (
    await sql<{ taskcode: string; taskname: string }>`${withTasks(filters)}
      select taskcode, taskname from t order by begintime desc, taskcode desc limit ${MOST_TASKS}`.execute(db)
  ).rows;

export const findClasses = async ({ db }: StatsScope, filters: OptionFilters) =>
  (
    await sql<{ gradecode: string; gradename: string; classname: string }>`${withTasks(filters)}
      select g.gradecode, max(g.gradename) as gradename, coalesce(g.classname, '') as classname
      from assessteam g
      where g.gradecode <> '' and exists (
        select from taskteam join t using (taskcode)
        where taskteam.teamcode = g.teamcode
          and (${filters.taskcode ?? null}::text is null or taskcode = ${filters.taskcode ?? null}))
      group by g.gradecode, coalesce(g.classname, '')`.execute(db)
  ).rows;

/** Plans of the tasks; of one institution also the plans of sheets without a task. The newest used version stands for its lineage. */
export const findPlans = async ({ db }: StatsScope, filters: OptionFilters) =>
  (
    await sql<{ plancode: string; planname: string; appid: string }>`${withTasks(filters)}, used as (
        select plancode, appid from alltasks
        union select x.plancode, x.appid from examrecord x join u using (musercode)
        where x.status = 2 and (select count(*) from u) = 1
          and (${filters.appids}::text[] is null or x.appid = any(${filters.appids}::text[]))
      )
      select plancode, appid, planname from (
        select distinct on (p.planroot) used.plancode, used.appid, p.planname from used join plan p using (plancode)
        order by p.planroot, p.lineageno desc) u
      order by planname, plancode`.execute(db)
  ).rows;
