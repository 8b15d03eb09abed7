import { z } from 'zod';
import { Gender, TeamType } from '#domain/base/enums.ts';
import { anyStaff, CARE_TYPES, defineAction, forTypes, staffOf, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { personName, personPhone, readableBy } from '#contract/fieldAccess.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { cuserRow, insertCUser } from '#features/cuser/cuser.contract.ts';

const readers = staffOf('group.teams', 'group.tasks', 'team.shortcut');
const editors = forTypes(CARE_TYPES, staffOf('roster.edit'));
const code = z.string().max(20);
const codes = z.array(code).min(1).max(200);
const object = z.object({});

export const teamRow = z.object({
  teamcode: z.string(),
  version: z.number(),
  teamname: z.string(),
  teamtype: z.enum(TeamType.codes),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  year: z.string(),
  gradecode: z.string(),
  gradename: z.string(),
  classname: z.string(),
  owneruserid: z.string(),
  ownername: z.string(),
  membercount: z.number(),
  lasttaskname: z.string(),
  lasttaskcode: z.string(),
  showreport: z.number(),
  remark: z.string(),
  createtime: z.string(),
});
export type TeamRow = z.infer<typeof teamRow>;

/** Lists the teams that the caller sees. */
export const getAssessTeamPageList = defineAction({
  name: 'as.m.assess.getAssessTeamPageList',
  title: '查询团体',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('teamname', 'createtime', 'year', 'gradecode', 'membercount'),
    keyword: z.string().trim().max(60).optional(),
    teamcode: code.optional(),
    teamtype: z.enum(TeamType.codes).optional(),
    year: z.string().max(20).optional(),
    gradecode: z.string().max(10).optional(),
    classname: z.string().max(20).optional(),
    appid: z.string().max(9).optional(),
    musercode: code.optional(),
  }),
  response: pageOf(teamRow),
});

const newTeamNeeds = [
  ['teamname', '团体名称不能为空'],
  ['teamtype', '请选择团体类型'],
  ['appid', '请选择人群'],
] as const;
/**
 * Creates a team, or changes the team `teamcode`. With `version`, absent fields stay; without, the request has all fields.
 * Answers 130002 when the school year already has a team of that name.
 */
export const insertAssessTeam = defineAction({
  name: 'as.m.assess.insertAssessTeam',
  title: '新增/修改团体',
  allow: forTypes(CARE_TYPES, staffOf('group.teams')),
  kind: 'write',
  edits: { table: 'assessteam', key: 'teamcode' },
  request: z
    .strictObject({
      teamcode: code.optional(),
      version: editVersion,
      teamname: z.string().trim().min(1, '请填写团体名称').max(60, '团体名称不超过 60 个字').optional().describe('团体名称'),
      teamtype: z.enum(TeamType.codes, '请选择团体类型').optional().describe('团体类型'),
      appid: z.string().length(9).optional().describe('人群'),
      year: z.string().trim().max(20).optional().describe('学年'),
      gradecode: z.string().max(10).optional().describe('年级'),
      /** the grade as text; the server parses it when `gradecode` is absent */
      gradename: z.string().trim().max(20).optional().describe('年级'),
      classname: z.string().trim().max(20).optional().describe('班级'),
      owneruserid: code.nullish().describe('负责人'),
      remark: z.string().trim().max(200).optional().describe('备注'),
    })
    // A new team needs them, and a request without the version that it changes is whole.
    .superRefine((team, check) => {
      for (const [name, message] of newTeamNeeds)
        if ((team.teamcode === undefined || team.version === undefined) && team[name] === undefined)
          check.addIssue({ code: 'custom', path: [name], message });
    }),
  response: z.object({ teamcode: z.string(), ...newVersion }),
});

/** Deletes a team. Answers 130003 while a task that has not ended uses the team. */
export const deleteAssessTeam = defineAction({
  name: 'as.m.assess.deleteAssessTeam',
  title: '删除团体',
  allow: forTypes(CARE_TYPES, staffOf('group.teams')),
  kind: 'write',
  request: z.strictObject({ teamcode: code }),
  response: object,
});

export const memberRow = z.object({
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  age: z.number().nullable(),
  studentno: z.string(),
  belongs: z.string(),
  phonenumber: personPhone(),
  joindate: z.string(),
  lastlevel: readableBy('results', z.number().nullable()),
  lastexamtime: z.string().nullable(),
});

/** Lists the members of a team. */
export const getAssessTeamRoster = defineAction({
  name: 'as.m.assess.getAssessTeamRoster',
  title: '查询团体名单',
  allow: staffOf('group.teams', 'team.shortcut'),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('studentno', 'username', 'joindate', 'lastexamtime'),
    teamcode: code,
    keyword: z.string().trim().max(50).optional(),
  }),
  response: pageOf(memberRow),
});

