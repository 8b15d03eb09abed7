import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findNoticeEvent,
  NOTICE_TABLE,
  planNotices,
  rankStandIns,
  type NoticeStaff,
  type NoticeSubject,
} from '#domain/warning/notices.ts';

const colleague = (userid: string, roles: string[], more: Partial<NoticeStaff> = {}): NoticeStaff => ({
  userid,
  roles,
  isAble: true,
  onduty: false,
  ...more,
});
const chen = colleague('chen', ['psychologist'], { onduty: true });
const lu = colleague('lu', ['psychologist']);
const duty = colleague('duty', ['warningduty'], { onduty: true });
const ma = colleague('ma', ['insadmin']);
const nobody = colleague('nobody', [], { isAble: false });

const plan = (more: Partial<NoticeSubject>) => {
  const { staff, above } = planNotices({
    event: 'E3',
    level: 3,
    owneruserid: 'chen',
    staff: [chen, lu, duty, ma, nobody],
    teachers: ['wang'],
    suspectuserids: [],
    isAuthorityNotified: true,
    ...more,
  });
  return {
    staff: Object.fromEntries(staff.map(({ userid, info, channel }) => [userid, `${info}${channel ?? ''}`])),
    above: Object.fromEntries(above.map(({ node, info }) => [node, info])),
  };
};

describe('the table of notices', () => {
  it('tells an ordinary case of level 2 to the owner, the psychologists and the class teacher', () => {
    expect(plan({ event: 'E1', level: 2 })).toEqual({ staff: { chen: '4', lu: '4', wang: '2' }, above: {} });
  });

  it('tells a self-harm answer of level 2 also to duty, with a short message', () => {
    expect(plan({ event: 'E2', level: 2 })).toEqual({
      staff: { chen: '4sms', duty: '4sms', lu: '4sms', wang: '2' },
      above: {},
    });
  });

  it('tells level 3 to leaders with the name and to the provider without one', () => {
    expect(plan({})).toEqual({
      staff: { chen: '4sms', duty: '4sms', lu: '4sms', ma: '3', wang: '2' },
      above: { provider: 5 },
    });
  });

  it('calls everybody at level 4, and tells the provider everything and the authority no name', () => {
    expect(plan({ event: 'E4', level: 4 })).toEqual({
      staff: { chen: '4call', duty: '4call', lu: '4call', ma: '3call', wang: '2call' },
      above: { provider: 4, authority: 5 },
    });
    expect(plan({ event: 'E4', level: 4, isAuthorityNotified: false }).above).toEqual({ provider: 4 });
  });

  it('tells the authority of an unreachable person only at level 4', () => {
    expect(plan({ event: 'E6', level: 3 }).above).toEqual({ provider: 5 });
    expect(plan({ event: 'E6', level: 4 }).above).toEqual({ provider: 5, authority: 5 });
    expect(plan({ event: 'E6', level: 3 }).staff['wang']).toBe('2');
  });

  it('tells news like a new case of its level, and a joined trigger only to the owner', () => {
    for (const reason of ['opened', 'raised', 'news', 'reopened'] as const) {
      expect([1, 2, 3, 4].map((level) => findNoticeEvent(reason, level as 1 | 2 | 3 | 4, false))).toEqual([
        'attention',
        'E1',
        'E3',
        'E4',
      ]);
      expect(findNoticeEvent(reason, 2, true)).toBe('E2');
    }
    expect(plan({ event: findNoticeEvent('joined', 2, false) })).toEqual({ staff: { chen: '4' }, above: {} });
    expect(findNoticeEvent('unreachable', 2, false)).toBe('joined');
  });
});

describe('an owner who cannot act', () => {
  it('is joined by the next able person: on duty first, then by role', () => {
    const absent = { ...chen, isAble: false, onduty: false };
    expect(plan({ event: 'E1', level: 2, staff: [absent, lu, duty, ma] }).staff).toEqual({
      chen: '4',
      lu: '4',
      duty: '4',
      wang: '2',
    });
    expect(plan({ event: 'joined', owneruserid: 'gone', staff: [lu, ma] }).staff).toEqual({ lu: '4' });
    expect(rankStandIns([nobody, ma, lu, duty]).map((item) => item.userid)).toEqual(['duty', 'lu', 'ma']);
  });

  it('who is not on duty is joined too', () => {
    expect(plan({ event: 'joined', owneruserid: 'lu' }).staff).toEqual({ lu: '4', chen: '4' });
  });

  it('makes a leader the handler when nobody else is able', () => {
    expect(plan({ owneruserid: 'gone', staff: [ma] }).staff['ma']).toBe('4sms');
  });
});

it('a suspected source of harm gets no notice, whatever the role', () => {
  for (const suspectuserid of ['chen', 'lu', 'duty', 'ma', 'wang'])
    for (const event of ['E1', 'E3', 'E4', 'E6', 'E9'] as const)
      expect(Object.keys(plan({ event, level: 4, suspectuserids: [suspectuserid] }).staff)).not.toContain(suspectuserid);
});

it('without anybody on duty the provider gets what duty staff get', () => {
  expect(plan({ event: 'E2', level: 2, staff: [lu, ma], owneruserid: 'lu' }).above).toEqual({ provider: 4 });
});

describe('an institution with any staff', () => {
  const anyStaff = fc.uniqueArray(
    fc.record({
      userid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      isAble: fc.boolean(),
      onduty: fc.boolean(),
      roles: fc.subarray(['psychologist', 'warningduty', 'insadmin', 'classteacher']),
    }),
    { selector: (item) => item.userid },
  );
  const eventsOfCase = fc.array(
    fc.record({
      reason: fc.constantFrom('opened', 'raised', 'news', 'reopened', 'joined', 'unreachable', 'handedover', 'death'),
      level: fc.constantFrom(1, 2, 3, 4),
      itemtrigger: fc.boolean(),
      owneruserid: fc.constantFrom('a', 'b', 'gone', null),
      suspectuserids: fc.subarray(['a', 'c']),
      staff: anyStaff,
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('every event of a case reaches an able person in full, or the provider, the authority and the operator', () => {
    fc.assert(
      fc.property(eventsOfCase, (events) => {
        for (const { reason, level, itemtrigger, ...rest } of events) {
          const event = findNoticeEvent(reason as 'news', level as 1, itemtrigger);
          const { staff, above } = planNotices({
            ...rest,
            event,
            level: level as 1,
            teachers: ['a'],
            isAuthorityNotified: false,
          });
          const able = new Set<string>(
            rest.staff.filter((item) => item.isAble && !rest.suspectuserids.includes(item.userid)).map((item) => item.userid),
          );
          const isRead = staff.some((item) => item.info === 4 && able.has(item.userid));
          const nodes = above.map((item) => item.node);
          const isAbove = ['provider', 'authority', 'operator'].every((node) => nodes.includes(node as 'provider'));
          expect(isRead || isAbove).toBe(true);
          expect(staff.some((item) => rest.suspectuserids.includes(item.userid))).toBe(false);
          expect(new Set(staff.map((item) => item.userid)).size).toBe(staff.length);
        }
      }),
    );
  });

  it('no node above but the provider ever gets a name', () => {
    for (const rules of Object.values(NOTICE_TABLE)) expect(rules.authority?.info ?? 5).toBe(5);
  });
});
