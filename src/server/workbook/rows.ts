/** Receives each row as it is read: its number, from 1, and its texts. */
export type RowSink = (row: number, texts: string[]) => void;

/** A vertically merged block, whose text is in its first row only. Rows count from 1, the column from 0. */
export interface Merge {
  column: number;
  first: number;
  last: number;
}
