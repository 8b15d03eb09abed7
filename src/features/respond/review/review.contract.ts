import { z } from 'zod';
import { ReviewKind } from '#domain/exam/review.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { flag } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * 待核对答卷: sheets that no hand-in has closed or that are doubtful, but that may hide a person at risk. Staff look at each within three
 * working days, at most seven days, and write down what they found.
 */

const viewers = staffOf('warning.crisis');

export const reviewRow = z.object({
  reviewid: z.number(),
  examcode: z.string(),
  kind: z.enum(ReviewKind.codes),
  kindname: z.string(),
  /** why the sheet is listed */
  content: readableBy('results', z.string(), ''),
  cuserid: z.string(),
  username: personName(),
  /** class, unit or community */
  belongs: z.string(),
  insname: z.string(),
  planname: z.string(),
  createtime: z.string(),
  duetime: z.string(),
  isoverdue: z.number(),
  donetime: z.string().nullable(),
  donename: z.string(),
  note: z.string(),
  /** the person's open case; null without one */
  warningcode: z.string().nullable(),
});
export type ReviewRow = z.infer<typeof reviewRow>;

/** A page of 待核对答卷, open ones first, the earliest deadline first. Refused for staff who see only their own teams. */
export const getExamReviewPageList = defineAction({
  name: 'as.m.exam.getExamReviewPageList',
  title: '查询待核对答卷',
  allow: viewers,
  kind: 'read',
  request: pageRequest.extend({
    keyword: z.string().trim().max(50).optional().describe('姓名'),
    kind: z.enum(ReviewKind.codes).optional().describe('原因'),
    done: flag.optional().describe('已处理'),
  }),
  response: pageOf(reviewRow),
});

/** Records that staff have looked at a sheet. The first person who finishes it counts; later ones are refused (140001). */
export const finishExamReview = defineAction({
  name: 'as.m.exam.finishExamReview',
  title: '处理待核对答卷',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle')),
  kind: 'write',
  request: z.strictObject({
    reviewid: z.number().int(),
    note: z.string().trim().min(4, '请写明核对结果，至少 4 个字').max(500).describe('核对结果'),
  }),
  response: z.object({}),
});
