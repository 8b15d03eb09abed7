import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { earlierImport, importCounts, importEdits, importVerdict, stagedImport } from '#contract/workbook/importJob.ts';
import { validdays } from '#features/org/batch/oneTime.contract.ts';

const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('organization.users'));
const importRef = z.strictObject({ importid: z.uuid().describe('导入') });
const skiperror = z.enum(['0', '1']).default('0');

/** The server answers these passwords once and stores only hashes. Each works for one sign-in until `validuntil`. */
const firstPasswords = z.object({
  created: z.array(z.object({ row: z.number(), realname: z.string(), sysusername: z.string(), onetime: z.string() })),
  validuntil: z.string(),
});
export type FirstPasswords = z.infer<typeof firstPasswords>;
/** `created` is empty in later responses: only the call that adds the staff answers the passwords. */
const result = importCounts.extend(firstPasswords.shape);
export type StaffImportResult = z.infer<typeof result>;
const staged = stagedImport.extend({ result: result.nullable() });
export type StagedStaff = z.infer<typeof staged>;

/** Checks a staff list and stores it. It adds nobody yet. */
export const checkUserSheet = defineAction({
  name: 'as.m.system.user.checkUserSheet',
  title: '预检用户名单',
  allow: editors,
  kind: 'import',
  request: z.strictObject({}),
  response: staged,
  cost: 5,
});

/** Returns an import, to continue it after the page was closed. Only the account that began it can read it. */
export const getUserImport = defineAction({
  name: 'as.m.system.user.getUserImport',
  title: '查看用户导入',
  allow: editors,
  kind: 'read',
  request: importRef,
  response: staged,
});

/** Lists the recent staff imports of the caller's account, newest first. */
export const getUserImportList = defineAction({
  name: 'as.m.system.user.getUserImportList',
  title: '查询用户导入记录',
  allow: editors,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(earlierImport),
});

/** Saves edits of the grid and returns the new verdict. */
export const saveUserImportEdits = defineAction({
  name: 'as.m.system.user.saveUserImportEdits',
  title: '保存用户导入修改',
  allow: editors,
  kind: 'write',
  request: importEdits,
  response: importVerdict,
});

/**
 * Adds all staff of an import or, with `skiperror` '1', the rows without errors. Each gets a one-time password. A second call
 * returns the first result without passwords.
 */
export const commitUserImport = defineAction({
  name: 'as.m.system.user.commitUserImport',
  title: '导入用户',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: importRef.extend({ skiperror, validdays }),
  response: result,
  cost: 5,
});

/** Undoes an import within 24 hours, unless one of its users has signed in or was changed. */
export const undoUserImport = defineAction({
  name: 'as.m.system.user.undoUserImport',
  title: '撤销用户导入',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: importRef,
  response: z.object({ users: z.number() }),
});

/** Creates new one-time passwords for users of an import who have never signed in: the list was lost, or the passwords expired. */
export const renewUserPasswords = defineAction({
  name: 'as.m.system.user.renewUserPasswords',
  title: '重新生成初始密码',
  allow: editors,
  kind: 'write',
  sensitive: true,
  request: importRef.extend({ validdays }),
  response: firstPasswords,
  cost: 5,
});

/** 错误回执: returns the uploaded worksheet with red cells and a column of messages. */
export const exportUserImportErrors = defineAction({
  name: 'as.m.system.user.exportUserImportErrors',
  title: '下载用户导入错误回执',
  allow: editors,
  kind: 'export',
  request: importRef,
  response: file,
});

/** Checks and imports a list in one call. A list with errors adds nobody without `skiperror`; the response names the errors. */
export const importUser = defineAction({
  name: 'as.m.system.user.importUser',
  title: '批量新增用户',
  allow: editors,
  kind: 'import',
  sensitive: true,
  request: z.strictObject({ skiperror, validdays }),
  response: result,
  cost: 10,
});

/** Returns the template of a staff list. */
export const exportUserTemplate = defineAction({
  name: 'as.m.system.user.exportUserTemplate',
  title: '下载用户名单模板',
  allow: editors,
  kind: 'export',
  containsNoData: true,
  request: z.strictObject({}),
  response: file,
});
