import { z } from 'zod';
import { MUserType, Sector } from '#domain/base/enums.ts';
import { anyStaff, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { editVersion, flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { contactFields, ruledFields } from '#features/muser/edit/fields.contract.ts';

/** Calls about institutions, providers and authorities: create, change, move, disable. All act only on institutions below the caller. */

const managers = forTypes(OPERATOR_TYPES, staffOf('service.institutions', 'service.providers'));
const code = z.string().min(1).max(20);

/** The steps of the guided onboarding (开通), in order. */
export const onboardingSteps = ['apps', 'counts', 'accounts', 'qr', 'done'] as const;

export const muserRow = z.object({
  musercode: z.string(),
  username: z.string(),
  insname: z.string(),
  shortname: z.string(),
  musertype: z.string(),
  sector: z.string(),
  parentmusercode: z.string(),
  parentname: z.string(),
  categorylevel: z.number(),
  provincecode: z.string(),
  citycode: z.string(),
  districtcode: z.string(),
  regionname: z.string(),
  address: z.string(),
  /** permanent URL of the logo; '' without one */
  logo: z.string(),
  realname: z.string(),
  phonenumber: z.string(),
  enabled: z.number(),
  expiredate: z.string().nullable(),
  /** 0: more than 30 days left, or no end · 1: ends within 30 days · 2: expired */
  expiring: z.number(),
  abnormalminlevel: z.number(),
  showreportdefault: z.number(),
  mustfactor: z.number(),
  trustdevice: z.number(),
  contractno: z.string(),
  remark: z.string(),
  apps: z.array(z.object({ appid: z.string(), appname: z.string() })),
  childcount: z.number(),
  staffcount: z.number(),
  personcount: z.number(),
  granted: z.number(),
  used: z.number(),
  free: z.number(),
  /** the code of the institution's entry; '' without one */
  clientcode: z.string(),
  loginmode: z.string(),
  /** the current step of the onboarding; null for institutions created without it */
  opening: z.enum(onboardingSteps).nullable(),
  createtime: z.string(),
  version: z.number(),
});
export type MUserRow = z.infer<typeof muserRow>;

const filters = {
  /** name, short name, sign-in name or code */
  keyword: z.string().trim().max(50).optional().describe('关键字'),
  musertype: z.enum(MUserType.codes).optional().describe('类型'),
  musertypes: z.array(z.enum(MUserType.codes)).max(5).optional(),
  sector: z.enum(Sector.codes).optional().describe('行业'),
  enabled: flag.optional().describe('状态'),
  appid: z.string().max(9).optional().describe('应用'),
  /** all institutions below this one, at any depth */
  parentmusercode: z.string().max(20).optional().describe('上级机构'),
  /** 1: ends within 30 days or is expired */
  expiring: flag.optional().describe('即将到期'),
  opening: flag.optional().describe('开通未完成'),
  regioncode: z
    .string()
    .regex(/^\d{6}$/)
    .optional()
    .describe('地区'),
};

/** Lists the institutions below the caller. */
export const getMUserPageList = defineAction({
  name: 'as.m.user.getMUserPageList',
  title: '查询机构',
  allow: forTypes(OPERATOR_TYPES, staffOf('service.institutions', 'service.providers', 'data.details', 'data.counts')),
  kind: 'read',
  request: pageRequest.extend({ ...filters, orderby: sortedBy('insname', 'createtime', 'expiredate', 'enabled', 'musertype') }),
  response: pageOf(muserRow),
});

/** Lists the children of one institution, for trees that load level by level. */
export const getMUserTree = defineAction({
  name: 'as.m.user.getMUserTree',
  title: '查询机构树',
  allow: managers,
  kind: 'read',
  request: z.strictObject({
    /** the parent; absent: the caller's institution */
    parentmusercode: z.string().max(20).optional(),
  }),
  response: z.object({
    self: z.object({ musercode: z.string(), insname: z.string(), musertype: z.string() }),
    /** at most 500, sorted by name */
    children: z.array(
      z.object({
        musercode: z.string(),
        insname: z.string(),
        musertype: z.string(),
        categorylevel: z.number(),
        enabled: z.number(),
        childcount: z.number(),
      }),
    ),
    more: z.number(),
  }),
});

/** What a new institution got from its reference institution. */
const copiedSetup = z.object({
  insname: z.string(),
  appids: z.array(z.string()),
  /** number of chosen stages; 0: all stages of the applications */
  stages: z.number(),
  /** how the new entry identifies persons; '' without an entry */
  loginmode: z.string(),
  rights: z.number(),
  /** rights of the reference institution that the institutions above the new one do not have */
  missingrights: z.number(),
  /** the caller chose none of its own */
  abnormalminlevel: z.number().optional(),
  showreportdefault: z.number().optional(),
});
export type CopiedSetup = z.infer<typeof copiedSetup>;

/** Creates an institution with its account below the caller's institution or below another one in reach. */
export const addMUser = defineAction({
  name: 'as.m.user.addMUser',
  title: '新增机构',
  allow: managers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    ...contactFields,
    ...ruledFields,
    insname: z.string().trim().min(2, '机构名称至少 2 个字').max(64, '机构名称不超过 64 个字').describe('机构名称'),
    musertype: z.enum(['002', '003', '004', '005'], '请选择类型').describe('类型'),
    sector: z.enum(Sector.codes, '请选择行业').describe('行业'),
    parentmusercode: z.string().max(20).optional().describe('上级机构'),
    username: z
      .string()
      .trim()
      .regex(/^[A-Za-z][\w.-]{1,31}$/, '账号以字母开头，2–32 位字母、数字、点、横线或下划线')
      .describe('登录账号'),
    /** upper-case MD5 of the first password, to be changed at the first sign-in; absent: the server generates one */
    pwd: z
      .string()
      .regex(/^[0-9A-F]{32}$/, '密码格式不正确')
      .optional()
      .describe('初始密码'),
    appids: z.array(z.string().length(9)).max(4).optional().describe('应用'),
    /** an institution of which the server copies applications, stages, entry and thresholds */
    frommusercode: z.string().max(20).optional().describe('参照机构'),
  }),
  /** `onetime` is the generated password; only this response contains it. `copied` says what came from the reference institution. */
  response: z.object({ musercode: z.string(), onetime: z.string().optional(), copied: copiedSetup.optional() }),
  cost: 5,
});

