import { expect, test } from 'vitest';
import { codeAt } from '#server/security/totp.ts';
import {
  confirmSecondFactor,
  beginSecondFactor,
  disableSecondFactor,
  getSecondFactor,
} from '#features/account/factor.contract.ts';
import * as passkey from '#features/account/passkey/passkey.contract.ts';
import { relyingPartyOf } from '#features/account/passkey/verifyPasskey.ts';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { enableUser, resetPwd, resetSecondFactor, selectUserList } from '#features/org/user/user.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { beginPasskeySignIn, signInByPasskey } from '#features/session/passkeySignIn.contract.ts';
import { getUserInfo, stepUp, verifySecondFactor } from '#features/session/session.contract.ts';
import { expireStepUp } from '#testing/factories.ts';
import { SoftDevice, type Answering } from '#testing/passkey/softDevice.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { addColleague, signIn } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const password = 'Own-zhao-9!';

/** Creates 赵老师 with a passkey on her telephone. */
async function aColleagueWithPasskey(server: Server) {
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const device = new SoftDevice();
  const { passkeyid, recoverycodes } = await zhao.call(passkey.confirmPasskey, {
    passkeyname: '我的手机',
    credential: device.create(await zhao.call(passkey.beginPasskey, {})),
  });
  return { ...zhao, device, passkeyid, recoverycodes };
}

/** Signs in by a passkey without a name. */
const signInAlone = async ({ nobody }: Server, device: SoftDevice, answering: Answering = {}) =>
  nobody(signInByPasskey, { credential: device.sign(await nobody(beginPasskeySignIn, {}), answering) });

/** Signs in with the right password and returns the data of 110009. */
const afterPassword = async (server: Server) => {
  const error = await signIn(server, 'zhao', password).catch((refusal: unknown) => refusal as CallError);
  expect(error).toMatchObject({ code: 110009 });
  return (error as CallError).data as { challenge: string; hascode: boolean; haspasskey: boolean };
};

/** The reasons in the login log of an account, the last first. */
const reasonsOf = async ({ sqlAsOwner }: Server, accountid: string) =>
  (
    await sqlAsOwner<{ reason: string }>('select reason from auth.loginlog where accountid = $1 order by id desc', [accountid])
  ).map(({ reason }) => reason);

test('a passkey is added with a name, signs in without name and password, and is listed with its last use', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  expect(new Set(zhao.recoverycodes).size).toBe(10);
  const options = await server.nobody(beginPasskeySignIn, {});
  expect(options).toMatchObject({
    rpId: 'localhost',
    origin: 'http://localhost:8080',
    allowCredentials: [],
    userVerification: 'required',
  });
  const record = await server.nobody(signInByPasskey, { credential: zhao.device.sign(options) });
  expect(record).toMatchObject({ sysusername: 'zhao', secondfactor: true, mustenrol: false });
  expect(await server.withToken(record.token)(getUserInfo, {})).toMatchObject({ sysusername: 'zhao' });
  const list = await zhao.call(passkey.getPasskeyList, {});
  expect(list).toMatchObject({ origin: 'http://localhost:8080', passkeys: [{ passkeyname: '我的手机', isbackedup: 0 }] });
  expect(list.passkeys[0]?.lasttime).not.toBe('');
  const rows = await server.sqlAsOwner("select accountid, objectid from audit.log where action = 'as.m.user.confirmPasskey'");
  expect(rows).toEqual([{ accountid: zhao.userid, objectid: zhao.userid }]);
  // The login log, which administrators read, tells a passkey from a password.
  expect((await server.as('ma')(getLoginPageList, {})).rows[0]).toMatchObject({ loginname: 'zhao', ok: true, reason: 'passkey' });
  expect((await zhao.call(getNoticePageList, {})).rows.map(({ title }) => title)).toContain('已添加通行密钥');
});

test('after the password a passkey is the second factor, also of a key without PIN; a recovery code helps when it is lost', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  const { challenge, hascode, haspasskey } = await afterPassword(server);
  expect({ hascode, haspasskey }).toEqual({ hascode: false, haspasskey: true });
  const options = await server.nobody(beginPasskeySignIn, { challenge });
  expect(options.allowCredentials).toHaveLength(1);
  const credential = zhao.device.sign(options, { isVerified: false });
  expect(await server.nobody(signInByPasskey, { challenge, credential })).toMatchObject({ sysusername: 'zhao' });
  // Without the password such a key is refused: it proves one factor only.
  await expect(signInAlone(server, zhao.device, { isVerified: false })).rejects.toMatchObject({ code: 110019 });
  const next = await afterPassword(server);
  await server.nobody(verifySecondFactor, { challenge: next.challenge, code: zhao.recoverycodes[0] ?? '' });
});

