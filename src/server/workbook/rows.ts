/** Receives rows as they are read: number from 1 and texts. */
export type RowSink = (row: number, texts: string[]) => void;

/** A vertically merged block: its text stands in the first row only. Rows from 1, column from 0. */
export interface Merge {
  column: number;
  first: number;
  last: number;
}
