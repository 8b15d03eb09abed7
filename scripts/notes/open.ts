// `npm run note:open -- --consult 12 --order "(2026) 浙01刑初12号" --operator 姓名 --witness 姓名 --out file` opens a private note of a
// consultation for a legal order while the server is stopped. docs/operations.md says who does it. It writes the audit log first.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { asOwner } from '#server/db/roles.ts';
import { openDatabase } from '#server/postgres/openDatabase.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import { asPlatform } from '#seed/reference.ts';
import { openNotesForOrder } from './openNotesForOrder.ts';

const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({ options: { consult: text, order: text, operator: text, witness: text, out: text } });
const { order, operator, witness, out } = values;
const missing = Object.entries(values).filter(([, value]) => value.trim() === '');
if (missing.length > 0) throw new Error(`missing: ${missing.map(([name]) => `--${name}`).join(' ')}`);

const config = readConfig();
const database = await openDatabase(config, (message) => console.log(message));
const client = new pg.Client(asOwner(database.target));
try {
  await client.connect();
  const cipher = await openMasterKey(config.dataDir, client);
  let notes: string[] = [];
  await client.query('begin');
  await asPlatform(client, async () => {
    notes = await openNotesForOrder(client, cipher, { consultid: Number(values.consult), order, operator, witness });
  });
  await client.query('commit');
  await writeFile(out, notes.join('\n\n'), { flag: 'wx', mode: 0o600 });
  console.log(`${notes.length} notes in ${out}; the audit log has the order and both names`);
} finally {
  await client.end();
  await database.stop();
}
