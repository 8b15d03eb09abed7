import { randomBytes } from 'node:crypto';
import { hashOf } from '#server/caller.ts';
import { withCountScope, withScope, type CountScope, type Scope } from '#server/scope.ts';
import type { Pools } from '#server/db/pools.ts';

/**
 * Work of the server itself within one institution: looking up who a respondent is, reminders, reconciliation. It gets a
 * session of its own for a minute, so that the same policies bind it as bind people; there is no way around them.
 */
async function asSystem<T>(pools: Pools, musercode: string, work: (session: ReturnType<typeof hashOf>) => Promise<T>): Promise<T> {
  const session = hashOf(randomBytes(32).toString('base64url'));
  await pools.authn.query(
    "insert into auth.session (tokenhash, kind, musercode, expiretime, idle) values ($1, 'system', $2, now() + interval '1 minute', '1 minute')",
    [session, musercode],
  );
  try {
    return await work(session);
  } finally {
    await pools.authn.query('delete from auth.session where tokenhash = $1', [session]);
  }
}

/** One transaction within an institution's own reach. */
export const asInstitution = <T>(pools: Pools, musercode: string, work: (scope: Scope) => Promise<T>): Promise<T> =>
  asSystem(pools, musercode, (session) => withScope(pools.app, { session }, work));

/** A count within an institution's reach. */
export const countAsInstitution = <T>(pools: Pools, musercode: string, work: (scope: CountScope) => Promise<T>): Promise<T> =>
  asSystem(pools, musercode, (session) => withCountScope(pools.stats, { session }, work));
