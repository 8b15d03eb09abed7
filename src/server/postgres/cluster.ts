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
import { own, prepareCluster, prepareSocketDir } from '#server/postgres/paths.ts';
import type { ClusterPlace } from '#server/postgres/paths.ts';
import { clusterSettings } from '#server/postgres/settings.ts';
import { isDataDirHeld, lockDataDir } from '#server/postgres/dataLock.ts';
import { isAlive, isPostgresOf, postgresProcessesOf, signal, waitUntil } from '#server/postgres/processes.ts';
import { StartError, fileError } from '#server/startError.ts';

/** Where to connect: the fields `pg.Pool` and `pg.Client` take. */
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
  /** Process id of the PostgreSQL server; changes when it had to be started again. */
  pid(): number;
  /** Connection settings, by default of the superuser in the maintenance database. */
  url(database?: string, user?: string): ClusterConnection;
  /** Resolves with the reason when PostgreSQL ended by itself and could not be started again; never after `stop()`. */
  readonly failed: Promise<StartError>;
  /** Ends sessions, writes everything out, stops PostgreSQL and frees the data folder. Calling it again waits for the same stop. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Absolute path; with `ephemeral` it may be left out. */
  readonly dataDir?: string;
  readonly log: (message: string) => void;
  /** A cluster of its own in the temporary folder, removed by `stop()`; what crashed test runs left behind is removed first. */
  readonly ephemeral?: boolean;
  /** `off` gives up surviving a power cut; for unit tests only. Default `on`. */
  readonly durability?: 'on' | 'off';
}

type Settled = ClusterPlace & { dataDir: string; logFile: string; durability: 'on' | 'off'; log: (message: string) => void };

const SUPERUSER = 'postgres';
const PORT = 5432;
const MB = 1024 * 1024;
const ORPHAN_LIMIT_MS = 15_000;
const READY_LIMIT_MS = 10 * 60_000;
const EPHEMERAL = 'aisp-test-';

/**
 * Starts the embedded PostgreSQL of a data folder: creates the cluster on the first start, recovers what a crash left behind.
 *
 * The server listens on a socket in a private folder only. It runs in a session of its own, so that Ctrl-C reaches us first and we
 * decide when it stops; it also outlives a `kill -9` of ours, and the next start stops it properly before starting anew.
 * @throws StartError in Chinese and English for everything an operator can mend.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { log, ephemeral = false, durability = 'on' } = options;
  if (ephemeral) await sweepEphemeral();
  const dataDir = openDataDir(options.dataDir, ephemeral);
  const lock = await lockDataDir(dataDir);
  let logFile: ClusterLog | undefined;
  let socketDir: string | undefined;
  const tidy = (): void => {
    logFile?.close();
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    lock.release();
    if (ephemeral) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const place: Settled = { ...prepareCluster(dataDir, log), dataDir, logFile: join(dataDir, 'postgres.log'), durability, log };
    await createIfMissing(place);
    const real: Settled = { ...place, cluster: realpathSync(place.cluster) };
    checkVersion(real);
    await stopOrphan(real);
    logFile = openLog(real);
    socketDir = prepareSocketDir(dataDir, real.user);
    return await supervise(real, socketDir, logFile, tidy);
  } catch (error) {
    tidy();
    throw error;
  }
}

function openDataDir(requestedDir: string | undefined, ephemeral: boolean): string {
  // As root the database user must be able to pass through; what lies inside has modes of its own.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const path = requestedDir ?? (ephemeral ? mkdtempSync(join(tmpdir(), EPHEMERAL)) : undefined);
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

function openLog(place: Settled): ClusterLog {
  try {
    return openClusterLog(place.logFile);
  } catch (error) {
    throw fileError(error, place.logFile);
  }
}

/** A cluster is built under another name and renamed when complete, so that an interrupted first start leaves nothing half made. */
async function createIfMissing(place: Settled): Promise<void> {
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return;
  if (existsSync(place.cluster) && readdirSync(place.cluster).length > 0) {
    throw new StartError(
      'data-damaged',
      `${place.cluster} 不是完整的数据库目录（缺少 PG_VERSION）。请恢复备份，或用 DATA_DIR 指定另一个目录。`,
      `${place.cluster} is no complete database folder (PG_VERSION is missing). Restore a backup, or name another DATA_DIR.`,
    );
  }
  try {
    for (const name of readdirSync(place.base)) {
      if (name.startsWith('.postgres-')) rmSync(join(place.base, name), { recursive: true, force: true });
    }
    const draft = mkdtempSync(join(place.base, '.postgres-'));
    own(draft, place.user);
    const flags = ['--locale=C.UTF-8', '--encoding=UTF8', '--data-checksums', '--auth-local=trust', '--auth-host=reject'];
    if (place.durability === 'off') flags.push('--no-sync');
    const output = await run(place, 'initdb', ['-D', draft, '-U', SUPERUSER, ...flags]);
    if (output !== null) {
      rmSync(draft, { recursive: true, force: true });
      throw explainFailure(output, place.dataDir, place.logFile);
    }
    renameSync(draft, place.cluster);
  } catch (error) {
    throw fileError(error, place.base);
  }
}

