/** Receives each row as it is read: its number, from 1, its texts, and the index of its worksheet among the read ones. */
export type RowSink = (row: number, texts: string[], sheet?: number) => void;

/** A worksheet that was read. `isTooLarge`: the limits ended the reading, so it has no rows. */
export interface ReadSheet {
  sheetname: string;
  merges: Merge[];
  isTooLarge?: true;
}

/** A vertically merged block, whose text is in its first row only. Rows count from 1, the column from 0. */
export interface Merge {
  column: number;
  first: number;
  last: number;
}
