import { sql } from 'kysely';
import type { StatsScope } from '#server/db/scope.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';

/** The persons at each level 0 to 4 of rows `l`. */
const levelCounts = sql`array[
  count(*) filter (where l.overalllevel = 0), count(*) filter (where l.overalllevel = 1), count(*) filter (where l.overalllevel = 2),
  count(*) filter (where l.overalllevel = 3), count(*) filter (where l.overalllevel = 4)]::int[]`;

const one = <T>(rows: T[]): T => rows[0] as T;

/** Institutions: enabled ones, and those of them with a submitted sheet. */
export const countInstitutions = async ({ db }: StatsScope, filters: StatisticFilters) =>
  one(
    (
      await sql<{ total: number; active: number }>`${withBaseSets(filters)}
        select count(*)::int as total, (count(*) filter (where exists (select from e where e.musercode = u.musercode)))::int as active
        from u where u.enabled = 1`.execute(db)
    ).rows,
  );

export const countRows = async ({ db }: StatsScope, filters: StatisticFilters) =>
  one(
    (
      await sql<{ taskcount: number; rostercount: number; examcount: number }>`${withBaseSets(filters)}
        select (select count(*) from t)::int as taskcount, (select count(*) from r)::int as rostercount,
          (select count(*) from e)::int as examcount`.execute(db)
    ).rows,
  );

export const countPersons = async ({ db }: StatsScope, filters: StatisticFilters) =>
  one(
    (
      await sql<{ total: number; male: number; female: number; unknown: number }>`${withBaseSets(filters)}
        select count(*)::int as total, (count(*) filter (where c.gender = '01'))::int as male,
          (count(*) filter (where c.gender = '02'))::int as female,
          (count(*) filter (where c.gender is distinct from '01' and c.gender is distinct from '02'))::int as unknown
        from p left join cuser c using (cuserid)`.execute(db)
    ).rows,
  );

/** 应测, 有效, 实测, and of the persons without a sheet those who are 免测 and 缺测. */
export const countCompletion = async ({ db }: StatsScope, filters: StatisticFilters) =>
  one(
    (
      await sql<{ total: number; complete: number; tested: number; exempt: number; absent: number }>`${withBaseSets(filters)}
        select (select count(*) from p)::int as total, (select count(*) from l)::int as complete,
          (select count(distinct cuserid) from e)::int as tested,
          (select count(*) from untested where isexempt)::int as exempt,
          (select count(*) from untested where isabsent and not isexempt)::int as absent`.execute(db)
    ).rows,
  );

export const countAbnormal = async ({ db }: StatsScope, filters: StatisticFilters) =>
  one(
    (
      await sql<{ valid: number; abnormal: number; alert: number; levels: number[] }>`${withBaseSets(filters)}
        select count(*)::int as valid, (count(*) filter (where l.isabnormal))::int as abnormal,
          (count(*) filter (where l.hasalert = 1))::int as alert, ${levelCounts} as levels from l`.execute(db)
    ).rows,
  );

/** Sheets and valid sheets that need attention by day of submission, without the days between. */
export const countByDay = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{ date: string; examcount: number; abnormal: number }>`${withBaseSets(filters)}
      select to_char(submittime at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as date, count(*)::int as examcount,
        (count(*) filter (where isvalid and isabnormal))::int as abnormal
      from e group by 1 order by 1`.execute(db)
  ).rows;

/** A group of persons: all of them, and the results of those with a valid sheet. */
export interface GroupCounts {
  gradecode: string;
  gradename: string;
  classname: string;
  total: number;
  complete: number;
  abnormal: number;
  levels: number[];
}

/** Persons and results by grade, or by class. Each person stands in one group; persons without a grade have the code ''. */
export const countGroups = async ({ db }: StatsScope, filters: StatisticFilters, by: 'grade' | 'class') =>
  (
    await sql<GroupCounts>`${withBaseSets(filters)}
      select coalesce(g.gradecode, '') as gradecode, coalesce(max(g.gradename), '') as gradename,
        ${by === 'class' ? sql`coalesce(g.classname, '')` : sql`''`} as classname, count(*)::int as total,
        count(l.cuserid)::int as complete, (count(*) filter (where l.isabnormal))::int as abnormal, ${levelCounts} as levels
      from placed g left join l using (cuserid)
      group by coalesce(g.gradecode, '') ${by === 'class' ? sql`, coalesce(g.classname, '')` : sql``}`.execute(db)
  ).rows;

export const countScenes = async ({ db }: StatsScope, filters: StatisticFilters, by: 'month' | 'day') =>
  (
    await sql<{ period: string; scenecode: string; count: number }>`${withBaseSets(filters)}
      select to_char(submittime at time zone 'Asia/Shanghai', ${by === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}) as period,
        scenecode, count(*)::int as count
      from e group by 1, 2 order by 1, 2`.execute(db)
  ).rows;

/** Persons of `l` with their level of a domain: the highest of its primary indicators, or null. */
export const domainLevels = (domain: '01' | '02') => sql`
  select l.cuserid, max(v.level) as level
  from l join examresult v on v.examcode = l.examcode and v.domain = ${domain} and v.isprimary = 1
  group by l.cuserid`;

/** Persons by the level of a domain. */
export const countDomainLevels = async ({ db }: StatsScope, filters: StatisticFilters, domain: '01' | '02') =>
  (
    await sql<{ level: number; count: number }>`${withBaseSets(filters)}
      select level, count(*)::int as count from (${domainLevels(domain)}) person
      where level is not null group by level`.execute(db)
  ).rows;

export const countByGender = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{ gender: string; valid: number; abnormal: number }>`${withBaseSets(filters)}
      select l.gender, count(*)::int as valid, (count(*) filter (where l.isabnormal))::int as abnormal
      from l where l.gender in ('01', '02') group by l.gender order by l.gender`.execute(db)
  ).rows;
