/**
 * Why a file was not read: `type` not a kind we read, `size` too many bytes, `encrypted` protected by a password, `broken` damaged or
 * not what it claims, `limit` more content than a list of people can have, `time` took too long.
 */
export type ProblemCode = 'type' | 'size' | 'encrypted' | 'broken' | 'limit' | 'time';

/** A file that is not read. The message is what the user reads: what is wrong and what to do. */
export class WorkbookRefused extends Error {
  override readonly name = 'SheetRefused';
  readonly code: ProblemCode;
  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What one reading may cost. */
export const LIMITS = {
  /** Bytes of the file. */
  bytes: 10 * 1024 * 1024,
  /** Bytes of all its parts together, inflated. */
  inflated: 100 * 1024 * 1024,
  entries: 50,
  rows: 20_000,
  columns: 100,
  /** Characters of one cell. */
  cell: 32_767,
  /** Characters between two tags. */
  run: 1024 * 1024,
  /** Characters of all cells together: one long shared string can be named by every cell. */
  characters: 20_000_000,
  milliseconds: 20_000,
  heapMb: 128,
  /** Files read at the same time. */
  workers: 2,
} as const;
