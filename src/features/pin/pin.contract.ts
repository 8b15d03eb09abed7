import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** 固定: cases, persons, tasks and teams that an account keeps at hand. */

/** The kinds of things that can be pinned. */
export const PIN_KINDS = ['case', 'person', 'task', 'team'] as const;
export type PinKind = (typeof PIN_KINDS)[number];

/** Most pinned things of an account. */
export const MOST_PINS = 20;

const pinned = z.object({
  kind: z.enum(PIN_KINDS),
  refcode: z.string(),
  /** the name as lists show it, masked where they mask it */
  title: z.string(),
  /** how it stands: the level and state of a case, the last day of a task, the institution of a person, the year of a team */
  note: z.string(),
  path: z.string(),
});
export type Pinned = z.infer<typeof pinned>;

/** Returns what the caller has pinned, the newest first. What the caller may no longer read is left out, and comes back with the right. */
export const getPins = defineAction({
  name: 'as.m.pin.getPins',
  title: '查询固定的内容',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ pins: z.array(pinned) }),
});

/** Pins something or ends it. Answers 130001 for what the caller cannot read, and 140001 when 20 things are pinned. */
export const setPin = defineAction({
  name: 'as.m.pin.setPin',
  title: '固定或取消固定',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    kind: z.enum(PIN_KINDS).describe('类型'),
    refcode: z.string().min(1).max(40).describe('编号'),
    ispinned: z.boolean().describe('固定'),
  }),
  response: z.object({}),
});
