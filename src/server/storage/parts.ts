import { createReadStream, mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { ERRORS, Upload, type DataStore } from '@tus/server';

/**
 * The bytes of unfinished uploads, by the number of the upload. They lie apart from the files, so no link opens them.
 * The caller checks the number: it is a row of `upload`.
 */
export interface Parts {
  /** The store that the tus server writes to. */
  readonly store: DataStore;
  /** Makes room for an upload of this size. */
  begin(uploadid: string, size: number): Promise<void>;
  /** Returns how many bytes have arrived; 0 for an unknown upload. */
  sizeOf(uploadid: string): Promise<number>;
  /** Reads what has arrived, from its beginning. */
  read(uploadid: string): Promise<Readable>;
  /** Deletes what has arrived; succeeds when there is nothing. */
  remove(uploadid: string): Promise<void>;
  /** Lists the uploads with the time when they were written last. */
  list(): AsyncIterable<{ uploadid: string; time: Date }>;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The tus store on the disk. It flushes what it has received, so that a crash of the machine loses none of it. */
class FlushedStore extends FileStore {
  override async write(readable: Readable, uploadid: string, offset: number): Promise<number> {
    const end = await super.write(readable, uploadid, offset);
    // Somebody may have cancelled the upload meanwhile.
    const handle = await open(join(this.directory, uploadid), 'r').catch((error: unknown) => {
      throw isMissing(error) ? ERRORS.FILE_NO_LONGER_EXISTS : error;
    });
    await handle.sync().finally(() => handle.close());
    return end;
  }
}

/** Returns the parts of uploads in a folder of their own below the data folder. Only the server's user reads it. */
export function diskParts(dataDir: string): Parts {
  const directory = join(dataDir, 'parts');
  let opened: FlushedStore | undefined;
  const store = () => {
    if (!opened) mkdirSync(directory, { recursive: true, mode: 0o700 });
    return (opened ??= new FlushedStore({ directory }));
  };
  const pathOf = (uploadid: string) => join(directory, uploadid);
  return {
    get store() {
      return store();
    },
    async begin(uploadid, size) {
      await store().create(new Upload({ id: uploadid, size, offset: 0 }));
    },
    sizeOf: (uploadid) =>
      stat(pathOf(uploadid)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isMissing(error)) return 0;
          throw error;
        },
      ),
    read: async (uploadid) => createReadStream(pathOf(uploadid)),
    async remove(uploadid) {
      await rm(pathOf(uploadid), { force: true });
      await rm(`${pathOf(uploadid)}.json`, { force: true });
    },
    async *list() {
      const names = await readdir(directory).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const uploadid of new Set(names.map((name) => name.replace(/\.json$/, '')))) {
        const times = [pathOf(uploadid), `${pathOf(uploadid)}.json`].map((path) =>
          stat(path).then(({ mtime }) => mtime.getTime()),
        );
        const written = (await Promise.allSettled(times)).flatMap((time) => (time.status === 'fulfilled' ? [time.value] : []));
        if (written.length > 0) yield { uploadid, time: new Date(Math.max(...written)) };
      }
    },
  };
}
