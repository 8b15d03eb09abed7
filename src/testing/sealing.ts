import { setTimeout as pause } from 'node:timers/promises';
import { sealAudit } from '#server/audit/seal.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Seals the audit log until every row is sealed. Returns the number of rows of each round.
 */
export async function sealAll(server: Server): Promise<number[]> {
  const rounds: number[] = [];
  for (;;) {
    rounds.push(await sealAudit(server.services));
    const [pending] = await server.sqlAsOwner<{ n: number }>('select count(*)::int as n from audit.unsealed');
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
    await sealAudit(server.services);
    const [pending] = await server.sqlAsOwner<{ n: number }>(countPending[source]);
    if (pending?.n === 0) return;
    await pause(20);
  }
}

/** Counts the messages to accounts in the database: all with a text, and those whose text one can read there. */
export async function countNotices({ sqlAsOwner }: Server): Promise<{ texts: number; readable: number }> {
  const [row] = await sqlAsOwner<{ texts: number; readable: number }>(
    `select count(*)::int as texts, (count(*) filter (where content not like 'sealed.1.%'))::int as readable
     from notification where content <> ''`,
  );
  return row ?? { texts: 0, readable: 0 };
}
