import { addHours } from '#domain/base/calendar.ts';
import { SECOND_HOURS } from '#domain/warning/clock/clocks.ts';
import { closingCriteria } from '#domain/warning/closing.ts';
import { findRequestFaults, REQUEST_SUBJECTS, subjectOf } from '#domain/warning/decision/secondRequest.ts';
import type { RequestSubject, WaitingAct } from '#domain/warning/decision/secondRequest.ts';
import { transition } from '#domain/warning/warning.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import {
  actorId,
  applyTransition,
  assertVersion,
  findActor,
  lockCase,
  operatorOf,
  saveTransition,
  type LockedCase,
  type StaffContext,
} from '#features/warning/handling/transition.ts';
import {
  addRequest,
  endRequests,
  findWaitingRequests,
  RequestStatus,
  type ActLog,
  type StoredAct,
} from '#features/warning/second/request.queries.ts';
import { notifySeconds } from '#features/warning/second/secondNotices.ts';
import { findSecondPersons } from '#features/warning/second/secondPersons.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/** A new request: its subject, its words and the chosen persons. */
export interface NewRequest {
  subject: RequestSubject;
  act: StoredAct | null;
  summary: string;
  /** the chosen second persons; empty: all who may answer */
  seconds: readonly string[];
}

/**
 * Stores a request to a second person and tells those who may answer it. Returns the words of its log line. Refuses (120002) a chosen
 * person who may not answer.
 */
async function storeRequest(
  ctx: StaffContext,
  { row }: Pick<LockedCase, 'row'>,
  facts: WarningFacts,
  { subject, act, summary, seconds }: NewRequest,
): Promise<{ content: string; due: Date }> {
  const { scope, now, caller } = ctx;
  const human = await findActor(ctx);
  const candidates = await findSecondPersons(scope, row, facts, subject, human, now);
  const chosen = seconds.length > 0 ? candidates.filter(({ userid }) => seconds.includes(userid)) : candidates;
  if (chosen.length < seconds.length)
    throw problems.invalid({ message: '所选人员现在不能复核，请重新选择' }, { field: 'seconds' });
  const due = addHours(now, SECOND_HOURS);
  const { warningcode, cuserid, musercode } = row;
  const userids = chosen.map(({ userid }) => userid);
  const askuserid = actorId(caller);
  const requestid = await addRequest(scope, {
    warningcode,
    cuserid,
    musercode,
    subject,
    act: act && JSON.stringify(act),
    summary,
    userids,
    askuserid,
    askaccount: caller.accountid,
    askname: caller.name,
    askkeys: human,
    asktime: now,
    duetime: due,
  });
  await notifySeconds(scope, {
    requestid,
    warningcode,
    musercode,
    subject,
    userids,
    askname: caller.name,
    summary,
    due,
    time: now,
  });
  const names = chosen.map(({ realname }) => realname).join('、') || '暂无可复核的人员，超过时限将逐级提醒';
  return { content: `${summary}。复核人：${names}`, due };
}

/**
 * Asks a second person to confirm a record of this transaction: an exemption or a low conclusion. A newer request replaces the older.
 * The clock of the record runs on.
 */
export async function askToConfirm(
  ctx: StaffContext,
  lockedCase: LockedCase,
  facts: WarningFacts,
  request: Omit<NewRequest, 'act'>,
): Promise<void> {
  const { row } = lockedCase;
  const older = (await findWaitingRequests(ctx.scope, row.warningcode)).filter(({ subject }) => subject === request.subject);
  if (older.length > 0) {
    const requestids = older.map(({ requestid }) => requestid);
    await endRequests(ctx.scope, requestids, { status: RequestStatus.withdrawn, answer: '已重新申请', answertime: ctx.now });
  }
  const { content } = await storeRequest(ctx, lockedCase, facts, { ...request, act: null });
  await addLog(ctx.scope, row, { action: '申请复核', content, time: ctx.now, ...operatorOf(ctx.caller) });
}

/**
 * Does an act, or asks a second person when only they are missing. Without `seconds` the act is done or refused. Returns the case, and
 * whether the act waits.
 */
export async function actOrAsk(
  ctx: StaffContext,
  target: { warningcode: string; version?: number | undefined },
  act: WaitingAct,
  log: ActLog,
  seconds: readonly string[] | undefined,
) {
  if (seconds === undefined) return { ...(await applyTransition(ctx, target, act, log)), waits: 0 };
  const lockedCase = await lockCase(ctx, target.warningcode);
  const { facts, row, settings } = lockedCase;
  const human = await findActor(ctx);
  const asker = { now: ctx.now, userid: actorId(ctx.caller), human, ...settings.trigger };
  if (transition(facts, act, asker).ok) return { ...(await applyTransition(ctx, target, act, log)), waits: 0 };
  const subject = subjectOf(act);
  const reasons = findRequestFaults(facts, { subject, act }, asker);
  if (reasons.length > 0) {
    const criteria =
      act.kind === 'close'
        ? { criteria: closingCriteria({ ...facts, closenote: act.closenote }, act.closereason, ctx.now, human, act) }
        : {};
    throw problems.wrongState({ why: reasons.join('；') }, { data: { reasons, ...criteria } });
  }
  const [older] = (await findWaitingRequests(ctx.scope, row.warningcode)).filter((request) => request.act !== null);
  if (older)
    throw problems.wrongState({
      why: `${older.askname} 申请的“${REQUEST_SUBJECTS[older.subject]}”正在等待复核，请等待结果或先撤回`,
    });
  await assertVersion(ctx, lockedCase, target.version);
  const { content, due } = await storeRequest(ctx, lockedCase, facts, {
    subject,
    act: { action: act, log },
    summary: `${log.action}：${log.content}`,
    seconds,
  });
  const after = { ...facts, requestdues: [...(facts.requestdues ?? []), due] };
  return { ...(await saveTransition(ctx, lockedCase, after, { action: '申请复核', content })), waits: 1 };
}
