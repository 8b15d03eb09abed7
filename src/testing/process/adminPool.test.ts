import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { asOwner } from '#server/db/roles.ts';
import { adminPool, freshDatabaseName, targetNamed } from '#testing/process/adminPool.ts';

test('a test can create its own migrated database from the template', async () => {
  const admin = adminPool();
  const name = freshDatabaseName();
  await admin.query(`create database ${name} template ${inject('database').template}`);
  const client = new pg.Client(asOwner(targetNamed(name)));
  await client.connect();
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from ref.migration');
  expect(rows[0]?.n).toBeGreaterThan(0);
  await client.end();
  await admin.query(`drop database ${name}`);
  await admin.end();
});
