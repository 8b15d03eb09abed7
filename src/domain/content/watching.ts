import { FINISHED_SHARE, PROGRESS_SECONDS } from '#domain/content/content.ts';

/** Which seconds of a lesson a learner has watched: the ranges that the server keeps, and how a player collects them. */

/** Seconds of a lesson: the first is included, the last is not. */
export type SecondRange = readonly [from: number, to: number];

/** The ranges in order without overlaps; neighbours become one. Empty ones are left out. */
export function unionOf(ranges: readonly SecondRange[]): SecondRange[] {
  const union: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = union.at(-1);
    if (to <= from) continue;
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else union.push([from, to]);
  }
  return union;
}

/** The seconds that the ranges cover; each counts once. */
export const secondsOf = (ranges: readonly SecondRange[]): number =>
  unionOf(ranges).reduce((sum, [from, to]) => sum + to - from, 0);

/** Whether so many watched seconds finish a lesson of this length. */
export const isFinished = (seconds: number, duration: number): boolean => seconds >= duration * FINISHED_SHARE;

/** Reads a multirange of PostgreSQL, such as `{[0,15),[30,45)}`. */
export const parseMultirange = (text: string): SecondRange[] =>
  [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)]);

/** Writes ranges as a multirange of PostgreSQL. */
export const formatMultirange = (ranges: readonly SecondRange[]): string =>
  `{${unionOf(ranges)
    .map(([from, to]) => `[${from},${to})`)
    .join(',')}}`;

/** A player may run at double speed. */
const MAX_SPEED = 2;
/** Seconds that may be noted at once after the beginning: two notes, of which the first was late. */
const HEAD_START = 2 * PROGRESS_SECONDS;

/** The seconds that a learner can have watched `elapsed` seconds after the lesson was begun. */
export const mostPlausible = (elapsed: number): number => Math.max(0, Math.floor(elapsed)) * MAX_SPEED + HEAD_START;

/**
 * Adds seconds that a player reports to the watched ones. Seconds beyond the lesson's end do not count. When more is reported than can
 * have been watched since the lesson was begun, only the first seconds of the range count.
 */
export function addWatched(
  watched: readonly SecondRange[],
  [from, to]: SecondRange,
  { duration, elapsed }: { duration: number; elapsed: number },
): SecondRange[] {
  const known = unionOf(watched);
  const knownSeconds = secondsOf(known);
  // A limit below what was counted before takes nothing away.
  let left = Math.max(0, mostPlausible(elapsed) - knownSeconds);
  let at = Math.max(0, from);
  const end = Math.min(to, duration);
  while (at < end && left > 0) {
    const covering = known.find(([begin, until]) => begin <= at && at < until);
    if (covering) at = Math.min(end, covering[1]);
    else {
      const next = known.find(([begin]) => begin > at)?.[0] ?? end;
      const stop = Math.min(end, next, at + left);
      left -= stop - at;
      at = stop;
    }
  }
  return unionOf([...known, [Math.max(0, from), at]]);
}

/** What a player has played and not sent yet. `run` is the stretch that plays now. */
export interface Watching {
  run: { from: number; at: number; time: number } | null;
  unsent: readonly SecondRange[];
  /** where the learner is, in seconds */
  position: number;
}

/** What a player sends: `saveLessonProgress` takes it with the lesson's number. */
export interface WatchNote {
  from: number;
  to: number;
  position: number;
}

/** A player that opened a lesson and has not played. */
export const openWatching = (position: number): Watching => ({ run: null, unsent: [], position });

const wholeSeconds = ({ from, at }: { from: number; at: number }): SecondRange => [Math.round(from), Math.round(at)];
const withRun = ({ run, unsent }: Watching): SecondRange[] => unionOf(run ? [...unsent, wholeSeconds(run)] : unsent);

/**
 * The lesson plays and is at `position`: for `playing` and `timeupdate`. A step that is longer than double speed allows, or that goes
 * back, is a jump. `now` in milliseconds.
 */
export function playAt(watching: Watching, position: number, now: number): Watching {
  const { run } = watching;
  const step = run ? position - run.at : 0;
  const isPlayed = run !== null && step >= 0 && step <= ((now - run.time) / 1000) * MAX_SPEED + 1;
  if (isPlayed) return { ...watching, run: { from: run.from, at: position, time: now }, position };
  return { unsent: withRun(watching), run: { from: position, at: position, time: now }, position };
}

/** The lesson stands still at `position`: for `pause`, `waiting`, `seeking`, `ended` and leaving the page. */
export function stopAt(watching: Watching, position: number, now: number): Watching {
  const played = watching.run ? playAt(watching, position, now) : watching;
  // After a jump the new run is empty, so nothing between the two places counts.
  return { run: null, unsent: withRun(played), position };
}

/**
 * Returns what a player sends now and what remains. A player sends every 15 seconds, on pause and on leaving. Without new seconds it
 * sends the position only, so that the learner comes back to it.
 */
export function takeNotes(watching: Watching): { notes: WatchNote[]; rest: Watching } {
  const position = Math.floor(watching.position);
  const ranges = withRun(watching);
  const notes = (ranges.length > 0 ? ranges : [[position, position] as const]).map(([from, to]) => ({ from, to, position }));
  const { run } = watching;
  return { notes, rest: { ...watching, unsent: [], run: run && { ...run, from: Math.max(run.from, Math.round(run.at)) } } };
}

/** Takes notes back that could not be sent; the next notes contain them. */
export const takeBack = (watching: Watching, notes: readonly WatchNote[]): Watching => ({
  ...watching,
  unsent: unionOf([...watching.unsent, ...notes.map(({ from, to }): SecondRange => [from, to])]),
});
