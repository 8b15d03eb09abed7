import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** A message to the signed-in account, as a row of the list. Its title names no respondent. */
export const noticeRow = z.object({
  id: z.string(),
  /** warning, overdue, followup, task, report, job or system */
  kind: z.string(),
  title: z.string(),
  content: z.string(),
  /** the path of the page to act on; '' without one */
  link: z.string(),
  createtime: z.string(),
  /** null: not read yet */
  readtime: z.string().nullable(),
  /** how often the server has reminded of the unread message */
  remindcount: z.number().int(),
});

/** The number of unread messages of the caller. */
export const getUnreadCount = defineAction({
  name: 'as.m.notice.getUnreadCount',
  title: '查询未读消息数',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ count: z.number().int() }),
});

/** A page of the caller's messages, the unread ones first, then the newest. */
export const getNoticePageList = defineAction({
  name: 'as.m.notice.getNoticePageList',
  title: '查询消息',
  allow: anyStaff,
  kind: 'read',
  request: pageRequest.extend({ unread: z.enum(['0', '1']).optional().describe('只看未读') }),
  response: pageOf(noticeRow),
});

/** Marks messages of the caller as read: these, those of a case, or all of them. */
export const readNotice = defineAction({
  name: 'as.m.notice.readNotice',
  title: '消息标为已读',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    ids: z.array(z.string().max(40)).max(200).optional().describe('消息'),
    warningcode: z.string().max(20).optional().describe('预警编号'),
  }),
  response: z.object({}),
});
