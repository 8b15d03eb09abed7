import { expect, test } from 'vitest';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getHandover, updateAbsence } from '#features/warning/handover/handover.contract.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { aStudent, setPermission } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { crisisSchool } from '#testing/crisisCase.ts';

/** A case of 林小雨 that 陈静怡 has accepted. */
async function aCaseOfChen(server: TestServer, level = 2, options: Parameters<typeof aStudent>[1] = {}) {
  const { cuserid } = await aStudent(server, options);
  const { warningcode } = await server.as('chen')(handling.insertWarning, {
    cuserid,
    level,
    content: '同学反映她近来常常独自哭泣，不愿说话',
  });
  await server.as('chen')(handling.acceptWarning, { warningcode, owneruserid: 'U_CHEN' });
  return { warningcode, cuserid };
}

const ownerOf = async ({ as }: TestServer, warningcode: string) =>
  (await as('fang')(getWarningPageList, { keyword: warningcode })).rows[0];

const titlesOf = async ({ as }: TestServer, who: 'lu' | 'duty' | 'fang' | 'zhou' | 'chen') =>
  (await as(who)(getNoticePageList, {})).rows.map((row) => row.title);

test('an administrator cannot disable or delete the owner of open cases before each case has a receiver', async () => {
  const server = await startServer();
  const { as } = server;
  const first = await aCaseOfChen(server);
  const second = await aCaseOfChen(server, 3, { username: '周明', studentno: '20230302' });
  const refusal = {
    code: 130003,
    message: '“陈静怡”还负责 2 个在办预警，请先移交',
    data: {
      cases: [
        { warningcode: first.warningcode, level: 2 },
        { warningcode: second.warningcode, level: 3 },
      ],
    },
  };
  await expect(as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0 })).rejects.toMatchObject(refusal);
  await expect(as('ma')(user.deleteUserById, { userid: 'U_CHEN' })).rejects.toMatchObject(refusal);
  const onlyOne = [{ warningcode: first.warningcode, owneruserid: 'U_LU' }];
  await expect(as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers: onlyOne })).rejects.toMatchObject(refusal);
  expect(await as('chen')(getHandover, {})).toMatchObject({ realname: '陈静怡', cases: refusal.data.cases });
});

test('disabling an account hands its cases over in the same call; the receivers are told and must accept again', async () => {
  const server = await startServer();
  const { as } = server;
  const light = await aCaseOfChen(server);
  const severe = await aCaseOfChen(server, 3, { username: '周明', studentno: '20230302' });
  const { receivers } = await as('ma')(getHandover, { userid: 'U_CHEN' });
  expect(receivers.map((item) => [item.userid, item.isabove])).toEqual([
    ['U_DUTY', false],
    ['U_LU', false],
    ['U_MA', false],
    ['U_FANG', true],
  ]);
  expect(
    await as('ma')(user.enableUser, {
      userid: 'U_CHEN',
      enabled: 0,
      handovers: [
        { warningcode: light.warningcode, owneruserid: 'U_LU' },
        { warningcode: severe.warningcode, owneruserid: 'U_DUTY' },
      ],
    }),
  ).toEqual({ handedover: 2 });
  expect(await ownerOf(server, light.warningcode)).toMatchObject({
    owneruserid: 'U_LU',
    pending: 1,
    due: { kind: 'accept', at: '2025-10-09 10:00:00' },
  });
  expect(await ownerOf(server, severe.warningcode)).toMatchObject({
    owneruserid: 'U_DUTY',
    due: { kind: 'accept', at: '2025-10-08 12:00:00' },
  });
  expect(await titlesOf(server, 'lu')).toContain('预警已移交给您，二级预警，待受理');
  expect(await titlesOf(server, 'lu')).toContain('预警的责任人改为值班员');
  const { full } = await as('lu')(getWarningDetail, { warningcode: light.warningcode });
  expect(full?.logs.find((line) => line.action === '移交')).toMatchObject({
    content: '原责任人陈静怡的账号已停用。责任人：陆远',
    operatorname: '马主任',
  });
  await expect(as('chen')(getHandover, {})).rejects.toMatchObject({ code: 110000 });
});

test('a case is not handed to staff without 预警处置, to a shared or absent account, or to another institution', async () => {
  const server = await startServer();
  const { as } = server;
  const { warningcode } = await aCaseOfChen(server);
  await as('ma')(user.updateUser, { userid: 'U_DUTY', isshared: 1 });
  await as('lu')(updateAbsence, { absentuntil: '2025-10-12 08:00' });
  expect((await as('ma')(getHandover, { userid: 'U_CHEN' })).receivers.map((item) => item.userid)).toEqual(['U_MA', 'U_FANG']);
  for (const owneruserid of ['U_WANG', 'U_DUTY', 'U_LU', 'U_QIAO', 'U_CHEN', 'U_NONE'])
    await expect(
      as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers: [{ warningcode, owneruserid }] }),
    ).rejects.toMatchObject({ code: 130001, message: '可接收预警的人员不存在或已删除' });
  await setPermission(server, 'U_WANG', '00014', 'grant');
  await as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers: [{ warningcode, owneruserid: 'U_WANG' }] });
  expect(await ownerOf(server, warningcode)).toMatchObject({ owneruserid: 'U_WANG' });
});

