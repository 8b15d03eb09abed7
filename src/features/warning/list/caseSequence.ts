import { paramsFrom, requestFrom, type FilterValue } from '#ui/router/filtersInAddress.ts';
import { call } from '#ui/api/call.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';

/**
 * The cases of the list in their order, as the reader last saw them. Handling a case moves it in the list; the sequence stays, so that
 * 下一例 leads to the row that stood below. The address of a case names the filters, order and page: a reload reads the rows again.
 */
interface Sequence {
  request: Readonly<Record<string, unknown>>;
  codes: readonly string[];
  /** the pages of the list that the first and the last codes come from */
  first: number;
  last: number;
  pageSize: number;
  total: number;
}
let sequence: Sequence | undefined;

const codesOf = (rows: readonly { warningcode: string }[]) => rows.map(({ warningcode }) => warningcode);

/** Remembers the rows of the list as the reader opens one of them. */
export function rememberSequence(list: {
  request: Readonly<Record<string, unknown>>;
  rows: readonly { warningcode: string }[];
  page: number;
  pageSize: number;
  total: number;
}): void {
  const { request, rows, page, pageSize, total } = list;
  sequence = { request, codes: codesOf(rows), first: page, last: page, pageSize, total };
}

/** Returns the path of a case's page. It names the list that the reader came from, if any. */
export function casePath(warningcode: string): string {
  const path = `/earlyWarning/case/${warningcode}`;
  const index = sequence?.codes.indexOf(warningcode) ?? -1;
  if (!sequence || index < 0) return path;
  const page = Math.min(sequence.last, sequence.first + Math.floor(index / sequence.pageSize));
  const params = paramsFrom({ ...(sequence.request as Record<string, FilterValue>), page, pageSize: sequence.pageSize });
  return `${path}?${params}`;
}

/** Reads the list that the address of a case names, unless the case is in the sequence already. */
export async function restoreSequence(warningcode: string, params: URLSearchParams): Promise<void> {
  if (findPosition(warningcode) || !params.has('page')) return;
  const request = requestFrom(getWarningPageList.request, params);
  const { rows, total } = await call(getWarningPageList, request);
  const [page, pageSize] = [Number(request['page'] ?? 1), Number(request['pageSize'] ?? rows.length)];
  rememberSequence({ request, rows, page, pageSize, total });
  // A case that was handled may have left this page: the rows that stand there now follow it.
  if (sequence && !sequence.codes.includes(warningcode)) sequence = { ...sequence, codes: [warningcode, ...sequence.codes] };
}

/** Where a case stands in the list that the reader came from; undefined when they came another way. */
export function findPosition(warningcode: string) {
  const index = sequence?.codes.indexOf(warningcode) ?? -1;
  if (!sequence || index < 0) return undefined;
  const { codes, first, last, pageSize, total } = sequence;
  return {
    previous: codes[index - 1],
    next: codes[index + 1],
    /** rows stand on the page of the list before or after */
    hasBefore: index === 0 && first > 1,
    hasMore: index === codes.length - 1 && last * pageSize < total,
  };
}

/** Reads the page of the list before or after the known rows. Returns the case next to them; undefined when there is none. */
export async function findNeighbour(direction: 'before' | 'after'): Promise<string | undefined> {
  if (!sequence) return undefined;
  const { request, codes, first, last } = sequence;
  const isAfter = direction === 'after';
  const page = isAfter ? last + 1 : first - 1;
  const { rows, total } = await call(getWarningPageList, { ...request, page });
  const added = codesOf(rows).filter((code) => !codes.includes(code));
  sequence = isAfter
    ? { ...sequence, codes: [...codes, ...added], last: page, total }
    : { ...sequence, codes: [...added, ...codes], first: page, total };
  return added.at(isAfter ? 0 : -1);
}
