import { linkSync, mkdirSync, readFileSync, rmSync, rmdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '#server/postgres/processes.ts';
import { StartError, errorCode, fileError } from '#server/startError.ts';

/** The right of one server process to use a data folder. */
export interface DataLock {
  /** Unlocks the folder. A second call has no effect. */
  release(): void;
}

interface Owner {
  pid: number;
  identity: string;
  host: string;
}

const FILE = 'server.lock';
const HEARTBEAT_MS = 5_000;
/** A lock of another machine or container (shared disk) counts as abandoned after this time without a heartbeat. */
const FOREIGN_STALE_MS = 20_000;
const TAKEOVER_STALE_MS = 5_000;
/** The previous server may still be stopping when the next one starts. */
const STOPPING_MS = 3_000;

/**
 * Locks the data folder for this process. The lock file names the process and its start time, so the next start recognises
 * the lock of a crashed server. For a lock of this machine the process table decides.
 * For a lock of another machine or container (shared disk) its age decides, so the owner touches it every few seconds.
 * @throws StartError `data-in-use`, `no-permission` or `no-disk`.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const file = join(dataDir, FILE);
  const ownLock = JSON.stringify({
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
    host: hostname(),
  } satisfies Owner);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, ownLock, { mode: 0o600, flush: true });
  } catch (error) {
    throw fileError(error, dataDir);
  }
  const startTime = Date.now();
  try {
    while (!tryLink(draft, file)) {
      const text = readIfPresent(file);
      if (text === null) continue;
      const state = stateOf(text, file);
      if (state === 'abandoned') removeAbandoned(file, text);
      else if (Date.now() - startTime > (state === 'held' ? STOPPING_MS : FOREIGN_STALE_MS + 2 * HEARTBEAT_MS))
        throw inUse(dataDir, text);
      await new Promise((done) => setTimeout(done, 100));
    }
  } finally {
    rmSync(draft, { force: true });
  }

  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readIfPresent(file) === ownLock) rmSync(file, { force: true });
    },
  };
}

/** True when the folder has a lock that is not abandoned. */
export function isDataDirHeld(dataDir: string): boolean {
  const file = join(dataDir, FILE);
  const text = readIfPresent(file);
  return text !== null && stateOf(text, file) !== 'abandoned';
}

/** Creates the lock file; false when it exists. A hard link appears complete, and only one of two processes can create it. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // On a disk without hard links an exclusive create is the next best.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(errorCode(error))) throw fileError(error, file);
  }
  try {
    writeFileSync(file, readFileSync(draft), { mode: 0o600, flag: 'wx', flush: true });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw fileError(error, file);
  }
}

function stateOf(text: string, file: string): 'held' | 'abandoned' | 'unsure' {
  const owner = parse(text);
  if (owner === null) return age(file) > TAKEOVER_STALE_MS ? 'abandoned' : 'unsure';
  if (owner.host === hostname()) return processIdentity(owner.pid) === owner.identity ? 'held' : 'abandoned';
  return age(file) > FOREIGN_STALE_MS ? 'abandoned' : 'unsure';
}

/** Removes an abandoned lock. Of several processes only the one that creates the marker folder may remove it. */
function removeAbandoned(file: string, abandonedText: string): void {
  const marker = `${file}.takeover`;
  try {
    mkdirSync(marker);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileError(error, file);
    if (age(marker) > TAKEOVER_STALE_MS) rmSync(marker, { recursive: true, force: true });
    return;
  }
  try {
    if (readIfPresent(file) === abandonedText) rmSync(file, { force: true });
  } finally {
    rmdirSync(marker);
  }
}

function inUse(dataDir: string, text: string): StartError {
  const owner = parse(text);
  const holder = owner === null ? '' : owner.host === hostname() ? `PID ${owner.pid}` : `${owner.host} PID ${owner.pid}`;
  return new StartError(
    'data-in-use',
    `数据目录正被另一个服务使用（${holder}）：${dataDir}。请先停止那个服务，或用 DATA_DIR 指定另一个目录。`,
    `The data folder is in use by another server (${holder}): ${dataDir}. Stop that server first, or name another folder with DATA_DIR.`,
  );
}

function parse(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, identity, host } = value as Partial<Owner>;
    return typeof pid === 'number' && typeof identity === 'string' && typeof host === 'string' ? { pid, identity, host } : null;
  } catch {
    return null;
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw fileError(error, file);
  }
}

function age(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : Infinity;
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // The folder may have been deleted. The next file operation of the server reports it.
  }
}
