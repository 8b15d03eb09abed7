import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import * as contract from '#features/classroom/course.contract.ts';
import { findCourse, lockCourse } from '#features/classroom/course.queries.ts';
import * as queries from '#features/classroom/lesson.queries.ts';
import {
  findContentLinks,
  releaseUsedFiles,
  requireFiles,
  setUsedFiles,
  type UsedFile,
} from '#features/file/content/contentFiles.ts';

/** The lessons of courses. Every change locks the course first, so that a course on the shelf always has a lesson. */

type StaffContext = Context<'staff'>;

/** Locks one of the institution's own courses; 130001 when it has none of this number. */
async function requireCourse({ scope, caller }: StaffContext, courseid: number) {
  const course = await lockCourse(scope, caller.musercode, courseid);
  if (!course) throw problems.notFound({ what: '课程' });
  return course;
}

/** The video of a lesson as a list of used files. */
const videoOf = (fileid: string): UsedFile[] => [{ fileid, field: 'fileid', group: 'video' }];

const getLessonList = handle(contract.getLessonList, async ({ courseid }, ctx) => {
  const { scope, caller } = ctx;
  if (!(await findCourse(scope, caller.musercode, courseid))) throw problems.notFound({ what: '课程' });
  const lessons = await queries.findLessons(scope, courseid);
  const totals = await queries.findTotals(scope, courseid);
  const links = await findContentLinks(
    ctx,
    lessons.map(({ fileid }) => fileid),
  );
  return lessons.map((lesson) => {
    const file = links.get(lesson.fileid);
    const { learners = null, finished = null } = totals.get(lesson.lessonid) ?? {};
    return { ...lesson, filename: file?.filename ?? '', size: file?.size ?? 0, url: file?.url ?? '', learners, finished };
  });
});

const insertLesson = handle(contract.insertLesson, async ({ courseid, ...fields }, ctx) => {
  await requireCourse(ctx, courseid);
  const { scope, caller, now } = ctx;
  const video = videoOf(fields.fileid);
  await requireFiles(ctx, 'course', video);
  const lessonid = await queries.addLesson(scope, { ...fields, courseid, musercode: caller.musercode, now });
  await setUsedFiles(ctx, `lesson:${lessonid}`, 'course', video);
  ctx.audit({ objectid: String(lessonid), detail: { courseid, title: fields.title } });
  return { lessonid };
});

/** Locks the course of one of the institution's own lessons and returns the lesson; 130001 when it has none of this number. */
async function requireLesson(ctx: StaffContext, lessonid: number) {
  const { scope, caller } = ctx;
  const found = await queries.findLesson(scope, caller.musercode, lessonid);
  const course = found && (await lockCourse(scope, caller.musercode, found.courseid));
  // Read again under the lock: somebody may have deleted the lesson meanwhile.
  const lesson = course && (await queries.findLesson(scope, caller.musercode, lessonid));
  if (!lesson) throw problems.notFound({ what: '课时' });
  return { course, lesson };
}

const updateLesson = handle(contract.updateLesson, async ({ lessonid, version: _, ...fields }, ctx) => {
  const { lesson } = await requireLesson(ctx, lessonid);
  if (fields.fileid !== undefined && fields.fileid !== lesson.fileid) {
    if (fields.duration === undefined) throw problems.missing({ title: '时长' }, { field: 'duration' });
    await setUsedFiles(ctx, `lesson:${lessonid}`, 'course', videoOf(fields.fileid));
  }
  await queries.changeLesson(ctx.scope, lessonid, { ...fields, updatetime: ctx.now });
  ctx.audit({ objectid: String(lessonid), detail: { courseid: lesson.courseid, title: fields.title ?? lesson.title } });
  return {};
});

const sortLessons = handle(contract.sortLessons, async ({ courseid, lessonids }, ctx) => {
  await requireCourse(ctx, courseid);
  const present = new Set((await queries.findLessons(ctx.scope, courseid)).map(({ lessonid }) => lessonid));
  const named = new Set(lessonids);
  if (named.size !== lessonids.length || named.size !== present.size || lessonids.some((lessonid) => !present.has(lessonid)))
    throw problems.invalid({ message: '课时已有变化，请刷新后再调整顺序' }, { field: 'lessonids' });
  await queries.orderLessons(ctx.scope, courseid, lessonids);
  ctx.audit({ objectid: String(courseid), detail: { lessonids } });
  return {};
});

const deleteLesson = handle(contract.deleteLesson, async ({ lessonid }, ctx) => {
  const { course, lesson } = await requireLesson(ctx, lessonid);
  const lessons = await queries.findLessons(ctx.scope, lesson.courseid);
  if (course.status === 1 && lessons.length === 1)
    throw problems.wrongState({ why: '已上架的课程至少保留一个课时，请先下架课程' });
  await queries.changeLesson(ctx.scope, lessonid, { isdeleted: 1, updatetime: ctx.now });
  await releaseUsedFiles(ctx.scope, `lesson:${lessonid}`);
  ctx.audit({ objectid: String(lessonid), detail: { courseid: lesson.courseid, title: lesson.title } });
  return {};
});

/** Deletes the lessons of a course that is deleted. Their videos stay in 文件上传. */
export async function deleteLessonsOf({ scope, now }: StaffContext, courseid: number): Promise<void> {
  for (const { lessonid } of await queries.findLessons(scope, courseid)) {
    await queries.changeLesson(scope, lessonid, { isdeleted: 1, updatetime: now });
    await releaseUsedFiles(scope, `lesson:${lessonid}`);
  }
}

export const lessonHandlers = [getLessonList, insertLesson, updateLesson, sortLessons, deleteLesson];
