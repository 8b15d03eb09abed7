import type { Context } from '#server/dispatch/handle.ts';

/** Number of rows that an export reads at once. */
const CHUNK = 1000;

/** Yields the rows of these keys. It reads a few hundred at a time, so that memory stays flat, and reports the progress. */
export async function* inChunks<Key, Row>(
  keys: readonly Key[],
  read: (chunk: readonly Key[]) => Promise<readonly Row[]>,
  onRead: (count: number) => void = () => undefined,
): AsyncGenerator<Row> {
  for (let start = 0; start < keys.length; start += CHUNK) {
    const chunk = keys.slice(start, start + CHUNK);
    const rows = await read(chunk);
    onRead(chunk.length);
    yield* rows;
  }
}

/** Returns a function that adds rows to the progress of an export. */
export function countProgress(progress: Context['progress'], total: number): (count: number) => void {
  let done = 0;
  return (count) => progress((done += count), total);
}

/** Returns the rows by their key, in the order in which the keys first occur. */
export function groupRows<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
