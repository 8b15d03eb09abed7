import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restartPause, startCluster } from '#server/postgres/cluster.ts';
import type { Cluster, ClusterConnection } from '#server/postgres/cluster.ts';
import { isAlive, processIdentity, waitUntil } from '#server/postgres/processes.ts';

interface Server {
  process: ChildProcess;
  connection: ClusterConnection;
  postgres: number;
}

const PROGRAM = new URL('../../testing/process/clusterProcess.ts', import.meta.url).pathname;
const running = new Set<ChildProcess>();
const socketDirs = new Set<string>();
let dataDir: string;

/** Starts a separate server process on the folder; rejects with its error output when it gives up. */
async function startServer(folder = dataDir, ...flags: string[]): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM, folder, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let errorOutput = '';
  child.stderr.on('data', (part: Buffer) => (errorOutput += part.toString()));
  const line = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  if (!Buffer.isBuffer(line[0])) throw new Error(errorOutput);
  const server = { process: child, ...(JSON.parse(line[0].toString()) as Omit<Server, 'process'>) };
  socketDirs.add(server.connection.host);
  return server;
}

async function end(server: Server, name: NodeJS.Signals): Promise<void> {
  const exit = once(server.process, 'exit');
  server.process.kill(name);
  await exit;
  running.delete(server.process);
}

async function query(connection: ClusterConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ping(connection: ClusterConnection): Promise<boolean> {
  return query(connection, 'select 1').then(
    () => true,
    () => false,
  );
}

const waitForEnd = (pid: number): Promise<boolean> => waitUntil(() => processIdentity(pid) === null, 600_000);

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'aisp-kill-'));
  // Under root the database user must be able to enter the folder, but mkdtemp makes a closed one.
  rmSync(dataDir, { recursive: true });
});

afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(
    [...running].map((child) => (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null)),
  );
  for (const path of [dataDir, ...socketDirs]) rmSync(path, { recursive: true, force: true });
});

describe('the embedded database of a data folder', () => {
  test('is UTF-8 with checksums, listens on a private socket only and logs no personal data', async () => {
    const server = await startServer();
    const [settings] = await query(
      server.connection,
      `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
              current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit, current_setting('TimeZone') as zone,
              (select datcollate from pg_database where datname = 'template1') as collation`,
    );
    expect(settings).toEqual({
      encoding: 'UTF8',
      checksums: 'on',
      addresses: '',
      fsync: 'on',
      commit: 'on',
      zone: 'UTC',
      collation: 'C.UTF-8',
    });
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);

    await query(server.connection, 'create table visitor (name text primary key)');
    await query(server.connection, `insert into visitor values ('王小明')`);
    await expect(query(server.connection, `insert into visitor values ('王小明')`)).rejects.toThrow('duplicate key');
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('王小明');
    await end(server, 'SIGTERM');
    expect(await waitForEnd(server.postgres)).toBe(true);
  });

  test('stops with the server and leaves neither socket folder nor lock', async () => {
    const server = await startServer(dataDir, 'graceful');
    const exit = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await exit;
    expect(processIdentity(server.postgres)).toBeNull();
    expect(existsSync(server.connection.host)).toBe(false);
    expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('refuses a second server and keeps serving the first', async () => {
    const first = await startServer();
    await expect(startServer()).rejects.toThrow(`数据目录正被另一个服务使用（PID ${first.process.pid}）`);
    expect(await ping(first.connection)).toBe(true);
    await end(first, 'SIGTERM');
    expect(await waitForEnd(first.postgres)).toBe(true);
  });

  test('loses no acknowledged row when the server is killed and the database still runs at the next start', async () => {
    const first = await startServer();
    await query(first.connection, `insert into visitor values ('李华')`);
    await end(first, 'SIGKILL');
    expect(isAlive(first.postgres)).toBe(true);

    const second = await startServer();
    expect(second.postgres).not.toBe(first.postgres);
    expect(await query(second.connection, 'select name from visitor order by name')).toEqual([
      { name: '李华' },
      { name: '王小明' },
    ]);
    await end(second, 'SIGTERM');
    expect(await waitForEnd(second.postgres)).toBe(true);
  });

  test('loses no acknowledged row when server and database are killed together repeatedly', async () => {
    for (const name of ['赵一', '钱二', '孙三']) {
      const server = await startServer();
      await query(server.connection, `insert into visitor values ('${name}')`);
      process.kill(server.postgres, 'SIGKILL');
      await end(server, 'SIGKILL');
    }
    const server = await startServer();
    expect(await query(server.connection, 'select count(*)::int as n from visitor')).toEqual([{ n: 5 }]);

    // Only the database is killed: the server starts it again at the same address.
    process.kill(server.postgres, 'SIGKILL');
    await waitForEnd(server.postgres);
    let isBack = false;
    while (!isBack) isBack = await ping(server.connection);
    expect(await query(server.connection, 'select count(*)::int as n from visitor')).toEqual([{ n: 5 }]);
    await end(server, 'SIGTERM');
  });

  test('is refused when a newer PostgreSQL created it', async () => {
    const file = join(dataDir, 'postgres/PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '99\n');
    await expect(startServer()).rejects.toThrow('数据目录由更新的版本创建（PostgreSQL 99');
    writeFileSync(file, version);
    const server = await startServer();
    expect(await ping(server.connection)).toBe(true);
    await end(server, 'SIGTERM');
    expect(await waitForEnd(server.postgres)).toBe(true);
  });

  test('reports a data folder that is a file', async () => {
    const file = `${dataDir}.txt`;
    writeFileSync(file, '');
    await expect(startServer(file)).rejects.toThrow(`${file} 不是目录`);
    rmSync(file);
  });
});

describe('an ephemeral cluster', () => {
  test('deletes its own folder on stop', async () => {
    const cluster: Cluster = await startCluster({ ephemeral: true, durability: 'off', log: () => {} });
    const [setting] = await query(cluster.url(), `select current_setting('data_directory') as path`);
    const folder = String(setting?.['path']);
    expect(existsSync(folder)).toBe(true);
    await cluster.stop();
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(cluster.socketDir)).toBe(false);
  });

  test('starts again however often it is killed within a minute, with growing pauses', async () => {
    const cluster: Cluster = await startCluster({ ephemeral: true, durability: 'on', log: () => {} });
    await query(cluster.url(), 'create table visitor (name text)');
    for (let kills = 0; kills < 5; kills += 1) {
      const killed = cluster.pid();
      process.kill(killed, 'SIGKILL');
      // The new process answers a moment before the cluster names it.
      let isBack = false;
      while (!isBack) isBack = (await ping(cluster.url())) && cluster.pid() !== killed;
      await query(cluster.url(), `insert into visitor values ('${kills}')`);
    }
    expect(await query(cluster.url(), 'select count(*)::int as n from visitor')).toEqual([{ n: 5 }]);
    await cluster.stop();
    expect([1, 3, 4, 5, 6, 20].map(restartPause)).toEqual([0, 0, 1000, 2000, 4000, 30_000]);
  });
});
