import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { flushPath } from '#server/flushPath.ts';
import { diskParts, type Parts } from '#server/storage/parts.ts';
import { signFile, type LinkedFile } from '#server/security/fileLink.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** A file of the store with the time when it was written. */
export interface StoredObject {
  key: string;
  /** bytes */
  size: number;
  time: Date;
}
/** The bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * A file store: the local disk, or an S3-compatible service (s3Storage.ts). Keys come from `newKey` and never from a request,
 * so no caller can choose a path. Reading a file that does not exist throws `FileMissing`.
 */
export interface Storage {
  /** Writes a file and returns its size in bytes. A stream that breaks leaves no file. */
  put(key: string, content: Uint8Array | Readable): Promise<number>;
  get(key: string, range?: ByteRange): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Deletes a file; succeeds when it does not exist. */
  delete(key: string): Promise<void>;
  list(folder: Folder): AsyncIterable<StoredObject>;
  copy(from: string, to: string): Promise<void>;
  /**
   * Returns a link that needs no session, valid until `until`; see fileLink.ts. It always leads to this server,
   * whose headers stop the browser from running the file.
   */
  signedUrl(file: LinkedFile, until: Date | undefined): string;
  /** What has arrived of unfinished uploads. */
  readonly parts: Parts;
}

/** The store has no file with this key. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`no file ${key}`);
  }
}

/** consent: signatures. upload: files that accounts uploaded. export: finished exports, deleted after two days. */
export const folders = ['consent', 'upload', 'export'] as const;
/** A folder of the store. */
export type Folder = (typeof folders)[number];

/** Generates a new key: the folder, two digits that limit the size of directories, and a random name. */
export function newKey(folder: Folder): string {
  const id = randomUUID();
  return `${folder}/${id.slice(0, 2)}/${id}`;
}
/** Returns the key that belongs to this text: the step of a job finds its file again after an interruption. */
export function derivedKey(folder: Folder, text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  return `${folder}/${id.slice(0, 2)}/${id}`;
}
const keyShape = new RegExp(`^(?:${folders.join('|')})/[0-9a-f]{2}/[0-9a-f-]{36}$`);
/** Returns the key; throws TypeError unless it has the form of `newKey`. */
export function requireKey(key: string): string {
  if (!keyShape.test(key)) throw new TypeError('not a storage key');
  return key;
}

/**
 * Returns a store on the local disk. It writes a temporary file, flushes it, renames it and flushes the directory.
 * So a crash leaves the whole file or none.
 */
export function diskStorage(dataDir: string, cipher: FieldCipher): Storage {
  const root = join(dataDir, 'files');
  const pathOf = (key: string) => join(root, requireKey(key));

  async function writeAtomically(key: string, write: (temporaryPath: string) => Promise<void>): Promise<number> {
    const path = pathOf(key);
    const temporaryPath = `${path}.${randomUUID()}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await write(temporaryPath);
      await flushPath(temporaryPath);
      await rename(temporaryPath, path);
      await flushPath(dirname(path));
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
    return (await stat(path)).size;
  }

  return {
    put: (key, content) =>
      writeAtomically(key, async (temporaryPath) => {
        const handle = await open(temporaryPath, 'wx', 0o600);
        await pipeline(content instanceof Readable ? content : Readable.from([content]), handle.createWriteStream());
      }),
    async get(key, range) {
      const stream = createReadStream(pathOf(key), range ? { start: range.start, end: range.end } : {});
      await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject)).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(key) : error;
      });
      return stream;
    },
    async head(key) {
      return stat(pathOf(key)).then(
        ({ size, mtime }) => ({ key, size, time: mtime }),
        (error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        },
      );
    },
    async delete(key) {
      await unlink(pathOf(key)).catch((error: unknown) => {
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
      await writeAtomically(to, (temporaryPath) => copyFile(pathOf(from), temporaryPath)).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(from) : error;
      });
    },
    signedUrl: (file, until) => signFile(cipher, file, until),
    parts: diskParts(dataDir),
  };
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
