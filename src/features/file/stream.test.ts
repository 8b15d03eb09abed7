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

const MB = 1024 * 1024;
/** The beginning of a film, by which it is known. */
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

async function* of(head: Buffer, size: number, seen: { bytes: number }) {
  for (let chunk = head; seen.bytes < size; chunk = Buffer.alloc(Math.min(64 * 1024, size - seen.bytes), 7)) {
    seen.bytes += chunk.length;
    yield chunk;
  }
}
const site = async () => {
  const server = await startServer();
  await setPermission(server, 'U_MA', '00030', 'grant');
  return server;
};
const stored = async ({ services }: Awaited<ReturnType<typeof startServer>>) => {
  const keys: string[] = [];
  for await (const { key } of services.storage.list('upload')) keys.push(key);
  return keys;
};

test('a film of 60 MB is streamed to the storage without being held in memory and is read back unchanged', async () => {
  const server = await site();
  const seen = { bytes: 0 };
  // How much of it had arrived when the store asked for its next piece: it is never far behind.
  let backlog = 0;
  const { storage } = server.services;
  const put = storage.put.bind(storage);
  storage.put = async (key, content) => {
    let written = 0;
    const counted = async function* () {
      for await (const chunk of content as Readable) {
        written += (chunk as Buffer).length;
        backlog = Math.max(backlog, seen.bytes - written);
        yield chunk as Buffer;
      }
    };
    return put(key, Readable.from(counted()));
  };
  const kept = await server.as('ma')(
    file.updateToOSS,
    { biztype: 'course' },
    { filename: '呼吸放松.mp4', mime: 'video/mp4', content: of(film, 60 * MB, seen) },
  );
  expect(kept).toMatchObject({ filename: '呼吸放松.mp4', mime: 'video/mp4', size: 60 * MB });
  expect(backlog).toBeLessThan(2 * MB);
  const [key = ''] = await stored(server);
  const whole = await buffer(await storage.get(key));
  const [{ sha256 = '' } = {}] = await server.sqlAsOwner<{ sha256: string }>('select sha256 from fileobj');
  expect([whole.length, createHash('sha256').update(whole).digest('hex')]).toEqual([60 * MB, sha256]);
});

test.each([
  ['a song', 'music', song, 51, 50, 'MP3不能超过 50 MB，请压缩后再上传'],
  ['a picture', 'avatar', picture, 400, 5, '图片不能超过 5 MB，请压缩后再上传'],
  ['what it is not for', 'avatar', film, 400, 0, '头像只接受图片（PNG、JPG、WebP，5 MB 以内）'],
] as const)(
  '%s that is too large or wrong is refused as soon as that is known; the rest is not read, and nothing is kept',
  async (_, biztype, head, size, most, words) => {
    const server = await site();
    const seen = { bytes: 0 };
    await expect(
      server.as('ma')(file.updateToOSS, { biztype }, { filename: 'x', mime: '', content: of(head, size * MB, seen) }),
    ).rejects.toMatchObject({ code: 160002, message: expect.stringContaining(words) as string });
    expect(seen.bytes).toBeLessThan((most + 1) * MB);
    expect([await stored(server), await server.sqlAsOwner('select 1 from fileobj'), server.errors]).toEqual([[], [], []]);
  },
);

test('a refused upload is not received, and an aborted or failed upload leaves no file', async () => {
  const server = await site();
  const seen = { bytes: 0 };
  const upload = { filename: 'a.mp4', mime: '', content: of(film, MB, seen) };
  await expect(server.as('wang')(file.updateToOSS, { biztype: 'course' }, upload)).rejects.toMatchObject({ code: 110004 });
  await expect(server.withToken('nobody at all')(file.updateToOSS, { biztype: 'course' }, upload)).rejects.toMatchObject({
    code: 110000,
  });
  expect(seen.bytes).toBe(0);
  async function* breaking() {
    yield film;
    yield randomBytes(100);
    throw new Error('the line broke');
  }
  await expect(
    server.as('ma')(file.updateToOSS, { biztype: 'course' }, { filename: 'a.mp4', mime: '', content: breaking() }),
  ).rejects.toMatchObject({ code: 900000 });
  await server.sqlAsOwner(
    `insert into fileobj (musercode, filename, mime, size, sha256, path, biztype)
      values ('M_CHENGUANG', 'x', 'video/mp4', 2147483648, '', 'x', 'course')`,
  );
  await expect(
    server.as('ma')(
      file.updateToOSS,
      { biztype: 'course' },
      { filename: 'a.mp4', mime: '', content: of(film, MB, { bytes: 0 }) },
    ),
  ).rejects.toMatchObject({ message: expect.stringContaining('空间已满') as string });
  expect(await stored(server)).toEqual([]);
});

test('an endless upload is refused while it arrives, and a valid one is written to disk as it arrives', async () => {
  const wire = await startHttp();
  await setPermission(wire, 'U_MA', '00030', 'grant');
  const dir = await mkdtemp(join(tmpdir(), 'xinli-stream-'));
  Object.assign(wire.services.storage, diskStorage(dir, wire.services.cipher));
  const send = (biztype: string, name: string) => {
    const socket = connect(wire.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    socket.on('error', () => undefined);
    const part = (head: string, value: string) => `--b\r\ncontent-disposition: form-data; name=${head}\r\n\r\n${value}`;
    socket.write(
      `POST /api/${file.updateToOSS.name}/1.0.0/action HTTP/1.1\r\nhost: a\r\ntoken: ma\r\ncontent-type: multipart/form-data; ` +
        `boundary=b\r\ntransfer-encoding: chunked\r\n\r\n`,
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

  const good = send('course', 'a.mp4');
  good.chunk(film);
  for (let n = 0; n < 4; n++) good.chunk(Buffer.alloc(MB));
  const written = async () => {
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
  while ((await written()) < 3 * MB) await new Promise((resolve) => setTimeout(resolve, 10));
  good.chunk('\r\n--b--\r\n');
  good.socket.write('0\r\n\r\n');
  expect(await good.answer).toContain('"errorCode":0');
  good.socket.destroy();
  expect(wire.errors).toEqual([]);
  await rm(dir, { recursive: true });
});
