import { sql } from 'kysely';
import type { z } from 'zod';
import { paginate, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getCoursePageList, insertCourse, updateCourse } from '#features/classroom/course.contract.ts';

const selectCourses = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('course as c')
    .where('c.musercode', '=', musercode)
    .where('c.isdeleted', '=', 0)
    .select([
      'c.courseid',
      'c.version',
      'c.title',
      'c.coverfileid',
      'c.lecturer',
      'c.intro',
      'c.audience',
      'c.appids',
      'c.levels',
    ])
    .select(['c.price', 'c.free', 'c.status', 'c.viewcount', 'c.ordernum', 'c.updatetime'])
    .select([
      sql<number>`(select count(*)::int from lesson l where l.courseid = c.courseid and l.isdeleted = 0)`.as('lessons'),
      sql<number>`(select coalesce(sum(l.duration), 0)::int from lesson l where l.courseid = c.courseid and l.isdeleted = 0)`.as(
        'duration',
      ),
    ]);

/** Returns a page of an institution's own courses with its total, by their order unless the request names another. */
export async function findCourses(
  scope: Scope,
  musercode: string,
  { keyword, status, orderby, isasc, ...page }: z.output<(typeof getCoursePageList)['request']>,
) {
  let query = selectCourses(scope, musercode);
  if (keyword) query = query.where('c.title', 'like', toLikePattern(keyword));
  if (status !== undefined) query = query.where('c.status', '=', status);
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .orderBy(`c.${orderby ?? 'ordernum'}`, orderby === undefined || isasc === '1' ? 'asc' : 'desc')
    .orderBy('c.courseid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** Returns one of the institution's own courses; undefined when it has none of this number. */
export const findCourse = (scope: Scope, musercode: string, courseid: number) =>
  selectCourses(scope, musercode).where('c.courseid', '=', courseid).executeTakeFirst();
export type FoundCourse = NonNullable<Awaited<ReturnType<typeof findCourse>>>;

/** Locks one of the institution's own courses with its lessons; undefined when it has none of this number. */
export const lockCourse = (scope: Scope, musercode: string, courseid: number) =>
  scope.db
    .selectFrom('course')
    .select(['title', 'status', 'coverfileid'])
    .where('courseid', '=', courseid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Adds a course and returns its number. */
export const addCourse = async (
  scope: Scope,
  row: z.output<(typeof insertCourse)['request']> & { musercode: string; createby: string; createtime: Date; updatetime: Date },
): Promise<number> => (await scope.db.insertInto('course').values(row).returning('courseid').executeTakeFirstOrThrow()).courseid;

/** Changes a course; an absent field stays as it is. */
export const changeCourse = (
  scope: Scope,
  courseid: number,
  changes: Omit<z.output<(typeof updateCourse)['request']>, 'courseid' | 'version'> & { isdeleted?: number; updatetime: Date },
) => scope.db.updateTable('course').set(changes).where('courseid', '=', courseid).execute();

/** How many institutions have bought the course. */
export const countBuyers = async (scope: Scope, courseid: number): Promise<number> =>
  (
    await scope.db
      .selectFrom('courseaccess')
      .select(sql<number>`count(distinct musercode)::int`.as('buyers'))
      .where('courseid', '=', courseid)
      .executeTakeFirstOrThrow()
  ).buyers;
