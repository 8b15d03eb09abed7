import { fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import type { Scope } from '#server/db/scope.ts';
import * as queries from '#features/aireport/aireport.queries.ts';

/** The most texts of an institution a day. */
export const DAILY_LIMIT = 200;
const FAILURES = 5;
const PAUSE_MINUTES = 10;

/** Whether the provider is paused: the last five calls failed, the latest less than ten minutes ago. */
export async function isPaused(scope: Scope, now: Date): Promise<boolean> {
  const calls = await queries.findLastCalls(scope, FAILURES);
  const latest = calls[0]?.donetime as Date | null | undefined;
  return (
    calls.length === FAILURES &&
    calls.every(({ status }) => status === 9) &&
    latest != null &&
    now.getTime() - latest.getTime() < PAUSE_MINUTES * 60_000
  );
}

/** The texts that an institution has asked for since midnight in Shanghai. */
export const countToday = (scope: Scope, musercode: string, now: Date): Promise<number> =>
  queries.countJobs(scope, musercode, fromShanghai(shanghaiDate(now)));
