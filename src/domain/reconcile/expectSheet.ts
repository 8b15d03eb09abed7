import { daysBetween } from '#domain/base/calendar.ts';
import { formTable, shortForms } from '#domain/reconcile/formTable.ts';
import { entryAt, isWithin, judgeForm } from '#domain/reconcile/judgeForm.ts';
import { readOwnForm } from '#domain/reconcile/ownForm.ts';
import type { Judgement, SheetAnswer, SheetAnswers, SheetPerson, TableForm } from '#domain/reconcile/tableForm.ts';

/** One answered questionnaire of a sheet, with every version of its answers to alert items. */
export interface SheetForm {
  formcode: string;
  /** the stored definition; only questionnaires outside the table need it */
  definition?: unknown;
  answers: SheetAnswers;
  versions?: readonly { item: string; value: SheetAnswer; time: Date }[];
}

/** A condition of an institution's own rule. */
export interface OwnClause {
  form?: string;
  score?: string;
  level?: string;
  item?: string;
  alert?: string;
  delta?: { form: string; score: string; days: number };
  gte?: number | undefined;
  lte?: number | undefined;
}
export interface OwnRule {
  rulecode: string;
  cond: { all: readonly OwnClause[] } | { any: readonly OwnClause[] };
  warninglevel: number;
  appid: string | null;
  /** sheets from before this time are not judged by the rule */
  since: Date;
}

/** A sheet: the answers of one person to one plan. */
export interface Sheet {
  appid: string;
  forms: readonly SheetForm[];
  /** the time of the submission, or of the last answer of an open sheet */
  time: Date;
  /** only a submitted sheet is judged by its sums */
  isSubmitted: boolean;
  /** false: doubtful; its sums do not count */
  isValid: boolean;
  person: SheetPerson;
  /** earlier valid submissions, in any order */
  earlier: readonly (SheetForm & { time: Date })[];
  /** the forms that the person submitted within 24 hours after this sheet */
  formsAfter: readonly string[];
}

/** The warning that a sheet asks for. Level 0: none. */
export interface Expectation {
  level: 0 | 1 | 2 | 3 | 4;
  /** an alert about self-harm */
  isSelfHarm: boolean;
  /** codes of alerts and rules, e.g. `PHQ9:SI2`, `R03` */
  reasons: string[];
  /** when the answer for this level arrived */
  time: Date;
}

/** Codes of alerts about self-harm (clinical rules, 新情况). */
const SELF_HARM = /^(SI\d?|SELFHARM\d?|ASQ_\w+|DEATHTALK|HOPELESS)$/;
/** PHQ-9 item 9 counts with a GDS-15 of 12 or more; a PHQ-9 rise of 5 within 90 days is the MCID (Löwe 2004). */
const GDS_WITH_ITEM9 = 12;
const PHQ9_RISE = { points: 5, days: 90 };
/** A short form waits one day for its longer form, and two hours for the job that looks after it. */
const NEXT_FORM_HOURS = 26;

const rowOf = ({ formcode, definition }: SheetForm): TableForm => formTable[formcode] ?? readOwnForm(definition);

