import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Which page of how many rows; pages count from 1. */
export interface Page {
  page: number;
  pageSize: number;
}

const offsetOf = ({ page, pageSize }: Page) => (page - 1) * pageSize;

/**
 * Cuts a page out of a query. The page size is written into the text: PostgreSQL keeps a generic plan only when it knows the limit. For
 * the same reason conditions that choose an index (`isdeleted = 0`) are written with `sql.lit`.
 */
export const paginate =
  (page: Page) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.limit(sql.lit(page.pageSize)).offset(offsetOf(page));

/** The same at the end of a statement written out. */
export const limitOffset = (page: Page): RawBuilder<unknown> => sql`limit ${sql.lit(page.pageSize)} offset ${offsetOf(page)}`;

/**
 * Makes the planner read the next lists of this transaction along an index, in its order. It does not know whose session it serves and
 * takes the caller's reach for half a percent of a table. For the platform, which reaches everything, it would sort the whole table.
 */
export const walkIndex = async (scope: Scope): Promise<void> => {
  await sql`set local enable_sort = off`.execute(scope.db);
};
