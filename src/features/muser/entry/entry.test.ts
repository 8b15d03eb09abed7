import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { fromBuffer, type ZipFile } from 'yauzl';
import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import * as muser from '#features/muser/muser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { openInstitution } from '#testing/institution.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
// The types of the package declare a default export; at run time the loader may return the function itself.
const decode = ((jsqr as unknown as { default?: typeof jsqr }).default ?? jsqr) as unknown as typeof jsqr.default;

/** The files of a ZIP by name. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
  );
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (zipEntry) =>
      zip.openReadStream(zipEntry, (error, stream) =>
        error
          ? reject(error)
          : void buffer(stream).then((content) => (files.set(zipEntry.fileName, content), zip.readEntry()), reject),
      ),
    );
    zip.on('end', resolve);
    zip.readEntry();
  });
  return files;
}

/** Changes the mode of the entry of 晨光中学. */
const setLoginmode = (server: Server, loginmode: '01' | '04', more: { plancode?: string } = {}) =>
  server.as('fang')(entry.updateMUserClient, { clientcode: 'entry_chenguang', loginmode, ...more });
const wallet = async ({ sqlAsOwner }: Server) =>
  (
    await sqlAsOwner<{ frozen: number; used: number }>(
      "select frozen, used from assesscount where musercode = 'M_CHENGUANG' and plancode = '*'",
    )
  )[0];

/** Gives consent, answers the only task with the first options and submits it. */
async function answerAll({ nobody, withToken, clock }: Server, token: string) {
  const respondent = withToken(token);
  const { consent } = await nobody(respond.getEntry, { clientcode: 'entry_chenguang' });
  await respondent(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  const [task] = await respondent(respond.getTasks, {});
  const { examcode, sheets } = await respondent(respond.startExam, { cuserplanid: task?.cuserplanid as number });
  clock.now = new Date(clock.now.getTime() + 240_000);
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
  );
  return respondent(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
}

test('resetting a QR code disables the old link at once and enables the new one', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  expect(await nobody(respond.getEntry, { clientcode: 'entry_chenguang' })).toMatchObject({ insname: '云栖市晨光中学' });
  const { clientcode, qrcodeurl } = await as('ma')(entry.resetQrCode, { musercode: 'M_CHENGUANG' });
  expect(qrcodeurl).toBe(`/c/${clientcode}`);
  await expect(nobody(respond.getEntry, { clientcode: 'entry_chenguang' })).rejects.toMatchObject({ code: 130001 });
  expect(await nobody(respond.getEntry, { clientcode })).toMatchObject({ insname: '云栖市晨光中学', loginmode: '03' });
  await expect(as('qiao')(entry.resetQrCode, { musercode: 'M_CHENGUANG' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('ma')(entry.resetQrCode, { musercode: 'M_DONGSHAN' })).rejects.toMatchObject({ code: 130001 });
  await server.sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes' where musercode = 'M_CHENGUANG'");
  await expect(as('ma')(entry.resetQrCode, { musercode: 'M_CHENGUANG' })).rejects.toMatchObject({ code: 110007 });
});

test('the ZIP holds a readable QR code for each institution; a request with a foreign institution is refused', async () => {
  const server = await startServer();
  const { as } = server;
  const { musercode } = await openInstitution(server, 'fang', 'qingxi', { insname: '青溪/实验:学校' });
  const newEntry = await as('fang')(entry.createMUserClient, { musercode, clienttitle: '青溪测评', loginmode: '03' });
  await expect(
    as('fang')(entry.createMUserClient, { musercode, clienttitle: '青溪测评', loginmode: '03' }),
  ).rejects.toMatchObject({ code: 130002 });
  const { body } = (await as('fang')(entry.exportToZipFile, { musercodes: [musercode, 'M_CHENGUANG'] })) as { body: Readable };
  const files = await unzip(await buffer(body));
  expect([...files.keys()].sort()).toEqual(
    [`云栖市晨光中学_entry_chenguang.png`, `青溪_实验_学校_${newEntry.clientcode}.png`].sort(),
  );
  for (const [name, content] of files) {
    const { width, height, data } = PNG.sync.read(content);
    expect([width, height]).toEqual([400, 400]);
    const clientcode = name.includes('晨光') ? 'entry_chenguang' : newEntry.clientcode;
    expect(decode(new Uint8ClampedArray(data), width, height)?.data).toBe(`http://127.0.0.1:8080/c/${clientcode}`);
  }
  const { musercode: foreign } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  await expect(as('fang')(entry.exportToZipFile, { musercodes: ['M_CHENGUANG', foreign] })).rejects.toMatchObject({
    code: 130001,
  });
});

const zipSize = sizeOf(40, 500);

test(`the ZIP of ${zipSize} QR codes is drawn one code at a time, so that other requests are answered meanwhile`, async () => {
  const server = await startServer();
  await server.sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode,
       categorycode, categorylevel, categorycode0, categorycode1, categorycode2, categorycode3, categorycode4, categorycode5, codes)
     select 'M_S' || n, p.orgpath || 'M_S' || n || '.', 's' || n, '005', '第' || n || '小学', '', 'edu', p.musercode,
       'M_S' || n, 3, p.categorycode0, p.categorycode1, p.categorycode2, 'M_S' || n, '', '', '{}'
     from muser p, generate_series(1, ${zipSize}) n where p.musercode = 'M_ANLAN'`,
  );
  await server.sqlAsOwner(
    `insert into muserclient (clientcode, musercode, clienttitle, loginmode, welcome)
     select 'entry_s' || n, 'M_S' || n, '测评', '03', '' from generate_series(1, ${zipSize}) n`,
  );
  const musercodes = Array.from({ length: zipSize }, (_, index) => `M_S${index + 1}`);
  const { body } = (await server.as('fang')(entry.exportToZipFile, { musercodes })) as { body: Readable };
  let turns = 0;
  let isDone = false;
  const countTurn = () => {
    turns++;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  const files = await unzip(await buffer(body).finally(() => (isDone = true)));
  expect(files.size).toBe(zipSize);
  // About one turn of the event loop for each code; a single pass would take two or three turns.
  expect(turns).toBeGreaterThan(zipSize / 2);
  for (const number of [1, zipSize / 2, zipSize]) {
    const { width, height, data } = PNG.sync.read(files.get(`第${number}小学_entry_s${number}.png`) as Buffer);
    expect(decode(new Uint8ClampedArray(data), width, height)?.data).toBe(`http://127.0.0.1:8080/c/entry_s${number}`);
  }
});

