import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as assess from '#features/assess/assess.contract.ts';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { loginByKioskCode, loginByLink } from '#features/respond/entry/testLink.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { addStudent } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const plancode = 'P900002';
const clientcode = 'entry_chenguang';
const BIRTHDAY = '07-08';
const secretOf = (link: string) => link.slice(link.indexOf('=') + 1);
const MINUTE = 60_000;
const pass = (server: TestServer, milliseconds: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + milliseconds);
};
const freeOf = async ({ sqlAsOwner }: TestServer) =>
  (
    await sqlAsOwner<{ used: number; frozen: number }>(
      "select used::int, frozen::int from assesscount where musercode = 'M_CHENGUANG' and plancode = '*'",
    )
  )[0];

/** Consents and hands in with the first option of every question. */
async function answerAll(server: TestServer, { token, cuserplanid }: { token: string; cuserplanid: number }) {
  const call = server.withToken(token);
  const { consent } = await server.nobody(respond.getEntry, { clientcode });
  await call(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid });
  pass(server, 4 * MINUTE);
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
  );
  expect(await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).toMatchObject({ done: true });
  return examcode;
}

test('a link opens the plan of one person after month and day of birth, and ends with the hand-in', async () => {
  const server = await startServer();
  const { as, nobody, sqlAsOwner } = server;
  const { cuserid } = await addStudent(server);
  const made = await as('chen')(assess.insertTestLink, { cuserid, plancode });
  expect(made).toMatchObject({ isgranted: 1, asksbirthday: 1, picture: expect.stringMatching(/^data:image\/png/) as string });
  expect(await freeOf(server)).toEqual({ used: 0, frozen: 1 });
  const secret = secretOf(made.link);
  await expect(nobody(loginByLink, { clientcode, secret })).rejects.toMatchObject({ code: 120001, data: { field: 'birthday' } });
  const identity = await nobody(loginByLink, { clientcode, secret, birthday: BIRTHDAY });
  expect(identity).toMatchObject({ maskedname: '林**', way: '02' });
  const examcode = await answerAll(server, identity);
  expect(await freeOf(server)).toEqual({ used: 1, frozen: 0 });
  const [exam] = await sqlAsOwner<{ scenecode: string }>('select scenecode from examrecord where examcode = $1', [examcode]);
  expect(exam?.scenecode).toBe('01');
  await expect(nobody(loginByLink, { clientcode, secret, birthday: BIRTHDAY })).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('已经交卷') as string,
  });
});

test('the database keeps no secret of a link, a code or a device', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid } = await addStudent(server);
  const other = await addStudent(server, { username: '周明', studentno: '20230302' });
  const { link } = await as('chen')(assess.insertTestLink, { cuserid, plancode });
  const { code } = await as('chen')(assess.insertKioskCode, { cuserid: other.cuserid, plancode });
  const kiosk = await as('chen')(assess.insertKiosk, { kioskname: '一楼' });
  const rows = JSON.stringify(await sqlAsOwner('select secrethash from testlink union all select secrethash from kiosk'));
  for (const secret of [secretOf(link), secretOf(kiosk.link), `"${code}"`]) expect(rows).not.toContain(secret);
});

test('five wrong days of birth end a link, and a new link ends the one before', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const { cuserid } = await addStudent(server);
  const first = secretOf((await as('chen')(assess.insertTestLink, { cuserid, plancode })).link);
  const again = await as('chen')(assess.insertTestLink, { cuserid, plancode });
  expect(again.isgranted).toBe(0);
  const secret = secretOf(again.link);
  await expect(nobody(loginByLink, { clientcode, secret: first, birthday: BIRTHDAY })).rejects.toMatchObject({ code: 140001 });
  for (const left of [4, 3, 2, 1])
    await expect(nobody(loginByLink, { clientcode, secret, birthday: '01-01' })).rejects.toMatchObject({
      code: 120002,
      message: expect.stringContaining(`${left} 次`) as string,
    });
  await expect(nobody(loginByLink, { clientcode, secret, birthday: '01-01' })).rejects.toMatchObject({ code: 140001 });
  await expect(nobody(loginByLink, { clientcode, secret, birthday: BIRTHDAY })).rejects.toMatchObject({ code: 140001 });
});

test('a link lives for seven days; the link of this device for ten minutes and one use, without a day of birth', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const { cuserid } = await addStudent(server);
  const link = secretOf((await as('chen')(assess.insertTestLink, { cuserid, plancode })).link);
  pass(server, 7 * 24 * 60 * MINUTE);
  await expect(nobody(loginByLink, { clientcode, secret: link, birthday: BIRTHDAY })).rejects.toMatchObject({ code: 140001 });
  const here = await as('chen')(assess.insertTestLink, { cuserid, plancode, way: '01' });
  expect(here).toMatchObject({ picture: '', asksbirthday: 0 });
  expect(await nobody(loginByLink, { clientcode, secret: secretOf(here.link) })).toMatchObject({ way: '01' });
  await expect(nobody(loginByLink, { clientcode, secret: secretOf(here.link) })).rejects.toMatchObject({ code: 140001 });
  const late = secretOf((await as('chen')(assess.insertTestLink, { cuserid, plancode, way: '01' })).link);
  pass(server, 10 * MINUTE);
  await expect(nobody(loginByLink, { clientcode, secret: late })).rejects.toMatchObject({ code: 140001 });
});

