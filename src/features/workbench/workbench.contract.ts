import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** One item of a block, with the path of its page. */
export const dayRow = z.object({
  /** the person or thing; names are masked as in lists */
  title: z.string(),
  detail: z.string(),
  /** the deadline, or the time of creation */
  time: z.string().nullable(),
  late: z.boolean(),
  /** warning level 1–4 or result level 0–4, for the mark beside the title */
  level: z.number().nullable(),
  /** the level of a warning in the words of the institution's sector */
  levelname: z.string(),
  /** '' when the row says everything */
  path: z.string(),
});
/** One block of 工作台. */
export const dayBlock = z.object({
  key: z.enum([
    'notbegun',
    'flagged',
    'answered',
    'supervisions',
    'overdue',
    'second',
    'waiting',
    'consults',
    'bookings',
    'followups',
    'due',
    'tasks',
    'reports',
    'grants',
    'openings',
    'contracts',
    'lowcounts',
    'channels',
    'jobs',
  ]),
  title: z.string(),
  count: z.number(),
  /** a second number as text; '' without one */
  note: z.string(),
  /** the path of the whole list; '' when the rows are the whole list */
  path: z.string(),
  /** the first five items; empty for the platform where rows would name persons */
  rows: z.array(dayRow),
});
export type DayBlock = z.infer<typeof dayBlock>;

/** The work of the caller today, in the blocks whose screens the caller may open. */
export const getMyDay = defineAction({
  name: 'as.m.workbench.getMyDay',
  title: '查看工作台',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ asof: z.string(), blocks: z.array(dayBlock) }),
});
