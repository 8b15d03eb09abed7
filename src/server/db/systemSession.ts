import { randomBytes } from 'node:crypto';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Pools } from '#server/db/pools.ts';
import { withScope, type Scope } from '#server/db/scope.ts';

/**
 * Runs work of the server in one transaction, with the range of an institution and the institutions below it.
 * Its session belongs to no account, so no action accepts it. It ends with the work, after five minutes at most.
 */
export async function runAsSystem<T>(
  pools: Pick<Pools, 'authn' | 'nested'>,
  musercode: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const session = hashToken(randomBytes(32).toString('hex'));
  await pools.authn.query(
    `insert into auth.session (tokenhash, kind, musercode, expiretime, idle)
     values ($1, 'system', $2, now() + interval '5 minutes', '5 minutes')`,
    [session, musercode],
  );
  try {
    return await withScope(pools.nested, { session }, work);
  } finally {
    await pools.authn.query('delete from auth.session where tokenhash = $1', [session]);
  }
}

/** Returns the codes of all enabled institutions that may have cases, in a stable order. */
export async function activeInstitutions(pools: Pick<Pools, 'authn'>): Promise<string[]> {
  const { rows } = await pools.authn.query<{ musercode: string }>(
    `select musercode from auth.tenant
     where musertype in ('002', '004', '005') and enabled = 1
       and (expiredate is null or expiredate >= (now() at time zone 'Asia/Shanghai')::date)
     order by musercode`,
  );
  return rows.map((row) => row.musercode);
}
