import { addDays, addHours, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { Due, DueKind } from '#domain/warning/clock/clocks.ts';
import type { WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

export interface ChainNode {
  key: string;
  name: string;
}

/** The nodes that get a notice of an overdue duty, from nearest to highest. `owner` is the index of the node that owns a new warning. */
export interface Chain {
  nodes: readonly ChainNode[];
  owner: number;
  /** nodes informed in parallel or by referral, not by escalation */
  beside: readonly ChainNode[];
}

/** The shipped chains. An institution may use its own chain of three to five nodes. Education has the five-level network (五级网络). */
export const CHAINS = {
  education: {
    nodes: [
      { key: 'peer', name: '宿舍/同伴' },
      { key: 'classteacher', name: '班主任' },
      { key: 'grade', name: '年级/院系' },
      { key: 'centre', name: '学校心理中心' },
      { key: 'principal', name: '校领导' },
    ],
    owner: 1,
    beside: [
      { key: 'family', name: '家庭' },
      { key: 'hospital', name: '医院' },
    ],
  },
  maternity: {
    nodes: [
      { key: 'nurse', name: '门诊护士' },
      { key: 'obstetrician', name: '产科医生' },
      { key: 'liaison', name: '心理/精神科联络' },
      { key: 'medicalaffairs', name: '医务科' },
    ],
    owner: 0,
    beside: [],
  },
  workers: {
    nodes: [
      { key: 'eap', name: 'EAP 专员' },
      { key: 'doctor', name: '心理医生' },
      { key: 'union', name: '单位工会' },
    ],
    owner: 0,
    beside: [],
  },
  elder: {
    nodes: [
      { key: 'caregiver', name: '护理员/家庭医生' },
      { key: 'community', name: '社区卫生中心' },
      { key: 'psychiatry', name: '精神专科' },
    ],
    owner: 0,
    beside: [],
  },
} as const satisfies Record<string, Chain>;

/** The chain of a case: by its population, or by the sector of the institution for custom reports. */
export function chainFor(warning: Pick<WarningFacts, 'appid' | 'sector'>): Chain {
  const byApp: Readonly<Record<string, Chain>> = {
    '000000001': CHAINS.maternity,
    '000000002': CHAINS.education,
    '000000003': CHAINS.workers,
    '000000004': CHAINS.elder,
  };
  const bySector: Readonly<Record<string, Chain>> = { edu: CHAINS.education, health: CHAINS.maternity, elder: CHAINS.elder };
  return byApp[warning.appid] ?? bySector[warning.sector] ?? CHAINS.workers;
}

/** The clocks of a case that run out at the same time. */
export interface OverdueClocks {
  kinds: readonly DueKind[];
  due: Date;
}

/** The clocks of a case that have run out, together where they ran out at the same time; the earliest first. */
export function groupOverdue(clocks: readonly Due[], now: Date): OverdueClocks[] {
  const overdue = clocks.filter(({ due }) => due < now);
  const times = [...new Set(overdue.map(({ due }) => due.getTime()))].sort((a, b) => a - b);
  return times.map((time) => ({
    kinds: [...new Set(overdue.filter(({ due }) => due.getTime() === time).map(({ kind }) => kind))],
    due: new Date(time),
  }));
}

export interface EscalationStep {
  /** from 1; with the due time it identifies the notice, so the server sends none twice */
  seq: number;
  time: Date;
  node: ChainNode;
  clocks: OverdueClocks;
}

/** Nobody is disturbed between 22:00 and 07:00 for a case of level 1 or 2 without a self-harm answer (clinical-rules.md B). */
const QUIET = { from: 22, until: 7 } as const;

/** The time at which a reminder that is due at `time` may be sent: the same time, or 07:00 after a quiet night. */
export function toSendTime(time: Date, level: WarningLevelCode, itemtrigger: boolean): Date {
  if (level >= 3 || itemtrigger) return time;
  const hour = Number(shanghaiTime(time).slice(11, 13));
  if (hour < QUIET.until) return fromShanghai(`${shanghaiDate(time)} 07:00`);
  return hour >= QUIET.from ? fromShanghai(`${shanghaiDate(addDays(time, 1))} 07:00`) : time;
}

/**
 * After how many hours an unread notice of a case that waits for acceptance is sent again: level 4 after 15 minutes, level 3 and
 * self-harm answers after 2 hours, level 2 daily, level 1 never (clinical-rules.md B).
 */
export function remindHours(level: WarningLevelCode, itemtrigger: boolean): number | null {
  if (level === 4) return 0.25;
  if (level === 3 || itemtrigger) return 2;
  return level === 2 ? 24 : null;
}

/** After how many hours without a reader a case of level 4 is told to the next able person (clinical-rules.md B). */
export const NEXT_ABLE_HOURS = 0.5;

/** The top of the chain gets a reminder each day. Without one the case is forgotten; hourly ones would be muted. */
const REMIND_TOP_HOURS = 24;

/**
 * The notices of clocks that have run out, up to `now`. The node above the owner gets one as soon as
 * the duty is overdue. The next node follows every 12 hours (every 2 at levels 3 and 4), and then the top gets one each day.
 * A notice that may not disturb the night waits until 07:00.
 */
export function overdueSteps(
  warning: Pick<WarningFacts, 'level' | 'appid' | 'sector'>,
  clocks: OverdueClocks,
  now: Date,
  itemtrigger = false,
  chain: Chain = chainFor(warning),
): EscalationStep[] {
  const top = chain.nodes.length - 1;
  const interval = warning.level >= 3 ? 2 : 12;
  const steps: EscalationStep[] = [];
  if (top < 0) return steps;
  let index = Math.min(chain.owner + 1, top);
  for (let time = clocks.due, seq = 1; time < now; seq += 1) {
    const node = chain.nodes[index];
    const sendTime = toSendTime(time, warning.level, itemtrigger);
    if (node && sendTime <= now) steps.push({ seq, time: sendTime, node, clocks });
    time = addHours(time, index === top ? REMIND_TOP_HOURS : interval);
    index = Math.min(index + 1, top);
  }
  return steps;
}
