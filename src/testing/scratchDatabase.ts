import pg from 'pg';
import { startCluster } from '#server/postgres/cluster.ts';
import { createOwned } from '#server/db/owner.ts';
import { migrate } from '#server/db/migrate.ts';
import { asOwner } from '#server/db/roles.ts';

/** Runs `work` on a newly migrated database of a temporary cluster. */
export async function withScratchDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const cluster = await startCluster({ ephemeral: true, durability: 'off', log: () => undefined });
  try {
    const target = await createOwned(cluster.url(), 'scratch');
    await migrate(target);
    const client = new pg.Client(asOwner(target));
    await client.connect();
    await work(client).finally(() => client.end());
  } finally {
    await cluster.stop();
  }
}