test('the link of a disabled institution is closed and reopens with the institution', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '假期' });
  await expect(nobody(respond.getEntry, { clientcode: 'entry_chenguang' })).rejects.toMatchObject({ code: 140001 });
  await as('fang')(entry.updateMUserClient, { clientcode: 'entry_chenguang', welcome: '欢迎' });
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 1 });
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', insname: '云栖市晨光实验中学' });
  expect(await nobody(respond.getEntry, { clientcode: 'entry_chenguang' })).toMatchObject({
    insname: '云栖市晨光实验中学',
    welcome: '欢迎',
  });
});

test('an assessment code freezes a count, creates a person at its first use and ends with the submission', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  await setLoginmode(server, '01');
  const { codes, batchno } = await as('fang')(entry.insertCUserAssessCode, {
    musercode: 'M_CHENGUANG',
    appid: '000000002',
    plancode: 'P900002',
    qty: 3,
  });
  expect(new Set(codes).size).toBe(3);
  expect(await wallet(server)).toEqual({ frozen: 3, used: 0 });
  const [first, second] = codes as [string, string];
  const login = (key: string) => nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', key });
  const typedCode = `${first.slice(0, 4)}-${first.slice(4)}`.toLowerCase();
  const respondent = await login(typedCode);
  expect(respondent).toMatchObject({ belongs: '', gender: '00', needconsent: true, needguardian: false });
  expect(await answerAll(server, respondent.token)).toMatchObject({ done: true });
  expect(await wallet(server)).toEqual({ frozen: 2, used: 1 });
  await login(first);
  const { total, rows } = await as('chen')(cuser.getCUserPageList, {});
  expect(total).toBe(1);
  expect(rows[0]).toMatchObject({ username: `测评码${first}`, gender: '00', examcount: 1 });
  expect(await as('fang')(entry.getAssessCodeBatches, { musercode: 'M_CHENGUANG' })).toMatchObject([
    { batchno, total: 3, unused: 2, bound: 1 },
  ]);
  expect(await as('fang')(entry.voidAssessCodes, { batchno })).toEqual({ released: 2 });
  expect(await as('fang')(entry.voidAssessCodes, { batchno })).toEqual({ released: 0 });
  expect(await wallet(server)).toEqual({ frozen: 0, used: 1 });
  await expect(login(second)).rejects.toMatchObject({ code: 120005 });
  await expect(login('00000000')).rejects.toMatchObject({ code: 120005 });
  expect(server.errors).toEqual([]);
});

