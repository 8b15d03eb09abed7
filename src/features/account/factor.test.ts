import { expect, test } from 'vitest';
import { codeAt } from '#server/security/totp.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { resetSecondFactor, selectUserList, updateUser } from '#features/org/user/user.contract.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { resetMUserFactor } from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import * as factor from '#features/account/factor.contract.ts';
import { notifyOfLapsedChallenges } from '#features/account/factor.server.ts';
import * as session from '#features/session/session.contract.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { anInstitutionAccount, expireStepUp } from '#testing/factories.ts';
import { addColleague, asBrowser, md5, signIn } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const passwordOf = (name: string) => `Own-${name}-9!`;

/** Creates a colleague with a second factor. Returns her calls, seed and recovery codes. */
async function addColleagueWithFactor(server: Server, sysusername = 'zhao') {
  const zhao = await addColleague(server, { sysusername });
  const { manualkey } = await zhao.call(factor.beginSecondFactor, {});
  const { recoverycodes } = await zhao.call(factor.confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  advanceClock(server, 30);
  return { ...zhao, seed: manualkey, recoverycodes, code: () => codeAt(manualkey, server.clock.now) };
}
const advanceClock = ({ clock }: Server, seconds: number) => {
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
};
/** Signs in with the right password and returns the challenge of the answer. */
async function requestChallenge(server: Server, name = 'zhao'): Promise<string> {
  const error = await signIn(server, name, passwordOf(name)).then(
    () => undefined,
    (error: unknown) => error as CallError,
  );
  expect(error?.code).toBe(110009);
  return (error?.data as { challenge: string }).challenge;
}

test('after enrolment with a first code, signing in needs a second factor', async () => {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const enrolment = await zhao.call(factor.beginSecondFactor, {});
  expect(enrolment).toMatchObject({ account: 'zhao', picture: expect.stringMatching(/^data:image\/png;base64,/) as string });
  // Before she confirms a code, she still signs in with her password alone.
  await signIn(server, 'zhao', passwordOf('zhao'));
  await expect(zhao.call(factor.confirmSecondFactor, { code: '000000' })).rejects.toMatchObject({ code: 120002 });
  const { recoverycodes } = await zhao.call(factor.confirmSecondFactor, { code: codeAt(enrolment.manualkey, server.clock.now) });
  expect(new Set(recoverycodes).size).toBe(10);
  expect(await zhao.call(factor.getSecondFactor, {})).toMatchObject({ enabled: true, recoveryleft: 10, enforced: false });
  advanceClock(server, 30);
  const challenge = await requestChallenge(server);
  const record = await server.nobody(session.verifySecondFactor, {
    challenge,
    code: codeAt(enrolment.manualkey, server.clock.now),
  });
  expect(record).toMatchObject({ sysusername: 'zhao', secondfactor: true });
  expect(await server.withToken(record.token)(session.getUserInfo, {})).toMatchObject({ sysusername: 'zhao' });
});

test('a wrong password gives no hint of a second factor', async () => {
  const server = await startServer();
  await addColleagueWithFactor(server);
  await addColleague(server, { sysusername: 'qian' });
  const answers = await Promise.all(
    ['zhao', 'qian', 'unknown-name'].map((username) =>
      server.raw('as.m.user.login', '', { username, pwd: md5('wrong password') }),
    ),
  );
  for (const answer of answers) expect(answer).toEqual({ errorCode: 110001, errorMsg: '账号或密码错误，还可尝试 4 次' });
});

test('a code is accepted once, and no older code after it', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const before = codeAt(zhao.seed, new Date(server.clock.now.getTime() - 30_000));
  const code = zhao.code();
  const first = await requestChallenge(server);
  await server.nobody(session.verifySecondFactor, { challenge: first, code });
  const second = await requestChallenge(server);
  for (const old of [code, before])
    await expect(server.nobody(session.verifySecondFactor, { challenge: second, code: old })).rejects.toMatchObject({
      code: 110012,
    });
  advanceClock(server, 30);
  // A challenge opens one session.
  await expect(server.nobody(session.verifySecondFactor, { challenge: first, code: zhao.code() })).rejects.toMatchObject({
    code: 110013,
  });
  // Of two concurrent sign-ins with one code, one succeeds.
  const [third, fourth] = [await requestChallenge(server), await requestChallenge(server)];
  const results = await Promise.allSettled(
    [third, fourth].map((challenge) => server.nobody(session.verifySecondFactor, { challenge, code: zhao.code() })),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('five wrong codes lock the second factor, and a right password in between does not reset the counter', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  for (const left of [4, 3, 2, 1, 0]) {
    const challenge = await requestChallenge(server);
    await expect(server.nobody(session.verifySecondFactor, { challenge, code: '000000' })).rejects.toThrow(`还可尝试 ${left} 次`);
  }
  const challenge = await requestChallenge(server);
  await expect(server.nobody(session.verifySecondFactor, { challenge, code: zhao.code() })).rejects.toMatchObject({
    code: 110003,
  });
});

test('each recovery code works once, its use is notified, and new codes void the old ones', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const [usedCode = '', unusedCode = ''] = zhao.recoverycodes;
  const spaced = usedCode.toUpperCase().replaceAll('-', ' ');
  const { token } = await server.nobody(session.verifySecondFactor, { challenge: await requestChallenge(server), code: spaced });
  const { call } = asBrowser(server, token);
  await expect(
    server.nobody(session.verifySecondFactor, { challenge: await requestChallenge(server), code: usedCode }),
  ).rejects.toMatchObject({ code: 110012 });
  expect(await call(factor.getSecondFactor, {})).toMatchObject({ recoveryleft: 9 });
  expect((await call(getNoticePageList, {})).rows[0]?.title).toBe('已使用一个恢复码登录');
  const newCodes = await call(factor.renewRecoveryCodes, { code: zhao.code() });
  await expect(
    server.nobody(session.verifySecondFactor, { challenge: await requestChallenge(server), code: unusedCode }),
  ).rejects.toMatchObject({ code: 110012 });
  await server.nobody(session.verifySecondFactor, {
    challenge: await requestChallenge(server),
    code: newCodes.recoverycodes[0] ?? '',
  });
});

test('a long recovery code from before stays valid', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const longCode = '00112233445566778899aabbccddeeff';
  await server.sqlAsOwner('insert into auth.recovery (accountid, codehash) values ($1, $2)', [
    zhao.userid,
    server.services.cipher.hmac('recovery', longCode),
  ]);
  const challenge = await requestChallenge(server);
  const typed = longCode.replace(/.{4}(?=.)/g, '$&-').toUpperCase();
  expect((await server.nobody(session.verifySecondFactor, { challenge, code: typed })).realname).toBe('zhao');
});

