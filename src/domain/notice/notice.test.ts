import { expect, test } from 'vitest';
import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { findRetryTime, findNoticeGroup, formatOutsideNotice } from '#domain/notice/noticeGroup.ts';
import { DEFAULT_QUIET_HOURS, findQuietTime, isUrgentNotice, type QuietHours } from '#domain/notice/quietHours.ts';

const quiet = (hours: QuietHours, time: string) => {
  const found = findQuietTime(hours, fromShanghai(time));
  return found && [shanghaiTime(found.start).slice(0, 16), shanghaiTime(found.end).slice(0, 16)];
};

test('by default a night is quiet from 22:00 to 07:00, before and after midnight', () => {
  expect(quiet(DEFAULT_QUIET_HOURS, '2025-10-08 21:59')).toBeNull();
  expect(quiet(DEFAULT_QUIET_HOURS, '2025-10-08 22:00')).toEqual(['2025-10-08 22:00', '2025-10-09 07:00']);
  expect(quiet(DEFAULT_QUIET_HOURS, '2025-10-09 06:59')).toEqual(['2025-10-08 22:00', '2025-10-09 07:00']);
  expect(quiet(DEFAULT_QUIET_HOURS, '2025-10-09 07:00')).toBeNull();
});

test('quiet hours may lie within one day, and may be off', () => {
  const noon = { isOn: true, from: '12:00', until: '14:00' };
  expect(quiet(noon, '2025-10-08 13:00')).toEqual(['2025-10-08 12:00', '2025-10-08 14:00']);
  expect(quiet(noon, '2025-10-08 14:00')).toBeNull();
  expect(quiet({ ...noon, isOn: false }, '2025-10-08 13:00')).toBeNull();
});

test('cases of level 3 and 4, self-harm answers and gaps of the comparison are urgent; all other messages wait', () => {
  expect(isUrgentNotice('warning', { level: 3, itemtrigger: 0 })).toBe(true);
  expect(isUrgentNotice('overdue', { level: 2, itemtrigger: 1 })).toBe(true);
  expect(isUrgentNotice('warning', null)).toBe(true);
  expect(isUrgentNotice('warning', { level: 2, itemtrigger: 0 })).toBe(false);
  expect(isUrgentNotice('approval', { level: 4, itemtrigger: 1 })).toBe(false);
  expect(isUrgentNotice('task', null)).toBe(false);
});

test('a message outside the console says the institution, the group and the number, and nothing else', () => {
  expect(formatOutsideNotice({ insname: '云栖市晨光中学', group: 'warning', count: 3 })).toBe(
    '云栖市晨光中学：您有 3 条新的预警消息，请登录查看。',
  );
  expect(['overdue', 'task', 'approval', 'job'].map(findNoticeGroup)).toEqual(['warning', 'task', 'approval', 'system']);
});

test('failed messages are tried again after growing intervals for about a day, then no more', () => {
  const now = new Date('2025-10-08T02:00:00Z');
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => {
    const time = findRetryTime(attempts, now);
    return time && (time.getTime() - now.getTime()) / 60_000;
  });
  expect(minutes).toEqual([1, 5, 15, 60, 180, 360, 720, null]);
});
