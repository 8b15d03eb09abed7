import { expect, test } from 'vitest';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { EXEMPT_REASONS } from '#domain/task/taskprogress.ts';
import type { RequestOf } from '#contract/action.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { countKept } from '#features/statistics/kept/countKept.ts';
import { compareTerms } from '#features/statistics/compare/compare.contract.ts';
import { getStatisticSheetPageList } from '#features/statistics/sheets/sheets.contract.ts';
import { getStatisticPersonPageList, NO_PLACE } from '#features/statistics/persons/persons.contract.ts';
import { CLASSES, startWithPopulation, TASKS, type Population, type Roster } from '#testing/statistics/population.ts';
import { insertSheet, judge, type Sheet } from '#testing/statistics/sheets.ts';

/**
 * Every figure a second way: this test counts the generated rows in plain loops and compares. The population has re-tests, voided,
 * invalid and withheld sheets, persons who moved to another class, absent and exempt pupils, and sheets outside tasks.
 */

/** The same figures in plain loops. */
function countAgain({ genders, roster, sheets }: Population, filters: { taskcode?: string; term?: string; gradecode?: string }) {
  const isTask = Object.keys(filters).length > 0;
  const tasks = TASKS.filter(
    (task) => (!filters.taskcode || task.taskcode === filters.taskcode) && (!filters.term || task.term === filters.term),
  );
  const teamOf = (row: Roster) => CLASSES.find(({ teamcode }) => teamcode === row.teamcode) as (typeof CLASSES)[0];
  const rows = roster.filter(
    (row) =>
      row.status !== 9 &&
      tasks.some(({ taskcode }) => taskcode === row.taskcode) &&
      (!filters.gradecode || teamOf(row).gradecode === filters.gradecode),
  );
  const handedIn = sheets.filter(
    (sheet) =>
      sheet.status === 2 && (!isTask || rows.some((row) => row.taskcode === sheet.taskcode && row.cuserid === sheet.cuserid)),
  );
  const persons = new Set([...rows, ...handedIn].map(({ cuserid }) => cuserid));
  const latest = new Map<string, Required<Sheet>>();
  for (const sheet of handedIn) {
    if (sheet.valid !== 1 || sheet.withheld === 1) continue;
    const before = latest.get(sheet.cuserid);
    const isLater =
      !before || sheet.submit > before.submit || (sheet.submit === before.submit && sheet.examcode > before.examcode);
    if (isLater) latest.set(sheet.cuserid, sheet);
  }
  const results = [...latest.values()].map((sheet) => ({ ...sheet, ...judge(sheet) }));
  const untested = [...persons].filter((cuserid) => !handedIn.some((sheet) => sheet.cuserid === cuserid));
  const isExcused = (cuserid: string, isExempt: boolean) =>
    rows.some((row) => row.cuserid === cuserid && row.status === 3 && EXEMPT_REASONS.includes(row.reason ?? '') === isExempt);
  const exempt = untested.filter((cuserid) => isExcused(cuserid, true));
  const levels = (of: (result: (typeof results)[0]) => number) =>
    [0, 1, 2, 3, 4].map((level) => results.filter((result) => of(result) === level).length);
  const genderCount = (gender: string) => [...persons].filter((cuserid) => genders.get(cuserid) === gender).length;
  return {
    count: { taskcount: tasks.length, rostercount: rows.length, examcount: handedIn.length },
    people: { total: persons.size, male: genderCount('01'), female: genderCount('02'), unknown: genderCount('00') },
    complete: {
      total: persons.size,
      complete: results.length,
      tested: new Set(handedIn.map(({ cuserid }) => cuserid)).size,
      exempt: exempt.length,
      absent: untested.filter((cuserid) => !exempt.includes(cuserid) && isExcused(cuserid, false)).length,
    },
    abnormal: {
      valid: results.length,
      abnormal: results.filter(({ isabnormal }) => isabnormal).length,
      alert: results.filter(({ alertlevel }) => alertlevel > 0).length,
      levels: levels(({ overall }) => overall),
    },
    depressed: levels(({ dep }) => dep),
    anxious: levels(({ anx }) => anx),
    /** the persons with a valid sheet, and whether they need attention */
    attention: new Map(results.map(({ cuserid, isabnormal }) => [cuserid, Boolean(isabnormal)])),
    days: handedIn.length,
    genders: ['01', '02'].flatMap((gender) => {
      const own = results.filter((result) => result.gender === gender);
      return own.length ? [[gender, own.length, own.filter(({ isabnormal }) => isabnormal).length]] : [];
    }),
  };
}

