import { PROGRESS_SECONDS } from '#domain/content/content.ts';
import { openWatching, playAt, stopAt, takeBack, takeNotes, type WatchNote } from '#domain/content/watching.ts';

/** Reports what a learner plays of one lesson; staff and persons share it. A player calls it from `onPlay` and `onStop` of useMedia. */
export interface WatchReporter {
  /** The lesson plays and is at this second. Sends at most every 15 seconds. */
  playAt: (position: number) => void;
  /** The lesson stands still at this second: a pause, a jump, the end. Sends what was played. */
  stopAt: (position: number) => void;
  /** The page is hidden or left. Sends all at once, without waiting for earlier calls. */
  leave: () => void;
}

/** How a reporter reaches the server and the clock. */
export interface ReporterOptions {
  /** the second at which the player opened the lesson */
  position: number;
  /**
   * Sends one note. It rejects when the note has to be sent again later, such as after a gap of the network. `isLeaving`: the call has
   * to outlive the page.
   */
  send: (note: WatchNote, isLeaving: boolean) => Promise<unknown>;
  /** milliseconds */
  now: () => number;
}

/**
 * Returns a reporter of one lesson. It sends notes one after the other, so that the last position is the one that stays. Notes that did
 * not arrive go with the next ones.
 */
export function createWatchReporter({ position: openedAt, send, now }: ReporterOptions): WatchReporter {
  let watching = openWatching(openedAt);
  let sentAt = now();
  /** the position that the server has; undefined when the last note did not arrive */
  let known: number | undefined = Math.floor(openedAt);
  let sending: Promise<void> = Promise.resolve();

  const deliver = async (notes: readonly WatchNote[], isLeaving: boolean) => {
    for (const note of notes)
      try {
        await send(note, isLeaving);
      } catch {
        watching = takeBack(watching, [note]);
        known = undefined;
      }
  };
  /** Sends what was played. A position alone is sent on leaving only: a slider that is dragged passes many. */
  const report = (isLeaving: boolean) => {
    const { notes, rest } = takeNotes(watching);
    const isPlayed = notes.some(({ from, to }) => from < to);
    if (!isPlayed && !(isLeaving && Math.floor(watching.position) !== known)) return;
    watching = rest;
    sentAt = now();
    known = Math.floor(watching.position);
    if (isLeaving) void deliver(notes, true);
    else sending = sending.then(() => deliver(notes, false));
  };

  return {
    playAt: (position) => {
      // The 15 seconds begin with the playing: a pause is no part of them.
      if (!watching.run) sentAt = now();
      watching = playAt(watching, position, now());
      if (now() - sentAt >= PROGRESS_SECONDS * 1000) report(false);
    },
    stopAt: (position) => {
      watching = stopAt(watching, position, now());
      report(false);
    },
    leave: () => report(true),
  };
}
