import { gravePhrase, levelName } from '#domain/warning/levels.ts';
import { WarningState } from '#domain/base/enums.ts';
import { applyAction } from '#domain/warning/decision/applyAction.ts';
import { isAssessPending } from '#domain/warning/clock/clocks.ts';
import { findLowerRefusals, isNoteSufficient, NOTE_MIN, unmetCriteria } from '#domain/warning/closing.ts';
import { EXEMPT_REASON_MIN, findExemptFaults, isGuardianSettled } from '#domain/warning/decision/exemption.ts';
import { CONFIRM_MIN, isSameHuman, missingSecond, refusalToConfirm } from '#domain/warning/decision/secondPerson.ts';
import { pendingConclusions } from '#domain/warning/riskassess.ts';
import { hasSafetyPlan, needsSafetyPlan } from '#domain/warning/safetyPlan.ts';
import { TARGETS, UNACCEPT_MINUTES, WARNING_ACTIONS } from '#domain/warning/decision/warningAction.ts';
import type { ActionContext, WarningAction, WarningActionKind } from '#domain/warning/decision/warningAction.ts';
import { isAcceptancePending, isOpen, lastAssess } from '#domain/warning/warningfacts.ts';
import type { ConfirmSubject, WarningFacts, WarningLevelCode, WarningStateCode } from '#domain/warning/warningfacts.ts';

