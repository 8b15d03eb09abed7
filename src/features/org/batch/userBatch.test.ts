import { expect, test } from 'vitest';
import { startServer } from '#testing/server.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { selectRoleList } from '#features/access/role/role.contract.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { insertUser, resetPwd, selectUserList } from '#features/org/user/user.contract.ts';
import { resetPwdBatch, updateUserBatch } from '#features/org/batch/userBatch.contract.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const roleidOf = async ({ as }: Server, rolekey: string) =>
  (await as('ma')(selectRoleList, { pageSize: 200 })).rows.find((role) => role.rolekey === rolekey)?.roleid as number;
const rowOf = async ({ as }: Server, keyword: string) => (await as('ma')(selectUserList, { keyword })).rows[0];

test('the validity of a one-time password is chosen: 1, 7 or 30 days', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { userid, validuntil } = await ma(insertUser, { sysusername: 'sun', realname: '孙悦', roleids: [], validdays: 7 });
  expect(validuntil).toBe('2025-10-15 10:00:00');
  expect((await ma(resetPwd, { userid })).validuntil).toBe('2025-10-09 10:00:00');
  expect((await ma(resetPwd, { userid, validdays: 30 })).validuntil).toBe('2025-11-07 10:00:00');
  const [account] = await server.sqlAsOwner<{ days: string }>(
    'select round(extract(epoch from pwdexpire - now()) / 86400) as days from auth.account where userid = $1',
    [userid],
  );
  expect(Number(account?.days)).toBe(30);
  const other = await server.raw('as.m.system.user.resetPwd', 'ma', { userid, validdays: 365 });
  expect(other.errorCode).toBe(120002);
});

test('a bulk reset answers each new password once; each works, the sessions end, and the log of each user has it', async () => {
  const server = await startServer();
  const sun = await addColleague(server, { sysusername: 'sun' });
  const qian = await addColleague(server, { sysusername: 'qian' });
  const { created, refused, validuntil } = await server.as('ma')(resetPwdBatch, {
    userids: [sun.userid, qian.userid, 'U_MA'],
    validdays: 7,
  });
  expect(validuntil).toBe('2025-10-15 10:00:00');
  expect(created.map(({ sysusername }) => sysusername)).toEqual(['sun', 'qian']);
  expect(refused).toEqual([{ userid: 'U_MA', realname: '马主任', reason: '不能对自己的账号进行该操作', openwork: 0 }]);
  await expect(signIn(server, 'sun', 'Own-sun-9!')).rejects.toMatchObject({ code: 110001 });
  for (const { sysusername, onetime } of created) expect((await signIn(server, sysusername, onetime)).mustchangepwd).toBe(true);
  const rows = await server.sqlAsOwner<{ objectid: string | null; detail: unknown }>(
    "select objectid, detail from audit.log where action = 'as.m.system.user.resetPwdBatch' order by id",
  );
  expect(rows.map((row) => row.objectid)).toEqual([sun.userid, qian.userid, null]);
  for (const { onetime } of created) {
    expect(JSON.stringify(rows)).not.toContain(onetime);
    expect(JSON.stringify(rows)).not.toContain(md5(onetime));
  }
});

test('many users move to a department and get, lose or keep only chosen roles', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const psychologist = await roleidOf(server, 'psychologist');
  const classteacher = await roleidOf(server, 'classteacher');
  const sun = await addColleague(server, { sysusername: 'sun', roleids: [psychologist] });
  const qian = await addColleague(server, { sysusername: 'qian' });
  const userids = [sun.userid, qian.userid];
  const { deptid } = await ma(insertDept, { deptname: '德育处', parentid: 0 });
  expect(await ma(updateUserBatch, { userids, deptid })).toEqual({ changed: 2, refused: [] });
  expect(await rowOf(server, 'qian')).toMatchObject({ deptname: '德育处' });
  await ma(updateUserBatch, { userids, rolemode: 'add', roleids: [classteacher] });
  expect((await rowOf(server, 'sun'))?.roleids.sort()).toEqual([psychologist, classteacher].sort());
  await ma(updateUserBatch, { userids, rolemode: 'remove', roleids: [psychologist] });
  expect((await rowOf(server, 'sun'))?.roleids).toEqual([classteacher]);
  await ma(updateUserBatch, { userids, rolemode: 'replace', roleids: [psychologist] });
  expect((await rowOf(server, 'qian'))?.roleids).toEqual([psychologist]);
  await ma(updateUserBatch, { userids, deptid: null });
  expect(await rowOf(server, 'sun')).toMatchObject({ deptid: null });
  for (const change of [{}, { enabled: 1, deptid }])
    expect((await server.raw('as.m.system.user.updateUserBatch', 'ma', { userids, ...change })).errorCode).toBe(120002);
});

test('disabling many users leaves those with open cases as they are and says how many cases to hand over', async () => {
  const server = await crisisSchool('2025-10-08 10:00');
  await server.accept(await server.report(2));
  const sun = await addColleague(server, { sysusername: 'sun' });
  const { changed, refused } = await server.as('ma')(updateUserBatch, { userids: [sun.userid, 'U_CHEN'], enabled: 0 });
  expect(changed).toBe(1);
  expect(refused).toEqual([
    { userid: 'U_CHEN', realname: '陈静怡', reason: '“陈静怡”还负责 1 个在办预警，请先移交', openwork: 1 },
  ]);
  expect(await rowOf(server, 'sun')).toMatchObject({ enabled: 0 });
  expect((await server.as('ma')(selectUserList, { keyword: 'chen' })).rows[0]).toMatchObject({ enabled: 1, opencases: 1 });
  expect(await server.as('ma')(updateUserBatch, { userids: [sun.userid], enabled: 1 })).toEqual({ changed: 1, refused: [] });
});

test('taking the role of a case owner away leaves the owner as before', async () => {
  const server = await crisisSchool('2025-10-08 10:00');
  await server.accept(await server.report(2));
  const psychologist = await roleidOf(server, 'psychologist');
  const { changed, refused } = await server.as('ma')(updateUserBatch, {
    userids: ['U_CHEN'],
    rolemode: 'remove',
    roleids: [psychologist],
  });
  expect(changed).toBe(0);
  expect(refused[0]).toMatchObject({ userid: 'U_CHEN', openwork: 1 });
  expect((await rowOf(server, 'chen'))?.roleids).toContain(psychologist);
});

test('nobody gives a role that they could not give to one user', async () => {
  const server = await startServer();
  const sun = await addColleague(server, { sysusername: 'sun' });
  const provider = await roleidOf(server, 'provideradmin');
  const request = { userids: [sun.userid], rolemode: 'add', roleids: [provider ?? 1] };
  expect((await server.raw('as.m.system.user.updateUserBatch', 'chen', request)).errorCode).toBe(110004);
  const foreign = await server.as('ma')(updateUserBatch, { userids: ['U_FANG'], enabled: 0 });
  expect(foreign).toEqual({
    changed: 0,
    refused: [{ userid: 'U_FANG', realname: '', reason: '用户不存在或已删除', openwork: 0 }],
  });
});
