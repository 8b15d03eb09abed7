import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyHashed, forEachAtOnce } from '#server/backup/copyFile.ts';
import { readManifest, type Manifest } from '#server/backup/manifest.ts';
import { reviveData, type Findings } from '#server/backup/reviveData.ts';
import { unfinishedFileOf } from '#server/dataDir.ts';
import { appendErasures, erasuresFileOf, readErasures } from '#server/audit/erasures.ts';
import { lockDataDir } from '#server/postgres/dataLock.ts';
import { prepareCluster, type ClusterPaths } from '#server/postgres/paths.ts';
import { keyFileOf, readFieldCipher } from '#server/security/keyFile.ts';
import { flushPath } from '#server/flushPath.ts';
import { StartError, fileError } from '#server/startError.ts';

/** What to restore and where. */
export interface RestoreOptions {
  dataDir: string;
  /** the folder of the backup */
  from: string;
  /** the file of the master key; otherwise the key of the backup or of the present data folder */
  key?: string | undefined;
  /** one more list of erased persons, besides those of the backup and of the present data folder */
  erasures?: string | undefined;
  /** move the present content of the data folder aside */
  replace?: boolean;
  log?: (message: string) => void;
}

/** The result of a restore. `aside` has what was in the data folder before. */
export interface Restored extends Findings {
  manifest: Manifest;
  aside: string | undefined;
}

/** Entries of the data folder that a restore leaves where they are. */
const STAYING = /^(backups|replaced-.*|server\.lock.*|restore\.unfinished|\.restore-.*|\.write-.*)$/;

/**
 * Restores a backup into a data folder. It copies and checks everything in a draft folder first, starts the database there, erases the
 * persons again who were erased after the backup, and verifies the audit log. Then it exchanges the content of the data folder.
 * So a restore that fails or is interrupted changes nothing.
 * @throws StartError when a server runs, the folder is not empty, a file was changed, or the key does not fit
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { dataDir, from, replace = false, log = () => undefined } = options;
  try {
    // Under root the database user must be able to pass through the folder.
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    throw fileError(error, dataDir);
  }
  const lock = await lockDataDir(dataDir);
  const draft = join(dataDir, `.restore-${process.pid}`);
  let paths: ClusterPaths | undefined;
  try {
    const present = (await readdir(dataDir)).filter((name) => !STAYING.test(name));
    if (present.length > 0 && !replace)
      throw new StartError(
        'config',
        `数据目录不是空的：${dataDir}。请换一个空目录（DATA_DIR），或加上 --replace：原有内容会移到旁边，不会删除。`,
        `The data folder is not empty: ${dataDir}. Choose an empty one (DATA_DIR), or add --replace, which moves its content aside.`,
      );
    for (const name of await readdir(dataDir))
      if (name.startsWith('.restore-')) await rm(join(dataDir, name), { recursive: true, force: true });
    await mkdir(draft, { mode: 0o711 });
    await placeKey(options, draft);
    const cipher = await readFieldCipher(draft);
    if (!cipher) throw new Error('the key was just placed');
    const manifest = await readManifest(from, cipher);
    paths = prepareCluster(draft, log);
    await copyWhole(from, draft, paths, manifest);
    for (const list of await findErasureLists(options))
      await appendErasures(erasuresFileOf(join(draft, 'audit')), cipher, await readErasures(list, cipher));
    const findings = await reviveData(draft, log);
    const aside = await exchange(dataDir, draft, present);
    return { ...findings, manifest, aside };
  } catch (error) {
    // The cluster may lie elsewhere, and the draft has only a link to it.
    for (const folder of [draft, paths?.base ?? draft]) await rm(folder, { recursive: true, force: true });
    throw fileError(error, dataDir);
  } finally {
    lock.release();
  }
}

/** Puts the master key into the draft: the named file, the key of the backup, or the key of the present data folder. */
async function placeKey({ from, dataDir, key }: RestoreOptions, draft: string): Promise<void> {
  if (key !== undefined && !existsSync(key)) throw new StartError('config', `没有文件 ${key}。`, `There is no file ${key}.`);
  const source = [key, keyFileOf(from), keyFileOf(dataDir)].find((file) => file !== undefined && existsSync(file));
  if (source === undefined)
    throw new StartError(
      'key-missing',
      '恢复需要主密钥（master.key），备份里没有。请用 --key 指定另行保存的密钥文件。',
      'A restore needs the master key (master.key), which is not in the backup. Name the file with --key.',
    );
  await mkdir(join(draft, 'keys'), { mode: 0o700 });
  await copyFile(source, keyFileOf(draft));
  await chmod(keyFileOf(draft), 0o400);
}

