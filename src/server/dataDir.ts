import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '#server/startError.ts';

/**
 * Creates the data folder and proves that it takes files, before the start does any work in it or in the database.
 * @throws StartError `no-permission`, `no-disk` or `config`, which say what to do.
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
}
