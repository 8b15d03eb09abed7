import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';

/**
 * Who is notified of what (clinical-rules.md B). How much a notice says:
 * 2 name, class, "请关注"; 3 name, level, step, due; 4 everything, console only; 5 case number, level, times, no name.
 * ① is the text of short messages and calls: it names nobody.
 */
export type NoticeInfo = 2 | 3 | 4 | 5;
/** The text ① of every short message and call. */
export const SHORT_TEXT = '有预警待处理，请登录';

/** A way to reach a person besides the console. */
export type NoticeChannel = 'sms' | 'call';
export const NOTICE_CHANNELS: Readonly<Record<NoticeChannel, string>> = { sms: '短信', call: '电话' };

/** The staff of the institution of a case who get notices. */
export type NoticeParty = 'owner' | 'duty' | 'psychologist' | 'classteacher' | 'leader';
/** The nodes above the institution. The operator is the platform. */
export type NodeAbove = 'provider' | 'authority' | 'operator';

interface NoticeRule {
  info: NoticeInfo;
  channel?: NoticeChannel;
}
/** E1–E10 of the table, and three events that only handlers read: a level-1 case, a joined trigger, a new owner. */
export type NoticeEvent =
  'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6' | 'E7' | 'E8' | 'E9' | 'E10' | 'attention' | 'joined' | 'handover';
export type NoticeTable = Readonly<
  Record<NoticeEvent, Readonly<Partial<Record<NoticeParty, NoticeRule> & Record<'provider' | 'authority', NoticeRule>>>>
>;

const full = { info: 4 } as const;
const fullSms = { info: 4, channel: 'sms' } as const;
const fullCall = { info: 4, channel: 'call' } as const;

/** The table of clinical-rules.md B: event × recipient → information and channel. `authority` applies to level 4 in E4–E6. */
export const NOTICE_TABLE: NoticeTable = {
  attention: { owner: full },
  joined: { owner: full },
  handover: { owner: fullSms, psychologist: full },
  E1: { owner: full, psychologist: full, classteacher: { info: 2 } },
  E2: { owner: fullSms, duty: fullSms, psychologist: fullSms, classteacher: { info: 2 } },
  E3: {
    owner: fullSms,
    duty: fullSms,
    psychologist: fullSms,
    classteacher: { info: 2 },
    leader: { info: 3 },
    provider: { info: 5 },
  },
  E4: {
    owner: fullCall,
    duty: fullCall,
    psychologist: fullCall,
    classteacher: { info: 2, channel: 'call' },
    leader: { info: 3, channel: 'call' },
    provider: { info: 4 },
    authority: { info: 5 },
  },
  E5: { owner: full, duty: full, psychologist: full, leader: { info: 3 }, provider: { info: 5 }, authority: { info: 5 } },
  E6: {
    owner: full,
    duty: full,
    psychologist: full,
    classteacher: { info: 2 },
    leader: { info: 3 },
    provider: { info: 5 },
    authority: { info: 5 },
  },
  E7: { owner: full, duty: full, psychologist: full, leader: { info: 3 } },
  E8: { owner: full, psychologist: full },
  E9: {
    owner: full,
    duty: full,
    psychologist: full,
    classteacher: { info: 3 },
    leader: { info: 3, channel: 'call' },
    provider: { info: 5 },
    authority: { info: 5 },
  },
  E10: { owner: full, duty: full, psychologist: full, leader: { info: 3 }, provider: { info: 5 }, authority: { info: 5 } },
};

/** Why staff are notified of a case. `news` and `reopened` are told like a new case. */
export type NoticeReason =
  'opened' | 'raised' | 'news' | 'reopened' | 'joined' | 'unreachable' | 'handedover' | 'overdue' | 'death';

/** Whether the reason is news (新情况): somebody must accept the case anew. */
export const isNews = (reason: NoticeReason): boolean => ['opened', 'raised', 'news', 'reopened'].includes(reason);

/** The event of the table for a reason. */
export function findNoticeEvent(reason: NoticeReason, level: WarningLevelCode, itemtrigger: boolean): NoticeEvent {
  if (reason === 'joined') return 'joined';
  if (reason === 'handedover') return 'handover';
  if (reason === 'overdue') return 'E5';
  if (reason === 'death') return 'E9';
  if (reason === 'unreachable') return level >= 3 ? 'E6' : 'joined';
  if (level >= 3) return level === 4 ? 'E4' : 'E3';
  if (itemtrigger) return 'E2';
  return level === 2 ? 'E1' : 'attention';
}

