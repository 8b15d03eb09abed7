import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/classroom/course.contract.ts';
import * as queries from '#features/classroom/course.queries.ts';
import { deleteLessonsOf, lessonHandlers } from '#features/classroom/lesson.server.ts';
import {
  findContentLinks,
  releaseUsedFiles,
  requireFiles,
  setUsedFiles,
  type ContentLink,
  type UsedFile,
} from '#features/file/content/contentFiles.ts';

/** 云课堂. An institution edits its own courses; what others above and below it own does not appear here. */

const toRow = (row: queries.FoundCourse, links: ReadonlyMap<string, ContentLink>) => ({
  ...row,
  coverurl: links.get(row.coverfileid ?? '')?.url ?? '',
  audience: row.audience as contract.CourseRow['audience'],
  status: row.status === 1 ? (1 as const) : (0 as const),
  updatetime: shanghaiTime(row.updatetime),
});

const getCoursePageList = handle(contract.getCoursePageList, async (filters, ctx) => {
  const { total, rows } = await queries.findCourses(ctx.scope, ctx.caller.musercode, filters);
  const links = await findContentLinks(
    ctx,
    rows.map(({ coverfileid }) => coverfileid),
  );
  return { total, rows: rows.map((row) => toRow(row, links)) };
});

const getCourse = handle(contract.getCourse, async ({ courseid }, ctx) => {
  const row = await queries.findCourse(ctx.scope, ctx.caller.musercode, courseid);
  if (!row) throw problems.notFound({ what: '课程' });
  return toRow(row, await findContentLinks(ctx, [row.coverfileid]));
});

/** The cover of a course as a list of used files. */
const coverOf = (coverfileid: string | null | undefined): UsedFile[] =>
  coverfileid ? [{ fileid: coverfileid, field: 'coverfileid', group: 'image' }] : [];

const noLesson = () => problems.wrongState({ why: '课程还没有课时，添加课时后再上架' }, { field: 'status' });

const insertCourse = handle(contract.insertCourse, async (fields, ctx) => {
  const { scope, caller, now } = ctx;
  if (fields.status === 1) throw noLesson();
  const cover = coverOf(fields.coverfileid);
  await requireFiles(ctx, 'course', cover);
  const courseid = await queries.addCourse(scope, {
    ...fields,
    musercode: caller.musercode,
    createby: caller.accountid,
    createtime: now,
    updatetime: now,
  });
  await setUsedFiles(ctx, `course:${courseid}`, 'course', cover);
  ctx.audit({ objectid: String(courseid), detail: { title: fields.title } });
  return { courseid };
});

const updateCourse = handle(contract.updateCourse, async ({ courseid, version: _, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.lockCourse(scope, caller.musercode, courseid);
  if (!before) throw problems.notFound({ what: '课程' });
  if (fields.status === 1) {
    const course = await queries.findCourse(scope, caller.musercode, courseid);
    if (course?.lessons === 0) throw noLesson();
  }
  if (fields.coverfileid !== undefined) await setUsedFiles(ctx, `course:${courseid}`, 'course', coverOf(fields.coverfileid));
  await queries.changeCourse(scope, courseid, { ...fields, updatetime: now });
  ctx.audit({ objectid: String(courseid), detail: { title: fields.title ?? before.title } });
  return {};
});

const deleteCourse = handle(contract.deleteCourse, async ({ courseid }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.lockCourse(scope, caller.musercode, courseid);
  if (!before) throw problems.notFound({ what: '课程' });
  if (before.status === 1) throw problems.wrongState({ why: '已上架的课程不能删除，请先下架' });
  const buyers = await queries.countBuyers(scope, courseid);
  if (buyers > 0) throw problems.inUse({ why: `有 ${buyers} 家机构选购了这门课程，不能删除；不再提供时请保持下架` });
  await deleteLessonsOf(ctx, courseid);
  await queries.changeCourse(scope, courseid, { isdeleted: 1, updatetime: now });
  await releaseUsedFiles(scope, `course:${courseid}`);
  ctx.audit({ objectid: String(courseid), detail: { title: before.title } });
  return {};
});

export const classroomHandlers = [getCoursePageList, getCourse, insertCourse, updateCourse, deleteCourse, ...lessonHandlers];
