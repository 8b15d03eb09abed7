import type { Scale } from '#domain/scoring/scale.ts';

/** A draft with what was before and after it, for undo and redo. */
export interface History {
  past: readonly Scale[];
  present: Scale;
  future: readonly Scale[];
  /** the field of the last change; more typing in it within a second is the same step */
  tag: string;
  time: number;
}

export type Edit =
  | { kind: 'change'; to: (scale: Scale) => Scale; tag: string; time: number }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'load'; scale: Scale };

/** The steps that undo remembers. */
const LONGEST = 200;
/** Typing in one field within this time is one step, in milliseconds. */
const ONE_STEP = 1000;

/** Returns a history without any step. */
export const startHistory = (scale: Scale): History => ({ past: [], present: scale, future: [], tag: '', time: 0 });

/** Returns the history after an edit. */
export function editHistory(history: History, edit: Edit): History {
  const { past, present, future } = history;
  if (edit.kind === 'load') return startHistory(edit.scale);
  if (edit.kind === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), present: before, future: [present, ...future], tag: '', time: 0 } : history;
  }
  if (edit.kind === 'redo') {
    const [next, ...rest] = future;
    return next ? { past: [...past, present], present: next, future: rest, tag: '', time: 0 } : history;
  }
  const next = edit.to(present);
  if (next === present) return history;
  const isSameStep = edit.tag !== '' && edit.tag === history.tag && edit.time - history.time < ONE_STEP;
  return {
    past: isSameStep ? past : [...past, present].slice(-LONGEST),
    present: next,
    future: [],
    tag: edit.tag,
    time: edit.time,
  };
}
