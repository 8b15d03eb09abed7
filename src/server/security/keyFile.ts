import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushPath } from '#server/flushPath.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { formatKeyring, MasterKey, parseKeyring, type Keyring } from '#server/security/keyring.ts';

/** The file of the keys in a data folder: one key a line, the newest first. */
export const keyFileOf = (dataDir: string): string => join(dataDir, 'keys', 'master.key');

/**
 * Reads the keys of a data folder; undefined when there is no file, or when it lacks the key that the database names.
 * Throws RangeError when the file holds no key.
 */
export async function readKeyring(dataDir: string, currentValue?: string | null): Promise<Keyring | undefined> {
  try {
    return parseKeyring(await readFile(keyFileOf(dataDir), 'utf8'), currentValue);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads the newest key of a data folder; undefined when there is none. Throws RangeError when the file holds no key. */
export async function readFieldCipher(dataDir: string): Promise<FieldCipher | undefined> {
  const ring = await readKeyring(dataDir);
  return ring && new FieldCipher(ring);
}

/** Creates the key of a data folder with mode 0400. Without the key all encrypted fields are lost. */
export async function createFieldCipher(dataDir: string): Promise<FieldCipher> {
  const key = MasterKey.of(randomBytes(32), false);
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  await writeFile(keyFileOf(dataDir), formatKeyring([key]), { mode: 0o400, flag: 'wx' });
  return new FieldCipher({ keys: [key], current: key });
}

/** Replaces the keys of a data folder at once: a crash leaves the old file or the new one, never a part. `keys` has the oldest first. */
export async function writeKeyring(dataDir: string, keys: readonly MasterKey[]): Promise<void> {
  const path = keyFileOf(dataDir);
  const draft = `${path}.new`;
  // A draft of a run that was cut off.
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(formatKeyring(keys));
    await file.chmod(0o400);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await flushPath(join(dataDir, 'keys'));
}
