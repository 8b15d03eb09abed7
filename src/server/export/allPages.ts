import type { Context } from '#server/dispatch/handle.ts';

/** Yields the rows of a list page by page and reports the progress after each page. `read` returns page number `page`, from 1. */
export async function* allPages<Row>(
  read: (page: number) => Promise<{ total: number; rows: readonly Row[] }>,
  progress: Context['progress'],
): AsyncGenerator<readonly Row[]> {
  let doneCount = 0;
  for (let page = 1, total = 1; doneCount < total; page++) {
    const result = await read(page);
    if (result.rows.length === 0) return;
    yield result.rows;
    total = result.total;
    doneCount += result.rows.length;
    progress(doneCount, total);
  }
}
