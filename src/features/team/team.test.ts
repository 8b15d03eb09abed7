import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { showOrHiddenTeamReport } from '#features/teamreport/teamreport.contract.ts';
import { aClass } from '#testing/factories.ts';
import { screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const class3 = { teamname: '初二（3）班', teamtype: '01' as const, appid: '000000002' };
const pupil = (username: string, studentno: string) => ({
  appid: '000000002',
  username,
  gender: '02' as const,
  archive: { studentno },
});

test('a class gets school year, grade and class from its name, and its name is unique within a school year', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, { ...class3, owneruserid: 'U_WANG' });
  expect((await as('chen')(team.getAssessTeamPageList, {})).rows).toMatchObject([
    {
      teamcode,
      year: '2025-2026',
      gradename: '初二',
      classname: '3班',
      ownername: '王班主任',
      membercount: 0,
      insname: '云栖市晨光中学',
    },
  ]);
  await expect(as('chen')(team.insertAssessTeam, class3)).rejects.toMatchObject({
    code: 130002,
    message: '本学年同名团体已存在',
  });
  await as('chen')(team.insertAssessTeam, { ...class3, year: '2024' });
  await as('chen')(team.insertAssessTeam, { teamcode, ...class3, teamname: '初三（3）班', gradename: '九年级', classname: '3' });
  expect((await as('chen')(team.getAssessTeamPageList, { year: '2025-2026' })).rows).toMatchObject([
    { teamname: '初三（3）班', gradecode: 'J3', ownername: '' },
  ]);
});

test('teams are sorted by grade and class and found by grade and name', async () => {
  const { as } = await startServer();
  for (const teamname of ['高一1班', '初二10班', '初二2班', '小学六年级1班', '心理社团'])
    await as('chen')(team.insertAssessTeam, {
      ...class3,
      teamname,
      teamtype: teamname === '心理社团' ? '04' : '01',
      year: '2025-2026',
    });
  const names = async (filters: object) =>
    (await as('chen')(team.getAssessTeamPageList, filters)).rows.map((row) => row.teamname);
  expect(await names({})).toEqual(['小学六年级1班', '初二2班', '初二10班', '高一1班', '心理社团']);
  expect(await names({ gradecode: 'J2' })).toEqual(['初二2班', '初二10班']);
  expect(await names({ keyword: '社团' })).toEqual(['心理社团']);
  expect(await as('chen')(team.getGradeList, {})).toEqual([
    { gradecode: 'P6', gradename: '小学六年级', classes: ['1班'] },
    { gradecode: 'J2', gradename: '初二', classes: ['2班', '10班'] },
    { gradecode: 'S1', gradename: '高一', classes: ['1班'] },
  ]);
  expect(await as('chen')(team.getYearList, {})).toEqual([{ year: '2025-2026', yearname: '2025-2026学年' }]);
});

test('team members are added once, found by initials, moved with their archive and removed', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, class3);
  const { teamcode: toteamcode } = await as('chen')(team.insertAssessTeam, { ...class3, teamname: '初二（4）班' });
  const { cuserid } = await as('chen')(cuser.insertCUser, pupil('林小雨', '0001'));
  expect(await as('chen')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid] })).toEqual({ added: 1, existed: 0 });
  expect(
    await as('chen')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid], cuser: pupil('张小北', '0002') }),
  ).toMatchObject({ added: 1, existed: 1 });
  expect((await as('chen')(team.getAssessTeamRoster, { teamcode, keyword: 'zxb' })).rows).toMatchObject([
    { username: '张小北', belongs: '初二 3班', studentno: '0002' },
  ]);
  expect(await as('chen')(team.getAssessCUser, { keyword: 'lxy', notteamcode: teamcode })).toEqual([]);
  expect(await as('chen')(team.getAssessCUser, { keyword: 'lxy' })).toMatchObject([{ cuserid, username: '林小雨' }]);

  expect(await as('chen')(team.moveAssessTeamCUser, { teamcode, toteamcode, cuserids: [cuserid] })).toEqual({ moved: 1 });
  expect((await as('chen')(team.getAssessTeamRoster, { teamcode: toteamcode })).rows).toMatchObject([
    { username: '林小雨', belongs: '初二 4班' },
  ]);
  expect(await as('chen')(team.batchDeleteAssessTeamCUser, { teamcode: toteamcode, cuserids: [cuserid] })).toEqual({
    removed: 1,
  });
  expect((await as('chen')(team.getAssessTeamPageList, {})).rows.map((row) => row.membercount)).toEqual([1, 0]);
  expect(await as('chen')(team.insertAssessTeamCUser, { teamcode: toteamcode, cuserids: [cuserid] })).toEqual({
    added: 1,
    existed: 0,
  });
});

