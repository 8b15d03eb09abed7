import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { generateTypes } from '#server/db/generateTypes.ts';
import { asOwner } from '#server/db/roles.ts';
import { freshDatabase } from '#testing/server.ts';

test('db/generated/tables.ts matches the migrated database (else: npm run db:types)', async () => {
  const client = new pg.Client(asOwner(await freshDatabase()));
  await client.connect();
  const text = await generateTypes(client);
  await client.end();
  expect(await readFile(new URL('../../../db/generated/tables.ts', import.meta.url), 'utf8')).toBe(text);
});
