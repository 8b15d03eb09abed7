import { addHours, ageOn, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { mapInOrder } from '#domain/base/inOrder.ts';
import { alertItems, enterableScores } from '#domain/exam/enteredScores.ts';
import { toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findPlanStages, findPlans } from '#features/plan/plan.queries.ts';
import { checkFormLicences } from '#features/plan/formLicence.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';
import { findAuthorization, findOrCreateExam, findPausedForm } from '#features/respond/exam/exam.queries.ts';
import {
  type EntryPerson,
  findEntryScales,
  findEntryState,
  hasWay,
  requireEntry,
  requireGrant,
  requirePerson,
} from '#features/staffexam/entryTarget.ts';
import * as contract from '#features/staffexam/staffexam.contract.ts';
import * as queries from '#features/staffexam/staffexam.queries.ts';
import { submitEntry } from '#features/staffexam/submitEntry.ts';

/** The scene of a sheet (model-and-calls.md, examrecord): 02 typed in by staff, 03 from paper. */
const SCENES = { '01': '02', '02': '03', '03': '03' } as const;

const getStaffExamOptions = handle(contract.getStaffExamOptions, async ({ cuserid }, ctx) => {
  const { scope, now } = ctx;
  const person = await requirePerson(ctx, cuserid);
  const { refusal, waits } = await findEntryState(ctx, person);
  const forms = await queries.findForms(scope, person);
  const ofForms = person.ways.flatMap((way) =>
    forms
      .filter(({ definition }) => hasWay(definition, way))
      .map(({ formcode, formname }) => ({ way, formcode, plancode: '', taskcode: '', name: formname, stages: [] })),
  );
  const ofPlans = person.ways.includes('03') ? await findPlanOptions(scope, person, now) : [];
  return { refusal, waits: waits ? 1 : 0, person: describePerson(person, now), options: [...ofPlans, ...ofForms] };
});

/** What tells a person from others of the same masked name. */
function describePerson(person: EntryPerson, now: Date) {
  const { gender, birthday, insname, gradename, classname, unitname, checkupno, studentno, employeeno, archiveno } = person;
  const numbers = { 建册号: checkupno, 学号: studentno, 工号: employeeno, 档案号: archiveno };
  const [numbername, number] = Object.entries(numbers).find(([, text]) => text) ?? ['', ''];
  return {
    gender,
    age: birthday ? ageOn(birthday, now) : null,
    insname,
    belongs: [gradename, classname].filter(Boolean).join(' ') || (unitname ?? ''),
    numbername,
    number: number ?? '',
  };
}

/** The tasks and plans whose paper sheets can be typed in: their questionnaires are usable, and the person may be tested. */
async function findPlanOptions(
  scope: Parameters<typeof findPlans>[0],
  { cuserid, musercode, appid }: { cuserid: string; musercode: string; appid: string },
  now: Date,
) {
  const tasks = (await queries.findTaskGrants(scope, cuserid, now)).map(({ taskcode, taskname, plancode }) => ({
    way: '03' as const,
    formcode: '',
    plancode,
    taskcode,
    name: `任务：${taskname}`,
    stages: [],
  }));
  const { rows } = await findPlans(scope, {
    page: 1,
    pageSize: 200,
    appid,
    status: 1,
    orderby: 'planname',
    isasc: '1',
    musercodes: [musercode],
  });
  const formcodes = [...new Set(rows.flatMap((plan) => plan.forms.map((form) => form.formcode)))];
  const licences = await checkFormLicences(scope, formcodes, musercode, now);
  const usable = rows.filter((plan) => plan.forms.every(({ formcode }) => licences.get(formcode)?.ok));
  const plans = await mapInOrder(usable, async ({ plancode, planname }) => ({
    way: '03' as const,
    formcode: '',
    plancode,
    taskcode: '',
    name: planname,
    stages: (await findPlanStages(scope, plancode)).map(({ stagecode, stagename }) => ({ stagecode, stagename })),
  }));
  return [...tasks, ...plans];
}

const getStaffExam = handle(contract.getStaffExam, async (target, ctx) => {
  const person = await requireEntry(ctx, target.cuserid, target.way);
  const { name, scales } = await findEntryScales(ctx, person, target);
  const age = person.birthday ? ageOn(person.birthday, ctx.now) : null;
  return {
    name,
    person: personFacts(person, age) as Record<string, string | number | null>,
    sheets: scales.map((scale) => {
      const scores = target.way === '02' ? enterableScores(scale) : [];
      const shown = target.way === '02' ? { ...scale, items: alertItems(scale) } : scale;
      const questionnaire = toQuestionnaire(shown);
      return { formcode: scale.formcode, formname: scale.title, questionnaire, scores };
    }),
  };
});

const insertStaffExam = handle(contract.insertStaffExam, async (target, ctx) => {
  const { scope, now, origin } = ctx;
  const person = await requireEntry(ctx, target.cuserid, target.way);
  const cuserplanid = await requireGrant(ctx, person, target);
  const authorization = await findAuthorization(scope, cuserplanid);
  if (!authorization) throw problems.notFound({ what: '授权' });
  const scenecode = SCENES[target.way];
  const age = person.birthday ? ageOn(person.birthday, now) : null;
  const facts = { age, consentid: person.consentid, now, ...origin };
  const paused = await findPausedForm(scope, authorization);
  if (paused) throw problems.wrongState({ why: `“${paused}”的这个版本计分有误，已撤回，不能录入。请用新的方案或任务录入` });
  const exam = await findOrCreateExam(scope, { ...authorization, scenecode }, facts);
  if (!exam) throw problems.serverBusy();
  if (exam.status === 2) throw problems.wrongState({ why: '该受测者在这个任务中已有答卷' });
  if (!(await queries.claimSheet(scope, exam.examcode, target.way, scenecode)))
    throw problems.wrongState({ why: '该受测者正在作答这份测评，请等其交卷，或换一个方案录入' });
  const { way, formcode = '', plancode = '', taskcode = '' } = target;
  ctx.audit({ cuserids: [person.cuserid], objectid: exam.examcode, detail: { way, formcode, plancode, taskcode } });
  return { examcode: exam.examcode };
});

const submitStaffExam = handle(contract.submitStaffExam, async (request, ctx) => {
  const { scope, now } = ctx;
  const today = shanghaiDate(now);
  if (request.testdate > today) throw problems.invalid({ message: '测评日期不能晚于今天' }, { field: 'testdate' });
  const entry = await queries.lockEntry(scope, request.examcode);
  if (!entry?.entryway) throw problems.notFound({ what: '录入的答卷' });
  const way = entry.entryway as contract.EntryWay;
  const person = await requireEntry(ctx, entry.cuserid, way);
  if (person.birthday && request.testdate < person.birthday)
    throw problems.invalid({ message: '测评日期不能早于出生日期' }, { field: 'testdate' });
  // A day without a time counts from noon, so that no zone moves it.
  const testtime = request.testdate === today ? now : addHours(fromShanghai(request.testdate), 12);
  return submitEntry(ctx, { entry, way, person, request, testtime });
});

export const staffExamHandlers = [getStaffExamOptions, getStaffExam, insertStaffExam, submitStaffExam];
