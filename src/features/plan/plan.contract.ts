import { z } from 'zod';
import { NON_AUTHORITY_TYPES, anyStaff, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day, editVersion, flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * Plans (方案): the questionnaires of an exam, their order and their stages. The content of a used plan never changes; changing it
 * creates the next version of its lineage.
 */

const plancode = z.string().max(20).describe('方案');

export const planRow = z.object({
  plancode: z.string(),
  planname: z.string(),
  appid: z.string(),
  categoryid: z.string().nullable(),
  categoryname: z.string(),
  musercode: z.string(),
  insname: z.string(),
  iscommon: z.number(),
  status: z.number(),
  retestdays: z.number().nullable(),
  reportmode: z.string(),
  price: z.number(),
  introduce: z.string(),
  validbegin: z.string().nullable(),
  validend: z.string().nullable(),
  copyfrom: z.string().nullable(),
  /** the lineage: the code of its first version */
  planroot: z.string(),
  lineageno: z.number(),
  /** the version that replaced this one; null: this is the newest */
  supersededby: z.string().nullable(),
  reporttemplatecode: z.string().nullable(),
  forms: z.array(
    z.object({ formcode: z.string(), formname: z.string(), ordernum: z.number(), required: z.number(), stagecode: z.string() }),
  ),
  stages: z.array(z.object({ stagecode: z.string(), stagename: z.string() })),
  /** the minutes of all its questionnaires together */
  minutes: z.number(),
  itemcount: z.number(),
  /** the number of persons that have the plan and are visible to the caller */
  usedcount: z.number(),
  /** this version was used: its content cannot change any more */
  locked: z.boolean(),
  /** who published forms that only the floor rule reads, when and why; null when rules read every form */
  acknowledgement: z.object({ name: z.string(), time: z.string(), content: z.string() }).nullable(),
  /** the caller's institution owns it and may change it */
  own: z.boolean(),
  version: z.number(),
  createtime: z.string(),
});
export type PlanRow = z.infer<typeof planRow>;

const planOrder = sortedBy('planname', 'createtime', 'price', 'status');
const filters = {
  appid: z.string().max(9).optional().describe('人群'),
  keyword: z.string().trim().max(50).optional().describe('方案名称'),
  status: flag.optional().describe('状态'),
  iscommon: flag.optional().describe('公共方案'),
};

/** Returns a page of the plans that an institution can use. */
export const getMUserExamPlanPage = defineAction({
  name: 'as.m.exam.plan.getMUserExamPlanPage',
  title: '查询方案',
  allow: staffOf(
    'plans.library',
    'individual.maternity',
    'individual.students',
    'individual.workers',
    'individual.elders',
    'individual.persons',
    'group.tasks',
  ),
  kind: 'read',
  request: pageRequest.extend({
    ...filters,
    orderby: planOrder,
    categoryid: z.string().max(20).optional().describe('分类'),
    /** one version, also a former one; without it the newest versions */
    plancode: z.string().max(20).optional().describe('方案'),
    /** the institution that uses the plans; without it the caller's own */
    musercode: z.string().max(20).optional().describe('机构'),
  }),
  response: pageOf(planRow),
});

/** Returns a page of the plans that all of these institutions can use. */
export const getMultipleMUserExamPlanPage = defineAction({
  name: 'as.m.exam.plan.getMultipleMUserExamPlanPage',
  title: '查询多个机构都能使用的方案',
  allow: forTypes(OPERATOR_TYPES, staffOf('plans.library', 'service.institutions')),
  kind: 'read',
  request: pageRequest.extend({
    ...filters,
    orderby: planOrder,
    musercodes: z.array(z.string().max(20)).min(1).max(200).describe('机构'),
  }),
  response: pageOf(planRow),
});

const planForm = z.strictObject({
  formcode: z.string().max(20).describe('量表'),
  ordernum: z.number().int().min(1).max(50).optional(),
  required: z.number().int().min(0).max(1).default(1),
  /** the only stage with this questionnaire; empty: every stage */
  stagecode: z.string().max(10).default(''),
});

const planFields = {
  planname: z.string().trim().min(1, '请填写方案名称').max(50, '方案名称不超过 50 个字').describe('方案名称'),
  categoryid: z.string().max(20).nullish().describe('分类'),
  forms: z.array(planForm).min(1, '请至少选择一份量表').max(20, '一个方案最多 20 份量表').describe('量表'),
  stagecodes: z.array(z.string().max(10)).max(20).default([]).describe('阶段'),
  retestdays: z.number().int().min(1).max(366).nullish().describe('复测间隔（天）'),
  reportmode: z.enum(['01', '02', '03']).default('01').describe('报告形式'),
  /** the template of a custom report: required with report mode 03, and only then stored */
  reporttemplatecode: z.string().max(20).nullish().describe('报告模板'),
  validbegin: day.nullish().describe('启用日期'),
  validend: day.nullish().describe('停用日期'),
  price: z.number().int().min(0).max(100_000_00).default(0).describe('价格（分）'),
  introduce: z.string().trim().max(500, '说明不超过 500 个字').nullish().describe('说明'),
  /** the words with which the caller publishes forms that only the floor rule R00 reads; refused (120002) without them */
  acknowledgement: z
    .string()
    .trim()
    .min(10, '请至少写 10 个字')
    .max(200, '不超过 200 个字')
    .optional()
    .describe('无专门预警规则的知情确认'),
};

/** Adds a plan. Refused (150002) if a questionnaire must not be used yet; `data.forms` lists the reasons. */
export const insertMUserExamPlan = defineAction({
  name: 'as.m.exam.plan.insertMUserExamPlan',
  title: '新增方案',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('plan.edit')),
  kind: 'write',
  request: z.strictObject({
    appid: z.string().length(9).describe('人群'),
    ...planFields,
    /** the owner, an institution below the caller; without it the caller's own */
    musercode: z.string().max(20).optional().describe('机构'),
    iscommon: flag.optional().describe('公共方案'),
    copyfrom: z.string().max(20).optional(),
  }),
  response: z.object({ plancode: z.string() }),
});

