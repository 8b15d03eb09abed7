import { expect, test } from 'vitest';
import * as course from '#features/classroom/course.contract.ts';
import { getShelfCourses } from '#features/content/content.contract.ts';
import * as file from '#features/file/file.contract.ts';
import { addContents } from '#testing/content/ownContents.ts';
import { mp4 } from '#testing/files/media.ts';
import { png } from '#testing/files/picture.ts';
import { sharedServer, startServer } from '#testing/server.ts';

const server = sharedServer();
/** A course of 安澜心理 with so many lessons of one video. */
async function addCourse(lessons: number, fields: object = {}) {
  const fang = server().as('fang');
  const { courseid } = await fang(course.insertCourse, { title: '正念入门', audience: '03', ...fields });
  const { fileid: video } = await fang(file.updateToOSS, { biztype: 'course' }, mp4('正念.mp4'));
  const lessonids: number[] = [];
  for (let number = 1; number <= lessons; number++) {
    const { lessonid } = await fang(course.insertLesson, { courseid, title: `第 ${number} 课`, fileid: video, duration: 20 });
    lessonids.push(lessonid);
  }
  return { courseid, lessonids, video };
}
/** Puts a course on the shelf. */
const show = (courseid: number) => server().as('fang')(course.updateCourse, { courseid, version: 1, status: 1 });

test('a course goes on the shelf only with a lesson', async () => {
  const fang = server().as('fang');
  const insert = fang(course.insertCourse, { title: '空课', status: 1 });
  await expect(insert).rejects.toMatchObject({ code: 140001, data: { field: 'status' } });
  const { courseid } = await addCourse(0, { title: '空课' });
  await expect(show(courseid)).rejects.toMatchObject({ code: 140001, message: '课程还没有课时，添加课时后再上架' });
  const { fileid } = await fang(file.updateToOSS, { biztype: 'course' }, mp4('一.mp4'));
  await fang(course.insertLesson, { courseid, title: '一', fileid, duration: 20 });
  await show(courseid);
  expect(await fang(course.getCourse, { courseid })).toMatchObject({ status: 1, lessons: 1, duration: 20 });
});

test('a school finds a course while it is on the shelf', async () => {
  const { courseid } = await addCourse(1, { title: '亲子沟通' });
  const find = async () => (await server().as('chen')(getShelfCourses, {})).rows.some(({ title }) => title === '亲子沟通');
  expect(await find()).toBe(false);
  const { version } = await show(courseid);
  expect(await find()).toBe(true);
  await server().as('fang')(course.updateCourse, { courseid, version, status: 0 });
  expect(await find()).toBe(false);
});

test('a price is stored in 分, and the change of one field keeps the others', async () => {
  const fang = server().as('fang');
  const { courseid } = await addCourse(0, { free: 0, price: 9990, lecturer: '方敏', levels: [1, 2] });
  await fang(course.updateCourse, { courseid, version: 1, intro: '三节课' });
  expect(await fang(course.getCourse, { courseid })).toMatchObject({
    free: 0,
    price: 9990,
    lecturer: '方敏',
    levels: [1, 2],
    intro: '三节课',
  });
});

test('a course on the shelf is deleted only after it is taken off; its lessons go with it and free their videos', async () => {
  const fang = server().as('fang');
  const { courseid, lessonids, video } = await addCourse(2);
  const { version } = await show(courseid);
  await expect(fang(course.deleteCourse, { courseid })).rejects.toMatchObject({ code: 140001, message: /请先下架/ });
  await expect(fang(file.deleteFile, { fileid: video })).rejects.toMatchObject({ code: 130003 });
  await fang(course.updateCourse, { courseid, version, status: 0 });
  await fang(course.deleteCourse, { courseid });
  await expect(fang(course.getCourse, { courseid })).rejects.toMatchObject({ code: 130001 });
  await expect(fang(course.getLessonList, { courseid })).rejects.toMatchObject({ code: 130001 });
  await expect(fang(course.deleteLesson, { lessonid: lessonids[0] as number })).rejects.toMatchObject({ code: 130001 });
  await fang(file.deleteFile, { fileid: video });
});

