import type { Action } from '#contract/action.ts';
import { isOpenToKey } from '#contract/apikey/openToKeys.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';

/**
 * Returns the check of a call with an API key: it refuses more calls than the key may make in a minute (190001), and calls that are not
 * open to keys or outside of the groups of the key (110017).
 */
export function keyGuard() {
  const limiters = new Map<number, RateLimiter>();
  return ({ name }: Action, { scopes, permin }: NonNullable<Staff['apikey']>, session: string): void => {
    const limiter = limiters.get(permin) ?? new RateLimiter(permin, permin / 60);
    limiters.set(permin, limiter);
    limiter.take(session, 1);
    if (!isOpenToKey(name, scopes)) throw problems.notOpenToKeys();
  };
}
