import { buffer } from 'node:stream/consumers';
import { headsOf } from '#contract/workbook/column.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import { studentWorksheet } from '#contract/workbook/student.columns.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { inParallel, type Call, type Calls } from '#seed/demo/calls.ts';
import { userOf, type StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { eduphaseOf, type Student, type Woman } from '#seed/demo/tenants/persons.ts';

const student = '000000002';
const maternity = '000000001';

/** Returns a workbook like one from a school, written by the product's own writer. */
async function workbook(filename: string, heads: readonly string[], rows: readonly (readonly string[])[]): Promise<Upload> {
  return { filename, mime: xlsxMime, content: await buffer(writeWorksheet({ name: filename.slice(0, 20), heads, rows })) };
}

/** Returns the cells of a row in the order of the columns. */
const row = (columns: readonly { key: string }[], values: Readonly<Record<string, string>>) =>
  columns.map(({ key }) => values[key] ?? '');

/** Imports the register of a school and then the list of its classes. Returns the team code of each class by its name. */
export async function enrolStudents(
  calls: Calls,
  options: {
    by: StaffLogin;
    time: Date;
    year: string;
    students: readonly Student[];
    owners?: Readonly<Record<string, StaffLogin>>;
  },
): Promise<Map<string, string>> {
  const call = await calls.as(options.by, options.time);
  const genders = { '01': '男', '02': '女' } as const;
  const register = await workbook(
    '学生名册.xlsx',
    headsOf(studentWorksheet),
    options.students.map((item) =>
      row(studentWorksheet.columns, {
        studentno: item.key,
        username: item.username,
        gender: genders[item.gender],
        birthday: item.birthday,
        eduphase: eduphaseOf(item.gradecode).title,
        grade: item.gradename,
        classname: `${item.classno}班`,
        boarding: item.boarding ? '是' : '否',
        leftbehind: item.leftbehind ? '是' : '否',
        guardianname: item.guardian.name,
        guardianrelation: item.guardian.relation === '01' ? '父亲' : '母亲',
        headteacher: options.owners?.[item.teamname] ?? '',
      }),
    ),
  );
  const persons = await call(roster.importZLBCUserFromExcel, { year: options.year }, register);
  const classes = await workbook(
    '班级名单.xlsx',
    headsOf(rosterWorksheet),
    options.students.map((item) =>
      row(rosterWorksheet.columns, {
        teamname: item.teamname,
        teamtype: '班级',
        year: options.year,
        grade: item.gradename,
        classname: `${item.classno}班`,
        username: item.username,
        cuserno: item.key,
        gender: genders[item.gender],
      }),
    ),
  );
  const imported = await call(roster.importAssessTeamRoster, { appid: student, year: options.year }, classes);
  const error = persons.errors[0] ?? imported.errors[0];
  if (error) throw new Error(`row ${error.row}: ${error.field} ${error.message}`);
  await addGuardians(call, options.students);
  const codes = new Map(imported.teams.map(({ teamname, teamcode }) => [teamname, teamcode]));
  for (const [teamname, owner] of Object.entries(options.owners ?? {})) {
    const teamcode = codes.get(teamname);
    const firstMember = options.students.find((candidate) => candidate.teamname === teamname);
    if (teamcode && firstMember)
      await call(team.insertAssessTeam, {
        teamcode,
        teamname,
        teamtype: '01',
        appid: student,
        year: options.year,
        gradecode: firstMember.gradecode,
        gradename: firstMember.gradename,
        classname: `${firstMember.classno}班`,
        owneruserid: userOf(owner),
      });
  }
  return codes;
}

/** Adds the guardians of the personas. An import refuses unassignable telephone numbers, but updateCUser accepts them. */
async function addGuardians(call: Call, students: readonly Student[]) {
  for (const item of students.filter(({ persona }) => persona)) {
    const { rows } = await call(cuser.getCUserPageList, { keyword: item.key, pageSize: 1 });
    const cuserid = rows[0]?.cuserid;
    if (!cuserid) throw new Error(`${item.username} was not imported`);
    const { version } = await call(cuser.revealCUser, { cuserid });
    await call(cuser.updateCUser, { cuserid, version, guardian: [item.guardian] });
  }
}

/** Registers women one by one and adds them to the teams of the hospital. Returns the codes of teams and persons by name. */
export async function enrolWomen(
  calls: Calls,
  options: { by: StaffLogin; time: Date; women: readonly Woman[]; teamOf: (woman: Woman) => string },
): Promise<{ codes: Map<string, string>; cuserids: Map<string, string> }> {
  const call = await calls.as(options.by, options.time);
  const ids = new Map<string, string>();
  const members = new Map<string, string[]>();
  await inParallel(options.women, 3, async (woman) => {
    const { cuserid } = await call(cuser.insertCUser, {
      appid: maternity,
      username: woman.username,
      gender: woman.gender,
      birthday: woman.birthday,
      phonenumber: woman.key,
      archive: woman.archive,
      guardian: [],
    });
    ids.set(woman.username, cuserid);
    const teamname = options.teamOf(woman);
    members.set(teamname, [...(members.get(teamname) ?? []), cuserid]);
  });
  const codes = new Map<string, string>();
  for (const [teamname, cuserids] of members) {
    const { teamcode } = await call(team.insertAssessTeam, {
      teamname,
      teamtype: '02',
      appid: maternity,
      owneruserid: userOf(options.by),
    });
    await call(team.insertAssessTeamCUser, { teamcode, cuserids });
    codes.set(teamname, teamcode);
  }
  return { codes, cuserids: ids };
}
