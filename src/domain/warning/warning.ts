import { WarningLevel, WarningState } from '#domain/base/enums.ts';
import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import { findLowerRefusals, isNoteSufficient, NOTE_MIN, missingConfirmation, unmetCriteria } from '#domain/warning/closing.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { hasSafetyPlan } from '#domain/warning/safetyPlan.ts';
import { isAcceptancePending, isGuardianSettled, isOpen, lastAssess } from '#domain/warning/warningfacts.ts';
import type {
  CloseReasonCode,
  ContactResultCode,
  WarningFacts,
  WarningLevelCode,
  WarningStateCode,
} from '#domain/warning/warningfacts.ts';

/** The actions of staff on a warning. Staff first write the record (interview, referral, …) and then take the action. */
const WARNING_ACTIONS = {
  accept: '受理',
  assign: '分派',
  verify: '核实',
  exclude: '排除/误报',
  intervene: '开始干预',
  refer: '转介',
  observe: '转入随访观察',
  close: '结案',
  reopen: '重开',
  raise: '升级',
  lower: '降级',
  notifyguardian: '告知监护人',
  exemptguardian: '登记不告知监护人原因',
  confirm: '复核确认',
} as const;
export type WarningActionKind = keyof typeof WARNING_ACTIONS;

/** An action with its input. */
export type WarningAction =
  | { kind: 'accept'; owneruserid?: string }
  | { kind: 'assign'; owneruserid: string }
  | { kind: 'verify'; contactresult: ContactResultCode; content: string }
  | { kind: 'exclude'; content: string }
  | { kind: 'intervene' }
  | { kind: 'refer' }
  | { kind: 'observe' }
  | { kind: 'close'; closereason: CloseReasonCode; closenote: string }
  | { kind: 'reopen'; reason: string }
  | { kind: 'raise'; level: WarningLevelCode; reason: string }
  | { kind: 'lower'; level: WarningLevelCode; reason: string }
  | { kind: 'notifyguardian' }
  | { kind: 'exemptguardian'; reason: string }
  | { kind: 'confirm'; content: string };

/** The calling user, the type of the account and its permission codes. The server checks the data scope before. */
export interface WarningCaller {
  userid: string;
  musertype: string;
  permissions: readonly string[];
}

export interface ActionContext {
  now: Date;
  userid: string;
  calendar?: WorkCalendar;
  overrides?: DeadlineOverrides;
}

/** The next states of each state by ordinary steps. Closing with 误报, 转出, 失访 or 死亡 leads to 07 from any open state. */
export const NEXT_STATES: Readonly<Record<WarningStateCode, readonly WarningStateCode[]>> = {
  '01': ['02', '08'],
  '02': ['03', '08'],
  '03': ['04', '06', '08'],
  '04': ['05', '06', '04'],
  '05': ['04', '06'],
  '06': ['04', '05', '07'],
  '07': ['03'],
  '08': ['03'],
};

/** The target state of each action; an action without one does not change the state. */
const TARGETS: Readonly<Partial<Record<WarningActionKind, WarningStateCode>>> = {
  accept: '02',
  verify: '03',
  exclude: '08',
  intervene: '04',
  refer: '05',
  observe: '06',
  reopen: '03',
};

export type TransitionResult =
  | { ok: true; to: WarningStateCode; after: WarningFacts; log: { action: string; tolevel: WarningLevelCode } }
  | { ok: false; reasons: string[] };

export interface ActionOffer {
  action: WarningActionKind;
  label: string;
  /** why the action is not possible yet, in Chinese; empty when it is possible with valid input */
  reasons: string[];
}

/**
 * The reasons why a warning may not enter a state, in Chinese; empty when it may. They do not depend on the input.
 * At level 3 or 4, the step from 03 to 04 or 06 needs an interview since the latest evidence of danger.
 */
function findEntryRefusals(facts: WarningFacts, to: WarningStateCode): string[] {
  const reasons: string[] = [];
  if (facts.state === '03' && (to === '04' || to === '06') && facts.level >= 3 && !lastAssess(facts))
    reasons.push('3级及以上须先完成访谈评估');
  if (to === '04') {
    if (facts.interferes.length === 0 && !hasSafetyPlan(facts) && facts.plantext.trim() === '')
      reasons.push('须至少有一条干预记录或完整的安全计划');
    if (facts.minor && facts.level >= 3 && !isGuardianSettled(facts))
      reasons.push('未成年人3级及以上须先告知监护人或登记豁免原因');
  }
  if (to === '05' && !facts.referrals.some(({ status }) => status !== '03')) reasons.push('须先开具转介单');
  if (to === '06' && !facts.followups.some(({ status }) => status !== '05')) reasons.push('须先建立随访计划');
  if (to === '03' && !isOpen(facts) && facts.otheropen) reasons.push('该受测者已有处理中的预警，请在该预警中继续处理');
  return reasons;
}

