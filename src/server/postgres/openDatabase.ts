import { startCluster } from '#server/postgres/cluster.ts';
import type { Config } from '#server/config.ts';
import { createOwned } from '#server/db/owner.ts';
import type { Target } from '#server/db/roles.ts';
import { checkExternalDatabase, targetOf } from '#server/postgres/externalDatabase.ts';
import type { StartError } from '#server/startError.ts';

/** The database this server works with, before migration. */
export interface OpenDatabase {
  /** As its owner, who migrates. */
  readonly target: Target;
  /** Resolves when an embedded PostgreSQL ended for good; a server of the operator's own never resolves it. */
  readonly failed: Promise<StartError>;
  /** Stops the embedded PostgreSQL; leaves the operator's own alone. */
  stop(): Promise<void>;
}

/** The application's database inside the embedded cluster. */
const DATABASE = 'xinli';

/**
 * Opens what the configuration names: the embedded cluster in the data folder, or the PostgreSQL of `DATABASE_URL`.
 * @throws StartError worded for the operator.
 */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    await checkExternalDatabase(config.databaseUrl);
    return { target: targetOf(config.databaseUrl), failed: new Promise(() => {}), stop: () => Promise.resolve() };
  }
  const cluster = await startCluster({ dataDir: config.dataDir, log });
  try {
    return { target: await createOwned(cluster.url(), DATABASE), failed: cluster.failed, stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
