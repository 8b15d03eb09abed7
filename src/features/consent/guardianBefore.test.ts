import { expect, test } from 'vitest';
import * as consent from '#features/consent/guardian/guardian.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';

/** 初一1班: three children of twelve years whose guardians must agree, each with a telephone in the roster, and one of fifteen. */
async function startClass() {
  const server = await startServer();
  const { as, nobody } = server;
  const { teams } = await as('chen')(
    roster.importAssessTeamRoster,
    {},
    csv([
      ['团体名称', '姓名', '学号', '性别', '出生日期', '监护人姓名', '监护人电话'],
      ['初一（1）班', '林小雨', '0001', '女', '2013-03-04', '林建国', '13900000001'],
      ['初一（1）班', '张小北', '0002', '男', '2013-05-04', '张伟', '13900000002'],
      ['初一（1）班', '周宁', '0003', '女', '2013-06-04', '', ''],
      ['初一（1）班', '吴桐', '0004', '男', '2010-06-04', '', ''],
    ]),
  );
  const { teamcode } = teams[0]!;
  const { consent: words } = await nobody(respond.getEntry, { clientcode });
  const decide = (username: string, phonenumber: string, agreed: 0 | 1) =>
    nobody(respond.decideAsGuardian, {
      clientcode,
      teamcode,
      consentversion: words.version,
      username,
      phonenumber,
      name: '林建国',
      relation: '01',
      agreed,
    });
  const progress = async () => (await as('chen')(consent.getGuardianClassList, {})).classes[0];
  const members = async () =>
    Object.fromEntries(
      (await as('chen')(consent.getGuardianClassMembers, { teamcode })).map(({ label, state, cuserid }) => [
        label,
        { state, cuserid },
      ]),
    );
  return { ...server, teamcode, decide, progress, members };
}

test('before the day a class shows who agreed, who refused and who did not decide', async () => {
  const { decide, progress, members, as } = await startClass();
  expect(await progress()).toMatchObject({ teamname: '初一（1）班', needed: 3, signed: 0, refused: 0, pending: 3 });
  await decide('林小雨', '139 0000 0001'.replaceAll(' ', ''), 1);
  await decide('张小北', '13900000002', 0);
  expect(await progress()).toMatchObject({ needed: 3, signed: 1, refused: 1, pending: 1 });
  const { 周宁: zhou } = await members();
  expect(zhou).toMatchObject({ state: 'pending' });
  const paper = { cuserids: [zhou!.cuserid], method: '02' as const, remark: '纸质同意书 12 号' };
  expect(await as('chen')(consent.verifyGuardianConsent, paper)).toEqual({ verified: 1 });
  expect(await progress()).toMatchObject({ signed: 2, refused: 1, pending: 0 });
});

test('a wrong telephone or another child decides nothing, and five wrong tries must wait', async () => {
  const { decide, progress } = await startClass();
  for (const [username, phone] of [
    ['林小雨', '13900000002'],
    ['周宁', '13900000001'],
    ['吴桐', '13900000001'],
  ] as const)
    await expect(decide(username, phone, 1)).rejects.toThrow('与学校登记的不符');
  for (let count = 0; count < 4; count++) await expect(decide('林小雨', '13911111111', 1)).rejects.toThrow('不符');
  await expect(decide('林小雨', '13900000001', 1)).rejects.toMatchObject({ code: 110003 });
  expect(await progress()).toMatchObject({ signed: 0, pending: 3 });
});

test('the refusal of a guardian is 免测 in the tasks of now and later, and the guardian can take it back', async () => {
  const { as, decide, teamcode } = await startClass();
  const first = await as('chen')(task.insertAssessTask, screening([teamcode]));
  await decide('林小雨', '13900000001', 0);
  const second = await as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '第二次' }));
  const rowsOf = async (taskcode: string) =>
    (await as('chen')(board.getAssessTaskRoster, { taskcode, reason: '家长不同意' })).rows.map((row) => row.username);
  for (const { taskcode } of [first, second]) {
    expect(await rowsOf(taskcode)).toEqual(['林小雨']);
    expect(await as('chen')(board.getAssessTaskRosterProgress, { taskcode })).toMatchObject({ total: 4, exempt: 1 });
    const chase = await as('chen')(board.getTaskChaseList, { taskcode });
    expect(chase.classes.flatMap(({ people }) => people.map(({ username }) => username))).not.toContain('林小雨');
  }
  await decide('林小雨', '13900000001', 1);
  for (const { taskcode } of [first, second]) expect(await rowsOf(taskcode)).toEqual([]);
});

test('staff record a refusal before the day, and a later paper consent takes it back', async () => {
  const { as, members, progress } = await startClass();
  const { 周宁: zhou } = await members();
  await as('chen')(consent.refuseGuardianConsent, { cuserid: zhou!.cuserid, remark: '母亲来电，10 月 8 日' });
  expect(await progress()).toMatchObject({ refused: 1, pending: 2 });
  const paper = { cuserids: [zhou!.cuserid], method: '02' as const, remark: '纸质同意书 12 号' };
  expect(await as('chen')(consent.verifyGuardianConsent, paper)).toEqual({ verified: 1 });
  expect(await progress()).toMatchObject({ refused: 0, signed: 1 });
});

test('the link of one child names nobody: the telephone of the guardian or the birthday of the child decides', async () => {
  const { as, nobody, teamcode, progress } = await startClass();
  const members = await as('chen')(consent.getGuardianClassMembers, { teamcode });
  const childOf = (name: string) => members.find(({ label }) => label === name)!.child;
  expect(new Set(members.map(({ child }) => child)).size).toBe(3);
  const { consent: words, ...entry } = await nobody(respond.getEntry, { clientcode });
  expect(JSON.stringify(entry)).not.toContain('林小雨');
  const decide = (child: string, proof: { phonenumber?: string; birthday?: string }, agreed: 0 | 1 = 1) =>
    nobody(respond.decideAsGuardian, {
      clientcode,
      teamcode,
      consentversion: words.version,
      child,
      name: '林建国',
      relation: '01',
      agreed,
      ...proof,
    });
  for (const proof of [{ phonenumber: '13900000002' }, { birthday: '2013-03-05' }, {}])
    await expect(decide(childOf('林小雨'), proof)).rejects.toThrow(/与学校登记的不符|监护人电话/);
  await expect(decide('A'.repeat(22), { birthday: '2013-03-04' })).rejects.toThrow('与学校登记的不符');
  await decide(childOf('林小雨'), { phonenumber: '139-0000-0001' });
  await decide(childOf('周宁'), { birthday: '2013-06-04' }, 0);
  expect(await progress()).toMatchObject({ needed: 3, signed: 1, refused: 1, pending: 1 });
});

test('a name with a birthday decides nothing: classmates know both', async () => {
  const { nobody, teamcode } = await startClass();
  const { consent: words } = await nobody(respond.getEntry, { clientcode });
  const request = { clientcode, teamcode, consentversion: words.version, username: '林小雨', birthday: '2013-03-04' };
  await expect(nobody(respond.decideAsGuardian, { ...request, name: '林建国', relation: '01', agreed: 1 })).rejects.toMatchObject(
    { code: 120001 },
  );
});