test('a provider disables an account in an emergency, and its cases pass at once to the staff on duty', async () => {
  const server = await startServer();
  const { as } = server;
  const { warningcode } = await aCaseOfChen(server, 3);
  expect(await as('fang')(user.enableUser, { userid: 'U_CHEN', enabled: 0 })).toEqual({ handedover: 1 });
  expect(await ownerOf(server, warningcode)).toMatchObject({
    owneruserid: 'U_DUTY',
    due: { kind: 'accept', at: '2025-10-08 12:00:00' },
  });
  expect(await titlesOf(server, 'duty')).toContain('预警已移交给您，一级预警，待受理');
  await expect(as('chen')(getHandover, {})).rejects.toMatchObject({ code: 110000 });
  await expect(as('qiao')(user.enableUser, { userid: 'U_LU', enabled: 0 })).rejects.toMatchObject({ code: 110004 });
});

test('without an able colleague the case passes to the provider, and the school reads the name of the new owner', async () => {
  const server = await startServer();
  const { as } = server;
  await aCaseOfChen(server);
  for (const who of ['lu', 'duty', 'ma'] as const) await as(who)(updateAbsence, { absentuntil: '2025-10-12 08:00' });
  await as('fang')(user.enableUser, { userid: 'U_CHEN', enabled: 0 });
  expect((await as('lu')(getWarningPageList, {})).rows[0]).toMatchObject({ owneruserid: 'U_FANG', ownername: '方敏' });
  expect(await titlesOf(server, 'fang')).toContain('预警已移交给您，二级预警，待受理');
});

test('absent staff hand their cases over first, get no new case, and get cases again after their return', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const { warningcode } = await aCaseOfChen(server);
  const absentuntil = '2025-10-10 08:00';
  await expect(as('chen')(updateAbsence, { absentuntil })).rejects.toMatchObject({ code: 130003 });
  await expect(as('chen')(updateAbsence, { absentuntil: '2025-10-08 09:00' })).rejects.toMatchObject({ code: 120002 });
  await as('chen')(updateAbsence, { absentuntil, handovers: [{ warningcode, owneruserid: 'U_LU' }] });
  expect(await ownerOf(server, warningcode)).toMatchObject({ owneruserid: 'U_LU' });
  expect(await as('chen')(getHandover, {})).toMatchObject({ absentuntil: '2025-10-10 08:00:00', cases: [] });

  await as('ma')(updateAbsence, { userid: 'U_LU', absentuntil, handovers: [{ warningcode, owneruserid: 'U_DUTY' }] });
  const report = async (username: string, studentno: string) => {
    const { cuserid } = await aStudent(server, { username, studentno });
    const content = '同学反映他在教室里说活着没有意思';
    return (await as('ma')(handling.insertWarning, { cuserid, level: 2, content })).warningcode;
  };
  expect(await ownerOf(server, await report('周明', '20230303'))).toMatchObject({ owneruserid: 'U_DUTY' });
  clock.now = new Date('2025-10-10T02:00:00Z');
  expect((await ownerOf(server, await report('吴桐', '20230304')))?.owneruserid).toMatch(/U_CHEN|U_LU/);
  expect((await as('chen')(getHandover, {})).absentuntil).toBeNull();
});

test('a case never passes to the member of staff that it suspects of harm, and tells that person nothing', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid } = await aStudent(server);
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid,
    level: 3,
    content: '学生说值班老师多次对他动手，身上有淤青',
    suspectuserid: 'U_DUTY',
  });
  await as('chen')(handling.acceptWarning, { warningcode, owneruserid: 'U_CHEN' });
  const handovers = [{ warningcode, owneruserid: 'U_DUTY' }];
  await expect(as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers })).rejects.toMatchObject({ code: 130001 });
  await as('fang')(user.enableUser, { userid: 'U_CHEN', enabled: 0 });
  expect(await ownerOf(server, warningcode)).toMatchObject({ owneruserid: 'U_LU' });
  const dutyNotices = await sqlAsOwner("select from notification where userid = 'U_DUTY' and dedupekey like 'handover:%'");
  expect(dutyNotices).toEqual([]);
});

test('L5: after the owner was disabled from above, a farewell report is told at once and voids the earlier confirmation', async () => {
  const school = await crisisSchool('2026-11-18 07:00');
  const { as, at } = school;
  const code = await school.report(3);
  await school.accept(code);
  await school.talk(code);
  at('2026-11-18 07:50');
  await school.confirm(code, 'exclude', 'lu');
  at('2026-11-18 07:55');
  await as('fang')(user.enableUser, { userid: 'U_CHEN', enabled: 0 });
  expect((await school.detail(code, 'lu')).owneruserid).toBe('U_DUTY');
  expect((await school.notices(code)).filter((note) => note.userid === 'U_DUTY').at(-1)?.title).toContain('已移交给您');
  at('2026-11-18 07:58');
  await school.accept(code, 'duty');
  at('2026-11-18 08:00');
  expect(await school.report(3, '学生在班级群里发了告别的话，说下周不来了', 'ma')).toBe(code);
  const notified = (await school.notices(code)).filter((note) => note.createtime.getTime() === school.clock.now.getTime());
  expect(notified.map((note) => note.userid)).toEqual(expect.arrayContaining(['U_DUTY', 'U_LU']));
  expect((await school.detail(code, 'lu')).full?.clocks.find((item) => item.kind === 'accept')?.at).toBe('2026-11-19 08:00:00');
  at('2026-11-18 08:01');
  const exclude = { warningcode: code, contactresult: '01' as const, falsealarm: 1, content: '核实为误会，申请排除处理' };
  await expect(as('duty')(handling.verifyWarning, exclude)).rejects.toMatchObject({ code: 140001 });
});
