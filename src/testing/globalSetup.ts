import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startCluster } from '#server/postgres/cluster.ts';
import { createOwned } from '#server/db/owner.ts';
import { migrate } from '#server/db/migrate.ts';
import { asOwner, serverRoles } from '#server/db/roles.ts';
import type { Target } from '#server/db/roles.ts';
import { checkExternalDatabase, targetOf } from '#server/postgres/externalDatabase.ts';
import { seedPeople } from '#testing/people.ts';
import { seedReference } from '#seed/reference.ts';

/** The tests of one run share a PostgreSQL and the name of a migrated, empty database that they copy. */
export interface TestDatabase {
  /** the maintenance database, with a role that may create databases and roles */
  readonly admin: Target;
  /** the name of the migrated database; nothing is connected to it */
  readonly template: string;
  /**
   * The way in which PostgreSQL copies the template. The test cluster never waits for the disk: copying files takes 30 ms, writing pages
   * to the log 190 ms. An external server syncs its files, so the log is faster there (250 ms against 1,100 ms on PostgreSQL 15).
   */
  readonly strategy: 'file_copy' | 'wal_log';
}

declare module 'vitest' {
  interface ProvidedContext {
    database: TestDatabase;
  }
}

/**
 * Prepares PostgreSQL once for a test run: a temporary cluster, or the server of TEST_DATABASE_URL or DATABASE_URL.
 * The names of all databases of the run begin with the name of the template. The returned function drops them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  const cluster = url ? undefined : await startCluster({ ephemeral: true, durability: 'off', log: () => {} });
  if (url) await checkExternalDatabase(url);
  const admin: Target = url ? targetOf(url) : { ...(cluster as NonNullable<typeof cluster>).url() };
  const template = `xinli_test_${process.pid}_${Date.now().toString(36)}`;
  const drop = async (): Promise<void> => {
    if (url) await dropDatabases(admin, template);
    await cluster?.stop();
  };
  try {
    const owner = url ? { ...admin, database: template } : await createOwned(admin, template);
    if (url) await withClient(admin, (client) => client.query(`create database ${template} template template0 encoding 'UTF8'`));
    await migrate(owner);
    if (!url) await withClient(admin, raiseTimeLimits);
    await withClient(owner, async (client) => {
      await seedReference(client);
      await seedPeople(client);
    });
    // The same ordinary role as in production creates and owns the copies, so that every policy applies to it.
    if (!url) admin.user = owner.user;
  } catch (error) {
    await drop();
    throw error;
  }
  project.provide('database', { admin, template, strategy: url ? 'wal_log' : 'file_copy' });
  return drop;
}

/** Raises the time limits of the server roles: on a busy machine they would fail tests, and a hanging test has its own limit. */
async function raiseTimeLimits(client: pg.Client): Promise<void> {
  for (const role of serverRoles)
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`alter role ${role} set ${limit} = '10min'`);
}

async function dropDatabases(admin: Target, prefix: string): Promise<void> {
  await withClient(admin, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  });
}

async function withClient(target: Target, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
