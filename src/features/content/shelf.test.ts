import { expect, test } from 'vitest';
import * as content from '#features/content/content.contract.ts';
import * as person from '#features/content/person.contract.ts';
import { aContentFile, aCourse, aMusic, anArticle } from '#testing/content/contents.ts';
import { addClass, signInPupil } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** 林小雨 of 晨光中学, signed in on her page. */
async function startSchool(names: readonly string[] = ['林小雨']) {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names });
  const calls = [];
  for (const pupil of pupils) calls.push(await signInPupil(server, pupil));
  return { server, pupils, calls, lin: calls[0] as (typeof calls)[number] };
}
const titlesOf = ({ rows }: { rows: readonly { title: string }[] }) => rows.map(({ title }) => title);
/** Moves the clock; within a test a lesson plays in no time otherwise. */
const pass = ({ clock }: TestServer, seconds: number) => {
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
};

test('a person finds the own institution’s articles first, then pinned ones, then the latest', async () => {
  const { server, lin } = await startSchool();
  await anArticle(server, { title: '旧文', publishtime: '2025-10-01T02:00:00Z' });
  await anArticle(server, { title: '新文' });
  await anArticle(server, { title: '置顶', publishtime: '2025-09-01T02:00:00Z', istop: 1 });
  await anArticle(server, { title: '本校', publishtime: '2025-08-01T02:00:00Z', musercode: 'M_CHENGUANG' });
  await anArticle(server, { title: '平台', publishtime: '2025-08-02T02:00:00Z', musercode: 'AS000001' });
  const list = await lin(person.getPersonArticles, {});
  expect(titlesOf(list)).toEqual(['本校', '置顶', '新文', '旧文', '平台']);
  expect(list.total).toBe(5);
  expect(list.rows[0]).toMatchObject({ publishtime: '2025-08-01 10:00', coverurl: '' });
  const second = await lin(person.getPersonArticles, { page: 2, pageSize: 2 });
  expect(titlesOf(second)).toEqual(['新文', '旧文']);
  expect(titlesOf(await lin(person.getPersonArticles, { keyword: '新' }))).toEqual(['新文']);
  expect(titlesOf(await lin(person.getPersonArticles, { category: '02' }))).toEqual([]);
});

test('opening an article counts once and gives its cover a link', async () => {
  const { server, lin } = await startSchool();
  const coverfileid = await aContentFile(server, { mime: 'image/png', biztype: 'article' });
  const articleid = await anArticle(server, { coverfileid, source: '校报' });
  const opened = await lin(person.getPersonArticle, { articleid });
  expect(opened).toMatchObject({ title: '考前如何安睡', source: '校报' });
  expect(opened.coverurl).toMatch(/^\/files\?k=/);
  await server.as('wang')(content.getShelfArticle, { articleid });
  const [row] = await server.sqlAsOwner('select viewcount, version from article');
  expect(row).toEqual({ viewcount: 2, version: 1 });
});

test('a class teacher reads the covers of contents that colleagues uploaded', async () => {
  const { server } = await startSchool();
  await anArticle(server, { coverfileid: await aContentFile(server, { mime: 'image/png', biztype: 'article' }) });
  const { rows } = await server.as('wang')(content.getShelfArticles, {});
  expect(rows[0]?.coverurl).toMatch(/^\/files\?k=/);
});

test('staff of a school see contents for its populations, a provider sees all', async () => {
  const { server } = await startSchool();
  await anArticle(server, { title: '孕期', appids: ['000000001'] });
  await anArticle(server, { title: '学生', appids: ['000000001', '000000002'] });
  await anArticle(server, { title: '受测者', audience: '01' });
  expect(titlesOf(await server.as('chen')(content.getShelfArticles, {}))).toEqual(['学生']);
  expect(titlesOf(await server.as('fang')(content.getShelfArticles, {}))).toEqual(['学生', '孕期']);
});

test('music of the provider plays at a school with a link for four hours; renewing the link counts no playing', async () => {
  const { server, lin } = await startSchool();
  const musicid = await aMusic(server);
  expect(await lin(person.getPersonMusic, { category: '01' })).toMatchObject({ total: 1, rows: [{ musicid, licence: '自制' }] });
  const link = await lin(person.getPersonMedia, { kind: 'music', id: musicid });
  expect(link).toMatchObject({ mime: 'audio/mpeg', validuntil: '2025-10-08 14:00:00' });
  await lin(person.getPersonMedia, { kind: 'music', id: musicid, isbegin: 0 });
  await server.as('chen')(content.getShelfMedia, { kind: 'music', id: musicid });
  expect(await server.sqlAsOwner('select playcount from music')).toEqual([{ playcount: 2 }]);
});

