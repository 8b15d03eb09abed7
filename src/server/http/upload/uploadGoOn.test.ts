import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cleanupFiles } from '#features/file/cleanup.ts';
import * as file from '#features/file/file.contract.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { s3Storage } from '#server/storage/s3Storage.ts';
import { setPermission } from '#testing/factories.ts';
import { film, tusClient } from '#testing/files/tus.ts';
import { startHttp, type TestHttp } from '#testing/http.ts';
import { startS3 } from '#testing/process/s3Server.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
const uploadidOf = (path: string) => path.split('/').at(-1) ?? '';
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Starts a server where 马 manages the school's files (文件上传). */
async function startSite(prepare?: Parameters<typeof startHttp>[1]) {
  const server = await startHttp({}, prepare);
  await setPermission(server, 'U_MA', '00030', 'grant');
  return { ...server, ma: tusClient(server.base, 'ma') };
}

/** Begins a request that announces all bytes from an offset on and sends only some of them. */
function sendSome({ port }: TestHttp, path: string, offset: number, whole: Buffer, bytes: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  onTestFinished(() => void socket.destroy());
  const head = [
    `PATCH ${path} HTTP/1.1`,
    'host: a',
    'token: ma',
    'tus-resumable: 1.0.0',
    'content-type: application/offset+octet-stream',
    `upload-offset: ${offset}`,
    `content-length: ${whole.length - offset}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(whole.subarray(offset, offset + bytes));
  return socket;
}

/** Sends the rest of an upload from where the server is, and expects the whole file in the store. */
async function finishRest(
  { ma, as, services, sqlAsOwner }: Awaited<ReturnType<typeof startSite>>,
  path: string,
  content: Buffer,
) {
  const offset = Number((await ma.head(path)).headers.get('upload-offset'));
  const answer = await ma.patch(path, offset, new Uint8Array(content.subarray(offset)));
  expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(content.length)]);
  const { fileid } = await as('ma')(upload.finishUpload, { uploadid: uploadidOf(path) });
  const [row] = await sqlAsOwner<{ path: string; sha256: string }>('select path, sha256 from fileobj where fileid = $1', [
    fileid,
  ]);
  const stored = await buffer(await services.storage.get(row?.path ?? ''));
  expect([sha256(stored), row?.sha256]).toEqual([sha256(content), sha256(content)]);
  return offset;
}

test('what has arrived before a connection broke is kept, and the upload goes on there', async () => {
  const server = await startSite();
  const { ma, services, lines } = server;
  const content = film(3 * MB);
  const path = await ma.begin({ size: content.length });
  const sent = 2 * MB + 123;
  const socket = sendSome(server, path, 0, content, sent);
  await expect.poll(() => services.storage.parts.sizeOf(uploadidOf(path)), { timeout: 60_000 }).toBe(sent);
  socket.destroy();
  expect(await finishRest(server, path, content)).toBe(sent);
  expect([lines.filter(({ level }) => level === 'error'), server.errors]).toEqual([[], []]);
});

test('a client that is back before the server has noticed the broken line gets its place at once', async () => {
  const server = await startSite();
  const { ma, services } = server;
  const content = film(2 * MB);
  const path = await ma.begin({ size: content.length });
  // The line is dead, but nobody has ended the connection.
  sendSome(server, path, 0, content, MB);
  await expect.poll(() => services.storage.parts.sizeOf(uploadidOf(path)), { timeout: 60_000 }).toBe(MB);
  expect(await finishRest(server, path, content)).toBe(MB);
  expect(server.errors).toEqual([]);
});

test('of two requests at the same place one writes; the bytes are those of one file', async () => {
  const server = await startSite();
  const { ma } = server;
  const content = film(4 * MB);
  const path = await ma.begin({ size: content.length });
  const answers = await Promise.all([0, 1, 2].map(() => ma.patch(path, 0, new Uint8Array(content)).catch(() => undefined)));
  const statuses = answers.flatMap((answer) => answer?.status ?? []);
  expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
  expect(statuses.filter((status) => ![204, 409, 423].includes(status))).toEqual([]);
  await finishRest(server, path, content);
  expect(server.errors).toEqual([]);
});

test('two calls finish an upload together: there is one file', async () => {
  const { ma, as, sqlAsOwner, services, clock } = await startSite();
  const content = film(100_000);
  const path = await ma.begin({ size: content.length });
  await ma.patch(path, 0, new Uint8Array(content));
  const uploadid = uploadidOf(path);
  const saved = await Promise.all([1, 2, 3].map(() => as('ma')(upload.finishUpload, { uploadid })));
  expect(new Set(saved.map(({ fileid }) => fileid)).size).toBe(1);
  expect(await sqlAsOwner('select 1 from fileobj')).toHaveLength(1);
  const keys: string[] = [];
  for await (const { key } of services.storage.list('upload')) keys.push(key);
  expect(keys).toHaveLength(1);
  // The answer stays the same for a day, also when a file of the same name follows.
  clock.now = new Date(clock.now.getTime() + 23 * HOUR);
  expect(await as('ma')(upload.finishUpload, { uploadid })).toMatchObject({ fileid: saved[0]?.fileid });
});

test.each(['sizeOf', 'read'] as const)(
  'a call that comes too late to %s the bytes answers with the file of the other',
  async (step) => {
    const { ma, as, sqlAsOwner, services } = await startSite();
    const content = film(100_000);
    const path = await ma.begin({ size: content.length });
    await ma.patch(path, 0, new Uint8Array(content));
    const uploadid = uploadidOf(path);
    const { parts } = services.storage;
    const original = parts[step].bind(parts) as (uploadid: string) => Promise<never>;
    const other: { fileid: string }[] = [];
    vi.spyOn(parts, step).mockImplementationOnce(async () => {
      other.push(await as('ma')(upload.finishUpload, { uploadid }));
      return original(uploadid);
    });
    expect(await as('ma')(upload.finishUpload, { uploadid })).toMatchObject({ fileid: other[0]?.fileid });
    expect(await sqlAsOwner('select 1 from fileobj')).toHaveLength(1);
  },
);

test('an upload ends after 24 hours; the job deletes it with its bytes, and leaves the running ones', async () => {
  const server = await startSite();
  const { ma, as, clock, services, sqlAsOwner } = server;
  // The disk stamps files with the real clock.
  const start = Date.now();
  const setClock = (hours: number) => (clock.now = new Date(start + hours * HOUR));
  setClock(0);
  const content = film(100_000);
  const old = await ma.begin({ size: content.length });
  await ma.patch(old, 0, new Uint8Array(content.subarray(0, 60_000)));
  const finished = await ma.begin({ size: 1000 + content.length });
  await ma.patch(finished, 0, film(1000 + content.length));
  const { fileid } = await as('ma')(upload.finishUpload, { uploadid: uploadidOf(finished) });
  // Bytes of an upload that nobody knows: its call failed.
  const unknown = '0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001';
  await services.storage.parts.begin(unknown, 10);
  setClock(23);
  const young = await ma.begin({ size: content.length });
  expect(await cleanupFiles(services, clock.now)).toBe(0);
  expect((await ma.head(old)).headers.get('upload-offset')).toBe('60000');

  setClock(24.1);
  expect([(await ma.head(old)).status, (await ma.patch(old, 60_000, 'x')).status, (await ma.remove(old)).status]).toEqual([
    410, 410, 410,
  ]);
  await expect(as('ma')(upload.finishUpload, { uploadid: uploadidOf(old) })).rejects.toMatchObject({ code: 130001 });
  expect((await as('ma')(upload.getUploadList, {})).map(({ uploadid }) => uploadid)).toEqual([uploadidOf(young)]);
  await cleanupFiles(services, clock.now);
  const left: string[] = [];
  for await (const { uploadid } of services.storage.parts.list()) left.push(uploadid);
  expect(left).toEqual([uploadidOf(young)]);
  expect(await sqlAsOwner('select uploadid from upload')).toEqual([{ uploadid: uploadidOf(young) }]);
  expect((await as('ma')(file.getFilePageList, {})).rows).toMatchObject([{ fileid }]);
  await finishRest(server, young, content);
});

test('an upload whose content turns out to be no film ends when it is finished', async () => {
  const { ma, as, sqlAsOwner, services } = await startSite();
  // A picture that begins like a picture and is none.
  const broken = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from('IHDR'),
    Buffer.alloc(9000),
  ]);
  const path = await ma.begin({ size: broken.length, filename: '封面.png' });
  expect((await ma.patch(path, 0, new Uint8Array(broken))).status).toBe(204);
  const uploadid = uploadidOf(path);
  await expect(as('ma')(upload.finishUpload, { uploadid })).rejects.toMatchObject({
    code: 160002,
    message: expect.stringContaining('图片已损坏') as string,
  });
  await expect(as('ma')(upload.finishUpload, { uploadid })).rejects.toMatchObject({ code: 130001 });
  expect([await sqlAsOwner('select 1 from upload'), await services.storage.parts.sizeOf(uploadid)]).toEqual([[], 0]);
});

test('an upload in a bucket goes on too, becomes one file and leaves no part', async () => {
  const { config, lookup, objects, refusals } = await startS3();
  const server = await startSite(({ services }) =>
    Object.assign(
      services.storage,
      sealedStorage(s3Storage(config, services.cipher, { lookup }), new FileKeys(services.pools.authn, services.cipher)),
    ),
  );
  const { ma, services } = server;
  const content = film(3 * MB);
  const path = await ma.begin({ size: content.length });
  await ma.patch(path, 0, new Uint8Array(content.subarray(0, MB)));
  const socket = sendSome(server, path, MB, content, MB);
  setTimeout(() => socket.destroy(), 200);
  await expect.poll(() => services.storage.parts.sizeOf(uploadidOf(path)), { timeout: 60_000 }).toBeGreaterThan(MB);
  expect(await finishRest(server, path, content)).toBeGreaterThan(MB);
  await expect.poll(() => [...objects.keys()].filter((key) => key.startsWith('part/'))).toEqual([]);
  // An upload that nobody finishes goes with the job.
  await ma.begin({ size: 1000 });
  await cleanupFiles(services, new Date(Date.now() + 49 * HOUR));
  expect([...objects.keys()].filter((key) => key.startsWith('part/'))).toEqual([]);
  expect([refusals, server.errors]).toEqual([[], []]);
});
