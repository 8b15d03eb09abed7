import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import * as job from '#contract/exportJob.ts';
import * as file from '#features/file/file.contract.ts';
import { exportWorker } from '#server/export/worker.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { MasterKey } from '#server/security/keyring.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { FileAltered } from '#server/storage/fileSealing.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';
import { diskStorage, FileMissing, newKey } from '#server/storage/storage.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { addClass } from '#testing/school.ts';
import { sharedServer, startServer } from '#testing/server.ts';

const server = sharedServer();
const CHUNK = 64 * 1024;
const STORED_CHUNK = CHUNK + 16;
const HEAD = 32;

async function openStore(cipher = new FieldCipher(randomBytes(32))) {
  const dir = await mkdtemp(join(tmpdir(), 'xinli-sealed-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const plain = diskStorage(dir, cipher);
  const storage = sealedStorage(plain, new FileKeys(server().services.pools.authn, cipher));
  const pathOf = (key: string) => join(dir, 'files', key);
  return { dir, plain, storage, cipher, pathOf };
}

/** Every file below a folder, as it is on the disk. */
async function allBytes(dir: string): Promise<Buffer> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const contents = files.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name)));
  return Buffer.concat(await Promise.all(contents));
}

test('an export, an attachment and a PDF are no readable files on the disk, and open as before when they are downloaded', async () => {
  const one = await startServer();
  const { as, services, clock } = one;
  await addClass(one, { teamname: '初二1班', names: ['林小雨'], owneruserid: 'U_WANG', birthday: '2000-03-04' });
  const { jobid } = await as('chen')(job.insertExport, { action: 'as.m.cuser.exportCuserList', request: {} });
  await exportWorker(services, {
    dispatch: one.dispatch,
    clock: () => clock.now,
    log: (line) => one.errors.push(line),
  }).drain();
  const pdf = Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/Note(画眉鸟)>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);
  const attached = await as('chen')(file.updateToOSS, { biztype: 'case' }, { filename: '谈话.pdf', mime: '', content: pdf });

  const dir = join(dirname(services.auditDir), 'files');
  const stored = await allBytes(dir);
  expect(stored.length).toBeGreaterThan(1000);
  for (const sign of ['画眉鸟', '林小雨', '%PDF', 'PK\u0003\u0004']) expect(stored.includes(sign)).toBe(false);

  const { body, filename } = (await as('chen')(job.downloadExport, { jobid })) as { body: Readable; filename: string };
  expect((await readWorkbook(await buffer(body), filename)).rows.flat()).toContain('林小雨');
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, services, () => clock.now);
  const answer = await app.inject(attached.url);
  expect([answer.rawPayload.equals(pdf), answer.headers['content-length']]).toEqual([true, String(pdf.length)]);
});

test('every range of a sealed file has the bytes of the content, also around the borders of its chunks', async () => {
  const { storage } = await openStore();
  for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 777]) {
    const key = newKey('upload');
    const content = randomBytes(size);
    // A stream with pieces of any length, as uploads arrive.
    const pieces = Readable.from([content.subarray(0, 5), content.subarray(5, CHUNK - 3), content.subarray(CHUNK - 3)]);
    expect(await storage.put(key, size % 2 ? pieces : content)).toBe(size);
    expect((await storage.head(key))?.size).toBe(size);
    expect((await buffer(await storage.get(key))).equals(content)).toBe(true);
    if (size === 0) continue;
    const range = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    await fc.assert(
      fc.asyncProperty(range, async ({ start, end }) =>
        (await buffer(await storage.get(key, { start, end }))).equals(content.subarray(start, end + 1)),
      ),
      { numRuns: 30 },
    );
    const borders = [0, CHUNK - 1, CHUNK, 2 * CHUNK - 1, 2 * CHUNK, size - 1].filter((at) => at < size);
    for (const start of borders)
      for (const end of borders.filter((at) => at >= start))
        expect((await buffer(await storage.get(key, { start, end }))).equals(content.subarray(start, end + 1))).toBe(true);
  }
});

