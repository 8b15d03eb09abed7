import { daysBetween } from '#domain/base/calendar.ts';
import { formTable } from '#domain/reconcile/formTable.ts';
import { entryAt, isStraight, isWithin, judgeForm } from '#domain/reconcile/judgeForm.ts';
import { readOwnForm } from '#domain/reconcile/ownForm.ts';
import type { OwnClause, OwnRule, Reason, Sheet, SheetForm } from '#domain/reconcile/sheet.ts';
import type { Judgement, SheetAnswers, TableForm } from '#domain/reconcile/tableForm.ts';

/** PHQ-9 item 9 counts with a GDS-15 of 12 or more; a PHQ-9 rise of 5 within 90 days is the MCID (Löwe 2004). */
const GDS_WITH_ITEM9 = 12;
const PHQ9_RISE = { points: 5, days: 90 };

/** A form of a sheet with its row of the table and its results. */
export interface JudgedForm {
  formcode: string;
  row: TableForm;
  answers: SheetAnswers;
  judged: Judgement;
}

/**
 * The row of the table of a form; for a form or a major version outside the table, its stored definition. The cut-offs of warnings of
 * section G stay in force for a new version of a form of the table.
 */
export function rowOf({ formcode, definition }: SheetForm): TableForm {
  const known = formTable[formcode];
  if (known && !definition) return known;
  const own = readOwnForm(definition);
  if (!known) return own;
  const raisesOf = (code: string) => known.sums.find((sum) => sum.code === code)?.raises;
  return {
    ...own,
    sums: own.sums.map((sum) => {
      const raises = raisesOf(sum.code);
      return raises ? { ...sum, raises } : sum;
    }),
  };
}

/** Judges the forms of a sheet; `answersOf` gives the answers of a form, by default its present ones. */
export const judgeForms = (
  { forms, person }: Pick<Sheet, 'forms' | 'person'>,
  answersOf: (form: SheetForm) => SheetAnswers = ({ answers }) => answers,
): JudgedForm[] =>
  forms.map((form) => {
    const row = rowOf(form);
    const answers = answersOf(form);
    return { formcode: form.formcode, row, answers, judged: judgeForm(row, answers, person, form.entered) };
  });

/** Whether the sums of forms count: no form is void, and no form has the same answer everywhere. */
export const areSumsValid = (forms: readonly JudgedForm[]): boolean =>
  forms.every(({ row, answers, judged }) => judged.isValid && !isStraight(row, answers));

/** The reasons of the sums of forms at a time: cut-offs, floor rule, rules over several forms, rules of the institution. */
export function judgeScores(sheet: Sheet, forms: readonly JudgedForm[], rules: readonly OwnRule[], time: Date): Reason[] {
  const found: Reason[] = [];
  const judgements = Object.fromEntries(forms.map(({ formcode, judged }) => [formcode, judged]));
  for (const { formcode, row, judged } of forms)
    for (const sum of row.sums) {
      const value = judged.scores[sum.code] ?? null;
      const raised = entryAt(sum.raises, value) ?? 0;
      // R00: a valid primary score of level 3 raises level 2, of level 4 level 3.
      const floor = sum.isPrimary && judged.isValid ? Math.max(0, (judged.levels[sum.code] ?? 0) - 1) : 0;
      const level = Math.max(raised, floor >= 2 ? floor : 0);
      if (level > 0) found.push({ level, reason: `${formcode} ${sum.code}=${value}`, time });
    }
  const riseOf = (form: string, score: string, days: number) => findRise(sheet, judgements, { form, score, days }, time);
  const points = (form: string, item: string) => judgements[form]?.points[item] ?? 0;
  if ((riseOf('PHQ9', 'total', PHQ9_RISE.days) ?? 0) >= PHQ9_RISE.points) found.push({ level: 2, reason: 'R06', time });
  if ((judgements['GDS15']?.scores['total'] ?? 0) >= GDS_WITH_ITEM9 && points('PHQ9', 'q9') >= 1)
    found.push({ level: 3, reason: 'R07', time });
  for (const rule of rules) {
    if (rule.since > time || (rule.appid !== null && rule.appid !== sheet.appid)) continue;
    if (rule.plancode != null && rule.plancode !== sheet.planroot) continue;
    const isMet = (clause: OwnClause) => isClauseMet(clause, judgements, riseOf);
    if ('all' in rule.cond ? rule.cond.all.every(isMet) : rule.cond.any.some(isMet))
      found.push({ level: rule.warninglevel, reason: rule.rulecode, time });
  }
  return found;
}

/** The rise of a score since the latest submission within `days` before `time`; null without one of the two. */
function findRise(
  sheet: Sheet,
  judgements: Readonly<Record<string, Judgement>>,
  { form, score, days }: { form: string; score: string; days: number },
  time: Date,
): number | null {
  const value = judgements[form]?.scores[score] ?? null;
  const major = sheet.forms.find((present) => present.formcode === form)?.major;
  const before = sheet.earlier
    .filter((past) => past.formcode === form && past.major === major && past.time < time && daysBetween(past.time, time) <= days)
    .sort((a, b) => b.time.getTime() - a.time.getTime())[0];
  if (value === null || !before) return null;
  const earlier = judgeForm(rowOf(before), before.answers, sheet.person, before.entered).scores[score] ?? null;
  return earlier === null ? null : value - earlier;
}

function isClauseMet(
  clause: OwnClause,
  judgements: Readonly<Record<string, Judgement>>,
  riseOf: (form: string, score: string, days: number) => number | null,
): boolean {
  const limits = {
    ...(clause.gte !== undefined && { gte: clause.gte }),
    ...(clause.lte !== undefined && { lte: clause.lte }),
  };
  if (clause.delta) return isWithin(riseOf(clause.delta.form, clause.delta.score, clause.delta.days), limits);
  const judged = judgements[clause.form ?? ''];
  if (!judged) return false;
  if (clause.alert !== undefined) return judged.alerts.some((alert) => alert.code === clause.alert);
  if (clause.score !== undefined) return isWithin(judged.scores[clause.score], limits);
  if (clause.level !== undefined) return isWithin(judged.levels[clause.level], limits);
  return isWithin(judged.points[clause.item ?? ''], limits);
}
