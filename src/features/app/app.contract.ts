import { z } from 'zod';
import { NON_AUTHORITY_TYPES, anyStaff, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day, editVersion, flag, newVersion } from '#contract/field.ts';
import { pageOf } from '#contract/page.ts';

/** Calls about the applications of an institution and the stages of its assessments. */

const managers = forTypes(OPERATOR_TYPES, staffOf('service.institutions', 'service.providers'));
const planners = staffOf('period.plans', 'plan.edit');
const editors = forTypes(NON_AUTHORITY_TYPES, planners);
const appid = z.string().length(9).describe('应用');

/** Sets the applications of an institution and withdraws all others. */
export const insertMUserApp = defineAction({
  name: 'as.m.app.muser.insertMUserApp',
  title: '授权机构应用',
  allow: managers,
  kind: 'write',
  edits: { table: 'muser', key: 'musercode', marks: { appids: 'apps' } },
  request: z.strictObject({
    musercode: z.string().min(1).max(20).describe('机构'),
    version: editVersion,
    appids: z.array(appid).max(5).describe('应用'),
    begindate: day.nullable().optional().describe('开始日期'),
    enddate: day.nullable().optional().describe('结束日期'),
  }),
  response: z.object(newVersion),
});

const choice = z.strictObject({
  appid,
  /** an empty list grants all stages of the application */
  stagecodes: z.array(z.string().max(12)).max(60).default([]).describe('阶段'),
});
/** Sets the applications of an institution and the stages of each, and withdraws all others. */
export const addAppsAndStages = defineAction({
  name: 'as.m.muser.addAppsAndStages',
  title: '授权应用与阶段',
  allow: managers,
  kind: 'write',
  edits: { table: 'muser', key: 'musercode', marks: { items: 'apps' } },
  request: z.strictObject({
    musercode: z.string().min(1).max(20).describe('机构'),
    version: editVersion,
    items: z.array(choice).max(5).describe('应用与阶段'),
  }),
  response: z.object(newVersion),
});
/** Lists the applications and stages that an institution has. */
export const getAppsAndStages = defineAction({
  name: 'as.m.muser.getAppsAndStages',
  title: '查询应用与阶段授权',
  allow: managers,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().min(1).max(20) }),
  response: z.array(
    z.object({
      appid: z.string(),
      /** of the institution's applications */
      version: z.number(),
      begindate: z.string().nullable(),
      enddate: z.string().nullable(),
      stagecodes: z.array(z.string()),
    }),
  ),
});

/** Lists the assessment categories of one application or of all. */
export const getExamCategoryList = defineAction({
  name: 'as.m.app.getExamCategoryList',
  title: '查询测评类别',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional() }),
  response: z.array(z.object({ categoryid: z.string(), appid: z.string(), categoryname: z.string(), ordernum: z.number() })),
});

/** The rule by which the server proposes a stage: days of gestation, days after delivery, or months of the year. */
export const autorule = z.union([
  z.strictObject({
    kind: z.enum(['gestation', 'afterdelivery']),
    from: z.number().int().min(0).max(400),
    to: z.number().int().min(0).max(400),
  }),
  z.strictObject({ kind: z.literal('months'), months: z.array(z.number().int().min(1).max(12)).min(1).max(12) }),
]);
export type AutoRule = z.infer<typeof autorule>;

export const stageRow = z.object({
  stageid: z.number(),
  version: z.number(),
  /** of the institution's lists of questionnaires of its stages */
  formsversion: z.number(),
  appid: z.string(),
  categoryid: z.string().nullable(),
  stagecode: z.string(),
  stagename: z.string(),
  ordernum: z.number(),
  autorule: autorule.nullable(),
  enabled: z.number(),
  /** the caller's institution made it; no other institution may change it */
  own: z.boolean(),
  /** the institution may use this stage: by a grant, or because it made it */
  chosen: z.boolean(),
  formcount: z.number(),
});
export type StageRow = z.infer<typeof stageRow>;

/** Lists the platform's stages and those of the caller's institution. */
export const getExamStageList = defineAction({
  name: 'as.m.app.exam.getExamStageList',
  title: '查询测评阶段',
  allow: staffOf(
    'plans.library',
    'period.plans',
    'plan.edit',
    'individual.maternity',
    'individual.students',
    'individual.workers',
    'individual.elders',
    'individual.persons',
    'individual.ai',
    'individual.maternity1',
    'archives.all',
    'archives.maternity',
    'archives.students',
    'archives.workers',
    'archives.elders',
    'service.institutions',
    'service.providers',
  ),
  kind: 'read',
  request: z.strictObject({
    /** without a page number the response is the whole list */
    page: z.coerce.number().int().min(1).optional(),
    pageSize: z.coerce.number().int().min(1).max(200).optional(),
    appid: z.string().max(9).optional(),
    categoryid: z.string().max(9).optional(),
    enabled: flag.optional(),
  }),
  response: z.union([z.array(stageRow), pageOf(stageRow)]),
});

