import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { needsGuardian, requiredScopes } from '#domain/exam/consent.ts';
import { toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { reportText } from '#features/report/renderReport.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { consentOf, ownFacts } from '#features/respond/entry/entry.queries.ts';
import { raiseContact } from '#features/respond/exam/raiseAlert.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';
import * as queries from '#features/respond/exam/exam.queries.ts';

const getTasks = handle(contract.getTasks, async (_, { scope, caller }) =>
  (await queries.findTasks(scope, caller.cuserid)).map((row) => ({ ...row, endtime: row.endtime && shanghaiTime(row.endtime) })),
);

const startExam = handle(contract.startExam, async ({ cuserplanid }, ctx) => {
  const { scope, caller, now, origin } = ctx;
  const grant = await queries.findGrant(scope, cuserplanid);
  if (!grant) throw problems.notFound({ what: '测评任务' });
  const age = grant.birthday ? ageOn(grant.birthday, now) : null;
  const consentid = await agreed(scope, caller.cuserid, age);
  if (grant.rosterstatus === 3 || grant.rosterstatus === 9)
    throw problems.outsideWindow({ why: '你不在本次测评名单中，请联系老师' });
  if (grant.begintime && now < grant.begintime)
    throw problems.outsideWindow({ why: `测评将于 ${shanghaiTime(grant.begintime).slice(0, 16)} 开始` });
  if (grant.taskstatus !== null && (grant.taskstatus !== 1 || (grant.endtime && now > grant.endtime)))
    throw problems.outsideWindow({ why: '本次测评已结束，如需补测请联系老师' });
  if (grant.taskcode === null) requireGrant(grant, shanghaiDate(now));
  const record = await queries.openRecord(scope, grant, { age, consentid, now, ...origin });
  if (!record) throw problems.serverBusy();
  if (record.status === 2) throw problems.alreadySubmitted();
  const forms = await withScales(scope, await queries.findForms(scope, record.examcode));
  return {
    examcode: record.examcode,
    taskname: grant.taskname,
    resultshow: grant.resultshow === 1,
    person: personFacts(grant, age) as Record<string, string | number | null>,
    sheets: forms.map(({ examformid, scale, answers, seqs }) => {
      const sheet = toQuestionnaire(scale);
      return {
        examformid,
        formcode: scale.formcode,
        formname: scale.title,
        recall: scale.recall ?? '',
        instruction: scale.instruction ?? '',
        licencetext: scale.licencetext ?? '',
        items: sheet.items.map(({ o, type, required, ...item }) => ({
          ...item,
          type: type ?? 1,
          required: required !== false,
          ...(o !== undefined && {
            options: (sheet.optionsets[o] ?? []).map(([code, label]): [string, string] => [code, label]),
          }),
        })),
        derive: sheet.derive,
        answers: answers as Record<string, unknown>,
        seqs,
      };
    }),
  };
});

/** A grant outside tasks has days of its own and can be taken back. */
function requireGrant(grant: queries.GrantRow, today: string) {
  if (grant.grantstatus === 3) throw problems.outsideWindow({ why: '本次测评已取消，如有疑问请联系工作人员' });
  if (grant.grantstatus === 4 || (grant.grantstatus === 1 && grant.enddate && grant.enddate < today))
    throw problems.outsideWindow({ why: '本次测评已过有效期，如需测评请联系工作人员' });
  if (grant.begindate && today < grant.begindate) throw problems.outsideWindow({ why: `测评将于 ${grant.begindate} 开始` });
}

/** No answer without consent: processing and sensitive data agreed to, under 14 by a guardian too. */
async function agreed(scope: Scope, cuserid: string, age: number | null): Promise<number> {
  const own = await ownFacts(scope, cuserid);
  const consent = await consentOf(scope, cuserid, own?.consentversion ?? '1');
  if (consent.consentid === null || !requiredScopes.every((requiredScope) => consent.scopes.includes(requiredScope)))
    throw problems.consentMissing({ why: '请先阅读并同意知情同意书' });
  if (needsGuardian(age) && !consent.guardian) throw problems.consentMissing({ why: '未满 14 周岁，需要监护人同意后才能作答' });
  return consent.consentid;
}

const askForContact = handle(contract.askForContact, async ({ content }, ctx) => {
  const own = await ownFacts(ctx.scope, ctx.caller.cuserid);
  if (!own) throw problems.identityInvalid();
  await raiseContact(ctx.scope, own, content, ctx.now);
  return { text: own.sector === 'edu' ? '已经告诉心理老师，老师会尽快来找你。' : '已经告诉工作人员，我们会尽快联系您。' };
});

const getOwnReports = handle(contract.getOwnReports, async (_, { scope, caller }) =>
  (await queries.findOwnReports(scope, caller.cuserid)).map((row) => ({ ...row, createtime: shanghaiTime(row.createtime) })),
);
const getOwnReport = handle(contract.getOwnReport, async ({ reportcode }, ctx) => {
  const report = await queries.findOwnReport(ctx.scope, ctx.caller.cuserid, reportcode);
  if (!report) throw problems.notFound({ what: '报告' });
  const { self } = await reportText(ctx.scope, reportcode);
  ctx.audit({ cuserids: [ctx.caller.cuserid], objectid: reportcode });
  return { reportcode, title: report.title, content: self, createtime: shanghaiTime(report.createtime) };
});

export const examHandlers = [getTasks, startExam, askForContact, getOwnReports, getOwnReport];