/**
 * Changes a plan. If the content of a used plan changes, it creates a new version of its lineage and `copied` is true: content is forms,
 * stages, re-test days and report. Running tasks keep the version that they have.
 */
export const updateMUserExamPlan = defineAction({
  name: 'as.m.exam.plan.updateMUserExamPlan',
  title: '修改方案',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('plan.edit')),
  kind: 'write',
  edits: { table: 'plan', key: 'plancode' },
  request: z.strictObject({
    plancode,
    version: editVersion,
    planname: planFields.planname.optional(),
    categoryid: planFields.categoryid,
    forms: planFields.forms.optional(),
    stagecodes: z.array(z.string().max(10)).max(20).optional().describe('阶段'),
    retestdays: planFields.retestdays,
    reportmode: z.enum(['01', '02', '03']).optional().describe('报告形式'),
    reporttemplatecode: planFields.reporttemplatecode,
    validbegin: planFields.validbegin,
    validend: planFields.validend,
    price: z.number().int().min(0).max(100_000_00).optional().describe('价格（分）'),
    introduce: planFields.introduce,
    acknowledgement: planFields.acknowledgement,
    status: z.number().int().min(0).max(1).optional().describe('状态'),
    iscommon: flag.optional().describe('公共方案'),
    /** 1: unused authorizations and codes outside tasks move to the new version */
    movegrants: flag.optional().describe('转到新版本'),
  }),
  response: z.object({ plancode: z.string(), copied: z.boolean() }),
});

/** Deletes a plan that was never used. */
export const deleteMUserExamPlan = defineAction({
  name: 'as.m.exam.plan.deleteMUserExamPlan',
  title: '删除方案',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('plan.edit')),
  kind: 'write',
  request: z.strictObject({ plancode }),
  response: z.object({}),
});

/** Makes a plan common or not: every institution below the owner can use a common plan. Only the owner may call it. */
export const updatePlanIsCommon = defineAction({
  name: 'as.m.exam.plan.updatePlanIsCommon',
  title: '设为公共方案',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('plan.edit')),
  kind: 'write',
  request: z.strictObject({ plancode, iscommon: flag }),
  response: z.object({}),
});

/** Returns the questionnaires of a plan in their order. */
export const getPlanForm = defineAction({
  name: 'as.m.exam.plan.getPlanForm',
  title: '查询方案量表',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ plancode, stagecode: z.string().max(10).optional() }),
  response: z.array(
    z.object({ formcode: z.string(), formname: z.string(), ordernum: z.number(), required: z.number(), stagecode: z.string() }),
  ),
});

/** Returns the stages of a plan in their order. */
export const getPlanStage = defineAction({
  name: 'as.m.exam.plan.getPlanStage',
  title: '查询方案阶段',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ plancode }),
  response: z.array(z.object({ stagecode: z.string(), stagename: z.string(), ordernum: z.number() })),
});

/** Returns a questionnaire in the form that respondents read. Only staff who may edit questionnaires get the scores of the options. */
export const getPlanFormDetails = defineAction({
  name: 'as.m.exam.plan.getPlanFormDetails',
  title: '查看方案量表内容',
  allow: staffOf('plans.library', 'plans.scales'),
  kind: 'read',
  request: z.strictObject({ plancode, formcode: z.string().max(20).describe('量表') }),
  response: z.object({
    form: z.object({
      formcode: z.string(),
      formname: z.string(),
      formtype: z.string(),
      tier: z.string(),
      itemcount: z.number(),
      minutes: z.number(),
      agemin: z.number().nullable(),
      agemax: z.number().nullable(),
      recall: z.string(),
      introduce: z.string(),
      citation: z.string(),
    }),
    version: z.string(),
    questions: z.array(
      z.object({
        no: z.number(),
        title: z.string(),
        questiontype: z.number(),
        inputtype: z.number().nullable(),
        required: z.number(),
        options: z.array(z.object({ optioncode: z.string(), label: z.string(), score: z.number().nullish() })),
      }),
    ),
    quotas: z.array(
      z.object({
        quotacode: z.string(),
        quotaname: z.string(),
        minscore: z.number().nullable(),
        maxscore: z.number().nullable(),
      }),
    ),
    licencetext: z.string(),
  }),
});

export const planFormInfo = z.object({
  formcode: z.string(),
  formname: z.string(),
  formtype: z.string(),
  itemcount: z.number(),
  minutes: z.number(),
  required: z.number(),
  ordernum: z.number(),
  agemin: z.number().nullable(),
  agemax: z.number().nullable(),
  licenceok: z.boolean(),
  /** the reasons against its use */
  reasons: z.array(z.string()),
});

/** Returns the questionnaires of a plan with the state of their licences. */
export const getFormInfoByPlanCode = defineAction({
  name: 'as.m.assess.getFormInfoByPlanCode',
  title: '查询方案所含量表',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({
    plancode,
    stagecode: z.string().max(10).optional(),
    /** the institution whose licences count; without it the caller's own */
    musercode: z.string().max(20).optional(),
  }),
  response: z.array(planFormInfo),
});
