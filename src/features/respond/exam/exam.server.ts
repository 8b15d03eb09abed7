import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { contentsOf, withLinks } from '#domain/report/recommended/contents.ts';
import { findStartFault } from '#domain/task/slots.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { findContentsOnShelf } from '#features/content/recommendations.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { findConsentState } from '#features/respond/entry/consentState.ts';
import { findSupportText } from '#features/respond/entry/support.ts';
import { findRespondent } from '#features/respond/entry/entry.queries.ts';
import { raiseContact } from '#features/respond/exam/raiseAlert.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';
import * as queries from '#features/respond/exam/exam.queries.ts';
import { toSheet } from '#features/respond/exam/sitting.ts';

const getTasks = handle(contract.getTasks, async (_, { scope, caller }) =>
  (await queries.findTasks(scope, caller.cuserid)).map(({ slotbegin, slotend, ...row }) => ({
    ...row,
    endtime: row.endtime && shanghaiTime(row.endtime),
    slot: slotbegin && slotend ? { begintime: shanghaiTime(slotbegin), endtime: shanghaiTime(slotend) } : null,
  })),
);

const startExam = handle(contract.startExam, async ({ cuserplanid, device }, ctx) => {
  const { scope, caller, now, origin } = ctx;
  const authorization = await queries.findAuthorization(scope, cuserplanid);
  if (!authorization || authorization.formcode !== null) throw problems.notFound({ what: '测评任务' });
  const age = authorization.birthday ? ageOn(authorization.birthday, now) : null;
  const consentid = await requireConsent(ctx, caller.cuserid);
  if (authorization.rosterstatus === 3 || authorization.rosterstatus === 9)
    throw problems.outsideWindow({ why: '你不在本次测评名单中，请联系老师' });
  const fault = findTaskFault(authorization, now);
  if (fault) throw problems.outsideWindow({ why: fault });
  if (authorization.taskcode === null) assertAuthorizationOpen(authorization, shanghaiDate(now));
  if (await queries.findPausedForm(scope, authorization))
    throw problems.wrongState({ why: '这次测评正在更新问卷，暂停作答。您不用做任何事，恢复后工作人员会通知您' });
  const exam = await queries.findOrCreateExam(scope, authorization, { age, consentid, now, ...origin });
  if (!exam) throw problems.serverBusy();
  if (exam.status === 2) throw problems.alreadySubmitted();
  await queries.takeOverSheet(scope, exam.examcode, authorization.scenecode);
  const forms = await withScales(scope, await queries.findForms(scope, exam.examcode));
  return {
    examcode: exam.examcode,
    taskname: authorization.taskname,
    resultshow: authorization.resultshow === 1,
    person: personFacts(authorization, age) as Record<string, string | number | null>,
    sheets: forms.map((form) => toSheet(form, device)),
  };
});

/** Why the person cannot answer a task now: its window, and the slot of the class. Undefined for an authorization outside tasks. */
function findTaskFault(authorization: queries.AuthorizationRow, now: Date): string | undefined {
  const { begintime, endtime, taskstatus, slotbegin, slotend, teamname, rosterstatus } = authorization;
  if (!begintime || !endtime) return undefined;
  const slot = slotbegin && slotend ? { begintime: slotbegin, endtime: slotend, teamname: teamname ?? '' } : null;
  return findStartFault(now, { begintime, endtime, isRunning: taskstatus === 1 }, slot, (rosterstatus ?? 0) > 0);
}

/** Refuses an authorization outside tasks that is withdrawn, expired or not yet open. */
function assertAuthorizationOpen(authorization: queries.AuthorizationRow, today: string) {
  if (authorization.grantstatus === 3) throw problems.outsideWindow({ why: '本次测评已取消，如有疑问请联系工作人员' });
  if (
    authorization.grantstatus === 4 ||
    (authorization.grantstatus === 1 && authorization.enddate && authorization.enddate < today)
  )
    throw problems.outsideWindow({ why: '本次测评已过有效期，如需测评请联系工作人员' });
  if (authorization.begindate && today < authorization.begindate)
    throw problems.outsideWindow({ why: `测评将于 ${authorization.begindate} 开始` });
}

/** The id of the consent to processing. Refuses 150005 without consent to the current text. */
async function requireConsent(ctx: Parameters<typeof findConsentState>[2] & { scope: Scope }, cuserid: string): Promise<number> {
  const { consentid, isMissing, isRefused } = await findConsentState(ctx.scope, cuserid, ctx);
  if (isRefused) throw problems.wrongState({ why: '监护人没有同意参加，这次不用作答。有疑问请联系老师' });
  if (consentid === null || isMissing) throw problems.consentMissing({ why: '请先阅读并同意知情同意书' });
  return consentid;
}

const askForContact = handle(contract.askForContact, async ({ content }, ctx) => {
  const respondent = await findRespondent(ctx.scope, ctx.caller.cuserid);
  if (!respondent) throw problems.identityInvalid();
  await raiseContact(ctx.scope, respondent, content, ctx.now);
  return { text: await findSupportText(ctx.scope, respondent, 'contact', ctx.now) };
});

const getOwnReports = handle(contract.getOwnReports, async (_, { scope, caller }) =>
  (await queries.findOwnReports(scope, caller.cuserid)).map((row) => ({ ...row, createtime: shanghaiTime(row.createtime) })),
);

const getOwnReport = handle(contract.getOwnReport, async ({ reportcode }, ctx) => {
  const report = await queries.findOwnReport(ctx.scope, ctx.caller.cuserid, reportcode);
  if (!report) throw problems.notFound({ what: '报告' });
  const { self } = await findReportTexts(ctx.scope, reportcode);
  ctx.audit({ cuserids: [ctx.caller.cuserid], objectid: reportcode, detail: { version: report.version } });
  const content = withLinks(self, await findContentsOnShelf(ctx.scope, ctx.caller, contentsOf(self), ctx.now));
  return { reportcode, title: report.title, content, createtime: shanghaiTime(report.createtime) };
});

export const examHandlers = [getTasks, startExam, askForContact, getOwnReports, getOwnReport];