test('a course that is not free opens its trial lessons, and all with access until its last day', async () => {
  const { server, lin } = await startSchool();
  const { courseid, lessonids } = await aCourse(server, { free: 0, price: 9900, lessons: [{ trial: 1 }, {}] });
  const [trial, locked] = lessonids as [number, number];
  const watch = (id: number) => lin(person.getPersonMedia, { kind: 'lesson', id });
  expect((await lin(person.getPersonCourses, {})).rows).toMatchObject([{ courseid, locked: 1, lessons: 2, duration: 200 }]);
  expect((await lin(person.getPersonCourse, { courseid })).lessons.map((lesson) => lesson.locked)).toEqual([0, 1]);
  await watch(trial);
  await expect(watch(locked)).rejects.toMatchObject({ code: 110004 });
  await expect(lin(person.savePersonProgress, { lessonid: locked, from: 0, to: 15, position: 15 })).rejects.toMatchObject({
    code: 110004,
  });
  const giveAccess = (musercode: string, enddate: string) =>
    server.sqlAsOwner('insert into courseaccess (musercode, courseid, enddate) values ($1, $2, $3)', [
      musercode,
      courseid,
      enddate,
    ]);
  await giveAccess('M_CHENGUANG', '2025-10-07');
  await giveAccess('M_DONGSHAN', '2026-10-07');
  await expect(watch(locked)).rejects.toMatchObject({ code: 110004 });
  await giveAccess('M_CHENGUANG', '2025-10-08');
  await watch(locked);
  expect((await lin(person.getPersonCourse, { courseid })).course).toMatchObject({ locked: 0, price: 9900 });
});

test('a learner comes back to the same second and finishes at 90 %, whatever is sent twice or late', async () => {
  const { server, lin } = await startSchool();
  const { courseid, lessonids } = await aCourse(server);
  const lessonid = lessonids[0] as number;
  const note = (from: number, to: number) => lin(person.savePersonProgress, { lessonid, from, to, position: to });
  await lin(person.getPersonMedia, { kind: 'lesson', id: lessonid });
  pass(server, 60);
  expect(await note(30, 60)).toEqual({ watched: 30, finished: 0 });
  expect(await note(0, 30)).toEqual({ watched: 60, finished: 0 });
  expect(await note(0, 30)).toEqual({ watched: 60, finished: 0 });
  expect(await note(55, 89)).toEqual({ watched: 89, finished: 0 });
  expect((await lin(person.getPersonCourse, { courseid })).lessons).toMatchObject([{ position: 89, watched: 89, finished: 0 }]);
  expect(await note(89, 500)).toEqual({ watched: 100, finished: 1 });
  expect(await note(10, 12)).toEqual({ watched: 100, finished: 1 });
  const { course, lessons } = await lin(person.getPersonCourse, { courseid });
  expect(course).toMatchObject({ finished: 1 });
  expect(lessons).toMatchObject([{ position: 12, watched: 100, finished: 1 }]);
});

test('nobody can have watched more than double speed allows since the lesson was begun', async () => {
  const { server, lin } = await startSchool();
  const { lessonids } = await aCourse(server, { lessons: [{ duration: 3600 }] });
  const note = (from: number, to: number) =>
    lin(person.savePersonProgress, { lessonid: lessonids[0] as number, from, to, position: to });
  expect(await note(0, 3600)).toEqual({ watched: 30, finished: 0 });
  expect(await note(0, 3600)).toEqual({ watched: 30, finished: 0 });
  pass(server, 15);
  expect(await note(30, 3600)).toEqual({ watched: 60, finished: 0 });
});

test('two devices that send at once lose no second', async () => {
  const { server, lin } = await startSchool();
  const { lessonids } = await aCourse(server);
  const lessonid = lessonids[0] as number;
  await lin(person.getPersonMedia, { kind: 'lesson', id: lessonid });
  pass(server, 60);
  const starts = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90];
  await Promise.all(starts.map((from) => lin(person.savePersonProgress, { lessonid, from, to: from + 10, position: from + 10 })));
  expect(await lin(person.savePersonProgress, { lessonid, from: 0, to: 0, position: 0 })).toEqual({ watched: 100, finished: 1 });
});

test('a person finds the hotlines to call now', async () => {
  const { lin } = await startSchool();
  const lines = await lin(person.getPersonHotline, {});
  expect(lines.map(({ phone }) => phone)).toEqual(expect.arrayContaining(['12356', '120', '110']));
});
