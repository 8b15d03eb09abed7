import type pg from 'pg';

/** Whether the database takes writes: not while it is down, full or read-only. It writes a key of the throttle that nobody waits for. */
export const canWrite = (authn: Pick<pg.Pool, 'query'>): Promise<boolean> =>
  authn
    .query(
      `insert into auth.throttle (key, failures, since) values ('readyz', 0, now())
       on conflict (key) do update set since = now()`,
    )
    .then(
      () => true,
      () => false,
    );
