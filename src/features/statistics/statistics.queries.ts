import { sql, type RawBuilder } from 'kysely';
import type { StatsScope } from '#server/db/scope.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { persons, withCells, withResultCells, withSheets, type Source } from '#features/statistics/cells.queries.ts';

/** A figure for filters, counted in the rows or in the kept figures. */
type Figure<T> = (scope: StatsScope, filters: StatisticFilters, source?: Source) => Promise<T>;

const find = async <T>({ db }: StatsScope, query: RawBuilder<T>): Promise<T[]> => (await query.execute(db)).rows;
const findOne = async <T>(scope: StatsScope, query: RawBuilder<T>): Promise<T> => (await find(scope, query))[0] as T;

const isValid = sql`state = 'valid'`;
const isAbnormal = sql`state = 'valid' and isabnormal`;
/** The persons at each level 0 to 4. */
const levelCounts = sql`array[${sql.join([0, 1, 2, 3, 4].map((level) => persons(sql`overalllevel = ${sql.lit(level)}`)))}]`;

/** Institutions: enabled ones, and those of them with a submitted sheet. */
export const countInstitutions: Figure<{ total: number; active: number }> = (scope, filters, source = 'rows') =>
  findOne(
    scope,
    sql`${withSheets(filters, source)}
      select count(*)::int as total, count(s.musercode)::int as active
      from u left join (select distinct musercode from sheet) s using (musercode) where u.enabled = 1`,
  );

/** Tasks, roster rows and sheets. Tasks are few, so always their rows count. */
export const countRows: Figure<{ taskcount: number; rostercount: number; examcount: number }> = (
  scope,
  filters,
  source = 'rows',
) =>
  source === 'rows'
    ? findOne(
        scope,
        sql`${withBaseSets(filters)} select (select count(*) from t)::int as taskcount, (select count(*) from r)::int as rostercount,
          (select count(*) from e)::int as examcount`,
      )
    : findOne(
        scope,
        sql`${withCells(filters, source, ['rows'])}
          select (${withBaseSets(filters)} select count(*)::int from t) as taskcount, coalesce(sum(rosterrows), 0)::int as rostercount,
            coalesce(sum(sheets), 0)::int as examcount
          from cell`,
      );

export const countPersons: Figure<{ total: number; male: number; female: number; unknown: number }> = (
  scope,
  filters,
  source = 'rows',
) =>
  findOne(
    scope,
    sql`${withCells(filters, source, ['persongender'])}
      select ${persons()} as total, ${persons(sql`persongender = '01'`)} as male, ${persons(sql`persongender = '02'`)} as female,
        ${persons(sql`coalesce(persongender, '00') not in ('01', '02')`)} as unknown
      from cell`,
  );

/** 应测, 有效, 实测, and of the persons without a sheet those who are 免测 and 缺测. */
export const countCompletion: Figure<{ total: number; complete: number; tested: number; exempt: number; absent: number }> = (
  scope,
  filters,
  source = 'rows',
) =>
  findOne(
    scope,
    sql`${withCells(filters, source, ['state'])}
      select ${persons()} as total, ${persons(isValid)} as complete, ${persons(sql`state in ('valid', 'invalid')`)} as tested,
        ${persons(sql`state = 'exempt'`)} as exempt, ${persons(sql`state = 'absent'`)} as absent
      from cell`,
  );

export const countAbnormal: Figure<{ valid: number; abnormal: number; alert: number; levels: number[] }> = (
  scope,
  filters,
  source = 'rows',
) =>
  findOne(
    scope,
    sql`${withResultCells(filters, source, ['result'])}
      select ${persons()} as valid, ${persons(sql`isabnormal`)} as abnormal, ${persons(sql`hasalert = 1`)} as alert,
        ${levelCounts} as levels
      from cell`,
  );

/** Sheets and valid sheets that need attention by day of submission, without the days between. */
export const countByDay: Figure<{ date: string; examcount: number; abnormal: number }[]> = (scope, filters, source = 'rows') =>
  find(
    scope,
    sql`${withSheets(filters, source)}
      select day::text as date, sum(sheets)::int as examcount, sum(abnormal)::int as abnormal from sheet group by day order by day`,
  );

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

/** Persons and results by grade, or by class, which only the rows know. Each person stands in one group; without a grade the code is ''. */
export const countGroups = (scope: StatsScope, filters: StatisticFilters, by: 'grade' | 'class', source: Source = 'rows') =>
  find<GroupCounts>(
    scope,
    sql`${withCells(filters, source, ['place', 'state', 'result'])}
      select coalesce(gradecode, '') as gradecode, coalesce(max(gradename), '') as gradename,
        ${by === 'class' ? sql`coalesce(classname, '')` : sql`''`} as classname, ${persons()} as total,
        ${persons(isValid)} as complete, ${persons(isAbnormal)} as abnormal, ${levelCounts} as levels
      from cell
      group by coalesce(gradecode, '') ${by === 'class' ? sql`, coalesce(classname, '')` : sql``}`,
  );

export const countScenes = (scope: StatsScope, filters: StatisticFilters, by: 'month' | 'day', source: Source = 'rows') =>
  find<{ period: string; scenecode: string; count: number }>(
    scope,
    sql`${withSheets(filters, source)}
      select to_char(day, ${by === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}) as period, scenecode, sum(sheets)::int as count
      from sheet group by 1, 2 order by 1, 2`,
  );

/** Persons by the level of a domain: the highest level of its primary indicators in the latest valid sheet. */
export const countDomainLevels = (scope: StatsScope, filters: StatisticFilters, domain: '01' | '02', source: Source = 'rows') => {
  const level = sql.ref(domain === '01' ? 'depressed' : 'anxious');
  return find<{ level: number; count: number }>(
    scope,
    sql`${withResultCells(filters, source, [domain === '01' ? 'depressed' : 'anxious'])}
      select ${level} as level, ${persons()} as count from cell where ${level} is not null group by ${level}`,
  );
};

export const countByGender: Figure<{ gender: string; valid: number; abnormal: number }[]> = (scope, filters, source = 'rows') =>
  find(
    scope,
    sql`${withResultCells(filters, source, ['result'])}
      select gender, ${persons()} as valid, ${persons(sql`isabnormal`)} as abnormal
      from cell where gender in ('01', '02') group by gender order by gender`,
  );
