import type { Item, Scale } from '#domain/scoring/scale.ts';

/** What a row can do. The object never changes, so that only rows with a change are drawn again. */
export interface RowActions {
  activate: (code: string) => void;
  write: (code: string, text: string) => void;
  set: (code: string, changes: { [K in keyof Item]?: Item[K] | undefined }) => void;
  change: (to: (scale: Scale) => Scale, tag?: string) => void;
  insertAfter: (index: number, before: string, after: string) => void;
  paste: (index: number, before: string, text: string, after: string) => void;
  remove: (index: number) => void;
  move: (from: number, to: number) => void;
  focusRow: (index: number, isEnd: boolean) => boolean;
  select: (index: number, isRange: boolean) => void;
}
