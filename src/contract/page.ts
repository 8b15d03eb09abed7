import { z } from 'zod';
import type { Action } from '#contract/action.ts';

/** The page sizes of the pager, and the size with which it opens (specification section 9). */
export const pageSizes = [15, 50, 100, 200] as const;
export const pagerSize = 20;
/** The rows of a page when a request names no size (specification section 9). */
export const defaultPageSize = 10;

/** The schema of `orderby` for a list that can sort by these fields. Other lists do not use it. */
export const sortedBy = <const F extends readonly [string, ...string[]]>(...fields: F) =>
  z.enum(fields, '该列表不支持按此字段排序').optional().describe('排序');

/** The request of a list; all lists have this shape. `page` starts at 1; a page has at most 200 rows. */
export const pageRequest = z.strictObject({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(defaultPageSize),
  /** The sort field (see `sortedBy`); `isasc` '1' means ascending. */
  orderby: z
    .string()
    .refine(() => false, '该列表不支持排序')
    .optional()
    .describe('排序'),
  isasc: z.enum(['0', '1']).optional(),
});
/** The response of a list: one page of rows and the total. */
export const pageOf = <T extends z.ZodType>(row: T) => z.object({ total: z.number().int(), rows: z.array(row) });

export interface Page<Row> {
  total: number;
  rows: Row[];
}
export type ListAction<Row = unknown> = Action<z.ZodType, z.ZodType<Page<Row>>>;
export type RowOf<A extends ListAction> = z.infer<A['response']>['rows'][number];