/** Lists the stages that the institution may use, by application and category. */
export const getExamStageListGroupByAppidCategoryid = defineAction({
  name: 'as.m.app.exam.getExamStageListGroupByAppidCategoryid',
  title: '按应用与类别查询阶段',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional() }),
  response: z.array(
    z.object({
      appid: z.string(),
      appname: z.string(),
      categories: z.array(z.object({ categoryid: z.string(), categoryname: z.string(), stages: z.array(stageRow) })),
    }),
  ),
});

const stageFields = {
  categoryid: z.string().max(9).nullable().optional().describe('类别'),
  stagename: z.string().trim().min(1, '请填写阶段名称').max(20, '阶段名称不超过 20 个字').describe('阶段名称'),
  ordernum: z.coerce.number().int().min(0).max(999).optional().describe('顺序'),
  autorule: autorule.nullable().optional().describe('自动阶段规则'),
};
/** Creates a stage of the caller's institution. Answers 130002 for a code that the institution or the platform uses. */
export const insertExamStage = defineAction({
  name: 'as.m.app.exam.insertExamStage',
  title: '新增测评阶段',
  allow: editors,
  kind: 'write',
  request: z.strictObject({
    appid,
    stagecode: z
      .string()
      .trim()
      .regex(/^\w{2,12}$/, '阶段编码为 2–12 位字母、数字或下划线')
      .describe('阶段编码'),
    ...stageFields,
  }),
  response: z.object({ stageid: z.number() }),
});
/** Changes a stage of the caller's institution. Absent fields stay unchanged. */
export const updateExamStage = defineAction({
  name: 'as.m.app.exam.updateExamStage',
  title: '修改测评阶段',
  allow: editors,
  kind: 'write',
  edits: { table: 'examstage', key: 'stageid' },
  request: z.strictObject({
    stageid: z.number().int(),
    version: editVersion,
    ...stageFields,
    stagename: stageFields.stagename.optional(),
    enabled: flag.optional().describe('启用'),
  }),
  response: z.object(newVersion),
});
/** Deletes a stage of the caller's institution. Answers 130003 while a plan, task or exam uses the stage. */
export const deleteExamStage = defineAction({
  name: 'as.m.app.exam.deleteExamStage',
  title: '删除测评阶段',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ stageid: z.number().int() }),
  response: z.object({}),
});

const stageForm = z.object({ formcode: z.string(), formname: z.string(), ordernum: z.number(), required: z.number() });
/** Lists the questionnaires of a stage for the caller's institution. */
export const getExamStageForms = defineAction({
  name: 'as.m.app.exam.getExamStageForms',
  title: '查询阶段量表',
  allow: planners,
  kind: 'read',
  request: z.strictObject({ stageid: z.coerce.number().int() }),
  response: z.array(stageForm),
});
/** Sets the questionnaires of a stage. For a platform stage the list applies to the caller's institution only. */
export const updateExamStageForms = defineAction({
  name: 'as.m.app.exam.updateExamStageForms',
  title: '设置阶段量表',
  allow: editors,
  kind: 'write',
  edits: { table: 'muser', key: { own: 'institution' }, marks: ({ stageid }) => ({ forms: `stageforms ${stageid}` }) },
  request: z.strictObject({
    stageid: z.number().int(),
    version: editVersion,
    forms: z
      .array(
        z.strictObject({
          formcode: z.string().min(1).max(20),
          ordernum: z.number().int().min(1).max(99),
          required: z.number().int().min(0).max(1).default(1),
        }),
      )
      .max(20)
      .describe('量表'),
  }),
  response: z.object(newVersion),
});
/** Removes questionnaires from a stage. For a platform stage the change applies to the caller's institution only. */
export const deleteExamStageForms = defineAction({
  name: 'as.m.app.exam.deleteExamStageForms',
  title: '移除阶段量表',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ stageid: z.number().int(), formcodes: z.array(z.string().max(20)).min(1).max(20) }),
  response: z.object({}),
});
