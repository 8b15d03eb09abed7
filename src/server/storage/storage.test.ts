import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveFiles } from '#server/http/fileRoute.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';
import { s3Storage } from '#server/storage/s3Storage.ts';
import { diskStorage, FileMissing, newKey, type Folder, type Storage } from '#server/storage/storage.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { sharedServer } from '#testing/server.ts';
import { startS3 } from '#testing/process/s3Server.ts';

const cipher = new FieldCipher(randomBytes(32));

async function openOnDisk() {
  const dir = await mkdtemp(join(tmpdir(), 'xinli-files-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const leftovers = async () => (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.part'));
  return { storage: diskStorage(dir, cipher), leftovers };
}
async function openInBucket() {
  const { config, lookup, refusals } = await startS3();
  const leftovers = async () => refusals.filter((refusal) => !refusal.startsWith('NoSuchKey'));
  return { storage: s3Storage(config, cipher, { lookup }), leftovers };
}
const keysOf = async (storage: Storage, folder: Folder) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(folder)) keys.push(key);
  return keys.sort();
};
async function* streamChunks(count: number) {
  for (let index = 0; index < count; index++) yield Buffer.alloc(1000, index);
}
async function* breakHalfway() {
  yield Buffer.from('half');
  throw new Error('the source broke');
}

const server = sharedServer();
type Opened = Awaited<ReturnType<typeof openOnDisk>>;
/** Opens the store as the server does: files are sealed in it. */
const sealing = (open: () => Promise<Opened>) => async () => {
  const opened = await open();
  return { ...opened, storage: sealedStorage(opened.storage, new FileKeys(server().services.pools.authn, cipher)) };
};

describe.each([
  ['on the disk', openOnDisk],
  ['in a bucket', openInBucket],
  ['sealed on the disk', sealing(openOnDisk)],
  ['sealed in a bucket', sealing(openInBucket)],
])('files %s', (_where, open) => {
  test('are read back unchanged, complete, in parts and empty', async () => {
    const { storage, leftovers } = await open();
    const key = newKey('upload');
    const before = Date.now();
    expect(await storage.put(key, Buffer.from('0123456789'))).toBe(10);
    expect(await text(await storage.get(key))).toBe('0123456789');
    expect(await text(await storage.get(key, { start: 2, end: 4 }))).toBe('234');
    expect(await text(await storage.get(key, { start: 9, end: 9 }))).toBe('9');
    const object = await storage.head(key);
    expect(object).toMatchObject({ key, size: 10 });
    // S3 stores the time in whole seconds.
    expect(object?.time.getTime()).toBeGreaterThanOrEqual(before - 1000);
    expect(object?.time.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    const empty = newKey('upload');
    expect(await storage.put(empty, Buffer.alloc(0))).toBe(0);
    expect(await text(await storage.get(empty))).toBe('');
    expect(await leftovers()).toEqual([]);
  });

  test('are written from a stream; a stream that breaks leaves no file', async () => {
    const { storage, leftovers } = await open();
    const key = newKey('export');
    expect(await storage.put(key, Readable.from(streamChunks(300)))).toBe(300_000);
    const content = await buffer(await storage.get(key));
    expect([content.length, content[0], content[299_999]]).toEqual([300_000, 0, 299 % 256]);
    const broken = newKey('export');
    await expect(storage.put(broken, Readable.from(breakHalfway()))).rejects.toThrow('the source broke');
    expect(await storage.head(broken)).toBeUndefined();
    expect(await keysOf(storage, 'export')).toEqual([key]);
    expect(await leftovers()).toEqual([]);
  });

  test('throw FileMissing when they do not exist, and deleting a missing file succeeds', async () => {
    const { storage } = await open();
    const key = newKey('upload');
    expect(await storage.head(key)).toBeUndefined();
    await expect(storage.get(key)).rejects.toThrow(FileMissing);
    await expect(storage.copy(key, newKey('upload'))).rejects.toThrow(FileMissing);
    await storage.delete(key);
    await storage.put(key, Buffer.from('x'));
    await storage.delete(key);
    expect(await storage.head(key)).toBeUndefined();
    expect(await keysOf(storage, 'upload')).toEqual([]);
  });

  test('are all listed by their folder and can be copied', async () => {
    const { storage } = await open();
    const keys = Array.from({ length: 7 }, () => newKey('upload')).sort();
    for (const key of keys) await storage.put(key, Buffer.from(key));
    await storage.put(newKey('export'), Buffer.from('other'));
    expect(await keysOf(storage, 'upload')).toEqual(keys);
    expect(await keysOf(storage, 'consent')).toEqual([]);
    const copy = newKey('consent');
    await storage.copy(keys[0]!, copy);
    expect(await text(await storage.get(copy))).toBe(keys[0]);
    expect(await text(await storage.get(keys[0]!))).toBe(keys[0]);
  });

  test.each([
    '../secret',
    'upload/../../etc/passwd',
    '/etc/passwd',
    'upload/ab/x',
    'other/ab/0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001',
    '',
  ])('refuse the key %j', async (key) => {
    const { storage } = await open();
    const calls: (() => Promise<unknown>)[] = [
      () => storage.put(key, Buffer.from('x')),
      () => storage.get(key),
      () => storage.head(key),
      () => storage.delete(key),
      () => storage.copy(key, newKey('upload')),
    ];
    for (const call of calls) await expect(Promise.resolve().then(call)).rejects.toThrow(TypeError);
  });

  test('are served by their signed link, also in parts', async () => {
    const { storage } = await open();
    const app = Fastify();
    onTestFinished(() => app.close());
    const now = new Date('2025-10-08T02:00:00Z');
    serveFiles(app, { storage, cipher }, () => now);
    const key = newKey('upload');
    await storage.put(key, Buffer.from('0123456789'));
    const url = storage.signedUrl({ key, filename: '甲.pdf', mime: 'application/pdf' }, new Date(now.getTime() + 1000));
    expect((await app.inject(url)).body).toBe('0123456789');
    expect((await app.inject({ url, headers: { range: 'bytes=3-5' } })).body).toBe('345');
    const expiredUrl = storage.signedUrl({ key, filename: '甲.pdf', mime: 'application/pdf' }, new Date(now.getTime() - 1000));
    expect((await app.inject(expiredUrl)).statusCode).toBe(404);
  });
});

describe('the test storage is as strict as Aliyun OSS', () => {
  test('a wrong secret, the bucket in the path, and checksums of newer clients are refused', async () => {
    const { config, lookup, refusals, objects } = await startS3();
    const put = (storage: Storage) => storage.put(newKey('upload'), Buffer.from('x'));
    await expect(put(s3Storage({ ...config, secretAccessKey: 'guessed' }, cipher, { lookup }))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(put(s3Storage({ ...config, accessKeyId: 'OTHER' }, cipher, { lookup }))).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
    await expect(put(s3Storage({ ...config, pathStyle: true }, cipher, { lookup }))).rejects.toMatchObject({
      name: 'SecondLevelDomainForbidden',
    });
    const plain = new S3Client({
      endpoint: config.endpoint,
      region: config.region,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      requestHandler: { httpAgent: new Agent({ lookup }) },
    });
    for (const Body of [Buffer.from('x'), Readable.from([Buffer.from('x')])])
      await expect(
        plain.send(new PutObjectCommand({ Bucket: config.bucket, Key: 'a', Body, ContentLength: 1 })),
      ).rejects.toMatchObject({ name: 'InvalidArgument' });
    expect(objects.size).toBe(0);
    expect(refusals).toHaveLength(5);
  });
});
