import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { ByteRange } from '#server/storage/storage.ts';

/** Begins a sealed file. The salt of the file follows, then its chunks. */
const MAGIC = Buffer.from('xinli sealed 01\n');
const SALT_BYTES = 16;
/** The bytes before the first chunk. */
export const HEAD_BYTES = MAGIC.length + SALT_BYTES;
/** Bytes of the content in one chunk. Each chunk is sealed by itself, so a part of a file can be read without the rest. */
const PLAIN_CHUNK = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK = PLAIN_CHUNK + TAG_BYTES;

/** The stored bytes are not those that were sealed: altered, cut off, in another order, or of another file. */
export class FileAltered extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`the stored file ${key} was altered`, options);
  }
}

/** True when a stored file begins like a sealed one. */
export const isSealed = (head: Uint8Array): boolean => MAGIC.equals(head.subarray(0, MAGIC.length));

/** Returns the bytes of the content of a sealed file, from the bytes that are stored. */
export function plainSizeOf(storedSize: number): number {
  const sealed = storedSize - HEAD_BYTES;
  return Math.max(0, sealed - Math.ceil(sealed / SEALED_CHUNK) * TAG_BYTES);
}

/** Yields bytes in blocks of one size; the last one may be shorter, and is empty without any bytes. */
async function* inBlocks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<{ block: Buffer; isLast: boolean }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    // A full block waits for a further byte: only the end of the source shows that it is the last one.
    if (length <= size) continue;
    let all = Buffer.concat(waiting);
    for (; all.length > size; all = all.subarray(size)) yield { block: all.subarray(0, size), isLast: false };
    waiting = [all];
    length = all.length;
  }
  yield { block: Buffer.concat(waiting), isLast: true };
}

/**
 * The key of the chunks of one stored file. The salt is new with each writing, so no key seals two contents.
 * The number of a chunk and whether it is the last one are its nonce: a chunk fits in no other place.
 */
function chunkCipher(filekey: Buffer, head: Buffer) {
  const key = Buffer.from(hkdfSync('sha256', filekey, head.subarray(MAGIC.length), 'file', 32));
  const nonceOf = (number: number, isLast: boolean) => {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(BigInt(number));
    nonce[11] = isLast ? 1 : 0;
    return nonce;
  };
  return {
    seal(plain: Buffer, number: number, isLast: boolean): Buffer[] {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(head);
      return [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    },
    /** Throws when the chunk was altered or does not belong in this place. */
    open(sealed: Buffer, number: number, isLast: boolean): Buffer {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast))
        .setAAD(head)
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    },
  };
}

/** Yields the stored form of a content. `onBytes` counts the bytes of the content. */
export async function* sealFile(
  content: AsyncIterable<Uint8Array>,
  filekey: Buffer,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  const head = Buffer.concat([MAGIC, randomBytes(SALT_BYTES)]);
  const cipher = chunkCipher(filekey, head);
  yield head;
  let number = 0;
  for await (const { block, isLast } of inBlocks(content, PLAIN_CHUNK)) {
    onBytes(block.length);
    yield Buffer.concat(cipher.seal(block, number++, isLast));
  }
}

/** Refuses a stored file that does not begin like a sealed one, or is shorter than one. */
export function assertSealed(head: Uint8Array, storedSize: number, key: string): void {
  if (!isSealed(head) || storedSize < HEAD_BYTES + TAG_BYTES) throw new FileAltered(key);
}

/** The stored bytes that hold a range of the content, and how many bytes of their content come before and within the range. */
export function storedRangeOf({ start, end }: ByteRange, storedSize: number) {
  const first = Math.floor(start / PLAIN_CHUNK);
  const last = Math.floor(end / PLAIN_CHUNK);
  return {
    first,
    stored: {
      start: HEAD_BYTES + first * SEALED_CHUNK,
      end: Math.min(HEAD_BYTES + (last + 1) * SEALED_CHUNK, storedSize) - 1,
    },
    skip: start - first * PLAIN_CHUNK,
    length: end - start + 1,
  };
}

/**
 * Yields the content of stored chunks from number `first` on. Each chunk is proven before its content leaves; the first one that is not
 * right throws `FileAltered`. `storedSize` tells the last chunk: a file that was cut off ends with a chunk that is not the last.
 */
export async function* openChunks(
  stored: AsyncIterable<Uint8Array>,
  { filekey, head, first, storedSize, key }: { filekey: Buffer; head: Buffer; first: number; storedSize: number; key: string },
): AsyncGenerator<Buffer> {
  const cipher = chunkCipher(filekey, head);
  const last = Math.ceil((storedSize - HEAD_BYTES) / SEALED_CHUNK) - 1;
  let number = first;
  for await (const { block } of inBlocks(stored, SEALED_CHUNK)) {
    let plain: Buffer;
    try {
      plain = cipher.open(block, number, number === last);
    } catch (error) {
      throw new FileAltered(key, { cause: error });
    }
    number++;
    yield plain;
  }
}

/**
 * Encrypts or decrypts the bytes of an unfinished upload from `offset` on (AES-256-CTR). Their number stays, so the upload can go on at
 * any byte. It proves nothing: the finished file is checked and sealed anew.
 */
export async function* encryptPart(source: AsyncIterable<Uint8Array>, filekey: Buffer, offset: number): AsyncGenerator<Buffer> {
  const counter = Buffer.alloc(16);
  counter.writeBigUInt64BE(BigInt(Math.floor(offset / 16)), 8);
  const cipher = createCipheriv('aes-256-ctr', filekey, counter);
  cipher.update(Buffer.alloc(offset % 16));
  for await (const bytes of source) yield cipher.update(bytes);
}