test('an altered, cut, lengthened, reordered, exchanged or unsealed file is refused, and no wrong byte leaves', async () => {
  const { storage, plain, pathOf } = await openStore();
  const key = newKey('upload');
  const other = newKey('upload');
  const content = randomBytes(3 * CHUNK + 500);
  await storage.put(key, content);
  await storage.put(other, randomBytes(content.length));
  const stored = await readFile(pathOf(key));
  const chunk = (number: number) => stored.subarray(HEAD + number * STORED_CHUNK, HEAD + (number + 1) * STORED_CHUNK);
  const flipped = (at: number) => {
    const copy = Buffer.from(stored);
    copy[at]! ^= 1;
    return copy;
  };
  const attacks: Record<string, Buffer> = {
    'the mark': flipped(0),
    'the salt': flipped(20),
    'a byte of the first chunk': flipped(HEAD + 9),
    'a byte in the middle': flipped(HEAD + STORED_CHUNK + 100),
    'the last byte': flipped(stored.length - 1),
    'cut between chunks': stored.subarray(0, HEAD + 2 * STORED_CHUNK),
    'cut within a chunk': stored.subarray(0, stored.length - 100),
    'cut to its head': stored.subarray(0, HEAD),
    'cut within its head': stored.subarray(0, 10),
    empty: Buffer.alloc(0),
    'bytes added': Buffer.concat([stored, Buffer.alloc(40)]),
    'a chunk twice': Buffer.concat([stored.subarray(0, HEAD), chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)]),
    'chunks exchanged': Buffer.concat([stored.subarray(0, HEAD), chunk(1), chunk(0), chunk(2), chunk(3)]),
    'the bytes of another file': await readFile(pathOf(other)),
    'the head of another file': Buffer.concat([(await readFile(pathOf(other))).subarray(0, HEAD), stored.subarray(HEAD)]),
    'a plain file in its place': Buffer.from('%PDF-1.4 一份没有加密的文件，想冒充原来的文件'),
  };
  for (const [name, bytes] of Object.entries(attacks)) {
    await writeFile(pathOf(key), bytes);
    const got: Buffer[] = [];
    const reading = async () => {
      for await (const piece of await storage.get(key)) got.push(piece as Buffer);
    };
    await expect(reading(), name).rejects.toThrow(FileAltered);
    const read = Buffer.concat(got);
    expect(read.equals(content.subarray(0, read.length)), name).toBe(true);
  }
  // The first chunk is proven before there is a stream. So a link answers with an error and with no part of the file.
  await writeFile(pathOf(key), flipped(HEAD + 9));
  const app = Fastify();
  onTestFinished(() => app.close());
  const lines: Record<string, unknown>[] = [];
  const now = new Date('2025-10-08T02:00:00Z');
  serveFiles(
    app,
    { storage, cipher: server().services.cipher },
    () => now,
    (line) => lines.push(line),
  );
  const url = sealedLink(key, new Date(now.getTime() + 1000));
  const answer = await app.inject(url);
  expect([answer.statusCode, answer.body, lines.length]).toEqual([500, '文件已损坏，无法打开。请联系管理员', 1]);
  expect(await plain.head(key)).toBeDefined();
});

const sealedLink = (key: string, until: Date) =>
  server().services.storage.signedUrl({ key, filename: '甲.pdf', mime: 'application/pdf' }, until);

