import { open } from 'node:fs/promises';

/** Flushes a file, or the entries of a folder, so that a rename in it survives a power cut. */
export async function flushPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