test('a challenge is used once, within three minutes, and only for what it was made', async () => {
  const server = await startServer();
  const { nobody } = server;
  const zhao = await aColleagueWithPasskey(server);
  const options = await nobody(beginPasskeySignIn, {});
  const credential = zhao.device.sign(options);
  await nobody(signInByPasskey, { credential });
  await expect(nobody(signInByPasskey, { credential })).rejects.toMatchObject({ code: 110018 });
  await expect(nobody(signInByPasskey, { credential: zhao.device.sign({ challenge: 'made-up' }) })).rejects.toMatchObject({
    code: 110018,
  });
  const forStepUp = await zhao.call(passkey.beginPasskeyStepUp, {});
  await expect(nobody(signInByPasskey, { credential: zhao.device.sign(forStepUp) })).rejects.toMatchObject({ code: 110018 });
  const late = await nobody(beginPasskeySignIn, {});
  await server.sqlAsOwner("update auth.passkeychallenge set createtime = createtime - interval '4 minutes'");
  await expect(nobody(signInByPasskey, { credential: zhao.device.sign(late) })).rejects.toMatchObject({ code: 110018 });
});

test('another site, another device and a changed signature are refused and recorded', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  await expect(signInAlone(server, zhao.device, { origin: 'https://xinli.example' })).rejects.toMatchObject({ code: 110019 });
  await expect(signInAlone(server, new SoftDevice())).rejects.toMatchObject({ code: 110019 });
  const signed = zhao.device.sign(await server.nobody(beginPasskeySignIn, {}));
  const other = zhao.device.sign(await server.nobody(beginPasskeySignIn, {}));
  await expect(server.nobody(signInByPasskey, { credential: { ...signed, signature: other.signature } })).rejects.toMatchObject({
    code: 110019,
  });
  expect((await reasonsOf(server, zhao.userid)).slice(0, 2)).toEqual(['passkey', 'passkey']);
});

test('a counter that does not rise is refused, recorded and told to the owner', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  await signInAlone(server, zhao.device, { counter: 7 });
  for (const counter of [7, 3, 0])
    await expect(signInAlone(server, zhao.device, { counter })).rejects.toMatchObject({ code: 110020 });
  expect((await reasonsOf(server, zhao.userid)).slice(0, 3)).toEqual(['counter', 'counter', 'counter']);
  expect((await zhao.call(getNoticePageList, {})).rows.map(({ title }) => title)).toContain('一个通行密钥可能被复制，已拒绝使用');
  await signInAlone(server, zhao.device, { counter: 8 });
});

test('five refused signatures lock the passkey like codes, and a locked name locks it too', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(signInAlone(server, zhao.device, { origin: 'https://xinli.example' })).rejects.toMatchObject({ code: 110019 });
  await expect(signInAlone(server, zhao.device)).rejects.toMatchObject({ code: 110003 });
  await server.sqlAsOwner('delete from auth.throttle');
  await signInAlone(server, zhao.device);
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(signIn(server, 'zhao', 'wrong password')).rejects.toMatchObject({ code: 110001 });
  await expect(signInAlone(server, zhao.device)).rejects.toMatchObject({ code: 110003 });
});

test('disabled accounts, ended institutions and reset passwords refuse a passkey as they refuse a password', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  await server.as('ma')(enableUser, { userid: zhao.userid, enabled: 0 });
  await expect(signInAlone(server, zhao.device)).rejects.toThrow('账号已停用');
  await server.as('ma')(enableUser, { userid: zhao.userid, enabled: 1 });
  await server.sqlAsOwner("update auth.tenant set expiredate = '2020-01-01' where musercode = 'M_CHENGUANG'");
  await expect(signInAlone(server, zhao.device)).rejects.toMatchObject({ code: 110002 });
  await server.sqlAsOwner("update auth.tenant set expiredate = null where musercode = 'M_CHENGUANG'");
  await signInAlone(server, zhao.device);
  await server.as('ma')(resetPwd, { userid: zhao.userid });
  await expect(signInAlone(server, zhao.device)).rejects.toThrow('密码已被重置');
  expect((await reasonsOf(server, zhao.userid))[0]).toBe('reset');
});

