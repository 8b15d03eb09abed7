import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { Upload } from '#contract/file.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import { withScope } from '#server/db/scope.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import * as file from '#features/file/file.contract.ts';
import { claimFiles, fileQuota, findAttachedFiles } from '#features/file/attachments.ts';
import { aBarePerson, setPermission } from '#testing/factories.ts';
import { people, type Person } from '#testing/people.ts';
import { photo, png } from '#testing/files/picture.ts';
import { startServer } from '#testing/server.ts';

const upload = (filename: string, content: Uint8Array | string): Upload => ({
  filename,
  mime: 'image/png',
  content: typeof content === 'string' ? Buffer.from(content) : content,
});
const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

async function startSite() {
  const server = await startServer();
  // ma manages the school's files (文件上传).
  await setPermission(server, 'U_MA', '00030', 'grant');
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, server.services, () => server.clock.now);
  /** Runs work in the scope of a person, like a handler of another feature. */
  const runAs = <T>(
    who: Person,
    work: (ctx: Parameters<typeof claimFiles>[0] & Parameters<typeof findAttachedFiles>[0]) => Promise<T>,
  ) =>
    withScope(server.services.pools.app, { session: hashToken(who) }, (scope) => {
      const { musercode, userid } = people[who];
      const caller = { musercode, accountid: userid ?? musercode } as Parameters<typeof claimFiles>[0]['caller'];
      return work({ scope, caller, now: server.clock.now, storage: server.services.storage });
    });
  return { ...server, app, runAs };
}

