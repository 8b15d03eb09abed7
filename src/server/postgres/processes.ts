import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';

const PROC = existsSync('/proc/self/stat');

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * A text that tells this process from a later one with the same id; `null` when there is no such process.
 *
 * Linux: boot id and start tick; elsewhere what `ps` prints as the start time.
 */
export function processIdentity(pid: number): string | null {
  if (!isAlive(pid)) return null;
  if (!PROC) return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces: fields are counted after the last one. Field 3 is the state, 22 the start tick.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more; it only waits for its parent.
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}

/** Whether the process is a PostgreSQL program working on this cluster directory (a real path). */
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

/** Every PostgreSQL process (server or session) at work on this cluster; empty where the system has no /proc. */
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

/** Waits until the condition holds, looking every `stepMs`; false when `limitMs` has passed. */
export async function waitUntil(condition: () => boolean, limitMs: number, stepMs = 50): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, stepMs));
  }
  return true;
}
