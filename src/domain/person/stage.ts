import type { CodeOf } from '#domain/base/enum.ts';
import { DueState } from '#domain/person/archiveStates.ts';
import { daysFrom, shiftDate } from '#domain/base/calendar.ts';
import { expectedDate, TERM_DAYS, type PregnancyDates } from '#domain/person/gestation.ts';
import { grades } from '#domain/person/grades.ts';

/**
 * The stage that a person is tested at, proposed from the archive, and what is due (supplement-people-statistics.md, section 3).
 * All days are Shanghai dates `YYYY-MM-DD`.
 */

/** A day of the pregnancy or after the birth that a stage begins and ends with, both inclusive. */
export interface StageDays {
  stagecode: string;
  first: number;
  last: number;
}

/** Stages of a pregnancy by gestational days; from 28 weeks to two weeks past the expected date. */
export const PREGNANCY_STAGES: readonly StageDays[] = [
  { stagecode: 'YC01', first: 0, last: 97 },
  { stagecode: 'YC02', first: 98, last: 195 },
  { stagecode: 'YC03', first: 196, last: 294 },
];
/** Stages by days after the birth. */
export const POSTNATAL_STAGES: readonly StageDays[] = [
  { stagecode: 'YC42', first: 28, last: 84 },
  { stagecode: 'YC90', first: 85, last: 120 },
];
/** YC42 is overdue from this day after the birth. */
const YC42_OVERDUE = 57;
/** A stage is overdue on the last days of its window. */
const OVERDUE_DAYS = 14;
/** A re-test replaces the stage this many days before it is due. */
export const RETEST_AHEAD_DAYS = 7;
/** A person whose form was withdrawn, because it scored wrongly, is re-tested within this time after the withdrawal. */
export const WITHDRAWN_RETEST_DAYS = 14;
/** A yearly stage is due again this many days after the last valid sheet. */
export const YEAR_DAYS = 365;
/** 季度随访 of an elder: days after a result of level 1 or more. */
export const QUARTER_DAYS = 90;
/** Grades that begin a phase of school. */
export const FIRST_GRADES: readonly string[] = grades
  .filter(({ code }) => /^[A-Z]1$/.test(code) || code === 'J0')
  .map(({ code }) => code);

/** A valid sheet of this archive. */
export interface ValidSheet {
  stagecode: string;
  date: string;
  level: number;
  /** days after which its plan asks for a re-test when the result needs attention */
  retestdays?: number | null;
}

/** What the proposal needs of an archive. */
export interface StageFacts extends PregnancyDates {
  appid: string;
  opendate: string;
  gradecode?: string | null | undefined;
  /** the stages that the institution has chosen; without it all of them */
  chosenstages?: readonly string[];
  sheets: readonly ValidSheet[];
  /** the earliest re-test that staff planned: the day it is due, and the day after which it is overdue */
  retest?: { due: string; latest: string } | null | undefined;
}

/** A span in which a stage is tested; `until` is null when it has no end. */
export interface StageWindow {
  stagecode: string;
  from: string;
  until: string | null;
  /** the first day on which the stage counts as overdue */
  overdue: string | null;
}

/** Why no stage is proposed. */
export type StageNote = '' | '待补分娩信息' | '日期有误' | '产后第28天起可测' | '待补孕周信息';
export interface StageProposal {
  stagecode: string | null;
  note: StageNote;
}

const newestFirst = (a: ValidSheet, b: ValidSheet): number => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0);

const isChosen = ({ chosenstages }: StageFacts, stagecode: string): boolean => chosenstages?.includes(stagecode) ?? true;

const fixedWindow = (stagecode: string, from: string, until: string, overdue?: string): StageWindow => ({
  stagecode,
  from,
  until,
  overdue: overdue ?? shiftDate(until, 1 - OVERDUE_DAYS),
});

/** The windows of a pregnancy and the time after the birth. */
function maternityWindows(facts: StageFacts): StageWindow[] {
  const due = expectedDate(facts);
  const { deliverydate } = facts;
  const windows: StageWindow[] = [];
  if (due)
    for (const { stagecode, first, last } of PREGNANCY_STAGES) {
      const from = shiftDate(due, first - TERM_DAYS);
      const end = shiftDate(due, last - TERM_DAYS);
      const until = deliverydate && deliverydate <= end ? shiftDate(deliverydate, -1) : end;
      if (from <= until) windows.push(fixedWindow(stagecode, from, until));
    }
  if (deliverydate)
    for (const { stagecode, first, last } of POSTNATAL_STAGES)
      windows.push(
        fixedWindow(
          stagecode,
          shiftDate(deliverydate, first),
          shiftDate(deliverydate, last),
          stagecode === 'YC42' ? shiftDate(deliverydate, YC42_OVERDUE) : undefined,
        ),
      );
  return windows;
}

