import { expect, test } from 'vitest';
import * as course from '#features/classroom/course.contract.ts';
import * as person from '#features/content/person.contract.ts';
import * as file from '#features/file/file.contract.ts';
import { addContents } from '#testing/content/ownContents.ts';
import { mp3, mp4 } from '#testing/files/media.ts';
import { png } from '#testing/files/picture.ts';
import { addClass, signInPupil } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A course of 安澜心理 with three lessons of one video, on the shelf for everybody. */
async function startClassroom() {
  const server = await startServer();
  const fang = server.as('fang');
  const { courseid, lessonid, video, audio } = await addContents(server);
  const lessonids = [lessonid];
  for (const title of ['入睡', '醒来'])
    lessonids.push((await fang(course.insertLesson, { courseid, title, fileid: video, duration: 20 })).lessonid);
  await fang(course.updateCourse, { courseid, version: 1, audience: '03', status: 1 });
  const lessons = () => fang(course.getLessonList, { courseid });
  const upload = async (name: string) => (await fang(file.updateToOSS, { biztype: 'course' }, mp4(name))).fileid;
  return { server, fang, courseid, lessonids: lessonids as [number, number, number], video, audio, lessons, upload };
}

/** Pupils of 晨光中学 who learn a lesson; the first `finishing` of them to its end. */
async function learn(server: TestServer, lessonid: number, names: readonly string[], finishing: number) {
  const { pupils } = await addClass(server, { teamname: `初二${lessonid}班`, names });
  const calls = [];
  for (const [index, pupil] of pupils.entries()) {
    const call = await signInPupil(server, pupil);
    const to = index < finishing ? 20 : 5;
    await call(person.savePersonProgress, { lessonid, from: 0, to, position: to });
    calls.push(call);
  }
  return calls;
}

test('the learners of a lesson are counted from five on, and so are those who finished it', async () => {
  const { server, lessonids, lessons } = await startClassroom();
  await learn(server, lessonids[0], ['安一', '安二', '安三', '安四', '安五', '安六'], 5);
  await learn(server, lessonids[1], ['白一', '白二', '白三', '白四', '白五'], 4);
  await learn(server, lessonids[2], ['常一', '常二', '常三', '常四'], 4);
  expect((await lessons()).map(({ learners, finished }) => [learners, finished])).toEqual([
    [6, 5],
    [5, null],
    [null, null],
  ]);
});

test('another video begins the progress of its learners anew; another title keeps it', async () => {
  const { server, fang, courseid, lessonids, upload } = await startClassroom();
  const [lessonid] = lessonids;
  const [lin] = await learn(server, lessonid, ['林小雨'], 1);
  const progress = async () => (await lin?.(person.getPersonCourse, { courseid }))?.lessons[0];
  const { version } = await fang(course.updateLesson, { lessonid, version: 1, title: '睡眠从哪里来' });
  expect(await progress()).toMatchObject({ title: '睡眠从哪里来', finished: 1, watched: 20 });
  await fang(course.updateLesson, { lessonid, version, fileid: await upload('重录.mp4'), duration: 30 });
  expect(await progress()).toMatchObject({ finished: 0, watched: 0, position: 0, duration: 30 });
});

test('another video comes with its duration, and frees the one before', async () => {
  const { fang, lessonids, video, lessons, upload } = await startClassroom();
  const fileid = await upload('重录.mp4');
  for (const lessonid of lessonids) {
    const version = (await lessons()).find((lesson) => lesson.lessonid === lessonid)?.version ?? 0;
    const change = { lessonid, version, fileid };
    await expect(fang(course.updateLesson, change)).rejects.toMatchObject({ data: { field: 'duration' } });
    await expect(fang(file.deleteFile, { fileid: video })).rejects.toMatchObject({ code: 130003 });
    await fang(course.updateLesson, { ...change, duration: 20 });
  }
  await fang(file.deleteFile, { fileid: video });
  expect((await lessons()).map(({ filename }) => filename)).toEqual(['重录.mp4', '重录.mp4', '重录.mp4']);
});

test('the video of a lesson is an MP4 of the own institution for courses', async () => {
  const { server, fang, courseid, audio } = await startClassroom();
  const add = (fileid: string) => fang(course.insertLesson, { courseid, title: '新课', fileid, duration: 20 });
  const { fileid: foreign } = await server.as('super')(file.updateToOSS, { biztype: 'course' }, mp4('平台.mp4'));
  await expect(add(foreign)).rejects.toMatchObject({ code: 130001, data: { field: 'fileid' } });
  await expect(add(audio)).rejects.toMatchObject({ code: 130001, data: { field: 'fileid' } });
  const picture = { filename: '板书.png', mime: 'image/png', content: await png(20, 20) };
  const { fileid: image } = await fang(file.updateToOSS, { biztype: 'course' }, picture);
  await expect(add(image)).rejects.toMatchObject({ code: 160002, message: '这里需要MP4，“板书.png”不是' });
  await expect(fang(file.updateToOSS, { biztype: 'course' }, mp3('改名.mp4'))).rejects.toMatchObject({ code: 160002 });
});