test('a team of a running task cannot be deleted until the task ends, and the message names the task', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode } = await aClass(server, { teamname: '初二3班' });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '秋季普测' }));
  await expect(as('chen')(team.deleteAssessTeam, { teamcode })).rejects.toMatchObject({
    code: 130003,
    message: '任务“秋季普测”正在使用该团体，请先结束或取消任务',
  });
  expect((await as('chen')(team.getAssessTeamPageList, {})).rows[0]).toMatchObject({
    lasttaskname: '秋季普测',
    lasttaskcode: taskcode,
  });
  await as('chen')(task.closeTask, { taskcode });
  await as('chen')(team.deleteAssessTeam, { teamcode });
  expect((await as('chen')(team.getAssessTeamPageList, {})).total).toBe(0);
});

test('a class teacher sees her own class without results and cannot change teams', async () => {
  const { as, sqlAsOwner } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, { ...class3, owneruserid: 'U_WANG' });
  const other = await as('chen')(team.insertAssessTeam, { ...class3, teamname: '初二（4）班' });
  await as('chen')(team.insertAssessTeamCUser, { teamcode, cuser: pupil('林小雨', '0001') });
  await sqlAsOwner('update cuser set lastlevel = 3');
  expect((await as('wang')(team.getAssessTeamPageList, {})).rows.map((row) => row.teamcode)).toEqual([teamcode]);
  expect((await as('wang')(team.getAssessTeamRoster, { teamcode })).rows).toMatchObject([
    { username: '林小雨', lastlevel: null },
  ]);
  expect((await as('chen')(team.getAssessTeamRoster, { teamcode })).rows).toMatchObject([{ lastlevel: 3 }]);
  await expect(as('wang')(team.getAssessTeamRoster, { teamcode: other.teamcode })).rejects.toMatchObject({ code: 130001 });
  const attempts = [
    () => as('wang')(team.insertAssessTeam, { ...class3, teamname: '初二（5）班' }),
    () => as('wang')(team.deleteAssessTeam, { teamcode }),
    () => as('wang')(team.insertAssessTeamCUser, { teamcode, cuser: pupil('张小北', '0002') }),
    () => as('wang')(team.batchDeleteAssessTeamCUser, { teamcode, cuserids: ['C1'] }),
    () => as('wang')(team.exportAssessTeamRoster, { teamcode }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 110004 });
});

test('a team does not exist for another school, and no school adds students of another', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, class3);
  const { cuserid } = await as('qiao')(cuser.insertCUser, pupil('外校生', '9001'));
  await expect(as('qiao')(team.getAssessTeamRoster, { teamcode })).rejects.toMatchObject({ code: 130001 });
  await expect(as('qiao')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid] })).rejects.toMatchObject({ code: 130001 });
  await expect(as('chen')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid] })).rejects.toMatchObject({ code: 130001 });
  await expect(as('fang')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid] })).rejects.toThrow('部分受测者不存在');
  expect(await as('qiao')(team.getGradeList, {})).toEqual([]);
});

test('the education bureau gets the schools of its district as options, a school gets only itself', async () => {
  const { as } = await startServer();
  const names = async (person: 'zhou' | 'chen' | 'fang') =>
    (await as(person)(team.getSchoolList, {})).map((row) => row.schoolname).sort();
  expect(await names('zhou')).toEqual(['云栖市东山中学', '云栖市晨光中学'].sort());
  expect(await names('chen')).toEqual(['云栖市晨光中学']);
  expect(await names('fang')).toEqual(['云栖市东山中学', '云栖市仁爱妇幼保健院', '云栖市晨光中学'].sort());
});

test('the classroom poster shows the entry, the institution and the running tasks', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, class3);
  expect(await as('chen')(team.getTeamEntry, { teamcode })).toEqual({
    teamname: '初二（3）班',
    insname: '云栖市晨光中学',
    membercount: 0,
    clientcode: 'entry_chenguang',
    clienttitle: '云栖市晨光中学心理健康测评',
    link: 'http://127.0.0.1:8080/c/entry_chenguang',
    loginmode: '03',
    hotline: '12356',
    tasks: [],
  });
});

test('team reports are shown or hidden together or not at all', async () => {
  const { as } = await startServer();
  const { teamcode } = await as('chen')(team.insertAssessTeam, class3);
  await expect(as('chen')(showOrHiddenTeamReport, { teamcodes: [teamcode, 'G999999'], isshow: 1 })).rejects.toMatchObject({
    code: 130001,
  });
  expect((await as('chen')(team.getAssessTeamPageList, {})).rows[0]?.showreport).toBe(0);
  expect(await as('chen')(showOrHiddenTeamReport, { teamcodes: [teamcode], isshow: 1 })).toEqual({ updated: 1 });
});
