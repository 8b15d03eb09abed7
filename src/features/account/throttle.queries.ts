import type pg from 'pg';

/** Failed attempts, counted by a key such as an account or an address. */

/**
 * Returns the minutes until the keys are unlocked, or 0. No lock lasts longer than 15 minutes: a later end was set while the clock was
 * ahead, and does not count.
 */
export async function findWaitMinutes(authn: Pick<pg.Pool, 'query'>, keys: readonly string[]): Promise<number> {
  const { rows } = await authn.query<{ minutes: number }>(
    `select coalesce(ceil(extract(epoch from max(until) - now()) / 60), 0)::int as minutes
     from auth.throttle
     where key = any($1) and until > now() and until <= now() + interval '15 minutes'`,
    [keys],
  );
  return rows[0]?.minutes ?? 0;
}

/**
 * Counts a failure and returns the number of failures within 15 minutes. From `limit` on, the key is locked for 1, 2, 4, 8, then 15
 * minutes, but never for good. Returns undefined while the key is locked: of many concurrent attempts only the first `limit` count.
 * A caller that gets undefined must not reveal whether the attempt was right.
 */
export async function countFailure(authn: Pick<pg.Pool, 'query'>, key: string, limit: number): Promise<number | undefined> {
  const { rows } = await authn.query<{ failures: number }>(
    `insert into auth.throttle as t (key, failures, since) values ($1, 1, now())
     on conflict (key) do update set
       failures = case
         when t.since < now() - interval '15 minutes' and coalesce(t.until, t.since) < now() - interval '15 minutes' then 1
         else t.failures + 1 end,
       since = case
         when t.since < now() - interval '15 minutes' and coalesce(t.until, t.since) < now() - interval '15 minutes' then now()
         else t.since end,
       until = case
         when t.failures + 1 >= $2 then now() + least(15, power(2, least(t.failures + 1 - $2, 4))) * interval '1 minute' end
       where t.until is null or t.until <= now() or t.until > now() + interval '15 minutes'
     returning failures`,
    [key, limit],
  );
  return rows[0]?.failures;
}

/** Deletes the failures of a key. */
export const clearFailures = (authn: Pick<pg.Pool, 'query'>, key: string) =>
  authn.query('delete from auth.throttle where key = $1', [key]);
