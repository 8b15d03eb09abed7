import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Pools } from '#server/db/pools.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { expireWallets, releaseCounts } from '#features/assesscount/movement.queries.ts';
import * as queries from '#features/assesscount/wallet.queries.ts';

/** The result of one run: `released` counts came back from codes and authorizations, `expired` counts were written off. */
export interface Expiry {
  institutions: number;
  released: number;
  expired: number;
}

/**
 * Ends codes, authorizations and wallets whose last day is before the Shanghai date of `now`. Unused codes and authorizations outside
 * tasks return their counts (ledger kind 05); then free counts after their last day are written off (07). Each institution has its own
 * transaction, so that no wallet waits for another. Authorizations of tasks end with their task. Several servers may run it at once.
 */
export async function expireCounts(pools: Pick<Pools, 'authn' | 'nested'>, now: Date): Promise<Expiry> {
  const today = shanghaiDate(now);
  const institutions = await runAsSystem(pools, platformCode, (scope) => queries.findInstitutionsToExpire(scope, today));
  const result: Expiry = { institutions: institutions.length, released: 0, expired: 0 };
  for (const musercode of institutions)
    await runAsSystem(pools, platformCode, async (scope) => {
      const codes = await queries.expireCodes(scope, musercode, today);
      const authorizations = await queries.expireAuthorizations(scope, musercode, today, addDays(now, -1));
      const frozen = [
        ...codes.map((code) => ({ ...code, cuserid: null, remark: `测评码 ${code.batchno} 到期` })),
        ...authorizations,
      ];
      result.released += await releaseCounts(scope, frozen, { operator: '系统', now, remark: '授权到期' });
      result.expired += await expireWallets(scope, musercode, { now, today });
    });
  return result;
}
