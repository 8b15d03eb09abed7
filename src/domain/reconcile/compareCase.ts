import { WarningState } from '#domain/base/enums.ts';
/** A line of the case log as it stands in the database. */
export interface ChainLine {
  seq: number;
  prevhash: string;
  hash: string;
  /** the stored hash is the hash of the line */
  isGenuine: boolean;
  fromstate: string | null;
  tostate: string | null;
  fromlevel: number | null;
  tolevel: number | null;
  owneruserid: string | null;
  time: Date;
  /** the trigger that the line records */
  trigger: { level: number; alerts: readonly string[] } | null;
}

/** A copy of a line that was taken when it was written. */
export interface WitnessLine {
  seq: number;
  hash: string;
  state: string | null;
  level: number | null;
  owneruserid: string | null;
}

/** A case by its log. */
export interface CaseFacts {
  state: string | null;
  level: number | null;
  owneruserid: string | null;
}

export interface ObservedCase {
  warningcode: string;
  witness: readonly WitnessLine[];
  /** the lines of the log; null when this pass does not read them */
  lines: readonly ChainLine[] | null;
  /** the row of the case; null when it is gone */
  row: (CaseFacts & { isdeleted: number }) | null;
  /** the last notice about the case */
  lastnotice: Date | null;
  /** lines from before this time are too old for the check of notices */
  since: Date;
}

export type DifferenceKind = 'deleted' | 'hidden' | 'closed' | 'state' | 'level' | 'owner' | 'log' | 'notice' | 'sheet';

export interface CaseDifference {
  kind: DifferenceKind;
  /** the same difference has the same key in every pass */
  key: string;
  content: string;
  /** the level of the log */
  level: number | null;
  /** the case is worse off than its log says, so it must be raised anew */
  shouldRaise: boolean;
}

const isClosed = (state: string | null) => state === '07' || state === '08';
const SELF_HARM = /^(SI\d?|SELFHARM\d?|ASQ_\w+|DEATHTALK|HOPELESS)$/;

/** State, level and owner after the lines of a log. Only a line that changes the state or the level counts for them. */
export function replayLog(lines: readonly ChainLine[]): CaseFacts {
  const facts: CaseFacts = { state: null, level: null, owneruserid: null };
  for (const line of [...lines].sort((a, b) => a.seq - b.seq)) {
    if (line.tostate !== null && line.tostate !== line.fromstate) facts.state = line.tostate;
    if (line.tolevel !== null && line.tolevel !== line.fromlevel) facts.level = line.tolevel;
    facts.owneruserid = line.owneruserid;
  }
  return facts;
}

/** State, level and owner after the copied lines. */
export function replayWitness(witness: readonly WitnessLine[]): CaseFacts {
  const facts: CaseFacts = { state: null, level: null, owneruserid: null };
  for (const line of [...witness].sort((a, b) => a.seq - b.seq)) {
    facts.state = line.state ?? facts.state;
    facts.level = line.level ?? facts.level;
    facts.owneruserid = line.owneruserid;
  }
  return facts;
}

/** The first line at which the chain is broken, with the fault in words; null for an intact chain. */
export function findChainFault(
  lines: readonly ChainLine[],
  witness: readonly WitnessLine[],
): { seq: number; content: string } | null {
  const stored = new Map(lines.map((line) => [line.seq, line]));
  const copies = new Map(witness.map((line) => [line.seq, line]));
  const last = Math.max(0, ...stored.keys(), ...copies.keys());
  let prevhash = '';
  for (let seq = 1; seq <= last; seq += 1) {
    const line = stored.get(seq);
    const copy = copies.get(seq);
    if (!line) return { seq, content: `记录第 ${seq} 行被删除` };
    if (!line.isGenuine || (copy && copy.hash !== line.hash)) return { seq, content: `记录第 ${seq} 行被修改` };
    if (!copy || line.prevhash !== prevhash) return { seq, content: `记录第 ${seq} 行前后不连续` };
    prevhash = line.hash;
  }
  return null;
}

/** The differences between a case and its log, worst first. */
export function compareCase(observed: ObservedCase): CaseDifference[] {
  const { warningcode, witness, lines, row } = observed;
  const fault = lines && findChainFault(lines, witness);
  const expected = lines && !fault ? replayLog(lines) : replayWitness(witness);
  const isOpen = !isClosed(expected.state);
  const { level } = expected;
  const difference = (kind: DifferenceKind, key: string, content: string, shouldRaise = false): CaseDifference => ({
    kind,
    key: `${kind}:${warningcode}${key && `:${key}`}`,
    content: `个案 ${warningcode} ${content}`,
    level,
    shouldRaise,
  });
  const found: CaseDifference[] = [];
  if (!row) found.push(difference('deleted', '', '已被删除', isOpen));
  else if (row.isdeleted === 1) found.push(difference('hidden', '', '被标记为已删除', isOpen));
  else {
    if (row.state !== expected.state) {
      const wasClosed = isOpen && isClosed(row.state);
      const key = `${expected.state}>${row.state}`;
      found.push(
        wasClosed
          ? difference('closed', key, '在操作记录之外被结案', true)
          : difference(
              'state',
              key,
              `的状态（${WarningState.label(row.state ?? '')}）与操作记录（${WarningState.label(expected.state)}）不一致`,
            ),
      );
    }
    if (level !== null && row.level !== level) {
      const isLowered = (row.level ?? 0) < level;
      found.push(
        difference('level', `${level}>${row.level}`, `的级别在操作记录之外被${isLowered ? '降低' : '改动'}`, isLowered && isOpen),
      );
    }
    if (isOpen && row.owneruserid !== expected.owneruserid)
      found.push(difference('owner', `${expected.owneruserid}>${row.owneruserid}`, '的责任人与操作记录不一致'));
  }
  // The log of a removed case goes with it.
  if (fault && (row || lines.length > 0)) found.push(difference('log', String(fault.seq), fault.content));
  const sign = lines && isOpen && row ? findUnheardSign(lines, observed) : null;
  if (sign) found.push(difference('notice', String(sign.time.getTime()), '的新情况没有通知到任何人', false));
  return found;
}

/** The last trigger of level 3 or about self-harm, when no notice was sent at its time or later. */
function findUnheardSign(lines: readonly ChainLine[], { lastnotice, since }: ObservedCase): ChainLine | null {
  const acute = lines.filter(
    ({ trigger, time }) =>
      trigger !== null && time >= since && (trigger.level >= 3 || trigger.alerts.some((alert) => SELF_HARM.test(alert))),
  );
  const last = acute.sort((a, b) => a.time.getTime() - b.time.getTime()).at(-1);
  return last && (lastnotice === null || lastnotice < last.time) ? last : null;
}