/** Adds existing persons or one new person to a team. `existed` counts the persons who were members already. */
export const insertAssessTeamCUser = defineAction({
  name: 'as.m.assess.insertAssessTeamCUser',
  title: '添加团体成员',
  allow: forTypes(CARE_TYPES, staffOf('group.teams', 'roster.edit')),
  kind: 'write',
  request: z.strictObject({ teamcode: code, cuserids: codes.optional(), cuser: insertCUser.request.optional() }),
  response: z.object({ added: z.number(), existed: z.number(), cuserid: z.string().optional() }),
});

/** Removes members from a team; their archives stay. */
export const batchDeleteAssessTeamCUser = defineAction({
  name: 'as.m.assess.batchDeleteAssessTeamCUser',
  title: '移出团体成员',
  allow: editors,
  kind: 'write',
  person: ({ cuserids }) => cuserids,
  request: z.strictObject({ teamcode: code, cuserids: codes }),
  response: z.object({ removed: z.number() }),
});

/** Moves members to another team. When that team is a class, their archives get its grade and class. */
export const moveAssessTeamCUser = defineAction({
  name: 'as.m.assess.moveAssessTeamCUser',
  title: '调整团体成员',
  allow: editors,
  kind: 'write',
  person: ({ cuserids }) => cuserids,
  request: z.strictObject({ teamcode: code, toteamcode: code, cuserids: codes }),
  response: z.object({ moved: z.number() }),
});

/** Finds one person by `cuserid`, or up to 20 persons by name, number or telephone. */
export const getAssessCUser = defineAction({
  name: 'as.m.assess.getCUser',
  title: '查找受测者',
  allow: staffOf('group.teams', 'group.tasks'),
  kind: 'read',
  request: z.strictObject({
    cuserid: code.optional(),
    keyword: z.string().trim().min(1).max(50).optional(),
    musercode: code.optional(),
    notteamcode: code.optional(),
  }),
  response: z.array(cuserRow),
});

/** Returns the staff who can own a team. */
export const getTeamOwners = defineAction({
  name: 'as.m.assess.getTeamOwners',
  title: '查询可选负责人',
  allow: readers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ userid: z.string(), realname: z.string(), post: z.string() })),
});

const optionFilters = z.strictObject({ schoolcode: code.optional(), year: z.string().max(20).optional() });

/** Returns institutions for the filters of other screens. */
export const getSchoolList = defineAction({
  name: 'as.m.assess.getSchoolList',
  title: '查询机构选项',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({
    musercode: code.optional(),
    provincecode: z.string().max(6).optional(),
    citycode: z.string().max(6).optional(),
    districtcode: z.string().max(6).optional(),
    categorycode: code.optional(),
    sector: z.string().max(20).optional(),
    keyword: z.string().trim().max(50).optional(),
  }),
  response: z.array(z.object({ schoolcode: z.string(), schoolname: z.string(), districtcode: z.string() })),
});

/** Returns the school years that have a team or a task. */
export const getYearList = defineAction({
  name: 'as.m.assess.getYearList',
  title: '查询学年选项',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: optionFilters.omit({ year: true }),
  response: z.array(z.object({ year: z.string(), yearname: z.string() })),
});

/** Returns the terms that have a task. */
export const getTermList = defineAction({
  name: 'as.m.assess.getTermList',
  title: '查询学期选项',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: optionFilters,
  response: z.array(z.object({ term: z.string(), termname: z.string() })),
});

/** Returns the grades of the teams with their classes. */
export const getGradeList = defineAction({
  name: 'as.m.assess.getGradeList',
  title: '查询年级班级选项',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: optionFilters,
  response: z.array(z.object({ gradecode: z.string(), gradename: z.string(), classes: z.array(z.string()) })),
});

/** Returns the texts and the link of a team's printed QR poster. */
export const getTeamEntry = defineAction({
  name: 'as.m.assess.getTeamEntry',
  title: '查询团体测评入口',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ teamcode: code }),
  response: z.object({
    teamname: z.string(),
    insname: z.string(),
    membercount: z.number(),
    /** '' when the institution has no enabled entry */
    clientcode: z.string(),
    clienttitle: z.string(),
    link: z.string(),
    loginmode: z.string(),
    hotline: z.string(),
    tasks: z.array(z.object({ taskname: z.string(), begintime: z.string(), endtime: z.string() })),
  }),
});

/** Exports the members as a worksheet that the roster import can read. Several members with a minor need an approval. */
export const exportAssessTeamRoster = defineAction({
  name: 'as.m.assess.exportAssessTeamRoster',
  title: '导出团体名单',
  allow: forTypes(CARE_TYPES, staffOf('archive.export')),
  kind: 'export',
  request: z.strictObject({ teamcode: code, approvalid: z.coerce.number().int().optional().describe('审批') }),
  response: file,
});
