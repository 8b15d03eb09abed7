import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { codeAt } from '#server/security/totp.ts';
import * as device from '#features/account/device/device.contract.ts';
import { findChallenge } from '#features/account/factor.queries.ts';
import { notifyOfLapsedChallenges } from '#features/account/factor.server.ts';
import { beginSecondFactor, confirmSecondFactor, disableSecondFactor } from '#features/account/factor.contract.ts';
import { beginPasskey, confirmPasskey, deletePasskey } from '#features/account/passkey/passkey.contract.ts';
import { endMySession, getMySessions } from '#features/account/profile.contract.ts';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { enableUser, resetSecondFactor } from '#features/org/user/user.contract.ts';
import { beginPasskeySignIn, signInByPasskey } from '#features/session/passkeySignIn.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { openSession } from '#features/session/session.queries.ts';
import { SoftDevice } from '#testing/passkey/softDevice.ts';
import { CallError, startServer } from '#testing/server.ts';
import { addColleague, md5 } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
type Answer = Awaited<ReturnType<Server['dispatch']>>;

const SIGN_INS: ReadonlySet<string> = new Set(
  [session.login, session.verifySecondFactor, signInByPasskey].map(({ name }) => name),
);

/** A browser keeps the cookie of its last sign-in and sends it with every call, as `http.ts` does. */
class Browser {
  cookie: string | undefined;
  token = '';
  readonly server: Server;
  constructor(server: Server, cookie?: string) {
    this.server = server;
    this.cookie = cookie;
  }

  async call<A extends Action>(action: A, body: RequestOf<A>): Promise<ResponseOf<A>> {
    const opensSession = SIGN_INS.has(action.name);
    const newCookie = opensSession ? randomUUID() : undefined;
    const answer = await this.server.dispatch({
      name: action.name,
      token: opensSession ? '' : this.token,
      body,
      isStrict: true,
      requestId: randomUUID(),
      ip: '203.0.113.7',
      useragent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0',
      cookieHash: this.cookie === undefined ? undefined : hashToken(this.cookie),
      newCookieHash: newCookie === undefined ? undefined : hashToken(newCookie),
    });
    if (answer.errorCode !== 0) throw new CallError(answer as Extract<Answer, { errorCode: number }>);
    this.cookie = newCookie ?? this.cookie;
    const given = (answer.data as { token?: string } | undefined)?.token;
    if (given) this.token = given;
    return answer.data as ResponseOf<A>;
  }
}

/** 赵老师 of 晨光中学 with a second factor; `allowed`: the school allows trusted devices. */
async function aTeacherWithFactor(server: Server, allowed = true) {
  if (allowed) await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 1 });
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const { manualkey } = await zhao.call(beginSecondFactor, {});
  const { recoverycodes } = await zhao.call(confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  return { ...zhao, seed: manualkey, recoverycodes };
}
type Teacher = Awaited<ReturnType<typeof aTeacherWithFactor>>;

/** Her next code. Each is accepted once, so the clock goes on. */
const nextCode = ({ clock }: Server, { seed }: Teacher) => {
  clock.now = new Date(clock.now.getTime() + 30_000);
  return codeAt(seed, clock.now);
};
const password = { username: 'zhao', pwd: md5('Own-zhao-9!') };

/** Enters the password in a browser; returns the data of 110009. */
async function challengeIn(browser: Browser) {
  const refusal = await browser.call(session.login, password).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 110009 });
  return (refusal as CallError).data as { challenge: string; cantrust: boolean };
}

/** Signs in with both factors, and trusts the browser. */
async function signInTrusting(server: Server, zhao: Teacher, browser = new Browser(server)) {
  const { challenge } = await challengeIn(browser);
  await browser.call(session.verifySecondFactor, { challenge, code: nextCode(server, zhao), trust: 1 });
  return browser;
}

test('a teacher who trusts her office computer signs in there with the password alone, and with both factors elsewhere', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  // Each sign-in sets another cookie; the trust follows it.
  for (const _ of [1, 2]) expect(await office.call(session.login, password)).toMatchObject({ sysusername: 'zhao' });
  await challengeIn(new Browser(server));
  const { allowed, devices } = await office.call(device.getTrustedDeviceList, {});
  expect({ allowed, devices }).toMatchObject({
    allowed: true,
    devices: [{ current: true, ip: '203.0.113.7', device: expect.stringContaining('Windows') as string }],
  });
  expect((await server.as('ma')(getLoginPageList, {})).rows.filter(({ ok }) => ok)[0]).toMatchObject({
    loginname: 'zhao',
    reason: 'trusted',
  });
  expect((await office.call(getNoticePageList, {})).rows[0]).toMatchObject({ title: '一台设备已设为 30 天内免二次验证' });
});

