import { setTimeout as pause } from 'node:timers/promises';
import { sealAudit } from '#server/dispatch/audit.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Seals the audit log until every row is sealed. Returns the number of rows of each round. Rows after the oldest running transaction
 * of the cluster cannot be sealed, so concurrent tests may delay it.
 */
export async function sealAll(server: Server): Promise<number[]> {
  const rounds: number[] = [];
  for (;;) {
    rounds.push(await sealAudit(server.services.pools.sealer));
    const [pending] = await server.sqlAsOwner<{ n: number }>(
      'select (select count(*) from audit.log)::int - coalesce((select sum(rows) from audit.seal), 0)::int as n',
    );
    if (pending?.n === 0) return rounds;
    await pause(20);
  }
}

const countPending = {
  trail: 'select count(*)::int as n from audit.log where xid >= (select audit from rollup.watermark)',
  ledger: 'select count(*)::int as n from assesscountlog where xid >= (select ledger from rollup.watermark)',
} as const;

/** Refreshes the rollup until it includes all rows of the audit log (`trail`) or of the ledger. */
export async function refreshRollup(server: Server, source: keyof typeof countPending): Promise<void> {
  for (;;) {
    await sealAudit(server.services.pools.sealer);
    const [pending] = await server.sqlAsOwner<{ n: number }>(countPending[source]);
    if (pending?.n === 0) return;
    await pause(20);
  }
}
