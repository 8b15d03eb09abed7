import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, fileError } from '#server/startError.ts';

/** The file that is there while a restore exchanges the content of a data folder. */
export const unfinishedFileOf = (dataDir: string): string => join(dataDir, 'restore.unfinished');

/**
 * Creates the data folder and proves that it takes files, before the start does any work in it or in the database.
 * @throws StartError `no-permission`, `no-disk`, `config` or, after an interrupted restore, `data-damaged`, which say what to do.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.write-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await writeFile(probe, 'x', { flush: true });
    await rm(probe);
  } catch (error) {
    throw fileError(error, dataDir);
  }
  if (existsSync(unfinishedFileOf(dataDir)))
    throw new StartError(
      'data-damaged',
      `恢复备份时中断：${dataDir}。请带 --replace 重新执行 npm run restore；原有内容在其中的 replaced-… 目录里。`,
      `A restore was interrupted: ${dataDir}. Run npm run restore with --replace again; the old content is in its folder replaced-….`,
    );
}
