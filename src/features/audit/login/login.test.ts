import { expect, test } from 'vitest';
import { codeAt } from '#server/security/totp.ts';
import * as factor from '#features/account/factor.contract.ts';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { verifySecondFactor } from '#features/session/session.contract.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { addColleague, signIn } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const logOf = async (server: Server, who: 'ma' | 'fang' | 'super' | 'lin', filters: object) =>
  (await server.as(who)(getLoginPageList, { pageSize: 200, ...filters })).rows;

test('the administrator reads who signed in from where, and why a sign-in failed', async () => {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao', realname: '赵老师' });
  await expect(signIn(server, 'zhao', 'Wrong-Word-1')).rejects.toMatchObject({ code: 110001 });
  const [failure, success] = await logOf(server, 'ma', { keyword: '赵老师' });
  expect(failure).toMatchObject({ realname: '赵老师', loginname: 'zhao', ok: false, reason: 'password', place: '本机' });
  expect(success).toMatchObject({ accountid: zhao.userid, ok: true, reason: '' });
  expect((await logOf(server, 'ma', { keyword: 'ZHA', result: '0' })).map((row) => row.reason)).toEqual(['password']);
  expect(await logOf(server, 'ma', { keyword: '%' })).toEqual([]);
  expect(await logOf(server, 'ma', { begindate: '2020-01-01', enddate: '2020-12-31' })).toEqual([]);
  // A page after the last one still has the total.
  expect(await server.as('ma')(getLoginPageList, { keyword: 'zhao', page: 9 })).toEqual({ total: 3, rows: [] });
});

test('a wrong code after a right password is in the log', async () => {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const { manualkey } = await zhao.call(factor.beginSecondFactor, {});
  const code = codeAt(manualkey, server.clock.now);
  await zhao.call(factor.confirmSecondFactor, { code });
  const error = await signIn(server, 'zhao', 'Own-zhao-9!').catch((reason: unknown) => reason as CallError);
  const { challenge } = (error as CallError).data as { challenge: string };
  // A code of the app is valid once, and this one confirmed the app.
  await expect(server.nobody(verifySecondFactor, { challenge, code })).rejects.toMatchObject({ code: 110012 });
  expect((await logOf(server, 'ma', { keyword: 'zhao' })).slice(0, 2).map((row) => row.reason)).toEqual(['code', 'second']);
});

test('each institution reads its own sign-ins, a provider and the platform also those of an institution below', async () => {
  const server = await startServer();
  await addColleague(server, { sysusername: 'zhao' });
  expect(await logOf(server, 'lin', { musercode: 'M_CHENGUANG' }).catch((error: CallError) => error.code)).toBe(110004);
  expect((await logOf(server, 'fang', { musercode: 'M_CHENGUANG' })).map((row) => row.loginname)).toContain('zhao');
  expect((await logOf(server, 'super', { musercode: 'M_CHENGUANG' })).map((row) => row.loginname)).toContain('zhao');
  expect(await logOf(server, 'fang', {})).toEqual([]);
  expect(await logOf(server, 'fang', { musercode: 'AS000001' })).toEqual([]);
  // A school names no other institution.
  expect((await logOf(server, 'ma', { musercode: 'M_DONGSHAN' })).map((row) => row.loginname)).toContain('zhao');
});