/** The calling user, the type of the account and its permission codes. The server checks the data scope before. */
export interface WarningCaller {
  userid: string;
  /** keys of the human behind the session; none for main and shared accounts */
  human: readonly string[];
  musertype: string;
  permissions: readonly string[];
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

/** States in which an attempt to reach the person, or a contact, is recorded. */
const CONTACT_STATES: readonly WarningStateCode[] = ['02', '03', '04', '05', '06'];

export type TransitionResult =
  | { ok: true; to: WarningStateCode; after: WarningFacts; log: { action: string; tolevel: WarningLevelCode } }
  | { ok: false; reasons: string[] };

export interface ActionOffer {
  action: WarningActionKind;
  label: string;
  /** why the action is not possible yet, in Chinese; empty when it is possible with valid input */
  reasons: string[];
}

/** The reasons why a warning may not enter a state, in Chinese; empty when it may. They do not depend on the input. */
function findEntryRefusals(facts: WarningFacts, to: WarningStateCode, now: Date): string[] {
  const reasons: string[] = [];
  const isGrave = facts.peaklevel >= 3;
  if (to === '04') {
    if (isGrave && !lastAssess(facts)) reasons.push(`${gravePhrase(facts.sector)}须先完成访谈评估`);
    if (facts.interferes.length === 0 && !hasSafetyPlan(facts) && facts.plantext.trim() === '')
      reasons.push('须至少有一条干预记录或完整的安全计划');
    if (isGrave && facts.guardianduetime !== null && !isGuardianSettled(facts, now))
      reasons.push('须先告知监护人（家属），或登记不告知的理由');
  }
  if (to === '05' && !facts.referrals.some(({ status }) => status !== '03')) reasons.push('须先开具转介单');
  if (to === '06') {
    if (isAcceptancePending(facts)) reasons.push('新情况出现后尚未受理');
    if (isAssessPending(facts)) reasons.push('须先完成访谈评估');
  }
  if ((to === '04' || to === '06') && needsSafetyPlan(lastAssess(facts)?.suggestedlevel ?? null) && !hasSafetyPlan(facts))
    reasons.push(`系统建议“${levelName(2, facts.sector)}”及以上，须先和本人一起写好完整的安全计划`);
  if (to === '03' && !isOpen(facts) && facts.otheropen) reasons.push('该受测者已有处理中的预警，请在该预警中继续处理');
  return reasons;
}

/** The actions that the state allows this caller, each with the reasons that still block it. A caller who may only read has none. */
export function allowedActions(facts: WarningFacts, caller: WarningCaller, now: Date): ActionOffer[] {
  const canHandle = caller.permissions.includes('00014') && ['002', '004', '005'].includes(caller.musertype);
  if (!canHandle) return [];
  const kinds = (Object.keys(WARNING_ACTIONS) as WarningActionKind[]).filter((kind) => {
    // An institution above tells the guardian only of a case that it owns.
    const isAbove = caller.musertype === '002' && caller.userid !== facts.owneruserid;
    if ((kind === 'notifyguardian' || kind === 'exemptguardian') && isAbove) return false;
    // The message after an acceptance offers to take it back, not the case.
    if (kind === 'unaccept') return false;
    return isPossible(facts, kind) && !(kind === 'confirm' && isSameHuman(caller.human, facts.ownerkeys));
  });
  return kinds.map((kind) => ({
    action: kind,
    label: WARNING_ACTIONS[kind],
    reasons: findStandingRefusals(facts, kind, { now, userid: caller.userid, human: caller.human }),
  }));
}

/**
 * The result of one action: the next state and the facts afterwards, or all reasons against it (error 140001).
 * It writes nothing: the caller stores `after` and the log line in one transaction.
 */
export function transition(facts: WarningFacts, action: WarningAction, context: ActionContext): TransitionResult {
  const isAcceptance = action.kind === 'receive' && action.accepttime !== undefined && facts.transfer?.islinked === true;
  if (!isAcceptance && !isPossible(facts, action.kind))
    return { ok: false, reasons: [`“${WarningState.label(facts.state)}”状态不能${WARNING_ACTIONS[action.kind]}`] };
  const reasons = [...findStandingRefusals(facts, action.kind, context), ...findEntryProblems(facts, action, context)];
  if (reasons.length > 0) return { ok: false, reasons };
  const after = applyAction(facts, action, context);
  return { ok: true, to: after.state, after, log: { action: WARNING_ACTIONS[action.kind], tolevel: after.level } };
}

/** Whether the state allows the action at all. */
function isPossible(facts: WarningFacts, kind: WarningActionKind): boolean {
  if (kind === 'discharge') return facts.death === null && (isOpen(facts) || !facts.otheropen);
  if (kind === 'correctdeath') return facts.death !== null;
  if (kind === 'reopen') return !isOpen(facts) && facts.death === null;
  if (kind === 'reportdeath') return facts.death === null && (isOpen(facts) || !facts.otheropen);
  // A death closed by mistake is corrected by two humans too.
  if (!isOpen(facts)) return kind === 'confirm' && facts.death !== null;
  // Somebody must own it also after a death: its owner may leave.
  if (facts.death)
    return kind === 'close' || kind === 'confirm' || kind === 'assign' || (kind === 'accept' && isAcceptancePending(facts));
  // News needs a new acceptance in any open state.
  if (kind === 'accept') return isAcceptancePending(facts);
  // Somebody who has talked with the person has begun the work: the acceptance stands.
  if (kind === 'unaccept') return facts.state === '02' && facts.accepttime !== null;
  if (kind === 'verify') return CONTACT_STATES.includes(facts.state);
  if (kind === 'raise') return facts.level < 4;
  if (kind === 'lower') return facts.level > 1;
  // A receiver on the platform gives the receipt by accepting its own case.
  if (kind === 'receive') return facts.transfer !== null && facts.transfer.receipttime === null && !facts.transfer.islinked;
  const to = TARGETS[kind];
  return to === undefined || NEXT_STATES[facts.state].includes(to);
}

/** The reasons against an action that do not depend on its input, in Chinese. */
function findStandingRefusals(facts: WarningFacts, kind: WarningActionKind, { now, human }: ActionContext): string[] {
  const reasons: string[] = [];
  const to = TARGETS[kind];
  if (kind === 'unaccept' && facts.accepttime && now.getTime() - facts.accepttime.getTime() > UNACCEPT_MINUTES * 60_000)
    reasons.push(`受理超过 ${UNACCEPT_MINUTES} 分钟后不能撤回，请分派给同事`);
  if (to && kind !== 'accept') reasons.push(...findEntryRefusals(facts, to, now));
  const second = (subject: ConfirmSubject) => {
    const missing = missingSecond(facts, subject, now, human);
    if (missing) reasons.push(missing);
  };
  if (kind === 'exclude') {
    reasons.push(
      ...unmetCriteria({ ...facts, closenote: '' }, '02', now, human).flatMap(({ key, title }) =>
        key === 'note' || key === 'second' ? [] : [title],
      ),
    );
    if (facts.peaklevel >= 3) second('exclude');
  }
  if (kind === 'transfer' && facts.peaklevel >= 3) second('transfer');
  if (kind === 'correctdeath') second('death');
  return reasons;
}

const isLongEnough = (text: string, min: number) => [...text.trim()].length >= min;

/** The faults of the input of an action, in Chinese. */
function findEntryProblems(facts: WarningFacts, action: WarningAction, { now, human }: ActionContext): string[] {
  switch (action.kind) {
    case 'exclude':
      return isNoteSufficient(action.content) ? [] : [`核实说明不少于${NOTE_MIN}个字`];
    case 'verify':
      return action.content.trim() ? [] : ['请填写说明'];
    case 'confirm': {
      const refusal = refusalToConfirm(facts, action.subject, human);
      return [
        ...(refusal ? [refusal] : []),
        ...(action.subject === 'conclusion' && pendingConclusions(facts).length === 0 ? ['没有待复核的评估结论'] : []),
        ...(isLongEnough(action.content, CONFIRM_MIN) ? [] : [`复核意见不少于${CONFIRM_MIN}个字`]),
      ];
    }
    case 'reopen':
      return action.reason.trim() ? [] : ['请填写原因'];
    case 'correctdeath':
      return isLongEnough(action.reason, EXEMPT_REASON_MIN) ? [] : [`更正原因不少于${EXEMPT_REASON_MIN}个字`];
    case 'exemptguardian':
      return [
        ...findExemptFaults(facts, action),
        ...(facts.peaklevel < 3 || human.length > 0 ? [] : ['机构主账号和共用账号不能登记，请由具名人员登记']),
      ];
    case 'reportdeath':
      return [
        ...(action.source.trim() ? [] : ['请填写消息来源']),
        ...(human.length > 0 ? [] : ['机构主账号和共用账号不能登记，请由具名人员登记']),
      ];
    case 'transfer':
      return action.to.trim() ? [] : ['请填写接收机构、接收人与电话'];
    case 'raise':
      return [
        ...(action.reason.trim() ? [] : ['请填写原因']),
        ...(action.level > facts.level ? [] : ['升级后的等级必须高于当前等级']),
      ];
    case 'lower':
      return [...(action.reason.trim() ? [] : ['请填写原因']), ...findLowerRefusals(facts, action.level, now)];
    case 'close': {
      const unmet = unmetCriteria({ ...facts, closenote: action.closenote }, action.closereason, now, human, {
        policerecord: action.policerecord ?? '',
      }).map(({ title }) => title);
      const isTooEarly = action.closereason === '01' && !NEXT_STATES[facts.state].includes('07');
      return isTooEarly ? ['须先转入随访观察', ...unmet] : unmet;
    }
    default:
      return [];
  }
}
