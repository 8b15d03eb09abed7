import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

type Table =
  | 'cuser'
  | 'cuserarchive'
  | 'guardian'
  | 'assessteam'
  | 'teamroster'
  | 'publishedunit'
  | 'publishedeffort'
  | 'publishedcount'
  | 'publishedregion';

/**
 * Inserts rows into one table in one statement. Returns the columns of `returning` in the order of the rows.
 * Every row has the columns of the first row.
 */
export async function insertMany<Column extends string = never>(
  scope: Scope,
  table: Table,
  rows: readonly object[],
  returning: readonly Column[] = [],
): Promise<Record<Column, unknown>[]> {
  const [first] = rows;
  if (!first) return [];
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const returningClause = returning.length ? sql`returning ${sql.join(returning.map((name) => sql.ref(name)))}` : sql``;
  const inserted = await sql<Record<Column, unknown>>`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ${returningClause}`.execute(scope.db);
  return inserted.rows;
}
