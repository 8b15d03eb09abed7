import { expect, test } from 'vitest';
import { chartOfTrend } from '#blocks/trend/chartOfTrend.ts';
import { closeBands } from '#domain/chart/bands.ts';
import { chartOfLine } from '#domain/chart/chartOfLine.ts';
import type { TrendChart } from '#domain/chart/trendOption.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as trend from '#features/trend/trend.contract.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { startServer } from '#testing/server.ts';

/** PHQ-9 15 with item 9 at 1; GAD-7 8. */
const highScores = { PHQ9: '2 2 2 2 2 2 1 1 1 1', GAD7: '2 1 1 1 1 1 1' };
const day = 86_400_000;

async function withExam() {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, highScores);
  return { ...server, server, student };
}

test('the trend shows each exam on its bands, the care in between, the change and the next re-test', async () => {
  const { server, as, clock, sqlAsOwner, student } = await withExam();
  await sqlAsOwner(
    `insert into interfere (cuserid, musercode, kind, begintime, minutes, content)
     values ($1, 'M_CHENGUANG', '01', '2025-10-15T02:00:00Z', 40, '会谈')`,
    [student.cuserid],
  );
  clock.now = new Date(clock.now.getTime() + 28 * day);
  await takeExam(server, student, { PHQ9: '1 1 1 1 1 1 1 0 0 0' });
  const scores = await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid });
  expect(scores.points.map(({ score, level, ring }) => [score, level, ring])).toEqual([
    [15, 3, 1],
    [7, 1, 0],
  ]);
  expect(scores.change).toMatchObject({
    from: 15,
    to: 7,
    delta: -8,
    direction: 'down',
    meaning: 'better',
    reliablechange: 1,
    label: '下降',
    changetext: '达到有临床意义的最小变化（MCID 5分，Löwe 2004）',
    values: [{ kind: 'MCID', points: 5, isreached: 1, source: 'Löwe 2004' }],
  });
  expect(scores.bands.map(([min, max]) => [min, max])).toEqual([
    [0, 4],
    [5, 9],
    [10, 14],
    [15, 19],
    [20, 27],
  ]);
  expect(scores.items).toHaveLength(9);
  expect(scores.items[0]?.values).toEqual([2, 1]);
  expect(scores.events).toEqual([{ time: '2025-10-15 10:00:00', label: '心理辅导' }]);
  expect(scores.nextretest).toBe('2025-12-03');
  expect(scores.recall).toBe('过去两周');
  expect(scores.cutoffnote).toContain('界值来自成人研究。PHQ-9≥15（台北中学生，Tsai 2014）');
  expect(scores.cuser.warning).toMatchObject({ state: '01' });
  expect(scores.forms.map((form) => [form.formcode, form.tests])).toEqual([
    ['PHQ9', 2],
    ['GAD7', 2],
  ]);
  const anxiety = await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid, formcode: 'GAD7' });
  expect(anxiety.points.map((point) => point.score)).toEqual([8, 0]);
  expect(anxiety.change?.values.map(({ kind, points, isreached, words }) => [kind, points, isreached, words])).toEqual([
    ['MCID', 4, 1, '达到有临床意义的最小变化'],
    ['RCI', 6, 1, '变化超出测量误差'],
  ]);
  expect((await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid, formcode: 'EPDS' })).points).toEqual([]);
});

test('the trend offers every form that the person answered, with its own bands and published change value', async () => {
  const { server, as, clock, student } = await withExam();
  const { plancode } = await as('chen')(plan.insertMUserExamPlan, {
    appid: '000000002',
    planname: '复测方案',
    forms: [{ formcode: 'K10' }],
  });
  for (const answers of ['2 2 2 2 2 2 2 2 2 2', '1 1 1 1 1 1 1 1 1 1']) {
    clock.now = new Date(clock.now.getTime() + 20 * day);
    await takeExam(server, student, { K10: answers }, { plancode });
  }
  const read = as('chen');
  const first = await read(trend.getPHQ9ChartsData, { cuserid: student.cuserid });
  expect(first.formcode).toBe('PHQ9');
  expect(first.forms.map(({ formcode, tests }) => [formcode, tests])).toEqual(
    expect.arrayContaining([
      ['PHQ9', 1],
      ['GAD7', 1],
      ['K10', 2],
    ]),
  );
  const k10 = await read(trend.getPHQ9ChartsData, { cuserid: student.cuserid, formcode: 'K10' });
  expect(k10.points.map(({ score }) => score)).toEqual([20, 10]);
  expect([k10.min, k10.max, k10.bands.length]).toEqual([10, 50, 4]);
  expect(k10.change).toMatchObject({ direction: 'down', meaning: 'better', reliablechange: null, changetext: '暂无公布界值' });
  expect(k10.scores).toHaveLength(1);
});

test('a form with several main scores shows the chosen one; an unknown score shows the first', async () => {
  const { as, student } = await withExam();
  const read = (scorecode?: string) =>
    as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid, formcode: 'DASS21', ...(scorecode && { scorecode }) });
  const first = await read();
  expect(first.scores).toHaveLength(3);
  expect(first.scorecode).toBe(first.scores[0]?.scorecode);
  const second = first.scores[1];
  expect(await read(second?.scorecode)).toMatchObject({ scorecode: second?.scorecode, scorename: second?.scorename });
  expect((await read('nothing')).scorecode).toBe(first.scorecode);
});

test('without PHQ-9 the trend begins with the form that the person answered most', async () => {
  const { as, sqlAsOwner, student } = await withExam();
  await sqlAsOwner("update examform set status = 1 where formcode = 'PHQ9' and cuserid = $1", [student.cuserid]);
  expect((await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid })).formcode).toBe('GAD7');
});

test('the page of a trend and the comparison of a report tell the same change', async () => {
  const { server, as, clock, student } = await withExam();
  clock.now = new Date(clock.now.getTime() + 28 * day);
  await takeExam(server, student, { PHQ9: '1 1 1 1 1 1 1 0 0 0' });
  const scores = await as('chen')(trend.getPHQ9ChartsData, { cuserid: student.cuserid });
  const { rows } = await as('chen')(report.getCUserReportPageList, {});
  const opened = await as('chen')(report.getCUserReport, { reportcode: rows[0]?.reportcode });
  const blocks = opened.staff.sections.find(({ key }) => key === 'compare')?.blocks ?? [];
  const line = blocks.find((block) => block.type === 'line' && block.formcode === 'PHQ9');
  if (line?.type !== 'line') throw new Error('no line');
  const onPage = chartOfTrend(scores);
  const inReport = chartOfLine(line);
  const shown = ({ points }: TrendChart) => points.map(({ score, level, levelname }) => [score, level, levelname]);
  expect(shown(inReport)).toEqual(shown(onPage));
  expect(closeBands(inReport.bands, 0, 27)).toEqual(closeBands(onPage.bands, 0, 27));
  expect(JSON.stringify(blocks)).toContain(scores.change?.values[0]?.words);
});