const range = { begindate: '2025-08-01', enddate: '2026-07-31' };
const SCOPES: { own: Parameters<typeof countAgain>[1]; request: RequestOf<typeof statistics.getAssessCount> }[] = [
  { own: {}, request: range },
  { own: { taskcode: 'T1' }, request: { taskcode: 'T1' } },
  { own: { term: '2' }, request: { year: '2025-2026', term: '2' } },
  { own: { gradecode: 'J1' }, request: { gradecode: 'J1' } },
];

test('every figure equals the count over the raw rows, and groups sum to the total', async () => {
  const { population, as } = await startWithPopulation();
  for (const { own, request } of SCOPES) {
    const expected = countAgain(population, own);
    expect(await as(statistics.getAssessCount, request)).toEqual(expected.count);
    expect(await as(statistics.getAssessPeopleCount, request)).toEqual(expected.people);
    expect(await as(statistics.getAssessPeopleCompleteCount, request)).toMatchObject(expected.complete);
    expect(await as(statistics.getAssessAbnormalCount, request)).toMatchObject(expected.abnormal);
    const { items: depressed } = statistics.toOwnFigures(await as(statistics.getDepressedQuotaCountRatio, request));
    expect(depressed.map(({ count }) => count)).toEqual(expected.depressed);
    const { items: anxious } = statistics.toOwnFigures(await as(statistics.getAnxiousQuotaCountRatio, request));
    expect(anxious.map(({ count }) => count)).toEqual(expected.anxious);
    const days = await as(statistics.getAssessDayCountTrend, request);
    expect(days.reduce((sum, day) => sum + day.examcount, 0)).toBe(expected.days);
    const genders = statistics.toOwnFigures(await as(statistics.getManAndWomanAbnormalCountRatio, request));
    expect(genders.map((row) => [row.gender, row.valid, row.abnormal])).toEqual(expected.genders);
    const scenes = await as(statistics.getSceneCountTrend, request);
    expect(scenes.flatMap(({ items }) => items).reduce((sum, item) => sum + item.count, 0)).toBe(expected.days);
    const grades = statistics.toOwnFigures(await as(statistics.getAssessGradeCountTrend, request));
    const sum = (key: 'total' | 'complete' | 'abnormal') => grades.reduce((all, row) => all + row[key], 0);
    expect([sum('total'), sum('complete'), sum('abnormal')]).toEqual([
      expected.people.total,
      expected.abnormal.valid,
      expected.abnormal.abnormal,
    ]);
    if (own.gradecode) {
      const classes = await as(statistics.getClassReportCountRatio, { ...request, gradecode: own.gradecode });
      expect(classes.reduce((all, row) => all + row.total, 0)).toBe(expected.people.total);
      expect(classes.reduce((all, row) => all + row.complete, 0)).toBe(expected.abnormal.valid);
    }
  }
});

