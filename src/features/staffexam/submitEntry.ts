import type { z } from 'zod';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { alertItems, findEntryFaults } from '#domain/exam/enteredScores.ts';
import { unansweredItems, type ExamResult } from '#domain/exam/exam.ts';
import { withBandsInForce } from '#domain/scoring/bandset/applyBandsets.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import { nextForms } from '#domain/scoring/scoring.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import type { ResponseOf } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { findScales, withScales } from '#features/form/scaleCache.ts';
import { judgeLaterSheets, raiseLaterSheets } from '#features/identity/moveSheet.ts';
import { recountPersons } from '#features/identity/sheet.queries.ts';
import { applyAnswers, assertOffered, type AnsweredForm, type ScaledForm } from '#features/respond/exam/answers.ts';
import { handIn, markOf, type HandedIn } from '#features/respond/exam/handIn.ts';
import { hasFreshAlert, scoreForms } from '#features/respond/exam/raiseAlert.ts';
import { personAt } from '#features/respond/exam/sitting.ts';
import { loadExam } from '#features/respond/exam/submission.queries.ts';
import type { EntryWay, submitStaffExam } from '#features/staffexam/staffexam.contract.ts';
import * as queries from '#features/staffexam/staffexam.queries.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

type Request = z.output<(typeof submitStaffExam)['request']>;
type Response = ResponseOf<typeof submitStaffExam>;
type TypedSheet = Request['sheets'][number];
interface Entry {
  entry: NonNullable<Awaited<ReturnType<typeof queries.lockEntry>>>;
  way: EntryWay;
  /** `waits`: the person, or the guardian, has not agreed yet */
  person: { cuserid: string; waits: boolean };
  request: Request;
  testtime: Date;
}

/** Hands in a sheet that staff have typed in. */
export async function submitEntry(ctx: Context<'staff'>, { entry, way, person, request, testtime }: Entry): Promise<Response> {
  const { scope, now, caller } = ctx;
  const { examcode, cuserid } = entry;
  if (entry.status === 2 && entry.submitkey === request.submitkey) return describe(ctx, entry, null);
  if (entry.status !== 1) throw problems.alreadySubmitted();
  if (request.second) assertEqual(request.sheets, request.second);
  await queries.bindPerson(scope, cuserid);
  const loaded = await loadExam(scope, examcode, now);
  if (!loaded) throw problems.notFound({ what: '录入的答卷' });
  if (loaded.islate) throw problems.outsideWindow({ why: '任务已结束，或授权已取消，不能再录入到这里' });
  // The rules compare with what was known on the day of the test.
  const exam = { ...loaded, history: loaded.history.filter((test) => new Date(test.submittime) < testtime) };
  const { age, person: facts } = personAt(exam, testtime);
  const scaled = withBandsInForce(await withScales(scope, exam.forms), exam, facts);
  const forms = scaled.map((form) => typeIn(form, request.sheets, way));
  const missing = findMissing(forms, facts);
  if (missing.length > 0) {
    assertMayMiss(forms, way, request.allowmissing);
    if (request.allowmissing !== 1) return { done: 0, missing, waits: 0, result: null, warning: null };
  }
  const isBackdated = request.testdate < shanghaiDate(now);
  const before = isBackdated ? await judgeLaterSheets(scope, [cuserid], testtime, [examcode]) : new Map<string, null>();
  const results = scoreForms(forms, facts);
  const handedIn = await handIn(
    scope,
    exam,
    {
      forms,
      results,
      person: facts,
      age,
      duration: null,
      submitkey: request.submitkey,
      mark: markOf(results, []),
      takenBack: [],
      isFresh: hasFreshAlert(scaled, forms, facts),
    },
    { now, testtime },
  );
  if (!handedIn) throw problems.outsideWindow({ why: '授权已取消，不能再录入到这里' });
  const { operator, operatorname } = operatorOf(caller);
  await queries.finishEntry(
    scope,
    examcode,
    { testtime, entryby: operator, entryname: operatorname, entrytime: now, isdouble: request.second ? 1 : 0 },
    forms.map(({ examformid, entered }) => ({ examformid, entered: entered ?? null })),
    person.waits,
  );
  await recountPersons(scope, [cuserid], now);
  if (isBackdated) await raiseLaterSheets(scope, [cuserid], testtime, [examcode], before, now);
  const { testdate } = request;
  ctx.audit({ cuserids: [cuserid], objectid: examcode, detail: { way, testdate, isdouble: request.second ? 1 : 0 } });
  return describe(ctx, entry, handedIn);
}

