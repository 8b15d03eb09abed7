import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** A file up to this size stays in memory. */
const MEMORY_LIMIT = 4 * 1024 * 1024;

/**
 * Reads a stream to its end and returns its content as a new stream. The rows of an export come from the transaction of its call, and
 * the client may read slowly afterwards. A large file waits on disk, so memory stays flat. The file has no name: only this process can
 * read it, and it disappears when the process ends.
 */
export async function spool(source: Readable): Promise<Readable> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (!file && bytes > MEMORY_LIMIT) file = await openUnnamed();
      if (file) await file.appendFile(Buffer.concat(chunks.splice(0)));
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  return file ? file.createReadStream({ start: 0 }) : Readable.from(chunks, { objectMode: false });
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `export-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
