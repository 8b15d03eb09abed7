import { z } from 'zod';
import { OwnFieldKind, hasOptions } from '#domain/person/ownFields.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';

/** 档案字段: the fields of the archives of a population, those of the product and those of the institution. */

const appid = z.string().max(9);
const managers = forTypes(CARE_TYPES, staffOf('organization.users'));

/** One column or input of an archive. Own columns of an institution have the codes x1–x10. */
export const archiveHead = z.object({
  fieldcode: z.string(),
  fieldname: z.string(),
  kind: z.enum(OwnFieldKind.codes),
  /** 0 fill in, 1 single choice, 2 several choices */
  questiontype: z.number(),
  /** `InputType` of the specification */
  inputtype: z.number(),
  options: z.array(z.object({ code: z.string(), label: z.string() })),
  ordernum: z.number(),
  inlist: z.number(),
  inexport: z.number(),
  insearch: z.number(),
  required: z.number(),
  /** shown on the person's page only, after a reveal; never in a list, filter or sort key */
  sensitive: z.number(),
  own: z.number(),
});
export type ArchiveHead = z.infer<typeof archiveHead>;

/** Lists the fields of the archives of a population, the institution's own last. An empty `appid` lists the fields that all share. */
export const getCUserArchiveHeadList = defineAction({
  name: 'as.m.cuser.getCUserArchiveHeadList',
  title: '查询档案字段',
  allow: { caller: 'staff' },
  kind: 'read',
  request: z.strictObject({
    appid: appid.default(''),
    /** the institution whose own fields are listed; the caller's by default */
    musercode: z.string().max(20).optional().describe('机构'),
  }),
  response: z.array(archiveHead),
});

const ownFieldRow = archiveHead.omit({ questiontype: true, inputtype: true, own: true }).extend({
  fieldid: z.number(),
  version: z.number(),
  appid: z.string(),
  /** 0: hidden */
  enabled: z.number(),
  /** archives with a value */
  used: z.number(),
});
export type OwnFieldRow = z.infer<typeof ownFieldRow>;

/** Lists the own fields of the caller's institution for a population, the hidden ones too. */
export const getArchiveFieldList = defineAction({
  name: 'as.m.cuser.getArchiveFieldList',
  title: '查询自定义档案字段',
  allow: managers,
  kind: 'read',
  request: z.strictObject({ appid }),
  response: z.array(ownFieldRow),
});

const options = z
  .array(
    z.strictObject({
      /** of an option that exists; a new option has none */
      code: z
        .string()
        .regex(/^\d{2}$/)
        .optional(),
      label: z.string().trim().min(1, '请填写选项').max(20, '选项不超过 20 个字'),
    }),
  )
  .max(30, '最多 30 个选项')
  .describe('选项');
const needsOptions = ({ kind, options: given }: { kind: string; options: readonly unknown[] }) =>
  !hasOptions(kind) || given.length >= 2;

const fields = z.strictObject({
  appid: appid.length(9).describe('人群'),
  fieldname: z.string().trim().min(1, '请填写名称').max(20, '名称不超过 20 个字').describe('名称'),
  kind: z.enum(OwnFieldKind.codes, '请选择类型').describe('类型'),
  options: options.default([]),
  ordernum: z.number().int().min(1).max(99).default(10).describe('排序'),
  inlist: flag.default(0).describe('列表中显示'),
  inexport: flag.default(1).describe('导出'),
  insearch: flag.default(0).describe('用于筛选'),
  required: flag.default(0).describe('必填'),
  sensitive: flag.default(0).describe('敏感信息'),
});

/** Adds a field to the archives of a population. 130002: a field or an import column has the name. 140001: there are ten. */
export const insertArchiveField = defineAction({
  name: 'as.m.cuser.insertArchiveField',
  title: '新增档案字段',
  allow: managers,
  kind: 'write',
  request: fields.refine(needsOptions, { path: ['options'], message: '请至少填写两个选项' }),
  response: z.object({ fieldid: z.number(), fieldcode: z.string() }),
});

/** Changes an own field, hides it, or shows it again. The kind stays; an option that archives use is not removed (130003). */
export const updateArchiveField = defineAction({
  name: 'as.m.cuser.updateArchiveField',
  title: '修改档案字段',
  allow: managers,
  kind: 'write',
  edits: { table: 'archivefield', key: 'fieldid' },
  request: z.strictObject({
    fieldid: z.number().int(),
    version: editVersion,
    fieldname: fields.shape.fieldname.optional(),
    options: options.optional(),
    ordernum: fields.shape.ordernum.unwrap().optional().describe('排序'),
    inlist: flag.optional().describe('列表中显示'),
    inexport: flag.optional().describe('导出'),
    insearch: flag.optional().describe('用于筛选'),
    required: flag.optional().describe('必填'),
    sensitive: flag.optional().describe('敏感信息'),
    enabled: flag.optional().describe('状态'),
  }),
  response: z.object({ ...newVersion }),
});

/** Deletes an own field that no archive uses; hides one that archives use. */
export const deleteArchiveField = defineAction({
  name: 'as.m.cuser.deleteArchiveField',
  title: '删除档案字段',
  allow: managers,
  kind: 'write',
  request: z.strictObject({ fieldid: z.number().int() }),
  response: z.object({
    /** 1: the field is hidden and its values stay */
    hidden: z.number(),
  }),
});
