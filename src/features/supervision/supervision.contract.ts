import { z } from 'zod';
import { SupervisionState, SupervisionStep } from '#domain/supervision/supervision.ts';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * 督办 (decision 0071): an authority asks an institution with the flag 有超时 to settle its overdue duties. The institution answers,
 * the authority accepts or asks again. No text names a person, and the authority reads no count.
 */

const supervisors = forTypes(['003'], staffOf('statistics.school', 'warning.crisis'));
const answerers = forTypes(['004', '005'], staffOf('warning.handle'));

const code = z.string().max(20);
const supervisionid = z.coerce.number().int().positive().describe('督办');
const text = (title: string, most = 500) =>
  z.string().trim().min(5, `${title}不少于 5 个字`).max(most, `${title}不超过 ${most} 个字`).describe(title);

const filters = {
  state: z.enum(SupervisionState.codes).optional().describe('状态'),
  year: z.string().max(9).optional().describe('学年'),
  term: z.string().max(2).optional().describe('学期'),
};

export const supervisionRow = z.object({
  supervisionid: z.number(),
  musercode: z.string(),
  insname: z.string(),
  authorityname: z.string(),
  /** the words with which the authority opened it */
  content: z.string(),
  state: z.enum(SupervisionState.codes),
  /** the last day for the answer */
  duedate: z.string(),
  createtime: z.string(),
  /** of the last answer */
  replytime: z.string().nullable(),
  closetime: z.string().nullable(),
  /** 1: the institution owes an answer since its last day */
  isoverdue: z.number(),
  /** 1: an answer came after its last day */
  islate: z.number(),
});
export type SupervisionRow = z.infer<typeof supervisionRow>;

export const supervisionStep = z.object({
  stepid: z.number(),
  kind: z.enum(SupervisionStep.codes),
  content: z.string(),
  /** the last day that the step sets */
  duedate: z.string().nullable(),
  /** 1: the answer came after its last day */
  islate: z.number(),
  insname: z.string(),
  /** who did it, on the reader's own side; empty for the other side, which reads the institution only */
  operatorname: z.string(),
  time: z.string(),
});
export type SupervisionStepRow = z.infer<typeof supervisionStep>;

const detail = supervisionRow.extend({ steps: z.array(supervisionStep) });

/** The institutions of the region with the flag 有超时 of the nightly count, and whether a 督办 is open. */
export const getSupervisionSchools = defineAction({
  name: 'as.m.supervision.getSupervisionSchools',
  title: '查询有超时的机构',
  allow: supervisors,
  kind: 'read',
  request: z.strictObject({ musercode: code.optional().describe('机构') }),
  response: z.object({
    /** when the flags were counted; null: never */
    datatime: z.string().nullable(),
    schools: z.array(
      z.object({
        musercode: z.string(),
        insname: z.string(),
        /** 1: the flag 有超时 */
        hasoverdue: z.number(),
        /** the open 督办 of the caller's institution; null without one */
        supervisionid: z.number().nullable(),
      }),
    ),
  }),
});

/** The 督办 of the caller's authority, the newest first. */
export const getSupervisionPageList = defineAction({
  name: 'as.m.supervision.getSupervisionPageList',
  title: '查询督办',
  allow: supervisors,
  kind: 'read',
  request: pageRequest.extend({
    ...filters,
    musercode: code.optional().describe('机构'),
    orderby: sortedBy('createtime', 'duedate'),
  }),
  response: pageOf(supervisionRow),
});

/** One 督办 with its steps, for the authority. */
export const getSupervision = defineAction({
  name: 'as.m.supervision.getSupervision',
  title: '查看督办',
  allow: supervisors,
  kind: 'read',
  request: z.strictObject({ supervisionid }),
  response: detail,
});

/** Opens a 督办 for an institution with the flag 有超时. While one is open, the words join it. Answers 140001 without the flag. */
export const insertSupervision = defineAction({
  name: 'as.m.supervision.insertSupervision',
  title: '发起督办',
  allow: supervisors,
  kind: 'write',
  request: z.strictObject({ musercode: code.describe('机构'), content: text('督办要求'), duedate: day.describe('回复期限') }),
  /** `joined` 1: the words joined the open 督办 */
  response: z.object({ supervisionid: z.number(), joined: z.number() }),
});

/** Accepts the answer: 已办结. */
export const closeSupervision = defineAction({
  name: 'as.m.supervision.closeSupervision',
  title: '办结督办',
  allow: supervisors,
  kind: 'write',
  request: z.strictObject({
    supervisionid,
    content: z.string().trim().max(500, '说明不超过 500 个字').default('').describe('说明'),
  }),
  response: z.object({}),
});

/** Asks for another answer, with a reason and a new last day. */
export const returnSupervision = defineAction({
  name: 'as.m.supervision.returnSupervision',
  title: '退回督办',
  allow: supervisors,
  kind: 'write',
  request: z.strictObject({ supervisionid, content: text('退回原因'), duedate: day.describe('回复期限') }),
  response: z.object({}),
});

/** The 督办 of the caller's institution, those to answer first. */
export const getOwnSupervisionPageList = defineAction({
  name: 'as.m.supervision.getOwnSupervisionPageList',
  title: '查询本机构督办',
  allow: answerers,
  kind: 'read',
  request: pageRequest.extend({ ...filters, orderby: sortedBy('createtime', 'duedate') }),
  response: pageOf(supervisionRow),
});

/** One 督办 with its steps, for the institution that answers, with its own numbers of overdue cases. */
export const getOwnSupervision = defineAction({
  name: 'as.m.supervision.getOwnSupervision',
  title: '查看本机构督办',
  allow: answerers,
  kind: 'read',
  request: z.strictObject({ supervisionid }),
  response: detail.extend({
    /** open cases with an overdue duty when the 督办 was opened, and those that the caller sees now */
    overdueatopening: z.number(),
    overduenow: z.number(),
  }),
});

/** Answers a 督办. Answers 120002 at `content` when the text names a person of the institution. */
export const replySupervision = defineAction({
  name: 'as.m.supervision.replySupervision',
  title: '回复督办',
  allow: answerers,
  kind: 'write',
  request: z.strictObject({ supervisionid, content: text('回复') }),
  response: z.object({}),
});
