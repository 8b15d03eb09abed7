import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, shippedMigrations } from '#server/db/migrate.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { schemaText } from '#server/db/schemaText.ts';
import { adminPool, freshDatabaseName, targetNamed } from '#testing/process/adminPool.ts';

const schemas = "('public', 'auth', 'access', 'audit', 'rollup', 'submission', 'ref')";

/** One line for each function, policy, trigger, column, constraint, index, view, sequence and grant of our schemas. */
const listing = `
  with relation as (
    select c.oid, c.relkind, c.relacl, n.nspname || '.' || c.relname as name, c.relrowsecurity, c.relforcerowsecurity, c.reloptions
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${schemas} and c.relkind in ('r', 'v', 'S') and c.relname <> 'migration')
  select 'function' as kind, pg_get_functiondef(p.oid) || p.proowner::regrole || coalesce(p.proacl::text, '') as line
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ${schemas}
  union all select 'policy', r.name || ' ' || concat_ws(' ', p.polname, p.polpermissive, p.polcmd, p.polroles::regrole[],
      'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid))
    from pg_policy p join relation r on r.oid = p.polrelid
  union all select 'trigger', pg_get_triggerdef(t.oid) from pg_trigger t join relation r on r.oid = t.tgrelid where not t.tgisinternal
  union all select 'column', concat_ws(' ', r.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
      a.attgenerated, pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation, a.attacl)
    from pg_attribute a join relation r on r.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped and r.relkind = 'r'
  union all select 'constraint', concat_ws(' ', r.name, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k join relation r on r.oid = k.conrelid
  union all select 'index', pg_get_indexdef(i.indexrelid) from pg_index i join relation r on r.oid = i.indrelid
  union all select 'view', r.name || ' ' || pg_get_viewdef(r.oid) from relation r where r.relkind = 'v'
  union all select 'relation', concat_ws(' ', r.name, r.relkind, r.relrowsecurity, r.relforcerowsecurity, r.relacl,
  r.reloptions) from relation r
  union all select 'schema', n.nspname || ' ' || coalesce(n.nspacl::text, '') from pg_namespace n where n.nspname in ${schemas}
  order by 1, 2`;

async function listObjects(fill: (target: Target) => Promise<unknown>): Promise<string[]> {
  const admin = adminPool();
  const name = freshDatabaseName();
  await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
  const target = targetNamed(name);
  onTestFinished(async () => {
    // Not by force: an owner may not end a worker of autovacuum, and an ordinary drop ends it.
    await admin.query(`drop database ${name}`);
    await admin.end();
  });
  await fill(target);
  return withClient(target, async (client) =>
    (await client.query<{ kind: string; line: string }>(listing)).rows.map(({ kind, line }) => `${kind}: ${line}`),
  );
}

async function withClient<T>(target: Target, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  return use(client).finally(() => client.end());
}

/** Runs the files of db/schema in one transaction, as a migration runs. */
const applySchema = (target: Target) =>
  withClient(target, async (client) => {
    await client.query('begin');
    await client.query(await schemaText());
    await client.query('commit');
  });

test('the only migration equals the files of db/schema in order (else: npm run db:squash)', async () => {
  const [first, ...later] = await shippedMigrations();
  expect(first?.name).toBe('0001_schema.sql');
  if (later.length === 0) expect(first?.sql).toBe(await schemaText());
});

test('db/schema describes each function, policy, trigger, column, index and grant of the migrated database', async () => {
  const migrated = await listObjects(migrate);
  expect(migrated.length).toBeGreaterThan(1000);
  expect(migrated).toEqual(await listObjects(applySchema));
});

test('a database of a version before the squash is refused with a way out', async () => {
  const old = listObjects(async (target) => {
    await withClient(target, (client) =>
      client.query(`create schema ref;
        create table ref.migration (name text primary key, hash text not null, time timestamptz not null default now());
        insert into ref.migration (name, hash) values ('0001_roles_and_sessions.sql', '')`),
    );
    await migrate(target);
  });
  await expect(old).rejects.toThrow('请移走数据目录');
});
