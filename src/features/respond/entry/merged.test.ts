import { expect, test } from 'vitest';
import { insertTestLink } from '#features/assess/assess.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { mergeCUser, undoMergeCUser } from '#features/merge/merge.contract.ts';
import { loginByLink } from '#features/respond/entry/testLink.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { insertCUserAssessCode, updateMUserClient } from '#features/muser/entry/entry.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** A person signs in as before, although the record was merged into another one. `draftsecret` tells one person from another. */

const clientcode = 'entry_chenguang';
const reason = '学籍号和监护人一致，是同一个学生';

test('a pupil signs in with the name and the student number of the record that went, until the merge is undone', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const stays = await aStudent(server);
  const went = await aStudent(server, { username: '林晓雨', studentno: '20250901' });
  const signIn = async (username: string, key: string) =>
    (await nobody(respond.loginRespondent, { clientcode, username, key })).draftsecret;
  const own = await signIn('林小雨', '20230301');
  expect(await signIn('林晓雨', '20250901')).not.toBe(own);
  const { mergeid } = await as('chen')(mergeCUser, { cuserid: went.cuserid, tocuserid: stays.cuserid, reason });
  for (const [username, key] of [
    ['林小雨', '20230301'],
    ['林小雨', '20250901'],
    ['林晓雨', '20250901'],
    ['林晓雨', '20230301'],
  ] as const)
    expect(await signIn(username, key)).toBe(own);
  await expect(signIn('林大雨', '20250901')).rejects.toMatchObject({ code: 120005 });
  await as('chen')(undoMergeCUser, { mergeid, reason: '是两个学生' });
  expect(await signIn('林晓雨', '20250901')).not.toBe(own);
  await expect(signIn('林晓雨', '20230301')).rejects.toMatchObject({ code: 120005 });
});

test('a woman signs in with the telephone of either record, and a third woman of the same name does not become her', async () => {
  const { as, nobody, sqlAsOwner } = await startServer();
  await sqlAsOwner("update muserclient set loginmode = '02' where musercode = 'M_RENAI'");
  const register = (phonenumber: string) =>
    as('lin')(insertCUser, { appid: '000000001', username: '苏梅', gender: '02', phonenumber, archive: {}, guardian: [] });
  const [stays, went] = [await register('13900000001'), await register('13900000002')];
  await register('13900000003');
  const signIn = async (key: string) =>
    (await nobody(respond.loginRespondent, { clientcode: 'entry_renai', username: '苏梅', key })).draftsecret;
  const [own, third] = [await signIn('13900000001'), await signIn('13900000003')];
  await as('lin')(mergeCUser, { cuserid: went.cuserid, tocuserid: stays.cuserid, reason: '同一位孕妇登记了两次' });
  expect(await signIn('13900000001')).toBe(own);
  expect(await signIn('13900000002')).toBe(own);
  expect(await signIn('13900000003')).toBe(third);
  expect(third).not.toBe(own);
});

test('a pupil without a number signs in with name, class and birthday of either record', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const register = async (username: string, classname: string) =>
    as('chen')(insertCUser, {
      appid: '000000002',
      username,
      gender: '02',
      birthday: '2013-09-08',
      archive: { gradename: '初一', classname },
      guardian: [],
    });
  const [stays, went] = [await register('林小雨', '3班'), await register('林晓雨', '5班')];
  const signIn = async (username: string, classname: string) =>
    (await nobody(respond.loginRespondent, { clientcode, username, classname, birthday: '2013-09-08' })).draftsecret;
  const own = await signIn('林小雨', '初一3班');
  await as('chen')(mergeCUser, { cuserid: went.cuserid, tocuserid: stays.cuserid, reason });
  expect(await signIn('林小雨', '初一3班')).toBe(own);
  expect(await signIn('林晓雨', '初一5班')).toBe(own);
  await expect(signIn('林晓雨', '初一4班')).rejects.toMatchObject({ code: 120005 });
});

test('a test code, a browser tab and a personal link of the record that went lead to the person who stays', async () => {
  const server = await startServer();
  const { as, nobody, sqlAsOwner } = server;
  const stays = await aStudent(server);
  const made = await aStudent(server, { studentno: '20250901' });
  const { link } = await as('chen')(insertTestLink, { cuserid: made.cuserid, plancode: 'P900002' });
  const secret = link.slice(link.indexOf('=') + 1);
  const { codes } = await as('ma')(insertCUserAssessCode, { appid: '000000002', plancode: 'P900002', qty: 1 });
  await as('fang')(updateMUserClient, { clientcode, loginmode: '01' });
  const enterCode = async () => (await nobody(respond.loginRespondent, { clientcode, key: codes[0] ?? '' })).draftsecret;
  await enterCode();
  await as('fang')(updateMUserClient, { clientcode, loginmode: '04', plancode: 'P900002' });
  const scan = async (key: string) => (await nobody(respond.loginRespondent, { clientcode, key })).draftsecret;
  const tab = '0123456789abcdef0123456789abcdef';
  await scan(tab);
  const visitors = await sqlAsOwner<{ cuserid: string }>("select cuserid from cuser where source in ('03', '04')");
  expect(visitors).toHaveLength(2);
  for (const { cuserid } of [made, ...visitors]) await as('chen')(mergeCUser, { cuserid, tocuserid: stays.cuserid, reason });
  const scanned = await scan(tab);
  const linked = await nobody(loginByLink, { clientcode, secret, birthday: '07-08' });
  expect(linked.draftsecret).toBe(scanned);
  await as('fang')(updateMUserClient, { clientcode, loginmode: '01' });
  expect(await enterCode()).toBe(scanned);
  await as('fang')(updateMUserClient, { clientcode, loginmode: '03' });
  const own = await nobody(respond.loginRespondent, { clientcode, username: '林小雨', key: '20230301' });
  expect(own.draftsecret).toBe(scanned);
});
