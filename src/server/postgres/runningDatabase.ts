import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { ownerRole } from '#server/db/owner.ts';
import { isDataDirHeld } from '#server/postgres/dataLock.ts';
import { DATABASE, openDatabase, type OpenDatabase } from '#server/postgres/openDatabase.ts';
import { StartError } from '#server/startError.ts';

/**
 * Returns where the embedded cluster of a running server listens; undefined when no server has the data folder.
 * @throws StartError while the cluster starts or stops.
 */
export function findRunningCluster(dataDir: string): { host: string; port: number } | undefined {
  if (!isDataDirHeld(dataDir)) return undefined;
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  // PostgreSQL's own file: process, folder, start, port, folder of the socket, address, shared memory, state.
  const [, , , port = '', host = '', , , state = ''] = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
  if (state.trim() !== 'ready')
    throw new StartError(
      'data-in-use',
      '数据库正在启动或停止，请稍后再试。',
      'The database is starting or stopping; try again in a moment.',
    );
  return { host, port: Number(port) };
}

/**
 * Opens the database of the configuration for a command of the operator, also while a server of this folder runs: then it is the embedded
 * cluster of that server, which goes on afterwards.
 * @throws StartError with a message for the operator.
 */
export async function openBesideServer(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const running = config.databaseUrl === null ? findRunningCluster(config.dataDir) : undefined;
  if (!running) return openDatabase(config, log);
  return { target: { ...running, database: DATABASE, user: ownerRole }, stop: () => Promise.resolve() };
}
