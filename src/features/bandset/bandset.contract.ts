import { z } from 'zod';
import { Appid } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';
import { formcode } from '#features/form/form.contract.ts';

/**
 * Bands of scores with their texts. The rows of the definition never change here. All rows of one score, institution, population, gender
 * and age range are a set: it is edited as a draft and switched on as a whole. A set in force is a snapshot; edits do not touch it.
 */

const readers = staffOf('plans.comments', 'plans.scales');
const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('form.edit'));

const optionid = z.number().int().describe('等级行');
const quotacode = z
  .string()
  .regex(/^[A-Z0-9_]{2,20}\.[A-Za-z0-9_]{1,20}$/, '请选择得分')
  .describe('得分');
const limit = (title: string) =>
  z.number(`${title}应为数字`).min(-999_999).max(999_999).multipleOf(0.01, `${title}最多两位小数`).nullable().describe(title);
const text = (title: string, max: number) => z.string().trim().max(max, `${title}不超过 ${max} 个字`).nullish().describe(title);

/** What a writer fills in for one band. */
const optionFields = {
  minscore: limit('下限'),
  maxscore: limit('上限'),
  level: z.number('请选择等级').int().min(0).max(4).describe('等级'),
  levelname: z.string().trim().min(1, '请填写等级名称').max(20, '等级名称不超过 20 个字').describe('等级名称'),
  comment: text('给本人的评语', 1000),
  staffcomment: text('给工作人员的评语', 1000),
  suggestion: text('给本人的建议', 1000),
};
export const bandOption = z.strictObject({ optionid: optionid.optional(), ...optionFields });
export type BandOptionInput = z.input<typeof bandOption>;

/** Whose sheets a set judges; absent or null: everybody's. */
const age = z.number('年龄应为整数').int().min(0).max(120).nullish();
const population = {
  appid: z.enum(Appid.codes).nullish().describe('人群'),
  gender: z.enum(['01', '02']).nullish().describe('性别'),
  agemin: age.describe('最小年龄'),
  agemax: age.describe('最大年龄'),
};

export const quotaOptionRow = z.object({
  /** null: a band of the definition */
  optionid: z.number().nullable(),
  /** definition; above: in force of an institution above; own: of the caller's institution */
  source: z.enum(['definition', 'above', 'own']),
  quotacode: z.string(),
  quotaname: z.string(),
  formcode: z.string(),
  formname: z.string(),
  formversion: z.string(),
  musercode: z.string(),
  insname: z.string(),
  appid: z.string().nullable(),
  gender: z.string().nullable(),
  agemin: z.number().nullable(),
  agemax: z.number().nullable(),
  minscore: z.number().nullable(),
  maxscore: z.number().nullable(),
  /** 1: the upper limit belongs to the next band */
  halfopen: z.number(),
  level: z.number(),
  levelname: z.string(),
  comment: z.string(),
  staffcomment: z.string(),
  suggestion: z.string(),
  ordernum: z.number(),
  /** 1: in force as it stands here */
  enabled: z.number(),
  /** since when the set of the row is in force, also an earlier state of it; null: it is not */
  validfrom: z.string().nullable(),
  /** 1: the row above that this one was copied from has changed since (上级已更新) */
  originchanged: z.number(),
  version: z.number(),
});
export type QuotaOptionRow = z.infer<typeof quotaOptionRow>;

/** Lists the bands of scores: of the definition, in force of the institutions above, and the caller's own with their drafts. */
export const getQuotaFormOptionList = defineAction({
  name: 'as.m.assess.quota.getQuotaFormOptionList',
  title: '查询分级与评语',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    formcode: formcode.optional(),
    quotacode: quotacode.optional(),
    appid: z.string().max(9).optional().describe('人群'),
    keyword: z.string().trim().max(50).optional().describe('关键词'),
  }),
  response: pageOf(quotaOptionRow),
});

/**
 * Adds one band as a draft, or with `options` saves the whole set: it replaces the rows that the caller's institution has for these
 * persons. A set in force stays in force until the new rows are switched on. 120002 names the text and the reason.
 */
export const insertQuotaFormOption = defineAction({
  name: 'as.m.assess.quota.insertQuotaFormOption',
  title: '新增分级与评语',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    quotacode,
    ...population,
    minscore: optionFields.minscore.optional(),
    maxscore: optionFields.maxscore.optional(),
    level: optionFields.level.optional(),
    levelname: optionFields.levelname.optional(),
    comment: optionFields.comment,
    staffcomment: optionFields.staffcomment,
    suggestion: optionFields.suggestion,
    options: z.array(bandOption).min(1, '请至少填写一个等级').max(20, '最多 20 个等级').optional().describe('等级'),
    /** the rows above that these were copied from, in the order of `options` */
    originids: z.array(z.number().int().nullable()).max(20).optional(),
  }),
  response: z.object({ optionid: z.number(), optionids: z.array(z.number()) }),
});

/**
 * Changes one band; a row of an institution above becomes an own copy of its set first. `enabled` 1 checks the set of the row and
 * switches it on as a whole, 0 switches it off. 120002 names the score where the level is too low; `data.faults` lists all.
 */
export const updateQuotaFormOption = defineAction({
  name: 'as.m.assess.quota.updateQuotaFormOption',
  title: '修改分级与评语',
  allow: writers,
  kind: 'write',
  edits: { table: 'quotaformoption', key: 'optionid' },
  request: z.strictObject({
    optionid,
    version: editVersion,
    minscore: optionFields.minscore.optional(),
    maxscore: optionFields.maxscore.optional(),
    level: optionFields.level.optional(),
    levelname: optionFields.levelname.optional(),
    comment: optionFields.comment,
    staffcomment: optionFields.staffcomment,
    suggestion: optionFields.suggestion,
    enabled: flag.optional().describe('启用'),
  }),
  response: z.object({
    optionid: z.number(),
    /** 1: the row is a copy of a row above */
    copied: z.number(),
    ...newVersion,
  }),
});

/** Deletes an own row; with `whole` all rows of its set. Refused (130003) while the set is in force. */
export const deleteQuotaFormOption = defineAction({
  name: 'as.m.assess.quota.deleteQuotaFormOption',
  title: '删除分级与评语',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ optionid, whole: flag.optional() }),
  response: z.object({}),
});
