import { z } from 'zod';
import type { Action } from '#contract/action.ts';

/** Sizes the pager offers; a list opens with 10 rows (specification section 9). */
export const pageSizes = [15, 50, 100, 200] as const;
export const defaultPageSize = 10;

/** The fields a list sorts by; any other is refused at `orderby`. Lists that sort by nothing do not name it. */
export const sortedBy = <const F extends readonly [string, ...string[]]>(...fields: F) =>
  z.enum(fields, '该列表不支持按此字段排序').optional().describe('排序');

/** A list asks for a page and gets one; every list of the system has this shape. Page is 1-based, at most 200 rows. */
export const pageRequest = z.strictObject({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(defaultPageSize),
  /** A field the list allows sorting by (`sortedBy`), and '1' for ascending. */
  orderby: z
    .string()
    .refine(() => false, '该列表不支持排序')
    .optional()
    .describe('排序'),
  isasc: z.enum(['0', '1']).optional(),
});
export const pageOf = <T extends z.ZodType>(row: T) => z.object({ total: z.number().int(), rows: z.array(row) });

export interface Page<Row> {
  total: number;
  rows: Row[];
}
export type ListAction<Row = unknown> = Action<z.ZodType, z.ZodType<Page<Row>>>;
export type RowOf<A extends ListAction> = z.infer<A['response']>['rows'][number];