test('a course that institutions have bought is not deleted, also after their access has ended', async () => {
  const fang = server().as('fang');
  const { courseid } = await addCourse(1, { free: 0, price: 100 });
  const buy = (musercode: string) =>
    server().sqlAsOwner("insert into courseaccess (musercode, courseid, enddate) values ($1, $2, '2025-09-01')", [
      musercode,
      courseid,
    ]);
  await buy('M_CHENGUANG');
  await buy('M_CHENGUANG');
  await buy('M_DONGSHAN');
  await expect(fang(course.deleteCourse, { courseid })).rejects.toMatchObject({ code: 130003, message: /有 2 家机构选购了/ });
});

test('the cover of a course is a picture of the own institution for courses', async () => {
  const fang = server().as('fang');
  const { fileid: video } = await fang(file.updateToOSS, { biztype: 'course' }, mp4('不是封面.mp4'));
  const add = (coverfileid: string) => fang(course.insertCourse, { title: '有封面', coverfileid });
  await expect(add(video)).rejects.toMatchObject({ code: 160002, data: { field: 'coverfileid' } });
  const picture = { filename: '封面.png', mime: 'image/png', content: await png(20, 20) };
  const { fileid: foreign } = await server().as('super')(file.updateToOSS, { biztype: 'course' }, picture);
  await expect(add(foreign)).rejects.toMatchObject({ code: 130001, data: { field: 'coverfileid' } });
  const { fileid: own } = await fang(file.updateToOSS, { biztype: 'course' }, picture);
  const { courseid } = await add(own);
  expect((await fang(course.getCourse, { courseid })).coverurl).toMatch(/^\/files\?k=/);
  await expect(fang(file.deleteFile, { fileid: own })).rejects.toMatchObject({ code: 130003 });
});

test('the list is in the chosen order and finds courses by title and shelf', async () => {
  const own = await startServer();
  const fang = own.as('fang');
  const { courseid } = await addContents(own);
  await fang(course.insertCourse, { title: '第二门', ordernum: 2 });
  await fang(course.insertCourse, { title: '第一门', ordernum: 1 });
  await fang(course.updateCourse, { courseid, version: 1, status: 1 });
  const titles = async (request: object) => (await fang(course.getCoursePageList, request)).rows.map(({ title }) => title);
  expect(await titles({})).toEqual(['睡个好觉', '第一门', '第二门']);
  expect(await titles({ status: 1 })).toEqual(['睡个好觉']);
  expect(await titles({ keyword: '第', orderby: 'ordernum' })).toEqual(['第二门', '第一门']);
});

test('a provider and the platform edit only their own courses; schools, hospitals and authorities edit none', async () => {
  const own = await startServer();
  const { courseid, lessonid, video } = await addContents(own);
  const platform = own.as('super');
  expect((await platform(course.getCoursePageList, {})).total).toBe(0);
  const added = { courseid, title: '插入', fileid: video, duration: 20 };
  for (const attempt of [
    () => platform(course.getCourse, { courseid }),
    () => platform(course.getLessonList, { courseid }),
    () => platform(course.updateCourse, { courseid, version: 1, title: '改' }),
    () => platform(course.deleteCourse, { courseid }),
    () => platform(course.insertLesson, added),
    () => platform(course.updateLesson, { lessonid, version: 1, title: '改' }),
    () => platform(course.sortLessons, { courseid, lessonids: [lessonid] }),
    () => platform(course.deleteLesson, { lessonid }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 130001 });
  for (const who of ['ma', 'lin', 'zhou'] as const) {
    await expect(own.as(who)(course.getCoursePageList, {})).rejects.toMatchObject({ code: 110004 });
    await expect(own.as(who)(course.getLessonList, { courseid })).rejects.toMatchObject({ code: 110004 });
    await expect(own.as(who)(course.deleteLesson, { lessonid })).rejects.toMatchObject({ code: 110004 });
  }
});