/** The year in which the school year of a day began: August is its first month. */
export const schoolYearOf = (day: string): number => Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < 8 ? 1 : 0);

/** The windows of a pupil in the school year of `day`. A first-year pupil without a sheet of the phase has XS00. */
function studentWindows(facts: StageFacts, day: string): StageWindow[] {
  const year = schoolYearOf(day);
  const isFirst = FIRST_GRADES.includes(facts.gradecode ?? '') && isChosen(facts, 'XS00');
  const begin = `${year}-08-01`;
  const entry = facts.sheets.find(({ stagecode, date }) => stagecode === 'XS00' && date >= begin);
  const endOfEntry = `${year}-11-30`;
  return [
    ...(isFirst ? [fixedWindow('XS00', begin, endOfEntry)] : []),
    fixedWindow('XS01', isFirst && !entry ? `${year}-12-01` : `${year}-09-01`, `${year + 1}-01-31`),
    fixedWindow('XS02', `${year + 1}-02-01`, `${year + 1}-07-31`),
  ];
}

const lastOf = (facts: StageFacts, ...stagecodes: string[]): ValidSheet | undefined =>
  facts.sheets.filter(({ stagecode }) => stagecodes.includes(stagecode)).sort(newestFirst)[0];

/** A yearly stage has no end: it stays due until it is tested. */
function yearlyWindow(facts: StageFacts, stagecode: string): StageWindow {
  const last = lastOf(facts, stagecode);
  return { stagecode, from: last ? shiftDate(last.date, YEAR_DAYS + 1) : facts.opendate, until: null, overdue: null };
}

function elderWindows(facts: StageFacts): StageWindow[] {
  const yearly = yearlyWindow(facts, 'LN01');
  const last = [...facts.sheets].sort(newestFirst)[0];
  const quarterly = last && last.level >= 1 ? shiftDate(last.date, QUARTER_DAYS) : null;
  return [yearly, ...(quarterly ? [{ stagecode: 'LN02', from: quarterly, until: null, overdue: null }] : [])];
}

/** All windows of an archive, as they stand on `day`. The windows of a pupil are those of the school year of `day`. */
export function stageWindows(facts: StageFacts, day: string): StageWindow[] {
  const windows =
    facts.appid === '000000001'
      ? maternityWindows(facts)
      : facts.appid === '000000002'
        ? studentWindows(facts, day)
        : facts.appid === '000000003'
          ? [yearlyWindow(facts, 'ZY02')]
          : facts.appid === '000000004'
            ? elderWindows(facts)
            : [];
  return windows.filter(({ stagecode }) => isChosen(facts, stagecode));
}

const isIn = ({ from, until }: StageWindow, day: string): boolean => from <= day && (until === null || day <= until);

/** Whether the stage of a window has a valid sheet. A yearly stage begins after its last sheet, so it has none. */
function isTested(facts: StageFacts, window: StageWindow): boolean {
  if (window.until === null) return false;
  return facts.sheets.some(
    ({ stagecode, date }) =>
      stagecode === window.stagecode &&
      date >= facts.opendate &&
      // The stages of a pupil come back every school year.
      (facts.appid !== '000000002' || schoolYearOf(date) === schoolYearOf(window.from)),
  );
}

/**
 * The re-test that counts on `day`: the earlier of the one that staff planned and the one that the plan of the last sheet asks for
 * after a result of level 1 or more. The plan's ends when the window of another stage has begun, because that stage is then tested.
 */
function retestOn(facts: StageFacts, day: string, windows: readonly StageWindow[]): { due: string; latest: string } | null {
  const last = [...facts.sheets].sort(newestFirst)[0];
  const stage = stageOn(facts, day, windows);
  const fromPlan =
    last?.retestdays && last.level >= 1 && (stage === null || stage === last.stagecode)
      ? shiftDate(last.date, last.retestdays)
      : null;
  const retests = [facts.retest, fromPlan && { due: fromPlan, latest: fromPlan }].filter((retest) => !!retest);
  if (retests.length === 0) return null;
  const earliest = (days: string[]) => days.sort()[0] as string;
  const retest = { due: earliest(retests.map(({ due }) => due)), latest: earliest(retests.map(({ latest }) => latest)) };
  return retest.due <= shiftDate(day, RETEST_AHEAD_DAYS) ? retest : null;
}

