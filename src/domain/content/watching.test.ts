import { expect, test } from 'vitest';
import {
  addWatched,
  formatMultirange,
  mostPlausible,
  openWatching,
  parseMultirange,
  playAt,
  secondsOf,
  stopAt,
  takeBack,
  takeNotes,
  unionOf,
} from '#domain/content/watching.ts';

test('seconds that were watched twice count once', () => {
  expect(
    unionOf([
      [10, 20],
      [0, 12],
      [30, 30],
      [20, 25],
    ]),
  ).toEqual([[0, 25]]);
  expect(
    secondsOf([
      [0, 10],
      [5, 15],
    ]),
  ).toBe(15);
});

test('ranges survive the database', () => {
  const text = '{[0,15),[30,45)}';
  expect(formatMultirange(parseMultirange(text))).toBe(text);
  expect(parseMultirange('{}')).toEqual([]);
});

test('of more seconds than can have passed, the first ones count', () => {
  expect(mostPlausible(10)).toBe(50);
  expect(addWatched([], [0, 500], { duration: 600, elapsed: 10 })).toEqual([[0, 50]]);
  expect(addWatched([[0, 40]], [0, 500], { duration: 600, elapsed: 10 })).toEqual([[0, 50]]);
  expect(addWatched([[0, 90]], [95, 120], { duration: 100, elapsed: 100 })).toEqual([
    [0, 90],
    [95, 100],
  ]);
});

test('a step of a playing lesson that is longer than double speed allows is a jump', () => {
  const played = playAt(playAt(openWatching(0), 0, 0), 2, 1000);
  const jumped = playAt(played, 40, 1250);
  expect(takeNotes(stopAt(jumped, 41, 2250)).notes).toEqual([
    { from: 0, to: 2, position: 41 },
    { from: 40, to: 41, position: 41 },
  ]);
});

test('a lesson that nobody played sends its position only', () => {
  expect(takeNotes(openWatching(33.8)).notes).toEqual([{ from: 33, to: 33, position: 33 }]);
});

test('notes that could not be sent come with the next ones', () => {
  const playing = playAt(playAt(openWatching(0), 0, 0), 5.6, 5600);
  const { notes, rest } = takeNotes(playing);
  expect(notes).toEqual([{ from: 0, to: 6, position: 5 }]);
  const later = stopAt(takeBack(rest, notes), 9, 9000);
  expect(takeNotes(later).notes).toEqual([{ from: 0, to: 9, position: 9 }]);
});
