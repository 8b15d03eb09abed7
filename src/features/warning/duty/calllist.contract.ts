import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

/** 待拨清单: short messages and calls to colleagues that staff make by hand. No entry names a respondent. */

const allow = forTypes(CARE_TYPES, staffOf('warning.handle'));

/** The colleagues to reach in the caller's range, each with all waiting entries; at most 100, calls before short messages. */
export const getCallList = defineAction({
  name: 'as.m.warning.getCallList',
  title: '查询待拨清单',
  allow,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(
    z.object({
      callids: z.array(z.number().int()),
      realname: z.string(),
      phonenumber: z.string(),
      kind: z.enum(['sms', 'call']),
      warningcodes: z.array(z.string()),
      insname: z.string(),
      /** since when the colleague waits to be reached */
      createtime: z.string(),
    }),
  ),
});

/** Acknowledges entries: the caller has reached the colleague. */
export const ackCall = defineAction({
  name: 'as.m.warning.ackCall',
  title: '确认已联系',
  allow,
  kind: 'write',
  request: z.strictObject({ callids: z.array(z.number().int().positive()).min(1).max(200).describe('待拨记录') }),
  response: z.object({}),
});
