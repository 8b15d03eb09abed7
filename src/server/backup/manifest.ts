import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';
import { StartError, errorCode } from '#server/startError.ts';

/** A file of a backup. */
export interface BackupFile {
  /** the path inside the backup, e.g. `database/base/1/1259` */
  path: string;
  bytes: number;
  /** hex */
  sha256: string;
}

/** What a backup contains. A folder without a manifest is no backup. */
export interface Manifest {
  format: 'xinli-backup/1';
  /** version of the product */
  version: string;
  /** major version of PostgreSQL, which must be the same at the restore */
  postgres: number;
  /** the identifier of the cluster; backups of other clusters in the same folder are left alone */
  cluster: string;
  /** ISO 8601; the state of the database at this time is in the backup */
  time: string;
  hasKey: boolean;
  /** the uploads lie in a bucket and not in the backup */
  hasBucket: boolean;
  /** folders of the cluster, also empty ones: PostgreSQL does not start without them */
  folders: string[];
  files: BackupFile[];
}

const FILE = 'manifest.json';

/** The purpose of the keyed hash of the manifest: nobody without the master key can change a backup and its manifest unseen. */
const PURPOSE = 'backup-manifest';

/** Writes the manifest into a folder and flushes it. */
export const writeManifest = (folder: string, cipher: FieldCipher, manifest: Manifest): Promise<void> =>
  writeFile(join(folder, FILE), JSON.stringify({ manifest, tag: cipher.hmac(PURPOSE, JSON.stringify(manifest)) }), {
    mode: 0o600,
    flush: true,
  });

/** Reads the manifest of a folder without checking it; undefined when there is none, or none that can be read. */
export async function peekManifest(folder: string): Promise<{ manifest: Manifest; tag: string } | undefined> {
  try {
    const parsed = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as { manifest: Manifest; tag: string };
    return parsed.manifest.format === 'xinli-backup/1' ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || ['ENOENT', 'ENOTDIR'].includes(errorCode(error)))
      return undefined;
    throw error;
  }
}

/**
 * Reads the manifest of a backup.
 * @throws StartError when the folder is no complete backup, or the manifest was changed, or the key is another one.
 */
export async function readManifest(folder: string, cipher: FieldCipher): Promise<Manifest> {
  const parsed = await peekManifest(folder);
  if (!parsed)
    throw new StartError(
      'data-damaged',
      `${folder} 不是完整的备份（没有可读的 manifest.json）。备份中断时会留下这样的目录，请另选一份备份。`,
      `${folder} is no complete backup (there is no readable manifest.json). An interrupted backup leaves such a folder; choose another.`,
    );
  if (!isTagOf(parsed.tag, cipher.hmacs(PURPOSE, JSON.stringify(parsed.manifest))))
    throw new StartError(
      'key-wrong',
      `备份的清单 manifest.json 与密钥不符：密钥不是这份备份的，或清单被改动。没有恢复任何内容。`,
      `The manifest of the backup does not fit the key: it is another key, or the manifest was changed. Nothing was restored.`,
    );
  return parsed.manifest;
}