test('the list behind every number has that many persons, each once', async () => {
  const { as } = await startWithPopulation();
  for (const { request } of [{ request: range }, { request: { gradecode: 'J1' } }]) {
    type Group = RequestOf<typeof getStatisticPersonPageList>;
    const expectPersons = async (group: Group, figure: number) => {
      const { total, rows } = await as(getStatisticPersonPageList, { ...request, ...group, pageSize: 200 });
      expect({ ...group, total }).toEqual({ ...group, total: figure });
      expect(new Set(rows.map(({ cuserid }) => cuserid)).size).toBe(figure);
    };
    type Sheets = RequestOf<typeof getStatisticSheetPageList>;
    const expectSheets = async (group: Sheets, figure: number) => {
      const { total, rows } = await as(getStatisticSheetPageList, { ...request, ...group, pageSize: 200 });
      expect({ ...group, total, examcodes: new Set(rows.map(({ examcode }) => examcode)).size }).toEqual({
        ...{ ...group, total: figure, examcodes: figure },
      });
    };
    await expectSheets({}, statistics.toOwnFigures(await as(statistics.getAssessCount, request)).examcount);
    const days = (await as(statistics.getAssessDayCountTrend, request)).filter(({ examcount }) => examcount > 0);
    for (const { date, examcount, abnormal } of days.slice(0, 12)) {
      await expectSheets({ begindate: date, enddate: date }, examcount);
      await expectSheets({ begindate: date, enddate: date, isabnormal: 1 }, abnormal);
    }
    for (const { period: month, items } of await as(statistics.getSceneCountTrend, request))
      for (const { scenecode, count } of items) await expectSheets({ month, scenecode: scenecode as '01' }, count);
    const people = statistics.toOwnFigures(await as(statistics.getAssessPeopleCount, request));
    await expectPersons({ measure: 'total' }, people.total);
    await expectPersons({ measure: 'total', ofgender: '01' }, people.male);
    await expectPersons({ measure: 'total', ofgender: '02' }, people.female);
    await expectPersons({ measure: 'total', ofgender: '00' }, people.unknown);
    const complete = statistics.toOwnFigures(await as(statistics.getAssessPeopleCompleteCount, request));
    await expectPersons({ measure: 'tested' }, complete.tested);
    await expectPersons({ measure: 'untested' }, complete.total - complete.tested);
    await expectPersons({ measure: 'exempt' }, complete.exempt);
    await expectPersons({ measure: 'absent' }, complete.absent);
    await expectPersons({ measure: 'complete' }, complete.complete);
    const abnormal = statistics.toOwnFigures(await as(statistics.getAssessAbnormalCount, request));
    await expectPersons({ measure: 'abnormal' }, abnormal.abnormal);
    await expectPersons({ measure: 'alert' }, abnormal.alert);
    for (const [value, count] of abnormal.levels.entries()) await expectPersons({ measure: 'level', value }, count);
    const depressed = statistics.toOwnFigures(await as(statistics.getDepressedQuotaCountRatio, request));
    await expectPersons({ measure: 'depressed' }, depressed.n);
    for (const { level: value, count } of depressed.items) await expectPersons({ measure: 'depressed', value }, count);
    const anxious = statistics.toOwnFigures(await as(statistics.getAnxiousQuotaCountRatio, request));
    for (const { level: value, count } of anxious.items) await expectPersons({ measure: 'anxious', value }, count);
    for (const row of statistics.toOwnFigures(await as(statistics.getManAndWomanAbnormalCountRatio, request))) {
      const ofgender = row.gender as '01' | '02';
      await expectPersons({ measure: 'complete', ofgender }, row.valid);
      await expectPersons({ measure: 'abnormal', ofgender }, row.abnormal);
    }
    for (const row of statistics.toOwnFigures(await as(statistics.getAssessGradeCountTrend, request))) {
      const ofgrade = row.gradecode || NO_PLACE;
      await expectPersons({ measure: 'total', ofgrade }, row.total);
      await expectPersons({ measure: 'complete', ofgrade }, row.complete);
      await expectPersons({ measure: 'abnormal', ofgrade }, row.abnormal);
    }
    for (const { gradecode: ofgrade, levels } of statistics.toOwnFigures(await as(statistics.getGradeReportCountRatio, request)))
      for (const { level: value, count } of levels)
        await expectPersons({ measure: 'level', value, ofgrade: ofgrade || NO_PLACE }, count);
    for (const row of await as(statistics.getClassReportCountRatio, { ...request, gradecode: 'J1' })) {
      const group = { gradecode: 'J1', ofgrade: 'J1', ofclass: row.classname };
      await expectPersons({ measure: 'total', ...group }, row.total);
      for (const [value, count] of row.levels.entries()) await expectPersons({ measure: 'level', value, ...group }, count);
    }
  }
});