/** The lists of erased persons: of the data folder, of what earlier restores moved aside, and the named one. */
async function findErasureLists({ dataDir, erasures }: RestoreOptions): Promise<string[]> {
  if (erasures !== undefined && !existsSync(erasures))
    throw new StartError('config', `没有文件 ${erasures}。`, `There is no file ${erasures}.`);
  const aside = (await readdir(dataDir)).filter((name) => name.startsWith('replaced-'));
  const lists = ['.', ...aside].map((name) => erasuresFileOf(join(dataDir, name, 'audit')));
  return erasures === undefined ? lists : [...lists, erasures];
}

/**
 * Copies a backup into the draft and compares the hash of every file.
 * @throws StartError with the names of the files that are missing or were changed
 */
async function copyWhole(from: string, draft: string, { user, cluster }: ClusterPaths, manifest: Manifest): Promise<void> {
  const placeOf = (path: string) =>
    /^database(\/|$)/.test(path) ? join(cluster, path.slice('database/'.length)) : join(draft, path);
  const own = async (path: string) => (user ? chown(placeOf(path), user.uid, user.gid) : undefined);
  for (const folder of ['database', ...manifest.folders]) {
    await mkdir(placeOf(folder), { recursive: true, mode: 0o700 });
    await own(folder);
  }
  const faults: string[] = [];
  // The key lies there already and has been checked with the manifest.
  const files = manifest.files.filter(({ path }) => !path.startsWith('keys/'));
  await forEachAtOnce(files, async ({ path, bytes, sha256 }) => {
    const copied = await copyHashed(join(from, path), placeOf(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!copied) faults.push(`${path}（缺少）`);
    else if (copied.sha256 !== sha256) faults.push(`${path}（${copied.bytes === bytes ? '内容' : '长度'}被改动）`);
    else if (path.startsWith('database/')) await own(path);
  });
  if (faults.length > 0)
    throw new StartError(
      'data-damaged',
      `备份已损坏，没有恢复任何内容：${faults.slice(0, 20).join('、')}${faults.length > 20 ? ` 等 ${faults.length} 个文件` : ''}。`,
      `The backup is damaged (${faults.length} files); nothing was restored.`,
    );
}

/**
 * Moves the present content of the data folder aside and the draft into its place. A file says meanwhile that the restore is not finished;
 * the server does not start then. Returns the folder of the old content.
 */
async function exchange(dataDir: string, draft: string, present: readonly string[]): Promise<string | undefined> {
  const marker = unfinishedFileOf(dataDir);
  const aside = present.length > 0 ? join(dataDir, `replaced-${new Date().toISOString().replaceAll(':', '-')}`) : undefined;
  await writeFile(marker, '', { flush: true });
  await flushPath(dataDir);
  if (aside !== undefined) {
    await mkdir(aside, { mode: 0o711 });
    for (const name of present) await rename(join(dataDir, name), join(aside, name));
  }
  for (const name of await readdir(draft)) await rename(join(draft, name), join(dataDir, name));
  await flushPath(dataDir);
  await rm(draft, { recursive: true });
  await rm(marker);
  await flushPath(dataDir);
  return aside;
}
