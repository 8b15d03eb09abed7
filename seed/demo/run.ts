import type { Calls } from '#seed/demo/calls.ts';
import type { Moments } from '#seed/demo/content/dates.ts';

/** `s` for tests, `m` for people who look at it. */
export type Size = 's' | 'm';
/** One run that fills the demonstration: who calls, which times, which chance. */
export interface World {
  calls: Calls;
  moments: Moments;
  seed: number;
  size: Size;
  say: (line: string) => void;
}
