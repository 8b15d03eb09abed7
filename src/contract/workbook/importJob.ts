import { z } from 'zod';
import type { OwnColumn } from '#contract/workbook/own/own.columns.ts';

/** The wire format of all imports. The import dialog uses only these types. */

const remark = z.object({ row: z.number(), key: z.string(), kind: z.enum(['error', 'warning']), message: z.string() });
export type ImportRemark = z.infer<typeof remark>;

/** The effect of a row: a new record, an existing one joins, changes class, changes data, or nothing. */
export const effects = ['new', 'join', 'move', 'update', 'same'] as const;
export type Effect = (typeof effects)[number];

/** The imports of persons; importSheet.ts has their columns. */
export const personKinds = ['roster', 'students', 'maternity', 'adults'] as const;
export type PersonKind = (typeof personKinds)[number];

export const importVerdict = z.object({
  /** remarks that need the database; `validateTable` makes the others in the browser and on the server */
  remarks: z.array(remark),
  /** by row number; rows with errors have none */
  effects: z.record(z.string(), z.enum(effects)),
});
export type ImportVerdict = z.infer<typeof importVerdict>;

/** A staged import in its present state. */
export const stagedImport = z.object({
  importid: z.string(),
  filename: z.string(),
  createtime: z.string(),
  /** the rows with all edits, row 1 first */
  rows: z.array(z.array(z.string())),
  mapping: z.array(z.string().nullable()),
  /** what the reader of the file says about it */
  notes: z.array(z.string()),
  /** texts by key for empty cells */
  defaults: z.record(z.string(), z.string()),
  /** columns of the institution's own archive fields */
  own: z.array(z.custom<OwnColumn>()),
  /** the reference day of the date checks */
  today: z.string(),
  verdict: importVerdict,
  undone: z.boolean(),
});
export type StagedImport = z.infer<typeof stagedImport>;

/** Edits of the grid. */
export const importEdits = z.strictObject({
  importid: z.uuid(),
  edits: z
    .array(z.strictObject({ row: z.number().int().min(1), key: z.string().max(40), value: z.string().max(500) }))
    .max(2000)
    .default([]),
  removed: z.array(z.number().int().min(1)).max(5000).default([]),
  mapping: z.array(z.string().max(40).nullable()).max(100).optional(),
});
export type ImportEdits = z.input<typeof importEdits>;

/** The result of the import of the good rows. */
export const importCounts = z.object({
  importid: z.string(),
  total: z.number(),
  success: z.number(),
  failed: z.number(),
  /** at most 1,000; the marked sheet contains all */
  errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
  /** a link to the marked sheet for a plain GET, valid for an hour; '' when no row failed */
  errorfileurl: z.string(),
  /** '' when no row was imported */
  undountil: z.string(),
});
export type ImportCounts = z.infer<typeof importCounts>;

/** One recent import of the account. */
export const earlierImport = z.object({
  importid: z.string(),
  filename: z.string(),
  createtime: z.string(),
  /** staged: not imported yet */
  state: z.enum(['staged', 'done', 'undone']),
  total: z.number(),
  success: z.number(),
  undountil: z.string(),
});
export type EarlierImport = z.infer<typeof earlierImport>;
