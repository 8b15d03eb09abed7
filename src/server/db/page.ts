import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Scope } from '#server/scope.ts';

/** Which page of how many rows; pages count from 1. */
export interface Page {
  page: number;
  pageSize: number;
}
/** Of a list that asks and writes nothing after its first page: that may end the transaction. */
export interface Ending {
  ends?: boolean | undefined;
}

/**
 * Cuts a page out of a list. How many rows it has stands in the text, not beside it: PostgreSQL keeps a plan only where it does not look
 * worse than one made for the values, and without the number it takes a tenth of the table for wanted. The first page, which is most of
 * what is asked for, skips nothing. For the same reason conditions that choose an index (`isdeleted = 0`) are written with `sql.lit`.
 */
export const cut =
  (of: Page) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> => {
    const found = query.limit(sql.lit(of.pageSize));
    return of.page === 1 ? found : found.offset((of.page - 1) * of.pageSize);
  };

/** The same at the end of a statement written out. */
export const cutting = (of: Page): RawBuilder<unknown> =>
  of.page === 1 ? sql`limit ${sql.lit(of.pageSize)}` : sql`limit ${sql.lit(of.pageSize)} offset ${(of.page - 1) * of.pageSize}`;

/** The rows of a page. */
export const pageRows = async <Row>(
  scope: Scope,
  { page, ends }: Pick<Page, 'page'> & Ending,
  query: RawBuilder<Row>,
): Promise<Row[]> => (ends && page === 1 ? scope.only(query) : (await query.execute(scope.db)).rows);
