import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { flag } from '#contract/field.ts';

/** One person, one record: sheets that were handed in for the wrong person (supplement-people-statistics.md, section 5). */

const movers = forTypes(CARE_TYPES, staffOf('report.edit'));
const examcode = z.string().max(20);
const reason = z.string().trim().min(5, '请用至少 5 个字说明依据').max(200).describe('更正依据');
const moved = z.object({
  moveid: z.number(),
  /** 1: a second person must agree first, because the sheet has an alert or a level of 3 or above */
  waits: z.number(),
});

/** Lists the submitted sheets of a person and the corrections that concern the person, the newest first. */
export const getExamMoveList = defineAction({
  name: 'as.m.exam.getExamMoveList',
  title: '查看可更正的答卷',
  allow: movers,
  kind: 'read',
  request: z.strictObject({ cuserid: z.string().max(20).describe('受测者') }),
  response: z.object({
    exams: z.array(
      z.object({
        examcode: z.string(),
        planname: z.string(),
        plancode: z.string(),
        taskcode: z.string().nullable(),
        taskname: z.string(),
        submittime: z.string(),
      }),
    ),
    moves: z.array(
      z.object({
        moveid: z.number(),
        /** 01 moved, 02 swapped */
        kind: z.enum(['01', '02']),
        /** 01 waits for a second person, 02 done, 03 returned */
        status: z.enum(['01', '02', '03']),
        examcode: z.string(),
        planname: z.string(),
        submittime: z.string(),
        fromname: personName(),
        toname: personName(),
        reason: z.string(),
        askname: z.string(),
        asktime: z.string(),
        answername: z.string(),
        answer: z.string(),
        /** 1: the caller may agree or return it */
        cananswer: z.number(),
      }),
    ),
  }),
});

/**
 * Moves a submitted sheet to the person who answered it: scores, report, counts, roster and warnings follow in one transaction. The case
 * that it had opened stays open. Answers 140001 when the person has a sheet in the same task already.
 */
export const moveExam = defineAction({
  name: 'as.m.exam.moveExam',
  title: '更正答卷归属',
  allow: movers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    examcode: examcode.describe('答卷'),
    cuserid: z.string().max(20).describe('实际作答者'),
    reason,
  }),
  response: moved,
});

/** Swaps two submitted sheets of one plan and task between their persons. Counts do not move. */
export const swapExam = defineAction({
  name: 'as.m.exam.swapExam',
  title: '互换两份答卷',
  allow: movers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    examcode: examcode.describe('答卷'),
    otherexamcode: examcode.describe('另一份答卷'),
    reason,
  }),
  response: moved,
});

/** A second person agrees to a correction, which is then done, or returns it. */
export const answerExamMove = defineAction({
  name: 'as.m.exam.answerExamMove',
  title: '复核答卷更正',
  allow: movers,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({
      moveid: z.number().int(),
      agreed: flag.describe('结论'),
      content: z.string().trim().max(200).default('').describe('说明'),
    })
    .refine(({ agreed, content }) => agreed === 1 || content.length >= 5, {
      path: ['content'],
      message: '请用至少 5 个字说明退回原因',
    }),
  response: z.object({ status: z.enum(['02', '03']) }),
});
