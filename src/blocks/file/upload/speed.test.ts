import { expect, test } from 'vitest';
import { speedMeter } from '#blocks/file/upload/speed.ts';

test('the speed of an upload is that of the last seconds, and begins anew after an interruption', () => {
  const measure = speedMeter();
  expect(measure(0, 0)).toBe(0);
  expect(measure(500, 500)).toBe(0);
  expect(measure(2000, 1000)).toBe(2000);
  // The line becomes slow: the first seconds no longer count.
  expect(measure(3000, 10_000)).toBe(0);
  expect(measure(3500, 12_000)).toBe(250);
  // The server is at an earlier place.
  expect(measure(3000, 13_000)).toBe(0);
  expect(measure(4000, 15_000)).toBe(500);
});