test('a sorting that names every lesson once puts them in this order; a new lesson comes last', async () => {
  const { fang, courseid, lessonids, video, lessons } = await startClassroom();
  const [first, second, third] = lessonids;
  await fang(course.sortLessons, { courseid, lessonids: [third, first, second] });
  const { lessonid } = await fang(course.insertLesson, { courseid, title: '小结', fileid: video, duration: 20 });
  expect((await lessons()).map((lesson) => lesson.lessonid)).toEqual([third, first, second, lessonid]);
});

test('a sorting is refused when a colleague has added or deleted a lesson meanwhile, or when it names one twice', async () => {
  const { fang, courseid, lessonids, video, lessons } = await startClassroom();
  const [first, second, third] = lessonids;
  const sort = (ids: number[]) => fang(course.sortLessons, { courseid, lessonids: ids });
  const refused = { code: 120002, message: '课时已有变化，请刷新后再调整顺序' };
  await expect(sort([third, second])).rejects.toMatchObject(refused);
  await expect(sort([third, second, second])).rejects.toMatchObject(refused);
  await expect(sort([third, second, first, first])).rejects.toMatchObject(refused);
  await fang(course.deleteLesson, { lessonid: second });
  await expect(sort([third, second, first])).rejects.toMatchObject(refused);
  await fang(course.insertLesson, { courseid, title: '小结', fileid: video, duration: 20 });
  await expect(sort([third, first])).rejects.toMatchObject(refused);
  expect((await lessons()).map(({ title }) => title)).toEqual(['睡眠是怎么来的', '醒来', '小结']);
});

test('two sortings at once leave one of the two orders', async () => {
  const { fang, courseid, lessonids, lessons } = await startClassroom();
  const [first, second, third] = lessonids;
  const orders = [
    [third, second, first],
    [second, third, first],
  ];
  await Promise.all(orders.map((order) => fang(course.sortLessons, { courseid, lessonids: order })));
  expect(orders).toContainEqual((await lessons()).map(({ lessonid }) => lessonid));
});

test('a course on the shelf keeps its last lesson; off the shelf the lesson can go', async () => {
  const { fang, courseid, lessonids } = await startClassroom();
  const [first, second, third] = lessonids;
  await fang(course.deleteLesson, { lessonid: first });
  await fang(course.deleteLesson, { lessonid: second });
  await expect(fang(course.deleteLesson, { lessonid: third })).rejects.toMatchObject({
    code: 140001,
    message: '已上架的课程至少保留一个课时，请先下架课程',
  });
  const { version } = await fang(course.getCourse, { courseid });
  await fang(course.updateCourse, { courseid, version, status: 0 });
  await fang(course.deleteLesson, { lessonid: third });
  expect(await fang(course.getCourse, { courseid })).toMatchObject({ lessons: 0, duration: 0 });
});

test('of two colleagues who delete the last two lessons at once, one is refused', async () => {
  const { fang, lessonids, lessons } = await startClassroom();
  const [first, second, third] = lessonids;
  await fang(course.deleteLesson, { lessonid: first });
  const results = await Promise.allSettled([second, third].map((lessonid) => fang(course.deleteLesson, { lessonid })));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 140001 });
  expect(await lessons()).toHaveLength(1);
});

test('a course goes on the shelf or loses its last lesson, whichever comes first', async () => {
  const { fang, courseid, lessonids } = await startClassroom();
  const [first, second, third] = lessonids;
  const { version } = await fang(course.getCourse, { courseid });
  const { version: newest } = await fang(course.updateCourse, { courseid, version, status: 0 });
  await fang(course.deleteLesson, { lessonid: first });
  await fang(course.deleteLesson, { lessonid: second });
  await Promise.allSettled([
    fang(course.updateCourse, { courseid, version: newest, status: 1 }),
    fang(course.deleteLesson, { lessonid: third }),
  ]);
  const { status, lessons } = await fang(course.getCourse, { courseid });
  expect([status, lessons]).not.toEqual([1, 0]);
});

test('the learners of a deleted lesson are no longer noted', async () => {
  const { server, fang, lessonids } = await startClassroom();
  await learn(server, lessonids[0], ['林小雨'], 1);
  await fang(course.deleteLesson, { lessonid: lessonids[0] });
  expect(await server.sqlAsOwner('select 1 from lessonprogress')).toEqual([]);
});
