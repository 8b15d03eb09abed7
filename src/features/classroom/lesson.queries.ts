import { sql } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '#server/db/scope.ts';
import type { updateLesson } from '#features/classroom/course.contract.ts';

/** Returns the lessons of a course in their order. */
export const findLessons = (scope: Scope, courseid: number) =>
  scope.db
    .selectFrom('lesson')
    .select(['lessonid', 'version', 'title', 'fileid', 'duration', 'trial', 'ordernum'])
    .where('courseid', '=', courseid)
    .where('isdeleted', '=', 0)
    .orderBy('ordernum')
    .orderBy('lessonid')
    .execute();

/** How many learners began a lesson and how many finished it. */
interface Totals {
  learners: number | null;
  finished: number | null;
}

/** Returns the numbers of learners of a course's lessons; a number below five is null. */
export async function findTotals(scope: Scope, courseid: number): Promise<Map<number, Totals>> {
  const { rows } = await sql<Totals & { lessonid: number }>`
    select lessonid, learners, finished from access.lesson_totals(array[${courseid}::bigint])`.execute(scope.db);
  return new Map(rows.map(({ lessonid, ...totals }) => [lessonid, totals]));
}

/** Returns one lesson of the institution's own courses; undefined when it has none of this number. */
export const findLesson = (scope: Scope, musercode: string, lessonid: number) =>
  scope.db
    .selectFrom('lesson')
    .select(['courseid', 'title', 'fileid'])
    .where('lessonid', '=', lessonid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Adds a lesson at the end of a course and returns its number. The caller has locked the course. */
export async function addLesson(
  scope: Scope,
  row: { courseid: number; musercode: string; title: string; fileid: string; duration: number; trial: number; now: Date },
): Promise<number> {
  const { now, ...fields } = row;
  const { lessonid } = await scope.db
    .insertInto('lesson')
    .values({
      ...fields,
      ordernum: sql<number>`(select coalesce(max(ordernum), 0) + 1 from lesson where courseid = ${row.courseid} and isdeleted = 0)`,
      createtime: now,
      updatetime: now,
    })
    .returning('lessonid')
    .executeTakeFirstOrThrow();
  return lessonid;
}

/** Changes a lesson; an absent field stays as it is. */
export const changeLesson = (
  scope: Scope,
  lessonid: number,
  changes: Omit<z.output<(typeof updateLesson)['request']>, 'lessonid' | 'version'> & { isdeleted?: number; updatetime: Date },
) => scope.db.updateTable('lesson').set(changes).where('lessonid', '=', lessonid).execute();

/** Numbers the lessons of a course in this order. */
export const orderLessons = (scope: Scope, courseid: number, lessonids: readonly number[]) =>
  sql`update lesson set ordernum = place.ordernum
      from unnest(${[...lessonids]}::bigint[]) with ordinality as place (lessonid, ordernum)
      where lesson.lessonid = place.lessonid and lesson.courseid = ${courseid} and lesson.ordernum <> place.ordernum`.execute(
    scope.db,
  );
