import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { passwordHash } from '#contract/passwordHash.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { login } from '#features/session/session.contract.ts';
import { parseVerifyCode, toVerifyCode } from '#features/reportpdf/verifyCode.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { signFile, verifyLink } from '#server/security/fileLink.ts';
import { formatKeyring, MasterKey, parseKeyring } from '#server/security/keyring.ts';
import { hashPassword, isCurrentHash } from '#server/security/password.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Adds a key to the ring of a running server and makes it the current one. */
function rotate({ services: { cipher } }: Pick<TestServer, 'services'>): MasterKey {
  const key = MasterKey.of(randomBytes(32), true);
  cipher.use({ keys: [...cipher.ring.keys, key], current: key });
  return key;
}

const suXiao = {
  appid: '000000001',
  username: '苏晓',
  gender: '02',
  phonenumber: '13800001111',
  archive: { lmpdate: '2025-03-01' },
} as const;
const IDNO = '11010519491231002X';

test('after a change of the key a telephone finds its person, an ID number is still taken, and both open', async () => {
  const server = await startServer();
  const { as, raw, sqlAsOwner } = server;
  const { cuserid } = await as('lin')(cuser.insertCUser, suXiao);
  const other = await as('lin')(cuser.insertCUser, { ...suXiao, username: '吴桂芳', phonenumber: '13800002222' });
  const save = (person: { cuserid: string }) => raw('as.m.cuser.updateCUser', 'lin', { cuserid: person.cuserid, idno: IDNO });
  expect(await save({ cuserid })).toMatchObject({ errorCode: 0 });
  const find = async () =>
    (await as('lin')(cuser.getCUserPageList, { keyword: '13800001111' } as never)).rows.map((row) => row.cuserid);
  rotate(server);
  expect(await find()).toEqual([cuserid]);
  expect(await as('lin')(cuser.revealCUser, { cuserid })).toMatchObject({ phonenumber: '13800001111' });
  expect(await save(other)).toMatchObject({ errorCode: 130002 });
  // A second change: the index of an ID number is wrapped by both keys (`wrapIndex`), as the walker does it.
  const [row] = await sqlAsOwner<{ musercode: string; idnohash: string }>(
    'select musercode, idnohash from cuser where cuserid = $1',
    [cuserid],
  );
  let index = server.services.cipher.wrapIndex(row?.musercode ?? '', 'cuser.idno', row?.idnohash ?? '');
  rotate(server);
  index = server.services.cipher.wrapIndex(row?.musercode ?? '', 'cuser.idno', index);
  await sqlAsOwner('update cuser set idnohash = $1 where cuserid = $2', [index, cuserid]);
  expect(await save(other)).toMatchObject({ errorCode: 130002 });
});

test('after a change of the key a password is right as before, and its hash depends on the new key from the next sign-in on', async () => {
  const server = await startServer();
  const { nobody, sqlAsOwner, services } = server;
  const pwd = passwordHash('Chen-2025-jing');
  await sqlAsOwner("update auth.account set pwdhash = $1 where loginname = 'chen'", [
    await hashPassword(pwd, services.cipher.pepper),
  ]);
  rotate(server);
  const readHash = async () =>
    (await sqlAsOwner<{ pwdhash: string }>("select pwdhash from auth.account where loginname = 'chen'"))[0]?.pwdhash ?? '';
  expect(isCurrentHash(await readHash(), services.cipher.pepper)).toBe(false);
  await expect(nobody(login, { username: 'chen', pwd: passwordHash('another') })).rejects.toMatchObject({
    code: expect.any(Number) as number,
  });
  expect(isCurrentHash(await readHash(), services.cipher.pepper)).toBe(false);
  expect(await nobody(login, { username: 'chen', pwd })).toMatchObject({ token: expect.any(String) as string });
  expect(isCurrentHash(await readHash(), services.cipher.pepper)).toBe(true);
  expect(await nobody(login, { username: 'chen', pwd })).toMatchObject({ token: expect.any(String) as string });
});

test('a printed code proves its report after two changes and the removal of its key; a link of a file ends with its key', () => {
  const first = new FieldCipher(randomBytes(32));
  const code = toVerifyCode(first, 'R202510080001', 2);
  const now = new Date('2025-10-08T02:00:00Z');
  const link = signFile(first, { key: 'upload/a', filename: '海报.png', mime: 'image/png' }, undefined).split('=')[1] ?? '';
  const [second, third] = [MasterKey.of(randomBytes(32), true), MasterKey.of(randomBytes(32), true)];
  const cipher = new FieldCipher({ keys: [...first.ring.keys, second, third], current: third });
  expect(parseVerifyCode(cipher, code)).toEqual({ reportcode: 'R202510080001', version: 2 });
  expect(verifyLink(cipher, link, now)).toBeDefined();
  const left = parseKeyring(formatKeyring([...first.ring.keys.map((key) => key.remove([])), second, third]));
  if (!left) throw new Error('no ring');
  cipher.use(left);
  expect(parseVerifyCode(cipher, code)).toEqual({ reportcode: 'R202510080001', version: 2 });
  expect(verifyLink(cipher, link, now)).toBeUndefined();
  // What is left of a key opens nothing.
  const sealed = first.encrypt('M_CHENGUANG', 'cuser.phone', '13800001111');
  expect(() => cipher.decrypt('M_CHENGUANG', 'cuser.phone', sealed)).toThrow();
  expect(cipher.texts.open(first.texts.seal('本人说睡不着'))).toBe('［密文无法打开］');
});

test('a text that is sealed anew keeps its commitment, so the chain of the case log stays', () => {
  const cipher = new FieldCipher(randomBytes(32));
  const sealed = `面谈：${cipher.texts.seal('本人说睡不着')}（完）`;
  const commitments = (text: string) => [...text.matchAll(/sealed\.1\.[\w-]{8}\.([\w-]{43})/g)].map((match) => match[1]);
  const key = MasterKey.of(randomBytes(32), true);
  cipher.use({ keys: [...cipher.ring.keys, key], current: key });
  const again = cipher.texts.reseal(sealed);
  expect(again).not.toBe(sealed);
  expect(commitments(again)).toEqual(commitments(sealed));
  expect(new FieldCipher({ keys: [key], current: key }).texts.open(again)).toBe('面谈：本人说睡不着（完）');
  expect(cipher.texts.reseal(again)).toBe(again);
});

test('a person who signs in anew after a change of the key gets the secret of the earlier drafts, too', async () => {
  const server = await startServer();
  const { nobody } = server;
  const { pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨'] });
  const [lin] = pupils;
  const signIn = () =>
    nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', username: lin?.username ?? '', key: lin?.studentno ?? '' });
  const before = await signIn();
  expect(before.olddraftsecrets).toEqual([]);
  rotate(server);
  const after = await signIn();
  expect(after.draftsecret).not.toBe(before.draftsecret);
  expect(after.olddraftsecrets).toEqual([before.draftsecret]);
});
