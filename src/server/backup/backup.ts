import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyAll, copyCluster, listTree } from '#server/backup/copyCluster.ts';
import { peekManifest, writeManifest, type BackupFile, type Manifest } from '#server/backup/manifest.ts';
import type { Config } from '#server/config.ts';
import { startCluster, type ClusterConnection } from '#server/postgres/cluster.ts';
import { findRunningCluster } from '#server/postgres/runningDatabase.ts';
import { readFieldCipher } from '#server/security/keyFile.ts';
import { flushPath } from '#server/flushPath.ts';
import { StartError, fileError } from '#server/startError.ts';

/** How to back up. */
export interface BackupOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>;
  /** the folder of the backups; each is a folder in it */
  to: string;
  /** the number of backups that stay; undefined: all */
  keep?: number | undefined;
  withKey?: boolean;
  log?: (message: string) => void;
}

/** Folders of the data folder that go into a backup besides the database. Unfinished uploads and finished exports do not. */
const FOLDERS = ['files/consent', 'files/upload', 'pay', 'audit'];

/**
 * Backs up the data folder of an embedded database, while a server uses it or not. The backup has another name until it is whole. Returns
 * its folder, its manifest and the older ones that it deleted afterwards.
 * @throws StartError when there is nothing to back up, or the disk is full
 */
export async function backup(options: BackupOptions): Promise<{ folder: string; manifest: Manifest; removed: string[] }> {
  const { config, to, keep, log = () => undefined } = options;
  const { dataDir } = config;
  if (config.databaseUrl !== null)
    throw new StartError(
      'config',
      '设置了 DATABASE_URL：自备的数据库请用它自己的工具备份（见运维文档“Backups”）。',
      'DATABASE_URL is set: back up a database of your own with its own tools (docs/operations.md, "Backups").',
    );
  const cipher = await readFieldCipher(dataDir);
  if (!cipher || !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new StartError(
      'config',
      `${dataDir} 中没有可备份的数据。请用 DATA_DIR 指定数据目录。`,
      `${dataDir} has no data to back up. Name the data folder with DATA_DIR.`,
    );
  const running = await openRunning(dataDir, log);
  const superuser = new pg.Client(running.connection);
  // A connection that breaks also rejects the running query.
  superuser.on('error', () => undefined);
  let draft: string | undefined;
  try {
    await superuser.connect();
    const { rows } = await superuser.query<{ cluster: string; isfree: boolean }>(
      "select system_identifier::text as cluster, pg_try_advisory_lock(hashtext('xinli backup')) as isfree from pg_control_system()",
    );
    const { cluster = '', isfree = false } = rows[0] ?? {};
    if (!isfree)
      throw new StartError('data-in-use', '另一个备份正在进行，请等它结束。', 'Another backup is running; wait for its end.');
    await mkdir(to, { recursive: true, mode: 0o700 });
    draft = join(to, `.partial-${cluster}`);
    // What an interrupted backup has left.
    await rm(draft, { recursive: true, force: true });
    await mkdir(join(draft, 'database'), { recursive: true, mode: 0o700 });
    const whole = draft;
    const kept: BackupFile[] = [];
    const keepFolder = async (name: string) => {
      const { files } = await listTree(join(dataDir, name));
      const paths = files.filter((path) => !path.endsWith('.part')).map((path) => `${name}/${path}`);
      kept.push(...(await copyAll(paths, dataDir, whole)));
    };
    // The seals of these heads are in the database already, so the copy of the database has them too.
    const copy = await copyCluster(superuser, join(dataDir, 'postgres'), join(draft, 'database'), () => keepFolder('audit'));
    // A call stores its file before it commits the row. So all files of the rows exist by now.
    for (const name of FOLDERS) if (name !== 'audit') await keepFolder(name);
    if (options.withKey) await keepFolder('keys');
    const manifest: Manifest = {
      format: 'xinli-backup/1',
      version: await productVersion(),
      postgres: Number.parseInt(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), 10),
      cluster,
      time: copy.time.toISOString(),
      hasKey: options.withKey === true,
      hasBucket: config.s3 !== null,
      folders: copy.folders.map((path) => `database/${path}`),
      files: [...copy.files.map((file) => ({ ...file, path: `database/${file.path}` })), ...kept],
    };
    for (const path of manifest.folders) await mkdir(join(draft, path), { recursive: true, mode: 0o700 });
    for (const path of (await listTree(draft)).folders) await flushPath(join(draft, path));
    await writeManifest(draft, cipher, manifest);
    await flushPath(draft);
    const folder = join(to, manifest.time.replaceAll(':', '-'));
    await rename(draft, folder);
    await flushPath(to);
    return { folder, manifest, removed: keep === undefined ? [] : await removeOlder(to, cluster, keep) };
  } catch (error) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw fileError(error, to);
  } finally {
    await superuser.end().catch(() => undefined);
    await running.stop();
  }
}

/** Returns the running cluster of a data folder. Without a server it starts the cluster for the time of the backup. */
async function openRunning(
  dataDir: string,
  log: (message: string) => void,
): Promise<{ connection: ClusterConnection; stop: () => Promise<void> }> {
  const running = findRunningCluster(dataDir);
  if (running) return { connection: { ...running, database: 'postgres', user: 'postgres' }, stop: () => Promise.resolve() };
  const cluster = await startCluster({ dataDir, log });
  return { connection: cluster.url(), stop: () => cluster.stop() };
}

/** Deletes the older whole backups of a cluster and returns their names. Everything else in the folder stays. */
async function removeOlder(to: string, cluster: string, keep: number): Promise<string[]> {
  const backups: { name: string; time: string }[] = [];
  for (const name of await readdir(to)) {
    if (name.startsWith('.')) continue;
    const { manifest } = (await peekManifest(join(to, name))) ?? {};
    if (manifest?.cluster === cluster) backups.push({ name, time: manifest.time });
  }
  backups.sort((a, b) => (a.time < b.time ? 1 : -1));
  const older = backups.slice(keep).map(({ name }) => name);
  for (const name of older) {
    // Under the name of a draft, so that the next backup deletes the rest when this process dies now.
    const draft = join(to, `.partial-${cluster}`);
    await rename(join(to, name), draft);
    await rm(draft, { recursive: true, force: true });
  }
  return older;
}

async function productVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
