import { call } from '#ui/api/call.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';

/**
 * The cases of the list in their order, as the reader last saw them. Handling a case moves it in the list; the sequence stays, so that
 * 下一例 leads to the row that stood below. It lives in memory: a reload forgets it.
 */
interface Sequence {
  request: Readonly<Record<string, unknown>>;
  codes: readonly string[];
  /** the page of the list that the last codes come from */
  page: number;
  pageSize: number;
  total: number;
}
let sequence: Sequence | undefined;

/** Remembers the rows of the list as the reader opens one of them. */
export function rememberSequence(list: {
  request: Readonly<Record<string, unknown>>;
  rows: readonly { warningcode: string }[];
  page: number;
  pageSize: number;
  total: number;
}): void {
  const { request, rows, page, pageSize, total } = list;
  sequence = { request, codes: rows.map(({ warningcode }) => warningcode), page, pageSize, total };
}

/** Where a case stands in the list that the reader came from; undefined when they came another way. */
export function findPosition(warningcode: string) {
  const index = sequence?.codes.indexOf(warningcode) ?? -1;
  if (!sequence || index < 0) return undefined;
  const { codes, page, pageSize, total } = sequence;
  return {
    previous: codes[index - 1],
    next: codes[index + 1],
    /** rows follow on the next page of the list */
    hasMore: index === codes.length - 1 && page * pageSize < total,
  };
}

/** Reads the next page of the list and returns the case after the last known one; undefined when there is none. */
export async function findNextPage(): Promise<string | undefined> {
  if (!sequence) return undefined;
  const { request, codes, page } = sequence;
  const { rows, total } = await call(getWarningPageList, { ...request, page: page + 1 });
  const added = rows.map(({ warningcode }) => warningcode).filter((code) => !codes.includes(code));
  sequence = { ...sequence, codes: [...codes, ...added], page: page + 1, total };
  return added[0];
}
