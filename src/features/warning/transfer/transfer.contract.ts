import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

/** The institutions of the platform that can take over a case, by a part of their name. Returns ten at most. */
export const getTransferTargets = defineAction({
  name: 'as.m.warning.getTransferTargets',
  title: '查询平台上的接收机构',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle')),
  kind: 'read',
  request: z.strictObject({
    keyword: z.string().trim().min(2, '请至少输入 2 个字').max(50).describe('机构名称'),
  }),
  response: z.array(z.object({ musercode: z.string(), insname: z.string(), regionname: z.string() })),
});

/** Where a case goes. `islinked` 1: the receiver is on the platform; `linkedcode`: its case, '' until it exists. */
export const transferView = z.object({
  to: z.string(),
  time: z.string(),
  receipttime: z.string().nullable(),
  islinked: z.number(),
  linkedcode: z.string(),
});
/** The institution and the case from which a case came. */
export const originView = z.object({ insname: z.string(), warningcode: z.string(), contact: z.string(), time: z.string() });
