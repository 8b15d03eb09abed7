import { expect, test } from 'vitest';
import { ipRegionOf } from '#features/account/ipRegion.ts';
import * as profile from '#features/account/profile.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { startServer } from '#testing/server.ts';
import { addColleague, signIn } from '#testing/staff.ts';

test('staff see their own profile and change their contact data, and nothing that gives rights', async () => {
  const server = await startServer();
  const wang = server.as('wang');
  await wang(profile.updateProfile, { phonenumber: '13812345678', email: 'wang@example.com' });
  expect(await wang(profile.getProfile, {})).toMatchObject({
    account: 'wang',
    realname: '王班主任',
    phonenumber: '138****5678',
    email: 'wang@example.com',
    rolenames: ['班主任'],
  });
  await wang(profile.updateProfile, { email: '' });
  expect(await wang(profile.getProfile, {})).toMatchObject({ phonenumber: '138****5678', email: '' });
  await expect(wang(profile.updateProfile, {})).rejects.toMatchObject({ code: 120002 });
  expect((await server.raw('as.m.user.updateProfile', 'wang', { realname: '校长' })).errorMsg).toBe('不支持的字段：realname');
  expect((await server.as('chen')(profile.getProfile, {})).phonenumber).toBe('');
  // The platform's own account is not a member of staff.
  await server.as('super')(profile.updateProfile, { phonenumber: '13900000000' });
  expect((await server.as('super')(profile.getProfile, {})).phonenumber).toBe('139****0000');
  await expect(server.as('super')(profile.updateProfile, { email: 'a@b.cn' })).rejects.toMatchObject({ code: 120002 });
});

test('staff list their own sessions and end one or all others, and no session of anybody else', async () => {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  // The session in which she set her password ends after ten seconds.
  await server.sqlAsOwner(
    "update auth.session set revoked = now() where accountid = $1 and expiretime < now() + interval '1 minute'",
    [zhao.userid],
  );
  const second = await signIn(server, 'zhao', 'Own-zhao-9!');
  const third = await signIn(server, 'zhao', 'Own-zhao-9!');
  await expect(signIn(server, 'zhao', 'wrong')).rejects.toMatchObject({ code: 110001 });
  const { sessions, logins } = await zhao.call(profile.getMySessions, {});
  expect(sessions).toHaveLength(3);
  expect(sessions.filter((session) => session.current)).toHaveLength(1);
  expect(sessions[0]).toMatchObject({ place: '本机', loginas: false });
  expect(logins[0]).toMatchObject({ ok: false, reason: 'password' });
  expect(logins[1]).toMatchObject({ ok: true, reason: '' });
  const otherSession = (await server.as('chen')(profile.getMySessions, {})).sessions[0]?.sessionid ?? '';
  await expect(zhao.call(profile.endMySession, { sessionid: otherSession })).rejects.toMatchObject({ code: 130001 });
  const ownSession = sessions.find((session) => !session.current)?.sessionid ?? '';
  expect(await zhao.call(profile.endMySession, { sessionid: ownSession })).toEqual({ ended: 1 });
  expect(await zhao.call(profile.endMySession, {})).toEqual({ ended: 1 });
  for (const { token } of [second, third])
    await expect(server.withToken(token)(getUserInfo, {})).rejects.toMatchObject({ code: 110000 });
  expect(await zhao.call(getUserInfo, {})).toMatchObject({ sysusername: 'zhao' });
});

test.each([
  ['127.0.0.1', '本机'],
  ['::1', '本机'],
  ['::ffff:192.168.3.9', '内网'],
  ['10.20.30.40', '内网'],
  ['172.16.0.1', '内网'],
  ['172.32.0.1', '外网'],
  ['fd00::1', '内网'],
  ['202.96.128.86', '外网'],
  ['', ''],
])('the address %s is shown as %s', (ip, place) => expect(ipRegionOf(ip)).toBe(place));

test('an account without rights learns which administrators can give it a role, by name and role only', async () => {
  const server = await startServer();
  const { insname, administrators } = await server.as('nobody')(profile.getAdministratorList, {});
  expect(insname).toBe('云栖市晨光中学');
  expect(administrators).toEqual([{ userid: 'U_MA', realname: '马主任', rolenames: ['机构管理员'] }]);
});
