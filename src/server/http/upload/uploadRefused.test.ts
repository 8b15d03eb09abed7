import { expect, test } from 'vitest';
import { fileQuota } from '#features/file/attachments.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { logout } from '#features/session/session.contract.ts';
import { aBarePerson, aRespondentSession, setPermission } from '#testing/factories.ts';
import { film, tusClient, type TusAnswer } from '#testing/files/tus.ts';
import { startHttp } from '#testing/http.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** Starts a server where 马 and 陈静怡 manage the school's files (文件上传). */
async function startSite() {
  const server = await startHttp();
  await setPermission(server, 'U_MA', '00030', 'grant');
  await setPermission(server, 'U_CHEN', '00030', 'grant');
  const client = (token: string) => tusClient(server.base, token);
  const listParts = async () => {
    const uploadids: string[] = [];
    for await (const { uploadid } of server.services.storage.parts.list()) uploadids.push(uploadid);
    return uploadids;
  };
  const countRows = async () => (await server.sqlAsOwner('select 1 from upload')).length;
  return { ...server, client, ma: client('ma'), listParts, countRows };
}
const outcome = ({ status, json }: TusAnswer) => [status, json.errorCode, json.data?.reason];

test('right, use, name, size and space are checked before a byte is sent, and a refused upload leaves nothing', async () => {
  const { ma, client, listParts, countRows, sqlAsOwner } = await startSite();
  expect(outcome(await client('wang').create({ size: MB }))).toEqual([403, 110004, undefined]);
  expect(outcome(await client('').create({ size: MB }))).toEqual([401, 110000, undefined]);
  expect(outcome(await client('made up').create({ size: MB }))).toEqual([401, 110000, undefined]);
  expect(outcome(await ma.create({ size: MB, biztype: 'nothing' as 'course' }))).toEqual([400, 120002, undefined]);
  expect(outcome(await ma.create({ size: MB, filename: '' }))).toEqual([400, 120002, undefined]);
  expect(outcome(await ma.create({ size: MB, ispublic: '2' }))).toEqual([400, 120002, undefined]);
  expect(outcome(await client('chen').create({ size: MB, biztype: 'case', ispublic: '1' }))).toEqual([400, 120002, undefined]);
  expect(outcome(await ma.create({ size: 0 }))).toEqual([400, 120002, undefined]);
  expect(outcome(await ma.create({ size: 500 * MB + 1 }))).toEqual([413, 160002, 'size']);
  expect(outcome(await ma.create({ size: 999_999_999_999_999 }))).toEqual([413, 160002, 'size']);
  expect((await ma.create({ size: 500 * MB + 1 })).json.errorMsg).toContain('MP4（500 MB 以内）');
  await sqlAsOwner(
    `insert into fileobj (musercode, filename, mime, size, sha256, path, biztype)
     values ('M_CHENGUANG', 'a', 'b', $1, '', 'x', 'course')`,
    [fileQuota - 10 * MB],
  );
  expect(outcome(await ma.create({ size: 10 * MB + 1 }))).toEqual([507, 160002, 'space']);
  expect([await countRows(), await listParts()]).toEqual([0, []]);
  expect((await ma.create({ size: 10 * MB })).status).toBe(201);
});

test('unfinished uploads count as used space, and an account has at most twenty of them', async () => {
  const { ma, client, as } = await startSite();
  const path = await ma.begin({ size: 500 * MB });
  for (let n = 0; n < 3; n++) await ma.begin({ size: 500 * MB });
  const refused = await client('chen').create({ size: 60 * MB });
  expect(outcome(refused)).toEqual([507, 160002, 'space']);
  expect(refused.json.errorMsg).toContain('未完成的上传也占用空间');
  // Another institution has its own space.
  expect(fileQuota).toBe(2 * GB);
  await ma.remove(path);
  expect((await client('chen').create({ size: 60 * MB })).status).toBe(201);
  for (let n = 0; n < 17; n++) await ma.begin({ size: 1000 });
  const manyth = await ma.create({ size: 1000 });
  expect([manyth.status, manyth.json.errorMsg]).toEqual([409, expect.stringContaining('未完成的上传已有 20 个')]);
  expect(await as('ma')(upload.getUploadList, {})).toHaveLength(20);
});

