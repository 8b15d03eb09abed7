import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { READABLE_COLUMNS } from '#server/sealing/readableColumns.ts';
import { SEALED_COLUMNS } from '#server/sealing/sealedColumns.ts';
import { UNREADABLE } from '#server/sealing/textSealer.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { startServer } from '#testing/server.ts';

test('every column of case work that can hold a text is sealed, or is named with the reason why not', async () => {
  const { sqlAsOwner } = await startServer();
  const columns = await sqlAsOwner<{ name: string; column: string }>(
    `select c.relname || '.' || a.attname as name, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relname = any ($1) and a.attnum > 0 and not a.attisdropped
       and t.typname in ('text', '_text', 'jsonb', 'json', 'bytea', 'varchar')
     order by 1`,
    [Object.keys(SEALED_COLUMNS)],
  );
  const sealed = new Set(
    Object.entries(SEALED_COLUMNS).flatMap(([table, names]) => Object.keys(names).map((name) => `${table}.${name}`)),
  );
  const readable = new Set(Object.values(READABLE_COLUMNS).flatMap((lines) => lines.flatMap((line) => line.split(' '))));
  expect(columns.length).toBeGreaterThan(250);
  expect(
    columns
      .filter(({ name, column }) => !sealed.has(name) && !readable.has(name) && !readable.has(`*.${column}`))
      .map(({ name }) => name),
  ).toEqual([]);
  // A column stands in one list only, and exists.
  expect([...sealed].filter((name) => readable.has(name))).toEqual([]);
  const names = new Set(columns.map(({ name }) => name));
  expect([...sealed].filter((name) => !names.has(name))).toEqual([]);
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