/** A member of staff as a recipient. `isAble`: enabled, an account of their own, 预警处置 (00014), not absent. */
export interface NoticeStaff {
  userid: string;
  isAble: boolean;
  onduty: boolean;
  roles: readonly string[];
}

/** One notice to a member of staff. */
export interface StaffNotice extends NoticeRule {
  userid: string;
  party: NoticeParty;
}
export interface NoticePlan {
  staff: StaffNotice[];
  above: { node: NodeAbove; info: 4 | 5 }[];
}

export interface NoticeSubject {
  event: NoticeEvent;
  level: WarningLevelCode;
  owneruserid: string | null;
  /** the enabled staff of the institution */
  staff: readonly NoticeStaff[];
  /** the owners of the person's teams */
  teachers: readonly string[];
  /** the members of staff named as suspected sources of harm: get nothing */
  suspectuserids: readonly string[];
  /** the local rule: a case of level 4 is reported to the authority at once */
  isAuthorityNotified: boolean;
}

const STANDIN_ROLES = ['psychologist', 'warningduty', 'insadmin'];

/** The able staff in the order in which they stand in for the owner: on duty first, then by role. */
export function rankStandIns<T extends NoticeStaff>(staff: readonly T[], except: readonly (string | null)[] = []): T[] {
  const rank = (item: NoticeStaff) => {
    const role = STANDIN_ROLES.findIndex((name) => item.roles.includes(name));
    return (item.onduty ? 0 : 10) + (role < 0 ? STANDIN_ROLES.length : role);
  };
  return staff
    .filter((item) => item.isAble && !except.includes(item.userid))
    .sort((a, b) => rank(a) - rank(b) || (a.userid < b.userid ? -1 : 1));
}

/**
 * The recipients of an event. When the owner is missing, not able or not on duty, the next able person is notified too. Without
 * anybody on duty the provider gets what duty staff get. Without any able person the provider, the authority and the operator do.
 */
export function planNotices(subject: NoticeSubject): NoticePlan {
  const { event, level, owneruserid, suspectuserids } = subject;
  const rules = NOTICE_TABLE[event];
  const staff = subject.staff.filter((item) => !suspectuserids.includes(item.userid));
  const planned = new Map<string, StaffNotice>();
  const add = (party: NoticeParty, userids: readonly string[], rule = rules[party]) => {
    if (!rule) return;
    for (const userid of userids) if (!planned.has(userid)) planned.set(userid, { userid, party, ...rule });
  };
  const useridsOf = (test: (item: NoticeStaff) => boolean) => staff.filter(test).map((item) => item.userid);

  add(
    'owner',
    useridsOf((item) => item.userid === owneruserid),
  );
  add(
    'duty',
    useridsOf((item) => item.onduty && item.isAble),
  );
  add(
    'psychologist',
    useridsOf((item) => item.roles.includes('psychologist')),
  );
  const owner = staff.find((item) => item.userid === owneruserid);
  if (!owner?.isAble || !owner.onduty) {
    const standIns = rankStandIns(staff, [owneruserid]).slice(0, 1);
    const userids = standIns.map((item) => item.userid);
    add('duty', userids, rules.duty ?? rules.owner);
  }
  add(
    'leader',
    useridsOf((item) => item.roles.includes('insadmin')),
  );
  add(
    'classteacher',
    subject.teachers.filter((userid) => !suspectuserids.includes(userid)),
  );

  const above = new Map<NodeAbove, 4 | 5>();
  const provider = rules.provider?.info === 4 ? 4 : 5;
  if (rules.provider) above.set('provider', provider);
  if (rules.authority && (level === 4 || event === 'E9') && subject.isAuthorityNotified) above.set('authority', 5);
  const isDutyEmpty = !staff.some((item) => item.onduty && item.isAble);
  if (isDutyEmpty && rules.duty) above.set('provider', 4);
  if (!staff.some((item) => item.isAble)) {
    above.set('provider', 4);
    above.set('authority', 5);
    above.set('operator', 5);
  }
  return { staff: [...planned.values()], above: [...above].map(([node, info]) => ({ node, info })) };
}
