import type { Call, Calls } from '#seed/demo/calls.ts';
import type { DemoDates } from '#seed/demo/content/dates.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { LocalGateway } from '#server/pay/localGateway.ts';

/** The size of the demonstration: `s` for tests, `m` for users. */
export type Size = 's' | 'm';
/** One run that fills the demonstration: the calls, the dates and the random seed. */
export interface DemoRun {
  calls: Calls;
  services: Services;
  /** the gateways of the filling: persons pay at once, and no money moves */
  gateways: Record<'01' | '02', LocalGateway>;
  dates: DemoDates;
  seed: number;
  size: Size;
  log: (line: string) => void;
  /** calls as the platform's super account, which has no password yet */
  asPlatform: (time: Date) => Call;
  /** does `work` while the nightly count of that day flags the institution: 有超时 */
  withFlag: <T>(musercode: string, time: Date, work: () => Promise<T>) => Promise<T>;
}