test('after the password a passkey trusts the browser as a code does', async () => {
  const server = await startServer();
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 1 });
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const phone = new SoftDevice();
  const credential = phone.create(await zhao.call(beginPasskey, {}));
  const { passkeyid } = await zhao.call(confirmPasskey, { passkeyname: '我的手机', credential });
  const office = new Browser(server);
  const { challenge } = await challengeIn(office);
  const signed = phone.sign(await office.call(beginPasskeySignIn, { challenge }));
  await office.call(signInByPasskey, { challenge, credential: signed, trust: 1 });
  await office.call(session.login, password);
  await office.call(session.stepUp, { pwd: password.pwd });
  // A person who removes a passkey may have lost the device.
  await office.call(confirmPasskey, {
    passkeyname: '办公室电脑',
    credential: new SoftDevice().create(await office.call(beginPasskey, {})),
  });
  await office.call(deletePasskey, { passkeyid });
  await challengeIn(office);
});

test('the trust belongs to one account; another account in the same browser gives its own second factor', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  const qian = await addColleague(server, { sysusername: 'qian' });
  const { manualkey } = await qian.call(beginSecondFactor, {});
  await qian.call(confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  const asQian = { username: 'qian', pwd: md5('Own-qian-9!') };
  const refusal = (await office.call(session.login, asQian).catch((error: unknown) => error)) as CallError;
  expect(refusal).toMatchObject({ code: 110009 });
  server.clock.now = new Date(server.clock.now.getTime() + 30_000);
  await office.call(session.verifySecondFactor, {
    challenge: (refusal.data as { challenge: string }).challenge,
    code: codeAt(manualkey, server.clock.now),
  });
  // A sign-in of another account never moves the trust: with a copied cookie it could move to a thief. 赵老师 gives a code once more.
  await challengeIn(office);
});

test('where the institution does not allow it, nothing is offered and nothing is trusted; forbidding it ends it at once', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server, false);
  const office = new Browser(server);
  const { challenge, cantrust } = await challengeIn(office);
  expect(cantrust).toBe(false);
  await office.call(session.verifySecondFactor, { challenge, code: nextCode(server, zhao), trust: 1 });
  await challengeIn(office);
  expect(await zhao.call(device.getTrustedDeviceList, {})).toEqual({ allowed: false, devices: [] });

  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 1 });
  expect((await challengeIn(office)).cantrust).toBe(true);
  await signInTrusting(server, zhao, office);
  await office.call(session.login, password);
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 0 });
  await challengeIn(office);
});

test('only an institution above decides it, after a step-up, and a program without cookies is never trusted', async () => {
  const server = await startServer();
  await expect(server.as('ma')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 1 })).rejects.toMatchObject({
    code: 110004,
  });
  await server.sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes'");
  await expect(server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', trustdevice: 1 })).rejects.toMatchObject({
    code: 110007,
  });
  await server.sqlAsOwner('update auth.session set stepuptime = now()');
  await aTeacherWithFactor(server);
  const refusal = await server.nobody(session.login, password).catch((error: unknown) => error);
  expect((refusal as CallError).data).toMatchObject({ cantrust: false });
  const { rows } = await server.as('fang')(getMUserPageList, { keyword: '晨光中学' });
  expect(rows.find(({ musercode }) => musercode === 'M_CHENGUANG')).toMatchObject({ trustdevice: 1 });
});

test('the trust ends after 30 days, and the row goes with the next clean-up', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  await server.sqlAsOwner("update auth.account set pwdtime = pwdtime - interval '90 days'");
  await server.sqlAsOwner("update auth.trusteddevice set createtime = createtime - interval '29 days 23 hours'");
  await office.call(session.login, password);
  await server.sqlAsOwner("update auth.trusteddevice set createtime = createtime - interval '2 hours'");
  await challengeIn(office);
  await notifyOfLapsedChallenges(server.services, server.clock.now);
  expect(await server.sqlAsOwner('select deviceid from auth.trusteddevice')).toEqual([]);
});

