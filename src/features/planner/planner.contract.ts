import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** 我的日程 in other programs: an address that calendars of phones read. It names nobody. */

/** Says since when the caller's address exists and when a program last read it; null without one. The address itself is not kept. */
export const getCalendarFeed = defineAction({
  name: 'as.m.planner.getCalendarFeed',
  title: '查询日历订阅',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({ createtime: z.string(), lasttime: z.string().nullable() }).nullable(),
});

/** Makes a new address of the caller's calendar; the former one ends. Answers 140001 for the account of an institution. */
export const createCalendarFeed = defineAction({
  name: 'as.m.planner.createCalendarFeed',
  title: '生成日历订阅地址',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({}),
  response: z.object({ url: z.string() }),
});

/** Ends the address of the caller's calendar. */
export const deleteCalendarFeed = defineAction({
  name: 'as.m.planner.deleteCalendarFeed',
  title: '停用日历订阅地址',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({}),
  response: z.object({}),
});
