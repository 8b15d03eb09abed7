import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** What the console tells an account once: the checklist 开始使用, and the release notes 更新内容. */

/** One step of the checklist of a role. */
export const guideStep = z.object({
  key: z.string(),
  title: z.string(),
  /** why, or where on the page */
  hint: z.string(),
  /** the path of its page */
  path: z.string(),
  isdone: z.boolean(),
  /** opening the page is the step: the console then calls `visitStep` */
  isvisit: z.boolean(),
});
export type GuideStep = z.infer<typeof guideStep>;

/** Returns the first steps of the caller's role that the caller may do, and which of them are done. */
export const getChecklist = defineAction({
  name: 'as.m.guide.getChecklist',
  title: '查询开始使用清单',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  /** `ishidden`: the account has put the list away */
  response: z.object({ steps: z.array(guideStep), ishidden: z.boolean() }),
});

/** Marks a step as done because the caller has opened its page. Answers 130001 for a step that is not of the caller's list. */
export const visitStep = defineAction({
  name: 'as.m.guide.visitStep',
  title: '记录已看过的页面',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ key: z.string().min(1).max(40).describe('步骤') }),
  response: z.object({}),
});

/** Puts the checklist away, or shows it again. */
export const hideChecklist = defineAction({
  name: 'as.m.guide.hideChecklist',
  title: '收起开始使用清单',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ ishidden: z.boolean().describe('收起') }),
  response: z.object({}),
});

/** Marks the release notes until a day as read. An earlier day than the one already read changes nothing. */
export const readReleases = defineAction({
  name: 'as.m.guide.readReleases',
  title: '已读更新内容',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ release: z.iso.date('日期格式不正确').describe('更新日期') }),
  response: z.object({}),
});
