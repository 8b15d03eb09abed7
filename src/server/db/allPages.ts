import type { Context } from '#server/dispatch/handle.ts';

/** Reads a list page by page for an export, and reports the progress after each page. `read` answers the page of that number, from 1. */
export async function* allPages<Row>(
  read: (page: number) => Promise<{ total: number; rows: readonly Row[] }>,
  progress: Context['progress'],
): AsyncGenerator<readonly Row[]> {
  let doneCount = 0;
  for (let page = 1, total = 1; doneCount < total; page++) {
    const found = await read(page);
    if (found.rows.length === 0) return;
    yield found.rows;
    total = found.total;
    doneCount += found.rows.length;
    progress(doneCount, total);
  }
}
