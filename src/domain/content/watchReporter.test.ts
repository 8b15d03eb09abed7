import { expect, test } from 'vitest';
import type { WatchNote } from '#domain/content/watching.ts';
import { createWatchReporter } from '#domain/content/watchReporter.ts';

/** A lesson that 林小雨 watches at one speed, and the notes that arrive. */
function openLesson({ position = 0, isOnline = () => true }: { position?: number; isOnline?: () => boolean } = {}) {
  const arrived: (WatchNote & { isLeaving: boolean })[] = [];
  let time = 0;
  let at = position;
  const reporter = createWatchReporter({
    position,
    now: () => time,
    send: async (note, isLeaving) => {
      if (!isOnline()) throw new Error('offline');
      arrived.push({ ...note, isLeaving });
    },
  });
  /** Plays for so many seconds; the player tells its place four times a second. */
  const play = (seconds: number) => {
    reporter.playAt(at);
    for (let tick = 0; tick < seconds * 4; tick += 1) {
      time += 250;
      at += 0.25;
      reporter.playAt(at);
    }
  };
  const pause = () => reporter.stopAt(at);
  /** Moves the place, as a click on the slider does while the lesson plays. */
  const jump = (to: number) => {
    reporter.stopAt(at);
    at = to;
    reporter.stopAt(at);
  };
  /** Lets the calls arrive. */
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const wait = (seconds: number) => {
    time += seconds * 1000;
  };
  return { reporter, arrived, play, pause, jump, settle, wait };
}
const spansOf = (arrived: readonly WatchNote[]) => arrived.map(({ from, to, position }) => [from, to, position]);

test('a lesson that plays for forty seconds sends a note every 15 seconds and the rest on pause', async () => {
  const { arrived, play, pause, settle } = openLesson();
  play(40);
  pause();
  await settle();
  expect(spansOf(arrived)).toEqual([
    [0, 15, 15],
    [15, 30, 30],
    [30, 40, 40],
  ]);
});

test('a learner who comes back at second 70 reports from there', async () => {
  const { arrived, play, pause, settle } = openLesson({ position: 70 });
  play(5);
  pause();
  await settle();
  expect(spansOf(arrived)).toEqual([[70, 75, 75]]);
});

test('the seconds between two places of a jump do not count', async () => {
  const { arrived, play, jump, pause, settle } = openLesson();
  play(5);
  jump(60);
  play(5);
  pause();
  await settle();
  expect(spansOf(arrived)).toEqual([
    [0, 5, 5],
    [60, 65, 65],
  ]);
});

test('dragging the slider sends no call for each place that it passes', async () => {
  const { reporter, arrived, play, jump, settle } = openLesson();
  play(5);
  for (const to of [20, 30, 40, 50]) jump(to);
  await settle();
  expect(spansOf(arrived)).toEqual([[0, 5, 5]]);
  reporter.leave();
  await settle();
  expect(arrived.at(-1)).toEqual({ from: 50, to: 50, position: 50, isLeaving: true });
});

test('what did not arrive goes with the next note', async () => {
  let isOnline = false;
  const { arrived, play, pause, settle } = openLesson({ isOnline: () => isOnline });
  play(16);
  pause();
  await settle();
  expect(arrived).toEqual([]);
  isOnline = true;
  play(4);
  pause();
  await settle();
  expect(spansOf(arrived)).toEqual([[0, 20, 20]]);
});

test('a page that is left sends at once, and nothing when all has been sent', async () => {
  const { reporter, arrived, play, pause, settle } = openLesson();
  reporter.leave();
  play(3);
  reporter.leave();
  pause();
  reporter.leave();
  await settle();
  expect(arrived).toEqual([{ from: 0, to: 3, position: 3, isLeaving: true }]);
});

test('a pause that lasts long does not count as watched', async () => {
  const { arrived, play, pause, settle, wait } = openLesson();
  play(3);
  pause();
  wait(600);
  play(3);
  pause();
  await settle();
  expect(spansOf(arrived)).toEqual([
    [0, 3, 3],
    [3, 6, 6],
  ]);
});
