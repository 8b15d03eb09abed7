import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { READABLE_COLUMNS } from '#server/sealing/readableColumns.ts';
import { SEALED_COLUMNS } from '#server/sealing/sealedColumns.ts';
import { UNREADABLE } from '#server/sealing/textSealer.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** The columns of all tables that can hold a text. `cuserid`: the table has a column that names a person. */
const allTextColumns = `
  select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as table, a.attname as column,
    exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'cuserid' and not p.attisdropped) as "hasPerson"
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped
    and coalesce(nullif(e.typname, 'char'), t.typname) in ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'xml', 'tsvector')
  order by 1, 2`;

/** The faults of the two lists: columns in none or in both, and entries that name nothing. */
async function listFaults({ sqlAsOwner }: TestServer): Promise<string[]> {
  const columns = await sqlAsOwner<{ table: string; column: string; hasPerson: boolean }>(allTextColumns);
  expect(columns.length).toBeGreaterThan(1200);
  const sealed = new Set(
    Object.entries(SEALED_COLUMNS).flatMap(([table, names]) => Object.keys(names).map((name) => `${table}.${name}`)),
  );
  const readable = new Set(Object.values(READABLE_COLUMNS).flatMap((lines) => lines.flatMap((line) => line.split(' '))));
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const tables = new Map(columns.map(({ table, hasPerson }) => [table, hasPerson]));
  const isReadable = (table: string, column: string) =>
    [`${table}.${column}`, `*.${column}`, `${table}.*`].some((entry) => readable.has(entry));
  return [
    ...columns
      .filter(({ table, column }) => !sealed.has(`${table}.${column}`) && !isReadable(table, column))
      .map(({ table, column }) => `${table}.${column} is in no list`),
    ...[...sealed].filter((name) => readable.has(name)).map((name) => `${name} is in both lists`),
    ...[...sealed].filter((name) => !names.has(name)).map((name) => `${name} does not exist`),
    ...[...readable].flatMap((entry) => {
      const [column = '', ...path] = entry.split('.').reverse();
      const table = path.reverse().join('.');
      if (table === '*') return columns.some((each) => each.column === column) ? [] : [`${entry} does not exist`];
      if (column !== '*') return names.has(entry) ? [] : [`${entry} does not exist`];
      if (!tables.has(table)) return [`${entry} does not exist`];
      return tables.get(table) ? [`${entry} is a table about persons: name its columns`] : [];
    }),
  ];
}

test('every column of every table that can hold a text is sealed, or is named with the reason why not', async () => {
  const server = await startServer();
  expect(await listFaults(server)).toEqual([]);
  // A table that somebody adds with a free text must choose.
  await server.sqlAsOwner('create table visitnote (cuserid text, visitwords text, photo bytea[])');
  expect(await listFaults(server)).toEqual(['visitnote.photo is in no list', 'visitnote.visitwords is in no list']);
});

test('a sealed text opens inside a longer one, and an altered one says so', () => {
  const { texts } = new FieldCipher(randomBytes(32));
  const sealed = texts.seal('本人说睡不着');
  expect(sealed).not.toContain('睡');
  expect(texts.seal('本人说睡不着')).not.toBe(sealed);
  expect(texts.open(`面谈：${sealed}（完）`)).toBe('面谈：本人说睡不着（完）');
  expect(texts.openJson(JSON.stringify({ a: [sealed], b: 1 }))).toEqual({ a: ['本人说睡不着'], b: 1 });
  expect(texts.open('没有加密的旧文字')).toBe('没有加密的旧文字');
  const altered = sealed.slice(0, -9) + (sealed.at(-9) === 'A' ? 'B' : 'A') + sealed.slice(-8);
  expect(texts.open(altered)).toBe(UNREADABLE);
  expect(new FieldCipher(randomBytes(32)).texts.open(sealed)).toBe(UNREADABLE);
});
