/**
 * A reason why the server cannot start, for the operator at the terminal. It is shown without a stack trace.
 * `message` is a Chinese sentence, a line break and the English one. Both say what to do next.
 */
export class StartError extends Error {
  /** A stable identifier for tests and logs, e.g. `data-in-use`. */
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, zh: string, en: string, cause?: unknown) {
    super(`${zh}\n${en}`, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
    this.code = code;
  }
}

export type StartErrorCode =
  | 'config'
  | 'port-taken'
  | 'address'
  | 'data-in-use'
  | 'data-newer'
  | 'data-older'
  | 'data-damaged'
  | 'no-disk'
  | 'no-permission'
  | 'key-missing'
  | 'key-wrong'
  | 'platform'
  | 'database-url'
  | 'database-too-old'
  | 'database-failed';

/** The `code` of a Node or PostgreSQL error; empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Turns a failed file operation in the data folder into a StartError that says what to do; returns other errors unchanged. */
export function fileError(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(
        'no-disk',
        `磁盘空间不足，无法写入 ${path}。请清理磁盘后重新启动。`,
        `No disk space left for ${path}. Free some and start again.`,
        error,
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        'no-permission',
        `没有权限读写 ${path}。请修改目录的所有者，或用 DATA_DIR 指定另一个目录。`,
        `No permission to read and write ${path}. Change its owner, or name another folder with DATA_DIR.`,
        error,
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError('config', `${path} 不是目录，请检查 DATA_DIR。`, `${path} is not a folder; check DATA_DIR.`, error);
    default:
      return error;
  }
}

/** Turns a failed `listen()` into a StartError that says what to do; returns other errors unchanged. */
export function listenError(error: unknown, host: string, port: number): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        'port-taken',
        `端口 ${port} 已被占用。请停止占用它的程序，或换一个端口，例如：PORT=${port + 1} npm start`,
        `Port ${port} is taken. Stop the program that uses it, or choose another: PORT=${port + 1} npm start`,
        error,
      );
    case 'EACCES':
      return new StartError(
        'address',
        `没有权限监听端口 ${port}，请使用 1024 以上的端口。`,
        `Not allowed to listen on port ${port}; use one above 1024.`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        'address',
        `本机没有地址 ${host}，请检查 HOST。`,
        `This machine has no address ${host}; check HOST.`,
        error,
      );
    default:
      return error;
  }
}
