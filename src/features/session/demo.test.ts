import { expect, test } from 'vitest';
import { getDemoAccounts, loginDemo } from '#features/session/demo.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { addColleague } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';

test('outside the demonstration no account is offered, and none of its names signs in without a password', async () => {
  const server = await startServer();
  await addColleague(server, { sysusername: 'demo_psych' });
  expect(await server.nobody(getDemoAccounts, {})).toEqual([]);
  for (const username of ['demo_psych', 'admin', 'chen'])
    await expect(server.nobody(loginDemo, { username })).rejects.toMatchObject({ code: 130001 });
});

test('the demonstration offers its accounts with who they are and what to look at, never with a password', async () => {
  const server = await startServer();
  server.services.demo = true;
  await addColleague(server, { sysusername: 'demo_psych', realname: '陈静怡' });
  const accounts = await server.nobody(getDemoAccounts, {});
  expect(accounts.map(({ loginname }) => loginname)).toEqual(expect.arrayContaining(['demo_psych', 'demo_zs', 'admin']));
  expect(accounts.every((account) => account.title !== '' && account.look !== '')).toBe(true);
  expect(JSON.stringify(accounts)).not.toMatch(/Demo1234|pwd/);
  const { token, realname } = await server.nobody(loginDemo, { username: 'demo_psych' });
  expect(realname).toBe('陈静怡');
  expect((await server.withToken(token)(getUserInfo, {})).demo).toBe(true);
  // An account of the same server that the demonstration does not offer needs its password.
  await expect(server.nobody(loginDemo, { username: 'chen' })).rejects.toMatchObject({ code: 130001 });
});

test('a disabled account of the demonstration says so', async () => {
  const server = await startServer();
  server.services.demo = true;
  const { userid } = await addColleague(server, { sysusername: 'demo_teacher' });
  await server.sqlAsOwner('update sysuser set enabled = 0 where userid = $1', [userid]);
  await expect(server.nobody(loginDemo, { username: 'demo_teacher' })).rejects.toMatchObject({ code: 110002 });
});
