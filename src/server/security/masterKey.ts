import type pg from 'pg';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { createFieldCipher, keyFileOf, readKeyring } from '#server/security/keyFile.ts';
import type { Keyring } from '#server/security/keyring.ts';
import { StartError } from '#server/startError.ts';

/**
 * Opens the key of a data folder. The first start creates it and writes its check value into the database. Later starts compare both:
 * another key could neither read the encrypted fields nor accept a password, and a new one would hide that the old one is lost.
 * Of several servers that start together on an empty database, one creates the key; the others wait, and need the same one.
 * @param owner a connection without an open transaction
 * @throws StartError when a filled database has no key, or another one.
 */
export async function openMasterKey(dataDir: string, owner: Pick<pg.ClientBase, 'query'>): Promise<FieldCipher> {
  await owner.query('begin');
  try {
    await owner.query("select pg_advisory_xact_lock(hashtext('xinli key'))");
    const cipher = await openChecked(dataDir, owner);
    await owner.query('commit');
    return cipher;
  } catch (error) {
    await owner.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function openChecked(dataDir: string, owner: Pick<pg.ClientBase, 'query'>): Promise<FieldCipher> {
  const path = keyFileOf(dataDir);
  const { rows } = await owner.query<{ value: string | null; isfilled: boolean }>(
    `select (select value from auth.keycheck) as value, exists (select from auth.account where pwdhash <> '') as isfilled`,
  );
  const { value = null, isfilled = false } = rows[0] ?? {};
  const newest = await readKeys(dataDir, path);
  if (!newest && (value !== null || isfilled))
    throw new StartError(
      'key-missing',
      `数据库中已有数据，但缺少密钥文件 ${path}。没有它就读不出加密的联系方式，也无法登录。请从备份恢复该文件；如果这是同一数据库的另一台服务器，请复制第一台的 keys 目录。然后重新启动。`,
      `The database holds data, and its key ${path} is missing. Without it nobody can sign in. Restore the file, or copy the folder ` +
        `of another server of this database, and start again.`,
    );
  // During a rotation the database names the current one of the keys.
  const ring = newest && value !== null ? await readKeys(dataDir, path, value) : newest;
  if (newest && !ring) throw wrongKey(path);
  const opened = ring ? new FieldCipher(ring) : await createFieldCipher(dataDir);
  if (value === null)
    await owner.query('insert into auth.keycheck (value) values ($1) on conflict do nothing', [opened.checkValue]);
  return opened;
}

async function readKeys(dataDir: string, path: string, value?: string): Promise<Keyring | undefined> {
  try {
    return await readKeyring(dataDir, value);
  } catch (error) {
    throw error instanceof RangeError ? wrongKey(path) : error;
  }
}

/** The refusal of a server whose file lacks the key of its database. */
export const wrongKey = (path: string): StartError =>
  new StartError(
    'key-wrong',
    `密钥文件 ${path} 与数据库不匹配。请恢复与这个数据库一起备份的密钥，或复制同一数据库另一台服务器的 keys 目录，然后重新启动。现有数据没有改动。`,
    `The key ${path} does not belong to this database. Restore the key that was backed up with it, or copy the one of another ` +
      `server of this database, and start again.`,
  );
