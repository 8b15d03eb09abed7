import type pg from 'pg';
import type { SessionHash } from '#server/db/scope.ts';

/** Begins the minutes of the session's step-up anew. A session without a step-up stays without one. */
export const prolongStepUp = async (authn: Pick<pg.Pool, 'query'>, session: SessionHash): Promise<void> =>
  void (await authn.query('update auth.session set stepuptime = now() where tokenhash = $1 and stepuptime < now()', [session]));
