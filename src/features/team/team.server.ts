import type { z } from 'zod';
import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Gender, Term, TeamType } from '#domain/base/enums.ts';
import {
  gradeOf,
  parseGrade,
  parseTeamName,
  schoolYearOf,
  normalizeClassName,
  normalizeSchoolYear,
} from '#domain/person/grades.ts';
import { codeOf } from '#contract/menu.ts';
import { xlsxMime } from '#contract/file.ts';
import { describePregnancy } from '#domain/person/gestation.ts';
import { problems } from '#contract/problem.ts';
import { headsOf, templateColumnsOf } from '#contract/workbook/column.ts';
import { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import { entryLink } from '#server/http/qrRoute.ts';
import type { Scope } from '#server/db/scope.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { createPerson } from '#features/cuser/createPersons.ts';
import { findCUsers } from '#features/cuser/cuser.queries.ts';
import * as options from '#features/team/schoolOptions.queries.ts';
import * as contract from '#features/team/team.contract.ts';
import { tellOwnersOfLeaving } from '#features/warning/handover/leaveTeam.ts';
import * as queries from '#features/team/team.queries.ts';

/** Finds a team; throws 130001 when there is none. */
const requireTeam = async (scope: Scope, teamcode: string) => {
  const team = await queries.findTeam(scope, teamcode);
  if (!team) throw problems.notFound({ what: '团体' });
  return team;
};
/** Throws for staff with a restricted data scope: they read their own teams, and other staff manage the teams. */
const assertMayManageTeams = (caller: Staff) => {
  if (caller.hasDataScope) throw problems.notAllowed();
};

const getAssessTeamPageList = handle(contract.getAssessTeamPageList, async (filters, { scope }) => {
  const { total, rows } = await queries.findTeams(scope, filters);
  return {
    total,
    rows: rows.map(({ lasttask, createtime, ...row }) => ({
      ...row,
      teamtype: row.teamtype as '01',
      year: row.year ?? '',
      gradecode: row.gradecode ?? '',
      gradename: row.gradename ?? '',
      classname: row.classname ?? '',
      owneruserid: row.owneruserid ?? '',
      ownername: row.ownername ?? '',
      remark: row.remark ?? '',
      lasttaskname: lasttask?.taskname ?? '',
      lasttaskcode: lasttask?.taskcode ?? '',
      createtime: shanghaiTime(createtime),
    })),
  };
});

type TeamInput = Omit<
  z.output<(typeof contract.insertAssessTeam)['request']>,
  'teamcode' | 'version' | 'teamname' | 'teamtype' | 'appid'
> & {
  teamname: string;
  teamtype: '01';
  appid: string;
};
/** Returns the fields of a team as a request would send them. */
const toTeamInput = (team: Awaited<ReturnType<typeof requireTeam>> | undefined) =>
  team && {
    teamname: team.teamname,
    teamtype: team.teamtype,
    appid: team.appid,
    year: team.year ?? undefined,
    gradecode: team.gradecode ?? undefined,
    classname: team.classname ?? undefined,
    owneruserid: team.owneruserid,
    remark: team.remark ?? undefined,
  };

const insertAssessTeam = handle(
  contract.insertAssessTeam,
  async ({ teamcode, version, ...changes }, { scope, caller, now, audit }) => {
    assertMayManageTeams(caller);
    const before = teamcode ? await requireTeam(scope, teamcode) : undefined;
    // An edit has the changed fields only.
    const input = {
      ...(version === undefined ? {} : toTeamInput(before)),
      ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    } as TeamInput;
    const musercode = before?.musercode ?? caller.musercode;
    if (input.owneruserid && !(await queries.findOwner(scope, musercode, input.owneruserid)))
      throw problems.invalid({ message: '负责人不在本机构' }, { field: 'owneruserid' });
    const isClass = input.teamtype === TeamType.class;
    const year = normalizeSchoolYear(input.year ?? before?.year ?? (isClass ? schoolYearOf(shanghaiDate(now)) : ''));
    const gradeByCode = gradeOf(input.gradecode ?? '');
    const grade = gradeByCode
      ? { gradecode: gradeByCode.code, gradename: gradeByCode.name }
      : input.gradename
        ? parseGrade(input.gradename, { year })
        : isClass
          ? parseTeamName(input.teamname)
          : undefined;
    const fields = {
      teamname: input.teamname,
      teamtype: input.teamtype,
      appid: input.appid,
      year,
      gradecode: grade?.gradecode || null,
      gradename: grade?.gradename || null,
      classname: normalizeClassName(input.classname ?? (isClass ? parseTeamName(input.teamname).classname : '')) || null,
      owneruserid: input.owneruserid || null,
      remark: input.remark || null,
    };
    const team = teamcode ? await queries.changeTeam(scope, teamcode, fields) : await queries.addTeam(scope, musercode, fields);
    if (!team) throw problems.notFound({ what: '团体' });
    audit({ objectid: team.teamcode, detail: { teamname: fields.teamname } });
    return team;
  },
);

const deleteAssessTeam = handle(contract.deleteAssessTeam, async ({ teamcode }, ctx) => {
  const { scope, caller, audit } = ctx;
  assertMayManageTeams(caller);
  const team = await requireTeam(scope, teamcode);
  if (!(await queries.removeTeam(scope, teamcode))) {
    const [task] = await queries.findOpenTasks(scope, teamcode);
    throw problems.inUse({ why: `任务“${task?.taskname ?? ''}”正在使用该团体，请先结束或取消任务` });
  }
  await tellOwnersOfLeaving(ctx, toLeaves(teamcode, await queries.findMemberIds(scope, teamcode)));
  audit({ objectid: teamcode, detail: { teamname: team.teamname } });
  return {};
});

const getAssessTeamRoster = handle(contract.getAssessTeamRoster, async (filters, { scope, caller, cipher, now }) => {
  const team = await requireTeam(scope, filters.teamcode);
  const phonehashes =
    filters.keyword && /^1\d{10}$/.test(filters.keyword)
      ? cipher.blindIndexes(team.musercode, 'cuser.phone', filters.keyword)
      : undefined;
  const { total, rows } = await queries.findMembers(scope, { ...filters, phonehashes });
  return {
    total,
    rows: rows.map((row) => ({
      cuserid: row.cuserid,
      username: displayName(caller, row.username),
      gender: row.gender as '01',
      age: row.birthday ? ageOn(row.birthday, now) : null,
      studentno: row.studentno,
      belongs: [row.gradename, row.classname].filter(Boolean).join(' ') || (row.unitname ?? ''),
      phonenumber: maskedPhone(cipher, row.musercode, row.phonesealed),
      joindate: row.joindate,
      lastlevel: row.lastlevel,
      lastexamtime: row.lastexamtime && shanghaiTime(row.lastexamtime),
    })),
  };
});

const insertAssessTeamCUser = handle(contract.insertAssessTeamCUser, async ({ teamcode, cuserids = [], cuser }, ctx) => {
  const { scope, caller, now } = ctx;
  assertMayManageTeams(caller);
  const team = await requireTeam(scope, teamcode);
  if (!cuser && cuserids.length === 0) throw problems.missing({ title: '成员' }, { field: 'cuserids' });
  const existingCuserids = [...new Set(cuserids)];
  if (
    existingCuserids.length > 0 &&
    (await queries.findCUserids(scope, team.musercode, existingCuserids)).length !== existingCuserids.length
  )
    throw problems.notFound({ what: '部分受测者' });
  const person =
    cuser &&
    (await createPerson(ctx, { ...cuser, archive: { ...toClassArchive(team, cuser.appid), ...cuser.archive } }, 'cuser.'));
  const memberCuserids = person ? [...existingCuserids, person.cuserid] : existingCuserids;
  const addedCuserids = await queries.addMembers(scope, team, memberCuserids, shanghaiDate(now));
  ctx.audit({ cuserids: addedCuserids, objectid: teamcode });
  return {
    added: addedCuserids.length,
    existed: memberCuserids.length - addedCuserids.length,
    ...(person ? { cuserid: person.cuserid } : {}),
  };
});

/** Returns the archive fields of a new student of a class; nothing for other teams and populations. */
const toClassArchive = (
  team: { teamtype: string; gradecode: string | null; gradename: string | null; classname: string | null },
  appid: string,
): Record<string, string> =>
  team.teamtype === TeamType.class && appid === '000000002'
    ? Object.fromEntries(
        (['gradecode', 'gradename', 'classname'] as const).flatMap((key) => (team[key] ? [[key, team[key]]] : [])),
      )
    : {};

const toLeaves = (teamcode: string, cuserids: readonly string[]) => cuserids.map((cuserid) => ({ teamcode, cuserid }));

const batchDeleteAssessTeamCUser = handle(contract.batchDeleteAssessTeamCUser, async ({ teamcode, cuserids }, ctx) => {
  const { scope, now, audit } = ctx;
  await requireTeam(scope, teamcode);
  const removedCuserids = await queries.removeMembers(scope, teamcode, cuserids, shanghaiDate(now));
  await tellOwnersOfLeaving(ctx, toLeaves(teamcode, removedCuserids));
  audit({ objectid: teamcode });
  return { removed: removedCuserids.length };
});

const moveAssessTeamCUser = handle(contract.moveAssessTeamCUser, async ({ teamcode, toteamcode, cuserids }, ctx) => {
  const { scope, now, audit } = ctx;
  if (teamcode === toteamcode) throw problems.invalid({ message: '请选择另一个团体' }, { field: 'toteamcode' });
  const [from, to] = [await requireTeam(scope, teamcode), await requireTeam(scope, toteamcode)];
  if (from.musercode !== to.musercode)
    throw problems.invalid({ message: '只能在同一机构的团体之间调整' }, { field: 'toteamcode' });
  const date = shanghaiDate(now);
  const movedCuserids = await queries.removeMembers(scope, teamcode, cuserids, date);
  await queries.addMembers(scope, to, movedCuserids, date);
  await tellOwnersOfLeaving(ctx, toLeaves(teamcode, movedCuserids));
  if (movedCuserids.length > 0 && to.teamtype === TeamType.class && to.appid === '000000002')
    await queries.changeArchiveClass(scope, to.appid, movedCuserids, {
      gradecode: to.gradecode,
      gradename: to.gradename,
      classname: to.classname,
    });
  audit({ objectid: toteamcode, detail: { from: teamcode, to: toteamcode } });
  return { moved: movedCuserids.length };
});

const getAssessCUser = handle(
  contract.getAssessCUser,
  async ({ cuserid, keyword, musercode, notteamcode }, { scope, caller, cipher, now }) => {
    const searchText = keyword ?? cuserid;
    if (!searchText) throw problems.missing({ title: '关键字' }, { field: 'keyword' });
    const phonehashes = /^1\d{10}$/.test(searchText)
      ? cipher.blindIndexes(musercode ?? caller.musercode, 'cuser.phone', searchText)
      : undefined;
    const { rows } = await findCUsers(scope, {
      page: 1,
      pageSize: 20,
      keyword: searchText,
      musercode,
      notteamcode,
      phonehashes,
      orderby: 'username',
      isasc: '1',
    });
    return rows
      .filter((row) => !cuserid || row.cuserid === cuserid)
      .map(({ birthday, phonesealed, lastexamtime, createtime, lmpdate, edcdate, deliverydate, ...row }) => ({
        ...row,
        ...describePregnancy({ lmpdate, edcdate, deliverydate }, now),
        gender: row.gender as '01',
        username: displayName(caller, row.username),
        ownername: row.ownername ?? '',
        phonenumber: maskedPhone(cipher, row.musercode, phonesealed),
        age: birthday ? ageOn(birthday, now) : null,
        lastexamtime: lastexamtime && shanghaiTime(lastexamtime),
        createtime: shanghaiTime(createtime),
      }));
  },
);

const getTeamOwners = handle(contract.getTeamOwners, async (_, { scope, caller }) =>
  (await queries.findOwners(scope, caller.musercode)).map((row) => ({ ...row, post: row.post ?? '' })),
);

const getSchoolList = handle(contract.getSchoolList, async (filters, { stats }) =>
  (await stats((scope) => options.findSchools(scope, filters))).map((row) => ({
    schoolcode: row.musercode,
    schoolname: row.insname,
    districtcode: row.districtcode ?? '',
  })),
);
const getYearList = handle(contract.getYearList, async ({ schoolcode }, { stats }) =>
  (await stats((scope) => options.findYears(scope, schoolcode))).map((year) => ({ year, yearname: `${year}学年` })),
);
const getTermList = handle(contract.getTermList, async ({ schoolcode, year }, { stats }) =>
  (await stats((scope) => options.findTerms(scope, schoolcode, year))).map((term) => ({
    term,
    termname: Term.label(term as '1'),
  })),
);
const getGradeList = handle(contract.getGradeList, async ({ schoolcode, year }, { stats }) => {
  const grades = new Map<string, { gradecode: string; gradename: string; classes: Set<string> }>();
  for (const { gradecode, gradename, classname } of await stats((scope) => options.findGrades(scope, schoolcode, year))) {
    const name = gradename as string;
    const grade = grades.get(gradecode ?? name) ?? { gradecode: gradecode ?? '', gradename: name, classes: new Set<string>() };
    if (classname) grade.classes.add(classname);
    grades.set(gradecode ?? name, grade);
  }
  return [...grades.values()].map((grade) => ({ ...grade, classes: [...grade.classes] }));
});

const getTeamEntry = handle(contract.getTeamEntry, async ({ teamcode }, { scope, publicUrl }) => {
  const team = await requireTeam(scope, teamcode);
  const entry = await queries.findEntry(scope, team.musercode);
  const tasks = await queries.findOpenTasks(scope, teamcode);
  return {
    teamname: team.teamname,
    insname: (await queries.findInstitution(scope, team.musercode))?.insname ?? '',
    membercount: team.membercount,
    clientcode: entry?.clientcode ?? '',
    clienttitle: entry?.clienttitle ?? '',
    link: entry ? entryLink(publicUrl, entry.clientcode) : '',
    loginmode: entry?.loginmode ?? '',
    hotline: entry?.hotline || '12356',
    tasks: tasks
      .filter((task) => task.status === 1)
      .map((task) => ({ taskname: task.taskname, begintime: shanghaiTime(task.begintime), endtime: shanghaiTime(task.endtime) })),
  };
});

/** A team with the members of its export. */
async function findExportMembers(scope: Scope, teamcode: string) {
  const team = await requireTeam(scope, teamcode);
  const members = await queries.findAllMembers(scope, teamcode);
  return { team, members, cuserids: members.map((member) => member.cuserid) };
}

const exportAssessTeamRoster = handle(contract.exportAssessTeamRoster, async ({ teamcode, approvalid }, ctx) => {
  const { scope, caller, cipher, now, audit } = ctx;
  const { team, members, cuserids } = await findExportMembers(scope, teamcode);
  const { minors } = await requireApproval(ctx, 'as.m.assess.exportAssessTeamRoster', { teamcode }, approvalid, cuserids, {
    isSingleFree: true,
  });
  audit({ objectid: teamcode, cuserids, minors: minors > 0, detail: { rows: members.length, approvalid } });
  const canUnmask = caller.codes.has(codeOf('person.unmasked'));
  const cells: Record<string, (member: (typeof members)[number]) => string> = {
    teamname: () => team.teamname,
    teamtype: () => TeamType.label(team.teamtype as '01').split('/')[0] as string,
    year: () => team.year ?? '',
    grade: () => team.gradename ?? '',
    classname: () => team.classname ?? '',
    username: (member) => displayName(caller, member.username),
    cuserno: (member) => member.studentno,
    phonenumber: (member) =>
      canUnmask && member.phonesealed ? cipher.decrypt(member.musercode, 'cuser.phone', member.phonesealed) : '',
    gender: (member) => Gender.label(member.gender as '01'),
    birthday: (member) => member.birthday ?? '',
  };
  return {
    filename: `${team.teamname}名单_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: rosterWorksheet.name,
      heads: headsOf(rosterWorksheet),
      rows: members.map((member) => templateColumnsOf(rosterWorksheet).map(({ key }) => cells[key]?.(member))),
      properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
    }),
  };
});

export const teamHandlers = [
  getAssessTeamPageList,
  insertAssessTeam,
  deleteAssessTeam,
  getAssessTeamRoster,
  insertAssessTeamCUser,
  batchDeleteAssessTeamCUser,
  moveAssessTeamCUser,
  getAssessCUser,
  getTeamOwners,
  getSchoolList,
  getYearList,
  getTermList,
  getGradeList,
  getTeamEntry,
  exportAssessTeamRoster,
];

/** The export of this feature that may need an approval. */
export const teamSubjects = {
  'as.m.assess.exportAssessTeamRoster': exportSubject(
    contract.exportAssessTeamRoster,
    async ({ teamcode }, { scope }) => (await findExportMembers(scope, teamcode)).cuserids,
  ),
};
