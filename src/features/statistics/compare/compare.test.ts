import { beforeAll, expect, test } from 'vitest';
import { cutoffOf } from '#domain/statistics/cutoff.ts';
import { compareTerms, getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import { insertPerson, insertRosterRow, insertSheet, insertTask, type Sheet } from '#testing/statistics/sheets.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
const spring = { year: '2024-2025', term: '2' };
const autumn = { year: '2025-2026', term: '1' };
const autumnAgainstSpring = { ...autumn, beforeyear: spring.year, beforeterm: spring.term };
const submitOf = { 春季普测: '2025-03-12', 秋季普测: '2025-09-16' } as const;
type Task = keyof typeof submitOf;

/** A pupil of a grade with the results in both tasks: true needs attention, false does not, undefined took no part. */
interface Group {
  count: number;
  gradecode: string;
  spring?: boolean;
  autumn?: boolean;
}
/**
 * 初一: 400 other pupils each term, 40 and 60 of them need attention (supplement 10, first example).
 * 初二: 400 pupils, 380 of them in both terms; 30 needed attention in spring only, 18 in autumn only (second example).
 */
const groups: readonly Group[] = [
  { count: 40, gradecode: 'J1', spring: true },
  { count: 360, gradecode: 'J1', spring: false },
  { count: 60, gradecode: 'J1', autumn: true },
  { count: 340, gradecode: 'J1', autumn: false },
  { count: 30, gradecode: 'J2', spring: true, autumn: false },
  { count: 18, gradecode: 'J2', spring: false, autumn: true },
  { count: 30, gradecode: 'J2', spring: true, autumn: true },
  { count: 302, gradecode: 'J2', spring: false, autumn: false },
  { count: 20, gradecode: 'J2', spring: false },
  { count: 20, gradecode: 'J2', autumn: false },
];

/** Inserts pupils `from` to `to` with their roster rows and sheets, in a few statements. */
async function insertGroup(prefix: string, { count, gradecode, ...results }: Group): Promise<void> {
  const { sqlAsOwner } = server();
  await sqlAsOwner(
    `insert into cuser (cuserid, musercode, username, gender, appid)
     select $1 || n, 'M_CHENGUANG', $1 || n, '01', '000000002' from generate_series(1, $2::int) n`,
    [prefix, count],
  );
  const sheets: [Task, boolean | undefined][] = [
    ['春季普测', results.spring],
    ['秋季普测', results.autumn],
  ];
  for (const [taskcode, isabnormal] of sheets) {
    if (isabnormal === undefined) continue;
    await sqlAsOwner(
      `insert into taskroster (taskcode, cuserid, teamcode, musercode, status)
       select $1, $2 || n, $3, 'M_CHENGUANG', 2 from generate_series(1, $4::int) n`,
      [taskcode, prefix, `${taskcode}${gradecode}`, count],
    );
    await sqlAsOwner(
      `insert into examrecord (examcode, musercode, cuserid, appid, plancode, taskcode, scenecode, status, starttime, submittime,
         valid, overalllevel, isabnormal, gender, gradecode, gradename, classname)
       select $1 || $2 || n, 'M_CHENGUANG', $2 || n, '000000002', 'P900002', $1, '01', 2, $3, $3, 1, $4, $5, '01', $6, $6, '1班'
       from generate_series(1, $7::int) n`,
      [taskcode, prefix, `${submitOf[taskcode]} 10:00+08`, isabnormal ? 2 : 1, isabnormal ? 1 : 0, gradecode, count],
    );
    await sqlAsOwner(
      `insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime)
       select $1 || $2 || n, 'M_CHENGUANG', $2 || n, 'PHQ9', '1', 1, 2, $3 from generate_series(1, $4::int) n`,
      [taskcode, prefix, `${submitOf[taskcode]} 10:00+08`, count],
    );
  }
}

const classesOf = (taskcode: Task) =>
  ['J1', 'J2', 'S1'].map((gradecode) => ({ teamcode: `${taskcode}${gradecode}`, gradecode, classname: '1班' }));

beforeAll(async () => {
  await insertTask(server(), { taskcode: '春季普测', begin: '2025-03-10', end: '2025-03-30', ...spring }, classesOf('春季普测'));
  await insertTask(server(), { taskcode: '秋季普测', begin: '2025-09-10', end: '2025-09-30', ...autumn }, classesOf('秋季普测'));
  for (const [at, group] of groups.entries()) await insertGroup(`g${at}-`, group);
  // 高一: 何小雨 needed attention in spring only, 方明 never, 罗晨 was on the roster of autumn without a sheet.
  for (const name of ['何小雨', '方明', '罗晨']) await insertPerson(server(), name, '02');
  const insertTest = async (taskcode: Task, cuserid: string, phq9: number) => {
    await insertRosterRow(server(), { taskcode, cuserid, teamcode: `${taskcode}S1`, status: 2 });
    const place = { gradecode: 'S1', classname: '1班' };
    const sheet: Sheet = { examcode: `${taskcode}${cuserid}`, cuserid, taskcode, submit: submitOf[taskcode], phq9, gad7: 0 };
    await insertSheet(server(), { ...sheet, ...place });
  };
  await insertTest('春季普测', '何小雨', 14);
  await insertTest('春季普测', '方明', 2);
  await insertTest('秋季普测', '何小雨', 4);
  await insertTest('秋季普测', '方明', 3);
  await insertRosterRow(server(), { taskcode: '秋季普测', cuserid: '罗晨', teamcode: '秋季普测S1', status: 0 });
});

test('other pupils in each term are compared as two shares: 40/400 and 60/400 differ by 5.0 points (0.4–9.6), z 2.14, p .033', async () => {
  const result = await server().as('ma')(compareTerms, { ...autumnAgainstSpring, gradecode: 'J1' });
  expect(result.before).toEqual({ ...spring, total: 400, complete: 400, rate: 100, abnormal: 40, abnormalrate: 10 });
  expect(result.now).toEqual({ ...autumn, total: 400, complete: 400, rate: 100, abnormal: 60, abnormalrate: 15 });
  expect(result).toMatchObject({
    ...{ iscomparable: 1, pairs: { both: 0, onlybefore: 0, onlynow: 0 } },
    ...{ difference: 5, low: 0.4, high: 9.6, test: 'z', isnoise: 0, words: '变化有统计学差异' },
  });
  expect([result.statistic?.toFixed(2), result.p?.toFixed(3)]).toEqual(['2.14', '0.033']);
});

test('the same pupils in both terms are compared as pairs: 30 and 18 changed, χ² 2.52, p .112, random fluctuation', async () => {
  const result = await server().as('ma')(compareTerms, { ...autumnAgainstSpring, gradecode: 'J2' });
  expect(result).toMatchObject({
    ...{ iscomparable: 1, pairs: { both: 380, onlybefore: 30, onlynow: 18 } },
    // 60 and 48 of the 380 pupils of both terms.
    ...{ difference: -3.2, low: -6.8, high: 0.5, test: 'mcnemar', isnoise: 1, words: '差异在随机波动范围内' },
  });
  expect([result.statistic?.toFixed(2), result.p?.toFixed(3)]).toEqual(['2.52', '0.112']);
});

test('the two pupils of 高一 are counted as pairs, but fewer than 30 results are not compared', async () => {
  const result = await server().as('ma')(compareTerms, { ...autumnAgainstSpring, gradecode: 'S1' });
  expect(result).toMatchObject({
    before: { total: 2, complete: 2, abnormal: 1 },
    now: { total: 3, complete: 2, rate: 66.7, abnormal: 0 },
    pairs: { both: 2, onlybefore: 1, onlynow: 0 },
    ...{ iscomparable: 0, difference: null, p: null, words: '有效人数不足 30 人' },
  });
});

test('terms with another threshold of 需关注, other forms or another plan are not compared', async () => {
  const { as, sqlAsOwner } = server();
  const wordsNow = async () => (await as('ma')(compareTerms, { ...autumnAgainstSpring, gradecode: 'J1' })).words;
  const inAutumn = "where examcode like '秋季普测g2-%'";
  await sqlAsOwner(`update examrecord set isabnormal = 0 ${inAutumn}`);
  expect(await wordsNow()).toBe('两次的需关注标准不同');
  await sqlAsOwner(`update examrecord set isabnormal = 1 ${inAutumn}`);
  await sqlAsOwner(`update examform set formversion = '2' ${inAutumn}`);
  expect(await wordsNow()).toBe('两次使用的方案或量表不同');
  await sqlAsOwner(`update examform set formversion = '1' ${inAutumn}`);
  expect(await wordsNow()).toBe('变化有统计学差异');
});

test('the present threshold counts when the sheets agree with it, else the level from which sheets needed attention', () => {
  expect(cutoffOf({ leastabnormal: 2, highestnormal: 1, threshold: 2 })).toBe(2);
  expect(cutoffOf({ leastabnormal: null, highestnormal: 1, threshold: 3 })).toBe(3);
  expect(cutoffOf({ leastabnormal: 2, highestnormal: 1, threshold: 3 })).toBe(2);
  expect(cutoffOf({ leastabnormal: null, highestnormal: 2, threshold: 2 })).toBe(3);
});

test('the trend has the terms with tasks, the oldest first, with the interval of the share', async () => {
  const trend = await server().as('ma')(getTermTrend, { gradecode: 'J1' });
  expect(trend).toEqual([
    { ...spring, total: 400, complete: 400, rate: 100, abnormal: 40, abnormalrate: 10, low: 7.4, high: 13.3 },
    { ...autumn, total: 400, complete: 400, rate: 100, abnormal: 60, abnormalrate: 15, low: 11.8, high: 18.8 },
  ]);
  expect(await server().as('qiao')(getTermTrend, {})).toEqual([]);
});
