import { expect, test } from 'vitest';
import { needsStepUp } from '#contract/action.ts';
import { handOver } from '#features/handover/handOver.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { aBooking, ownedBy, theWorkOfChen } from '#testing/handover/leaver.ts';
import { startServer } from '#testing/server.ts';

const all = { fromuserid: 'U_CHEN', touserid: 'U_LU', reason: '调离咨询岗位' };

test('another institution, an authority and a colleague without 用户管理 cannot hand over, nor see, somebody’s work', async () => {
  const server = await startServer();
  const { as } = server;
  await theWorkOfChen(server);
  const before = await ownedBy(server, 'U_CHEN');
  for (const who of ['qiao', 'lin', 'zhou', 'lu', 'wang', 'nobody'] as const)
    for (const request of [all, { fromuserid: 'U_CHEN', preview: 1 as const }])
      await expect(as(who)(handOver, request)).rejects.toMatchObject({ code: 110004 });
  // The provider manages users too, but not those of the school.
  await expect(as('fang')(handOver, all)).rejects.toMatchObject({ code: 130001 });
  expect(await ownedBy(server, 'U_CHEN')).toEqual(before);
});

test('a receiver of another institution, without the right, or the leaving colleague gets nothing', async () => {
  const server = await startServer();
  const { as } = server;
  await theWorkOfChen(server);
  const before = await ownedBy(server, 'U_CHEN');
  for (const touserid of ['U_QIAO', 'U_LIN', 'U_NONE']) {
    const answer = await as('ma')(handOver, { ...all, touserid });
    expect([answer.cases.moved, answer.bookings.moved, answer.persons.moved]).toEqual([0, 0, 0]);
  }
  await expect(as('ma')(handOver, { ...all, touserid: 'U_CHEN' })).rejects.toMatchObject({ code: 120002 });
  const wang = await as('ma')(handOver, { ...all, touserid: 'U_WANG', preview: 1 });
  expect([wang.cases.moved, wang.bookings.moved, wang.teams.moved]).toEqual([0, 0, 1]);
  expect(await ownedBy(server, 'U_CHEN')).toEqual(before);
});

test('staff without the right to cases learn neither the names of cases nor those of follow-ups', async () => {
  const server = await startServer();
  const { as } = server;
  await theWorkOfChen(server);
  for (const code of ['00046', '00014', '00047']) await setPermission(server, 'U_MA', code, 'deny');
  const preview = await as('ma')(handOver, { fromuserid: 'U_CHEN', preview: 1 });
  const names = [...preview.cases.rows, ...preview.followups.rows, ...preview.bookings.rows].map((row) => row.username);
  expect(names).toEqual(['', '', '', '', '']);
});

test('a colleague that a case suspects gets nothing about this person, and the reason does not say why', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { warningcode } = await theWorkOfChen(server);
  await sqlAsOwner("update warning set suspectuserids = '{U_LU}' where warningcode = $1", [warningcode]);
  const answer = await as('ma')(handOver, all);
  expect([answer.cases.moved, answer.bookings.moved, answer.persons.moved]).toEqual([0, 1, 1]);
  expect(answer.cases.rows[0]?.why).toBe('接收人不能接收这一项，请另选同事');
  expect(await ownedBy(server, 'U_LU')).toMatchObject({ cases: 0, bookings: 1, persons: 1 });
});

test('a caller that a case suspects does not see it; it passes to another able colleague', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { warningcode, lin } = await theWorkOfChen(server);
  await sqlAsOwner("update warning set suspectuserids = '{U_MA}' where warningcode = $1", [warningcode]);
  const preview = await as('ma')(handOver, { ...all, preview: 1 });
  expect([preview.cases.total, preview.bookings.total, preview.persons.total]).toEqual([0, 1, 1]);
  expect(JSON.stringify(preview)).not.toContain(lin.cuserid);
  await as('ma')(handOver, all);
  expect(await ownedBy(server, 'U_CHEN')).toMatchObject({ cases: 0, followups: 0, bookings: 0 });
  expect((await ownedBy(server, 'U_MA')) as object).toMatchObject({ cases: 0, bookings: 0 });
});

test('who acts in an account may look at the preview and hands nothing over', async () => {
  const server = await startServer();
  const { as, withToken } = server;
  await theWorkOfChen(server);
  const { token } = await as('fang')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助核对移交' });
  const before = await ownedBy(server, 'U_CHEN');
  expect((await withToken(token)(handOver, { preview: 1 })).cases.total).toBe(1);
  await expect(withToken(token)(handOver, { touserid: 'U_LU', reason: '离职' })).rejects.toMatchObject({ code: 110011 });
  expect(await ownedBy(server, 'U_CHEN')).toEqual(before);
  expect([needsStepUp(handOver, all), needsStepUp(handOver, { preview: 1 })]).toEqual([true, false]);
});

test('a class teacher hands over neither persons nor classes, because the owner decides who sees a person', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { teamcode } = await theWorkOfChen(server);
  await sqlAsOwner("update assessteam set owneruserid = 'U_WANG' where teamcode = $1", [teamcode]);
  const answer = await as('wang')(handOver, { touserid: 'U_LU', reason: '换班主任' });
  expect([answer.persons.total, answer.teams.total]).toEqual([0, 0]);
  expect(await ownedBy(server, 'U_WANG')).toMatchObject({ teams: 1 });
});

test('the private note passes on only where it is marked 随案移交', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { bookings } = await theWorkOfChen(server);
  for (const [index, consultid] of bookings.entries())
    await sqlAsOwner(
      `insert into consultnote (consultid, cuserid, musercode, userid, note, isshared, updatetime)
       select consultid, cuserid, musercode, 'U_CHEN', 'sealed', $2, now() from consult where consultid = $1`,
      [consultid, index],
    );
  await as('chen')(handOver, { touserid: 'U_LU', reason: '离职' });
  expect(await sqlAsOwner('select userid, isshared from consultnote order by isshared')).toEqual([
    { userid: 'U_CHEN', isshared: 0 },
    { userid: 'U_LU', isshared: 1 },
  ]);
});

test('a hand-over is in the audit log with its numbers, and in the log of every booking', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { lin } = await theWorkOfChen(server);
  await aBooking(server, { cuserid: lin.cuserid, counsellor: 'U_CHEN', at: '2025-10-17 10:00' });
  await as('ma')(handOver, all);
  const [row] = await sqlAsOwner<{ detail: Record<string, unknown> }>(
    "select detail from audit.log where action = 'as.m.user.handOver' order by 1 limit 1",
  );
  expect(row?.detail).toMatchObject({
    reason: '调离咨询岗位',
    numbers: '1 个在办预警、2 个待随访、3 个咨询预约、2 份档案、1 个团体',
  });
  const logs = await sqlAsOwner("select operatorname from consultlog where action = '移交'");
  expect(logs).toEqual(Array(3).fill({ operatorname: '马主任' }));
});