test('a passkey proves a step-up; adding and removing passkeys ask for one', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  await expireStepUp(server, zhao.userid);
  await expect(zhao.call(passkey.beginPasskey, {})).rejects.toMatchObject({ code: 110007 });
  await expect(zhao.call(passkey.deletePasskey, { passkeyid: zhao.passkeyid })).rejects.toMatchObject({ code: 110007 });
  await zhao.call(stepUp, { passkey: zhao.device.sign(await zhao.call(passkey.beginPasskeyStepUp, {})) });
  await zhao.call(passkey.deletePasskey, { passkeyid: zhao.passkeyid });
  await expect(zhao.call(passkey.deletePasskey, { passkeyid: zhao.passkeyid })).rejects.toMatchObject({ code: 130001 });
  await expect(signInAlone(server, zhao.device)).rejects.toMatchObject({ code: 110019 });
  // With the last factor its recovery codes go, and the password alone signs in again.
  expect(await zhao.call(getSecondFactor, {})).toMatchObject({ enabled: false, passkeys: 0, recoveryleft: 0 });
  await signIn(server, 'zhao', password);
});

test('nobody proves a step-up or removes a passkey with the device of a colleague', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  const qian = await addColleague(server, { sysusername: 'qian' });
  await expect(qian.call(passkey.deletePasskey, { passkeyid: zhao.passkeyid })).rejects.toMatchObject({ code: 130001 });
  await expect(qian.call(passkey.beginPasskeyStepUp, {})).rejects.toMatchObject({ code: 140001 });
  await qian.call(passkey.confirmPasskey, {
    passkeyname: '办公电脑',
    credential: new SoftDevice().create(await qian.call(passkey.beginPasskey, {})),
  });
  const options = await qian.call(passkey.beginPasskeyStepUp, {});
  await expect(qian.call(stepUp, { passkey: zhao.device.sign(options) })).rejects.toMatchObject({ code: 110019 });
});

test('a passkey meets the duty of a second factor, and the last one then stays', async () => {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 1 });
  await expect(zhao.call(getNoticePageList, {})).rejects.toMatchObject({ code: 110010 });
  const device = new SoftDevice();
  const { passkeyid } = await zhao.call(passkey.confirmPasskey, {
    passkeyname: '我的手机',
    credential: device.create(await zhao.call(passkey.beginPasskey, {})),
  });
  await zhao.call(getNoticePageList, {});
  await expect(zhao.call(passkey.deletePasskey, { passkeyid })).rejects.toMatchObject({ code: 140001 });
  const { manualkey } = await zhao.call(beginSecondFactor, {});
  await zhao.call(confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  await zhao.call(passkey.deletePasskey, { passkeyid });
});

test('where a second factor is required, the codes of the app may go while a passkey stays, and never both at once', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  const { manualkey } = await zhao.call(beginSecondFactor, {});
  await zhao.call(confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  await server.as('fang')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 1 });
  server.clock.now = new Date(server.clock.now.getTime() + 30_000);
  const code = codeAt(manualkey, server.clock.now);
  const atHome = await signInAlone(server, zhao.device);
  const ways = await Promise.allSettled([
    zhao.call(disableSecondFactor, { code }),
    server.withToken(atHome.token)(passkey.deletePasskey, { passkeyid: zhao.passkeyid }),
  ]);
  expect(ways.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await server.sqlAsOwner('select accountid from auth.totp union all select accountid from auth.passkey')).toHaveLength(1);
});

test('an administrator’s reset of the second factor removes passkeys', async () => {
  const server = await startServer();
  const zhao = await aColleagueWithPasskey(server);
  const row = async () => (await server.as('ma')(selectUserList, {})).rows.find((user) => user.userid === zhao.userid);
  expect(await row()).toMatchObject({ secondfactor: true });
  await server.as('ma')(resetSecondFactor, { userid: zhao.userid });
  expect(await row()).toMatchObject({ secondfactor: false });
  await expect(signInAlone(server, zhao.device)).rejects.toMatchObject({ code: 110019 });
  await signIn(server, 'zhao', password);
});

test('passkeys need https with a host name, or localhost', () => {
  expect(relyingPartyOf('https://psy.example')).toEqual({ rpid: 'psy.example', origin: 'https://psy.example' });
  expect(relyingPartyOf('https://psy.example:8443/x')).toEqual({ rpid: 'psy.example', origin: 'https://psy.example:8443' });
  expect(relyingPartyOf('http://127.0.0.1:8080')).toEqual({ rpid: 'localhost', origin: 'http://localhost:8080' });
  for (const address of ['http://psy.example', 'https://10.0.0.8', 'https://[fd00::1]', 'nothing'])
    expect(relyingPartyOf(address)).toBeUndefined();
});
