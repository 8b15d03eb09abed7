import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainFailure, openClusterLog } from '#server/postgres/clusterLog.ts';
import { searchPath } from '#server/config.ts';
import type { ClusterLog } from '#server/postgres/clusterLog.ts';
import { changeOwner, prepareCluster, prepareSocketDir } from '#server/postgres/paths.ts';
import type { ClusterPaths } from '#server/postgres/paths.ts';
import { clusterSettings } from '#server/postgres/settings.ts';
import { isDataDirHeld, lockDataDir } from '#server/postgres/dataLock.ts';
import { isAlive, isPostgresOf, postgresProcessesOf, signal, waitUntil } from '#server/postgres/processes.ts';
import { StartError, fileError } from '#server/startError.ts';

/** The connection settings for `pg.Pool` and `pg.Client`. */
export interface ClusterConnection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** A running embedded PostgreSQL. */
export interface Cluster {
  readonly socketDir: string;
  readonly port: number;
  readonly superuser: string;
  /** Returns the process id of the PostgreSQL server; it changes after a restart. */
  pid(): number;
  /** Returns connection settings, by default of the superuser in the maintenance database. */
  url(database?: string, user?: string): ClusterConnection;
  /** Ends sessions, writes all data to disk, stops PostgreSQL and unlocks the data folder. A second call waits for the same stop. */
  stop(): Promise<void>;
}

/** The options of `startCluster`. */
export interface ClusterOptions {
  /** Absolute path; with `ephemeral` it may be left out. */
  readonly dataDir?: string;
  readonly log: (message: string) => void;
  /** A cluster in a new temporary folder, which `stop()` deletes. The start first deletes the folders of crashed test runs. */
  readonly ephemeral?: boolean;
  /** `off` may lose data at a power cut; for unit tests only. Default `on`. */
  readonly durability?: 'on' | 'off';
}

type ClusterSetup = ClusterPaths & { dataDir: string; logFile: string; durability: 'on' | 'off'; log: (message: string) => void };

const SUPERUSER = 'postgres';
const PORT = 5432;
const MB = 1024 * 1024;
const ORPHAN_LIMIT_MS = 15_000;
const READY_LIMIT_MS = 10 * 60_000;
const EPHEMERAL = 'aisp-test-';
const MEMORY_ROOT = '/dev/shm';
const EPHEMERAL_ROOM_MB = 4096;

/**
 * Starts the embedded PostgreSQL of a data folder. The first start creates the cluster; a start after a crash recovers it.
 * PostgreSQL listens on a socket in a private folder only. It runs in its own session, so Ctrl-C reaches this process first.
 * It survives a `kill -9` of this process; the next start stops it properly and starts it again.
 * @throws StartError in Chinese and English for every problem that an operator can solve.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { log, ephemeral = false, durability = 'on' } = options;
  if (ephemeral) await sweepEphemeral();
  const dataDir = openDataDir(options.dataDir, ephemeral);
  const lock = await lockDataDir(dataDir);
  let logFile: ClusterLog | undefined;
  let socketDir: string | undefined;
  const cleanUp = (): void => {
    logFile?.close();
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    lock.release();
    if (ephemeral) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const setup: ClusterSetup = {
      ...prepareCluster(dataDir, log),
      dataDir,
      logFile: join(dataDir, 'postgres.log'),
      durability,
      log,
    };
    await createIfMissing(setup);
    const real: ClusterSetup = { ...setup, cluster: realpathSync(setup.cluster) };
    checkVersion(real);
    await stopOrphan(real);
    logFile = openLog(real);
    socketDir = prepareSocketDir(dataDir, real.user);
    return await supervise(real, socketDir, logFile, cleanUp);
  } catch (error) {
    cleanUp();
    throw error;
  }
}

/**
 * Where test clusters live: in memory, if the system has a folder there with enough room. Every test copies a database of 1,200 files,
 * which takes 50 ms of computing there and 200 to 500 ms on a disk.
 */
