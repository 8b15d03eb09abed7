import { shanghaiTime } from '#domain/base/calendar.ts';
import { closingCriteria } from '#domain/warning/closing.ts';
import { CloseReason } from '#domain/base/enums.ts';
import { suggestLevel, type RiskInterview } from '#domain/warning/riskassess.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { allowedActions, type WarningCaller } from '#domain/warning/warning.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone, canReadNames } from '#server/security/privacy.ts';
import * as contract from '#features/warning/warning.contract.ts';
import { findCaseFiles, findReturns } from '#features/warning/files/casefile.queries.ts';
import { findRetestTasks, lastPlanOf } from '#features/warning/alerts/retest.queries.ts';
import * as parts from '#features/warning/cases/caseDetail.queries.ts';
import { actorId, type StaffContext } from '#features/warning/handling/transition.ts';
import { factsOf, findWarning, type WarningRecord } from '#features/warning/warning.queries.ts';
import { findWarningRow } from '#features/warning/warninglist.queries.ts';
import { toWarningRow, canReadCases, ruleName, triggersOf } from '#features/warning/warningrow.ts';

const time = (moment: Date | null) => moment && shanghaiTime(moment);

/** One case. The reading is recorded against the person it is about. */
export const getWarningDetail = handle(contract.getWarningDetail, async ({ warningcode }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  const warningRow = await findWarningRow(scope, warningcode, now);
  if (!warningRow) throw problems.notFound({ what: '预警' });
  audit({ cuserids: [warningRow.cuserid], objectid: warningcode });
  const entry = await parts.entryOf(scope, warningRow.musercode);
  const whole = canReadCases(caller);
  return {
    ...toWarningRow(caller, warningRow, now),
    focus: warningRow.focus,
    ownerphone: warningRow.ownerphone ?? '',
    entryurl: whole && entry ? `${ctx.publicUrl}/c/${entry.clientcode}` : '',
    full: whole ? await fullCase(ctx, await findWarning(scope, warningcode), warningRow.rulenames) : null,
  };
});

async function fullCase(
  ctx: StaffContext,
  row: WarningRecord,
  rulenames: Readonly<Record<string, string>> | null,
): Promise<contract.FullCase> {
  const { scope, caller, now, cipher } = ctx;
  const { warningcode, cuserid, musercode } = row;
  const facts = await factsOf(scope, row, now);
  const userid = actorId(caller);
  const confirmed = facts.confirmation
    ? `${await nameOf(ctx, facts.confirmation.userid)} · ${shanghaiTime(facts.confirmation.time).slice(0, 16)}`
    : '';
  return {
    initiallevel: row.initiallevel,
    peaklevel: row.peaklevel,
    sector: facts.sector,
    minor: facts.minor,
    triggers: triggersOf({ ...row, rulenames }),
    rules: row.rulecodes.map((rulecode) => ({ rulecode, name: ruleName(rulecode, rulenames) })),
    stateat: shanghaiTime(row.stateat),
    assessduetime: time(row.assessduetime),
    guardianduetime: time(row.guardianduetime),
    contactresult: row.contactresult,
    guardiantime: time(row.guardiantime),
    guardianexempt: row.guardianexempt,
    plantext: row.plantext,
    closenote: row.closenote,
    closetime: time(row.closetime),
    confirmed,
    guardians: (await parts.findGuardians(scope, cuserid)).map(({ phonesealed, ...each }) => ({
      ...each,
      name: canReadNames(caller) ? each.name : displayName(caller, each.name),
      phonenumber: maskedPhone(cipher, musercode, phonesealed),
    })),
    answers: caller.codes.has(codeOf('exam.answers')) ? await alertAnswers(ctx, warningcode) : null,
    results: (await parts.findResults(scope, cuserid)).map((result) => ({
      ...result,
      levelname: result.levelname ?? '',
      submittime: shanghaiTime(result.submittime),
    })),
    logs: (await parts.findLogs(scope, warningcode)).map(
      ({ logid, action, fromstate, tostate, fromlevel, tolevel, content, operatorname, attach, time: at }) => ({
        attach,
        logid,
        action,
        fromstate,
        tostate,
        fromlevel,
        tolevel,
        content,
        operatorname: operatorname ?? '',
        time: shanghaiTime(at),
      }),
    ),
    assesses: (await parts.findAssesses(scope, warningcode)).map((assess) => ({
      ...assess,
      asq: asqText(assess.asqanswers as Record<string, string | null> | null),
      suggestedlevel: suggestLevel(assess as unknown as RiskInterview).level,
      note: assess.note ?? '',
      assessorname: assess.realname ?? '',
      time: shanghaiTime(assess.time),
    })),
    referrals: (await parts.findReferrals(scope, warningcode)).map((referral) => ({
      ...referral,
      todept: referral.todept ?? '',
      feedback: referral.feedback ?? '',
      time: shanghaiTime(referral.time),
    })),
    followups: (await parts.findFollowUps(scope, warningcode)).map((followUp) => ({
      ...followUp,
      duetime: shanghaiTime(followUp.duetime),
      donetime: time(followUp.donetime),
      content: followUp.content ?? '',
      overdue: (followUp.status === '01' || followUp.status === '03') && followUp.duetime < now,
    })),
    interferes: (await parts.findInterferes(scope, cuserid, warningcode)).map((interfere) => ({
      ...interfere,
      mine: interfere.operator === caller.accountid ? 1 : 0,
      begintime: shanghaiTime(interfere.begintime),
    })),
    files: (await findCaseFiles(scope, warningcode)).map(({ createby, ...each }) => ({
      ...each,
      size: Number(each.size),
      createtime: shanghaiTime(each.createtime),
      mine: createby === caller.accountid ? 1 : 0,
    })),
    returns: (await findReturns(scope, warningcode)).map((returnItem) => ({
      ...returnItem,
      time: shanghaiTime(returnItem.time),
    })),
    retests: (await findRetestTasks(scope, cuserid, row.createtime)).map((retestTask) => ({
      ...retestTask,
      begintime: shanghaiTime(retestTask.begintime),
      endtime: shanghaiTime(retestTask.endtime),
      submittime: time(retestTask.submittime),
    })),
    plancode: await lastPlanOf(scope, cuserid),
    reports: (await parts.findReports(scope, cuserid)).map((report) => ({
      ...report,
      createtime: shanghaiTime(report.createtime),
    })),
    earlier: (await parts.findEarlier(scope, cuserid, warningcode)).map((item) => ({
      ...item,
      createtime: shanghaiTime(item.createtime),
    })),
    criteria: criteriaByReason(facts, now, userid),
    actions: offers(facts, { userid, musertype: caller.musertype, permissions: [...caller.codes] }, now),
  };
}

