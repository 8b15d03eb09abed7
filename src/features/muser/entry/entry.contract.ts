import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day, editVersion, flag, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';

/** Calls about the entry of an institution: the page behind its QR code, and the assessment codes that people type there. */

const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('service.institutions'));
const code = z.string().min(1).max(20);

/** 01 测评码 · 02 姓名+手机号 · 03 姓名+学号/工号 · 04 扫码即测 */
export const loginmodes = ['01', '02', '03', '04'] as const;
/** The Chinese label of each mode. */
export const loginmodeLabels: Readonly<Record<(typeof loginmodes)[number], string>> = {
  '01': '测评码',
  '02': '姓名 + 手机号',
  '03': '姓名 + 学号/工号',
  '04': '扫码即测（不记名）',
};

const fields = {
  clienttitle: z.string().trim().min(2, '标题至少 2 个字').max(30, '标题不超过 30 个字').describe('入口标题'),
  loginmode: z.enum(loginmodes, '请选择核对方式').describe('身份核对方式'),
  welcome: z.string().trim().max(500).optional().describe('欢迎语'),
  needguardian: flag.optional().describe('需要监护人同意'),
  needsignature: flag.optional().describe('需要手写签名'),
  hotline: z
    .string()
    .trim()
    .regex(/^([\d、,，\s-]{3,60})?$/, '请填写电话号码，多个以顿号分隔')
    .optional()
    .describe('求助热线'),
  themecolor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, '颜色格式应为 #43a777')
    .optional()
    .describe('主题色'),
  showreport: flag.optional().describe('受测者可看报告'),
  /** the plan of every anonymous visitor (mode 04) */
  plancode: z.string().max(20).nullable().optional().describe('作答方案'),
  stagecode: z.string().max(20).nullable().optional().describe('阶段'),
};
const clientRef = z.object({ clientcode: z.string(), qrcodeurl: z.string() });

/** Returns the entry of an institution, or null without one. */
export const getMUserClient = defineAction({
  name: 'as.m.user.getMUserClient',
  title: '查询机构入口',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('service.institutions', 'account.resetQr')),
  kind: 'read',
  request: z.strictObject({ musercode: code.optional() }),
  response: z
    .object({
      clientcode: z.string(),
      version: z.number(),
      qrcodeurl: z.string(),
      musercode: z.string(),
      clienttitle: z.string(),
      welcome: z.string(),
      loginmode: z.enum(loginmodes),
      needguardian: z.number(),
      needsignature: z.number(),
      hotline: z.string(),
      themecolor: z.string(),
      showreport: z.number(),
      plancode: z.string().nullable(),
      stagecode: z.string().nullable(),
      enabled: z.number(),
    })
    .nullable(),
});

/** Creates the entry of an institution. Answers 130002 if it has one. */
export const createMUserClient = defineAction({
  name: 'as.m.user.createMUserClient',
  title: '新增机构入口',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ musercode: code, ...fields }),
  response: clientRef,
});

/** Changes the settings of an entry. */
export const updateMUserClient = defineAction({
  name: 'as.m.user.updateMUserClient',
  title: '修改机构入口',
  allow: editors,
  kind: 'write',
  edits: { table: 'muserclient', key: 'clientcode' },
  request: z.strictObject({
    ...fields,
    clientcode: z.string().min(1).max(40),
    version: editVersion,
    clienttitle: fields.clienttitle.optional(),
    loginmode: fields.loginmode.optional(),
    enabled: flag.optional().describe('启用'),
  }),
  response: z.object(newVersion),
});

/** Sets a new link for an institution's entry. The old link and its QR code stop working at once. */
export const resetQrCode = defineAction({
  name: 'as.m.user.resetQrCode',
  title: '重置机构二维码',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('account.resetQr')),
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ musercode: code }),
  response: clientRef,
});

/** Exports the QR codes of many institutions as a ZIP of PNGs, 400 × 400 pixels, named `insname_clientcode.png`. */
export const exportToZipFile = defineAction({
  name: 'as.m.user.exportToZipFile',
  title: '批量导出机构二维码',
  allow: forTypes(OPERATOR_TYPES, staffOf('service.institutions', 'service.providers')),
  kind: 'export',
  request: z.strictObject({
    musercodes: z.array(z.string().max(20)).min(1, '请选择机构').max(1000, '一次最多 1000 个机构').describe('机构'),
  }),
  response: file,
});

const issuers = forTypes(NON_AUTHORITY_TYPES, staffOf('grant.institutions'));

/** Creates a batch of assessment codes. Each code freezes a count until a respondent uses the code or staff void it. */
export const insertCUserAssessCode = defineAction({
  name: 'as.m.user.insertCUserAssessCode',
  title: '生成测评码',
  allow: issuers,
  kind: 'write',
  request: z.strictObject({
    musercode: code.optional().describe('机构'),
    appid: z.string().length(9).describe('人群'),
    plancode: z.string().min(1).max(20).describe('方案'),
    stagecode: z.string().max(20).nullable().optional().describe('阶段'),
    qty: z.coerce.number().int().min(1, '数量应为 1–2000').max(2000, '数量应为 1–2000').describe('数量'),
    expiredate: day.nullable().optional().describe('有效期至'),
  }),
  response: z.object({ batchno: z.string(), codes: z.array(z.string()) }),
});

/** Lists the batches of assessment codes of an institution, the newest first. */
export const getAssessCodeBatches = defineAction({
  name: 'as.m.user.getAssessCodeBatches',
  title: '查询测评码批次',
  allow: issuers,
  kind: 'read',
  request: z.strictObject({ musercode: code.optional() }),
  response: z.array(
    z.object({
      batchno: z.string(),
      appid: z.string(),
      plancode: z.string(),
      planname: z.string(),
      expiredate: z.string().nullable(),
      createtime: z.string(),
      total: z.number(),
      unused: z.number(),
      bound: z.number(),
      void: z.number(),
    }),
  ),
});

/** Voids the unused codes of a batch and releases their counts. */
export const voidAssessCodes = defineAction({
  name: 'as.m.user.voidAssessCodes',
  title: '作废测评码',
  allow: issuers,
  kind: 'write',
  request: z.strictObject({ batchno: z.string().min(1).max(30).describe('批次') }),
  response: z.object({ released: z.number() }),
});
