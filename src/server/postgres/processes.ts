import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';

const PROC = existsSync('/proc/self/stat');

/** True when a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns a text that distinguishes this process from a later one with the same id; `null` when there is no such process.
 * On Linux it is the boot id and the start tick; elsewhere the start time that `ps` prints.
 */
export function processIdentity(pid: number): string | null {
  if (!isAlive(pid)) return null;
  if (!PROC) return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces, so count fields after the last parenthesis. Field 3 is the state, 22 the start tick.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has no resources left; it only waits for its parent.
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}

/** True when the process is a PostgreSQL program that works on this cluster directory (a real path). */
export function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (processIdentity(pid) === null) return false;
  if (!PROC) {
    const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
    return command.includes('postgres') && command.includes(clusterDir);
  }
  try {
    return /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`)) && readlinkSync(`/proc/${pid}/cwd`) === clusterDir;
  } catch {
    return false;
  }
}

/** Returns the ids of all PostgreSQL processes (server or session) of this cluster; empty on a system without /proc. */
export function postgresProcessesOf(clusterDir: string): number[] {
  if (!PROC) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOf(pid, clusterDir));
}

/** Sends a signal; a process that has already ended is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Waits until the condition is true and checks it every `stepMs`; returns false after `limitMs`. */
export async function waitUntil(condition: () => boolean, limitMs: number, stepMs = 50): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, stepMs));
  }
  return true;
}