/** The actions that the state allows this caller, each with the reasons that still block it. A caller who may only read has none. */
export function allowedActions(facts: WarningFacts, caller: WarningCaller): ActionOffer[] {
  const canHandle = caller.permissions.includes('00014') && ['002', '004', '005'].includes(caller.musertype);
  if (!canHandle) return [];
  const kinds = (Object.keys(WARNING_ACTIONS) as WarningActionKind[]).filter((kind) => {
    if ((kind === 'notifyguardian' || kind === 'exemptguardian') && caller.musertype === '002') return false;
    return isPossible(facts, kind) && !(kind === 'confirm' && caller.userid === facts.owneruserid);
  });
  return kinds.map((kind) => ({
    action: kind,
    label: WARNING_ACTIONS[kind],
    reasons: findStandingRefusals(facts, kind, caller.userid),
  }));
}

/**
 * The result of one action: the next state and the facts afterwards, or all reasons against it (error 140001).
 * It writes nothing: the caller stores `after` and the log line in one transaction.
 */
export function transition(facts: WarningFacts, action: WarningAction, context: ActionContext): TransitionResult {
  if (!isPossible(facts, action.kind))
    return { ok: false, reasons: [`“${WarningState.label(facts.state)}”状态不能${WARNING_ACTIONS[action.kind]}`] };
  const reasons = [...findStandingRefusals(facts, action.kind, context.userid), ...findEntryProblems(facts, action, context)];
  if (reasons.length > 0) return { ok: false, reasons };
  const after = applyAction(facts, action, context);
  return { ok: true, to: after.state, after, log: { action: WARNING_ACTIONS[action.kind], tolevel: after.level } };
}

/** Whether the state allows the action at all. */
function isPossible(facts: WarningFacts, kind: WarningActionKind): boolean {
  if (kind === 'reopen') return !isOpen(facts);
  if (!isOpen(facts)) return false;
  // After a trigger raised the level, the case needs a new acceptance in any open state.
  if (kind === 'accept') return isAcceptancePending(facts);
  if (kind === 'raise') return facts.level < 4;
  if (kind === 'lower') return facts.level > 1;
  const to = TARGETS[kind];
  return to === undefined || NEXT_STATES[facts.state].includes(to);
}

/** The reasons against an action that do not depend on its input, in Chinese. */
function findStandingRefusals(facts: WarningFacts, kind: WarningActionKind, userid: string): string[] {
  const reasons: string[] = [];
  const to = TARGETS[kind];
  if (to && kind !== 'accept') reasons.push(...findEntryRefusals(facts, to));
  if (kind === 'exclude' && facts.peaklevel >= 3) {
    const missing = missingConfirmation(facts, userid);
    if (missing) reasons.push(missing);
  }
  if (kind === 'confirm' && userid === facts.owneruserid) reasons.push('复核人不能是责任人');
  return reasons;
}

/** The faults of the input of an action, in Chinese. */
function findEntryProblems(facts: WarningFacts, action: WarningAction, { now, userid }: ActionContext): string[] {
  switch (action.kind) {
    case 'exclude':
      return isNoteSufficient(action.content) ? [] : [`核实说明不少于${NOTE_MIN}个字`];
    case 'verify':
    case 'confirm':
      return action.content.trim() ? [] : ['请填写说明'];
    case 'reopen':
    case 'exemptguardian':
      return action.reason.trim() ? [] : ['请填写原因'];
    case 'raise':
      return [
        ...(action.reason.trim() ? [] : ['请填写原因']),
        ...(action.level > facts.level ? [] : ['升级后的等级必须高于当前等级']),
      ];
    case 'lower':
      return [...(action.reason.trim() ? [] : ['请填写原因']), ...findLowerRefusals(facts, action.level, now)];
    case 'close': {
      const unmet = unmetCriteria({ ...facts, closenote: action.closenote }, action.closereason, now, userid).map(
        ({ title }) => title,
      );
      const isTooEarly = action.closereason === '01' && !NEXT_STATES[facts.state].includes('07');
      return isTooEarly ? ['须先转入随访观察', ...unmet] : unmet;
    }
    default:
      return [];
  }
}

