import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { earlierImport, importCounts, importEdits, importVerdict, stagedImport } from '#contract/workbook/importJob.ts';

const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('organization.users'));
const which = z.strictObject({ importid: z.uuid().describe('导入') });
const skiperror = z.enum(['0', '1']).default('0');

/** Told once and never kept in the clear: each is good for one sign-in within 24 hours. */
const firstPasswords = z.object({
  created: z.array(z.object({ row: z.number(), realname: z.string(), sysusername: z.string(), onetime: z.string() })),
  validuntil: z.string(),
});
export type FirstPasswords = z.infer<typeof firstPasswords>;
/** `created` is empty when the import is looked at again: the passwords were told when it was carried out. */
const result = importCounts.extend(firstPasswords.shape);
export type StaffImportResult = z.infer<typeof result>;
const staged = stagedImport.extend({ result: result.nullable() });
export type StagedStaff = z.infer<typeof staged>;

/** Checks a sheet of staff and keeps it; nobody is added yet. */
export const checkUserSheet = defineAction({
  name: 'as.m.system.user.checkUserSheet',
  title: '预检用户名单',
  allow: editors,
  kind: 'import',
  request: z.strictObject({}),
  response: staged,
  cost: 5,
});

/** An import as it stands, to go on with it after the page was closed. It belongs to the account that began it. */
export const getUserImport = defineAction({
  name: 'as.m.system.user.getUserImport',
  title: '查看用户导入',
  allow: editors,
  kind: 'read',
  request: which,
  response: staged,
});

/** The account's imports of staff of the last days, newest first. */
export const getUserImportList = defineAction({
  name: 'as.m.system.user.getUserImportList',
  title: '查询用户导入记录',
  allow: editors,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(earlierImport),
});

/** Keeps edits of the grid and answers what the database says now. */
export const saveUserImportEdits = defineAction({
  name: 'as.m.system.user.saveUserImportEdits',
  title: '保存用户导入修改',
  allow: editors,
  kind: 'write',
  request: importEdits,
  response: importVerdict,
});

/**
 * Adds all that was staged or, with `skiperror` '1', the rows without errors; each with an own one-time password. Asked again, it
 * answers what it did the first time, without passwords.
 */
export const commitUserImport = defineAction({
  name: 'as.m.system.user.commitUserImport',
  title: '导入用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: which.extend({ skiperror }),
  response: result,
  cost: 5,
});

/** Takes back what an import added, within 24 hours and before any of them signed in or was changed. */
export const undoUserImport = defineAction({
  name: 'as.m.system.user.undoUserImport',
  title: '撤销用户导入',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: which,
  response: z.object({ users: z.number() }),
});

/** New one-time passwords for those of an import who have never signed in: the list was lost, or a day went by. */
export const renewUserPasswords = defineAction({
  name: 'as.m.system.user.renewUserPasswords',
  title: '重新生成初始密码',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: which,
  response: firstPasswords,
  cost: 5,
});

/** 错误回执: the sheet as it was sent, wrong cells red, with a column of messages. */
export const exportUserImportErrors = defineAction({
  name: 'as.m.system.user.exportUserImportErrors',
  title: '下载用户导入错误回执',
  allow: editors,
  kind: 'export',
  request: which,
  response: file,
});

/** Check and import in one upload. With errors and without `skiperror` nobody is added, and the answer says what is wrong. */
export const importUser = defineAction({
  name: 'as.m.system.user.importUser',
  title: '批量新增用户',
  allow: editors,
  kind: 'import',
  sensitive: true,
  request: z.strictObject({ skiperror }),
  response: result,
  cost: 10,
});
export const exportUserTemplate = defineAction({
  name: 'as.m.system.user.exportUserTemplate',
  title: '下载用户名单模板',
  allow: editors,
  kind: 'export',
  containsNoData: true,
  request: z.strictObject({}),
  response: file,
});
