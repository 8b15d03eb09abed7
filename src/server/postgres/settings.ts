import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

const MB = 1024 * 1024;

/**
 * Returns the settings of the embedded PostgreSQL. They go on its command line, so no old configuration file overrides them.
 * `durability: 'off'` may lose data at a power cut; it is for unit tests only.
 */
export function clusterSettings(durability: 'on' | 'off', memoryBytes = availableMemory()): Record<string, string> {
  const memory = Math.floor(memoryBytes / MB);
  return {
    // The bundled TLS library is old, so this server listens on its private socket only.
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: `${clamp(Math.floor(memory / 8), 32, 256)}MB`,
    effective_cache_size: `${clamp(Math.floor(memory / 2), 128, 4096)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: `${clamp(Math.floor(memory / 16), 32, 128)}MB`,
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    wal_compression: 'on',
    max_wal_size: '1GB',
    random_page_cost: '1.1',
    // Compiling a query costs more than it saves on pages of twenty rows.
    jit: 'off',
    dynamic_shared_memory_type: sharedMemoryType(),
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Statements and details of violated keys contain personal data, which must not reach a log file.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_checkpoints: 'off',
  };
}

/** Returns the memory of this machine or the limit of the container, the smaller one, in bytes. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Returns the type of shared memory. Containers often have 64 MB of /dev/shm, too little for parallel queries; files always work. */
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
