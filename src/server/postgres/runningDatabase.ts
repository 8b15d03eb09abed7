import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { ownerRole } from '#server/db/owner.ts';
import { isDataDirHeld } from '#server/postgres/dataLock.ts';
import { DATABASE, openDatabase, type OpenDatabase } from '#server/postgres/openDatabase.ts';

/**
 * Opens the database of the configuration for a command of the operator, also while a server of this folder runs: then it is the embedded
 * cluster of that server, which goes on afterwards.
 * @throws StartError with a message for the operator.
 */
export async function openBesideServer(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null || !isDataDirHeld(config.dataDir)) return openDatabase(config, log);
  // PostgreSQL's own file: process, folder, start, port, folder of the socket.
  const [, , , port = '', host = ''] = readFileSync(
    join(realpathSync(join(config.dataDir, 'postgres')), 'postmaster.pid'),
    'utf8',
  ).split('\n');
  return { target: { host, port: Number(port), database: DATABASE, user: ownerRole }, stop: () => Promise.resolve() };
}
