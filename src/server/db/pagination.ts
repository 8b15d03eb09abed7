import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The number of a page, from 1, and its size in rows. */
export interface Page {
  page: number;
  pageSize: number;
}

const offsetOf = ({ page, pageSize }: Page) => (page - 1) * pageSize;

/**
 * Limits a query to one page. The page size is a literal: PostgreSQL keeps a generic plan only when it knows the limit.
 * For the same reason conditions that choose an index (`isdeleted = 0`) use `sql.lit`.
 */
export const paginate =
  (page: Page) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.limit(sql.lit(page.pageSize)).offset(offsetOf(page));

/** Returns the `limit … offset …` clause of a page for a statement in SQL. */
export const limitOffset = (page: Page): RawBuilder<unknown> => sql`limit ${sql.lit(page.pageSize)} offset ${offsetOf(page)}`;

/**
 * Makes the planner read lists of this transaction in the order of an index instead of sorting them.
 * The planner does not know the caller's range and estimates half a percent of a table.
 * For the platform's account, which sees all rows, it would sort the whole table.
 */
export const walkIndex = async (scope: Scope): Promise<void> => {
  await sql`set local enable_sort = off`.execute(scope.db);
};

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
/** The pattern of `like` for texts that contain this one. */
export const toLikePattern = (text: string): string => `%${escapeLike(text)}%`;
/** The pattern of `like` for texts in lower case that begin with this one. */
export const toLikePrefix = (text: string): string => `${escapeLike(text.toLowerCase())}%`;
