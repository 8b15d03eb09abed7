import { beforeAll, describe, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import type { Action, RequestOf } from '#contract/action.ts';
import { publish } from '#features/release/publish.ts';
import { getReleaseOptions, getSchoolComparison } from '#features/bureau/bureau.contract.ts';
import { getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { insertPupils, insertXihe, XIHE, type Pupils } from '#testing/statistics/district.ts';
import { sharedServer, startServer } from '#testing/server.ts';

/** 晨光中学 and 东山中学 lie in one district, 西河小学 in another. In autumn three girls of 西河小学 need attention. */
const [CHENGUANG, DONGSHAN] = ['M_CHENGUANG', 'M_DONGSHAN'];
const autumn = { year: '2025-2026', term: '1' };
const spring = { year: '2024-2025', term: '2' };
const ofTerm = ({ year, term }: typeof autumn) => `${year}/${term}`;
const pupils: Pupils[] = [
  { musercode: CHENGUANG, term: ofTerm(autumn), gradecode: 'J1', gender: '01', levels: [60, 20, 10, 5, 5], absent: 12 },
  { musercode: CHENGUANG, term: ofTerm(autumn), gradecode: 'J2', gender: '02', levels: [50, 30, 10, 5, 5] },
  { musercode: DONGSHAN, term: ofTerm(autumn), gradecode: 'J1', gender: '01', levels: [80, 10, 5, 5, 5], absent: 4 },
  { musercode: DONGSHAN, term: ofTerm(autumn), gradecode: 'J2', gender: '02', levels: [70, 20, 5, 5, 5] },
  { musercode: CHENGUANG, term: ofTerm(spring), gradecode: 'J1', gender: '01', levels: [60, 20, 5, 5, 5] },
  { musercode: DONGSHAN, term: ofTerm(spring), gradecode: 'J1', gender: '02', levels: [60, 20, 5, 5, 5] },
];
const few: Pupils = { musercode: XIHE.musercode, term: ofTerm(autumn), gradecode: 'P5', gender: '02', levels: [7, 0, 3, 0, 0] };

const district = { districtcode: '330106' };
const server = sharedServer();
const read = <A extends Action>(action: A, request: RequestOf<A>) => server().as('zhou')(action, request);

beforeAll(async () => {
  await insertXihe(server());
  await insertPupils(server(), [...pupils, few]);
  await publish(server().services, fromShanghai('2025-10-08 02:00'));
});

test('without a period 周科长 reads the newest released term; effort is rounded, results are exact', async () => {
  expect(await read(statistics.getAssessSchoolCount, district)).toEqual({ total: 2, active: 2, inactive: 0 });
  expect(await read(statistics.getAssessCount, district)).toEqual({
    ...{ taskcount: null, rostercount: 420, examcount: 410, suppressed: 1 },
  });
  expect(await read(statistics.getAssessPeopleCount, district)).toMatchObject({ total: 420, male: null, suppressed: 1 });
  expect(await read(statistics.getAssessPeopleCompleteCount, district)).toEqual({
    ...{ total: 420, tested: 410, rate: 97.6, ratenet: 97.6, exempt: 0 },
    ...{ complete: 410, absent: null, suppressed: 1 },
  });
  expect(await read(statistics.getAssessAbnormalCount, district)).toEqual({
    ...{ valid: 410, abnormal: 70, rate: 17.1, alert: 0, levels: [260, 80, 30, 20, 20], suppressed: 0 },
  });
  expect(await read(statistics.getStatisticTime, district)).toEqual({ datatime: '2025-10-08 02:00:00' });
});

test('grades and genders have 有效 and 需关注, and never levels', async () => {
  const grades = await read(statistics.getAssessGradeCountTrend, district);
  expect(
    grades.map(({ gradename, total, complete, abnormal, abnormalrate }) => [gradename, total, complete, abnormal, abnormalrate]),
  ).toEqual([
    ['初一', 215, 205, 35, 17.1],
    ['初二', 205, 205, 35, 17.1],
  ]);
  const levels = await read(statistics.getGradeReportCountRatio, district);
  expect(levels.map((row) => row.levels.map(({ count }) => count))).toEqual([
    [null, null, null, null, null],
    [null, null, null, null, null],
  ]);
  const genders = await read(statistics.getManAndWomanAbnormalCountRatio, district);
  expect(genders.filter(({ valid }) => valid !== 0)).toEqual([
    { gender: '01', valid: 205, abnormal: 35, rate: 17.1, suppressed: 0 },
    { gender: '02', valid: 205, abnormal: 35, rate: 17.1, suppressed: 0 },
  ]);
  const depressed = await read(statistics.getDepressedQuotaCountRatio, district);
  expect([depressed.n, ...depressed.items.map(({ count }) => count)]).toEqual([410, 260, 80, 30, 20, 20]);
  const anxious = await read(statistics.getAnxiousQuotaCountRatio, { ...district, ...spring });
  expect([anxious.n, ...anxious.items.map(({ count }) => count)]).toEqual([190, 120, 40, 10, 20, 0]);
});

test('three girls of 西河小学 who need attention are hidden, and so is the sum of the city that would give them away', async () => {
  const xihe = await read(statistics.getAssessAbnormalCount, { musercode: XIHE.musercode });
  expect(xihe).toEqual({
    valid: 10,
    abnormal: null,
    rate: null,
    alert: null,
    levels: [null, null, null, null, null],
    suppressed: 1,
  });
  expect(await read(statistics.getAssessAbnormalCount, {})).toMatchObject({ valid: 420, abnormal: null, suppressed: 1 });
  const grades = await read(statistics.getAssessGradeCountTrend, {});
  expect(grades.map((row) => [row.gradename, row.abnormal, 'suppressed' in row && row.suppressed])).toEqual([
    ['小学五年级', null, 1],
    ['初一', 35, 0],
    ['初二', 35, 0],
  ]);
});

test('a school opens its own released figures', async () => {
  const ofSchool = { musercode: CHENGUANG, ...autumn };
  expect(await read(statistics.getAssessAbnormalCount, ofSchool)).toMatchObject({ valid: 200, abnormal: 40, rate: 20 });
  expect(await read(statistics.getAssessAbnormalCount, { ...ofSchool, gradecode: 'J1' })).toMatchObject({
    ...{ valid: 100, abnormal: 20, alert: null, suppressed: 1 },
  });
  expect(await read(statistics.getAssessPeopleCompleteCount, { ...ofSchool, gradecode: 'J1' })).toMatchObject({
    ...{ total: 110, tested: 100, complete: 100 },
  });
});

describe('an authority filters by what is published only', () => {
  test.each([
    [{ plancode: 'P900002' }, 'plancode', '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“方案”筛选'],
    [{ taskcode: 'T1' }, 'taskcode', '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“任务”筛选'],
    [{ classname: '1班' }, 'classname', '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“班级”筛选'],
    [{ begindate: '2025-09-01' }, 'begindate', '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“提交日期从”筛选'],
    [{ stagecode: 'XS01' }, 'stagecode', '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“阶段”筛选'],
    [
      { categorycode: 'M_ANLAN' },
      'categorycode',
      '主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“机构及下级”筛选',
    ],
    [{ year: '2025-2026' }, 'term', '请选择学期'],
  ])('%j is refused at its field', async (filters, field, message) => {
    await expect(read(statistics.getAssessAbnormalCount, filters)).rejects.toMatchObject({ code: 120002, message });
    const answer = await server().raw(statistics.getAssessCount.name, 'zhou', filters);
    expect(answer).toMatchObject({ errorCode: 120002, data: { field } });
  });

  test('grades are not crossed with genders', async () => {
    const crossed = read(statistics.getManAndWomanAbnormalCountRatio, { gradecode: 'J1' });
    await expect(crossed).rejects.toMatchObject({ code: 120002 });
  });

  test('days, scenes, classes and the persons of two terms are closed', async () => {
    for (const action of [statistics.getAssessDayCountTrend, statistics.getSceneCountTrend])
      await expect(read(action as Action, {})).rejects.toMatchObject({ code: 110004 });
    await expect(read(statistics.getClassReportCountRatio, { gradecode: 'J1' })).rejects.toMatchObject({ code: 110004 });
  });
});

test('the trend of terms has effort, 有效 and the share who need attention with its interval', async () => {
  const terms = await read(getTermTrend, district);
  expect(terms).toEqual([
    {
      ...{
        ...spring,
        total: 190,
        tested: 190,
        complete: 190,
        rate: 100,
        abnormal: 30,
        abnormalrate: 15.8,
        low: 11.3,
        high: 21.6,
      },
      ...{ datatime: '2025-10-08 02:00:00', suppressed: 0 },
    },
    {
      ...{ ...autumn, total: 420, tested: 410, complete: 410, rate: 97.6, abnormal: 70, abnormalrate: 17.1, low: 13.7, high: 21 },
      ...{ datatime: '2025-10-08 02:00:00', suppressed: 0 },
    },
  ]);
});

describe('the schools beside each other', () => {
  test('stand by district and name, each with its interval and its place against the district', async () => {
    const { rows, districts, region } = await read(getSchoolComparison, autumn);
    expect(
      rows.map((row) => [
        row.regionname,
        row.insname,
        row.rate,
        row.abnormalrate,
        row.low,
        row.high,
        row.place,
        row.adjustedrate,
      ]),
    ).toEqual([
      ['西湖区', '云栖市晨光中学', 95.2, 20, 15, 26.1, '波动内', 20],
      ['西湖区', '云栖市东山中学', 100, 14.3, 10.2, 19.7, '波动内', 14],
      ['滨江区', '云栖市西河小学', 100, null, null, null, null, null],
    ]);
    expect(rows.map(({ hasbegun, hasoverdue, suppressed }) => [hasbegun, hasoverdue, suppressed])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
    ]);
    expect(districts.map((row) => [row.regionname, row.schools, row.total, row.valid, row.abnormal])).toEqual([
      ['西湖区', 2, 420, 410, 70],
      ['滨江区', 1, 10, 10, null],
    ]);
    expect(region).toMatchObject({ total: 430, tested: 420, valid: 420, abnormal: null });
  });

  test('are sorted by name, completion or closing, never by the share who need attention', async () => {
    const order = async (orderby: 'insname' | 'rate' | 'closerate', isasc: '0' | '1') =>
      (await read(getSchoolComparison, { ...autumn, orderby, isasc })).rows.map(({ insname }) => insname.slice(3));
    expect(await order('rate', '1')).toEqual(['晨光中学', '东山中学', '西河小学']);
    expect(await order('rate', '0')).toEqual(['东山中学', '西河小学', '晨光中学']);
    expect(await order('insname', '0')).toEqual(['西河小学', '东山中学', '晨光中学']);
    for (const orderby of ['abnormalrate', 'abnormal', 'place', 'adjustedrate'])
      await expect(read(getSchoolComparison, { orderby } as never)).rejects.toMatchObject({ code: 120002 });
  });

  test('name no person and are read by authorities only', async () => {
    expect(JSON.stringify(await read(getSchoolComparison, autumn))).not.toContain('T-M_');
    await expect(server().as('chen')(getSchoolComparison, {})).rejects.toMatchObject({ code: 110004 });
    await expect(server().as('fang')(getSchoolComparison, {})).rejects.toMatchObject({ code: 110004 });
  });
});

test('before the release 周科长 reads effort, the day of the release, and which schools it waits for', async () => {
  const early = await startServer({ now: '2025-10-06T10:00:00+08:00' });
  await insertXihe(early);
  await insertPupils(early, pupils);
  await publish(early.services, fromShanghai('2025-10-06 02:00'));
  const asZhou = early.as('zhou');
  const answer = await asZhou(getSchoolComparison, autumn);
  expect([answer.datatime, answer.counttime, answer.releaseday]).toEqual(['', '2025-10-06 02:00:00', '2026-02-08']);
  expect(answer.rows.map((row) => [row.insname, row.hasbegun, row.isawaited, row.tested, row.valid, row.abnormal])).toEqual([
    ['云栖市晨光中学', 1, 1, 200, null, null],
    ['云栖市东山中学', 1, 1, 210, null, null],
    ['云栖市西河小学', 0, 1, 0, null, null],
  ]);
  expect(await asZhou(getSchoolComparison, { ...autumn, ...district })).toMatchObject({ releaseday: '2025-10-08' });
  expect(await asZhou(statistics.getAssessAbnormalCount, autumn)).toMatchObject({ valid: null, abnormal: null, suppressed: 1 });
  expect(await asZhou(statistics.getStatisticTime, autumn)).toEqual({ datatime: '' });
  expect(await asZhou(statistics.getAssessSchoolCount, autumn)).toEqual({ total: 3, active: 2, inactive: 1 });
  const { periods, schools } = await asZhou(getReleaseOptions, {});
  expect(periods.map(({ year, term, datatime }) => [year, term, datatime])).toEqual([
    ['2025-2026', '1', ''],
    ['2024-2025', '2', '2025-10-06 02:00:00'],
  ]);
  expect(schools).toHaveLength(3);
});