test('figures kept for a provider with several schools equal those of the rows; a later sheet counts with the next count', async () => {
  const { server } = await startWithPopulation();
  const as = server.as('fang');
  const findAll = async (request: RequestOf<typeof statistics.getAssessCount>) => ({
    institutions: await as(statistics.getAssessSchoolCount, request),
    rows: await as(statistics.getAssessCount, request),
    people: await as(statistics.getAssessPeopleCount, request),
    complete: await as(statistics.getAssessPeopleCompleteCount, request),
    abnormal: await as(statistics.getAssessAbnormalCount, request),
    days: await as(statistics.getAssessDayCountTrend, request),
    grades: await as(statistics.getAssessGradeCountTrend, request),
    scenes: await as(statistics.getSceneCountTrend, { ...request, by: 'day' }),
    depressed: await as(statistics.getDepressedQuotaCountRatio, request),
    anxious: await as(statistics.getAnxiousQuotaCountRatio, request),
    genders: await as(statistics.getManAndWomanAbnormalCountRatio, request),
    levels: await as(statistics.getGradeReportCountRatio, request),
  });
  const requests = [
    {},
    { year: '2025-2026', term: '2' },
    { year: '2025-2026' },
    { appid: '000000002' },
    { plancode: 'P900002', year: '2025-2026', term: '1' },
  ];
  const ofRows = [];
  for (const request of requests) ofRows.push(await findAll(request));
  const { services, clock } = server;
  expect(await countKept(services, clock.now)).toBe(true);
  for (const [index, request] of requests.entries()) expect(await findAll(request)).toEqual(ofRows[index]);
  const counted = { datatime: shanghaiTime(clock.now) };

  const late = { examcode: 'E-late', cuserid: 'W000', taskcode: null, submit: '2026-03-31', phq9: 3, gad7: 2 };
  await insertSheet(server, late);
  const examcount = ofRows[0]?.rows.examcount ?? 0;
  expect(await as(statistics.getAssessCount, {})).toMatchObject({ examcount });
  clock.now = new Date(clock.now.getTime() + 120_000);
  expect(await as(statistics.getStatisticTime, {}), 'a provider’s figures are of the count').toEqual(counted);
  expect(await server.as('chen')(statistics.getStatisticTime, {}), 'a school’s are of now').toEqual({
    datatime: shanghaiTime(clock.now),
  });
  // PostgreSQL tells a change to its counters within seconds.
  await expect.poll(() => countKept(services, clock.now), { timeout: 30_000, interval: 500 }).toBe(true);
  expect(await as(statistics.getAssessCount, {})).toMatchObject({ examcount: examcount + 1 });
  clock.now = new Date(clock.now.getTime() + 2 * 3_600_000);
  await insertSheet(server, { ...late, examcode: 'E-later' });
  expect(await as(statistics.getAssessCount, {}), 'figures older than an hour are not read').toMatchObject({
    examcount: examcount + 2,
  });
});

/** The two ends of Wilson's interval as the roots x of (p − x)² = z² x (1 − x) / n. */
function wilsonAgain(count: number, n: number): [number, number] {
  const [p, k] = [count / n, 1.96 ** 2 / n];
  const [a, b, c] = [1 + k, -(2 * p + k), p * p];
  const root = Math.sqrt(b * b - 4 * a * c);
  return [Math.max(0, (-b - root) / (2 * a)), Math.min(1, (-b + root) / (2 * a))];
}
/** The area of the normal density outside ±z, by small steps. */
function outside(z: number): number {
  const steps = 20_000;
  const width = Math.abs(z) / steps;
  let inside = 0;
  for (let step = 0; step < steps; step++) inside += Math.exp(-(((step + 0.5) * width) ** 2) / 2) * width;
  return 1 - (2 * inside) / Math.sqrt(2 * Math.PI);
}
/** The chance that of `n` fair coins at most the smaller or at least the larger number falls on one side. */
function signAgain(one: number, other: number): number {
  const n = one + other;
  let [chance, sum] = [0.5 ** n, 0];
  for (let heads = 0; heads <= Math.min(one, other); heads++) {
    sum += chance;
    chance *= (n - heads) / (heads + 1);
  }
  return Math.min(1, 2 * sum);
}

