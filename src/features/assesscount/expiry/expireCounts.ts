import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Pools } from '#server/db/pools.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { expireWallets, releaseCounts } from '#features/assesscount/movement.queries.ts';
import * as queries from '#features/assesscount/wallet.queries.ts';

/** What one run ended: codes and authorisations gave `released` back, of wallets `expired` was written off. */
export interface Expiry {
  institutions: number;
  released: number;
  expired: number;
}

/**
 * Ends what has run out by the Shanghai date of `now`: unused codes and authorisations outside tasks give their counts back
 * (ledger kind 05), then what is free in a wallet past its last day is written off (07). One transaction for each institution, so
 * that no wallet waits for another. Authorisations of tasks end with their task. Safe to run on several servers at once.
 */
export async function expireCounts(pools: Pick<Pools, 'authn' | 'nested'>, now: Date): Promise<Expiry> {
  const today = shanghaiDate(now);
  const ended = await runAsSystem(pools, platformCode, (scope) => queries.findEnded(scope, today));
  const sum: Expiry = { institutions: ended.length, released: 0, expired: 0 };
  for (const musercode of ended)
    await runAsSystem(pools, platformCode, async (scope) => {
      const codes = await queries.endCodes(scope, musercode, today);
      const grants = await queries.endGrants(scope, musercode, today, addDays(now, -1));
      const releases = [...codes.map((code) => ({ ...code, cuserid: null, remark: `测评码 ${code.batchno} 到期` })), ...grants];
      sum.released += await releaseCounts(scope, releases, { operator: '系统', now, remark: '授权到期' });
      sum.expired += await expireWallets(scope, musercode, { now, today });
    });
  return sum;
}
