import { z } from 'zod';
import { defineAction, staffOf } from '#contract/action.ts';

/** One version of a plan, with its differences from the version before in words. */
export const planVersionRow = z.object({
  plancode: z.string(),
  lineageno: z.number(),
  /** 1: the newest version, which new authorizations use */
  current: z.number(),
  /** who created it; '' for plans from before the versions */
  authorname: z.string(),
  createtime: z.string(),
  changes: z.array(z.string()),
  /** authorizations of this version within the caller's reach */
  usedcount: z.number(),
});
export type PlanVersionRow = z.infer<typeof planVersionRow>;

/** Returns the versions of a plan, the newest first, and what a new version would leave behind. */
export const getPlanVersionList = defineAction({
  name: 'as.m.exam.plan.getPlanVersionList',
  title: '查询方案版本',
  allow: staffOf('plans.library'),
  kind: 'read',
  request: z.strictObject({ plancode: z.string().max(20).describe('方案') }),
  response: z.object({
    versions: z.array(planVersionRow),
    /** unused authorizations and codes outside tasks: `movegrants` moves them to a new version */
    movable: z.number(),
    /** tasks that are planned or running: they keep their version */
    tasks: z.number(),
  }),
});