test('the seed and the recovery codes are not stored in clear text', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const rows = await server.sqlAsOwner<{ all: string }>(
    'select (select string_agg(f::text, chr(10)) from auth.totp f) || (select string_agg(r::text, chr(10)) from auth.recovery r) as all',
  );
  expect(rows[0]?.all).not.toContain(zhao.seed);
  for (const code of zhao.recoverycodes) expect(rows[0]?.all).not.toContain(code.replaceAll('-', ''));
  // The seed is encrypted for its account: in the row of another account it cannot be decrypted.
  const qian = await addColleagueWithFactor(server, 'qian');
  await server.sqlAsOwner(
    'update auth.totp set sealed = (select sealed from auth.totp where accountid = $1), laststep = 0 where accountid = $2',
    [qian.userid, zhao.userid],
  );
  advanceClock(server, 30);
  expect(
    (await server.raw('as.m.user.verifySecondFactor', '', { challenge: await requestChallenge(server), code: qian.code() }))
      .errorCode,
  ).toBe(900000);
});

test('a sign-in that stops after the password is notified once after three minutes', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const challenge = await requestChallenge(server);
  const noticeCount = async () =>
    (await zhao.call(getNoticePageList, {})).rows.filter((row) => row.title.includes('没有通过二次验证')).length;
  await notifyOfLapsedChallenges(server.services, server.clock.now);
  expect(await noticeCount()).toBe(0);
  await server.sqlAsOwner("update auth.challenge set createtime = createtime - interval '4 minutes'");
  // The code is too late, too.
  await expect(server.nobody(session.verifySecondFactor, { challenge, code: zhao.code() })).rejects.toMatchObject({
    code: 110013,
  });
  await notifyOfLapsedChallenges(server.services, server.clock.now);
  await notifyOfLapsedChallenges(server.services, server.clock.now);
  expect(await noticeCount()).toBe(1);
});

