import { expect, test } from 'vitest';
import { startServer } from '#testing/server.ts';
import type { Person } from '#testing/people.ts';
import type { Action } from '#contract/action.ts';
import { insertRole, updateRole } from '#features/access/role/role.contract.ts';
import { insertExamStage } from '#features/app/app.contract.ts';
import { insertCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { insertDept, updateDept } from '#features/org/dept/dept.contract.ts';
import { insertUser, updateUser } from '#features/org/user/user.contract.ts';
import { insertAssessTeam, insertAssessTeamCUser } from '#features/team/team.contract.ts';

test('every refusal of a duplicate names the field that it belongs to', async () => {
  const { as, raw } = await startServer();
  const student = (studentno: string) => ({
    appid: '000000002',
    username: '林小雨',
    gender: '02' as const,
    archive: { studentno },
  });
  const aTeam = (teamname: string) => ({ teamname, teamtype: '01' as const, appid: '000000002', year: '2025-2026' });
  const role = (rolekey: string) => ({ rolename: '年级组长', rolekey, datascope: 1, menuids: [] });
  await as('ma')(insertUser, { sysusername: 'wenyan', realname: '温言', roleids: [] });
  const { userid } = await as('ma')(insertUser, { sysusername: 'hexi', realname: '何熙', roleids: [] });
  await as('ma')(insertDept, { parentid: 0, deptname: '德育处' });
  const { deptid } = await as('ma')(insertDept, { parentid: 0, deptname: '心理中心' });
  await as('ma')(insertRole, role('gradehead'));
  const { roleid } = await as('ma')(insertRole, role('yearhead'));
  await as('chen')(insertCUser, student('20230301'));
  const { cuserid } = await as('chen')(insertCUser, student('20230302'));
  await as('chen')(insertAssessTeam, aTeam('初二（3）班'));
  const { teamcode } = await as('chen')(insertAssessTeam, aTeam('初二（4）班'));
  await as('ma')(insertExamStage, { appid: '000000002', stagecode: 'XSZZ', stagename: '期中' });
  const duplicates: [Person, Action, object, string][] = [
    ['ma', insertUser, { sysusername: 'WenYan', realname: '温言', roleids: [] }, 'sysusername'],
    ['ma', updateUser, { userid, sysusername: 'wenyan' }, 'sysusername'],
    ['ma', insertDept, { parentid: 0, deptname: '德育处' }, 'deptname'],
    ['ma', updateDept, { deptid, deptname: '德育处' }, 'deptname'],
    ['ma', insertRole, role('gradehead'), 'rolekey'],
    ['ma', updateRole, { roleid, rolekey: 'gradehead' }, 'rolekey'],
    ['chen', insertCUser, student('20230301'), 'archive.studentno'],
    ['chen', updateCUser, { cuserid, archive: { studentno: '20230301' } }, 'archive.studentno'],
    ['chen', insertAssessTeamCUser, { teamcode, cuser: student('20230301') }, 'cuser.archive.studentno'],
    ['chen', insertAssessTeam, aTeam('初二（3）班'), 'teamname'],
    ['chen', insertAssessTeam, { teamcode, version: 1, teamname: '初二（3）班' }, 'teamname'],
    ['ma', insertExamStage, { appid: '000000002', stagecode: 'XSZZ', stagename: '期末' }, 'stagecode'],
  ];
  for (const [person, action, request, field] of duplicates)
    expect([action.name, await raw(action.name, person, request)]).toMatchObject([
      action.name,
      { errorCode: 130002, data: { field } },
    ]);
});