/** Steps whose call brings what they need: the plan, the schedule, the letter. What is missing besides still stands in the way. */
const BRINGS: readonly string[] = ['intervene', 'observe', 'refer'];
function offers(facts: WarningFacts, by: WarningCaller, now: Date) {
  const brought = allowedActions(
    {
      ...facts,
      plantext: facts.plantext || '安全计划',
      followups: [...facts.followups, { duetime: now, status: '01', donetime: null }],
      referrals: [...facts.referrals, { time: now, status: '01' }],
    },
    by,
  );
  return allowedActions(facts, by).map((offer) =>
    BRINGS.includes(offer.action) ? (brought.find((candidate) => candidate.action === offer.action) ?? offer) : offer,
  );
}

/** The closing checklist for every reason; the note is judged where it is written. */
const criteriaByReason = (facts: WarningFacts, now: Date, userid: string) =>
  Object.fromEntries(
    CloseReason.codes.map((reason) => [reason, closingCriteria(facts, reason, now, userid).filter(({ key }) => key !== 'note')]),
  );

async function nameOf({ scope, caller }: StaffContext, userid: string): Promise<string> {
  if (userid === caller.userid) return caller.name;
  return (await parts.staffName(scope, userid)) ?? userid;
}

function asqText(answers: Record<string, string | null> | null): string {
  const scale = scaleOf('ASQ');
  if (!answers || !scale) return '';
  return scale.items
    .filter((item) => answers[item.c])
    .map((item) => `${item.c.slice(1)}. ${answerText(scale, item.c, answers[item.c])}`)
    .join('，');
}

/** Items an alert of the form asks about. */
function alertItems(cond: Cond): string[] {
  if ('all' in cond) return cond.all.flatMap(alertItems);
  if ('any' in cond) return cond.any.flatMap(alertItems);
  return 'item' in cond && !('form' in cond) ? [cond.item] : [];
}
function optionsOf(scale: Scale, code: string) {
  const item = scale.items.find((candidate) => candidate.c === code);
  return item?.o ? scale.optionsets[item.o] : Object.values(scale.optionsets)[0];
}
function answerText(scale: Scale, code: string, value: unknown): string {
  const options = optionsOf(scale, code);
  return options?.find(([option]) => option === String(value))?.[1] ?? String(value);
}

/** What was answered to the items that can raise an alert, in the words of the form. */
async function alertAnswers({ scope }: StaffContext, warningcode: string): Promise<NonNullable<contract.FullCase['answers']>> {
  const rows = await parts.findTriggerAnswers(scope, warningcode);
  return rows.flatMap((row) => {
    const scale = (row.definition as Scale | null) ?? scaleOf(row.formcode);
    if (!scale || !(scale.alerts ?? []).some((alert) => alertItems(alert.when).includes(row.questionc))) return [];
    const item = scale.items.find((candidate) => candidate.c === row.questionc);
    // An item answered with nothing raised nothing: a red frame around “not at all” would frighten for no reason.
    if (optionsOf(scale, row.questionc)?.find(([option]) => option === String(row.value))?.[2] === 0) return [];
    return [
      {
        formname: row.formname,
        question: `${row.questionc.replace(/^q/, '第')}题 ${item?.t ?? ''}`.trim(),
        answer: answerText(scale, row.questionc, row.value),
        time: shanghaiTime(row.answertime),
      },
    ];
  });
}
