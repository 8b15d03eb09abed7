import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { signFile, type LinkedFile } from '#server/security/fileLink.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** What lies in the store, and how long after its writing. */
export interface StoredObject {
  key: string;
  /** bytes */
  size: number;
  time: Date;
}
/** Bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where files live: on the local disk, or in an S3-compatible store (s3Storage.ts). Keys come from `newKey` and never from outside,
 * so that no path can be chosen. What is asked for and is not there is a `FileMissing`.
 */
export interface Storage {
  /** Writes a whole file or nothing; answers its bytes. A stream that breaks off leaves nothing. */
  put(key: string, content: Uint8Array | Readable): Promise<number>;
  get(key: string, range?: ByteRange): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** What is not there is as good as deleted. */
  delete(key: string): Promise<void>;
  list(folder: Folder): AsyncIterable<StoredObject>;
  copy(from: string, to: string): Promise<void>;
  /**
   * A link a browser can follow without a session until `until`; see fileLink.ts. It always leads through this server, which
   * sets the headers that keep a file from being run.
   */
  signedUrl(file: LinkedFile, until: Date | undefined): string;
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`no file ${key}`);
  }
}

/** consent: signatures. upload: what accounts bring. export: finished exports, removed after two days. */
export const folders = ['consent', 'upload', 'export'] as const;
export type Folder = (typeof folders)[number];

/** A key nobody has used: folder, two digits so that no directory grows without end, a random name. */
export function newKey(folder: Folder): string {
  const id = randomUUID();
  return `${folder}/${id.slice(0, 2)}/${id}`;
}
const keyShape = new RegExp(`^(?:${folders.join('|')})/[0-9a-f]{2}/[0-9a-f-]{36}$`);
/** Throws TypeError for anything `newKey` has not made. */
export function requireKey(key: string): string {
  if (!keyShape.test(key)) throw new TypeError('not a storage key');
  return key;
}

/**
 * Files on the local disk: written aside, flushed, renamed into place, and the directory flushed, so that a crash leaves all or
 * nothing.
 */
export function diskStorage(dataDir: string, vault: FieldCipher): Storage {
  const root = join(dataDir, 'files');
  const place = (key: string) => join(root, requireKey(key));

  async function settle(key: string, write: (aside: string) => Promise<void>): Promise<number> {
    const path = place(key);
    const aside = `${path}.${randomUUID()}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await write(aside);
      await flush(aside);
      await rename(aside, path);
      await flush(dirname(path));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    return (await stat(path)).size;
  }

  return {
    put: (key, content) =>
      settle(key, async (aside) => {
        const handle = await open(aside, 'wx', 0o600);
        await pipeline(content instanceof Readable ? content : Readable.from([content]), handle.createWriteStream());
      }),
    async get(key, range) {
      const stream = createReadStream(place(key), range ? { start: range.start, end: range.end } : {});
      await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject)).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(key) : error;
      });
      return stream;
    },
    async head(key) {
      return stat(place(key)).then(
        ({ size, mtime }) => ({ key, size, time: mtime }),
        (error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        },
      );
    },
    async delete(key) {
      await unlink(place(key)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    async *list(folder) {
      const top = await opendir(join(root, folder), { recursive: true }).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      for await (const entry of top ?? []) {
        const path = join(entry.parentPath, entry.name);
        const key = relative(root, path).split(sep).join('/');
        if (!entry.isFile() || !keyShape.test(key)) continue;
        const stats = await stat(path).catch(() => undefined);
        if (stats) yield { key, size: stats.size, time: stats.mtime };
      }
    },
    async copy(from, to) {
      await settle(to, (aside) => copyFile(place(from), aside)).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(from) : error;
      });
    },
    signedUrl: (file, until) => signFile(vault, file, until),
  };
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function flush(path: string) {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