test.each([
  ['a page', Buffer.from(`<!doctype html><script>alert(1)</script>${' '.repeat(5000)}`)],
  ['an SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${' '.repeat(5000)}</svg>`)],
  ['a ZIP', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000)])],
  ['a program', Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(5000)])],
  ['noise', Buffer.alloc(5000, 7)],
])('%s with the name of a film is refused by its first kilobytes, and its upload ends', async (_, head) => {
  const { ma, listParts, countRows, errors } = await startSite();
  const path = await ma.begin({ size: 100 * MB });
  let sentBytes = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(sentBytes === 0 ? head : Buffer.alloc(64 * 1024));
      sentBytes += sentBytes === 0 ? head.length : 64 * 1024;
      if (sentBytes >= 100 * MB) controller.close();
    },
  });
  // The first bytes may come one by one; too few of them tell no type yet.
  expect((await ma.patch(path, 0, new Uint8Array(head.subarray(0, 10)))).status).toBe(204);
  const answer = await ma.patch(path, 10, endless.pipeThrough(withoutFirst(10))).catch(() => undefined);
  // The server answers and closes the connection: what still arrives is not read.
  if (answer) expect(outcome(answer)).toEqual([415, 160002, 'type']);
  expect(sentBytes).toBeLessThan(50 * MB);
  await expect.poll(countRows).toBe(0);
  await expect.poll(listParts).toEqual([]);
  expect((await ma.head(path)).status).toBe(404);
  expect(errors).toEqual([]);
});

/** Drops the first bytes of a stream. */
function withoutFirst(count: number) {
  let left = count;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const rest = chunk.subarray(Math.min(left, chunk.length));
      left -= chunk.length - rest.length;
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
}

test('a picture has the size limit of pictures, also where films are accepted', async () => {
  const { ma } = await startSite();
  const path = await ma.begin({ size: 6 * MB });
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from('IHDR'),
    Buffer.alloc(5000),
  ]);
  const answer = await ma.patch(path, 0, new Uint8Array(png));
  expect([...outcome(answer), answer.json.errorMsg]).toEqual([413, 160002, 'size', expect.stringContaining('图片不能超过 5 MB')]);
});

test('only the account that began an upload reads, continues, finishes or cancels it', async () => {
  const server = await startSite();
  const { ma, client, as } = server;
  const content = film(20_000);
  const path = await ma.begin({ size: content.length });
  const uploadid = path.split('/').at(-1) ?? '';
  await ma.patch(path, 0, content.subarray(0, 8000));
  await aBarePerson(server, 'C_LIN');
  await aRespondentSession(server, 'C_LIN', 'lin-phone');
  // A colleague with the same rights, another school, the provider above, the platform, a respondent, nobody.
  for (const [token, status] of [
    ['chen', 404],
    ['qiao', 404],
    ['fang', 404],
    ['super', 404],
    ['lin-phone', 401],
    ['', 401],
  ] as const) {
    const other = client(token);
    const answers = [await other.head(path), await other.patch(path, 8000, content.subarray(8000)), await other.remove(path)];
    expect([token, ...answers.map((answer) => answer.status)]).toEqual([token, status, status, status]);
  }
  for (const who of ['chen', 'qiao', 'fang', 'super'] as const) {
    expect(await as(who)(upload.getUploadList, {})).toEqual([]);
    await expect(as(who)(upload.finishUpload, { uploadid })).rejects.toMatchObject({ code: 130001 });
    await expect(as(who)(upload.cancelUpload, { uploadid })).rejects.toMatchObject({ code: 130001 });
  }
  expect((await ma.head(path)).headers.get('upload-offset')).toBe('8000');
  // Without the right of the use, and after signing out, the account itself continues nothing.
  await server.sqlAsOwner("delete from sysuserpermission where userid = 'U_MA'");
  expect((await ma.patch(path, 8000, content.subarray(8000))).status).toBe(403);
  await setPermission(server, 'U_MA', '00030', 'grant');
  await as('ma')(logout, {});
  expect((await ma.patch(path, 8000, content.subarray(8000))).status).toBe(401);
});

