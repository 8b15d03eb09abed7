import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

/**
 * Declares a submitted sheet void (作废): its report and scores leave every list, its unit comes back once, and the person answers again
 * while the task runs. A case that it opened stays open, and its owner is told. Answers 140001 for a sheet that is not submitted.
 */
export const voidExam = defineAction({
  name: 'as.m.exam.voidExam',
  title: '作废答卷',
  allow: forTypes(CARE_TYPES, staffOf('report.edit')),
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    examcode: z.string().min(1).max(20).describe('答卷'),
    reason: z.string().trim().min(5, '请用至少 5 个字说明作废原因').max(200).describe('作废原因'),
  }),
  response: z.object({
    /** 1: one unit came back; 0: none had been charged */
    returned: z.number(),
    /** 1: the person can answer the task again */
    canretest: z.number(),
    /** cases of the sheet that are still open */
    opencases: z.number(),
  }),
});
