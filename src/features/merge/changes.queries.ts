import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The changes of a merge in their order. The undo takes them back from the last to the first. */

/** Tables whose single rows a merge changes, with the columns that find the rows. */
const KEYS = {
  cuser: ['cuserid'],
  cuserarchive: ['archiveid'],
  cuserplan: ['cuserplanid'],
  taskroster: ['taskcode', 'cuserid'],
  teamroster: ['teamcode', 'cuserid'],
  guardianconsent: ['guardianconsentid'],
  examrecord: ['examcode'],
  examresult: ['examcode'],
  report: ['examcode'],
  warning: ['warningcode'],
  warningduty: ['dutyid'],
  followup: ['followupid'],
  referral: ['referralid'],
} as const;
export type ChangedTable = keyof typeof KEYS;
type Values = Record<string, unknown>;

/** The values of some columns of a row before and after a change. `key` finds the row afterwards. */
export interface Change {
  table: ChangedTable;
  key: Values;
  before: Values;
  after: Values;
}

const pick = (row: Values, columns: readonly string[]): Values =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
const isKey = (key: Values) =>
  sql.join(
    Object.entries(key).map(([column, value]) => sql`x.${sql.ref(column)} = ${value}`),
    sql` and `,
  );
const columnsOf = (columns: readonly string[], table?: string) =>
  sql.join(columns.map((column) => sql.ref(table ? `${table}.${column}` : column)));

/** SQL: row `x` as bytes, so that sealed texts stay sealed. The undo compares rows as they are stored, and writes them back so. */
const stored = sql`convert_to(to_jsonb(x)::text, 'UTF8')`;
const parseStored = (row: Buffer) => JSON.parse(row.toString('utf8')) as Values;

/** Reads columns of a row as JSON, sealed texts as they are stored; undefined without the row. */
export async function readRow(scope: Scope, table: ChangedTable, key: Values): Promise<Values | undefined> {
  const { rows } = await sql<{ row: Buffer }>`select ${stored} as row from ${sql.table(table)} x where ${isKey(key)}`.execute(
    scope.db,
  );
  return rows[0] && parseStored(rows[0].row);
}

/** Changes columns of a row, or of equal rows, and adds the change to the list. */
export async function changeRow(scope: Scope, changes: Change[], table: ChangedTable, key: Values, set: Values): Promise<void> {
  const columns = Object.keys(set);
  const before = await readRow(scope, table, key);
  if (!before) throw new Error(`no row of ${table}: ${JSON.stringify(key)}`);
  const { rows } = await sql<{ row: Buffer }>`
    update ${sql.table(table)} x set (${columnsOf(columns)}) = (
      select ${columnsOf(columns, 'n')} from jsonb_populate_record(x, ${JSON.stringify(set)}::jsonb) n)
    where ${isKey(key)} returning ${stored} as row`.execute(scope.db);
  const after = rows[0] ? parseStored(rows[0].row) : {};
  changes.push({ table, key: pick(after, KEYS[table]), before: pick(before, columns), after: pick(after, columns) });
}

/** Does other work on a row and adds what it changed in these columns to the list. */
export async function recordChange<T>(
  scope: Scope,
  changes: Change[],
  row: { table: ChangedTable; key: Values; columns: readonly string[] },
  work: () => Promise<T>,
): Promise<T> {
  const before = pick((await readRow(scope, row.table, row.key)) ?? {}, row.columns);
  const result = await work();
  const after = pick((await readRow(scope, row.table, row.key)) ?? {}, row.columns);
  changes.push({ table: row.table, key: row.key, before, after });
  return result;
}

/** Takes one change back. A column that somebody has changed since keeps its value. */
export async function undoChange(scope: Scope, { table, key, before, after }: Change): Promise<void> {
  const columns = Object.keys(before);
  const values = columns.map(
    (
      column,
    ) => sql`case when to_jsonb(x) -> ${column}::text is not distinct from ${JSON.stringify(after)}::jsonb -> ${column}::text
      then n.${sql.ref(column)} else x.${sql.ref(column)} end`,
  );
  await sql`update ${sql.table(table)} x set (${columnsOf(columns)}) = (
      select ${sql.join(values)} from jsonb_populate_record(x, ${JSON.stringify(before)}::jsonb) n)
    where ${isKey(key)}`.execute(scope.db);
}
