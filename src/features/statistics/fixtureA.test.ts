import { beforeAll, expect, test } from 'vitest';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { sharedServer } from '#testing/server.ts';

/** Fixture A of design/statistics.md 4.3: one school with a task, and one without data in the same district. */
const district = { districtcode: '330106' };
const server = sharedServer();

beforeAll(() => insertFixtureA(server()));

const task = { ...district, taskcode: 'T1' };
const range = { ...district, begindate: '2025-09-01', enddate: '2025-10-31' };
const asProvider = () => server().as('fang');

test('the task of fixture A has the printed figures', async () => {
  const as = asProvider();
  expect(await as(statistics.getAssessSchoolCount, task)).toEqual({ total: 2, active: 1, inactive: 1 });
  expect(await as(statistics.getAssessCount, task)).toEqual({ taskcount: 1, rostercount: 13, examcount: 10 });
  expect(await as(statistics.getAssessPeopleCount, task)).toEqual({ total: 13, male: 6, female: 7, unknown: 0 });
  expect(await as(statistics.getAssessPeopleCompleteCount, task)).toEqual({
    ...{ total: 13, complete: 9, rate: 69.2 },
    ...{ tested: 10, exempt: 0, absent: 1, ratenet: 69.2 },
  });
  expect(await as(statistics.getAssessAbnormalCount, task)).toEqual({
    ...{ valid: 9, abnormal: 4, rate: 44.4, alert: 2 },
    levels: [2, 3, 3, 1, 0],
  });
  expect((await as(statistics.getAssessDayCountTrend, task)).map((day) => [day.date, day.examcount, day.abnormal])).toEqual([
    ['2025-09-15', 2, 0],
    ['2025-09-16', 3, 2],
    ['2025-09-17', 2, 1],
    ['2025-09-18', 2, 1],
    ['2025-09-19', 0, 0],
    ['2025-09-20', 0, 0],
    ['2025-09-21', 0, 0],
    ['2025-09-22', 1, 0],
  ]);
});

test('grades, classes and genders of fixture A have the printed figures', async () => {
  const as = asProvider();
  const grades = statistics.toOwnFigures(await as(statistics.getAssessGradeCountTrend, task));
  expect(grades.map((row) => [row.gradecode, row.total, row.complete, row.rate, row.abnormal, row.abnormalrate])).toEqual([
    ['J1', 9, 6, 66.7, 3, 50],
    ['J2', 4, 3, 75, 1, 33.3],
  ]);
  const classes = await as(statistics.getClassReportCountRatio, { ...task, gradecode: 'J1' });
  expect(classes).toEqual([
    { classname: '1班', total: 5, complete: 4, levels: [1, 1, 2, 0, 0], abnormalrate: 50 },
    { classname: '2班', total: 4, complete: 2, levels: [1, 0, 1, 0, 0], abnormalrate: 50 },
  ]);
  expect(await as(statistics.getManAndWomanAbnormalCountRatio, task)).toEqual([
    { gender: '01', valid: 5, abnormal: 2, rate: 40 },
    { gender: '02', valid: 4, abnormal: 2, rate: 50 },
  ]);
  const gradeReports = statistics.toOwnFigures(await as(statistics.getGradeReportCountRatio, task));
  expect(gradeReports.map((row) => [row.gradecode, row.levels.map(({ count }) => count)])).toEqual([
    ['J1', [2, 1, 3, 0, 0]],
    ['J2', [0, 2, 0, 1, 0]],
  ]);
});

test('depression and anxiety of fixture A have the printed figures', async () => {
  const as = asProvider();
  const depressed = statistics.toOwnFigures(await as(statistics.getDepressedQuotaCountRatio, task));
  expect([depressed.n, depressed.items.map(({ count }) => count)]).toEqual([9, [4, 3, 1, 1, 0]]);
  expect(depressed.items.map(({ ratio }) => ratio)).toEqual([44.4, 33.3, 11.1, 11.1, 0]);
  const anxious = statistics.toOwnFigures(await as(statistics.getAnxiousQuotaCountRatio, task));
  expect([anxious.n, anxious.items.map(({ count }) => count)]).toEqual([9, [5, 2, 1, 1, 0]]);
});

test('a range without a task counts every sheet, and the later sheet of a person replaces the first', async () => {
  const as = asProvider();
  expect(await as(statistics.getAssessCount, range)).toMatchObject({ examcount: 11 });
  expect(await as(statistics.getAssessPeopleCount, range)).toMatchObject({ total: 13 });
  expect(await as(statistics.getAssessPeopleCompleteCount, range)).toMatchObject({ complete: 9, rate: 69.2 });
  expect(await as(statistics.getAssessAbnormalCount, range)).toEqual({
    ...{ valid: 9, abnormal: 3, rate: 33.3, alert: 2 },
    levels: [2, 4, 2, 1, 0],
  });
  const countsOf = ({ items }: { items: { count: number }[] }) => items.map(({ count }) => count);
  expect(countsOf(statistics.toOwnFigures(await as(statistics.getDepressedQuotaCountRatio, range)))).toEqual([4, 4, 0, 1, 0]);
  expect(countsOf(statistics.toOwnFigures(await as(statistics.getAnxiousQuotaCountRatio, range)))).toEqual([6, 1, 1, 1, 0]);
  expect((await as(statistics.getManAndWomanAbnormalCountRatio, range))[1]).toEqual({
    ...{ gender: '02', valid: 4, abnormal: 1, rate: 25 },
  });
  const scenes = await as(statistics.getSceneCountTrend, range);
  expect(scenes.map(({ period, items }) => [period, items.map((item) => [item.scenecode, item.count])])).toEqual([
    ['2025-09', [['01', 10]]],
    ['2025-10', [['02', 1]]],
  ]);
});

test('a trend is at most 366 days long, and the error stands at its field', async () => {
  const long = asProvider()(statistics.getAssessDayCountTrend, { ...district, begindate: '2024-09-01', enddate: '2025-10-31' });
  await expect(long).rejects.toMatchObject({ code: 120002 });
  const year = await asProvider()(statistics.getAssessDayCountTrend, {
    ...district,
    begindate: '2024-11-01',
    enddate: '2025-11-01',
  });
  expect(year).toHaveLength(366);
  const recent = await asProvider()(statistics.getAssessDayCountTrend, district);
  expect([recent.length, recent.at(-1)?.date]).toEqual([30, '2025-10-08']);
});

test('before the first release an authority reads no figure of these rows', async () => {
  const figures = await server().as('zhou')(statistics.getAssessAbnormalCount, {});
  expect(figures).toMatchObject({ valid: null, abnormal: null, alert: null, suppressed: 1 });
  expect(await server().as('zhou')(statistics.getAssessCount, {})).toMatchObject({ rostercount: 0, examcount: 0 });
});
