import { addHours } from '#domain/base/calendar.ts';
import type { Due } from '#domain/warning/clock/clocks.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';

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

export interface EscalationStep {
  /** from 1; with the due time it identifies the notice, so the server sends none twice */
  seq: number;
  time: Date;
  node: ChainNode;
  due: Due;
}

/** The top of the chain gets a reminder each day. Without one the case is forgotten; hourly ones would be muted. */
const REMIND_TOP_HOURS = 24;

/**
 * The notices of an overdue warning up to `now`; empty while nothing is overdue. The node above the owner gets one as soon as
 * the duty is overdue. The next node follows every 12 hours (every 2 at levels 3 and 4), and then the top gets one each day.
 */
export function overdueSteps(
  warning: Pick<WarningFacts, 'level' | 'appid' | 'sector'>,
  due: Due | null,
  now: Date,
  chain: Chain = chainFor(warning),
): EscalationStep[] {
  const top = chain.nodes.length - 1;
  const interval = warning.level >= 3 ? 2 : 12;
  const steps: EscalationStep[] = [];
  if (!due || top < 0) return steps;
  let index = Math.min(chain.owner + 1, top);
  for (let time = due.due, seq = 1; time < now; seq += 1) {
    const node = chain.nodes[index];
    if (node) steps.push({ seq, time, node, due });
    time = addHours(time, index === top ? REMIND_TOP_HOURS : interval);
    index = Math.min(index + 1, top);
  }
  return steps;
}