test('assessment now uses a live authorization, and refuses a person whom the plan does not fit', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid } = await addStudent(server);
  await as('chen')(authorizeCUserPlan, { cuserids: [cuserid], plancode });
  expect(await as('chen')(assess.insertTestLink, { cuserid, plancode })).toMatchObject({ isgranted: 0 });
  expect(await freeOf(server)).toEqual({ used: 0, frozen: 1 });
  const list = await as('chen')(getCUserArchivePageList, { keyword: '林小雨' });
  expect(list.rows[0]).toMatchObject({ leftcount: 1 });
  await expect(as('qiao')(assess.insertTestLink, { cuserid, plancode })).rejects.toMatchObject({ code: 130001 });
});

test('a code works once, for 15 minutes and only on a paired device, and the exam has the scene of a kiosk', async () => {
  const server = await startServer();
  const { as, nobody, sqlAsOwner } = server;
  const { cuserid } = await addStudent(server);
  const kiosk = secretOf((await as('chen')(assess.insertKiosk, { kioskname: '一楼大厅' })).link);
  const { code } = await as('chen')(assess.insertKioskCode, { cuserid, plancode });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk: 'x'.repeat(32), code })).rejects.toMatchObject({ code: 140001 });
  const identity = await nobody(loginByKioskCode, { clientcode, kiosk, code });
  expect(identity).toMatchObject({ maskedname: '林**', way: '03' });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk, code })).rejects.toMatchObject({ code: 120002 });
  const examcode = await answerAll(server, identity);
  const [exam] = await sqlAsOwner<{ scenecode: string }>('select scenecode from examrecord where examcode = $1', [examcode]);
  expect(exam?.scenecode).toBe('04');
  const { code: late } = await as('chen')(assess.insertKioskCode, { cuserid, plancode });
  pass(server, 15 * MINUTE);
  await expect(nobody(loginByKioskCode, { clientcode, kiosk, code: late })).rejects.toMatchObject({ code: 120002 });
});

test('five wrong codes in ten minutes stop a device, and a revoked or old device takes none', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const { cuserid } = await addStudent(server);
  const kiosk = secretOf((await as('chen')(assess.insertKiosk, { kioskname: '一楼大厅' })).link);
  const { code } = await as('chen')(assess.insertKioskCode, { cuserid, plancode });
  const wrong = code === '0000' ? '0001' : '0000';
  for (let tries = 0; tries < 5; tries++)
    await expect(nobody(loginByKioskCode, { clientcode, kiosk, code: wrong })).rejects.toMatchObject({ code: 120002 });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk, code })).rejects.toMatchObject({
    code: 150003,
    message: expect.stringContaining('工作人员') as string,
  });
  pass(server, 10 * MINUTE);
  expect(await nobody(loginByKioskCode, { clientcode, kiosk, code })).toMatchObject({ way: '03' });
  const [device] = await as('chen')(assess.getKioskList, {});
  expect(device).toMatchObject({ kioskname: '一楼大厅', pairedby: '陈静怡', lasttime: expect.any(String) as string });
  await as('chen')(assess.deleteKiosk, { kioskid: device?.kioskid as number });
  expect(await as('chen')(assess.getKioskList, {})).toEqual([]);
  const { code: next } = await as('chen')(assess.insertKioskCode, { cuserid, plancode });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk, code: next })).rejects.toMatchObject({ code: 140001 });
  const old = secretOf((await as('chen')(assess.insertKiosk, { kioskname: '二楼' })).link);
  pass(server, 30 * 24 * 60 * MINUTE);
  const { code: last } = await as('chen')(assess.insertKioskCode, { cuserid, plancode });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk: old, code: last })).rejects.toMatchObject({ code: 140001 });
});

test('an institution has at most 50 live codes, all different', async () => {
  const server = await startServer();
  const { as } = server;
  const codes = new Set<string>();
  for (let number = 1; number <= 51; number++) {
    const { cuserid } = await addStudent(server, { username: `学生${number}`, studentno: `2023${1000 + number}` });
    const made = as('chen')(assess.insertKioskCode, { cuserid, plancode });
    if (number <= 50) codes.add((await made).code);
    else await expect(made).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('50') as string });
  }
  expect(codes.size).toBe(50);
});

test('staff release a stopped device at once', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const lin = await addStudent(server);
  const kiosk = secretOf((await as('chen')(assess.insertKiosk, { kioskname: '一楼大厅' })).link);
  const { code } = await as('chen')(assess.insertKioskCode, { cuserid: lin.cuserid, plancode });
  const wrong = code === '0000' ? '0001' : '0000';
  for (let attempt = 0; attempt < 5; attempt += 1)
    await expect(nobody(loginByKioskCode, { clientcode, kiosk, code: wrong })).rejects.toMatchObject({ code: 120002 });
  await expect(nobody(loginByKioskCode, { clientcode, kiosk, code })).rejects.toMatchObject({ code: 150003 });
  const [stopped] = await as('chen')(assess.getKioskList, {});
  expect(stopped?.isstopped).toBe(1);
  const kioskid = stopped?.kioskid as number;
  await expect(as('qiao')(assess.releaseKiosk, { kioskid })).rejects.toMatchObject({ code: 130001 });
  await as('chen')(assess.releaseKiosk, { kioskid });
  expect((await as('chen')(assess.getKioskList, {}))[0]?.isstopped).toBe(0);
  expect(await nobody(loginByKioskCode, { clientcode, kiosk, code })).toMatchObject({ way: '03' });
});
