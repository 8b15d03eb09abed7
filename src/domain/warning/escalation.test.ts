import { describe, expect, it } from 'vitest';
import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { remindHours, toSendTime } from '#domain/warning/escalation.ts';

const sentAt = (time: string, level: 1 | 2 | 3 | 4, itemtrigger = false) =>
  shanghaiTime(toSendTime(fromShanghai(time), level, itemtrigger)).slice(0, 16);

describe('a reminder that is due in the night', () => {
  it('of level 2 waits until seven in the morning', () => {
    expect(sentAt('2025-10-10 21:59', 2)).toBe('2025-10-10 21:59');
    expect(sentAt('2025-10-10 22:00', 2)).toBe('2025-10-11 07:00');
    expect(sentAt('2025-10-11 00:30', 1)).toBe('2025-10-11 07:00');
    expect(sentAt('2025-10-11 06:59', 2)).toBe('2025-10-11 07:00');
    expect(sentAt('2025-10-11 07:00', 2)).toBe('2025-10-11 07:00');
    expect(sentAt('2025-12-31 23:00', 2)).toBe('2026-01-01 07:00');
  });

  it('of level 3, of level 4 or of a self-harm answer is sent at once', () => {
    for (const [level, itemtrigger] of [
      [3, false],
      [4, false],
      [2, true],
    ] as const)
      expect(sentAt('2025-10-11 02:15', level, itemtrigger)).toBe('2025-10-11 02:15');
  });
});

it('an unread notice is repeated after 15 minutes, 2 hours or a day, by level and self-harm answer', () => {
  expect([4, 3, 2, 1].map((level) => remindHours(level as 1 | 2 | 3 | 4, false))).toEqual([0.25, 2, 24, null]);
  expect([2, 1].map((level) => remindHours(level as 1 | 2, true))).toEqual([2, 2]);
});