test('a cancelled upload is gone at once with its bytes, and its space is free', async () => {
  const { ma, as, listParts } = await startSite();
  const path = await ma.begin({ size: 500 * MB });
  await ma.patch(path, 0, film(50_000));
  expect(await listParts()).toHaveLength(1);
  expect((await ma.remove(path)).status).toBe(204);
  expect([await listParts(), await as('ma')(upload.getUploadList, {})]).toEqual([[], []]);
  expect([(await ma.head(path)).status, (await ma.patch(path, 50_000, 'x')).status, (await ma.remove(path)).status]).toEqual([
    404, 404, 404,
  ]);
});

test('malformed requests and the extensions that the server does not offer are refused, and none is an error of the server', async () => {
  const { base, ma, countRows, lines, errors } = await startSite();
  const metadata = { 'upload-metadata': `biztype ${btoa('course')},filename ${btoa('a.mp4')}` };
  const create = (headers: Record<string, string>, body?: string) =>
    ma.send('POST', '/upload', { ...metadata, ...headers }, body);
  for (const headers of [
    {},
    { 'upload-length': '' },
    { 'upload-length': '-1' },
    { 'upload-length': '1e3' },
    { 'upload-length': '0x10' },
    { 'upload-length': '12345678901234567890' },
    { 'upload-defer-length': '1' },
    { 'upload-length': '10', 'upload-defer-length': '1' },
    { 'upload-length': '10', 'upload-concat': 'partial' },
    { 'upload-concat': 'final;/upload/a /upload/b' },
    { 'upload-length': '10', 'upload-metadata': '' },
    { 'upload-length': '10', 'upload-metadata': '%%%' },
    { 'upload-length': '10', 'upload-metadata': 'biztype !!!' },
    { 'upload-length': '10', 'upload-metadata': `path ${btoa('../../etc/passwd')}` },
  ] as Record<string, string>[])
    expect([headers, (await create(headers)).status]).toEqual([headers, 400]);
  // A file in its creation, and another version of the protocol.
  expect((await create({ 'upload-length': '10', 'content-type': 'application/offset+octet-stream' }, '0123456789')).status).toBe(
    400,
  );
  expect((await create({ 'upload-length': '10', 'tus-resumable': '0.2.2' })).status).toBe(412);
  expect(await countRows()).toBe(0);

  const path = await ma.begin({ size: 20_000 });
  for (const address of ['/upload/x', '/upload/..%2f..%2fkeys', `${path}%00`, `${path}.json`])
    expect([address, await ma.head(address).then(({ status }) => status >= 400 && status < 500)]).toEqual([address, true]);
  expect((await ma.send('HEAD', path.replace(/.{12}$/, '000000000000'))).status).toBe(404);
  const body = film(20_000);
  for (const [offset, headers, status] of [
    ['', {}, 400],
    ['-1', {}, 400],
    ['abc', {}, 400],
    ['5', {}, 409],
    ['20000', {}, 409],
    ['0', { 'content-type': 'application/octet-stream' }, 415],
    ['0', { 'content-type': 'multipart/form-data; boundary=b' }, 415],
  ] as const)
    expect([offset, headers, (await ma.patch(path, offset, body, headers)).status]).toEqual([offset, headers, status]);
  // More than the file has.
  expect((await ma.patch(path, 0, film(20_001))).status).toBeGreaterThanOrEqual(400);
  expect((await ma.head(path)).headers.get('upload-offset')).toBe('0');
  // The name of a method in a header changes nothing.
  expect((await ma.send('POST', path, { 'x-http-method-override': 'DELETE' })).status).toBe(200);
  expect((await ma.head(path)).status).toBe(200);
  const options = await fetch(`${base}/upload`, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('tus-version'), options.headers.get('tus-extension')]).toEqual([
    204,
    '1.0.0',
    'creation,expiration,termination',
  ]);
  expect([lines.filter(({ level }) => level === 'error'), errors]).toEqual([[], []]);
});

test('another site can neither begin nor continue an upload, and reads no answer', async () => {
  const { ma } = await startSite();
  const path = await ma.begin({ size: 20_000 });
  for (const headers of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<
    string,
    string
  >[]) {
    const answers = [
      await ma.create({ size: 100 }, headers),
      await ma.send('HEAD', path, headers),
      await ma.patch(path, 0, film(20_000), headers),
      await ma.send('DELETE', path, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    for (const answer of answers) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await ma.head(path)).headers.get('upload-offset')).toBe('0');
});
