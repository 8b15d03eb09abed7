import type { z } from 'zod';
import type { Action } from '#contract/action.ts';
import type { EarlierImport, ImportCounts, ImportEdits, ImportVerdict, StagedImport } from '#contract/workbook/importJob.ts';
import type { ImportKind } from '#contract/workbook/importSheet.ts';

interface Which {
  importid: string;
}

/** The calls of one kind of import. They let the dialog's blocks work for every kind. `S` is the import's state, `R` its result. */
export interface ImportCalls<S extends StagedImport, R extends ImportCounts> {
  kind: ImportKind;
  /** Reads the current state, to continue or to view the import. */
  get: (which: Which) => Promise<S>;
  /** Lists the account's imports of the last days. */
  list: () => Promise<readonly EarlierImport[]>;
  /** Saves edits of the grid and returns the database's findings. */
  save: (edits: ImportEdits) => Promise<S['verdict'] & ImportVerdict>;
  /** Imports all rows, or with `skiperror` '1' the valid rows. */
  commit: (request: Which & { skiperror: '0' | '1' }) => Promise<R>;
  /** 错误回执 */
  errors: Action<z.ZodType<Which, Which>>;
}