const endings: [string, (server: Server, zhao: Teacher, office: Browser) => Promise<unknown>][] = [
  [
    'she removes the device',
    async (_, zhao) => {
      const { devices } = await zhao.call(device.getTrustedDeviceList, {});
      return zhao.call(device.deleteTrustedDevice, { deviceid: devices[0]?.deviceid });
    },
  ],
  ['she removes all devices', (_, zhao) => zhao.call(device.deleteTrustedDevice, {})],
  [
    'she ends the sign-in there',
    async (_, zhao) => {
      const { sessions } = await zhao.call(getMySessions, {});
      return zhao.call(endMySession, { sessionid: sessions.find(({ ip }) => ip === '203.0.113.7')?.sessionid });
    },
  ],
  ['she ends all other sign-ins', (_, zhao) => zhao.call(endMySession, {})],
  [
    'she ends all other sign-ins after the office has signed out',
    async (_, zhao, office) => {
      await office.call(session.logout, {});
      return zhao.call(endMySession, {});
    },
  ],
  [
    'an administrator resets the second factor',
    async (server, zhao) => {
      await server.as('ma')(resetSecondFactor, { userid: zhao.userid });
      await server.sqlAsOwner('insert into auth.totp (accountid, sealed, confirmed) values ($1, $2, now())', [zhao.userid, 'x']);
    },
  ],
  [
    'she turns the second factor off and on again',
    async (server, zhao) => {
      await zhao.call(disableSecondFactor, { code: nextCode(server, zhao) });
      await server.sqlAsOwner('insert into auth.totp (accountid, sealed, confirmed) values ($1, $2, now())', [zhao.userid, 'x']);
    },
  ],
  [
    'her account is disabled and enabled again',
    async (server, zhao) => {
      await server.as('ma')(enableUser, { userid: zhao.userid, enabled: 0 });
      await server.as('ma')(enableUser, { userid: zhao.userid, enabled: 1 });
    },
  ],
];
test.each(endings)('the trust ends when %s', async (_, end) => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  await office.call(session.login, password);
  await end(server, zhao, office);
  await challengeIn(office);
});

test('a sign-in that began before a new password opens no session', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const thief = new Browser(server);
  const { challenge } = await challengeIn(thief);
  const found = await findChallenge(server.services.pools.authn, hashToken(challenge));
  await zhao.call(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Another-zhao-7!'), oldpwd: password.pwd });
  // The code was checked before the change; the session would be opened after it.
  const isOpened = await openSession(server.services.pools.authn, {
    tokenhash: hashToken('stolen'),
    musercode: 'M_CHENGUANG',
    accountid: zhao.userid,
    ip: '203.0.113.7',
    useragent: '',
    newCookieHash: undefined,
    pwdversion: found?.pwdversion ?? '',
    isProven: true,
  });
  expect([found?.accountid, isOpened]).toEqual([zhao.userid, false]);
});

test('in a trusted browser what is sensitive asks for a proof at once, and a recovery code trusts no browser', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  await office.call(session.login, password);
  await expect(office.call(beginPasskey, {})).rejects.toMatchObject({ code: 110007 });
  const elsewhere = new Browser(server);
  const { challenge } = await challengeIn(elsewhere);
  await elsewhere.call(session.verifySecondFactor, { challenge, code: zhao.recoverycodes[0] ?? '', trust: 1 });
  await challengeIn(elsewhere);
});

test('forbidding trusted devices, or disabling the institution, ends them for good', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  for (const [off, on] of [
    ['trustdevice = 0', 'trustdevice = 1'],
    ['enabled = 0', 'enabled = 1'],
  ]) {
    await server.sqlAsOwner(`update muser set ${off} where musercode = 'M_CHENGUANG'`);
    await server.sqlAsOwner(`update muser set ${on} where musercode = 'M_CHENGUANG'`);
    await challengeIn(office);
    await signInTrusting(server, zhao, office);
  }
});

test('a new password ends the trust in all devices', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  await zhao.call(updateMUser, { musercode: 'M_CHENGUANG', pwd: md5('Another-zhao-7!'), oldpwd: password.pwd });
  const refusal = await office.call(session.login, { ...password, pwd: md5('Another-zhao-7!') }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 110009 });
});

test('ending other sign-ins keeps the trust in the browser where she is, and nobody removes the device of another', async () => {
  const server = await startServer();
  const zhao = await aTeacherWithFactor(server);
  const office = await signInTrusting(server, zhao);
  await office.call(endMySession, {});
  const { devices } = await office.call(device.getTrustedDeviceList, {});
  expect(devices).toHaveLength(1);
  await expect(server.as('chen')(device.deleteTrustedDevice, { deviceid: devices[0]?.deviceid })).rejects.toMatchObject({
    code: 130001,
  });
  await office.call(session.login, password);
});
