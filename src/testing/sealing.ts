import { setTimeout as pause } from 'node:timers/promises';
import { sealAudit } from '#server/dispatch/audit.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Seals until every row is sealed and answers how many each round took. The fence is the oldest transaction running anywhere in
 * the cluster, so the tests beside this one may hold rows back for a moment.
 */
export async function sealAll(server: Server): Promise<number[]> {
  const rounds: number[] = [];
  for (;;) {
    rounds.push(await sealAudit(server.services.pools.sealer));
    const [left] = await server.sqlAsOwner<{ n: number }>(
      'select (select count(*) from audit.log)::int - coalesce((select sum(rows) from audit.seal), 0)::int as n',
    );
    if (left?.n === 0) return rounds;
    await pause(20);
  }
}

const newer = {
  trail: 'select count(*)::int as n from audit.log where xid >= (select audit from rollup.watermark)',
  ledger: 'select count(*)::int as n from assesscountlog where xid >= (select ledger from rollup.watermark)',
} as const;

/** Lets the same job work until the tally of the trail or of the ledger has taken in everything there is. */
export async function tallyAll(server: Server, of: keyof typeof newer): Promise<void> {
  for (;;) {
    await sealAudit(server.services.pools.sealer);
    const [left] = await server.sqlAsOwner<{ n: number }>(newer[of]);
    if (left?.n === 0) return;
    await pause(20);
  }
}
