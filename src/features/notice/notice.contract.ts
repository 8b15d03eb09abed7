import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** One message to the signed-in account. It names no respondent: names are read where the reader has the right to. */
export const noticeRow = z.object({
  id: z.string(),
  /** What it is about: warning, followup, task, report, job, system. */
  kind: z.string(),
  title: z.string(),
  content: z.string(),
  /** Where acting on it begins: a path of the console, or empty. */
  link: z.string(),
  createtime: z.string(),
  /** null: not read yet. */
  readtime: z.string().nullable(),
});

export const getUnreadCount = defineAction({
  name: 'as.m.notice.getUnreadCount',
  title: '查询未读消息数',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ count: z.number().int() }),
});

export const getNoticePageList = defineAction({
  name: 'as.m.notice.getNoticePageList',
  title: '查询消息',
  allow: anyStaff,
  kind: 'read',
  request: pageRequest.extend({ unread: z.enum(['0', '1']).optional().describe('只看未读') }),
  response: pageOf(noticeRow),
});

/** Marks messages as read; all of the account's when no ids are given. */
export const readNotice = defineAction({
  name: 'as.m.notice.readNotice',
  title: '消息标为已读',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ ids: z.array(z.string().max(40)).max(200).optional().describe('消息') }),
  response: z.object({}),
});
