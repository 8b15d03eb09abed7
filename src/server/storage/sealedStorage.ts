import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DataStore, type Upload } from '@tus/server';
import type { FileKeys } from '#server/storage/fileKeys.ts';
import {
  assertSealed,
  encryptPart,
  HEAD_BYTES,
  isSealed,
  openChunks,
  plainSizeOf,
  sealFile,
  storedRangeOf,
} from '#server/storage/fileSealing.ts';
import type { Parts } from '#server/storage/parts.ts';
import { FileMissing, requireKey, type ByteRange, type Storage } from '#server/storage/storage.ts';

const bytesOf = (chunks: AsyncIterable<Uint8Array>) => Readable.from(chunks, { objectMode: false });

/**
 * Returns a store that seals every file under a key of its own (docs/decisions/0111). Files from before stay readable. A sealed file
 * whose key was deleted counts as missing. Reading an altered file throws `FileAltered` before the altered bytes.
 */
export function sealedStorage(store: Storage, keys: FileKeys): Storage {
  /** The stored size of a file with its key and its first bytes; the key is undefined for a file from before. */
  async function findStored(key: string) {
    const stored = await store.head(key);
    if (!stored) return undefined;
    const filekey = await keys.find(key);
    const headEnd = Math.min(HEAD_BYTES, stored.size) - 1;
    const head = headEnd < 0 ? Buffer.alloc(0) : await buffer(await store.get(key, { start: 0, end: headEnd }));
    return !filekey && isSealed(head) ? undefined : { stored, filekey, head };
  }

  return {
    async put(key, content) {
      const filekey = await keys.make(requireKey(key));
      let size = 0;
      const source = content instanceof Readable ? content : Readable.from([content]);
      const sealed = bytesOf(sealFile(source as AsyncIterable<Uint8Array>, filekey, (count) => (size += count)));
      try {
        await store.put(key, content instanceof Readable ? sealed : await buffer(sealed));
      } catch (error) {
        // Another call may have written the file meanwhile.
        if (!(await store.head(key))) await keys.delete(key);
        throw error;
      }
      return size;
    },
    async get(key, range) {
      const file = await findStored(requireKey(key));
      if (!file) throw new FileMissing(key);
      const { stored, filekey, head } = file;
      if (!filekey) return store.get(key, range);
      return readSealed({ key, filekey, head, storedSize: stored.size }, range);
    },
    async head(key) {
      const file = await findStored(requireKey(key));
      return file && { ...file.stored, ...(file.filekey && { size: plainSizeOf(file.stored.size) }) };
    },
    async delete(key) {
      // Without its key a file is unreadable, even if the next step fails.
      await keys.delete(requireKey(key));
      await store.delete(key);
    },
    list: (folder) => store.list(folder),
    async copy(from, to) {
      const filekey = await keys.find(requireKey(from));
      if (filekey) await keys.make(requireKey(to), filekey);
      try {
        await store.copy(from, to);
      } catch (error) {
        await keys.delete(to);
        throw error;
      }
    },
    signedUrl: (file, until) => store.signedUrl(file, until),
    parts: sealedParts(store.parts, keys),
  };

  async function readSealed(file: { key: string; filekey: Buffer; head: Buffer; storedSize: number }, range?: ByteRange) {
    assertSealed(file.head, file.storedSize, file.key);
    const size = plainSizeOf(file.storedSize);
    const { first, stored, skip, length } = storedRangeOf(
      range ? { start: range.start, end: Math.min(range.end, size - 1) } : { start: 0, end: Math.max(0, size - 1) },
      file.storedSize,
    );
    const chunks = openChunks(await store.get(file.key, stored), { ...file, first });
    // The first chunk is proven before the caller gets a stream, so that an altered file is an error and no broken download.
    const opened = await chunks.next();
    return bytesOf(cut(opened.done ? Buffer.alloc(0) : opened.value, chunks, skip, range ? length : size));
  }
}

/** Yields `length` bytes of a first chunk and those after it, without the first `skip` ones. */
async function* cut(first: Buffer, rest: AsyncGenerator<Buffer>, skip: number, length: number): AsyncGenerator<Buffer> {
  let left = length;
  const piece = first.subarray(skip, skip + left);
  left -= piece.length;
  try {
    if (piece.length > 0) yield piece;
    for await (const chunk of rest) {
      const more = chunk.subarray(0, left);
      left -= more.length;
      if (more.length > 0) yield more;
    }
  } finally {
    await rest.return(undefined);
  }
}

const partOf = (uploadid: string) => `part/${uploadid}`;

/** Returns the parts of unfinished uploads, encrypted under a key for each upload. Parts from before stay as they are. */
function sealedParts(parts: Parts, keys: FileKeys): Parts {
  let opened: DataStore | undefined;
  const remove = async (uploadid: string) => {
    await keys.delete(partOf(uploadid));
    await parts.remove(uploadid);
  };
  return {
    get store() {
      return (opened ??= new SealedDataStore(parts.store, keys));
    },
    async begin(uploadid, size) {
      await keys.make(partOf(uploadid));
      await parts.begin(uploadid, size);
    },
    sizeOf: (uploadid) => parts.sizeOf(uploadid),
    async read(uploadid) {
      const filekey = await keys.find(partOf(uploadid));
      const stored = await parts.read(uploadid);
      return filekey ? bytesOf(encryptPart(stored as AsyncIterable<Uint8Array>, filekey, 0)) : stored;
    },
    remove,
    list: () => parts.list(),
  };
}

/** The tus store behind which the bytes of uploads are encrypted. */
class SealedDataStore extends DataStore {
  readonly #store: DataStore;
  readonly #keys: FileKeys;

  constructor(store: DataStore, keys: FileKeys) {
    super();
    this.#store = store;
    this.#keys = keys;
    this.extensions = store.extensions;
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#keys.make(partOf(upload.id));
    return this.#store.create(upload);
  }

  override async write(stream: Readable, uploadid: string, offset: number): Promise<number> {
    const filekey = await this.#keys.find(partOf(uploadid));
    const source = stream as AsyncIterable<Uint8Array>;
    return this.#store.write(filekey ? bytesOf(encryptPart(source, filekey, offset)) : stream, uploadid, offset);
  }

  override getUpload(uploadid: string): Promise<Upload> {
    return this.#store.getUpload(uploadid);
  }

  override async remove(uploadid: string): Promise<void> {
    await this.#keys.delete(partOf(uploadid));
    await this.#store.remove(uploadid);
  }
}
