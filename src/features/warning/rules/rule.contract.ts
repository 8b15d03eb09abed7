import { z } from 'zod';
import { NON_AUTHORITY_TYPES, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/**
 * Rules that raise warnings. The platform's are the floor: they are read here and changed nowhere. An institution adds its own for
 * its own persons, tries them on past answers before it uses them, and may switch them off again.
 */

const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('warning.rules', 'warning.crisis'));
const writers = forTypes(CARE_TYPES, staffOf('warning.rules'));

const form = z
  .string()
  .regex(/^[A-Z0-9_]{2,20}$/, '请选择量表')
  .describe('量表');
const code = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,20}$/, '请选择项目')
  .describe('项目');
const value = z.number('请填写数值').min(-999).max(9999).describe('数值');
const clause = z.union([
  z.strictObject({ form, score: code, gte: value.optional(), lte: value.optional() }),
  z.strictObject({ form, level: code, gte: z.number().int().min(1).max(4).describe('等级') }),
  z.strictObject({ form, item: code, gte: value }),
  z.strictObject({ form, alert: code }),
  z.strictObject({
    delta: z.strictObject({ form, score: code, days: z.number().int().min(1).max(366).describe('天数') }),
    gte: value,
  }),
]);
const clauses = z.array(clause).min(1, '请至少添加一个条件').max(8, '最多 8 个条件').describe('条件');
export const customCond = z.union([z.strictObject({ all: clauses }), z.strictObject({ any: clauses })]).describe('条件');
/** 4 is not among them: a crisis is declared by a person or by the acute answer of an interview, never by a score. */
const warninglevel = z.coerce.number().int().min(1).max(3, '自定义规则最高为 3 级').describe('预警等级');

export const ruleRow = z.object({
  rulecode: z.string(),
  name: z.string(),
  warninglevel: z.number(),
  levelname: z.string(),
  /** 1: the platform's, which nobody can switch off */
  builtin: z.number(),
  enabled: z.number(),
  appid: z.string().nullable(),
  /** the condition in words; of the platform's the name says it */
  words: z.string(),
  cond: customCond.nullable(),
  remark: z.string(),
  updatetime: z.string().nullable(),
  version: z.number(),
});
export type RuleRow = z.infer<typeof ruleRow>;

export const getWarningRuleList = defineAction({
  name: 'as.m.warning.getWarningRuleList',
  title: '查询预警规则',
  allow: readers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(ruleRow),
});

/** Forms a rule can ask about: their scores, whether these have levels, their questions and their alerts. */
export const getWarningRuleForms = defineAction({
  name: 'as.m.warning.getWarningRuleForms',
  title: '查询规则可用量表',
  allow: writers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(
    z.object({
      form: z.string(),
      title: z.string(),
      scores: z.array(
        z.object({ c: z.string(), n: z.string(), levels: z.array(z.object({ level: z.number(), label: z.string() })) }),
      ),
      items: z.array(z.object({ c: z.string(), t: z.string() })),
      alerts: z.array(z.object({ c: z.string(), msg: z.string() })),
    }),
  ),
});

const fields = {
  name: z.string().trim().min(2, '请填写规则名称').max(50, '规则名称不超过 50 个字').describe('规则名称'),
  cond: customCond,
  warninglevel,
  appid: z.string().max(9).nullish().describe('适用人群'),
  remark: z.string().trim().max(500).default('').describe('说明'),
};
export const insertWarningRule = defineAction({
  name: 'as.m.warning.insertWarningRule',
  title: '新增预警规则',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ ...fields, enabled: flag.default(1).describe('启用') }),
  response: z.object({ rulecode: z.string() }),
});
export const updateWarningRule = defineAction({
  name: 'as.m.warning.updateWarningRule',
  title: '修改预警规则',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    rulecode: z.string().max(20),
    version: z.number().int().optional(),
    name: fields.name.optional(),
    cond: customCond.optional(),
    warninglevel: warninglevel.optional(),
    appid: fields.appid,
    remark: z.string().trim().max(500).optional().describe('说明'),
    enabled: flag.optional().describe('启用'),
  }),
  response: z.object({ rulecode: z.string(), version: z.number() }),
});
export const deleteWarningRule = defineAction({
  name: 'as.m.warning.deleteWarningRule',
  title: '删除预警规则',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ rulecode: z.string().max(20) }),
  response: z.object({}),
});

/** Tries a condition on one sheet or on the sheets of the last days. Raises nothing and tells nobody. */
export const testWarningRule = defineAction({
  name: 'as.m.warning.testWarningRule',
  title: '试运行预警规则',
  allow: writers,
  kind: 'read',
  cost: 5,
  request: z.strictObject({
    cond: customCond,
    warninglevel: warninglevel.default(2),
    appid: z.string().max(9).nullish().describe('适用人群'),
    /** one sheet; without it those of the last `days` */
    examcode: z.string().max(20).optional().describe('答卷'),
    days: z.coerce.number().int().min(1).max(366).default(180).describe('天数'),
  }),
  response: z.object({
    /** whether any sheet meets the condition */
    hit: z.boolean(),
    /** what the rule adds: its level when it hits, else 0 */
    warninglevel: z.number(),
    checked: z.number(),
    hits: z.number(),
    persons: z.number(),
    /** persons no rule in use calls for at this level or above: the cases this rule would have added */
    more: z.number(),
    samples: z.array(
      z.object({
        examcode: z.string(),
        username: z.string(),
        belongs: z.string(),
        submittime: z.string(),
        scores: z.string(),
        before: z.number(),
      }),
    ),
  }),
});
