import { existsSync, realpathSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { copyHashed, forEachAtOnce, writeHashed } from '#server/backup/copyFile.ts';
import type { BackupFile } from '#server/backup/manifest.ts';
import { errorCode } from '#server/startError.ts';

/** What a copy of the running cluster contains. */
export interface ClusterCopy {
  files: BackupFile[];
  folders: string[];
  /** the state of the database at this time is in the copy */
  time: Date;
}

/** Files of one running server, and files that PostgreSQL makes anew. */
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/;
/** Folders of which only the folder itself is copied: PostgreSQL empties them when it starts. The log (pg_wal) is copied afterwards. */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const CONTROL = 'global/pg_control';

/**
 * Copies a running cluster into `folder` by PostgreSQL's backup functions (decision 0112). The files may change while they are copied: the
 * log from the start to the end of the backup repairs them at the first start of the copy. A slot keeps this log. Both belong to the
 * session of `superuser`, so nothing stays behind when this process dies. `finishing` runs shortly before the end.
 */
export async function copyCluster(
  superuser: pg.Client,
  clusterDir: string,
  folder: string,
  finishing: () => Promise<void>,
): Promise<ClusterCopy> {
  const cluster = realpathSync(clusterDir);
  await superuser.query("select pg_create_physical_replication_slot('xinli_backup', true, true)");
  const { rows: start } = await superuser.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start('xinli', true)) as segment",
  );
  const { files: paths, folders } = await listTree(cluster);
  const files = await copyAll(
    paths.filter((path) => !LEFT_OUT.test(path) && !EMPTIED.test(path) && path !== CONTROL),
    cluster,
    folder,
  );
  files.push(await copyControl(cluster, folder));
  await finishing();
  // Before the stop: what commits later may not be in the copy.
  const { rows: now } = await superuser.query<{ time: Date }>('select clock_timestamp() as time');
  const { rows: stop } = await superuser.query<{ segment: string; label: string }>(
    'select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)',
  );
  const end = stop[0];
  if (!end || !start[0]) throw new Error('PostgreSQL did not end the backup');
  files.push({ path: 'backup_label', ...(await writeHashed(join(folder, 'backup_label'), end.label)) });
  const segments = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= (start[0]?.segment ?? '') && name <= end.segment,
  );
  const log = await copyAll(
    segments.map((name) => `pg_wal/${name}`),
    cluster,
    folder,
  );
  if (!log.some(({ path }) => path.endsWith(start[0]?.segment ?? '')) || !log.some(({ path }) => path.endsWith(end.segment)))
    throw new Error('the log of the backup is not complete');
  return { files: [...files, ...log], folders: folders.filter((path) => !EMPTIED.test(path)), time: now[0]?.time ?? new Date(0) };
}

/** Returns the paths of all files and folders below a folder, relative to it. What disappears meanwhile is left out. */
export async function listTree(root: string, below = ''): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const inner = await listTree(root, path);
      files.push(...inner.files);
      folders.push(path, ...inner.folders);
    } else if (entry.isFile()) files.push(path);
  }
  return { files, folders };
}

/** Copies files and returns them with their hashes. A file that disappears meanwhile is left out: the log removes it too. */
export async function copyAll(paths: readonly string[], from: string, to: string): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  await forEachAtOnce(paths, async (path) => {
    try {
      files.push({ path, ...(await copyHashed(join(from, path), join(to, path))) });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || existsSync(join(from, path))) throw error;
    }
  });
  return files;
}

/** Copies the control file. PostgreSQL may write it meanwhile, so it counts when two readings are the same. */
async function copyControl(cluster: string, folder: string): Promise<BackupFile> {
  const path = CONTROL;
  for (;;) {
    const before = await readFile(join(cluster, path));
    const copied = await copyHashed(join(cluster, path), join(folder, path));
    if (before.equals(await readFile(join(folder, path)))) return { path, ...copied };
  }
}
