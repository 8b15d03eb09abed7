import type { IncomingMessage } from 'node:http';
import { fileKinds, type FileUseKey } from '#domain/files/filekind.ts';
import type { Parts } from '#server/storage/parts.ts';
import { assertFileSize, HEAD_BYTES, kindOfHead } from '#features/file/receiveFile.ts';

/**
 * Yields the bytes of a request as they arrive. A connection that breaks ends them without an error, so that the store keeps what
 * has arrived and the client goes on from there. Ending early leaves the connection open for the answer.
 */
export async function* bytesOf(raw: IncomingMessage): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch {
    return undefined;
  }
}

/**
 * Reads as many bytes as tell the type of an upload and refuses (160002) a type that its use does not accept or a size beyond the limit
 * of the type. Returns the bytes that it read. It reads nothing when the type was checked with earlier bytes.
 */
export async function assertHead(
  parts: Parts,
  upload: { uploadid: string; biztype: FileUseKey; size: number; sent: number },
  bytes: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array[]> {
  if (upload.sent >= HEAD_BYTES) return [];
  const known = upload.sent > 0 ? await readStart(parts, upload.uploadid) : Buffer.alloc(0);
  let size = known.length;
  const arrived: Uint8Array[] = [];
  while (size < HEAD_BYTES) {
    const { value, done } = (await bytes.next()) as IteratorResult<Uint8Array, undefined>;
    if (done) break;
    arrived.push(value);
    size += value.length;
  }
  if (size < HEAD_BYTES && size < upload.size) return arrived;
  const { group } = fileKinds[await kindOfHead(upload.biztype, Buffer.concat([known, ...arrived]))];
  assertFileSize(group, upload.size);
  return arrived;
}

/** Reads the first bytes of what has arrived, as many as tell the type. */
async function readStart(parts: Parts, uploadid: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await parts.read(uploadid)) {
    chunks.push(chunk as Uint8Array);
    if ((size += (chunk as Uint8Array).length) >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}
