import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { asOwner } from '#server/db/roles.ts';
import { createFieldCipher, keyFileOf } from '#server/security/keyFile.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import { startServer } from '#testing/server.ts';

/** An empty data folder and the owner's connection to a database. */
async function openFolder() {
  const { target } = await startServer();
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-key-'));
  onTestFinished(async () => {
    await owner.end();
    await rm(dataDir, { recursive: true });
  });
  return { owner, dataDir, open: () => openMasterKey(dataDir, owner) };
}

test('the first start creates the key, and the next start opens the same one', async () => {
  const { open } = await openFolder();
  const first = await open();
  expect((await open()).checkValue).toBe(first.checkValue);
});

test('a filled data folder without its key is refused in words, and no new key is made', async () => {
  const { dataDir, open } = await openFolder();
  await open();
  const key = await readFile(keyFileOf(dataDir), 'utf8');
  await rm(keyFileOf(dataDir), { force: true });
  await expect(open()).rejects.toMatchObject({ code: 'key-missing', message: expect.stringContaining('缺少密钥文件') as string });
  await expect(readFile(keyFileOf(dataDir))).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(keyFileOf(dataDir), key);
  expect(await open()).toBeDefined();
});

test('a database with accounts from before the check value is refused without its key, too', async () => {
  const { owner, open } = await openFolder();
  await owner.query("update auth.account set pwdhash = 'x'");
  await expect(open()).rejects.toMatchObject({ code: 'key-missing' });
});

test('another key, or a file that holds no key, is refused in words', async () => {
  const { dataDir, open } = await openFolder();
  await open();
  await rm(keyFileOf(dataDir), { force: true });
  await createFieldCipher(dataDir);
  await expect(open()).rejects.toMatchObject({ code: 'key-wrong', message: expect.stringContaining('与数据库不匹配') as string });
  await rm(keyFileOf(dataDir), { force: true });
  await writeFile(keyFileOf(dataDir), 'short');
  await expect(open()).rejects.toMatchObject({ code: 'key-wrong' });
});
