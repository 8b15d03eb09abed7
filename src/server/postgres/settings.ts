import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

const MB = 1024 * 1024;

/**
 * Settings of the embedded PostgreSQL, given on its command line at every start so that no old configuration file overrules them.
 *
 * `durability: 'off'` gives up surviving a power cut and is for unit tests only.
 */
export function clusterSettings(durability: 'on' | 'off', memoryBytes = availableMemory()): Record<string, string> {
  const memory = Math.floor(memoryBytes / MB);
  const on = durability;
  return {
    // The bundled TLS library is old: nothing but a private socket ever reaches this server.
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: `${clamp(Math.floor(memory / 8), 32, 256)}MB`,
    effective_cache_size: `${clamp(Math.floor(memory / 2), 128, 4096)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: `${clamp(Math.floor(memory / 16), 32, 128)}MB`,
    fsync: on,
    synchronous_commit: on,
    full_page_writes: on,
    wal_compression: 'on',
    max_wal_size: '1GB',
    random_page_cost: '1.1',
    // Compiling a query costs more than it saves on pages of twenty rows.
    jit: 'off',
    dynamic_shared_memory_type: sharedMemoryType(),
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Statements and details of violated keys hold personal data, which must not reach a log file.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_checkpoints: 'off',
  };
}

/** Memory of this machine or of the container's limit, whichever is less, in bytes. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Containers often have 64 MB of /dev/shm, which parallel queries exhaust; files are slower and always work. */
function sharedMemoryType(): string {
  if (process.platform !== 'linux') return 'posix';
  try {
    const shm = statfsSync('/dev/shm');
    return shm.bavail * shm.bsize >= 256 * MB ? 'posix' : 'mmap';
  } catch {
    return 'mmap';
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