test('a code works for step-up like a password, but only after enrolment', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  await expireStepUp(server, zhao.userid);
  await expect(zhao.call(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Own-zhao-8!') })).rejects.toMatchObject({
    code: 110007,
    data: { secondfactor: true },
  });
  await expect(zhao.call(session.stepUp, { code: '000000' })).rejects.toMatchObject({ code: 110012 });
  await zhao.call(session.stepUp, { code: zhao.code() });
  // The code of one 30-second step is refused the second time.
  await expect(zhao.call(factor.disableSecondFactor, { code: zhao.code() })).rejects.toMatchObject({ code: 110012 });
  advanceClock(server, 30);
  await zhao.call(factor.disableSecondFactor, { code: zhao.code() });
  await signIn(server, 'zhao', passwordOf('zhao'));
  advanceClock(server, 30);
  await expect(zhao.call(session.stepUp, { code: zhao.code() })).rejects.toMatchObject({ code: 110012 });
  await expect(zhao.call(session.stepUp, {})).rejects.toMatchObject({ code: 120002 });
});

test('an administrator resets a lost second factor: sessions end, the user is notified and the reset is audited', async () => {
  const server = await startServer();
  const zhao = await addColleagueWithFactor(server);
  const row = async () => (await server.as('ma')(selectUserList, {})).rows.find((user) => user.userid === zhao.userid);
  expect(await row()).toMatchObject({ secondfactor: true });
  await expect(server.as('qiao')(resetSecondFactor, { userid: zhao.userid })).rejects.toMatchObject({ code: 110004 });
  await server.as('ma')(resetSecondFactor, { userid: zhao.userid });
  await expect(zhao.call(session.getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect(await row()).toMatchObject({ secondfactor: false });
  const { token } = await signIn(server, 'zhao', passwordOf('zhao'));
  expect((await server.withToken(token)(getNoticePageList, {})).rows.map((item) => item.title)).toContain('二次验证已被重置');
  expect(
    await server.sqlAsOwner("select accountid, objectid from audit.log where action = 'as.m.system.user.resetSecondFactor'"),
  ).toEqual([{ accountid: 'U_MA', objectid: zhao.userid }]);
  // An institution above manages an institution's own account; an institution beside it does not.
  await anInstitutionAccount(server, 'M_DONGSHAN', 'dongshan');
  await server.as('fang')(resetMUserFactor, { musercode: 'M_DONGSHAN' });
  await expect(server.as('ma')(resetMUserFactor, { musercode: 'M_DONGSHAN' })).rejects.toMatchObject({ code: 110004 });
});

test('a role or institution that requires a second factor blocks every call until enrolment', async () => {
  const server = await startServer();
  const { roleid } = await server.as('ma')(insertRole, {
    rolename: '危机处置',
    rolekey: 'crisis',
    datascope: 1,
    menuids: [],
    mustfactor: 1,
  });
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const qian = await addColleague(server, { sysusername: 'qian' });
  await server.as('ma')(updateUser, { userid: zhao.userid, roleids: [roleid] });
  expect(await zhao.call(session.getUserInfo, {})).toMatchObject({ mustenrol: true });
  expect(await qian.call(session.getUserInfo, {})).toMatchObject({ mustenrol: false });
  await expect(zhao.call(getNoticePageList, {})).rejects.toMatchObject({ code: 110010 });
  const { manualkey } = await zhao.call(factor.beginSecondFactor, {});
  await zhao.call(factor.confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  await zhao.call(getNoticePageList, {});
  expect(await zhao.call(factor.getSecondFactor, {})).toMatchObject({ enforced: true });
  await expect(zhao.call(factor.disableSecondFactor, { code: '000000' })).rejects.toMatchObject({ code: 140001 });
  // The provider may require it for the whole institution; this takes effect with the next call.
  await expect(server.as('ma')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 1 })).rejects.toMatchObject({ code: 110004 });
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 1 });
  await expect(qian.call(getNoticePageList, {})).rejects.toMatchObject({ code: 110010 });
  await zhao.call(getNoticePageList, {});
});
