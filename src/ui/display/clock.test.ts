import { expect, test } from 'vitest';
import { agoWords, stamp } from '#ui/display/RelativeTime.tsx';
import { clockWords } from '#ui/display/Clock.tsx';
import { lastDays } from '#ui/dates/DateRange.tsx';

const minutes = 60_000;

test.each([
  [30 * minutes, '剩 30 分', true, false],
  [125 * minutes, '剩 2 小时 5 分', false, false],
  [26 * 60 * minutes, '剩 1 天 2 小时', false, false],
  [5 * 24 * 60 * minutes, '剩 5 天', false, false],
  [-40 * minutes, '已超时 40 分', false, true],
  [-50 * 60 * minutes, '已超时 2 天 2 小时', false, true],
])('a deadline %i ms away reads %s', (left, words, near, late) => {
  expect(clockWords(1_800_000_000_000 + left, 1_800_000_000_000)).toEqual({ words, near, late });
});

test('a time is shown in China’s time zone in any browser', () => {
  expect(stamp('2026-03-01T16:05:00Z')).toBe('2026-03-02 00:05');
});

test('a relative time is shown in words, and as a date after a week', () => {
  const now = Date.parse('2026-03-20T04:00:00Z');
  expect([0, 5, 180, 2 * 1440, 9 * 1440].map((ago) => agoWords(now - ago * minutes, now))).toEqual([
    '刚刚',
    '5 分钟前',
    '3 小时前',
    '2 天前',
    '2026-03-11',
  ]);
});

test('最近一周, 最近一个月 and 最近三个月 are 7, 30 and 90 days up to today in China', () => {
  const now = Date.parse('2026-03-01T17:00:00Z');
  expect([7, 30, 90].map((days) => lastDays(days, now))).toEqual([
    ['2026-02-24', '2026-03-02'],
    ['2026-02-01', '2026-03-02'],
    ['2025-12-03', '2026-03-02'],
  ]);
});
