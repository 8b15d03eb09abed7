import type { Level, Scale } from '#domain/scoring/scale.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import type { ChangeFinding } from '#domain/scoring/scaleEvidence.ts';
import { findingsOf } from '#domain/scoring/scaleEvidence.ts';
import { BREAK_WORDS, isSameMajor, WITHDRAWN_WORDS } from '#domain/scoring/majorVersion.ts';

/** One earlier or present exam of a form, for the trend page and the comparison section. */
export interface TrendTest {
  examcode: string;
  /** submission time, ISO 8601 */
  submittime: string;
  planname?: string;
  stagename?: string;
  /** false: the page draws the point hollow, and comparisons ignore it */
  valid: boolean;
  /** score code → value; null when too many answers were missing */
  scores: Readonly<Record<string, number | null>>;
  levels: Readonly<Record<string, Level | null>>;
  labels?: Readonly<Record<string, string | null>>;
  itemscores?: Readonly<Record<string, number | null>>;
  hasalert?: boolean;
  /** version of the form; results of two major versions are never joined */
  formversion?: string;
  /** the version was withdrawn, because it scores wrongly */
  isWithdrawn?: boolean;
}

export interface Change {
  from: number;
  to: number;
  delta: number;
  absdelta: number;
  direction: 'up' | 'down' | 'same';
  arrow: '↑' | '↓' | '→';
  /** meaning of the direction for the person: a rise of WHO-5 is better, a rise of PHQ-9 is worse */
  meaning: 'better' | 'worse' | 'same';
  /** each published change value, and whether the change reaches it; empty when none is published */
  findings: ChangeFinding[];
  /** 上升 / 下降 / 持平 */
  label: string;
}

/** The change between two values of one score of a form. */
export function changeOf(
  { formcode, scorecode = 'total' }: { formcode: string; scorecode?: string },
  from: number,
  to: number,
  better: 'low' | 'high' = 'low',
): Change {
  const delta = to - from;
  const absdelta = Math.abs(delta);
  const direction = delta > 0 ? 'up' : delta < 0 ? 'down' : 'same';
  return {
    from,
    to,
    delta,
    absdelta,
    direction,
    arrow: ({ up: '↑', down: '↓', same: '→' } as const)[direction],
    meaning: direction === 'same' ? 'same' : (direction === 'up') === (better === 'high') ? 'better' : 'worse',
    findings: findingsOf(formcode, scorecode, absdelta),
    label: { up: '上升', down: '下降', same: '持平' }[direction],
  };
}

/** The valid exams with that score, oldest first. The exam code orders equal times, so the result is stable. */
export function comparable(tests: readonly TrendTest[], scorecode: string): TrendTest[] {
  return tests.filter((test) => test.valid && test.scores[scorecode] != null).sort(byTime);
}

/** The valid exams with that score in the major version of the last of them, oldest first. */
export function comparableWithLast(tests: readonly TrendTest[], scorecode: string): TrendTest[] {
  const all = comparable(tests, scorecode);
  return all.filter((test) => isSameMajor(test.formversion, all.at(-1)?.formversion));
}

/** The change between the latest two valid exams of one major version; null when there are fewer than two. */
export function lastChange(scale: Scale, scorecode: string, tests: readonly TrendTest[]): Change | null {
  const [before, now] = comparableWithLast(tests, scorecode).slice(-2);
  const from = before?.scores[scorecode];
  const to = now?.scores[scorecode];
  return from == null || to == null
    ? null
    : changeOf({ formcode: scale.formcode, scorecode }, from, to, betterOf(scale, scorecode));
}

/** Whether a low or a high score is better. */
export const betterOf = (scale: Scale, scorecode: string): 'low' | 'high' =>
  scale.scores.find((score) => score.c === scorecode)?.better ?? 'low';

export interface TrendBand {
  min: number | null;
  max: number | null;
  level: Level;
  label: string;
  colour: string;
}

/** The bands of a score with the report colour of each level. */
export const bandsOf = (scale: Scale, scorecode: string): TrendBand[] =>
  (scale.bands[scorecode] ?? []).map(([min, max, level, label]) => ({ min, max, level, label, colour: colourOf(level).hex }));