test('an uploaded photo loses its location and camera data, is rotated upright and can be downloaded by link', async () => {
  const { as, app } = await startSite();
  const savedFile = await as('chen')(file.updateToOSS, { biztype: 'case' }, upload('../../谈话 记录.JPG', await photo(60, 40)));
  expect(savedFile).toMatchObject({ filename: '谈话 记录.jpg', mime: 'image/jpeg' });
  const answer = await app.inject(savedFile.url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
    'content-length': String(savedFile.size),
  });
  expect(answer.headers['content-disposition']).toContain('attachment; filename="_____.jpg"');
  expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent('谈话 记录.jpg')}`);
  const { width, height, exif, orientation } = await sharp(answer.rawPayload).metadata();
  expect({ width, height, exif, orientation }).toEqual({ width: 40, height: 60, exif: undefined, orientation: undefined });
  expect(answer.rawPayload.includes('Kamera')).toBe(false);
});

test.each([
  ['an HTML page', 'logo.png', '<!doctype html><script>alert(1)</script>'],
  ['an SVG with a script', 'logo.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['an SVG with an XML declaration', 'logo.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a program', 'logo.png', 'MZ\x90\0\x03\0\0\0'],
  ['a truncated picture', 'logo.png', 'cut'],
  ['an empty file', 'logo.png', ''],
  ['a PDF for a logo', 'logo.png', pdf],
])('%s is refused under any file name, and the server stores nothing', async (kind, filename, content) => {
  const { as, sqlAsOwner } = await startSite();
  const bytes = kind === 'a truncated picture' ? (await png(200, 200)).subarray(0, 120) : content;
  await expect(as('ma')(file.updateToOSS, { biztype: 'logo' }, upload(filename, bytes))).rejects.toMatchObject({ code: 160002 });
  expect(await sqlAsOwner('select * from fileobj')).toEqual([]);
});

test('a small file that expands into a huge picture is refused', async () => {
  const { as } = await startSite();
  const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1024 * 1024);
  await expect(as('ma')(file.updateToOSS, { biztype: 'logo' }, upload('a.png', bomb))).rejects.toThrow('像素过多');
});

test('an upload beyond the institution’s storage quota is refused', async () => {
  const { as, sqlAsOwner } = await startSite();
  const fill = (size: number) =>
    sqlAsOwner(
      `insert into fileobj (musercode, filename, mime, size, sha256, path, biztype)
       values ('M_CHENGUANG', 'a', 'b', $1, '', 'x', 'course')`,
      [size],
    );
  await fill(fileQuota - 10);
  await expect(as('chen')(file.updateToOSS, { biztype: 'avatar' }, upload('a.png', await png()))).rejects.toThrow('文件空间已满');
  // Another school has its own quota.
  await as('qiao')(file.updateToOSS, { biztype: 'avatar' }, upload('a.png', await png()));
});

test('a private link expires after ten minutes, cannot be altered and ends with its file; a public link lasts', async () => {
  const { as, app, clock, sqlAsOwner } = await startSite();
  const status = async (url: string) => (await app.inject(url)).statusCode;
  const privateFile = await as('chen')(file.updateToOSS, { biztype: 'case' }, upload('a.pdf', pdf));
  const otherFile = await as('chen')(file.updateToOSS, { biztype: 'case' }, upload('b.pdf', pdf));
  const publicFile = await as('ma')(file.updateToOSS, { biztype: 'logo', ispublic: 1 }, upload('a.png', await png()));
  expect([await status(privateFile.url), await status(publicFile.url)]).toEqual([200, 200]);
  const [payload, tag] = privateFile.url.split('?k=')[1]!.split('.') as [string, string];
  const extendedPayload = Buffer.from(
    Buffer.from(payload, 'base64url')
      .toString()
      .replace(/\d+\]$/, '0]'),
  ).toString('base64url');
  expect(await status(`/files?k=${extendedPayload}.${tag}`)).toBe(404);
  expect(await status(`/files?k=${payload}.${otherFile.url.split('.').at(-1)}`)).toBe(404);
  expect([await status('/files?k='), await status('/files'), await status('/files?k=a.b&k=c.d')]).toEqual([404, 404, 404]);
  clock.now = new Date(clock.now.getTime() + 11 * 60_000);
  expect([await status(privateFile.url), await status(publicFile.url)]).toEqual([404, 200]);
  await expect(as('ma')(file.updateToOSS, { biztype: 'case', ispublic: 1 }, upload('a.pdf', pdf))).rejects.toMatchObject({
    code: 120002,
  });
  await as('ma')(file.deleteFile, { fileid: publicFile.fileid });
  expect(await status(publicFile.url)).toBe(404);
  expect(await sqlAsOwner('select isdeleted from fileobj where fileid = $1', [publicFile.fileid])).toEqual([{ isdeleted: 1 }]);
});

test('media files support range requests', async () => {
  const { as, app } = await startSite();
  const { url, size } = await as('chen')(file.updateToOSS, { biztype: 'case' }, upload('a.pdf', pdf));
  const fetchRange = async (range: string, extraHeaders: Record<string, string> = {}) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { range, ...extraHeaders } });
    return [statusCode, headers['content-range'], body];
  };
  expect(await fetchRange('bytes=1-3')).toEqual([206, `bytes 1-3/${size}`, 'PDF']);
  expect(await fetchRange('bytes=-6')).toEqual([206, `bytes ${size - 6}-${size - 1}/${size}`, '%%EOF\n']);
  expect(await fetchRange(`bytes=${size - 3}-`)).toEqual([206, `bytes ${size - 3}-${size - 1}/${size}`, 'OF\n']);
  expect(await fetchRange(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, '']);
  expect((await fetchRange('bytes=0-1,3-4'))[0]).toBe(200);
  expect((await fetchRange('bytes=1-3', { 'if-range': '"something else"' }))[0]).toBe(200);
  // A player asks for everything first; a suffix may be longer than the file.
  expect(await fetchRange('bytes=0-')).toEqual([206, `bytes 0-${size - 1}/${size}`, pdf]);
  expect(await fetchRange('bytes=-9999')).toEqual([206, `bytes 0-${size - 1}/${size}`, pdf]);
  expect(await fetchRange('bytes=0-99999')).toEqual([206, `bytes 0-${size - 1}/${size}`, pdf]);
  expect((await fetchRange('bytes=-0'))[0]).toBe(416);
  for (const malformed of ['bytes=5-2', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes', 'bytes=1-3x'])
    expect([malformed, (await fetchRange(malformed))[0]]).toEqual([malformed, 200]);
  const { headers } = await app.inject(url);
  expect(headers['accept-ranges']).toBe('bytes');
  const etag = String(headers['etag']);
  expect((await fetchRange('bytes=1-3', { 'if-range': etag }))[0]).toBe(206);
  expect((await fetchRange('bytes=1-3', { 'if-none-match': etag }))[0]).toBe(304);
});

test('the use of a file is one of a list, never a path; only staff with 文件上传 move files, all set their own picture', async () => {
  const { as, raw } = await startSite();
  for (const path of ['../../etc', 'logo/../x', '/tmp', 'C:\\x', ''])
    expect(await raw('as.m.access.updateToOSSPath', 'chen', { path, base64: 'aGk=' })).toMatchObject({ errorCode: 120002 });
  const base64 = (await png()).toString('base64');
  const avatar = await as('chen')(file.updateToOSSPath, { path: 'avatar', base64, filename: '我.png' });
  expect(avatar).toMatchObject({ path: 'avatar', url: expect.stringMatching(/^\/files\?k=/) as string });
  await expect(as('chen')(file.updateToOSSPath, { path: 'course', base64 })).rejects.toMatchObject({ code: 110004 });
  const document = await as('ma')(file.updateToOSS, { biztype: 'course' }, upload('课.pdf', pdf));
  await expect(as('ma')(file.updateToOSSPath, { path: 'logo', fileid: document.fileid })).rejects.toMatchObject({ code: 160002 });
  expect(
    await as('ma')(file.updateToOSSPath, { path: 'licence', fileid: document.fileid, filename: '授权书.exe' }),
  ).toMatchObject({
    path: 'licence',
  });
  expect((await as('ma')(file.getFilePageList, { biztype: 'licence' })).rows).toMatchObject([
    { filename: '授权书.pdf', ispublic: 0 },
  ]);
  await expect(as('ma')(file.updateToOSSPath, { path: 'avatar', fileid: avatar.fileid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('ma')(file.updateToOSSPath, { path: 'logo' })).rejects.toMatchObject({ code: 120002 });
});

test('a feature claims an upload of its caller once, and the person it belongs to decides who sees it', async () => {
  const { as, runAs, sqlAsOwner, services } = await startSite();
  await aBarePerson({ sqlAsOwner }, 'C_LIN');
  const { fileid } = await as('chen')(file.updateToOSS, { biztype: 'case' }, upload('a.pdf', pdf));
  const target = { refcode: 'warning:W1', cuserid: 'C_LIN' };
  for (const who of ['lu', 'qiao'] as const)
    await expect(runAs(who, (ctx) => claimFiles(ctx, [fileid], 'case', target))).rejects.toMatchObject({ code: 130001 });
  await expect(runAs('chen', (ctx) => claimFiles(ctx, [fileid], 'consent', target))).rejects.toMatchObject({ code: 130001 });
  await runAs('chen', (ctx) => claimFiles(ctx, [fileid, fileid], 'case', target));
  await expect(runAs('chen', (ctx) => claimFiles(ctx, [fileid], 'case', target))).rejects.toMatchObject({ code: 130001 });
  const countVisibleFiles = async (who: Person) =>
    (await runAs(who, (ctx) => findAttachedFiles(ctx, ['warning:W1']))).get('warning:W1')?.length ?? 0;
  // wang is a class teacher and C_LIN is in none of her classes.
  expect([
    await countVisibleFiles('chen'),
    await countVisibleFiles('lu'),
    await countVisibleFiles('wang'),
    await countVisibleFiles('qiao'),
  ]).toEqual([1, 1, 0, 0]);
  await expect(as('ma')(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130001 });
  const [row] = await sqlAsOwner<{ path: string }>('select path from fileobj');
  expect((await buffer(await services.storage.get(row!.path))).toString()).toBe(pdf);
});

test('the files of an institution are sorted by name, size or age, filtered by owner, and marked when in use', async () => {
  const { as, clock, sqlAsOwner } = await startSite();
  await setPermission({ sqlAsOwner }, 'U_CHEN', '00030', 'grant');
  const fileids: string[] = [];
  for (const [who, name, side] of [
    ['ma', 'b', 300],
    ['chen', 'a', 20],
    ['ma', 'c', 90],
  ] as const) {
    clock.now = new Date(clock.now.getTime() + 1000);
    fileids.push((await as(who)(file.updateToOSS, { biztype: 'article' }, upload(`${name}.png`, await png(side, side)))).fileid);
  }
  const names = async (request: Parameters<typeof file.getFilePageList.request.parse>[0]) =>
    (await as('ma')(file.getFilePageList, request as object)).rows.map((row) => row.filename);
  expect(await names({})).toEqual(['c.png', 'a.png', 'b.png']);
  expect(await names({ orderby: 'filename', isasc: '1' })).toEqual(['a.png', 'b.png', 'c.png']);
  expect(await names({ orderby: 'size', isasc: '0' })).toEqual(['b.png', 'c.png', 'a.png']);
  expect(await names({ mine: 1 })).toEqual(['c.png', 'b.png']);
  await sqlAsOwner("update fileobj set refcode = 'article:1' where fileid = $1", [fileids[1]]);
  expect((await as('ma')(file.getFilePageList, { orderby: 'filename', isasc: '1' })).rows).toMatchObject([
    { inuse: 1, mine: 0, uploader: '陈静怡' },
    { inuse: 0, mine: 1 },
    { inuse: 0, mine: 1 },
  ]);
  await expect(as('ma')(file.deleteFile, { fileid: fileids[1] as string })).rejects.toMatchObject({ code: 130003 });
  await as('ma')(file.deleteFile, { fileid: fileids[0] as string });
  expect(await names({})).toEqual(['c.png', 'a.png']);
  expect(await as('ma')(file.getFilePageList, {})).toMatchObject({ total: 2, quota: fileQuota });
});

test('an upload for a case needs the right to handle cases', async () => {
  const { as } = await startSite();
  await expect(as('nobody')(file.updateToOSS, { biztype: 'case' }, upload('a.pdf', pdf))).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(file.updateToOSS, { biztype: 'case' })).rejects.toMatchObject({ code: 120001 });
});
