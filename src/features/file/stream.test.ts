import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as file from '#features/file/file.contract.ts';
import { diskStorage } from '#server/storage/storage.ts';
import { setPermission } from '#testing/factories.ts';
import { startHttp } from '#testing/http.ts';
import { startServer } from '#testing/server.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';

const MB = 1024 * 1024;
/** The first bytes of a film, which tell its type. */
const film = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(12), Buffer.alloc(5000)]);
const song = Buffer.concat([
  Buffer.from('ID3'),
  Buffer.from([4, 0, 0, 0, 0, 0, 10]),
  Buffer.alloc(10),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(5000),
]);
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from([0, 0, 0, 13]),
  Buffer.from('IHDR'),
  Buffer.alloc(5000),
]);

async function* createContent(head: Buffer, size: number, progress: { bytes: number }) {
  for (let chunk = head; progress.bytes < size; chunk = Buffer.alloc(Math.min(64 * 1024, size - progress.bytes), 7)) {
    progress.bytes += chunk.length;
    yield chunk;
  }
}
const startSite = async () => {
  const server = await startServer();
  await setPermission(server, 'U_MA', '00030', 'grant');
  return server;
};
const listUploads = async ({ services }: Awaited<ReturnType<typeof startServer>>) => {
  const keys: string[] = [];
  for await (const { key } of services.storage.list('upload')) keys.push(key);
  return keys;
};

test('a film of 60 MB is streamed to the storage without being held in memory and is read back unchanged', async () => {
  const server = await startSite();
  const progress = { bytes: 0 };
  // The largest number of bytes that had arrived but were not yet written.
  let backlog = 0;
  const { storage } = server.services;
  const put = storage.put.bind(storage);
  storage.put = async (key, content) => {
    let writtenBytes = 0;
    const countWritten = async function* () {
      for await (const chunk of content as Readable) {
        writtenBytes += (chunk as Buffer).length;
        backlog = Math.max(backlog, progress.bytes - writtenBytes);
        yield chunk as Buffer;
      }
    };
    return put(key, Readable.from(countWritten()));
  };
  const uploaded = await server.as('ma')(
    file.updateToOSS,
    { biztype: 'course' },
    { filename: '呼吸放松.mp4', mime: 'video/mp4', content: createContent(film, 60 * MB, progress) },
  );
  expect(uploaded).toMatchObject({ filename: '呼吸放松.mp4', mime: 'video/mp4', size: 60 * MB });
  expect(backlog).toBeLessThan(2 * MB);
  const [key = ''] = await listUploads(server);
  const content = await buffer(await storage.get(key));
  const [{ sha256 = '' } = {}] = await server.sqlAsOwner<{ sha256: string }>('select sha256 from fileobj');
  expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([60 * MB, sha256]);
});

test.each([
  ['a song', 'music', song, 51, 50, 'MP3不能超过 50 MB，请压缩后再上传'],
  ['a picture', 'avatar', picture, 400, 5, '图片不能超过 5 MB，请压缩后再上传'],
  ['a film for a portrait', 'avatar', film, 400, 0, '头像只接受图片（PNG、JPG、WebP，5 MB 以内）'],
] as const)(
  '%s that is too large or of a wrong type is refused early: the server does not read the rest and stores nothing',
  async (_, biztype, head, size, maxRead, message) => {
    const server = await startSite();
    const progress = { bytes: 0 };
    await expect(
      server.as('ma')(
        file.updateToOSS,
        { biztype },
        { filename: 'x', mime: '', content: createContent(head, size * MB, progress) },
      ),
    ).rejects.toMatchObject({ code: 160002, message: expect.stringContaining(message) as string });
    expect(progress.bytes).toBeLessThan((maxRead + 1) * MB);
    expect([await listUploads(server), await server.sqlAsOwner('select 1 from fileobj'), server.errors]).toEqual([[], [], []]);
  },
);

test('a refused upload is not received, and an aborted or failed upload leaves no file', async () => {
  const server = await startSite();
  const progress = { bytes: 0 };
  const upload = { filename: 'a.mp4', mime: '', content: createContent(film, MB, progress) };
  await expect(server.as('wang')(file.updateToOSS, { biztype: 'course' }, upload)).rejects.toMatchObject({ code: 110004 });
  await expect(server.withToken('nobody at all')(file.updateToOSS, { biztype: 'course' }, upload)).rejects.toMatchObject({
    code: 110000,
  });
  expect(progress.bytes).toBe(0);
  async function* breakingContent() {
    yield film;
    yield randomBytes(100);
    throw new Error('connection lost');
  }
  await expect(
    server.as('ma')(file.updateToOSS, { biztype: 'course' }, { filename: 'a.mp4', mime: '', content: breakingContent() }),
  ).rejects.toMatchObject({ code: 900000 });
  await server.sqlAsOwner(
    `insert into fileobj (musercode, filename, mime, size, sha256, path, biztype)
     values ('M_CHENGUANG', 'x', 'video/mp4', 2147483648, '', 'x', 'course')`,
  );
  await expect(
    server.as('ma')(
      file.updateToOSS,
      { biztype: 'course' },
      { filename: 'a.mp4', mime: '', content: createContent(film, MB, { bytes: 0 }) },
    ),
  ).rejects.toMatchObject({ message: expect.stringContaining('空间已满') as string });
  expect(await listUploads(server)).toEqual([]);
});

test('an endless upload is refused while it arrives, and a valid one is written to disk as it arrives', async () => {
  const server = await startHttp();
  await setPermission(server, 'U_MA', '00030', 'grant');
  const dir = await mkdtemp(join(tmpdir(), 'xinli-stream-'));
  Object.assign(
    server.services.storage,
    sealedStorage(diskStorage(dir, server.services.cipher), new FileKeys(server.services.pools.authn, server.services.cipher)),
  );
  const send = (biztype: string, name: string) => {
    const socket = connect(server.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    socket.on('error', () => undefined);
    const part = (head: string, value: string) => `--b\r\ncontent-disposition: form-data; name=${head}\r\n\r\n${value}`;
    socket.write(
      [
        `POST /api/${file.updateToOSS.name}/1.0.0/action HTTP/1.1`,
        'host: a',
        'token: ma',
        'content-type: multipart/form-data; boundary=b',
        'transfer-encoding: chunked',
        '\r\n',
      ].join('\r\n'),
    );
    const chunk = (content: string | Buffer) => {
      const bytes = Buffer.from(content);
      return socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
    };
    chunk(`${part('"biztype"', biztype)}\r\n${part(`"file"; filename="${name}"`, '')}`);
    return { socket, chunk, answer };
  };
  const endless = send('avatar', 'a.png');
  endless.chunk(picture);
  const feeding = setInterval(() => endless.socket.writable && endless.chunk(Buffer.alloc(MB)), 5);
  expect(await endless.answer).toContain('图片不能超过 5 MB');
  clearInterval(feeding);
  endless.socket.destroy();

  const valid = send('course', 'a.mp4');
  valid.chunk(film);
  for (let n = 0; n < 4; n++) valid.chunk(Buffer.alloc(MB));
  const countWrittenBytes = async () => {
    const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.part'));
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(dir, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return Math.max(0, ...sizes);
  };
  while ((await countWrittenBytes()) < 3 * MB) await new Promise((resolve) => setTimeout(resolve, 10));
  valid.chunk('\r\n--b--\r\n');
  valid.socket.write('0\r\n\r\n');
  expect(await valid.answer).toContain('"errorCode":0');
  valid.socket.destroy();
  expect(server.errors).toEqual([]);
  await rm(dir, { recursive: true });
});
