import { z } from 'zod';
import { NOTICE_GROUPS } from '#domain/notice/noticeGroup.ts';
import { anyStaff, defineAction } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { personName } from '#contract/fieldAccess.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

const group = z.enum(NOTICE_GROUPS);

/** One line of the caller's messages: all messages about one case, or a single message. Its title names nobody. */
export const noticeRow = z.object({
  /** the newest message of the line */
  id: z.string(),
  /** warning, overdue, followup, task, report, job, approval or system */
  kind: z.string(),
  /** 预警, 任务, 审批 or 系统 */
  group,
  /** the person of the case; '' without a case that the caller sees, and where the message must not name the person */
  username: personName(),
  /** the words of the newest message */
  title: z.string(),
  content: z.string(),
  /** the path of the page to act on; '' without one */
  link: z.string(),
  createtime: z.string(),
  /** null: a message of the line is not read yet */
  readtime: z.string().nullable(),
  /** how often the server has reminded of the unread message */
  remindcount: z.number().int(),
  /** the case of the line; null for a single message */
  warningcode: z.string().nullable(),
  /** how many messages the line stands for, and how many of them are unread */
  count: z.number().int(),
  unread: z.number().int(),
  /** the end of the quiet hours that the line waits for; null: it does not wait */
  waituntil: z.string().nullable(),
});
export type NoticeRow = z.infer<typeof noticeRow>;

/** The number of unread lines of the caller, also for each group. Lines that wait for the end of the quiet hours count apart. */
export const getUnreadCount = defineAction({
  name: 'as.m.notice.getUnreadCount',
  title: '查询未读消息数',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    count: z.number().int(),
    groups: z.record(group, z.number().int()),
    /** unread lines that wait for the end of the quiet hours */
    waiting: z.number().int(),
  }),
});

/** A page of the caller's messages, one line a case: the unread ones first, then the newest. */
export const getNoticePageList = defineAction({
  name: 'as.m.notice.getNoticePageList',
  title: '查询消息',
  allow: anyStaff,
  kind: 'read',
  request: pageRequest.extend({
    unread: z.enum(['0', '1']).optional().describe('只看未读'),
    group: group.optional().describe('分组'),
  }),
  response: pageOf(noticeRow),
});

/** Marks messages of the caller as read: these, those of a case, those of a group, or all of them. */
export const readNotice = defineAction({
  name: 'as.m.notice.readNotice',
  title: '消息标为已读',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    ids: z.array(z.string().max(40)).max(200).optional().describe('消息'),
    warningcode: z.string().max(20).optional().describe('预警编号'),
    group: group.optional().describe('分组'),
  }),
  response: z.object({}),
});

const clock = (title: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${title}应为 00:00–23:59`)
    .describe(title);

/** The quiet hours of the caller's account. */
export const getQuietHours = defineAction({
  name: 'as.m.notice.getQuietHours',
  title: '查询免打扰时段',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  /** `version` 0: the default hours */
  response: z.object({ ison: z.number().int(), quietfrom: z.string(), quietuntil: z.string(), version: z.number() }),
});

/** Changes the quiet hours of the caller's account. A missing field stays as it is. Urgent notices never wait. */
export const updateQuietHours = defineAction({
  name: 'as.m.notice.updateQuietHours',
  title: '修改免打扰时段',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  edits: { table: 'noticequiet', key: { own: 'account', column: 'accountid' } },
  request: z.strictObject({
    version: editVersion,
    ison: z.coerce.number().int().min(0).max(1).optional().describe('免打扰'),
    quietfrom: clock('开始时间').optional(),
    quietuntil: clock('结束时间').optional(),
  }),
  response: z.object(newVersion),
});
