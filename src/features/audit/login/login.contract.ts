import { z } from 'zod';
import { defineAction, staffOf } from '#contract/action.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, '日期不正确');

const loginRow = z.object({
  id: z.number(),
  time: z.string(),
  accountid: z.string(),
  loginname: z.string(),
  realname: z.string(),
  ok: z.boolean(),
  /** password, second, code, passkey, counter, reset, closed, lapsed; for success '', or passkey */
  reason: z.string(),
  device: z.string(),
  ip: z.string(),
  /** by the range of the address: 本机, 内网, 外网 */
  place: z.string(),
});

/** Lists the sign-ins of the accounts of one institution, also those that failed; the newest first. */
export const getLoginPageList = defineAction({
  name: 'as.m.audit.getLoginPageList',
  title: '查询登录日志',
  allow: staffOf('authority.audit'),
  kind: 'read',
  request: pageRequest.extend({
    /** a part of a name or of a login name */
    keyword: z.string().trim().max(50).optional().describe('姓名/账号'),
    result: z.enum(['0', '1']).optional().describe('结果'),
    begindate: day.optional(),
    enddate: day.optional(),
    /** an institution below, for callers of type 001 or 002; absent: the caller's institution */
    musercode: z.string().max(20).optional().describe('机构'),
  }),
  response: pageOf(loginRow),
});
