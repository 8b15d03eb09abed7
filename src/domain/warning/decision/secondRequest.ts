import { CONFIRM_MIN, CONFIRM_SUBJECTS, isSameHuman, refusalToConfirm } from '#domain/warning/decision/secondPerson.ts';
import type { ActionContext, WarningAction } from '#domain/warning/decision/warningAction.ts';
import { transition } from '#domain/warning/warning.ts';
import type { ConfirmSubject, StaffCloseReasonCode, WarningFacts } from '#domain/warning/warningfacts.ts';

/**
 * A request to a second person (clinical-rules.md section C). The first person fills in the act completely. When the second agrees,
 * the act is done at once, by the rules of that moment.
 */

/** The subject of a request. `dead`: the case is closed after a death; the second person closes it, so no confirmation is needed. */
export type RequestSubject = ConfirmSubject | 'dead';
export const REQUEST_SUBJECTS: Readonly<Record<RequestSubject, string>> = {
  ...CONFIRM_SUBJECTS,
  death: '更正死亡登记',
  dead: '以死亡结案',
};

/** The acts that wait until the second person agrees. */
export type WaitingAct = Extract<WarningAction, { kind: 'close' | 'exclude' | 'transfer' | 'correctdeath' }>;

/** A request. Without an act the record exists already, and only its confirmation waits. */
export interface SecondRequest {
  subject: RequestSubject;
  act: WaitingAct | null;
}

const CLOSE_SUBJECTS: Readonly<Record<StaffCloseReasonCode, RequestSubject>> = {
  '01': 'close',
  '02': 'exclude',
  '03': 'transfer',
  '04': 'lost',
  '05': 'dead',
};

/** The subject that an act is asked for. */
export function subjectOf(act: WaitingAct): RequestSubject {
  if (act.kind === 'close') return CLOSE_SUBJECTS[act.closereason];
  return act.kind === 'correctdeath' ? 'death' : act.kind;
}

/** Who agrees, in their own words. */
export interface SecondPerson {
  userid: string;
  human: readonly string[];
  content: string;
}

/** What agreeing leads to: the facts after the confirmation and after the act, or the reasons why the act is not possible now. */
export type Agreement = { ok: true; confirmed: WarningFacts; after: WarningFacts } | { ok: false; reasons: string[] };

/** Why this human may not answer the request, in Chinese; '' when they may. */
export function refusalToAnswer(
  facts: Pick<WarningFacts, 'ownerkeys' | 'interviewerkeys' | 'exemption' | 'death'>,
  subject: RequestSubject,
  asker: readonly string[],
  human: readonly string[],
): string {
  if (human.length === 0) return '机构主账号和共用账号不能复核，请由具名人员复核';
  if (isSameHuman(human, asker)) return '复核人不能是申请人';
  if (subject !== 'dead') return refusalToConfirm(facts, subject, human);
  return facts.death && isSameHuman(human, facts.death.by) ? '复核人不能是死亡登记人' : '';
}

/** What happens when `second` agrees now. `asker` is the context of the human who asked. */
export function agree(
  facts: WarningFacts,
  { subject, act }: SecondRequest,
  asker: ActionContext,
  second: SecondPerson,
): Agreement {
  if (subject === 'dead') {
    const closed = act && transition(facts, act, { ...asker, userid: second.userid, human: second.human });
    return closed?.ok
      ? { ok: true, confirmed: facts, after: closed.after }
      : { ok: false, reasons: closed ? closed.reasons : [] };
  }
  const confirmed = transition(
    facts,
    { kind: 'confirm', subject, content: second.content },
    { ...asker, userid: second.userid, human: second.human },
  );
  if (!confirmed.ok) return confirmed;
  if (act === null) return { ok: true, confirmed: confirmed.after, after: confirmed.after };
  const done = transition(confirmed.after, act, asker);
  return done.ok ? { ok: true, confirmed: confirmed.after, after: done.after } : done;
}

/** Any second person, before one has answered. */
const ANYBODY: SecondPerson = { userid: '', human: ['?'], content: '·'.repeat(CONFIRM_MIN) };

/** Why an act cannot be asked for now, in Chinese; empty when only the second person is missing. */
export function findRequestFaults(facts: WarningFacts, request: SecondRequest, asker: ActionContext): string[] {
  if (asker.human.length === 0) return ['机构主账号和共用账号不能申请复核，请由具名人员申请'];
  const agreement = agree(facts, request, asker, ANYBODY);
  return agreement.ok ? [] : agreement.reasons;
}

/** The facts as if a second person had confirmed the subject now; unchanged when nobody could confirm it. */
export function assumeConfirmed(facts: WarningFacts, subject: ConfirmSubject, context: ActionContext): WarningFacts {
  const { userid, human, content } = ANYBODY;
  const confirmed = transition(facts, { kind: 'confirm', subject, content }, { ...context, userid, human });
  return confirmed.ok ? confirmed.after : facts;
}
