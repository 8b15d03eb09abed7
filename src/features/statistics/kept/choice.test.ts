import { expect, test } from 'vitest';
import { toChoice, toChoicesToCount, type Choice } from '#features/statistics/kept/choice.ts';

const student = '000000002';
const used = (year: string, term: string, plancode = 'P1', appid = student): Choice => ({ appid, plancode, year, term });
const text = ({ appid, plancode, year, term }: Choice) => [year || '全部', term, appid, plancode].filter(Boolean).join(' ');
const lines = (rows: Choice[]) =>
  toChoicesToCount(rows).map(({ choice, sameAs }) => text(choice) + (sameAs ? ` = ${text(sameAs)}` : ''));

test('with one population and one plan each period is counted once, a year of one term not again', () => {
  expect(lines([used('2025-2026', '1')])).toEqual([
    '2025-2026 1 * *',
    `2025-2026 1 ${student} * = 2025-2026 1 * *`,
    '2025-2026 1 * P1 = 2025-2026 1 * *',
    '2025-2026 * * = 2025-2026 1 * *',
    `2025-2026 ${student} * = 2025-2026 1 ${student} *`,
    '2025-2026 * P1 = 2025-2026 1 * P1',
    '全部 * *',
    `全部 ${student} * = 全部 * *`,
    '全部 * P1 = 全部 * *',
  ]);
});

test('two terms, two plans and a sheet without a task are counted each for itself', () => {
  const counted = lines([used('2025-2026', '1'), used('2025-2026', '2', 'P2'), used('', '', 'P1')]).filter(
    (line) => !line.includes('='),
  );
  expect(counted).toEqual([
    ...['2025-2026 1 * *', '2025-2026 2 * *', '2025-2026 * *', '2025-2026 * P1', '2025-2026 * P2'],
    ...['全部 * *', '全部 * P1', '全部 * P2'],
  ]);
});

test('a school year is a choice, a term without its year is none', () => {
  expect(toChoice({ appids: null, year: '2025-2026' })).toEqual({ appid: '*', plancode: '*', year: '2025-2026', term: '' });
  expect(toChoice({ appids: null, term: '1' })).toBeUndefined();
});
