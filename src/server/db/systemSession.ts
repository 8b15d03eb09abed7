import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { platformCode } from '#domain/tenant/tenantTree.ts';
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

/**
 * Returns the codes of the institutions whose cases the jobs look after, in a stable order: those that work, and disabled or
 * expired ones as long as a case of theirs has a clock: every open case, and a closed one with an open duty.
 */
export const activeInstitutions = (pools: Pick<Pools, 'authn' | 'nested'>): Promise<string[]> =>
  runAsSystem(pools, platformCode, async (scope) => {
    const { rows } = await sql<{ musercode: string }>`
      select m.musercode from muser m
      where m.musertype in ('002', '004', '005')
        and ((m.enabled = 1 and m.isdeleted = 0
            and (m.expiredate is null or m.expiredate >= (now() at time zone 'Asia/Shanghai')::date))
          or exists (select from warning w
            where w.musercode = m.musercode and w.nextdue is not null and w.isdeleted = 0))
      order by m.musercode`.execute(scope.db);
    return rows.map((row) => row.musercode);
  });
