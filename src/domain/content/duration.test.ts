import { expect, test } from 'vitest';
import { clockOf, lengthWords } from '#domain/content/duration.ts';

test('a player shows minutes and seconds, and hours only when there are any', () => {
  expect([0, 7, 187, 3729].map(clockOf)).toEqual(['0:00', '0:07', '3:07', '1:02:09']);
  expect(clockOf(59.9)).toBe('0:59');
});

test('the length of a lesson is written in words', () => {
  expect([45, 60, 730, 3600, 3900].map(lengthWords)).toEqual(['45 秒', '1 分钟', '12 分钟', '1 小时', '1 小时 5 分钟']);
});

test('the words round 59 and a half minutes to an hour', () => {
  expect(lengthWords(59 * 60 + 30)).toBe('1 小时');
});
