import { z } from 'zod';
import { NON_AUTHORITY_TYPES, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { editVersion, flag } from '#contract/field.ts';

/**
 * Rules that raise warnings. Platform rules are the minimum and nobody can change them. An institution adds its own rules for its own
 * persons, tries them on past exams and can disable them again.
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
/** The condition of an institution's rule: all of its clauses, or any of them. */
export const customCond = z.union([z.strictObject({ all: clauses }), z.strictObject({ any: clauses })]).describe('条件');
/** Levels 1 to 3. Only a person or the acute answer of an interview can declare a crisis (4), never a score. */
const warninglevel = z.coerce.number().int().min(1).max(3, '自定义规则不能定为最高等级').describe('预警等级');

/** A rule as a row of the list. */
export const ruleRow = z.object({
  rulecode: z.string(),
  name: z.string(),
  warninglevel: z.number(),
  levelname: z.string(),
  /** 1: a platform rule, which nobody can disable */
  builtin: z.number(),
  enabled: z.number(),
  appid: z.string().nullable(),
  /** the lineage of the only plan whose sheets the rule judges; null: all sheets of the institution */
  plancode: z.string().nullable(),
  planname: z.string(),
  /** 1: a rule of the caller's institution, which it may change */
  own: z.number(),
  /** the condition as text; '' for a platform rule, whose name says it */
  words: z.string(),
  cond: customCond.nullable(),
  remark: z.string(),
  updatetime: z.string().nullable(),
  version: z.number(),
});
export type RuleRow = z.infer<typeof ruleRow>;

/** The platform rules, the rules of the caller's institution, and the rules of plans that institutions above made common. */
export const getWarningRuleList = defineAction({
  name: 'as.m.warning.getWarningRuleList',
  title: '查询预警规则',
  allow: readers,
  kind: 'read',
  request: z.strictObject({
    /** only the rules of this plan */
    plancode: z.string().max(20).optional().describe('方案'),
  }),
  response: z.array(ruleRow),
});

/** The forms that a rule can use, with their scores, levels, questions and alerts. */
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
  /** a plan of the caller's institution: the rule judges the sheets of all who use it, and no others */
  plancode: z.string().max(20).nullish().describe('适用方案'),
  remark: z.string().trim().max(500).default('').describe('说明'),
};
/** Adds a rule to the caller's institution. */
export const insertWarningRule = defineAction({
  name: 'as.m.warning.insertWarningRule',
  title: '新增预警规则',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ ...fields, enabled: flag.default(1).describe('启用') }),
  response: z.object({ rulecode: z.string() }),
});
/** Changes a rule of the caller's institution; 140002 when `version` is outdated. */
export const updateWarningRule = defineAction({
  name: 'as.m.warning.updateWarningRule',
  title: '修改预警规则',
  allow: writers,
  kind: 'write',
  edits: { table: 'warningrule', key: 'rulecode' },
  request: z.strictObject({
    rulecode: z.string().max(20),
    version: editVersion,
    name: fields.name.optional(),
    cond: customCond.optional(),
    warninglevel: warninglevel.optional(),
    appid: fields.appid,
    plancode: fields.plancode,
    remark: z.string().trim().max(500).optional().describe('说明'),
    enabled: flag.optional().describe('启用'),
  }),
  response: z.object({ rulecode: z.string(), version: z.number() }),
});
/** Deletes a rule of the caller's institution. */
export const deleteWarningRule = defineAction({
  name: 'as.m.warning.deleteWarningRule',
  title: '删除预警规则',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ rulecode: z.string().max(20) }),
  response: z.object({}),
});

/** Tries a condition on one exam or on the exams of the last days. The trial opens no case and notifies nobody. */
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
    /** one exam; without it the exams of the last `days` */
    examcode: z.string().max(20).optional().describe('答卷'),
    days: z.coerce.number().int().min(1).max(366).default(180).describe('天数'),
  }),
  response: z.object({
    /** whether any exam meets the condition */
    hit: z.boolean(),
    /** the level of the rule when any exam meets it, otherwise 0 */
    warninglevel: z.number(),
    checked: z.number(),
    hits: z.number(),
    persons: z.number(),
    /** persons that no enabled rule puts at this level or above: the cases that this rule would add */
    more: z.number(),
    samples: z.array(
      z.object({
        examcode: z.string(),
        username: personName(),
        belongs: z.string(),
        submittime: z.string(),
        scores: readableBy('results', z.string(), ''),
        before: readableBy('cases', z.number(), 0),
      }),
    ),
  }),
});
