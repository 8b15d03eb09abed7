import { startCluster } from '#server/postgres/cluster.ts';
import type { Config } from '#server/config.ts';
import { createOwned } from '#server/db/owner.ts';
import type { Target } from '#server/db/roles.ts';
import { checkExternalDatabase, targetOf } from '#server/postgres/externalDatabase.ts';

/** The database of this server, before migration. */
export interface OpenDatabase {
  /** The connection of its owner, who migrates. */
  readonly target: Target;
  /** Stops the embedded PostgreSQL; never stops the operator's own one. */
  stop(): Promise<void>;
}

/** The application's database inside the embedded cluster. */
export const DATABASE = 'xinli';

/**
 * Opens the database of the configuration: the embedded cluster in the data folder, or the PostgreSQL of `DATABASE_URL`.
 * @throws StartError with a message for the operator.
 */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl'> & Partial<Pick<Config, 'isPooled'>>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    await checkExternalDatabase(config.databaseUrl);
    return { target: { ...targetOf(config.databaseUrl), isPooled: config.isPooled }, stop: () => Promise.resolve() };
  }
  const cluster = await startCluster({ dataDir: config.dataDir, log });
  try {
    return { target: await createOwned(cluster.url(), DATABASE), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
