import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** One thing to act on, one click from its place. */
export const dayRow = z.object({
  /** who or what it is about; names as far as the reader sees them in lists */
  title: z.string(),
  detail: z.string(),
  /** due or made at */
  time: z.string().nullable(),
  late: z.boolean(),
  /** warning level 1–4 or result level 0–4, for the mark beside the title */
  level: z.number().nullable(),
  path: z.string(),
});
export const dayBlock = z.object({
  key: z.enum(['overdue', 'waiting', 'followups', 'tasks', 'reports', 'grants']),
  title: z.string(),
  count: z.number(),
  /** a second number in words, '' without one */
  note: z.string(),
  /** the whole list */
  path: z.string(),
  /** the first five; none for an authority, who sees no names */
  rows: z.array(dayRow),
});
export type DayBlock = z.infer<typeof dayBlock>;

/** What is waiting for this member of staff today; only blocks whose screens they hold. */
export const getMyDay = defineAction({
  name: 'as.m.workbench.getMyDay',
  title: '查看工作台',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ asof: z.string(), blocks: z.array(dayBlock) }),
});
