import type { Calls } from '#seed/demo/calls.ts';
import type { DemoDates } from '#seed/demo/content/dates.ts';

/** The size of the demonstration: `s` for tests, `m` for users. */
export type Size = 's' | 'm';
/** One run that fills the demonstration: the calls, the dates and the random seed. */
export interface DemoRun {
  calls: Calls;
  dates: DemoDates;
  seed: number;
  size: Size;
  log: (line: string) => void;
  /** does `work` while the nightly count of that day flags the institution: 有超时 */
  withFlag: <T>(musercode: string, time: Date, work: () => Promise<T>) => Promise<T>;
}
