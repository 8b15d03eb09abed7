import { isSuspectedGuardian } from '#domain/warning/suspect.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { formatCompanion } from '#domain/warning/clock/caseduty.ts';
import { DUE_LABELS, pendingClocks } from '#domain/warning/clock/clocks.ts';
import { closingCriteria } from '#domain/warning/closing.ts';
import { EXEMPT_GROUNDS, isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { CONFIRM_SUBJECTS, refusalToConfirm } from '#domain/warning/decision/secondPerson.ts';
import { assumeConfirmed, subjectOf } from '#domain/warning/decision/secondRequest.ts';
import type { ActionContext } from '#domain/warning/decision/warningAction.ts';
import { StaffCloseReason } from '#domain/base/enums.ts';
import type { AsqResultCode } from '#domain/warning/asqTriage.ts';
import { pendingConclusions, suggestLevel, type RiskInterview } from '#domain/warning/riskassess.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { allowedActions, type WarningCaller } from '#domain/warning/warning.ts';
import { isOpen, isSinceNews, type ConfirmSubject, type WarningFacts } from '#domain/warning/warningfacts.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone, canReadNames } from '#server/security/privacy.ts';
import { needsAsqFirst } from '#features/warning/interview/interview.queries.ts';
import { findLastSafetyPlan, findSafetyPlanVersions } from '#features/warning/plan/plan.queries.ts';
import { toSafetyPlanView } from '#features/warning/plan/saveSafetyPlan.ts';
import * as contract from '#features/warning/warning.contract.ts';
import { findCaseFiles, findReturns } from '#features/warning/files/casefile.queries.ts';
import { findRetestTasks, findLastPlan } from '#features/warning/alerts/retest.queries.ts';
import * as parts from '#features/warning/cases/caseDetail.queries.ts';
import { actorId, findActor, type StaffContext } from '#features/warning/handling/transition.ts';
import { findTransferLinks } from '#features/warning/transfer/transfer.queries.ts';
import { loadFacts, findWarning, type WarningRecord } from '#features/warning/warning.queries.ts';
import { toRequestViews } from '#features/warning/second/requestViews.ts';
import { findWarningRow } from '#features/warning/warninglist.queries.ts';
import { describeTriggers, findRuleName, type CustomRules } from '#features/warning/list/triggerText.ts';
import { toWarningRow, canReadCases } from '#features/warning/warningrow.ts';

const formatTime = (moment: Date | null) => moment && shanghaiTime(moment);

/** Handler of one case. It audits the read with the person of the case. */
export const getWarningDetail = handle(contract.getWarningDetail, async ({ warningcode }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  const warningRow = await findWarningRow(scope, warningcode, now);
  if (!warningRow) throw problems.notFound({ what: '预警' });
  audit({ cuserids: [warningRow.cuserid], objectid: warningcode });
  const entry = await parts.findEntry(scope, warningRow.musercode);
  const canRead = canReadCases(caller);
  return {
    ...toWarningRow(caller, warningRow, now),
    focus: warningRow.focus,
    ownerphone: warningRow.ownerphone ?? '',
    entryurl: canRead && entry ? `${ctx.publicUrl}/c/${entry.clientcode}` : '',
    full: canRead ? await toFullCase(ctx, await findWarning(scope, warningcode), warningRow.customrules) : null,
  };
});

async function toFullCase(ctx: StaffContext, row: WarningRecord, customrules: CustomRules | null): Promise<contract.FullCase> {
  const { scope, caller, now, cipher } = ctx;
  const { warningcode, cuserid, musercode } = row;
  const facts = await loadFacts(scope, row, now);
  const userid = actorId(caller);
  const plan = await findLastSafetyPlan(scope, warningcode);
  const human = await findActor(ctx);
  const links = await findTransferLinks(scope, warningcode);
  const confirmations = await parts.findConfirmations(scope, warningcode);
  const standing = confirmations.filter((confirmation) => isSinceNews(facts, confirmation));
  return {
    initiallevel: row.initiallevel,
    peaklevel: row.peaklevel,
    sector: facts.sector,
    minor: facts.minor,
    triggers: describeTriggers({ ...row, customrules }),
    rules: row.rulecodes.map((rulecode) => ({ rulecode, name: findRuleName(rulecode, customrules) })),
    stateat: shanghaiTime(row.stateat),
    assessduetime: formatTime(row.assessduetime),
    guardianduetime: formatTime(row.guardianduetime),
    contactresult: row.contactresult,
    guardiantime: formatTime(row.guardiantime),
    guardianexempt: row.guardianexempt,
    plantext: row.plantext,
    safetyplan: plan ? toSafetyPlanView({ cipher }, plan, facts.minor) : null,
    planversions: (await findSafetyPlanVersions(scope, warningcode)).map((version) => ({
      ...version,
      time: shanghaiTime(version.time),
    })),
    asqfirst: (await needsAsqFirst(scope, warningcode)) ? 1 : 0,
    closenote: row.closenote,
    closetime: formatTime(row.closetime),
    confirmed: standing
      .map(({ subject, username, time }) => `${formatSubject(subject)}：${username} · ${shanghaiTime(time).slice(0, 16)}`)
      .join('；'),
    newstime: shanghaiTime(row.newstime),
    clocks: pendingClocks(facts)
      .sort((a, b) => a.due.getTime() - b.due.getTime())
      .map(({ kind, due }) => ({ kind, label: DUE_LABELS[kind], at: shanghaiTime(due), isoverdue: due < now })),
    duties: (await parts.findDuties(scope, warningcode)).map(
      ({ duetime, donetime, companion, companionrole, companionfrom, companionuntil, ...duty }) => ({
        ...duty,
        companion: companionfrom ? formatCompanion({ companion, companionrole, companionfrom, companionuntil }) : '',
        duetime: shanghaiTime(duetime),
        donetime: formatTime(donetime),
        operatorname: duty.operatorname ?? '',
        isoverdue: donetime === null && duetime < now,
      }),
    ),
    exemption: facts.exemption && {
      ground: facts.exemption.ground,
      title: EXEMPT_GROUNDS[facts.exemption.ground].title,
      alternate: facts.exemption.alternate,
      until: formatTime(facts.exemption.until),
      isvalid: isGuardianExempt(facts) && !isLapsed(facts.exemption.until, now),
      islapsed: isLapsed(facts.exemption.until, now),
    },
    transfer: facts.transfer && {
      to: facts.transfer.to,
      time: shanghaiTime(facts.transfer.time),
      receipttime: formatTime(facts.transfer.receipttime),
      islinked: facts.transfer.islinked ? 1 : 0,
      linkedcode: (facts.transfer.islinked && links.sent?.linkedcode) || '',
    },
    origin: links.origin
      ? {
          insname: links.origin.sendername,
          warningcode: links.origin.warningcode,
          contact: links.origin.contact,
          time: shanghaiTime(links.origin.createtime),
        }
      : null,
    death: facts.death && { time: shanghaiTime(facts.death.time), source: facts.death.source },
    confirmable: confirmableSubjects(facts, human),
    ...(await toRequestViews(ctx, row, facts, human)),
    guardians: (await parts.findGuardians(scope, cuserid)).map(({ phonesealed, ...guardian }) => ({
      ...guardian,
      issuspect: isSuspectedGuardian(row.suspectname, guardian),
      name: canReadNames(caller) ? guardian.name : displayName(caller, guardian.name),
      phonenumber: maskedPhone(cipher, musercode, phonesealed),
    })),
    answers: caller.codes.has(codeOf('exam.answers')) ? await findAlertAnswers(ctx, warningcode) : null,
    results: (await parts.findResults(scope, cuserid)).map((result) => ({
      ...result,
      levelname: result.levelname ?? '',
      submittime: shanghaiTime(result.submittime),
    })),
    logs: (await parts.findLogs(scope, warningcode)).map(
      ({ logid, action, fromstate, tostate, fromlevel, tolevel, content, operatorname, attach, time }) => ({
        attach,
        logid,
        action,
        fromstate,
        tostate,
        fromlevel,
        tolevel,
        content,
        operatorname: operatorname ?? '',
        time: shanghaiTime(time),
      }),
    ),
    assesses: (await parts.findAssesses(scope, warningcode)).map((assess) => ({
      ...assess,
      asq: formatAsq(assess.asqanswers as Record<string, string | null> | null),
      asqresult: assess.asqresult as AsqResultCode | null,
      suggestedlevel: assess.suggestedlevel ?? suggestLevel(assess as unknown as RiskInterview).level,
      confirmed: assess.confirmtime ? `${assess.confirmedname ?? ''} · ${shanghaiTime(assess.confirmtime).slice(0, 16)}` : '',
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
      donetime: formatTime(followUp.donetime),
      content: followUp.content ?? '',
      overdue: (followUp.status === '01' || followUp.status === '03') && followUp.duetime < now,
    })),
    interferes: (await parts.findInterferes(scope, cuserid, warningcode)).map((interfere) => ({
      ...interfere,
      mine: interfere.operator === caller.accountid ? 1 : 0,
      begintime: shanghaiTime(interfere.begintime),
    })),
    files: (await findCaseFiles(scope, warningcode)).map(({ createby, ...file }) => ({
      ...file,
      size: Number(file.size),
      createtime: shanghaiTime(file.createtime),
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
      submittime: formatTime(retestTask.submittime),
    })),
    plancode: await findLastPlan(scope, cuserid),
    reports: (await parts.findReports(scope, cuserid)).map((report) => ({
      ...report,
      createtime: shanghaiTime(report.createtime),
    })),
    earlier: (await parts.findEarlier(scope, cuserid, warningcode)).map((item) => ({
      ...item,
      createtime: shanghaiTime(item.createtime),
    })),
    criteria: findCriteria(facts, { now, userid, human }),
    actions: findActions(facts, { userid, human, musertype: caller.musertype, permissions: [...caller.codes] }, now),
  };
}

const isLapsed = (until: Date | null, now: Date) => until !== null && until <= now;

/** Steps that a second person must confirm, with the subject of the confirmation. */
const SECOND_STEPS: Readonly<Record<string, ConfirmSubject>> = {
  exclude: 'exclude',
  transfer: 'transfer',
  correctdeath: 'death',
};
/** Steps whose request carries the schedule or the letter. `findActions` therefore does not report these as missing. */
const SELF_PREPARING_STEPS: readonly string[] = ['observe', 'refer'];
function findActions(facts: WarningFacts, caller: WarningCaller, now: Date) {
  const prepared = allowedActions(
    {
      ...facts,
      followups: [...facts.followups, { duetime: now, status: '01', donetime: null }],
      referrals: [...facts.referrals, { time: now, status: '01' }],
    },
    caller,
    now,
  );
  return allowedActions(facts, caller, now).map((action) => {
    const offer = SELF_PREPARING_STEPS.includes(action.action)
      ? (prepared.find((candidate) => candidate.action === action.action) ?? action)
      : action;
    const subject = SECOND_STEPS[action.action];
    if (!subject || offer.reasons.length === 0) return { ...offer, bysecond: 0 };
    // The missing confirmation is no obstacle: the step asks for it.
    const assumed = assumeConfirmed(facts, subject, { now, userid: caller.userid, human: caller.human });
    const reasons = allowedActions(assumed, caller, now).find((candidate) => candidate.action === action.action)?.reasons;
    return { ...offer, ...(reasons && { reasons }), bysecond: reasons && reasons.length < offer.reasons.length ? 1 : 0 };
  });
}

/** The closing criteria of every close reason without the closing note, which the form checks. */
const findCriteria = (facts: WarningFacts, context: ActionContext) =>
  Object.fromEntries(
    StaffCloseReason.codes.map((reason) => {
      const { now, human } = context;
      const subject = subjectOf({ kind: 'close', closereason: reason, closenote: '' });
      const assumed =
        subject === 'dead'
          ? closingCriteria(facts, reason, now, ['?'])
          : closingCriteria(assumeConfirmed(facts, subject, context), reason, now, human);
      const lines = closingCriteria(facts, reason, now, human).map((line) => ({
        ...line,
        // The agreement of a second person meets this criterion; the closing asks for it.
        bysecond: !line.met && assumed.some(({ key, met }) => key === line.key && met) ? 1 : 0,
      }));
      return [reason, lines.filter(({ key }) => key !== 'note')];
    }),
  );

const formatSubject = (subject: string) => CONFIRM_SUBJECTS[subject as ConfirmSubject];

/** What this human may confirm as the second person now. */
function confirmableSubjects(facts: WarningFacts, human: readonly string[]): ConfirmSubject[] {
  if (!isOpen(facts) && !facts.death) return [];
  const subjects: ConfirmSubject[] = facts.death ? ['death'] : ['close', 'exclude', 'transfer', 'lost'];
  if (facts.exemption && facts.peaklevel >= 3 && !facts.death) subjects.unshift('exempt');
  if (pendingConclusions(facts).length > 0 && !facts.death) subjects.unshift('conclusion');
  return subjects.filter((subject) => refusalToConfirm(facts, subject, human) === '');
}

function formatAsq(answers: Record<string, string | null> | null): string {
  const scale = scaleOf('ASQ');
  if (!answers || !scale) return '';
  return scale.items
    .filter((item) => answers[item.c])
    .map((item) => `${item.c.slice(1)}. ${formatAnswer(scale, item.c, answers[item.c])}`)
    .join('，');
}

/** The codes of the items in the condition of an alert. */
function findAlertItems(cond: Cond): string[] {
  if ('all' in cond) return cond.all.flatMap(findAlertItems);
  if ('any' in cond) return cond.any.flatMap(findAlertItems);
  return 'item' in cond && !('form' in cond) ? [cond.item] : [];
}
function findOptions(scale: Scale, code: string) {
  const item = scale.items.find((candidate) => candidate.c === code);
  return item?.o ? scale.optionsets[item.o] : Object.values(scale.optionsets)[0];
}
function formatAnswer(scale: Scale, code: string, value: unknown): string {
  const options = findOptions(scale, code);
  return options?.find(([option]) => option === String(value))?.[1] ?? String(value);
}

/** The answers to the items that can raise an alert, as texts of the form. */
async function findAlertAnswers(
  { scope }: StaffContext,
  warningcode: string,
): Promise<NonNullable<contract.FullCase['answers']>> {
  const rows = await parts.findTriggerAnswers(scope, warningcode);
  return rows.flatMap((row) => {
    const scale = (row.definition as Scale | null) ?? scaleOf(row.formcode);
    if (!scale || !(scale.alerts ?? []).some((alert) => findAlertItems(alert.when).includes(row.questionc))) return [];
    const item = scale.items.find((candidate) => candidate.c === row.questionc);
    // An answer with score 0 raised no alert. A red frame around “not at all” would alarm the reader for no reason.
    if (findOptions(scale, row.questionc)?.find(([option]) => option === String(row.value))?.[2] === 0) return [];
    return [
      {
        formname: row.formname,
        question: `${row.questionc.replace(/^q/, '第')}题 ${item?.t ?? ''}`.trim(),
        answer: formatAnswer(scale, row.questionc, row.value),
        time: shanghaiTime(row.answertime),
      },
    ];
  });
}
