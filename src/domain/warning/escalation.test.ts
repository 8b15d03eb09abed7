import { describe, expect, it } from 'vitest';
import { addHours, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { CHAINS, chainFor, groupOverdue, overdueSteps, remindHours, toSendTime } from '#domain/warning/escalation.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';

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

describe('an overdue case', () => {
  const due = { kinds: ['accept' as const], due: fromShanghai('2025-03-07 15:00') };
  const stepsAfter = (level: 1 | 2 | 3 | 4, hours: number, itemtrigger = false) =>
    overdueSteps({ level, appid: '000000002', sector: 'edu' }, due, addHours(due.due, hours), itemtrigger).map(
      ({ seq, time, node }) => [seq, shanghaiTime(time).slice(5, 16), node.name],
    );

  it('of level 3 notifies the next node every two hours, in the night too, and then reminds the principal daily', () => {
    expect(stepsAfter(3, 0)).toEqual([]);
    expect(stepsAfter(3, 0.1)).toEqual([[1, '03-07 15:00', '年级/院系']]);
    expect(stepsAfter(3, 30)).toEqual([
      [1, '03-07 15:00', '年级/院系'],
      [2, '03-07 17:00', '学校心理中心'],
      [3, '03-07 19:00', '校领导'],
      [4, '03-08 19:00', '校领导'],
    ]);
  });

  it('of level 2 notifies the next node every twelve hours and lets the night pass', () => {
    expect(stepsAfter(2, 15.9)).toEqual([[1, '03-07 15:00', '年级/院系']]);
    expect(stepsAfter(2, 16)).toEqual([
      [1, '03-07 15:00', '年级/院系'],
      [2, '03-08 07:00', '学校心理中心'],
    ]);
    expect(stepsAfter(2, 12.1, true).at(-1)).toEqual([2, '03-08 03:00', '学校心理中心']);
  });

  it('has one notice for the clocks that run out together, and another for each later clock', () => {
    const later = addHours(due.due, 5);
    const clocks = [
      { kind: 'follow' as const, due: later },
      { kind: 'accept' as const, due: due.due },
      { kind: 'assess' as const, due: due.due },
    ];
    expect(groupOverdue(clocks, due.due)).toEqual([]);
    expect(groupOverdue(clocks, addHours(due.due, 1))).toEqual([{ kinds: ['accept', 'assess'], due: due.due }]);
    expect(groupOverdue(clocks, addHours(due.due, 6))[1]).toEqual({ kinds: ['follow'], due: later });
  });

  it('uses the chain of its population', () => {
    expect(CHAINS.education.nodes).toHaveLength(5);
    const nextNode = (appid: string, sector: WarningFacts['sector']) =>
      chainFor({ appid, sector }).nodes[chainFor({ appid, sector }).owner + 1]?.name;
    expect(nextNode('000000001', 'health')).toBe('产科医生');
    expect(nextNode('000000003', 'enterprise')).toBe('心理医生');
    expect(nextNode('000000004', 'elder')).toBe('社区卫生中心');
    expect(nextNode('000000005', 'edu')).toBe('年级/院系');
    expect(nextNode('000000005', 'gov')).toBe('心理医生');
  });
});
