import { expect, test } from 'vitest';
import * as content from '#features/content/content.contract.ts';
import { aCourse, aMusic, anArticle } from '#testing/content/contents.ts';
import { startServer } from '#testing/server.ts';

test('an article, music and a lesson that 王老师 opened leave no audit row', async () => {
  const server = await startServer();
  const articleid = await anArticle(server);
  const musicid = await aMusic(server);
  const { courseid, lessonids } = await aCourse(server);
  const lessonid = lessonids[0] as number;
  const wang = server.as('wang');
  await wang(content.getShelfArticles, {});
  await wang(content.getShelfArticle, { articleid });
  await wang(content.getShelfMusic, {});
  await wang(content.getShelfMedia, { kind: 'music', id: musicid });
  await wang(content.getShelfCourses, {});
  await wang(content.getShelfCourse, { courseid });
  await wang(content.getShelfMedia, { kind: 'lesson', id: lessonid });
  await wang(content.saveShelfProgress, { lessonid, from: 0, to: 15, position: 15 });
  expect(await server.sqlAsOwner("select action from audit.log where action like '%.content.%'")).toEqual([]);
});

test('the progress of a lesson is the only row that knows a learner, and no other account reads it', async () => {
  const server = await startServer();
  const { courseid, lessonids } = await aCourse(server);
  const lessonid = lessonids[0] as number;
  await server.as('wang')(content.saveShelfProgress, { lessonid, from: 0, to: 15, position: 15 });
  const open = async (who: 'wang' | 'chen' | 'fang' | 'lu') =>
    (await server.as(who)(content.getShelfCourse, { courseid })).lessons.map(({ position }) => position);
  expect(await open('wang')).toEqual([15]);
  for (const who of ['chen', 'fang', 'lu'] as const) expect(await open(who)).toEqual([0]);
});
