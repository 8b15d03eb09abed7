import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { asOwner, ensureRoles, type Target } from '#server/db/roles.ts';
import { StartError } from '#server/startError.ts';

const folder = new URL('../../../db/migrations/', import.meta.url);

/** The first of the 28 migrations that db/schema replaced before the first release. */
const BEFORE_SQUASH = '0001_roles_and_sessions.sql';

/** The server cannot use the database; the message says why and what to do. */
export class DatabaseRefused extends StartError {
  constructor(zh: string, en: string) {
    super('data-newer', zh, en);
  }
}

/** A migration file; `hash` is the SHA-256 of its text. */
export interface Migration {
  name: string;
  sql: string;
  hash: string;
}

/** Returns the migrations of this version in order. */
export async function shippedMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies the migrations that a database lacks, each in its own transaction. There is no way back. Of servers that start together, each
 * migration is applied by one.
 * Refuses PostgreSQL before version 15, a database of a newer version, and a migration that was edited after it was applied.
 */
export async function migrate(target: Target): Promise<{ applied: string[] }> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    const { rows } = await client.query<{ v: number }>("select current_setting('server_version_num')::int as v");
    if ((rows[0]?.v ?? 0) < 150000)
      throw new DatabaseRefused('PostgreSQL 版本过低：需要 15 或以上。', 'PostgreSQL 15 or newer is required.');
    await ensureRoles(client, target);
    await inLock(client, async () => {
      await client.query('create schema if not exists ref');
      await client.query(
        'create table if not exists ref.migration (name text primary key, hash text not null, time timestamptz not null default now())',
      );
    });
    const done = new Map(
      (await client.query<{ name: string; hash: string }>('select name, hash from ref.migration')).rows.map((row) => [
        row.name,
        row.hash,
      ]),
    );
    if (done.has(BEFORE_SQUASH))
      throw new DatabaseRefused(
        '数据由首个正式版本之前的程序创建，不能升级。请移走数据目录（DATA_DIR，默认 data）后重新启动；演示数据会重新生成。',
        'The data was made before the first migration was squashed. Move the data folder away and start again.',
      );
    const shipped = await shippedMigrations();
    const knownNames = new Set(shipped.map((migration) => migration.name));
    const newer = [...done.keys()].filter((name) => !knownNames.has(name));
    if (newer.length > 0)
      throw new DatabaseRefused(
        `数据库由更新的版本创建（${newer.join('、')}），请使用更新的程序。`,
        'The database was made by a newer version.',
      );
    const applied: string[] = [];
    for (const { name, sql, hash } of shipped) {
      const before = done.get(name);
      if (before === hash) continue;
      if (before !== undefined)
        throw new DatabaseRefused(`迁移文件 ${name} 与已执行的内容不一致。`, 'An applied migration was edited.');
      await inLock(client, async () => {
        // Another server may have applied it since.
        const { rowCount } = await client.query('select from ref.migration where name = $1', [name]);
        if (rowCount) return;
        await client.query(sql);
        await client.query('insert into ref.migration (name, hash) values ($1, $2)', [name, hash]);
        applied.push(name);
      });
    }
    return { applied };
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` in a transaction while no other server migrates. The lock belongs to the transaction, not to the connection, so that it also
 * holds, and ends, behind a pooler that hands out connections per transaction.
 */
async function inLock(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('xinli migrate'))");
    await client.query("set local lock_timeout = '2s'");
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