export function ephemeralRoot(): string {
  const { bavail, bsize } = existsSync(MEMORY_ROOT) ? statfsSync(MEMORY_ROOT) : { bavail: 0, bsize: 0 };
  return bavail * bsize >= EPHEMERAL_ROOM_MB * MB ? MEMORY_ROOT : tmpdir();
}

function openDataDir(requestedDir: string | undefined, ephemeral: boolean): string {
  // Under root the database user must be able to pass through the folder; the files inside have their own modes.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const path = requestedDir ?? (ephemeral ? mkdtempSync(join(ephemeralRoot(), EPHEMERAL)) : undefined);
  if (path === undefined) throw new Error('startCluster needs a data folder');
  try {
    if (requestedDir === undefined) chmodSync(path, mode);
    else if (!existsSync(path)) mkdirSync(path, { recursive: true, mode });
    readdirSync(path);
    const disk = statfsSync(path);
    const needed = existsSync(join(path, 'postgres')) ? 64 : 512;
    if (disk.bavail * disk.bsize < needed * MB) {
      throw new StartError(
        'no-disk',
        `磁盘空间不足：${path} 至少需要 ${needed} MB 可用空间。`,
        `No disk space left: ${path} needs at least ${needed} MB free.`,
      );
    }
    return realpathSync(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

function openLog(setup: ClusterSetup): ClusterLog {
  try {
    return openClusterLog(setup.logFile);
  } catch (error) {
    throw fileError(error, setup.logFile);
  }
}

/** Creates the cluster under a temporary name and renames it when complete. So an interrupted first start leaves no partial cluster. */
async function createIfMissing(setup: ClusterSetup): Promise<void> {
  if (existsSync(join(setup.cluster, 'PG_VERSION'))) return;
  if (existsSync(setup.cluster) && readdirSync(setup.cluster).length > 0) {
    throw new StartError(
      'data-damaged',
      `${setup.cluster} 不是完整的数据库目录（缺少 PG_VERSION）。请恢复备份，或用 DATA_DIR 指定另一个目录。`,
      `${setup.cluster} is no complete database folder (PG_VERSION is missing). Restore a backup, or name another DATA_DIR.`,
    );
  }
  try {
    for (const name of readdirSync(setup.base)) {
      if (name.startsWith('.postgres-')) rmSync(join(setup.base, name), { recursive: true, force: true });
    }
    const draft = mkdtempSync(join(setup.base, '.postgres-'));
    changeOwner(draft, setup.user);
    const flags = ['--locale=C.UTF-8', '--encoding=UTF8', '--data-checksums', '--auth-local=trust', '--auth-host=reject'];
    if (setup.durability === 'off') flags.push('--no-sync');
    const output = await run(setup, 'initdb', ['-D', draft, '-U', SUPERUSER, ...flags]);
    if (output !== null) {
      rmSync(draft, { recursive: true, force: true });
      throw explainFailure(output, setup.dataDir, setup.logFile);
    }
    renameSync(draft, setup.cluster);
  } catch (error) {
    throw fileError(error, setup.base);
  }
}

/** Runs one of PostgreSQL's programs to its end. Returns its output when it failed, otherwise `null`. */
function run(setup: ClusterSetup, program: string, args: string[]): Promise<string | null> {
  return new Promise((done) => {
    const child = spawn(join(setup.native, 'bin', program), args, { ...childOptions(setup), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (output += part.toString()));
    child.on('error', (error) => done(error.message));
    child.on('close', (code) => done(code === 0 ? null : output || `${program} ended with ${code}`));
  });
}

/** The options of PostgreSQL's processes. They get few environment variables, because the operator's PG* would change defaults. */
function childOptions(setup: ClusterSetup) {
  const env = { PATH: searchPath(), LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  return { cwd: '/', env, ...(setup.user ?? {}) };
}

function checkVersion(setup: ClusterSetup): void {
  const clusterVersion = Number.parseInt(readFileSync(join(setup.cluster, 'PG_VERSION'), 'utf8'), 10);
  const ownVersion = Number.parseInt(
    readFileSync(join(setup.native, 'share/postgresql/postgres.bki'), 'utf8').replace('# PostgreSQL ', ''),
    10,
  );
  if (clusterVersion > ownVersion) {
    throw new StartError(
      'data-newer',
      `数据目录由更新的版本创建（PostgreSQL ${clusterVersion}，本版本自带 ${ownVersion}）：${setup.dataDir}。请使用新版程序启动。`,
      `The data folder was made by a newer version (PostgreSQL ${clusterVersion}; this one brings ${ownVersion}): ` +
        `${setup.dataDir}. Start it with the newer release.`,
    );
  }
  if (clusterVersion < ownVersion) {
    throw new StartError(
      'data-older',
      `数据目录由 PostgreSQL ${clusterVersion} 创建，本版本自带 ${ownVersion}：${setup.dataDir}。请先用旧版导出数据，再导入新目录。`,
      `The data folder was made by PostgreSQL ${clusterVersion}; this version brings ${ownVersion}: ` +
        `${setup.dataDir}. Export with the older release and import into a new folder.`,
    );
  }
}

/**
 * Stops a PostgreSQL that a crashed server left running on this cluster, and waits until all its sessions have ended.
 * The caller has the lock of the data folder, so no other server uses this cluster. There is no SIGKILL, because PostgreSQL
 * would then have to recover without need.
 */
async function stopOrphan(setup: ClusterSetup): Promise<void> {
  const pidFile = join(setup.cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const hasEnded = (): boolean => !isPostgresOf(pid, setup.cluster) && postgresProcessesOf(setup.cluster).length === 0;
  if (pid > 0 && isPostgresOf(pid, setup.cluster)) {
    setup.log(
      `上次的服务没有正常停止，正在收回它的数据库进程（PID ${pid}）… / stopping the database left behind by the last server`,
    );
    signal(pid, 'SIGINT');
    if (!(await waitUntil(hasEnded, ORPHAN_LIMIT_MS))) signal(pid, 'SIGQUIT');
  }
  if (!(await waitUntil(hasEnded, ORPHAN_LIMIT_MS))) {
    throw new StartError(
      'data-in-use',
      `数据库的旧进程仍未结束（PID ${pid}）：${setup.dataDir}。请稍后再试。`,
      `Old processes of the database have not ended yet (PID ${pid}): ${setup.dataDir}. Try again in a moment.`,
    );
  }
  // The process id may belong to another program by now. PostgreSQL would take it for a running server.
  if (existsSync(pidFile) && pid > 0 && isAlive(pid)) rmSync(pidFile, { force: true });
}

/** Starts PostgreSQL and waits until it is ready; crash recovery may take minutes. */
async function launch(setup: ClusterSetup, socketDir: string, logFile: ClusterLog): Promise<ChildProcess> {
  const settings = Object.entries({
    ...clusterSettings(setup.durability),
    unix_socket_directories: socketDir,
    port: String(PORT),
  });
  const args = ['-D', setup.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const retryUntil = performance.now() + ORPHAN_LIMIT_MS;
  for (;;) {
    // Only this cluster uses the folder. The lock file of a killed server names a process id that may be a zombie or
    // another program by now. PostgreSQL would take it for a running server.
    for (const name of readdirSync(socketDir)) rmSync(join(socketDir, name), { force: true });
    const child = spawn(join(setup.native, 'bin/postgres'), args, {
      ...childOptions(setup),
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    let failure: Error | undefined;
    child.on('error', (error) => (failure = error));
    const hasEnded = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    const pidFile = join(setup.cluster, 'postmaster.pid');
    const isReady = (): boolean => {
      const lines = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
      return lines[0] === String(child.pid) && lines[7]?.trim() === 'ready';
    };
    const isSettled = await waitUntil(() => hasEnded() || isReady(), READY_LIMIT_MS, 15);
    if (isSettled && !hasEnded()) return child;
    if (!hasEnded()) child.kill('SIGINT');
    const text = failure?.message ?? logFile.recent();
    // The sessions of a killed PostgreSQL end a moment after it.
    const hasOrphans = /lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(text);
    if (!hasOrphans || performance.now() > retryUntil) throw explainFailure(text, setup.dataDir, setup.logFile);
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function supervise(setup: ClusterSetup, socketDir: string, logFile: ClusterLog, cleanUp: () => void): Promise<Cluster> {
  let child = await launch(setup, socketDir, logFile);
  let stopping: Promise<void> | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let endTimes: number[] = [];

  /** Starts PostgreSQL again until it runs. It waits longer after each end within a minute, at most half a minute. */
  const restart = async (): Promise<void> => {
    while (!stopping) {
      const now = performance.now();
      endTimes = [...endTimes.filter((time) => now - time < 60_000), now];
      const pause = restartPause(endTimes.length);
      setup.log(
        `内置数据库意外退出，${pause > 0 ? `${pause / 1000} 秒后` : '正在'}重新启动… / the embedded database ended unexpectedly, starting it again`,
      );
      await waitUntil(() => stopping !== undefined, pause, 100);
      if (stopping) return;
      try {
        child = await launch(setup, socketDir, logFile);
        watch();
        return;
      } catch (error) {
        setup.log(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const watch = (): void => {
    const current = child;
    current.unref();
    current.once('exit', () => (restarting = restart()));
  };
  watch();

  const interrupt = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) signal(child.pid, 'SIGINT');
  };
  const release = onProcessEnd(interrupt);

  const stop = async (): Promise<void> => {
    await restarting;
    interrupt();
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    if (!(await waitUntil(hasEnded, 30_000, 10)) && child.pid !== undefined) {
      signal(child.pid, 'SIGQUIT');
      await waitUntil(hasEnded, 10_000, 10);
    }
    release();
    cleanUp();
  };

  return {
    socketDir,
    port: PORT,
    superuser: SUPERUSER,
    pid: () => child.pid ?? 0,
    url: (database = 'postgres', user = SUPERUSER) => ({ host: socketDir, port: PORT, database, user }),
    stop: () => (stopping ??= stop()),
  };
}

/** Milliseconds before the next start after that many ends within a minute: none for the first three, then 1, 2, 4 … 30 seconds. */
export const restartPause = (ends: number): number => (ends <= 3 ? 0 : Math.min(30_000, 1000 * 2 ** (ends - 4)));

const interrupts = new Set<() => void>();
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `action` when this process ends without having stopped the cluster: at `process.exit()`, or by a signal without another
 * handler. Returns a function that removes the action.
 */
function onProcessEnd(action: () => void): () => void {
  if (interrupts.size === 0) {
    process.on('exit', interruptAll);
    for (const name of END_SIGNALS) process.on(name, endBySignal);
  }
  interrupts.add(action);
  return () => {
    interrupts.delete(action);
    if (interrupts.size > 0) return;
    process.off('exit', interruptAll);
    for (const name of END_SIGNALS) process.off(name, endBySignal);
  };
}

function interruptAll(): void {
  for (const action of interrupts) action();
}

function endBySignal(name: NodeJS.Signals): void {
  // Another listener handles the signal and stops the cluster.
  if (process.listenerCount(name) > 1) return;
  interruptAll();
  process.off(name, endBySignal);
  process.kill(process.pid, name);
}

/** Deletes the test clusters whose process has ended. */
async function sweepEphemeral(): Promise<void> {
  const roots = [tmpdir(), MEMORY_ROOT].filter((root) => existsSync(root));
  const folders = roots.flatMap((root) => readdirSync(root).map((name) => ({ name, path: join(root, name) })));
  for (const { path } of folders.filter(({ name }) => name.startsWith(EPHEMERAL))) {
    try {
      if (!existsSync(join(path, 'server.lock')) || isDataDirHeld(path)) continue;
      const cluster = join(path, 'postgres');
      for (const pid of existsSync(cluster) ? postgresProcessesOf(realpathSync(cluster)) : []) signal(pid, 'SIGQUIT');
      await waitUntil(() => !existsSync(cluster) || postgresProcessesOf(realpathSync(cluster)).length === 0, 5_000);
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It belongs to another user of this machine.
    }
  }
}
