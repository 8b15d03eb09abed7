import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { reencrypt, resealCopies, resealTexts } from '#server/rotation/resealValue.ts';
import { COPY_COLUMNS, ENCRYPTED_COLUMNS, WRAPPED_COLUMNS, type Encrypted } from '#server/sealing/encryptedColumns.ts';
import { SEALED_COLUMNS, type Sealing } from '#server/sealing/sealedColumns.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** Rows of one transaction. */
const PORTION = 200;

/** The tables of all lists, each once. */
export const SEALED_TABLES: readonly string[] = [
  ...new Set([SEALED_COLUMNS, ENCRYPTED_COLUMNS, WRAPPED_COLUMNS, COPY_COLUMNS].flatMap((list) => Object.keys(list))),
].sort();

/** What a pass has done: rows that it read, and values that it wrote. */
export interface Resealed {
  rows: number;
  values: number;
  /** values that do not open with any key */
  broken: { place: string; count: number }[];
}

/** A row of a table with its key as text, the columns as JSON text, and what encrypted columns are bound to. */
interface Row {
  key: string[];
  values: Record<string, string | null>;
  musercode: string | null;
  cuserid: string | null;
  bound: Record<string, { musercode: string; context: string }>;
}

/**
 * Seals the stored values of every listed column with the current key: plain texts of earlier versions, and values of earlier keys.
 * It runs beside calls: a transaction has few rows, and a value that somebody changed meanwhile stays. It is no edit, and the time of
 * a change stays. It may be cut off and begun again.
 * @param owner a connection of the owner of the tables, without type parsers that open seals and without a transaction
 */
export async function reseal(
  owner: pg.ClientBase,
  cipher: FieldCipher,
  { dry = false, isStopping = () => false, tell = () => undefined as void }: ResealOptions = {},
): Promise<Resealed> {
  const done: Resealed = { rows: 0, values: 0, broken: [] };
  for (const table of SEALED_TABLES) {
    const place = await describeTable(owner, table);
    let after: string[] | undefined;
    const broken = new Map<string, number>();
    for (;;) {
      if (isStopping()) return done;
      const { rows, values, faults } = await inTransaction(owner, () => resealPage(owner, cipher, { place, after, dry }));
      done.rows += rows.length;
      done.values += values;
      for (const column of faults) broken.set(column, (broken.get(column) ?? 0) + 1);
      after = rows.at(-1)?.key;
      if (rows.length < PORTION) break;
    }
    for (const [column, count] of broken) done.broken.push({ place: `${table}.${column}`, count });
    tell(table, done);
  }
  return done;
}

/** Seals the next rows of a table after a key; returns the rows, the number of values, and the columns of values that do not open. */
async function resealPage(
  owner: pg.ClientBase,
  cipher: FieldCipher,
  { place, after, dry }: { place: Place; after: readonly string[] | undefined; dry: boolean },
) {
  const rows = await readPage(owner, place, after);
  const faults: string[] = [];
  let values = 0;
  for (const row of rows)
    for (const change of changesOf(cipher, place, row, (column) => faults.push(column)))
      if (dry || (await write(owner, place, row.key, change))) values += 1;
  return { rows, values, faults };
}

/** The options of a pass. */
export interface ResealOptions {
  /** counts what it would write, and writes nothing */
  dry?: boolean;
  /** ends the pass before the next portion */
  isStopping?: () => boolean;
  /** hears after each table */
  tell?: (table: string, done: Resealed) => void;
}

/** What one value of a row becomes, with the value before; a hash changes with its value. */
interface Change {
  column: string;
  before: string;
  value: string;
  also?: { column: string; value: string };
}

function changesOf(cipher: FieldCipher, place: Place, row: Row, tellBroken: (column: string) => void): Change[] {
  const changes: Change[] = [];
  for (const column of place.columns) {
    const before = row.values[column];
    if (before === null || before === undefined) continue;
    try {
      let value = before;
      const musercode = row.musercode ?? '';
      const encrypted = ENCRYPTED_COLUMNS[place.table]?.[column];
      const bound = row.bound[column];
      if (encrypted && bound) value = reencrypt(cipher, encrypted, bound, value);
      const sealing = SEALED_COLUMNS[place.table]?.[column];
      if (sealing && sealing !== 'own') value = resealTexts(cipher, `${place.table}.${column}`, sealing, value);
      const wrapped = WRAPPED_COLUMNS[place.table]?.[column];
      const index = wrapped ? (JSON.parse(value) as string) : '';
      if (wrapped && !cipher.isCurrent(index)) value = JSON.stringify(cipher.wrapIndex(musercode, wrapped, index));
      if (COPY_COLUMNS[place.table]?.includes(column)) value = resealCopies(cipher, musercode, value);
      if (isSame(value, before)) continue;
      const hash = encrypted?.hash;
      const also = hash && {
        column: hash.column,
        value: hash.of(cipher, {
          musercode,
          cuserid: row.cuserid ?? '',
          text: cipher.decrypt(bound?.musercode ?? '', bound?.context ?? '', JSON.parse(value) as string),
        }),
      };
      changes.push({ column, before, value, ...(also ? { also } : {}) });
    } catch {
      tellBroken(column);
    }
  }
  return changes;
}

