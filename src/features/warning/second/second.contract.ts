import { z } from 'zod';
import { REQUEST_SUBJECTS, type RequestSubject } from '#domain/warning/decision/secondRequest.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { changed, onCase } from '#features/warning/handling/handling.contract.ts';
import { seconds } from '#features/warning/second/seconds.contract.ts';

/** The requests to a second person: who may answer, asking again, the answer, and the withdrawal. */

const handlers = forTypes(CARE_TYPES, staffOf('warning.handle'));
const subject = z
  .enum(Object.keys(REQUEST_SUBJECTS) as [RequestSubject, ...RequestSubject[]], '请选择复核事项')
  .describe('复核事项');

/** The members of staff who may be the second person of a case, beside the caller. */
export const getSecondList = defineAction({
  name: 'as.m.warning.getSecondList',
  title: '查询可复核人员',
  allow: handlers,
  kind: 'read',
  request: z.strictObject({ warningcode: z.string().max(20), subject }),
  response: z.array(z.object({ userid: z.string(), realname: z.string(), insname: z.string() })),
});

/** Asks a second person again to confirm a recorded exemption or a low conclusion. */
export const askSecond = defineAction({
  name: 'as.m.warning.askSecond',
  title: '申请复核',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ subject: z.enum(['exempt', 'conclusion'], '请选择复核事项').describe('复核事项'), seconds }),
  response: z.object({}),
});

/** Answers a request: the act is done at once, or goes back to the asker. */
export const answerSecondRequest = defineAction({
  name: 'as.m.warning.answerSecondRequest',
  title: '复核',
  allow: handlers,
  kind: 'write',
  request: onCase
    .extend({
      requestid: z.number().int(),
      agreed: flag.describe('复核结果'),
      content: z.string().trim().max(2000, '复核意见不超过 2000 个字').describe('复核意见'),
    })
    .refine(({ agreed, content }) => [...content].length >= (agreed === 1 ? 10 : 2), {
      message: '同意时复核意见不少于 10 个字；退回时请写明原因',
      path: ['content'],
    }),
  response: changed.extend({
    /** 0: the rules no longer allow the act, so it went back to the asker */
    isdone: z.number(),
    /** why the act went back */
    reasons: z.array(z.string()),
  }),
});

/** Withdraws a request of the caller that waits. */
export const withdrawSecondRequest = defineAction({
  name: 'as.m.warning.withdrawSecondRequest',
  title: '撤回复核申请',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ requestid: z.number().int() }),
  response: changed,
});
