import { z } from 'zod';
import { MeansStatus, PlanMeans } from '#domain/warning/safetyPlan.ts';
import { day } from '#contract/field.ts';

/** The shape of a safety plan on the wire. An incomplete plan can be saved too; the answer names the missing parts. */

const longText = (title: string) => z.string().trim().max(1000, `${title}不超过 1000 个字`).default('').describe(title);
const shortText = (title: string, max = 50) =>
  z.string().trim().max(max, `${title}不超过 ${max} 个字`).default('').describe(title);
const bit = z.coerce
  .number()
  .int()
  .min(0)
  .max(1)
  .default(0)
  .transform((value) => value as 0 | 1);

/** The fields of a safety plan (domain/warning/safetyPlan.ts). */
export const safetyPlanFields = z.strictObject({
  /** the version with which the form began, 0 without one: 140002 when somebody saved another meanwhile; absent: not asked */
  planversion: z.number().int().min(0).optional().describe('安全计划版本'),
  warningsigns: longText('我的预警信号'),
  coping: longText('我自己能做的事'),
  distractions: longText('让我分心的人和地方'),
  helpers: z
    .array(
      z.strictObject({
        name: shortText('姓名或称呼', 32),
        relation: shortText('关系', 32),
        phonenumber: shortText('电话', 30),
        isadult: bit.describe('成年人'),
        issuspect: bit.describe('疑似伤害来源'),
      }),
    )
    .max(8, '求助的人最多 8 位')
    .default([])
    .describe('我可以求助的人'),
  services: z
    .array(
      z.strictObject({
        name: shortText('名称'),
        phonenumber: shortText('电话', 30),
        hours: shortText('时间'),
      }),
    )
    .max(6, '专业帮助最多 6 项')
    .default([])
    .describe('专业帮助'),
  means: z
    .array(
      z.strictObject({
        kind: z.enum(PlanMeans.codes),
        status: z.enum(MeansStatus.codes).describe('处理情况'),
        keeper: shortText('由谁收好', 32),
        storeddate: day.or(z.literal('')).default('').describe('收好日期'),
        note: shortText('说明', 200),
      }),
    )
    .max(5)
    .refine((rows) => new Set(rows.map(({ kind }) => kind)).size === rows.length, '每类物品只填一行')
    .default([])
    .describe('让环境更安全'),
  importantthings: longText('对我重要的人和事'),
  copies: shortText('副本给谁', 200),
  reviewdate: day
    .or(z.literal(''))
    .nullable()
    .default(null)
    .transform((value) => value || null)
    .describe('复查日'),
});

/** One version of a safety plan. */
export const safetyPlanView = z.object({
  planid: z.number(),
  version: z.number(),
  time: z.string(),
  operatorname: z.string(),
  iscomplete: z.number(),
  /** the missing parts in Chinese */
  gaps: z.array(z.string()),
  warningsigns: z.string(),
  coping: z.string(),
  distractions: z.string(),
  helpers: z.array(
    z.object({
      name: z.string(),
      relation: z.string(),
      phonenumber: z.string(),
      isadult: z.number(),
      issuspect: z.number(),
    }),
  ),
  services: z.array(z.object({ name: z.string(), phonenumber: z.string(), hours: z.string() })),
  means: z.array(
    z.object({
      kind: z.enum(PlanMeans.codes),
      status: z.enum(MeansStatus.codes),
      keeper: z.string(),
      storeddate: z.string(),
      note: z.string(),
    }),
  ),
  importantthings: z.string(),
  copies: z.string(),
  reviewdate: z.string().nullable(),
});
export type SafetyPlanView = z.infer<typeof safetyPlanView>;
