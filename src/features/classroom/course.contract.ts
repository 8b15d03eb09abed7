import { z } from 'zod';
import { ContentAudience } from '#domain/content/content.ts';
import { defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { appids, audience, levels } from '#features/article/article.contract.ts';

/**
 * 云课堂: courses of the platform or of a provider, with lessons of video. Institutions below learn free ones, and the others with a
 * courseaccess (`features/content`). Only numbers of learners are shown, from five on.
 */

const editors = forTypes(OPERATOR_TYPES, staffOf('operations.courses'));
const courseid = z.number().int().positive().describe('课程');
const lessonid = z.number().int().positive().describe('课时');
const status = z.union([z.literal(0), z.literal(1)]).describe('状态');

const fields = {
  title: z.string().trim().min(1, '请填写课程名称').max(80, '课程名称不超过 80 个字').describe('课程名称'),
  coverfileid: z.uuid().nullish().describe('封面'),
  lecturer: z.string().trim().max(40, '讲师不超过 40 个字').describe('讲师'),
  intro: z.string().trim().max(2000, '简介不超过 2000 个字').describe('简介'),
  audience,
  appids,
  levels,
  /** 分; only shown, goods sell a course */
  price: z.number().int().min(0).max(100_000_000, '价格不超过 1,000,000 元').describe('价格'),
  free: flag.describe('免费'),
  status,
  ordernum: z.number().int().min(0).max(9999, '顺序不超过 9999').describe('顺序'),
};

export const courseRow = z.object({
  courseid: z.number(),
  version: z.number(),
  title: z.string(),
  coverfileid: z.string().nullable(),
  coverurl: z.string(),
  lecturer: z.string(),
  intro: z.string(),
  audience: z.enum(ContentAudience.codes),
  appids: z.array(z.string()),
  levels: z.array(z.number()),
  price: z.number(),
  free: z.number(),
  status,
  lessons: z.number(),
  /** seconds of all lessons */
  duration: z.number(),
  viewcount: z.number(),
  ordernum: z.number(),
  updatetime: z.string(),
});
export type CourseRow = z.infer<typeof courseRow>;

/** A page of the institution's courses, by their order. */
export const getCoursePageList = defineAction({
  name: 'as.m.classroom.getCoursePageList',
  title: '查询课程',
  allow: editors,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('ordernum', 'updatetime', 'viewcount'),
    keyword: z.string().trim().max(80).optional().describe('课程名称'),
    status: z.coerce.number().pipe(status).optional().describe('状态'),
  }),
  response: pageOf(courseRow),
});

/** Returns one of the institution's courses. */
export const getCourse = defineAction({
  name: 'as.m.classroom.getCourse',
  title: '查看课程',
  allow: editors,
  kind: 'read',
  request: z.strictObject({ courseid }),
  response: courseRow,
});

/** Adds a course. It goes on the shelf once it has a lesson (140001). */
export const insertCourse = defineAction({
  name: 'as.m.classroom.insertCourse',
  title: '新增课程',
  allow: editors,
  kind: 'write',
  request: z.strictObject({
    ...fields,
    lecturer: fields.lecturer.default(''),
    intro: fields.intro.default(''),
    audience: audience.default('01'),
    appids: appids.default([]),
    levels: levels.default([]),
    price: fields.price.default(0),
    free: fields.free.default(1),
    status: status.default(0),
    ordernum: fields.ordernum.default(0),
  }),
  response: z.object({ courseid: z.number() }),
});

/** Changes a course, also whether it is on the shelf; without a lesson it cannot be (140001). */
export const updateCourse = defineAction({
  name: 'as.m.classroom.updateCourse',
  title: '修改课程',
  allow: editors,
  kind: 'write',
  edits: { table: 'course', key: 'courseid' },
  request: z.strictObject({ courseid, version: editVersion, ...z.object(fields).partial().shape }),
  response: z.object(newVersion),
});

/** Deletes a course that is not on the shelf (140001 otherwise), with its lessons. 130003 when institutions have bought it. */
export const deleteCourse = defineAction({
  name: 'as.m.classroom.deleteCourse',
  title: '删除课程',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ courseid }),
  response: z.object({}),
});

const lessonFields = {
  title: z.string().trim().min(1, '请填写课时名称').max(80, '课时名称不超过 80 个字').describe('课时名称'),
  fileid: z.uuid('请上传视频').describe('视频'),
  /** seconds, as the browser read them from the file */
  duration: z
    .number()
    .int()
    .min(1, '没有读到时长，请换一个文件')
    .max(6 * 3600, '视频不超过 6 小时')
    .describe('时长'),
  trial: flag.describe('试看'),
};

export const lessonRow = z.object({
  lessonid: z.number(),
  version: z.number(),
  title: z.string(),
  fileid: z.string(),
  filename: z.string(),
  /** bytes */
  size: z.number(),
  /** a link of the video, valid for four hours */
  url: z.string(),
  duration: z.number(),
  trial: z.number(),
  ordernum: z.number(),
  /** how many began and finished it; null for fewer than five */
  learners: z.number().nullable(),
  finished: z.number().nullable(),
});
export type LessonRow = z.infer<typeof lessonRow>;

/** The lessons of one of the institution's courses, in their order. */
export const getLessonList = defineAction({
  name: 'as.m.classroom.getLessonList',
  title: '查询课时',
  allow: editors,
  kind: 'read',
  request: z.strictObject({ courseid }),
  response: z.array(lessonRow),
});

/** Adds a lesson at the end of a course. */
export const insertLesson = defineAction({
  name: 'as.m.classroom.insertLesson',
  title: '新增课时',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ courseid, ...lessonFields, trial: lessonFields.trial.default(0) }),
  response: z.object({ lessonid: z.number() }),
});

/** Changes a lesson. Another video begins the progress of its learners anew. */
export const updateLesson = defineAction({
  name: 'as.m.classroom.updateLesson',
  title: '修改课时',
  allow: editors,
  kind: 'write',
  edits: { table: 'lesson', key: 'lessonid', together: [['fileid', 'duration']] },
  request: z.strictObject({ lessonid, version: editVersion, ...z.object(lessonFields).partial().shape }),
  response: z.object(newVersion),
});

/** Puts the lessons of a course in this order. 120002 unless it names each lesson once. */
export const sortLessons = defineAction({
  name: 'as.m.classroom.sortLessons',
  title: '调整课时顺序',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ courseid, lessonids: z.array(lessonid).max(200).describe('课时') }),
  response: z.object({}),
});

/** Deletes a lesson. A course on the shelf keeps its last one (140001). */
export const deleteLesson = defineAction({
  name: 'as.m.classroom.deleteLesson',
  title: '删除课时',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ lessonid }),
  response: z.object({}),
});
