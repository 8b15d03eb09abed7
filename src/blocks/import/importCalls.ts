import type { z } from 'zod';
import type { Action } from '#contract/action.ts';
import type { EarlierImport, ImportCounts, ImportEdits, ImportVerdict, StagedImport } from '#contract/workbook/importJob.ts';
import type { ImportKind } from '#contract/workbook/importSheet.ts';

interface Which {
  importid: string;
}

/**
 * The calls of one kind of import, which the blocks of the dialog are given: they know what an import is, not whose. `S` is how it
 * stands, `R` what it came to.
 */
export interface ImportCalls<S extends StagedImport, R extends ImportCounts> {
  kind: ImportKind;
  /** As it stands now, to go on with it or to look at it. */
  get: (which: Which) => Promise<S>;
  /** The account's imports of the last days. */
  list: () => Promise<readonly EarlierImport[]>;
  /** Keeps edits of the grid and answers what the database says now. */
  save: (edits: ImportEdits) => Promise<S['verdict'] & ImportVerdict>;
  /** All rows, or with `skiperror` '1' the good ones. */
  commit: (request: Which & { skiperror: '0' | '1' }) => Promise<R>;
  /** 错误回执 */
  errors: Action<z.ZodType<Which, Which>>;
}