/** Ascending bands with neighbours of the same label joined into one, which keeps the lower level and its colour. */
export const mergeBands = (bands: readonly TrendBand[]): TrendBand[] =>
  bands.reduce<TrendBand[]>((merged, band) => {
    const last = merged.at(-1);
    if (last?.label !== band.label) return [...merged, band];
    return [...merged.slice(0, -1), { ...(last.level <= band.level ? last : band), min: last.min, max: band.max }];
  }, []);

export interface TrendPoint {
  examcode: string;
  submittime: string;
  planname: string;
  stagename: string;
  score: number | null;
  level: Level | null;
  label: string;
  colour: string;
  valid: boolean;
  /** the page draws a ring: the self-harm item or another alert of the form was positive */
  ring: boolean;
  /** the point before has another major version: the line stops between them */
  isBreak: boolean;
  isWithdrawn: boolean;
}

export interface TrendEvent {
  time: string;
  /** label of the dashed line, e.g. 心理辅导, 转介就诊 */
  label: string;
}

export interface TrendSeries {
  formcode: string;
  title: string;
  scorecode: string;
  scorename: string;
  min: number | null;
  max: number | null;
  better: 'low' | 'high';
  bands: TrendBand[];
  /** oldest first */
  points: TrendPoint[];
  /** heat table items × tests: one row per scored item, `values` in the order of `points` */
  items: { code: string; title: string; max: number | null; values: (number | null)[] }[];
  events: TrendEvent[];
  change: Change | null;
  nextretest: string | null;
}

/**
 * The data of the trend page of one form (design/reports.md 5.4): the line over the bands, the heat table items × tests,
 * the last change and the date of the next re-test.
 */
export function trendSeries(
  scale: Scale,
  tests: readonly TrendTest[],
  options: { scorecode?: string; events?: readonly TrendEvent[]; nextretest?: string | null } = {},
): TrendSeries {
  const score = scale.scores.find((def) => (options.scorecode ? def.c === options.scorecode : def.primary)) ?? scale.scores[0];
  const scorecode = score?.c ?? '';
  const ordered = [...tests].sort(byTime);
  const isBreakAt = (index: number) => !isSameMajor(ordered[index - 1]?.formversion, ordered[index]?.formversion);
  const breaks = ordered.flatMap(({ submittime }, index) => (isBreakAt(index) ? [{ time: submittime, label: BREAK_WORDS }] : []));
  return {
    formcode: scale.formcode,
    title: scale.title,
    scorecode,
    scorename: score?.n ?? '',
    min: score?.min ?? null,
    max: score?.max ?? null,
    better: score?.better ?? 'low',
    bands: bandsOf(scale, scorecode),
    points: ordered.map((test, index) => {
      const level = test.valid ? (test.levels[scorecode] ?? null) : null;
      return {
        examcode: test.examcode,
        submittime: test.submittime,
        planname: test.planname ?? '',
        stagename: test.stagename ?? '',
        score: test.scores[scorecode] ?? null,
        level,
        label: labelOfTest(test, scorecode),
        colour: colourOf(level).hex,
        valid: test.valid,
        ring: test.hasalert ?? false,
        isBreak: isBreakAt(index),
        isWithdrawn: test.isWithdrawn ?? false,
      };
    }),
    items: scale.items
      .filter((item) => item.scored ?? item.type !== 0)
      .map((item) => ({
        code: item.c,
        title: item.t,
        max: Math.max(...(scale.optionsets[item.o ?? ''] ?? []).map(([, , value]) => value ?? 0), 0) || null,
        // The same code may be another question in another major version.
        values: ordered.map((test) =>
          isSameMajor(test.formversion, scale.version) ? (test.itemscores?.[item.c] ?? null) : null,
        ),
      })),
    events: [...(options.events ?? []), ...breaks].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)),
    change: lastChange(scale, scorecode, tests),
    nextretest: options.nextretest ?? null,
  };
}

/** The level of a test in words, with what makes it doubtful. */
function labelOfTest({ valid, labels, isWithdrawn }: TrendTest, scorecode: string): string {
  const label = valid ? (labels?.[scorecode] ?? '') : '无效问卷';
  return isWithdrawn ? [label, WITHDRAWN_WORDS].filter(Boolean).join('，') : label;
}

const byTime = (a: TrendTest, b: TrendTest): number => {
  const [x, y] = [`${a.submittime} ${a.examcode}`, `${b.submittime} ${b.examcode}`];
  return x < y ? -1 : x > y ? 1 : 0;
};
