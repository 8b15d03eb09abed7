/**
 * The reason why a file is refused. `type`: unsupported kind of file. `size`: too many bytes. `encrypted`: protected by a password.
 * `broken`: damaged or wrongly declared. `limit`: more content than a list of people can have. `time`: time limit exceeded.
 */
export type ProblemCode = 'type' | 'size' | 'encrypted' | 'broken' | 'limit' | 'time';

/** A refused file. The message tells the user the reason and what to do. */
export class WorkbookRefused extends Error {
  override readonly name = 'WorkbookRefused';
  readonly code: ProblemCode;
  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The limits of reading one file. */
export const LIMITS = {
  /** Bytes of the file. */
  bytes: 10 * 1024 * 1024,
  /** Bytes of all parts together, decompressed. */
  inflated: 100 * 1024 * 1024,
  entries: 200,
  /** Worksheets of one file. */
  sheets: 60,
  rows: 20_000,
  columns: 100,
  /** Characters of one cell. */
  cell: 32_767,
  /** Characters between two tags. */
  run: 1024 * 1024,
  /** Characters of all cells together, because many cells can refer to one long shared string. */
  characters: 20_000_000,
  milliseconds: 20_000,
  heapMb: 128,
  /** Files read at the same time. */
  workers: 2,
} as const;
