import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { copyCluster } from '#server/backup/copyCluster.ts';
import { ownerRole } from '#server/db/owner.ts';
import { ephemeralRoot } from '#server/postgres/cluster.ts';
import { prepareCluster } from '#server/postgres/paths.ts';

/** A streaming replica of the embedded cluster of a running server. */
export interface RunningReplica {
  /** the value of `DATABASE_REPLICA_URL` */
  url: string;
  /** Runs SQL as the superuser of the replica. */
  query: <T extends pg.QueryResultRow>(sql: string) => Promise<T[]>;
  kill: () => Promise<void>;
}

const PORT = 5433;

/** Copies the running cluster of a data folder and starts the copy as its streaming replica. It ends with the test. */
export async function startReplica(dataDir: string): Promise<RunningReplica> {
  const folder = await mkdtemp(join(ephemeralRoot(), 'xinli-replica-'));
  await chmod(folder, 0o755);
  const { user, cluster, native } = prepareCluster(folder, () => undefined);
  const lines = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const primary = new pg.Client({ host: lines[4], port: Number(lines[3]), database: 'postgres', user: 'postgres' });
  await primary.connect();
  // The primary keeps its log for the replica while one of them is stopped.
  await primary.query("select pg_create_physical_replication_slot('replica', true)");
  await mkdir(cluster, { mode: 0o700 });
  const { folders } = await copyCluster(primary, join(dataDir, 'postgres'), cluster, () => Promise.resolve());
  await primary.end();
  for (const path of folders) await mkdir(join(cluster, path), { recursive: true, mode: 0o700 });
  await writeFile(join(cluster, 'standby.signal'), '');
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    [
      `primary_conninfo = 'host=${lines[4]} port=${lines[3]} user=postgres'`,
      "primary_slot_name = 'replica'",
      'max_connections = 100',
      "listen_addresses = ''",
      '',
    ].join('\n'),
  );
  if (user)
    for (const path of ['', ...(await readdir(cluster, { recursive: true }))])
      await chown(join(cluster, path), user.uid, user.gid);
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, '-k', cluster, '-p', String(PORT)], {
    cwd: '/',
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: 'ignore',
    ...user,
  });
  const kill = () => end(child);
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const query = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> => {
    const client = new pg.Client({ host: cluster, port: PORT, database: 'xinli', user: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    return (await client.query<T>(sql).finally(() => client.end())).rows;
  };
  while (!(await query('select').catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('the replica did not start');
    await new Promise((done) => setTimeout(done, 50));
  }
  return { url: `postgres://${ownerRole}@localhost:${PORT}/xinli?host=${encodeURIComponent(cluster)}`, query, kill };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGQUIT');
  await exited;
}
