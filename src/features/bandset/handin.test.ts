import { expect, test } from 'vitest';
import * as band from '#features/bandset/bandset.contract.ts';
import { getOwnReport } from '#features/respond/respond.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import type { Person } from '#testing/people.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const row = (minscore: number, maxscore: number, level: number, levelname: string, more = {}) => ({
  minscore,
  maxscore,
  level,
  levelname,
  ...more,
});
/** 8 and 9 count as moderate; the definition begins at 10. */
const strict = (words: string) => [
  row(0, 4, 0, '平稳'),
  row(5, 7, 1, '轻'),
  row(8, 14, 2, words, {
    comment: `${words}：这段时间您可能比较累。\n可以和老师聊聊。`,
    staffcomment: `${words}，请在两周内面谈。`,
    suggestion: '本校：周三下午心理中心开放。',
  }),
  row(15, 19, 3, '较重'),
  row(20, 27, 4, '很重'),
];
/** Saves the bands of PHQ-9 and switches them on. */
async function switchOn({ as }: TestServer, who: Person, words: string, more = {}) {
  const { optionid } = await as(who)(band.insertQuotaFormOption, { quotacode: 'PHQ9.total', options: strict(words), ...more });
  await as(who)(band.updateQuotaFormOption, { optionid, enabled: 1 });
  return optionid;
}
const eight = { PHQ9: '1 1 1 1 1 1 1 1 0' };
/** The results of a sheet as they are stored. */
const resultOf = async ({ sqlAsOwner }: TestServer, examcode: string) =>
  (
    await sqlAsOwner<{ level: number; deflevel: number; levelname: string; overalllevel: number; bandsets: unknown }>(
      `select r.level, r.deflevel, r.levelname, e.overalllevel, x.bandsets
       from examresult r join examform x using (examformid) join examrecord e on e.examcode = r.examcode
       where r.examcode = $1 and r.quotacode = 'PHQ9.total'`,
      [examcode],
    )
  )[0];
const staffReport = async ({ as }: TestServer, examcode: string) =>
  JSON.stringify((await as('chen')(getCUserReport, { examcode })) as unknown);

test('a sheet keeps the level, the name and the texts of the bands that were in force when it was handed in', async () => {
  const server = await startServer();
  const optionid = await switchOn(server, 'chen', '需要关注', { appid: '000000002' });
  const lin = await addStudent(server);
  const first = await takeExam(server, lin, eight);
  expect(await resultOf(server, first.examcode)).toMatchObject({
    level: 2,
    deflevel: 1,
    levelname: '需要关注',
    overalllevel: 2,
    bandsets: { total: [expect.any(Number)] },
  });
  // The set changes before anybody reads the report, and is switched off later.
  await server.as('chen')(band.updateQuotaFormOption, {
    optionid: optionid + 2,
    levelname: '多陪伴',
    staffcomment: '新的评语。',
  });
  await server.as('chen')(band.updateQuotaFormOption, { optionid, enabled: 1 });
  const report = await staffReport(server, first.examcode);
  expect(report).toContain('需要关注，请在两周内面谈。');
  expect(report).toContain('需要关注');
  expect(report).not.toContain('多陪伴');
  const zhang = await addStudent(server, { username: '张小北', studentno: '20230302' });
  const second = await takeExam(server, zhang, eight);
  expect(await resultOf(server, second.examcode)).toMatchObject({ level: 2, levelname: '多陪伴' });
  await server.as('chen')(band.updateQuotaFormOption, { optionid, enabled: 0 });
  const wu = await addStudent(server, { username: '吴桐', studentno: '20230303' });
  const third = await takeExam(server, wu, eight);
  expect(await resultOf(server, third.examcode)).toMatchObject({ level: 1, deflevel: 1, overalllevel: 1, bandsets: null });
  expect(await resultOf(server, first.examcode)).toMatchObject({ level: 2, levelname: '需要关注' });
  expect(await staffReport(server, first.examcode)).toContain('需要关注，请在两周内面谈。');
});

test('the comment of a band stands in the person’s own report, line by line, and its suggestion among the suggestions', async () => {
  const server = await startServer();
  await switchOn(server, 'chen', '需要关注');
  const lin = await addStudent(server);
  const { examcode, token } = await takeExam(server, lin, eight);
  const [report] = await server.sqlAsOwner<{ reportcode: string }>(
    'update report set isshow = 1 where examcode = $1 returning reportcode',
    [examcode],
  );
  const self = JSON.stringify(await server.withToken(token)(getOwnReport, { reportcode: report?.reportcode as string }));
  expect(self).toContain('这段时间你可能比较累。');
  expect(self).toContain('可以和老师聊聊。');
  expect(self).toContain('本校：周三下午心理中心开放。');
  expect(self).not.toContain('请在两周内面谈');
});

test('the bands of a provider judge the sheets of its schools; those of one school do not judge another', async () => {
  const server = await startServer();
  await switchOn(server, 'fang', '服务商关注');
  await switchOn(server, 'qiao', '东山关注');
  const lin = await addStudent(server);
  const { examcode } = await takeExam(server, lin, eight);
  expect(await resultOf(server, examcode)).toMatchObject({ level: 2, deflevel: 1, levelname: '服务商关注' });
});

test('bands for boys do not judge a girl, and bands for pupils up to 12 do not judge one of 15', async () => {
  const server = await startServer();
  await switchOn(server, 'chen', '男生', { gender: '01' });
  await switchOn(server, 'chen', '小学', { agemax: 12 });
  const lin = await addStudent(server);
  const { examcode } = await takeExam(server, lin, eight);
  expect(await resultOf(server, examcode)).toMatchObject({ level: 1, bandsets: null });
});

test('the school’s figures read the level in force, a provider’s figures over several schools the level of the definition', async () => {
  const server = await startServer();
  await switchOn(server, 'chen', '需要关注');
  const lin = await addStudent(server);
  await takeExam(server, lin, eight);
  const range = { begindate: '2025-10-01', enddate: '2025-10-31' };
  expect(await server.as('chen')(statistics.getAssessAbnormalCount, range)).toMatchObject({
    abnormal: 1,
    levels: [0, 0, 1, 0, 0],
  });
  expect(await server.as('fang')(statistics.getAssessAbnormalCount, range)).toMatchObject({
    abnormal: 0,
    levels: [0, 1, 0, 0, 0],
  });
  const levelsOf = async (who: Person) =>
    statistics.toOwnFigures(await server.as(who)(statistics.getDepressedQuotaCountRatio, range)).items.map(({ count }) => count);
  expect(await levelsOf('chen')).toEqual([0, 0, 1, 0, 0]);
  expect(await levelsOf('fang')).toEqual([0, 1, 0, 0, 0]);
});