test('the key of one file opens no other one, and the master key of another installation opens none', async () => {
  const { storage, pathOf, plain } = await openStore();
  const { sqlAsOwner, services } = server();
  const [own, foreign] = [newKey('consent'), newKey('consent')];
  await storage.put(own, Buffer.from('本校的签名'));
  await storage.put(foreign, Buffer.from('他校的签名'));
  // Somebody who can write both the table and the store gives a file with its key the place of another one.
  await sqlAsOwner('update auth.filekey set sealed = (select sealed from auth.filekey where path = $2) where path = $1', [
    own,
    foreign,
  ]);
  await writeFile(pathOf(own), await readFile(pathOf(foreign)));
  await expect(storage.get(own)).rejects.toThrow(FileAltered);
  expect(await text(await storage.get(foreign))).toBe('他校的签名');
  const stranger = sealedStorage(plain, new FileKeys(services.pools.authn, new FieldCipher(randomBytes(32))));
  await expect(stranger.get(foreign)).rejects.toThrow(FileAltered);
  // A copy keeps the content under its own name.
  const copy = newKey('upload');
  await storage.copy(foreign, copy);
  await storage.delete(foreign);
  expect(await text(await storage.get(copy))).toBe('他校的签名');
});

test('a deleted file stays unreadable when its bytes come back from a backup', async () => {
  const { storage, pathOf } = await openStore();
  const key = newKey('upload');
  await storage.put(key, Buffer.from('住院记录'));
  const backup = await readFile(pathOf(key));
  await storage.delete(key);
  await writeFile(pathOf(key), backup);
  await expect(storage.get(key)).rejects.toThrow(FileMissing);
  expect(await storage.head(key)).toBeUndefined();
  expect(await server().sqlAsOwner('select from auth.filekey where path = $1', [key])).toEqual([]);
});

test('a file from before this version opens, and a rotation of the master key leaves every file readable', async () => {
  const first = MasterKey.of(randomBytes(32), false);
  const cipher = new FieldCipher({ keys: [first], current: first });
  const { storage, plain } = await openStore(cipher);
  const [old, older] = [newKey('upload'), newKey('upload')];
  await plain.put(old, Buffer.from('%PDF-1.4 以前的文件'));
  await plain.put(older, Buffer.alloc(0));
  expect(await text(await storage.get(old))).toBe('%PDF-1.4 以前的文件');
  expect(await text(await storage.get(old, { start: 1, end: 3 }))).toBe('PDF');
  expect([(await storage.head(old))?.size, await text(await storage.get(older))]).toEqual([24, '']);
  await storage.copy(old, older);
  expect(await text(await storage.get(older))).toBe('%PDF-1.4 以前的文件');

  const key = newKey('upload');
  await storage.put(key, Buffer.from('换钥前的文件'));
  const second = MasterKey.of(randomBytes(32), true);
  cipher.use({ keys: [first, second], current: second });
  expect(await text(await storage.get(key))).toBe('换钥前的文件');
  const next = newKey('upload');
  await storage.put(next, Buffer.from('换钥后的文件'));
  const [row] = await server().sqlAsOwner<{ sealed: string }>('select sealed from auth.filekey where path = $1', [next]);
  expect(row?.sealed.startsWith(`2.${second.id}.`)).toBe(true);
});

test('an unfinished upload is unreadable on the disk, goes on at any byte and is read as it was sent', async () => {
  const { storage, dir } = await openStore();
  const uploadid = '0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001';
  const content = Buffer.from('画眉鸟'.repeat(5000));
  await storage.parts.begin(uploadid, content.length);
  let offset = 0;
  for (const end of [1, 17, 4099, 4100, content.length]) {
    offset = await storage.parts.store.write(Readable.from([content.subarray(offset, end)]), uploadid, offset);
    expect([offset, await storage.parts.sizeOf(uploadid)]).toEqual([end, end]);
  }
  const stored = await allBytes(join(dir, 'parts'));
  expect(stored.length).toBeGreaterThan(content.length - 1);
  expect(stored.includes('画眉鸟')).toBe(false);
  expect((await buffer(await storage.parts.read(uploadid))).equals(content)).toBe(true);
  await storage.parts.remove(uploadid);
  expect(await server().sqlAsOwner('select from auth.filekey where path = $1', [`part/${uploadid}`])).toEqual([]);
});
