import { expect, test } from 'vitest';
import { getSessionList, revokeSession } from '#features/org/user/user.contract.ts';
import { leaveLoginAs, loginAs } from '#features/session/acting.contract.ts';
import { endMySession, getMySessions } from '#features/account/profile.contract.ts';
import { getUserInfo, stepUp } from '#features/session/session.contract.ts';
import { addColleague, asBrowser, md5, signIn } from '#testing/staff.ts';
import { startServer } from '#testing/server.ts';

const passwordHash = md5('Own-sun-9!');

test('an administrator’s session list can end a session whose token changed by a step-up', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const sun = await addColleague(server, { sysusername: 'sun' });
  const sessionNumbers = async () => (await ma(getSessionList, { userid: sun.userid })).map((item) => item.sessionid).sort();
  const before = await sessionNumbers();
  const own = (await sun.call(getMySessions, {})).sessions.find((session) => session.current)?.sessionid as string;
  await sun.call(stepUp, { pwd: passwordHash });
  await sun.call(stepUp, { pwd: passwordHash });
  expect(await sessionNumbers()).toEqual(before);
  expect(before).toContain(own);
  expect(await ma(revokeSession, { userid: sun.userid, sessionid: own })).toEqual({ ended: 1 });
  await expect(sun.call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
});

test('a session revoked during its step-up does not survive under the new token', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const sun = await addColleague(server, { sysusername: 'sun' });
  for (let round = 0; round < 6; round++) {
    const browser = asBrowser(server, (await signIn(server, 'sun', 'Own-sun-9!')).token);
    const { sessions } = await browser.call(getMySessions, {});
    const sessionid = sessions.find((session) => session.current)?.sessionid as string;
    const [, ended] = await Promise.allSettled([
      browser.call(stepUp, { pwd: passwordHash }),
      ma(revokeSession, { userid: sun.userid, sessionid }),
    ]);
    expect(ended).toEqual({ status: 'fulfilled', value: { ended: 1 } });
    await expect(browser.call(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  }
});

test('a session keeps its number during and after acting, and no two sessions share a number', async () => {
  const server = await startServer();
  const numberOf = async (call: ReturnType<typeof server.withToken>) =>
    (await call(getMySessions, {})).sessions.find((session) => session.current)?.sessionid as string;
  const own = await numberOf(server.as('fang'));
  const acting = server.withToken(
    (await server.as('fang')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助核对名册导入的问题' })).token,
  );
  const actingNumber = (await server.as('chen')(getMySessions, {})).sessions.find((session) => session.loginas)?.sessionid;
  expect(actingNumber).not.toBe(own);
  const back = server.withToken((await acting(leaveLoginAs, {})).token);
  expect(await numberOf(back)).toBe(own);
  // The earlier token is invalid, and there is one session, not two.
  await expect(server.as('fang')(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect((await back(getMySessions, {})).sessions.filter((session) => session.sessionid === own)).toHaveLength(1);
  expect(await back(endMySession, { sessionid: own })).toEqual({ ended: 1 });
  await expect(back(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
});
