import { addDays, addHours } from '#domain/base/calendar.ts';
import { shortForms } from '#domain/reconcile/formTable.ts';
import { isEmpty, judgeForm, listItems } from '#domain/reconcile/judgeForm.ts';
import { areSumsValid, judgeForms, judgeScores, type JudgedForm } from '#domain/reconcile/judgeScores.ts';
import type { OwnRule, Reason, Sheet } from '#domain/reconcile/sheet.ts';
import type { Sum, TableForm, Test } from '#domain/reconcile/tableForm.ts';

/** Codes of alerts about self-harm (clinical rules, 新情况). */
export const SELF_HARM = /^(SI\d?|SELFHARM\d?|ASQ_\w+|DEATHTALK|HOPELESS)$/;
/** A sheet is abandoned 24 hours after its last answer; the job that judges it gets one hour more. */
const ABANDONED_HOURS = 24;
const GRACE_HOURS = 1;
/** Answers of a sheet that began earlier say too little about today. */
const TOO_OLD_DAYS = 90;
/** Points of the level-1 range count for somebody who stopped at a question about self-harm. */
const STOPPED_LEVEL = 1;

/** The times of an open sheet. `taskend`: when its task ended or ends; null without a task. */
export interface OpenSheetTimes {
  starttime: Date;
  /** the last answer */
  time: Date;
  taskend: Date | null;
  judgedtime: Date | null;
}

/** When the sums of an open sheet were judged, or should have been judged an hour ago; null when they need not be judged yet. */
export function findOpenTime({ starttime, time, taskend, judgedtime }: OpenSheetTimes, now: Date): Date | null {
  if (judgedtime) return judgedtime;
  const abandoned = addHours(time, ABANDONED_HOURS);
  const end = taskend && taskend < abandoned ? taskend : abandoned;
  const due = end < time ? time : end;
  return starttime > addDays(now, -TOO_OLD_DAYS) && addHours(due, GRACE_HOURS) <= now ? due : null;
}

/**
 * The reasons of an open sheet (clinical rules, 未交卷): its sums by the missing rules, R12 a positive short form without its longer
 * form, R13 stopped at an item about self-harm, R14 the answered points alone.
 */
export function judgeOpenSheet(sheet: Sheet, rules: readonly OwnRule[], time: Date): Reason[] {
  const all = judgeForms(sheet);
  const begun = all.filter(({ row, answers }) => listItems(row.items).some((item) => item in answers));
  const isValid = areSumsValid(begun);
  const found = isValid ? judgeScores(sheet, begun, rules, time) : [];
  for (const { form, score, from, next } of shortForms) {
    const value = begun.find(({ formcode }) => formcode === form)?.judged.scores[score] ?? 0;
    const longer = all.find(({ formcode }) => formcode === next);
    if (value >= from && (!longer || longer.judged.next !== null))
      found.push({ level: 2, reason: `R12 ${form} ${score}≥${from}，未续测${next}`, time });
  }
  const byPoints = begun.map((form) => judgePoints(form, sheet));
  if (byPoints.some((form, index) => isStoppedAtSelfHarm(begun[index]!) && reachesLevel(form, STOPPED_LEVEL)))
    found.push({ level: 2, reason: 'R13', time, isSelfHarm: true });
  const withoutScore = byPoints.filter((_, index) => !hasPrimaryScore(begun[index]!));
  const isOverCut =
    withoutScore.some(({ judged }) => judged.alerts.some(({ level }) => level >= 2)) ||
    judgeScores(sheet, withoutScore, rules, time).some(({ level }) => level >= 2);
  if (isValid && isOverCut) found.push({ level: 2, reason: 'R14', time });
  return found;
}

/** The items that a test asks about. */
function itemsOf(test: Test, order: readonly string[]): string[] {
  if ('all' in test) return test.all.flatMap((part) => itemsOf(part, order));
  if ('any' in test) return test.any.flatMap((part) => itemsOf(part, order));
  if ('not' in test) return itemsOf(test.not, order);
  if ('item' in test) return [test.item];
  if ('answer' in test) return [test.answer];
  return 'count' in test ? listItems(test.count, order) : [];
}

/** Whether the next item is about self-harm, or the answer to such an item was emptied. */
function isStoppedAtSelfHarm({ row, answers, judged }: JudgedForm): boolean {
  const order = listItems(row.items);
  const items = (row.alerts ?? []).filter(({ code }) => SELF_HARM.test(code)).flatMap(({ when }) => itemsOf(when, order));
  if (items.some((item) => item in answers && isEmpty(answers[item]))) return true;
  return order.some((item) => !isEmpty(answers[item])) && judged.next !== null && items.includes(judged.next);
}

const isHighGood = ({ isHighGood: isGood, levels }: Sum): boolean =>
  isGood === true || (levels !== undefined && levels.length > 1 && levels[0]![1] > levels.at(-1)![1]);

/** The results when missing answers count as no points. The sums of a form whose high values are good would fall; they stay null. */
function judgePoints({ formcode, row, answers }: JudgedForm, { person }: Sheet): JudgedForm {
  const isSourceOfGood = (code: string) => row.sums.some((sum) => sum.op === 'same' && sum.of === code && isHighGood(sum));
  const sums = row.sums.map((sum) =>
    sum.op === 'sum' && !isHighGood(sum) && !isSourceOfGood(sum.code)
      ? { ...sum, missing: Number.POSITIVE_INFINITY, isProrated: false }
      : sum,
  );
  const points: TableForm = { ...row, sums };
  return { formcode, row: points, answers, judged: judgeForm(points, answers, person) };
}

const hasPrimaryScore = ({ row, judged }: JudgedForm): boolean =>
  row.sums.some((sum) => sum.isPrimary && judged.scores[sum.code] !== null);

const reachesLevel = ({ row, judged }: JudgedForm, level: number): boolean =>
  row.sums.some((sum) => sum.isPrimary && (judged.levels[sum.code] ?? 0) >= level);