/** Deletes an institution without children, persons and staff. Answers 130003 otherwise. */
export const deleteMUser = defineAction({
  name: 'as.m.user.deleteMUser',
  title: '删除机构',
  allow: managers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ musercode: code }),
  response: z.object({}),
});

/** Moves an institution with all institutions below it under another parent. */
export const updateMUserCategory = defineAction({
  name: 'as.m.user.updateMUserCategory',
  title: '调整机构上级',
  allow: managers,
  kind: 'write',
  edits: { table: 'muser', key: 'musercode' },
  sensitive: true,
  request: z.strictObject({ musercode: code, version: editVersion, parentmusercode: code.describe('上级机构') }),
  response: z.object({
    categorycode: z.string(),
    categorylevel: z.number(),
    categorycode0: z.string(),
    categorycode1: z.string(),
    categorycode2: z.string(),
    categorycode3: z.string(),
    categorycode4: z.string(),
    categorycode5: z.string(),
    /** number of moved institutions, including this one */
    moved: z.number(),
  }),
});

/**
 * Enables or disables an institution. Disabling ends its sessions at once, and its open cases pass to the provider's duty staff;
 * institutions below keep working.
 */
export const enableMuser = defineAction({
  name: 'as.m.user.enableMuser',
  title: '启用或停用机构',
  allow: managers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    musercode: code,
    enabled: flag.describe('状态'),
    /** required to disable */
    reason: z.string().trim().max(200).optional().describe('原因'),
  }),
  /** number of open cases that changed their owner */
  response: z.object({ handedover: z.number() }),
});

/** Saves the current step of the onboarding, so that staff can resume it later. */
export const saveOpening = defineAction({
  name: 'as.m.user.saveOpening',
  title: '保存开通进度',
  allow: managers,
  kind: 'write',
  request: z.strictObject({ musercode: code, step: z.enum(onboardingSteps) }),
  response: z.object({}),
});

/** Lists the regions below a region: provinces, cities or counties. */
export const getDistrictList = defineAction({
  name: 'as.m.user.getDistrictList',
  title: '查询行政区划',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({
    /** '' or absent: provinces */
    parentcode: z.string().max(6).optional(),
    level: z.coerce.number().int().min(1).max(3).optional(),
  }),
  response: z.array(
    z.object({
      districtcode: z.string(),
      districtname: z.string(),
      parentcode: z.string(),
      level: z.number(),
      haschild: z.number(),
    }),
  ),
});

/** Exports the institutions of a list as a worksheet. */
export const exportToFile = defineAction({
  name: 'as.m.user.exportToFile',
  title: '导出机构',
  allow: managers,
  kind: 'export',
  request: z.strictObject(filters),
  response: file,
});

/** Removes the second factor of an institution's own account after a lost telephone, and ends its sessions. */
export const resetMUserFactor = defineAction({
  name: 'as.m.user.resetMUserFactor',
  title: '重置机构账号二次验证',
  allow: managers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ musercode: code }),
  response: z.object({}),
});

/**
 * Sets a new one-time password for an institution's own account and ends its sessions. Only this response contains the password.
 * The user must change it at the next sign-in.
 */
export const resetMUserPassword = defineAction({
  name: 'as.m.user.resetMUserPassword',
  title: '重置机构账号密码',
  allow: managers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ musercode: code }),
  response: z.object({ onetime: z.string() }),
  cost: 5,
});
