import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/** 停用 and 匿名化 of persons: what remains for a person with exams, who cannot be deleted. */

const keepers = forTypes(
  ['004', '005'],
  staffOf('individual.persons', 'archives.all', 'archives.maternity', 'archives.students', 'archives.workers', 'archives.elders'),
);
const cuserid = z.string().max(20).describe('受测者');

/**
 * Disables a person or enables the person again. A disabled person gets no task, no reminder and no exam; their place in running
 * tasks becomes 免测 and unused counts return. An open case stays with its owner, and its deadlines go on.
 */
export const enableCUser = defineAction({
  name: 'as.m.cuser.enableCUser',
  title: '启用/停用受测者',
  allow: keepers,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z
    .strictObject({
      cuserid,
      enabled: flag.describe('状态'),
      reason: z.string().trim().max(200, '停用原因不超过 200 个字').optional().describe('停用原因'),
    })
    .refine(({ enabled, reason }) => enabled === 1 || Boolean(reason), { path: ['reason'], message: '请填写停用原因' }),
  response: z.object({
    /** running tasks in which the person is now 免测 */
    exempted: z.number(),
    /** the open case that stays; null without one */
    warningcode: z.string().nullable(),
  }),
});

/** The first step of 匿名化: what it would replace, what stays and until when, and whether it is possible. */
export const getAnonymization = defineAction({
  name: 'as.m.cuser.getAnonymization',
  title: '查看匿名化范围',
  allow: keepers,
  kind: 'read',
  request: z.strictObject({ cuserid }),
  response: z.object({
    /** the text that the second step asks for */
    confirmtext: z.string(),
    exams: z.number(),
    guardians: z.number(),
    files: z.number(),
    /** the open case that forbids it; null without one */
    warningcode: z.string().nullable(),
    /** closed cases whose record the law keeps, each with the end of its term */
    cases: z.array(z.object({ warningcode: z.string(), keepuntil: z.string() })),
  }),
});

/**
 * The second step of 匿名化, without a way back: erases names, numbers, contacts, guardians, answers and texts of the person and of
 * the records merged into it. The reason stands in the audit log. Answers 130003 with an open case, and 120002 unless the caller
 * typed `confirmtext` of the first step.
 */
export const anonymizeCUser = defineAction({
  name: 'as.m.cuser.anonymizeCUser',
  title: '匿名化受测者',
  allow: keepers,
  kind: 'write',
  sensitive: true,
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    confirmtext: z.string().trim().max(50).describe('确认文字'),
    reason: z.string().trim().min(5, '请用至少 5 个字说明原因').max(200).describe('匿名化原因'),
  }),
  response: z.object({}),
});