test('assessment codes are refused without counts, for a foreign institution or plan, at another entry and after expiry', async () => {
  const server = await startServer();
  const { as, nobody, clock } = server;
  await setLoginmode(server, '01');
  const request = { appid: '000000002', plancode: 'P900002', qty: 1 };
  await server.sqlAsOwner("update assesscount set used = granted - 2 where musercode = 'M_CHENGUANG'");
  await expect(as('fang')(entry.insertCUserAssessCode, { ...request, musercode: 'M_CHENGUANG', qty: 3 })).rejects.toMatchObject({
    code: 150001,
    data: { free: 2, need: 3 },
  });
  await expect(as('ma')(entry.insertCUserAssessCode, { ...request, musercode: 'M_DONGSHAN' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(as('ma')(entry.insertCUserAssessCode, { ...request, appid: '000000001' })).rejects.toMatchObject({ code: 130001 });
  const { codes } = await as('ma')(entry.insertCUserAssessCode, { ...request, expiredate: '2025-10-09' });
  await expect(
    nobody(respond.loginRespondent, { clientcode: 'entry_dongshan', key: codes[0] as string, username: '某某' }),
  ).rejects.toMatchObject({ code: 120005 });
  clock.now = new Date('2025-10-10T02:00:00Z');
  await expect(nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', key: codes[0] as string })).rejects.toMatchObject(
    { code: 120005 },
  );
  await expect(nobody(respond.loginRespondent, { clientcode: 'entry_chenguang' })).rejects.toMatchObject({
    code: 120001,
    message: '测评码不能为空',
  });
});

test('two phones that enter the same code at once create one person', async () => {
  const server = await startServer();
  await setLoginmode(server, '01');
  const { codes } = await server.as('ma')(entry.insertCUserAssessCode, { appid: '000000002', plancode: 'P900002', qty: 1 });
  await Promise.all(
    [1, 2, 3].map(() => server.nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', key: codes[0] as string })),
  );
  expect((await server.as('chen')(cuser.getCUserPageList, {})).total).toBe(1);
  expect(await server.sqlAsOwner('select cuserplanid from cuserplan')).toHaveLength(1);
});

test('an anonymous visitor who returns in the same browser tab stays the same person and uses one count', async () => {
  const server = await startServer();
  await setLoginmode(server, '04', { plancode: 'P900002' });
  const scan = (key: string) => server.nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', key });
  const tab = '0123456789abcdef0123456789abcdef';
  const [first, second] = await Promise.all([scan(tab), scan(tab)]);
  expect(first.draftsecret).toBe(second.draftsecret);
  expect((await scan('ffffffffffffffffffffffffffffffff')).draftsecret).not.toBe(first.draftsecret);
  expect(await wallet(server)).toEqual({ frozen: 2, used: 0 });
  const again = await scan(tab);
  expect(again.draftsecret).toBe(first.draftsecret);
  // The database does not store the secret, and the next day the tab is a new person.
  expect(await server.sqlAsOwner(`select cuserid from cuser where scanhash like '%${tab}%'`)).toEqual([]);
  server.clock.now = new Date(Date.now() + 25 * 3_600_000);
  expect((await scan(tab)).draftsecret).not.toBe(first.draftsecret);
  expect((await server.as('chen')(cuser.getCUserPageList, {})).total).toBe(3);
  expect(server.errors).toEqual([]);
});

test('an anonymous entry gives every visitor its plan for one count each and closes when no counts are left', async () => {
  const server = await startServer();
  const { nobody } = server;
  await expect(setLoginmode(server, '04')).rejects.toMatchObject({ code: 130001 });
  await setLoginmode(server, '04', { plancode: 'P900002' });
  const first = await nobody(respond.loginRespondent, { clientcode: 'entry_chenguang' });
  const second = await nobody(respond.loginRespondent, { clientcode: 'entry_chenguang' });
  expect(first.draftsecret).not.toBe(second.draftsecret);
  expect(await wallet(server)).toEqual({ frozen: 2, used: 0 });
  expect(await answerAll(server, first.token)).toMatchObject({ done: true });
  expect(await wallet(server)).toEqual({ frozen: 1, used: 1 });
  await server.sqlAsOwner("update assesscount set expired = granted - used - frozen where musercode = 'M_CHENGUANG'");
  await expect(nobody(respond.loginRespondent, { clientcode: 'entry_chenguang' })).rejects.toMatchObject({ code: 140001 });
  // The refused call created no person.
  expect((await server.as('chen')(cuser.getCUserPageList, {})).total).toBe(2);
  expect(server.errors).toEqual([]);
});
