import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import {
  earlierImport,
  importCounts,
  importEdits,
  importVerdict,
  personKinds,
  stagedImport,
} from '#contract/workbook/importJob.ts';

const rosterEditors = forTypes(CARE_TYPES, staffOf('roster.edit'));
const archiveEditors = forTypes(CARE_TYPES, staffOf('archive.import'));
/** Only the account that started an import can open it. */
const importers = forTypes(CARE_TYPES, staffOf('roster.edit', 'archive.import'));
const code = z.string().max(20);
const flag = z.enum(['0', '1']);

const options = {
  /** the institution of the new persons; default: the caller's own */
  musercode: code.optional(),
  appid: z.string().length(9).optional(),
  /** school year of a team whose row has none */
  year: z.string().trim().max(20).optional(),
  /** '0': the import may not create teams */
  createteam: flag.optional(),
  /** the team that all persons of the sheet join; the sheet then needs no column for it */
  teamcode: code.optional(),
};

const verdict = importVerdict.extend({
  teams: z.array(
    z.object({
      teamname: z.string(),
      year: z.string(),
      existing: z.boolean(),
      count: z.number(),
      /** members of the team who are not in the worksheet; they stay members */
      unlisted: z.number(),
    }),
  ),
});
export type RosterVerdict = z.infer<typeof verdict>;

const result = importCounts.extend({
  created: z.number(),
  joined: z.number(),
  moved: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  teams: z.array(z.object({ teamcode: z.string(), teamname: z.string(), created: z.boolean(), count: z.number() })),
});
export type RosterResult = z.infer<typeof result>;

const staged = stagedImport.extend({
  kind: z.enum(personKinds),
  year: z.string(),
  createteam: flag,
  verdict,
  result: result.nullable(),
});
export type StagedRoster = z.infer<typeof staged>;

/** Stores and checks a roster of teams; it adds no rows yet. */
export const checkAssessTeamRoster = defineAction({
  name: 'as.m.assess.checkAssessTeamRoster',
  title: '预检团体名单',
  allow: rosterEditors,
  kind: 'import',
  request: z.strictObject(options),
  response: staged,
  cost: 5,
});

/** Stores and checks a student register; it adds no rows yet. */
export const checkZLBCUserFromExcel = defineAction({
  name: 'as.m.cuser.checkZLBCUserFromExcel',
  title: '预检学生名册',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject(options).omit({ appid: true, createteam: true }),
  response: staged,
  cost: 5,
});

/** The population of template C whose lists have no column 人群. */
const adultOptions = { musercode: code.optional(), appid: z.enum(['000000003', '000000004', '000000005']).optional() };

/** Stores and checks a list of pregnant women and mothers (template B); it adds no rows yet. */
export const checkZNBCUserFromExcel = defineAction({
  name: 'as.m.cuser.checkZNBCUserFromExcel',
  title: '预检孕产妇名单',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject({ musercode: code.optional() }),
  response: staged,
  cost: 5,
});

/** Stores and checks a list of employees or elders (template C); it adds no rows yet. */
export const checkZABCUserFromExcel = defineAction({
  name: 'as.m.cuser.checkZABCUserFromExcel',
  title: '预检人员名单',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject(adultOptions),
  response: staged,
  cost: 5,
});

/** Returns the present state of an import, so that the user can continue it after closing the page. */
export const getImport = defineAction({
  name: 'as.m.assess.getImport',
  title: '查看导入',
  allow: importers,
  kind: 'read',
  request: z.strictObject({ importid: z.uuid() }),
  response: staged,
});

/** Lists the account's imports of the last days, the newest first. */
export const getImportList = defineAction({
  name: 'as.m.assess.getImportList',
  title: '查询导入记录',
  allow: importers,
  kind: 'read',
  request: z.strictObject({ kind: z.enum(personKinds).optional() }),
  response: z.array(earlierImport.extend({ kind: z.enum(personKinds) })),
});

/** Saves edits of the grid and returns the new verdict. */
export const saveImportEdits = defineAction({
  name: 'as.m.assess.saveImportEdits',
  title: '保存导入修改',
  allow: importers,
  kind: 'write',
  request: importEdits.extend({ year: z.string().trim().max(20).optional(), createteam: flag.optional() }),
  response: verdict,
});

/**
 * Imports the stored rows: all or none, or with `skiperror` '1' the rows without errors. A second call changes nothing and gives
 * the response of the first.
 */
export const commitAssessTeamRoster = defineAction({
  name: 'as.m.assess.commitAssessTeamRoster',
  title: '导入名单',
  allow: importers,
  kind: 'write',
  request: z.strictObject({ importid: z.uuid(), skiperror: flag.default('0') }),
  response: result,
  cost: 5,
});

/** Undoes exactly the changes of an import, within 24 hours and before one of its persons has an exam. */
export const undoImport = defineAction({
  name: 'as.m.assess.undoImport',
  title: '撤销导入',
  allow: importers,
  kind: 'write',
  request: z.strictObject({ importid: z.uuid() }),
  response: z.object({ persons: z.number(), teams: z.number(), restored: z.number() }),
});

/** 错误回执: exports the uploaded worksheet with its wrong cells in red and a column of messages. */
export const exportImportErrors = defineAction({
  name: 'as.m.assess.exportImportErrors',
  title: '下载错误回执',
  allow: importers,
  kind: 'export',
  request: z.strictObject({ importid: z.uuid() }),
  response: file,
});

/** Exports an empty worksheet with the heads of the columns. */
export const exportRosterTemplate = defineAction({
  name: 'as.m.assess.exportRosterTemplate',
  title: '下载导入模板',
  allow: importers,
  kind: 'export',
  containsNoData: true,
  request: z.strictObject({ kind: z.enum(personKinds).default('roster') }),
  response: file,
});

/** Checks and imports a roster in one call, as the specification requires. */
export const importAssessTeamRoster = defineAction({
  name: 'as.m.assess.importAssessTeamRoster',
  title: '上传并导入团体名单',
  allow: rosterEditors,
  kind: 'import',
  request: z.strictObject({ ...options, skiperror: flag.default('0') }),
  response: result,
  cost: 10,
});

/** Checks and imports a student register in one call. */
export const importZLBCUserFromExcel = defineAction({
  name: 'as.m.cuser.importZLBCUserFromExcel',
  title: '上传并导入学生名册',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject({ ...options, skiperror: flag.default('0') }).omit({ createteam: true }),
  response: result,
  cost: 10,
});

/** Checks and imports a list of pregnant women and mothers in one call. */
export const importZNBCUserFromExcel = defineAction({
  name: 'as.m.cuser.importZNBCUserFromExcel',
  title: '上传并导入孕产妇名单',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject({ musercode: code.optional(), skiperror: flag.default('0') }),
  response: result,
  cost: 10,
});

/** Checks and imports a list of employees or elders in one call. */
export const importZABCUserFromExcel = defineAction({
  name: 'as.m.cuser.importZABCUserFromExcel',
  title: '上传并导入人员名单',
  allow: archiveEditors,
  kind: 'import',
  request: z.strictObject({ ...adultOptions, skiperror: flag.default('0') }),
  response: result,
  cost: 10,
});
