import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/** 停用 of persons: a person with exams cannot be deleted. features/anonymize has 匿名化. */

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
