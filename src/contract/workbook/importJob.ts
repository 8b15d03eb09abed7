import { z } from 'zod';

/** What every import says on the wire, whatever it brings: the dialog's blocks (ui/import) work with these and nothing else. */

const remark = z.object({ row: z.number(), key: z.string(), kind: z.enum(['error', 'warning']), message: z.string() });
export type ImportRemark = z.infer<typeof remark>;

/** What an import does to a row: a new record, an existing one joins, changes class, changes data, or nothing. */
export const effects = ['new', 'join', 'move', 'update', 'same'] as const;
export type Effect = (typeof effects)[number];

/** The imports that bring persons; their columns are in importSheet.ts. */
export const personKinds = ['roster', 'students'] as const;
export type PersonKind = (typeof personKinds)[number];

export const importVerdict = z.object({
  /** what the database has to say about the rows; what the sheet alone shows is checked by `validateTable` on both sides */
  remarks: z.array(remark),
  /** by row number; rows with errors have none */
  effects: z.record(z.string(), z.enum(effects)),
});
export type ImportVerdict = z.infer<typeof importVerdict>;

/** An import as it stands. */
export const stagedImport = z.object({
  importid: z.string(),
  filename: z.string(),
  createtime: z.string(),
  /** the rows as they stand, edits applied; row 1 first */
  rows: z.array(z.array(z.string())),
  mapping: z.array(z.string().nullable()),
  /** the day against which dates are checked */
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

/** What the import of the good rows came to. */
export const importCounts = z.object({
  importid: z.string(),
  total: z.number(),
  success: z.number(),
  failed: z.number(),
  /** at most 1,000; the marked sheet has all */
  errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
  /** a link that answers a plain GET with the marked sheet, for an hour; '' when nothing failed */
  errorfileurl: z.string(),
  /** '' when nothing was imported */
  undountil: z.string(),
});
export type ImportCounts = z.infer<typeof importCounts>;

/** A line of the list of the account's imports of the last days. */
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
