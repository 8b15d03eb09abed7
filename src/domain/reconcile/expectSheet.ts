import { shortForms } from '#domain/reconcile/formTable.ts';
import { judgeForm } from '#domain/reconcile/judgeForm.ts';
import { areSumsValid, judgeForms, judgeScores, rowOf } from '#domain/reconcile/judgeScores.ts';
import { judgeOpenSheet, SELF_HARM } from '#domain/reconcile/openSheet.ts';
import type { AnswerVersion, Expectation, OwnRule, Reason, Sheet, SheetForm } from '#domain/reconcile/sheet.ts';
import type { SheetAnswers, SheetPerson, TableAlert } from '#domain/reconcile/tableForm.ts';

/** A short form waits one day for its longer form, and one hour for the job that looks after it. */
export const NEXT_FORM_HOURS = 25;

/**
 * The warning that a sheet asks for, by the table: alerts of each version of an answer, then the sums at the submission, at each arrival
 * of late answers, and of a sheet that was left open.
 */
export function expectWarning(sheet: Sheet, rules: readonly OwnRule[], now: Date): Expectation {
  const found: Reason[] = [];
  const addAlerts = (formcode: string, alerts: readonly TableAlert[], time: Date) => {
    for (const { code, level } of alerts)
      found.push({ level, reason: `${formcode}:${code}`, time, isSelfHarm: SELF_HARM.test(code) });
  };
  const forms = judgeForms(sheet);
  for (const { formcode, judged } of forms) addAlerts(formcode, judged.alerts, sheet.time);
  for (const form of sheet.forms)
    for (const version of form.versions ?? [])
      addAlerts(form.formcode, alertsOfVersion(form, version, sheet.person), version.time);
  if (sheet.isSubmitted && sheet.isValid) {
    found.push(...judgeScores(sheet, forms, rules, sheet.time));
    found.push(...findUnfollowed(sheet, forms, now));
  }
  for (const time of findLateTimes(sheet)) {
    const late = judgeForms(sheet, (form) => answersUntil(form, time));
    for (const { formcode, judged } of late) addAlerts(formcode, judged.alerts, time);
    if (areSumsValid(late)) found.push(...judgeScores(sheet, late, rules, time));
  }
  if (!sheet.isSubmitted && sheet.opentime) found.push(...judgeOpenSheet(sheet, rules, sheet.opentime));
  return sumUp(found, sheet.time);
}

/** The alerts at the moment of a version: a person who changes an answer back has given it all the same. Alerts of sums have no moment. */
function alertsOfVersion(form: SheetForm, version: AnswerVersion, person: SheetPerson): readonly TableAlert[] {
  const row = rowOf(form);
  const isBefore = ({ time, seq }: AnswerVersion) => time < version.time || (time <= version.time && seq <= version.seq);
  const known = (form.versions ?? []).filter(isBefore).sort((a, b) => a.seq - b.seq);
  const answers = { ...form.answers, ...Object.fromEntries(known.map(({ item, value }) => [item, value])) };
  return judgeForm(row, { ...answers, [version.item]: version.value }, person).alerts.filter(
    ({ when }) => !/"(score|level)":/.test(JSON.stringify(when)),
  );
}

/** R12 of a submitted sheet: a positive short form whose longer form the person did not submit within a day. */
function findUnfollowed(sheet: Sheet, forms: ReturnType<typeof judgeForms>, now: Date): Reason[] {
  if (now.getTime() - sheet.time.getTime() < NEXT_FORM_HOURS * 3_600_000) return [];
  const formOf = (code: string) => forms.find(({ formcode }) => formcode === code);
  return shortForms
    .filter(
      ({ form, score, from, next }) =>
        (formOf(form)?.judged.scores[score] ?? 0) >= from && !formOf(next) && !sheet.formsAfter.includes(next),
    )
    .map(({ form, score, from, next }) => ({
      level: 2,
      reason: `R12 ${form} ${score}≥${from}，未续测${next}`,
      time: sheet.time,
    }));
}

/** The times at which late answers arrived, in order. */
const findLateTimes = ({ forms }: Sheet): Date[] =>
  [...new Set(forms.flatMap((form) => (form.late ?? []).map(({ time }) => time.getTime())))]
    .sort((a, b) => a - b)
    .map((time) => new Date(time));

/** The answers of a form with the late ones until a time. */
const answersUntil = ({ answers, late }: SheetForm, until: Date): SheetAnswers => ({
  ...answers,
  ...Object.fromEntries((late ?? []).filter(({ time }) => time <= until).map(({ item, value }) => [item, value])),
});

function sumUp(found: readonly Reason[], time: Date): Expectation {
  // A self-report never asks for level 4: only the acute ASQ does.
  const isAcute = found.some((item) => item.reason === 'ASQ:ASQ_ACUTE');
  const capped = found.map((item) => ({ ...item, level: isAcute ? item.level : Math.min(item.level, 3) }));
  const level = Math.max(0, ...capped.map((item) => item.level)) as Expectation['level'];
  const highest = capped.filter((item) => item.level === level).map((item) => item.time.getTime());
  return {
    level,
    isSelfHarm: found.some((item) => item.isSelfHarm),
    reasons: [...new Set(capped.filter((item) => item.level >= 2 || item.level === level).map((item) => item.reason))],
    time: highest.length > 0 ? new Date(Math.min(...highest)) : time,
  };
}
