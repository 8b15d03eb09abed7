import { z } from 'zod';
import { GrantStatus } from '#domain/base/enums.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { day } from '#contract/field.ts';

/** Authorizations of persons (授权): the right to answer a plan, paid with frozen counts of the person's institution. */

const personScreens = [
  'individual.persons',
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
] as const;
const archiveScreens = [
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
] as const;
const authorizers = forTypes(CARE_TYPES, staffOf('grant.persons'));
const cuserid = z.string().min(1).max(20).describe('受测者');

/**
 * Lets persons of one institution answer a plan `total` times. The response names the persons it leaves out: disabled, of another
 * population, too young, too old, or with a live authorization of the same plan and stage. Refuses 150001 without enough counts.
 */
export const authorizeCUserPlan = defineAction({
  name: 'as.m.exam.authorizeCUserPlan',
  title: '授权方案',
  allow: authorizers,
  kind: 'write',
  request: z
    .strictObject({
      cuserids: z.array(cuserid).min(1, '请选择受测者').max(2000, '一次最多 2000 人').describe('受测者'),
      plancode: z.string().min(1, '请选择方案').max(20).describe('方案'),
      stagecode: z.string().max(20).nullable().optional().describe('阶段'),
      total: z.coerce.number().int().min(1, '次数应为 1–12').max(12, '次数应为 1–12').default(1).describe('每人次数'),
      begindate: day.nullable().optional().describe('开始日期'),
      enddate: day.nullable().optional().describe('结束日期'),
    })
    .refine(({ begindate, enddate }) => !begindate || !enddate || begindate <= enddate, {
      message: '结束日期不能早于开始日期',
      path: ['enddate'],
    }),
  response: z.object({
    granted: z.number(),
    skipped: z.number(),
    frozen: z.number(),
    /** the persons left out, at most 500, with the reason */
    exclusions: z.array(z.object({ cuserid: z.string(), username: personName(), reason: z.string() })),
  }),
});

/** All authorizations of a person, the newest first. */
export const getCUserPlan = defineAction({
  name: 'as.m.cuser.getCUserPlan',
  title: '查询个人授权',
  allow: staffOf(...personScreens, ...archiveScreens),
  kind: 'read',
  request: z.strictObject({
    cuserid,
    appid: z.string().max(9).optional(),
    status: z.coerce.number().int().min(GrantStatus.live).max(GrantStatus.expired).optional().describe('状态'),
  }),
  response: z.array(
    z.object({
      cuserplanid: z.number(),
      plancode: z.string(),
      planname: z.string(),
      stagecode: z.string().nullable(),
      stagename: z.string(),
      total: z.number(),
      used: z.number(),
      frozen: z.number(),
      begindate: z.string().nullable(),
      enddate: z.string().nullable(),
      status: z.number(),
      /** '' outside tasks */
      taskname: z.string(),
      /** the person has not started it and it belongs to no task: staff can delete it */
      unused: z.boolean(),
      grantname: z.string(),
      createtime: z.string(),
    }),
  ),
});

/** Deletes authorizations that are not started and returns their counts; all of them or none. */
export const deleteCUserPlan = defineAction({
  name: 'as.m.cuser.deleteCUserPlan',
  title: '删除未使用的授权',
  allow: authorizers,
  kind: 'write',
  request: z.strictObject({
    cuserplanids: z.array(z.coerce.number().int().min(1)).min(1, '请选择授权').max(500).describe('授权'),
  }),
  response: z.object({ deleted: z.number(), released: z.number() }),
});

/** The counts of a person by plan and stage: what the person may answer and has answered. */
export const getCUserStagesAssessCount = defineAction({
  name: 'as.m.exam.getCUserStagesAssessCount',
  title: '查询个人各阶段次数',
  allow: staffOf(...personScreens),
  kind: 'read',
  request: z.strictObject({ cuserid, appid: z.string().max(9).optional() }),
  response: z.array(
    z.object({
      stagecode: z.string(),
      stagename: z.string(),
      plancode: z.string(),
      planname: z.string(),
      total: z.number(),
      used: z.number(),
      frozen: z.number(),
      left: z.number(),
      lastexamtime: z.string().nullable(),
    }),
  ),
});

/** Withdraws the unanswered authorizations of a person outside tasks, and returns the counts to the institution. */
export const clearCUserAssessCount = defineAction({
  name: 'as.m.exam.clearCUserAssessCount',
  title: '清空测评次数',
  allow: authorizers,
  kind: 'write',
  request: z.strictObject({
    cuserid,
    plancode: z.string().max(20).optional().describe('方案'),
    stagecode: z.string().max(20).optional().describe('阶段'),
    reason: z.string().trim().min(2, '请填写清零原因').max(200).describe('原因'),
  }),
  response: z.object({ released: z.number() }),
});