/** The warning that a sheet asks for, by the table: alerts of each version of an answer, then sums, floor rule and rules. */
export function expectWarning(sheet: Sheet, rules: readonly OwnRule[], now: Date): Expectation {
  const found: { level: number; reason: string; time: Date; isSelfHarm?: boolean }[] = [];
  const judgements: Record<string, Judgement> = {};
  for (const form of sheet.forms) {
    const row = rowOf(form);
    const judged = judgeForm(row, form.answers, sheet.person);
    judgements[form.formcode] = judged;
    const addAlerts = (alerts: Judgement['alerts'], time: Date) => {
      for (const { code, level } of alerts)
        found.push({ level, reason: `${form.formcode}:${code}`, time, isSelfHarm: SELF_HARM.test(code) });
    };
    addAlerts(judged.alerts, sheet.time);
    // An answer that the person changed later still asks for a talk.
    for (const { item, value, time } of form.versions ?? [])
      addAlerts(judgeForm(row, { [item]: value }, sheet.person).alerts, time);
    if (sheet.isSubmitted && sheet.isValid && judged.isValid)
      for (const sum of row.sums) {
        const value = judged.scores[sum.code] ?? null;
        const raised = entryAt(sum.raises, value) ?? 0;
        // R00: a valid primary score of level 3 raises level 2, of level 4 level 3.
        const floor = sum.isPrimary ? Math.max(0, (judged.levels[sum.code] ?? 0) - 1) : 0;
        const level = Math.max(raised, floor >= 2 ? floor : 0);
        if (level > 0) found.push({ level, reason: `${form.formcode} ${sum.code}=${value}`, time: sheet.time });
      }
  }
  if (sheet.isSubmitted && sheet.isValid) {
    const deltaOf = (form: string, score: string, days: number) => riseSince(sheet, judgements, form, score, days);
    const points = (form: string, item: string) => judgements[form]?.points[item] ?? 0;
    if ((deltaOf('PHQ9', 'total', PHQ9_RISE.days) ?? 0) >= PHQ9_RISE.points)
      found.push({ level: 2, reason: 'R06', time: sheet.time });
    if ((judgements['GDS15']?.scores['total'] ?? 0) >= GDS_WITH_ITEM9 && points('PHQ9', 'q9') >= 1)
      found.push({ level: 3, reason: 'R07', time: sheet.time });
    const isLate = now.getTime() - sheet.time.getTime() >= NEXT_FORM_HOURS * 3_600_000;
    for (const { form, score, from, next } of shortForms)
      if (isLate && (judgements[form]?.scores[score] ?? 0) >= from && !judgements[next] && !sheet.formsAfter.includes(next))
        found.push({ level: 2, reason: `${form} ${score}≥${from}，未续测${next}`, time: sheet.time });
    for (const rule of rules) {
      if (rule.since > sheet.time || (rule.appid !== null && rule.appid !== sheet.appid)) continue;
      const isMet = (clause: OwnClause) => isClauseMet(clause, judgements, deltaOf);
      if ('all' in rule.cond ? rule.cond.all.every(isMet) : rule.cond.any.some(isMet))
        found.push({ level: rule.warninglevel, reason: rule.rulecode, time: sheet.time });
    }
  }
  // A self-report never asks for level 4: only the acute ASQ does.
  const isAcute = found.some((item) => item.reason === 'ASQ:ASQ_ACUTE');
  if (!isAcute) for (const item of found) item.level = Math.min(item.level, 3);
  const level = Math.max(0, ...found.map((item) => item.level)) as Expectation['level'];
  const highest = found.filter((item) => item.level === level).map((item) => item.time.getTime());
  return {
    level,
    isSelfHarm: found.some((item) => item.isSelfHarm),
    reasons: [...new Set(found.filter((item) => item.level >= 2 || item.level === level).map((item) => item.reason))],
    time: highest.length > 0 ? new Date(Math.min(...highest)) : sheet.time,
  };
}

/** The rise of a score since the latest earlier result within `days`; null without one of the two. */
function riseSince(
  sheet: Sheet,
  judgements: Readonly<Record<string, Judgement>>,
  form: string,
  score: string,
  days: number,
): number | null {
  const value = judgements[form]?.scores[score] ?? null;
  const before = sheet.earlier
    .filter((past) => past.formcode === form && daysBetween(past.time, sheet.time) <= days)
    .sort((a, b) => b.time.getTime() - a.time.getTime())[0];
  if (value === null || !before) return null;
  const earlier = judgeForm(rowOf(before), before.answers, sheet.person).scores[score] ?? null;
  return earlier === null ? null : value - earlier;
}

function isClauseMet(
  clause: OwnClause,
  judgements: Readonly<Record<string, Judgement>>,
  deltaOf: (form: string, score: string, days: number) => number | null,
): boolean {
  const limits = {
    ...(clause.gte !== undefined && { gte: clause.gte }),
    ...(clause.lte !== undefined && { lte: clause.lte }),
  };
  if (clause.delta) return isWithin(deltaOf(clause.delta.form, clause.delta.score, clause.delta.days), limits);
  const judged = judgements[clause.form ?? ''];
  if (!judged) return false;
  if (clause.alert !== undefined) return judged.alerts.some((alert) => alert.code === clause.alert);
  if (clause.score !== undefined) return isWithin(judged.scores[clause.score], limits);
  if (clause.level !== undefined) return isWithin(judged.levels[clause.level], limits);
  return isWithin(judged.points[clause.item ?? ''], limits);
}
