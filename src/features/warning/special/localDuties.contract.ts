import { z } from 'zod';
import { LEAST_CASE_YEARS } from '#domain/warning/clock/caseduty.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';

/** Duties and terms that local rules decide: a setting of the institution with the product's default. */

const rules = forTypes(CARE_TYPES, staffOf('warning.rules'));
const hours = (title: string, max: number) =>
  z.coerce.number(`请填写${title}`).int().min(1, `${title}至少 1 小时`).max(max, `${title}不超过 ${max} 小时`).describe(title);
const fields = {
  /** 1: level 4 is reported to the authority */
  authority: z.coerce.number().int().min(0).max(1).describe('最高等级的个案须向主管部门报告'),
  authorityhours: hours('上报主管部门时限（小时）', 72),
  abusehours: hours('强制报告时限（小时）', 24),
  injuryhours: hours('事故书面报告时限（小时）', 72),
  caseyears: z.coerce
    .number('请填写个案记录保存年限')
    .int()
    .min(LEAST_CASE_YEARS, `个案记录至少保存 ${LEAST_CASE_YEARS} 年`)
    .max(50, '个案记录保存年限不超过 50 年')
    .describe('结案后个案记录保存年限（年）'),
};

/** The local duties of the caller's institution. */
export const getLocalDuties = defineAction({
  name: 'as.m.warning.getLocalDuties',
  title: '查询本地上报规定',
  allow: rules,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    version: z.number(),
    authority: z.number(),
    authorityhours: z.number(),
    abusehours: z.number(),
    injuryhours: z.number(),
    caseyears: z.number(),
  }),
});
/** Changes the local duties of the caller's institution; absent fields stay. Running clocks stay as they are. */
export const updateLocalDuties = defineAction({
  name: 'as.m.warning.updateLocalDuties',
  title: '修改本地上报规定',
  allow: rules,
  kind: 'write',
  edits: { table: 'setting', key: { own: 'institution' }, setting: 'localduties', marks: { authority: 'authorityhours' } },
  request: z.strictObject({ version: editVersion, ...fields }).partial(),
  response: z.object(newVersion),
});