test('the comparison of two terms equals the one over the raw rows', async () => {
  const { population, as } = await startWithPopulation(150);
  const request = { year: '2025-2026', term: '2', beforeyear: '2025-2026', beforeterm: '1' };
  const { before, now, pairs, ...result } = await as(compareTerms, request);
  const [first, second] = [countAgain(population, { term: '1' }), countAgain(population, { term: '2' })];
  const ofTerm = ({ people, abnormal }: typeof first) => ({
    ...{ total: people.total, complete: abnormal.valid, abnormal: abnormal.abnormal },
  });
  expect([before, now]).toMatchObject([ofTerm(first), ofTerm(second)]);
  const both = [...first.attention.keys()].filter((cuserid) => second.attention.has(cuserid));
  const changed = (to: boolean) =>
    both.filter((cuserid) => first.attention.get(cuserid) !== to && second.attention.get(cuserid) === to).length;
  const [onlybefore, onlynow] = [changed(false), changed(true)];
  expect(pairs).toEqual({ both: both.length, onlybefore, onlynow });
  const [validBefore, validNow] = [first.abnormal.valid, second.abnormal.valid];
  if (Math.min(validBefore, validNow) < 30) {
    expect(result).toMatchObject({ iscomparable: 0, difference: null, p: null });
    return;
  }
  const isPaired = both.length * 2 >= Math.max(validBefore, validNow);
  const always = both.filter((cuserid) => first.attention.get(cuserid) && second.attention.get(cuserid)).length;
  const [m, n, a, b] = isPaired
    ? [both.length, both.length, always + onlybefore, always + onlynow]
    : [validBefore, validNow, first.abnormal.abnormal, second.abnormal.abnormal];
  const [p, q, [lowP, highP], [lowQ, highQ]] = [a / m, b / n, wilsonAgain(a, m), wilsonAgain(b, n)];
  // The correlation of both results, corrected for continuity when it is positive (Newcombe 1998, method 10).
  const spread = Math.sqrt(p * (1 - p) * q * (1 - q));
  const correlation = isPaired && spread > 0 ? (always / m - p * q) / spread : 0;
  const phi = correlation > 0 ? Math.max(0, correlation - 1 / (2 * m * spread)) : correlation;
  const join = (x: number, y: number) => Math.sqrt(x * x + y * y - 2 * phi * x * y);
  expect(result.difference).toBeCloseTo((q - p) * 100, 0);
  expect(result.low).toBeCloseTo((q - p - join(q - lowQ, highP - p)) * 100, 0);
  expect(result.high).toBeCloseTo((q - p + join(highQ - q, p - lowP)) * 100, 0);
  const pooled = (a + b) / (m + n);
  const z = (q - p) / Math.sqrt(pooled * (1 - pooled) * (1 / m + 1 / n));
  const chi = Math.max(0, Math.abs(onlybefore - onlynow) - 1) ** 2 / (onlybefore + onlynow);
  const isExact = onlybefore + onlynow < 25;
  expect(result.test).toBe(isPaired ? (isExact ? 'exact' : 'mcnemar') : 'z');
  const expected = isPaired ? (isExact ? signAgain(onlybefore, onlynow) : outside(Math.sqrt(chi))) : outside(z);
  expect(result.p).toBeCloseTo(expected, 3);
  expect(result.isnoise).toBe(expected < 0.05 ? 0 : 1);
});
