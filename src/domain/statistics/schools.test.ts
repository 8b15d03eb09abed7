import { expect, test } from 'vitest';
import { adjustedRateOf, careFiguresOf, compareFigures, placeOfSchool, type ReleasedCounts } from '#domain/statistics/schools.ts';

const counts = (valid: number | null, abnormal: number | null, more: Partial<ReleasedCounts> = {}): ReleasedCounts => ({
  ...{ valid, abnormal, opened: null, settled: null, closed: null },
  ...more,
});
/** 12 % of the region need attention. */
const region = counts(2000, 240);

test('a school with 30 of 200 lies 波动内, with 38 偏离 and with 60 明显偏离, when the region has 12 %', () => {
  expect([30, 38, 60].map((abnormal) => placeOfSchool(counts(200, abnormal), region))).toEqual(['波动内', '偏离', '明显偏离']);
});

test('a school with a hidden count or fewer than 10 valid results has no place', () => {
  expect(placeOfSchool(counts(200, null), region)).toBe(null);
  expect(placeOfSchool(counts(9, 5), region)).toBe(null);
  expect(placeOfSchool(counts(200, 38), counts(null, null))).toBe(null);
  expect(placeOfSchool(counts(0, 0), region)).toBe(null);
});

test('the share of a school has its interval: 40 of 400 are 10.0 % (7.4–13.3)', () => {
  expect(careFiguresOf(counts(400, 40))).toMatchObject({ abnormalrate: 10, low: 7.4, high: 13.3 });
  expect(careFiguresOf(counts(400, null))).toMatchObject({ abnormalrate: null, low: null, high: null });
});

test('of 20 cases 15 closed and 18 without overdue duty are 结案率 75 % and 闭环率 90 %', () => {
  const figures = careFiguresOf(counts(400, 40, { opened: 20, settled: 18, closed: 15 }));
  expect([figures.closerate, figures.looprate]).toEqual([75, 90]);
  const hidden = careFiguresOf(counts(400, 40, { opened: 20, settled: null, closed: 15 }));
  expect([hidden.closerate, hidden.looprate]).toEqual([75, null]);
  expect(careFiguresOf(counts(400, 40, { opened: 0, settled: 0, closed: 0 })).closerate).toBe(null);
});

const regionGrades = [
  { gradecode: 'J1', valid: 1000, abnormal: 80 },
  { gradecode: 'J2', valid: 1000, abnormal: 160 },
];

test('a school whose grades have the shares of the region is adjusted to the share of the region', () => {
  const grades = [
    { gradecode: 'J1', valid: 50, abnormal: null },
    { gradecode: 'J2', valid: 150, abnormal: null },
  ];
  expect(adjustedRateOf(counts(200, 28), grades, region, regionGrades)).toBe(12);
  expect(adjustedRateOf(counts(200, 42), grades, region, regionGrades)).toBe(18);
});

test('a school with a hidden grade is not adjusted', () => {
  const grades = [
    { gradecode: 'J1', valid: null, abnormal: null },
    { gradecode: 'J2', valid: 150, abnormal: null },
  ];
  expect(adjustedRateOf(counts(200, 28), grades, region, regionGrades)).toBe(null);
  const unknown = [{ gradecode: 'S1', valid: 200, abnormal: null }];
  expect(adjustedRateOf(counts(200, 28), unknown, region, regionGrades)).toBe(null);
});

test('schools without a figure come last in either direction', () => {
  const order = (isAscending: boolean) => [70, null, 95].sort((a, b) => compareFigures(a, b, isAscending));
  expect([order(true), order(false)]).toEqual([
    [70, 95, null],
    [95, 70, null],
  ]);
});
