import { sql, type SqlBool } from 'kysely';
import type { StatsScope } from '#server/db/scope.ts';

/** Options of filters: institutions, school years, terms and grades. They run under the role for statistics. */

/** Finds the institutions that assess persons, within the caller's data scope; an authority's scope includes its region. */
export function findSchools(
  scope: StatsScope,
  filters: {
    musercode?: string | undefined;
    sector?: string | undefined;
    keyword?: string | undefined;
    provincecode?: string | undefined;
    citycode?: string | undefined;
    districtcode?: string | undefined;
    categorycode?: string | undefined;
  },
) {
  let query = scope.db
    .selectFrom('muser as m')
    .select(['m.musercode', 'm.insname', 'm.districtcode'])
    .where('m.isdeleted', '=', 0)
    .where('m.musertype', 'in', ['004', '005']);
  for (const key of ['musercode', 'sector', 'provincecode', 'citycode', 'districtcode'] as const) {
    const value = filters[key];
    if (value) query = query.where(`m.${key}`, '=', value);
  }
  if (filters.keyword) query = query.where('m.insname', 'like', `%${filters.keyword.replace(/[\\%_]/g, '\\$&')}%`);
  if (filters.categorycode)
    query = query.where(
      sql<SqlBool>`starts_with(m.orgpath, (select p.orgpath from muser p where p.musercode = ${filters.categorycode}))`,
    );
  return query.orderBy('m.sortname').limit(2000).execute();
}

/** Finds the school years of teams and tasks, the latest first. */
export async function findYears(scope: StatsScope, schoolcode: string | undefined) {
  const ofSchool = schoolcode ? sql`and musercode = ${schoolcode}` : sql``;
  const { rows } = await sql<{ year: string }>`
    select year from assesstask where isdeleted = 0 and year <> '' ${ofSchool}
    union
    select year from assessteam where isdeleted = 0 and year <> '' ${ofSchool}
    order by year desc`.execute(scope.db);
  return rows.map((row) => row.year);
}

/** Finds the terms that have a task. */
export async function findTerms(scope: StatsScope, schoolcode: string | undefined, year: string | undefined) {
  let query = scope.db
    .selectFrom('assesstask')
    .select('term')
    .distinct()
    .where('isdeleted', '=', 0)
    .where('term', 'is not', null);
  if (schoolcode) query = query.where('musercode', '=', schoolcode);
  if (year) query = query.where('year', '=', year);
  return (await query.orderBy('term').execute()).map((row) => row.term as string);
}

/** Finds the grades and classes of teams in school order. */
export function findGrades(scope: StatsScope, schoolcode: string | undefined, year: string | undefined) {
  let query = scope.db
    .selectFrom('assessteam')
    .select(['gradecode', 'gradename', 'classname'])
    .groupBy(['gradecode', 'gradename', 'classname'])
    .where('isdeleted', '=', 0)
    .where('gradename', 'is not', null)
    .where('gradename', '<>', '');
  if (schoolcode) query = query.where('musercode', '=', schoolcode);
  if (year) query = query.where('year', '=', year);
  return query
    .orderBy(sql`access.sort_name(gradename)`)
    .orderBy(sql`access.sort_name(classname)`)
    .execute();
}
