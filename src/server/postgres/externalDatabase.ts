import pg from 'pg';
import type { Target } from '#server/db/roles.ts';
import { StartError, errorCode } from '#server/startError.ts';

/** The oldest PostgreSQL that our SQL supports (`server_version_num`). */
export const OLDEST_POSTGRES = 150_000;

/**
 * Returns the version number of the PostgreSQL of `DATABASE_URL`, e.g. 150_008. Throws unless it answers, is new enough and
 * stores UTF-8.
 * @param connectTimeoutMs the time limit of the connection attempt.
 * @throws StartError `database-url` or `database-too-old`; the message never contains the password.
 */
export async function checkExternalDatabase(url: string, connectTimeoutMs = 10_000): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks also rejects the query below. Without a listener its error would end the process first.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
              current_setting('server_encoding') as encoding`,
    );
    const server = rows[0];
    if (!server || server.version < OLDEST_POSTGRES) {
      throw new StartError(
        'database-too-old',
        `DATABASE_URL 指向的 PostgreSQL 版本过旧（${server?.name ?? '未知'}），需要 15 或更新版本。`,
        `The PostgreSQL behind DATABASE_URL is too old (${server?.name ?? 'unknown'}); 15 or newer is needed.`,
      );
    }
    if (server.encoding !== 'UTF8') {
      throw new StartError(
        'database-url',
        `DATABASE_URL 指向的数据库编码是 ${server.encoding}，需要 UTF8。请用 ENCODING 'UTF8' 重新建库。`,
        `The database behind DATABASE_URL is encoded in ${server.encoding}; create one with ENCODING 'UTF8'.`,
      );
    }
    return server.version;
  } catch (error) {
    throw error instanceof StartError ? error : connectionError(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

function connectionError(error: unknown, text: string): StartError {
  const url = new URL(text);
  const address = `${url.hostname || 'localhost'}:${url.port || '5432'}`;
  const database = decodeURIComponent(url.pathname.slice(1));
  const [zh, en] = reason(error, address, database, decodeURIComponent(url.username));
  return new StartError('database-url', `DATABASE_URL 无法使用：${zh}`, `DATABASE_URL does not work: ${en}`, error);
}

function reason(error: unknown, address: string, database: string, user: string): [zh: string, en: string] {
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return [
        `${address} 拒绝连接，请确认 PostgreSQL 已启动、端口正确。`,
        `${address} refuses connections; is PostgreSQL running on that port?`,
      ];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`找不到主机 ${address}。`, `host ${address} is unknown.`];
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [`连接 ${address} 超时或网络不通。`, `${address} cannot be reached.`];
    case '28P01':
    case '28000':
      return [`用户“${user}”的密码不正确或不允许登录。`, `user "${user}" is refused: wrong password or not allowed to log in.`];
    case '3D000':
      return [`数据库“${database}”不存在，请先创建。`, `database "${database}" does not exist; create it first.`];
    case '53300':
      return [`${address} 的连接数已满。`, `${address} has no connection left.`];
    case '57P03':
      return [`${address} 正在启动或关闭，请稍后再试。`, `${address} is starting up or shutting down; try again.`];
    default: {
      const detail = error instanceof Error ? error.message : String(error);
      return [`无法连接 ${address}（${detail}）。`, `cannot connect to ${address} (${detail}).`];
    }
  }
}

/** Returns the connection settings of a `DATABASE_URL`; `sslmode=require` or stricter requires TLS. */
export function targetOf(url: string): Target {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return {
    host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: Number(port || '5432'),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username) || 'postgres',
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '') ? { ssl: true } : {}),
  };
}