/** Applies what was typed in to a questionnaire of the sheet. Refuses scores out of range and answers that the form does not offer. */
function typeIn(form: ScaledForm, sheets: readonly TypedSheet[], way: EntryWay): AnsweredForm {
  const typed = sheets.find(({ formcode }) => formcode === form.scale.formcode);
  const alertCodes = way === '02' ? new Set(alertItems(form.scale).map(({ c }) => c)) : undefined;
  const answers = Object.entries(typed?.answers ?? {})
    .filter(([c, value]) => !isUnanswered(value) && (alertCodes?.has(c) ?? true))
    .map(([c, value]) => ({ examformid: form.examformid, c, value, clientseq: 1 }));
  assertOffered([form], answers);
  const answered = applyAnswers({ ...form, entered: way === '02' ? (typed?.scores ?? {}) : null }, answers);
  if (way === '02') {
    const faults = findEntryFaults(form.scale, answered.entered ?? {}, answered.answers);
    const [first] = faults;
    if (first) throw problems.invalid({ message: first.message }, { field: first.c, data: { faults } });
  }
  return answered;
}

/** The required questions that nobody typed in. */
const findMissing = (forms: readonly AnsweredForm[], person: PersonFacts) =>
  unansweredItems(forms, person).map(({ examformid, c }) => ({
    formcode: forms.find((form) => form.examformid === examformid)?.scale.formcode ?? '',
    c,
  }));

/** Refuses gaps where there is no paper, and a questionnaire without any answer: it would hide that nobody asked. */
function assertMayMiss(forms: readonly AnsweredForm[], way: EntryWay, allowmissing: number | undefined): void {
  if (allowmissing !== 1) return;
  if (way !== '03') throw problems.invalid({ message: '请填完全部题目' }, { field: 'sheets' });
  const blank = forms.find(({ answers }) => Object.keys(answers).length === 0);
  if (blank) throw problems.invalid({ message: `“${blank.scale.title}”还没有录入` }, { field: 'sheets' });
}

/** Compares both times of typing in; refuses with the questions and scores that differ. */
function assertEqual(first: readonly TypedSheet[], second: readonly TypedSheet[]): void {
  const differences = first.flatMap(({ formcode, ...one }) => {
    const other = second.find((sheet) => sheet.formcode === formcode);
    return (['answers', 'scores'] as const).flatMap((part) => {
      const [a, b] = [one[part] ?? {}, other?.[part] ?? {}] as [Record<string, unknown>, Record<string, unknown>];
      const codes = [...new Set([...Object.keys(a), ...Object.keys(b)])];
      return codes.filter((c) => JSON.stringify(a[c] ?? null) !== JSON.stringify(b[c] ?? null)).map((c) => ({ formcode, c }));
    });
  });
  if (differences.length > 0)
    throw problems.invalid(
      { message: `两次录入有 ${differences.length} 处不一致，请逐项核对` },
      { field: 'second', data: { differences } },
    );
}

/** What the caller reads after the hand-in. The contract hides results and cases from those who may not read them. */
async function describe(
  ctx: Context<'staff'>,
  { examcode, cuserid }: Entry['entry'],
  handedIn: HandedIn | null,
): Promise<Response> {
  const { scope, now } = ctx;
  const row = await queries.findResult(scope, examcode);
  const waits = row?.withheld ?? 0;
  const opened = handedIn?.opened;
  const warning =
    opened && (await queries.mayReadCase(scope, opened.warningcode))
      ? { warningcode: opened.warningcode, level: opened.level, iscreated: opened.created ? 1 : 0 }
      : null;
  const retest = await queries.findRetest(scope, cuserid, now);
  const result =
    row?.reportcode && waits === 0
      ? {
          reportcode: row.reportcode,
          valid: row.valid ?? 0,
          invalidreason: row.invalidreason ?? '',
          overalllevel: row.overalllevel,
          forms: row.forms.map(({ formname, scores }) => ({
            formname,
            scores: scores.map((score) => ({ ...score, levelname: score.levelname ?? '' })),
          })),
          next: handedIn ? await findNext(scope, handedIn.result) : [],
          retestdate: retest ? shanghaiDate(retest) : null,
        }
      : null;
  return { done: 1, missing: [], waits, result, warning };
}

/** The longer forms that a positive short form asks for and the sheet does not have. */
async function findNext(scope: Scope, { forms }: ExamResult): Promise<string[]> {
  const present = new Set(forms.map(({ scale }) => scale.formcode));
  const codes = forms.flatMap(({ scale, result }) => nextForms(scale, result)).filter((code) => !present.has(code));
  const scales = await findScales(scope, [...new Set(codes)]);
  return [...scales.values()].map(({ title }) => title);
}
