import { EXEMPT_GROUNDS, isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { agree, refusalToAnswer, REQUEST_SUBJECTS } from '#domain/warning/decision/secondRequest.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { describeLowConclusion } from '#domain/warning/riskassess.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { cancelFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import { findMember } from '#features/warning/handover/handover.queries.ts';
import {
  actorId,
  assertNotActing,
  assertVersion,
  findActor,
  lockCase,
  saveTransition,
  type LockedCase,
  type StaffContext,
} from '#features/warning/handling/transition.ts';
import { findPendingConclusions } from '#features/warning/interview/interview.queries.ts';
import { askToConfirm } from '#features/warning/second/askSecond.ts';
import { endRequests, findWaitingRequests, RequestStatus, type RequestRow } from '#features/warning/second/request.queries.ts';
import { saveConfirmation } from '#features/warning/second/saveConfirmation.ts';
import * as contract from '#features/warning/second/second.contract.ts';
import { notifyAsker } from '#features/warning/second/secondNotices.ts';
import { findSecondPersons } from '#features/warning/second/secondPersons.ts';
import { findCaseKeys, putBackOnLists } from '#features/warning/special/special.queries.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';
import { findWarning, loadFacts } from '#features/warning/warning.queries.ts';

const getSecondList = handle(contract.getSecondList, async ({ warningcode, subject }, ctx) => {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await findWarning(ctx.scope, warningcode);
  const facts = await loadFacts(ctx.scope, row, ctx.now);
  return findSecondPersons(ctx.scope, row, facts, subject, await findActor(ctx), ctx.now);
});

const askSecond = handle(contract.askSecond, async ({ subject, seconds, version, warningcode }, ctx) => {
  assertNotActing(ctx);
  const lockedCase = await lockCase(ctx, warningcode);
  await assertVersion(ctx, lockedCase, version);
  if ((await findActor(ctx)).length === 0)
    throw problems.wrongState({ why: '机构主账号和共用账号不能申请复核，请由具名人员申请' });
  await askToConfirm(ctx, lockedCase, lockedCase.facts, {
    subject,
    seconds,
    summary: subject === 'exempt' ? describeExemption(lockedCase.facts) : await describeConclusion(ctx, lockedCase),
  });
  return {};
});

/** The exemption that waits, in words. Refuses (140001) a case without one. */
function describeExemption(facts: WarningFacts): string {
  const { exemption } = facts;
  if (!exemption || isGuardianExempt(facts)) throw problems.wrongState({ why: '没有待复核的不告知登记' });
  return `不告知监护人：${EXEMPT_GROUNDS[exemption.ground].title}：${exemption.reason}。改为告知：${exemption.alternate}`;
}

/** The last low conclusion that waits, in words. Refuses (140001) a case without one. */
async function describeConclusion(ctx: StaffContext, { row, facts }: LockedCase): Promise<string> {
  const last = (await findPendingConclusions(ctx.scope, row.warningcode)).at(-1);
  if (!last) throw problems.wrongState({ why: '没有待复核的评估结论' });
  return describeLowConclusion({ ...last, suggestedlevel: last.suggestedlevel ?? 0 }, facts.sector);
}

/** The request, if it still waits. */
async function findWaiting(ctx: StaffContext, warningcode: string, requestid: number): Promise<RequestRow> {
  const request = (await findWaitingRequests(ctx.scope, warningcode)).find((row) => row.requestid === requestid);
  if (!request) throw problems.wrongState({ why: '该申请已有结果或已失效，请刷新' });
  return request;
}

/** The facts without the request. An exemption that nobody confirms any more is no exemption. */
const withoutRequest = (facts: WarningFacts, { subject, act }: RequestRow): WarningFacts => ({
  ...facts,
  ...(act && { requestdues: [] }),
  ...(subject === 'exempt' && { exemption: null, secondduetime: facts.death ? facts.secondduetime : null }),
});

const answerSecondRequest = handle(
  contract.answerSecondRequest,
  async ({ requestid, agreed, content, warningcode, version }, ctx) => {
    assertNotActing(ctx);
    const lockedCase = await lockCase(ctx, warningcode);
    // An answer without the version of the case would not prove that the second person has opened it.
    if (version === undefined) throw problems.invalid({ message: '请先打开个案再复核' }, { field: 'version' });
    const request = await findWaiting(ctx, warningcode, requestid);
    const { facts, settings } = lockedCase;
    const human = await findActor(ctx);
    const refusal = refusalToAnswer(facts, request.subject, request.askkeys, human);
    if (refusal) throw problems.wrongState({ why: refusal });
    await assertVersion(ctx, lockedCase, version);
    if (agreed === 0) return giveBack(ctx, lockedCase, request, content, []);
    const lapsed = await findAskerFault(ctx, lockedCase, request);
    const askerKeys = [...new Set([...request.askkeys, ...(await findHumanKeys(ctx.scope, request.askuserid))])];
    const agreement = agree(
      facts,
      { subject: request.subject, act: request.act?.action ?? null },
      { now: ctx.now, userid: request.askuserid, human: askerKeys, ...settings.trigger },
      { userid: actorId(ctx.caller), human, content },
    );
    if (lapsed) return giveBack(ctx, lockedCase, request, content, [lapsed]);
    if (!agreement.ok) return giveBack(ctx, lockedCase, request, content, agreement.reasons);
    const confirmed = request.act ? { ...agreement.confirmed, requestdues: [] } : agreement.confirmed;
    return { ...(await doAct(ctx, lockedCase, request, content, confirmed, agreement.after)), isdone: 1, reasons: [] };
  },
);

/** Why the asker may no longer act, in Chinese; '' when they may. */
async function findAskerFault(ctx: StaffContext, { row }: LockedCase, request: RequestRow): Promise<string> {
  if (row.suspectuserids.includes(request.askuserid)) return '申请人不能再办理该个案';
  const member = await findMember(ctx.scope, request.askuserid);
  return member && member.enabled !== 1 ? '申请人的账号已停用，请由现在的责任人重新申请' : '';
}

/** Stores the confirmation and then the act of the asker, each with its log line. */
async function doAct(
  ctx: StaffContext,
  lockedCase: LockedCase,
  request: RequestRow,
  content: string,
  confirmed: WarningFacts,
  after: WarningFacts,
) {
  const { subject, act, requestid, warningcode } = request;
  const { caller, scope, now } = ctx;
  const title = REQUEST_SUBJECTS[subject];
  await endRequests(scope, [requestid], {
    status: RequestStatus.agreed,
    answername: caller.name,
    answer: content,
    answertime: now,
  });
  const log = { action: '复核', content: `同意“${title}”：${content}`, detail: { subject, requestid } };
  let result = await saveTransition(ctx, lockedCase, confirmed, log);
  if (subject !== 'dead') await saveConfirmation(ctx, warningcode, { subject, content });
  if (act) {
    const row = { ...lockedCase.row, version: result.version };
    // The second person closes a case after a death; every other act is the asker's.
    const author =
      subject === 'dead' ? {} : { operator: request.askaccount, operatorname: `${request.askname}（${caller.name} 复核）` };
    result = await saveTransition(
      ctx,
      { ...lockedCase, row, facts: confirmed },
      { ...after, requestdues: [] },
      { ...act.log, ...author, detail: { requestid } },
    );
    if (act.action.kind === 'close') await cancelFollowUps(scope, warningcode);
    if (act.action.kind === 'correctdeath') await putBackOnLists(scope, (await findCaseKeys(scope, warningcode)).cuserid, now);
  }
  await notifyAsker(
    scope,
    { ...request, time: now },
    'agreed',
    `${caller.name} 同意“${title}”${act ? '，已办理' : ''}：${content}`,
  );
  return result;
}

/** Gives a request back to its asker: the second person returned it, or the rules no longer allow the act (`reasons`). */
async function giveBack(ctx: StaffContext, lockedCase: LockedCase, request: RequestRow, content: string, reasons: string[]) {
  const { caller, scope, now } = ctx;
  const title = REQUEST_SUBJECTS[request.subject];
  const words = reasons.length > 0 ? `条件已不满足，未办理：${reasons.join('；')}` : content;
  await endRequests(scope, [request.requestid], {
    status: RequestStatus.returned,
    answername: caller.name,
    answer: words,
    answertime: now,
  });
  const result = await saveTransition(ctx, lockedCase, withoutRequest(lockedCase.facts, request), {
    action: '退回复核',
    content: `“${title}”：${words}`,
    detail: { subject: request.subject, requestid: request.requestid },
  });
  await notifyAsker(scope, { ...request, time: now }, 'returned', `${caller.name} 退回“${title}”：${words}`);
  return { ...result, isdone: 0, reasons };
}

const withdrawSecondRequest = handle(contract.withdrawSecondRequest, async ({ requestid, version, warningcode }, ctx) => {
  assertNotActing(ctx);
  const lockedCase = await lockCase(ctx, warningcode);
  const request = await findWaiting(ctx, warningcode, requestid);
  if (!isSameHuman(await findActor(ctx), request.askkeys)) throw problems.wrongState({ why: '只有申请人可以撤回' });
  await assertVersion(ctx, lockedCase, version);
  await endRequests(ctx.scope, [requestid], {
    status: RequestStatus.withdrawn,
    answername: ctx.caller.name,
    answertime: ctx.now,
  });
  return saveTransition(ctx, lockedCase, withoutRequest(lockedCase.facts, request), {
    action: '撤回复核',
    content: `“${REQUEST_SUBJECTS[request.subject]}”`,
  });
});

/** The handlers of requests to a second person. */
export const secondHandlers = [getSecondList, askSecond, answerSecondRequest, withdrawSecondRequest];
