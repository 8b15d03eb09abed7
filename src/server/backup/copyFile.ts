import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Copies a file, computes its hash on the way and flushes the copy. It reads to the present end, because PostgreSQL may lengthen or shorten
 * a file meanwhile. Throws ENOENT when the file is gone.
 */
export async function copyHashed(from: string, to: string, mode = 0o600): Promise<{ bytes: number; sha256: string }> {
  const source = createReadStream(from, { highWaterMark: 1 << 18 });
  await new Promise((resolve, reject) => source.once('open', resolve).once('error', reject));
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const target = await open(to, 'w', mode);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of source as AsyncIterable<Buffer>) {
      hash.update(part);
      await target.writeFile(part);
      bytes += part.length;
    }
    await target.datasync();
  } finally {
    await target.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes a text file and flushes it. Returns its size in bytes and its hash. */
export async function writeHashed(path: string, text: string): Promise<{ bytes: number; sha256: string }> {
  await writeFile(path, text, { mode: 0o600, flush: true });
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** Files that are copied at the same time: each waits for the disk. */
const AT_ONCE = 8;

/** Runs `work` for every item, for several at once. It stops at the first failure. */
export async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  let hasFailed = false;
  const runNext = async () => {
    for (let item = queue.shift(); item !== undefined && !hasFailed; item = queue.shift())
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
  };
  const runs = await Promise.allSettled(Array.from({ length: AT_ONCE }, runNext));
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}
