import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * Norms (常模): a shelf of means and standard deviations. A version of a questionnaire carries its own copy of the norms that it uses, so
 * a change of the shelf changes no score.
 */

const readers = staffOf('plans.scales', 'plans.comments', 'form.edit');
const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('form.edit'));

const age = z.number().int().min(0).max(120);
const value = z.number().min(-99_999).max(99_999);

const fields = {
  normname: z.string().trim().min(1, '请填写常模名称').max(50, '名称不超过 50 个字').describe('名称'),
  gender: z.enum(['01', '02']).nullish().describe('性别'),
  agemin: age.nullish().describe('最小年龄'),
  agemax: age.nullish().describe('最大年龄'),
  gradecode: z.string().max(10).nullish().describe('年级'),
  region: z.string().trim().max(50).nullish().describe('地区'),
  mean: value.describe('均值'),
  sd: z.number('请填写标准差').gt(0, '标准差应大于 0').max(99_999).describe('标准差'),
  n: z.number().int().min(1, '样本量应大于 0').max(100_000_000).nullish().describe('样本量'),
  source: z.string().trim().min(2, '请写明来源').max(200, '来源不超过 200 个字').describe('来源'),
  year: z.number().int().min(1900, '年份应为四位数').max(2100, '年份应为四位数').nullish().describe('年份'),
  enabled: flag.default(1).describe('启用'),
};
const areAgesOrdered = ({ agemin, agemax }: { agemin?: number | null | undefined; agemax?: number | null | undefined }) =>
  typeof agemin !== 'number' || typeof agemax !== 'number' || agemin <= agemax;
const agesFault = { path: ['agemax'], message: '最大年龄不能小于最小年龄' };

export const normRow = z.object({
  normid: z.number(),
  quotacode: z.string(),
  quotaname: z.string(),
  formname: z.string(),
  normname: z.string(),
  gender: z.string().nullable(),
  agemin: z.number().nullable(),
  agemax: z.number().nullable(),
  gradecode: z.string().nullable(),
  region: z.string().nullable(),
  mean: z.number(),
  sd: z.number(),
  n: z.number().nullable(),
  source: z.string(),
  year: z.number().nullable(),
  enabled: z.number(),
  /** own: of the caller's institution; above: of an institution above; platform */
  owner: z.enum(['own', 'above', 'platform']),
  insname: z.string(),
  version: z.number(),
});
export type NormRow = z.infer<typeof normRow>;

/** Returns a page of the norms of the caller's institution, of those above and of the platform. */
export const getNormPageList = defineAction({
  name: 'as.m.assess.norm.getNormPageList',
  title: '查询常模',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    keyword: z.string().trim().max(50).optional().describe('名称或来源'),
    quotacode: z.string().max(60).optional().describe('得分'),
    formcode: z.string().max(20).optional().describe('量表'),
    owner: z.enum(['own', 'above', 'platform']).optional().describe('来源'),
  }),
  response: pageOf(normRow),
});

/** Adds a norm of the caller's institution. */
export const insertNorm = defineAction({
  name: 'as.m.assess.norm.insertNorm',
  title: '新增常模',
  allow: writers,
  kind: 'write',
  request: z
    .strictObject({ quotacode: z.string().min(1, '请选择得分').max(60).describe('得分'), ...fields })
    .refine(areAgesOrdered, agesFault),
  response: z.object({ normid: z.number() }),
});

/** Changes a norm of the caller's institution. Versions that copied it keep their numbers. */
export const updateNorm = defineAction({
  name: 'as.m.assess.norm.updateNorm',
  title: '修改常模',
  allow: writers,
  kind: 'write',
  edits: { table: 'norm', key: 'normid' },
  request: z
    .strictObject({
      normid: z.number().int(),
      version: editVersion,
      ...fields,
      normname: fields.normname.optional(),
      mean: fields.mean.optional(),
      sd: fields.sd.optional(),
      source: fields.source.optional(),
      enabled: flag.optional().describe('启用'),
    })
    .refine(areAgesOrdered, agesFault),
  response: z.object({ ...newVersion }),
});

/** Deletes a norm of the caller's institution from the shelf. */
export const deleteNorm = defineAction({
  name: 'as.m.assess.norm.deleteNorm',
  title: '删除常模',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ normid: z.number().int() }),
  response: z.object({}),
});
