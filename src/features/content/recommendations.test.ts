import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ReportContent } from '#domain/report/report.content.ts';
import { contentsOf, PERSON_OFFER } from '#domain/report/recommended/contents.ts';
import { sentencesOf } from '#domain/report/report.content.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import * as report from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as staffExam from '#features/staffexam/staffexam.contract.ts';
import { aCourse, aMusic, anArticle } from '#testing/content/contents.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const levels = [0, 1, 2];
const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const moderate = { PHQ9: '1 1 2 2 2 1 1 1 0 1', GAD7: '0 0 0 0 0 0 0' };
const grave = { PHQ9: '3 3 3 3 2 2 1 1 0 1', GAD7: '0 0 0 0 0 0 0' };
const selfHarm = { PHQ9: '0 0 0 0 0 0 0 0 1 0', GAD7: '0 0 0 0 0 0 0' };

/** A school whose provider offers articles, music and a course; the school has one article of its own. */
async function startSchool() {
  const server = await startServer();
  const own = await anArticle(server, {
    title: '心理辅导室开放时间',
    musercode: 'M_CHENGUANG',
    levels,
    publishtime: '2025-09-01T00:00:00Z',
  });
  const pinned = await anArticle(server, { title: '置顶', levels, istop: 1, publishtime: '2025-09-02T00:00:00Z' });
  const latest = await anArticle(server, { title: '新文', levels: [0, 1, 2], publishtime: '2025-10-07T00:00:00Z' });
  await anArticle(server, { title: '旧文', levels, publishtime: '2025-09-03T00:00:00Z' });
  // Contents that no report of this pupil recommends.
  await anArticle(server, { title: '不推荐' });
  await anArticle(server, { title: '孕期', levels, appids: ['000000001'] });
  await anArticle(server, { title: '给老师', levels, audience: '02' });
  await anArticle(server, { title: '以后', levels, publishtime: '2025-12-01T00:00:00Z' });
  await anArticle(server, { title: '草稿', levels, status: 0, publishtime: null });
  await anArticle(server, { title: '邻校', levels, musercode: 'M_DONGSHAN' });
  const music = await aMusic(server, { title: '雨声', levels });
  const { courseid } = await aCourse(server, { title: '情绪课', levels });
  await aCourse(server, { title: '付费课', levels, free: 0, createtime: '2026-01-01T00:00:00Z' });
  return { server, own, pinned, latest, music, courseid };
}

const linesOf = (content: unknown) =>
  sentencesOf(content as ReportContent)
    .filter(({ commentids: [rule] }) => rule === 'SG_CONTENT')
    .map(({ text }) => text);
const textOf = (content: unknown) =>
  sentencesOf(content as ReportContent)
    .map(({ text }) => text)
    .join('\n');

/** The report of a sheet as staff and as the person read it. */
async function readReport(server: TestServer, examcode: string, token: string) {
  const own = server.withToken(token);
  const { report: row, staff } = await server.as('chen')(report.getCUserReport, { examcode });
  const { reportcode } = row;
  await server.as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 });
  const self = await own(respond.getOwnReport, { reportcode });
  return { staff, self: self.content };
}
async function answer(server: TestServer, forms: Record<string, string>) {
  const { examcode, token } = await takeExam(server, await addStudent(server), forms);
  return { examcode, token, ...(await readReport(server, examcode, token)) };
}

test.each([
  ['0', calm],
  ['2', moderate],
])(
  'a report of level %s recommends the own article first, then the pinned and the newest one, with music and a course',
  async (_, forms) => {
    const { server, own, pinned, latest, music, courseid } = await startSchool();
    const { staff, self } = await answer(server, forms);
    const lines = ['文章：心理辅导室开放时间', '文章：置顶', '文章：新文', '音乐：雨声', '课程：情绪课'];
    expect(linesOf(staff)).toEqual(lines);
    expect(linesOf(self)).toEqual(lines);
    expect(contentsOf(self as ReportContent)).toEqual([
      ...[own, pinned, latest].map((id) => ({ kind: 'article', id })),
      { kind: 'music', id: music },
      { kind: 'course', id: courseid },
    ]);
  },
);

test.each([
  ['of level 3', grave],
  ['after an alert', selfHarm],
  ['of an invalid sheet', { PHQ9: '3 3 3 3 3 3 3 3 0 3', GAD7: '3 3 3 3 3 3 3' }],
])('a report %s recommends nothing and offers a person', async (title, forms) => {
  const { server } = await startSchool();
  const student = await addStudent(server);
  const { examcode, token } = await takeExam(server, student, forms);
  if (title === 'of an invalid sheet')
    await server.sqlAsOwner("update examrecord set valid = 0, invalidreason = '规律作答' where examcode = $1", [examcode]);
  const { staff, self } = await readReport(server, examcode, token);
  expect(linesOf(staff)).toEqual([]);
  expect(linesOf(self)).toEqual([]);
  expect(textOf(self)).toContain(PERSON_OFFER);
});

test('a report keeps the titles of its hand-in, and links only what is still on the shelf', async () => {
  const { server, own, pinned } = await startSchool();
  const { examcode, token } = await answer(server, calm);
  await server.sqlAsOwner("update article set title = '改过的标题' where articleid = $1", [own]);
  await server.sqlAsOwner('update article set status = 2 where articleid = $1', [pinned]);
  await anArticle(server, { title: '后来的文章', levels, musercode: 'M_CHENGUANG', istop: 1 });
  const { self } = await readReport(server, examcode, token);
  expect(linesOf(self).slice(0, 3)).toEqual(['文章：心理辅导室开放时间', '文章：置顶', '文章：新文']);
  const links = contentsOf(self as ReportContent);
  expect(links).toContainEqual({ kind: 'article', id: own });
  expect(links).not.toContainEqual({ kind: 'article', id: pinned });
});

test('an alert in answers that come after the hand-in takes the contents away and offers a person', async () => {
  const { server } = await startSchool();
  const { examcode, token, self } = await answer(server, calm);
  expect(linesOf(self)).toHaveLength(5);
  const [form] = await server.sqlAsOwner<{ examformid: number }>(
    "select examformid::int as examformid from examform where examcode = $1 and formcode = 'PHQ9'",
    [examcode],
  );
  const late = { examformid: form?.examformid as number, c: 'q9', value: '2', clientseq: 99 };
  await expect(server.withToken(token)(respond.saveAnswer, { examcode, answers: [late] })).rejects.toMatchObject({
    code: 150004,
  });
  const now = await readReport(server, examcode, token);
  expect(linesOf(now.staff)).toEqual([]);
  expect(linesOf(now.self)).toEqual([]);
  expect(textOf(now.self)).toContain(PERSON_OFFER);
});

test('a sheet that staff type in gets recommendations too', async () => {
  const { server } = await startSchool();
  const { cuserid } = await addStudent(server);
  const call = server.as('chen');
  const { examcode } = await call(staffExam.insertStaffExam, { cuserid, way: '01', formcode: 'TEACHOBS' });
  const answers = Object.fromEntries((scaleOf('TEACHOBS')?.items ?? []).map(({ c }) => [c, '0']));
  const sheets = [{ formcode: 'TEACHOBS', answers }];
  await call(staffExam.submitStaffExam, { examcode, submitkey: randomUUID(), testdate: '2025-10-08', sheets } as never);
  // The report waits for the consent of the pupil, so staff cannot read it yet.
  expect(
    await server.sqlAsOwner("select jsonb_array_length(basis->'contents') as n from report where examcode = $1", [examcode]),
  ).toEqual([{ n: 5 }]);
});
