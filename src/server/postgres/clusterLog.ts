import { closeSync, copyFileSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { StartError } from '#server/startError.ts';

const MB = 1024 * 1024;
const LIMIT = 8 * MB;
const CHECK_MS = 60_000;

/** The log file of the embedded PostgreSQL. The current and the previous file together stay below about 16 MB. */
export interface ClusterLog {
  /** The descriptor that PostgreSQL writes to, so that it continues to log after the end of this process. */
  readonly fd: number;
  /** Returns the text written since the file was opened, at most the last 16 KB. */
  recent(): string;
  close(): void;
}

/** Opens the log for appending and limits its size while it is open. */
export function openClusterLog(file: string): ClusterLog {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LIMIT) renameSync(file, `${file}.1`);
  const fd = openSync(file, 'a+', 0o600);
  const start = fstatSync(fd).size;
  const timer = setInterval(() => {
    try {
      if (fstatSync(fd).size <= LIMIT) return;
      // PostgreSQL has this file open for appending, so it is copied and emptied, never moved.
      copyFileSync(file, `${file}.1`);
      truncateSync(file, 0);
    } catch {
      // The disk is full: deleting the previous log frees some space.
      rmSync(`${file}.1`, { force: true });
    }
  }, CHECK_MS);
  timer.unref();
  return {
    fd,
    recent() {
      const end = fstatSync(fd).size;
      const from = Math.max(Math.min(start, end), end - 16 * 1024);
      const bytes = Buffer.alloc(end - from);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, from));
    },
    close() {
      clearInterval(timer);
      closeSync(fd);
    },
  };
}

/** Turns the last output of a failed PostgreSQL into a StartError that says what to do. */
export function explainFailure(text: string, dataDir: string, logFile: string): StartError {
  const lines = text.split('\n').filter((line) => /FATAL|PANIC|ERROR|error:|could not/.test(line));
  const detail = (lines.at(-1) ?? text.trim().split('\n').at(-1) ?? '').replace(/^\S+ \S+ UTC \[\d+\] /, '');
  if (/No space left on device|Disk quota exceeded/.test(text)) {
    return new StartError(
      'no-disk',
      `磁盘空间不足，数据库无法启动：${dataDir}。请清理磁盘后重新启动。`,
      `No disk space left for the database in ${dataDir}. Free some and start again.`,
    );
  }
  if (/Permission denied|Read-only file system/.test(text)) {
    return new StartError(
      'no-permission',
      `数据库无法读写 ${dataDir}（${detail}）。请修改目录的所有者，或用 DATA_DIR 指定另一个目录。`,
      `The database cannot read or write ${dataDir} (${detail}). Change its owner, or name another folder with DATA_DIR.`,
    );
  }
  if (/could not look up effective user ID/.test(text)) {
    return new StartError(
      'platform',
      '当前用户在 /etc/passwd 中没有记录，内置数据库无法运行。请补上一行，或设置 DATABASE_URL。',
      'The current user has no line in /etc/passwd, so the embedded database cannot run. Add one, or set DATABASE_URL.',
    );
  }
  if (/could not create shared memory|could not map anonymous shared memory|Cannot allocate memory/.test(text)) {
    return new StartError(
      'platform',
      `内存不足，数据库无法启动（${detail}）。`,
      `Not enough memory to start the database (${detail}).`,
    );
  }
  return new StartError(
    'database-failed',
    `内置数据库启动失败：${detail}。日志：${logFile}`,
    `The embedded database did not start: ${detail}. Log: ${logFile}`,
  );
}
