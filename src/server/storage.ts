import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Where files live. Keys are ours (never a name somebody sent), so no path can be chosen from outside. */
export interface Storage {
  put(content: Uint8Array): Promise<string>;
  get(key: string): Promise<Readable>;
  remove(key: string): Promise<void>;
}

const keyShape = /^[0-9a-f]{2}\/[0-9a-f-]{36}$/;

/** Files on the local disk: written aside, flushed, then renamed into place. */
export function diskStorage(dataDir: string): Storage {
  const root = join(dataDir, 'files');
  const place = (key: string) => {
    if (!keyShape.test(key)) throw new TypeError('not a storage key');
    return join(root, key);
  };
  return {
    async put(content) {
      const id = randomUUID();
      const key = `${id.slice(0, 2)}/${id}`;
      const path = place(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(`${path}.part`, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${path}.part`, path);
      return key;
    },
    async get(key) {
      const stream = createReadStream(place(key));
      await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
      return stream;
    },
    async remove(key) {
      await unlink(place(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}
