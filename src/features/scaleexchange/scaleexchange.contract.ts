import { z } from 'zod';
import type { Scale } from '#domain/scoring/scale.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { formcode } from '#features/form/form.contract.ts';

/**
 * Questionnaires as files: JSON and Excel that come back unchanged, pasted text, and the blank form on paper
 * (supplement-scales-operations.md, section 1).
 */

const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('form.edit'));

/** The kinds of files of a questionnaire. `pdf` is the blank form on paper. */
export const exportKinds = ['xlsx', 'json', 'pdf'] as const;
export type ExportKind = (typeof exportKinds)[number];

/**
 * Returns a version of a form as a file; without a form the empty Excel template with an example. B and C wording is exported only for
 * an institution that may use it, otherwise without texts; a blank form on paper is then refused (150002).
 */
export const exportForm = defineAction({
  name: 'as.m.assess.forms.exportForm',
  title: '导出量表',
  allow: staffOf('plans.scales'),
  kind: 'export',
  containsNoData: true,
  request: z.strictObject({
    formcode: formcode.optional(),
    version: z.string().max(20).optional().describe('版本'),
    kind: z.enum(exportKinds).default('xlsx').describe('文件类型'),
  }),
  response: file,
  cost: 3,
});

const importFault = z.object({
  /** errors stop the import; notices do not */
  kind: z.enum(['error', 'notice']),
  /** the worksheet; '' for other sources */
  sheet: z.string(),
  /** the row of the worksheet or the line of the text; 0: the whole of it */
  row: z.number(),
  /** the head of the column, or the path in the JSON */
  column: z.string(),
  message: z.string(),
});
export type ImportFault = z.infer<typeof importFault>;

/**
 * Reads a questionnaire from a file (Excel, JSON, text) or from pasted text and returns its definition with everything that was not
 * understood. It stores nothing: `insertForm` and `updateForm` take the definition. With `formcode` of a form without wording it
 * stores the texts as the institution's licensed wording; the licence proof must be there (150002).
 */
export const importFormText = defineAction({
  name: 'as.m.assess.forms.importFormText',
  title: '读取量表文件',
  allow: writers,
  kind: 'import',
  request: z.strictObject({
    text: z.string().max(200_000, '文字不超过 20 万字').optional().describe('文字'),
    formcode: formcode.optional(),
  }),
  response: z.object({
    source: z.enum(['json', 'xlsx', 'text']),
    /** null while errors are left */
    definition: z.custom<Scale>((value) => typeof value === 'object' && value !== null).nullable(),
    faults: z.array(importFault),
    /** how each line of pasted text was taken */
    lines: z.array(z.object({ line: z.number(), use: z.string(), text: z.string() })),
    /** the author's workbook with the faults at their rows, as base64; '' without faults */
    faultfile: z.string(),
    /** the number of questions whose licensed text was stored */
    stored: z.number(),
  }),
  cost: 5,
});
/** What the server understood of a file or a text. */
export type ReadForm = z.infer<(typeof importFormText)['response']>;