/** Whether two JSON texts say the same: PostgreSQL writes spaces that we do not write. */
const isSame = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));

interface Place {
  table: string;
  /** with its schema, quoted */
  name: string;
  key: readonly { column: string; type: string }[];
  columns: readonly string[];
  types: Readonly<Record<string, string>>;
  hasMusercode: boolean;
  hasCuserid: boolean;
}

async function describeTable(owner: pg.ClientBase, table: string): Promise<Place> {
  const name = table.includes('.') ? table : `public.${table}`;
  const columns = [
    ...new Set(
      [SEALED_COLUMNS[table] ?? {}, ENCRYPTED_COLUMNS[table] ?? {}, WRAPPED_COLUMNS[table] ?? {}]
        .flatMap((list: Readonly<Record<string, Sealing | Encrypted | string>>) =>
          Object.keys(list).filter((column) => list[column] !== 'own'),
        )
        .concat(COPY_COLUMNS[table] ?? []),
    ),
  ];
  const { rows } = await owner.query<{ column: string; type: string; keyplace: number | null }>(
    `select a.attname as column, format_type(a.atttypid, null) as type, array_position(i.indkey::int2[], a.attnum) as keyplace
     from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by keyplace, a.attnum`,
    [name],
  );
  const types = Object.fromEntries(rows.map(({ column, type }) => [column, type]));
  const missing = columns.filter((column) => !(column in types));
  if (missing.length > 0) throw new Error(`the lists of sealed columns name ${missing.join(', ')}, which ${table} does not have`);
  return {
    table,
    name,
    key: rows.filter(({ keyplace }) => keyplace !== null),
    columns,
    types,
    hasMusercode: 'musercode' in types,
    hasCuserid: 'cuserid' in types,
  };
}

async function readPage(owner: pg.ClientBase, place: Place, after: readonly string[] | undefined): Promise<Row[]> {
  const encrypted = Object.entries(ENCRYPTED_COLUMNS[place.table] ?? {});
  const keys = place.key.map(({ column }) => `t.${column}`).join(', ');
  const bounds = encrypted.map(
    ([column, { context, musercode = 't.musercode' }]) =>
      `'${column}', json_build_object('musercode', ${musercode}, 'context', ${context})`,
  );
  const { rows } = await owner.query<Row>(
    `select array[${place.key.map(({ column }) => `t.${column}::text`).join(', ')}] as key,
       json_build_object(${place.columns.map((column) => `'${column}', to_jsonb(t.${column})::text`).join(', ')}) as values,
       ${place.hasMusercode ? 't.musercode' : 'null'} as musercode, ${place.hasCuserid ? 't.cuserid' : 'null'} as cuserid,
       json_build_object(${bounds.join(', ')}) as bound
     from ${place.name} t
     ${after ? `where (${keys}) > (${place.key.map(({ type }, at) => `$${at + 1}::${type}`).join(', ')})` : ''}
     order by ${keys} limit ${PORTION}`,
    after ? [...after] : [],
  );
  return rows;
}

/** Writes a value unless somebody has changed it meanwhile. Returns whether it was written. */
async function write(owner: pg.ClientBase, place: Place, key: readonly string[], { column, before, value, also }: Change) {
  const type = place.types[column] ?? '';
  const isJson = type === 'jsonb' || type === 'json';
  const sets = [`${column} = $1::${type}`];
  const values: unknown[] = [isJson ? value : (JSON.parse(value) as unknown), before];
  if (also) sets.push(`${also.column} = $${values.push(also.value)}`);
  const where = place.key.map(({ column: name, type: keytype }, at) => `t.${name} = $${values.push(key[at])}::${keytype}`);
  const { rowCount } = await owner.query(
    `update ${place.name} t set ${sets.join(', ')} where to_jsonb(t.${column})::text = $2 and ${where.join(' and ')}`,
    values,
  );
  return rowCount === 1;
}

/** Codes of PostgreSQL for a lock that did not come in time, and for a deadlock. */
const BUSY = ['55P03', '40P01'];

/** Runs `work` in a transaction as a reseal. Waits for no call longer than a moment, and tries again then. */
export async function inTransaction<T>(owner: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt(owner, work);
    } catch (error) {
      if (!BUSY.includes((error as pg.DatabaseError).code ?? '')) throw error;
      await pause(500);
    }
  }
}

/** Runs `work` in a transaction with a session of the platform, as a reseal (`access.is_resealing`). */
async function attempt<T>(owner: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  const session = createHash('sha256').update(randomBytes(32)).digest('hex');
  await owner.query('begin');
  try {
    await owner.query(
      `insert into auth.session (tokenhash, kind, musercode, expiretime, idle)
       values ($1, 'system', $2, now() + interval '5 minutes', '5 minutes')`,
      [session, platformCode],
    );
    await owner.query(
      `select set_config('app.session', $1, true), set_config('app.reseal', 'on', true), set_config('lock_timeout', '1s', true)`,
      [session],
    );
    const result = await work();
    await owner.query('delete from auth.session where tokenhash = $1', [session]);
    await owner.query('commit');
    return result;
  } catch (error) {
    await owner.query('rollback').catch(() => undefined);
    throw error;
  }
}
