import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { arrangeSlots, findSlotFault, findStartFault, formatSpan } from '#domain/task/slots.ts';

const task = { begintime: fromShanghai('2025-10-06 08:00'), endtime: fromShanghai('2025-10-10 17:00'), isRunning: true };
const slot = {
  begintime: fromShanghai('2025-10-08 10:00'),
  endtime: fromShanghai('2025-10-08 10:45'),
  teamname: '初二3班',
};

test('a student who comes before or after the slot of the class reads its time; within the slot the student begins', () => {
  const at = (time: string) => findStartFault(fromShanghai(time), task, slot, false);
  expect(at('2025-10-08 09:59')).toBe('初二3班的作答时间是 10月8日 10:00–10:45，现在还没有到。请到时间再来');
  expect(at('2025-10-05 09:00')).toContain('10月8日 10:00–10:45');
  expect(at('2025-10-08 10:00')).toBeUndefined();
  expect(at('2025-10-08 10:45')).toBeUndefined();
  expect(at('2025-10-08 10:46')).toBe('初二3班的作答时间（10月8日 10:00–10:45）已经过了。如需补测请联系老师');
  expect(at('2025-10-11 08:00')).toBe('本次测评已结束，如需补测请联系老师');
});

test('a student who has begun goes on after the slot, and nobody goes on after the task', () => {
  expect(findStartFault(fromShanghai('2025-10-08 11:00'), task, slot, true)).toBeUndefined();
  expect(findStartFault(fromShanghai('2025-10-10 17:01'), task, slot, true)).toContain('已结束');
  expect(findStartFault(fromShanghai('2025-10-08 10:30'), { ...task, isRunning: false }, slot, true)).toContain('已结束');
});

test('without a slot the window of the task counts', () => {
  expect(findStartFault(fromShanghai('2025-10-06 07:59'), task, null, false)).toBe('测评将于 2025-10-06 08:00 开始');
  expect(findStartFault(fromShanghai('2025-10-06 08:00'), task, null, false)).toBeUndefined();
});

test('a slot lies within the task and ends after its begin', () => {
  const window = { begintime: '2025-10-06 08:00', endtime: '2025-10-10 17:00:00' };
  const faultOf = (begintime: string, endtime: string) => findSlotFault([{ teamcode: 'A', begintime, endtime }], window)?.reason;
  expect(faultOf('2025-10-06 08:00', '2025-10-10 17:00')).toBeUndefined();
  expect(faultOf('2025-10-08 10:45', '2025-10-08 10:00')).toBe('时段的结束时间须晚于开始时间');
  expect(faultOf('2025-10-06 07:30', '2025-10-06 08:15')).toContain('10月6日 08:00 至 10月10日 17:00');
  expect(faultOf('2025-10-10 16:30', '2025-10-10 17:15')).toContain('之内');
});

test('classes are placed one after the other; the afternoon ends at five and the weekend is free', () => {
  const arranged = arrangeSlots(['A', 'B', 'C', 'D', 'E'], {
    begintime: '2025-10-10 14:00',
    minutes: 45,
    pause: 10,
    atOnce: 1,
  });
  expect(arranged.map(({ teamcode, ...span }) => `${teamcode} ${formatSpan(span)}`)).toEqual([
    'A 10月10日 14:00–14:45',
    'B 10月10日 14:55–15:40',
    'C 10月10日 15:50–16:35',
    'D 10月13日 14:00–14:45',
    'E 10月13日 14:55–15:40',
  ]);
  const pairs = arrangeSlots(['A', 'B', 'C'], { begintime: '2025-10-08 08:00', minutes: 40, pause: 5, atOnce: 2 });
  expect(pairs.map(({ begintime }) => begintime.slice(11))).toEqual(['08:00', '08:00', '08:45']);
});