/** Runs one of PostgreSQL's programs to its end; its output when it failed, otherwise `null`. */
function run(place: Settled, program: string, args: string[]): Promise<string | null> {
  return new Promise((done) => {
    const child = spawn(join(place.native, 'bin', program), args, { ...childOptions(place), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (output += part.toString()));
    child.on('error', (error) => done(error.message));
    child.on('close', (code) => done(code === 0 ? null : output || `${program} ended with ${code}`));
  });
}

/** PostgreSQL sees nothing of our environment but what it needs: PG* variables of the operator would change its defaults. */
function childOptions(place: Settled) {
  const env = { PATH: searchPath(), LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  return { cwd: '/', env, ...(place.user ?? {}) };
}

function checkVersion(place: Settled): void {
  const int = Number.parseInt(readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8'), 10);
  const ownVersion = Number.parseInt(
    readFileSync(join(place.native, 'share/postgresql/postgres.bki'), 'utf8').replace('# PostgreSQL ', ''),
    10,
  );
  if (int > ownVersion) {
    throw new StartError(
      'data-newer',
      `数据目录由更新的版本创建（PostgreSQL ${int}，本版本自带 ${ownVersion}）：${place.dataDir}。请使用新版程序启动。`,
      `The data folder was made by a newer version (PostgreSQL ${int}; this one brings ${ownVersion}): ` +
        `${place.dataDir}. Start it with the newer release.`,
    );
  }
  if (int < ownVersion) {
    throw new StartError(
      'data-older',
      `数据目录由 PostgreSQL ${int} 创建，本版本自带 ${ownVersion}：${place.dataDir}。请先用旧版导出数据，再导入新目录。`,
      `The data folder was made by PostgreSQL ${int}; this version brings ${ownVersion}: ${place.dataDir}. Export ` +
        `with the older release and import into a new folder.`,
    );
  }
}

/**
 * Stops what an earlier server of ours left running on this cluster, and waits until all its sessions are gone.
 *
 * The caller holds the lock of the data folder, so nobody else may use this cluster. Never SIGKILL: PostgreSQL would then have to
 * recover for nothing.
 */
async function stopOrphan(place: Settled): Promise<void> {
  const pidFile = join(place.cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const gone = (): boolean => !isPostgresOf(pid, place.cluster) && postgresProcessesOf(place.cluster).length === 0;
  if (pid > 0 && isPostgresOf(pid, place.cluster)) {
    place.log(
      `上次的服务没有正常停止，正在收回它的数据库进程（PID ${pid}）… / stopping the database left behind by the last server`,
    );
    signal(pid, 'SIGINT');
    if (!(await waitUntil(gone, ORPHAN_LIMIT_MS))) signal(pid, 'SIGQUIT');
  }
  if (!(await waitUntil(gone, ORPHAN_LIMIT_MS))) {
    throw new StartError(
      'data-in-use',
      `数据库的旧进程仍未结束（PID ${pid}）：${place.dataDir}。请稍后再试。`,
      `Old processes of the database have not ended yet (PID ${pid}): ${place.dataDir}. Try again in a moment.`,
    );
  }
  // The number may belong to an unrelated program by now, which PostgreSQL would take for a running server.
  if (existsSync(pidFile) && pid > 0 && isAlive(pid)) rmSync(pidFile, { force: true });
}

/** Starts the server process and waits until it answers; crash recovery may take its time. */
async function launch(place: Settled, socketDir: string, logFile: ClusterLog): Promise<ChildProcess> {
  const settings = Object.entries({
    ...clusterSettings(place.durability),
    unix_socket_directories: socketDir,
    port: String(PORT),
  });
  const args = ['-D', place.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const retryUntil = performance.now() + ORPHAN_LIMIT_MS;
  for (;;) {
    // The folder is this cluster's alone. A lock file left by a killed server names a process that may be a zombie or another
    // program by now, which PostgreSQL would take for a running server.
    for (const name of readdirSync(socketDir)) rmSync(join(socketDir, name), { force: true });
    const child = spawn(join(place.native, 'bin/postgres'), args, {
      ...childOptions(place),
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    let failure: Error | undefined;
    child.on('error', (error) => (failure = error));
    const ended = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    const pidFile = join(place.cluster, 'postmaster.pid');
    const ready = (): boolean => {
      const lines = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
      return lines[0] === String(child.pid) && lines[7]?.trim() === 'ready';
    };
    const settled = await waitUntil(() => ended() || ready(), READY_LIMIT_MS, 15);
    if (settled && !ended()) return child;
    if (!ended()) child.kill('SIGINT');
    const text = failure?.message ?? logFile.recent();
    // Sessions of a server that was killed end a moment after it.
    const orphans = /lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(text);
    if (!orphans || performance.now() > retryUntil) throw explainFailure(text, place.dataDir, place.logFile);
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function supervise(place: Settled, socketDir: string, logFile: ClusterLog, tidy: () => void): Promise<Cluster> {
  let child = await launch(place, socketDir, logFile);
  let stopping: Promise<void> | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let starts: number[] = [];
  let fail: (reason: StartError) => void = () => {};
  const failed = new Promise<StartError>((done) => (fail = done));

  const restart = async (): Promise<void> => {
    if (stopping) return;
    const now = performance.now();
    starts = [...starts.filter((at) => now - at < 60_000), now];
    place.log('内置数据库意外退出，正在重新启动… / the embedded database ended unexpectedly, starting it again');
    try {
      if (starts.length > 3) throw explainFailure(logFile.recent(), place.dataDir, place.logFile);
      child = await launch(place, socketDir, logFile);
      if (!stopping) watch();
    } catch (error) {
      fail(error instanceof StartError ? error : explainFailure(String(error), place.dataDir, place.logFile));
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
    const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
    if (!(await waitUntil(over, 30_000, 10)) && child.pid !== undefined) {
      signal(child.pid, 'SIGQUIT');
      await waitUntil(over, 10_000, 10);
    }
    release();
    tidy();
  };

  return {
    socketDir,
    port: PORT,
    superuser: SUPERUSER,
    pid: () => child.pid ?? 0,
    url: (database = 'postgres', user = SUPERUSER) => ({ host: socketDir, port: PORT, database, user }),
    failed,
    stop: () => (stopping ??= stop()),
  };
}

const interrupts = new Set<() => void>();
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `action` when this process ends without having stopped the cluster: at `process.exit()`, or by a signal nobody else handles.
 * Returns a function that takes it back.
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
  // Somebody else listens too: that one stops the cluster in its own time.
  if (process.listenerCount(name) > 1) return;
  interruptAll();
  process.off(name, endBySignal);
  process.kill(process.pid, name);
}

/** Removes test clusters whose process is gone. */
async function sweepEphemeral(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(EPHEMERAL))) {
    const path = join(tmpdir(), name);
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