function applyAction(facts: WarningFacts, action: WarningAction, context: ActionContext): WarningFacts {
  const { now } = context;
  const state = TARGETS[action.kind] ?? facts.state;
  switch (action.kind) {
    case 'accept':
      return {
        ...facts,
        state: facts.state === '01' ? '02' : facts.state,
        owneruserid: action.owneruserid ?? facts.owneruserid ?? context.userid,
        accepttime: now,
      };
    case 'assign':
      return { ...facts, owneruserid: action.owneruserid };
    case 'verify': {
      const unreachable = action.contactresult === '03';
      // At level 2, staff inform the guardian after the talk with the minor. This talk sets the due time.
      const talk = unreachable ? {} : { guardianduetime: facts.guardianduetime ?? guardianDueTime(facts, context) };
      return {
        ...facts,
        ...talk,
        state: unreachable ? facts.state : state,
        contactresult: action.contactresult,
        contactattempts: unreachable ? [...facts.contactattempts, now] : facts.contactattempts,
      };
    }
    case 'intervene':
    case 'refer':
    case 'observe':
      return { ...facts, state };
    case 'exclude':
      return { ...facts, state, closereason: '02', closenote: action.content };
    case 'close':
      return { ...facts, state: '07', closereason: action.closereason, closenote: action.closenote };
    case 'reopen':
      return {
        ...facts,
        state,
        reopentime: now,
        closereason: null,
        closenote: '',
        ...restartDeadlines(facts, facts.level, context),
      };
    case 'raise':
      return {
        ...facts,
        ...raiseLevel(facts, action.level, context),
        accepttime: facts.accepttime && now,
      };
    case 'lower':
      return { ...facts, level: action.level, loweredtime: now };
    case 'notifyguardian':
      return { ...facts, guardiannotified: true };
    case 'exemptguardian':
      return { ...facts, guardianexempt: action.reason };
    case 'confirm':
      return { ...facts, confirmation: { userid: context.userid, time: now } };
  }
}

/** The facts that a higher level changes: level, peak level and the restarted deadlines. */
export function raiseLevel(
  facts: WarningFacts,
  level: WarningLevelCode,
  context: Omit<ActionContext, 'userid'>,
  itemtrigger = false,
): Pick<WarningFacts, 'level' | 'peaklevel' | 'raisedtime' | 'acceptduetime' | 'assessduetime' | 'guardianduetime'> {
  return {
    level,
    peaklevel: level > facts.peaklevel ? level : facts.peaklevel,
    raisedtime: context.now,
    ...restartDeadlines(facts, level, context, itemtrigger),
  };
}

/** The deadlines counted from now. A pending first contact never becomes due later. */
function restartDeadlines(
  facts: WarningFacts,
  level: WarningLevelCode,
  context: Omit<ActionContext, 'userid'>,
  itemtrigger = false,
) {
  const { now, calendar, overrides } = context;
  const due = deadlinesFor({
    level,
    itemtrigger,
    triggertime: now,
    minor: facts.minor,
    ...(calendar && { calendar }),
    ...(overrides && { overrides }),
  });
  const isSooner = isAcceptancePending(facts) && facts.acceptduetime !== null && facts.acceptduetime < due.acceptduetime;
  return {
    acceptduetime: isSooner ? facts.acceptduetime : due.acceptduetime,
    assessduetime: due.assessduetime,
    guardianduetime: due.guardianduetime ?? facts.guardianduetime,
  };
}

function guardianDueTime(facts: WarningFacts, { now, calendar, overrides }: ActionContext): Date | null {
  const { level, minor } = facts;
  const spans = { ...(calendar && { calendar }), ...(overrides && { overrides }) };
  return deadlinesFor({ level, itemtrigger: false, triggertime: now, minor, talkedat: now, ...spans }).guardianduetime ?? null;
}

/** The name of a level in the words of a sector (education 三级 … 特级, hospitals 轻度 … 危急). */
export function levelName(level: WarningLevelCode, sector: WarningFacts['sector']): string {
  const edu: Readonly<Record<WarningLevelCode, string>> = { 1: '三级', 2: '二级', 3: '一级', 4: '特级' };
  const health: Readonly<Record<WarningLevelCode, string>> = { 1: '轻度', 2: '中度/临界', 3: '重度/高危', 4: '危急' };
  return sector === 'edu' ? edu[level] : sector === 'health' ? health[level] : WarningLevel.label(level);
}