/** The stage whose window is open on `day`. A first-year pupil who has handed in XS00 goes on with the term's stage. */
const stageOn = (facts: StageFacts, day: string, windows: readonly StageWindow[]): string | null =>
  windows.filter((window) => isIn(window, day)).find((window) => window.stagecode !== 'XS00' || !isTested(facts, window))
    ?.stagecode ?? null;

function noteOf(facts: StageFacts, day: string): StageNote {
  if (facts.appid !== '000000001') return '';
  const { deliverydate } = facts;
  if (deliverydate) {
    if (deliverydate > day) return '';
    return daysFrom(deliverydate, day) < (POSTNATAL_STAGES[0] as StageDays).first ? '产后第28天起可测' : '';
  }
  const due = expectedDate(facts);
  if (!due) return '待补孕周信息';
  const days = TERM_DAYS - daysFrom(day, due);
  return days < 0 ? '日期有误' : days > (PREGNANCY_STAGES.at(-1) as StageDays).last ? '待补分娩信息' : '';
}

/** The stage to test at on `day`; a re-test due within a week comes first. */
export function proposeStage(facts: StageFacts, day: string): StageProposal {
  const windows = stageWindows(facts, day);
  if (retestOn(facts, day, windows)) return { stagecode: 'FC01', note: '' };
  const stagecode = stageOn(facts, day, windows);
  return { stagecode, note: stagecode ? '' : noteOf(facts, day) };
}

/** What is due for an archive. */
export interface Due {
  /** null when nothing is due */
  state: CodeOf<typeof DueState> | null;
  stagecode: string | null;
  /** the last day of the window or of the re-test; null when it has no end */
  until: string | null;
  /** earlier stages whose window ended without a valid sheet, in this archive */
  missed: string[];
}

/** What is due on `day`. */
export function dueOf(facts: StageFacts, day: string): Due {
  const windows = stageWindows(facts, day);
  const missed = windows
    .filter((window) => window.until !== null && window.until < day && window.until >= facts.opendate && !isTested(facts, window))
    .map(({ stagecode }) => stagecode);
  const retest = retestOn(facts, day, windows);
  if (retest) {
    const state = day > retest.latest ? DueState.overdue : DueState.retest;
    return { state, stagecode: 'FC01', until: retest.latest, missed };
  }
  const stagecode = stageOn(facts, day, windows);
  const window = windows.find((candidate) => candidate.stagecode === stagecode && isIn(candidate, day));
  if (window && !isTested(facts, window)) {
    const state = window.overdue !== null && day >= window.overdue ? DueState.overdue : DueState.due;
    return { state, stagecode, until: window.until, missed };
  }
  return { state: missed.length > 0 ? DueState.missed : null, stagecode: missed.at(-1) ?? null, until: null, missed };
}

/** A stage of an archive whose window was open within a span of days. */
export interface StageCoverage {
  stagecode: string;
  isTested: boolean;
  /** the last day of the window; null when it has no end */
  until: string | null;
}

/**
 * The stages that were due between two days up to today, and whether they have a valid sheet. A stage that ended before the archive
 * was opened was never due. A yearly stage has no end: it was due when it is open, or when it was tested within the span.
 */
export function coverageOf(facts: StageFacts, span: { from?: string | undefined; until?: string | undefined }, today: string) {
  const end = span.until && span.until < today ? span.until : today;
  const begin = span.from && span.from > facts.opendate ? span.from : facts.opendate;
  const stages = new Map<string, StageCoverage>();
  for (const window of stageWindows(facts, today)) {
    const { stagecode, from, until } = window;
    const wasTested =
      until === null && facts.sheets.some((sheet) => sheet.stagecode === stagecode && sheet.date >= begin && sheet.date <= end);
    if (wasTested || (from <= end && (until === null || until >= begin)))
      stages.set(stagecode, { stagecode, until, isTested: wasTested || isTested(facts, window) });
  }
  return [...stages.values()];
}
