import { scoreExam } from '#domain/exam/exam.ts';
import { withBandsInForce } from '#domain/scoring/bandset/applyBandsets.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Answers } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import type { AnsweredForm, ScaledForm } from '#features/respond/exam/answers.ts';
import { buildSubmission } from '#features/respond/exam/buildSubmission.ts';
import { findTrigger, resultsByForm, withAllAlerts } from '#features/respond/exam/raiseAlert.ts';
import { personAt } from '#features/respond/exam/sitting.ts';
import type { LoadedSheet, SheetForm } from '#features/identity/sheet.queries.ts';

type ScaledSheetForm = SheetForm & ScaledForm;

/** The form with the answers at every moment at which the person changed an answer to an alert item. */
function toAnswered(form: ScaledSheetForm, answers: Answers): AnsweredForm {
  const changes = form.versions.map((version) => {
    const known = form.versions.filter(({ seq }) => seq <= version.seq).sort((a, b) => a.seq - b.seq);
    const after = { ...answers, ...Object.fromEntries(known.map(({ c, value }) => [c, value])), [version.c]: version.value };
    return { c: version.c, before: answers, after: after as Answers };
  });
  return { ...form, answers, devices: {}, alertanswers: [], late: [], changes };
}

/** The answers of a form with those that arrived late until a time. */
const answersUntil = ({ answers, lateversions }: SheetForm, until: string | null): Answers => ({
  ...answers,
  ...(Object.fromEntries(
    lateversions.filter(({ time }) => until !== null && time <= until).map(({ c, value }) => [c, value]),
  ) as Answers),
});

/**
 * The scores of a sheet for its person, and the trigger that all its answers call for: the submitted ones, every changed answer and
 * those that arrived late. The person's age is that of the submission.
 */
export async function rescore(scope: Scope, sheet: LoadedSheet) {
  const { age, person } = personAt(sheet, sheet.submittime);
  const scaled = withBandsInForce((await withScales(scope, sheet.forms)) as ScaledSheetForm[], sheet, person);
  const moments = [null, ...new Set(scaled.flatMap((form) => form.lateversions.map(({ time }) => time)))].sort();
  const judge = (until: string | null) => {
    const forms = scaled.map((form) => toAnswered(form, answersUntil(form, until)));
    const result = scoreExam(forms, person, until === null ? sheet.duration : null);
    const judged = result.forms.map((form, index) => ({
      scale: form.scale,
      result: withAllAlerts(form.result, forms[index] as AnsweredForm, person),
    }));
    const trigger = findTrigger(sheet, resultsByForm(judged), person, sheet.submittime, 'exam', result.valid);
    return { forms, result, trigger, alertlevel: Math.max(0, ...judged.map((form) => form.result.alertlevel)) };
  };
  const submitted = judge(null);
  const triggers = moments.map((until) => judge(until).trigger);
  const submission = buildSubmission(sheet, submitted.forms, submitted.result, {
    submitkey: '',
    mark: { alertlevel: submitted.alertlevel, isChanged: false },
    review: null,
    duration: sheet.duration,
    age,
    now: sheet.submittime,
  });
  return { submission, result: submitted.result, trigger: joinTriggers(triggers) };
}

const union = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())];

/** One trigger with everything that several ask for; null without any. */
export function joinTriggers(triggers: readonly (WarningTrigger | null)[]): WarningTrigger | null {
  const present = triggers.filter((trigger) => trigger !== null);
  const [first] = present;
  if (!first) return null;
  return {
    ...first,
    level: Math.max(...present.map(({ level }) => level)) as WarningTrigger['level'],
    itemtrigger: present.some(({ itemtrigger }) => itemtrigger),
    rulecodes: union(present.map(({ rulecodes }) => rulecodes)),
    rulenames: Object.assign({}, ...present.map(({ rulenames }) => rulenames ?? {})) as Record<string, string>,
    alerts: union(present.map(({ alerts }) => alerts)),
    alertmsgs: union(present.map(({ alertmsgs }) => alertmsgs)),
  };
}
