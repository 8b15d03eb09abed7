import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import {
  fileGroups,
  fileKinds,
  fileUses,
  acceptedKindOf,
  safeFilename,
  maxSideOf,
  describeAcceptedKinds,
  type FileUseKey,
} from '#domain/files/filekind.ts';
import type { IncomingFile, StoredFile } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { PictureRefused, redraw } from '#server/storage/picture.ts';
import type { Services } from '#server/dispatch/services.ts';
import { newKey } from '#server/storage/storage.ts';

/** By so many bytes every kind we take is known; more is not looked at. */
const headSize = 4100;

const refuse = (why: string) => problems.fileRefused({ why }, { field: 'file' });

/**
 * Takes an arriving file into the store for a use: what it is is read from its first bytes, pictures are drawn anew, everything else
 * passes through as it comes. Throws 160002 naming what would be taken, as soon as it is known; the rest is not read then.
 */
export async function receiveFile(
  { storage }: Pick<Services, 'storage'>,
  upload: IncomingFile,
  use: FileUseKey,
): Promise<StoredFile> {
  const source = pieces(upload.content);
  try {
    const head = await headOf(source);
    if (head.length === 0) throw refuse('文件是空的');
    const kind = acceptedKindOf(use, (await fileTypeFromBuffer(head))?.mime);
    if (!kind) throw refuse(`${fileUses[use].title}只接受${describeAcceptedKinds(use)}`);
    const { mime, ext, group } = fileKinds[kind];
    const path = newKey('upload');
    const hash = createHash('sha256');
    const counted = limitBytes(head, source, group);
    const picture =
      kind === 'png' || kind === 'jpeg' || kind === 'webp' ? await redrawPicture(counted, kind, maxSideOf(use)) : undefined;
    const readable = Readable.from(withHash(picture ? [picture] : counted, (chunk) => hash.update(chunk)));
    const size = await storage.put(path, readable);
    return { path, size, sha256: hash.digest('hex'), mime, filename: safeFilename(upload.filename, ext) };
  } finally {
    await source.return(undefined);
  }
}

async function* pieces(content: IncomingFile['content']): AsyncGenerator<Uint8Array, undefined> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
  return undefined;
}

async function headOf(source: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < headSize;) {
    const { value, done: isDone } = (await source.next()) as IteratorResult<Uint8Array, undefined>;
    if (isDone) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/** The file from its beginning, broken off as soon as it is larger than its kind may be. */
async function* limitBytes(head: Buffer, rest: AsyncIterable<Uint8Array>, group: keyof typeof fileGroups) {
  const { title, maxBytes } = fileGroups[group];
  let size = 0;
  const demand = (chunk: Uint8Array) => {
    if ((size += chunk.length) > maxBytes) throw refuse(`${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传`);
    return chunk;
  };
  yield demand(head);
  for await (const chunk of rest) yield demand(chunk);
}

async function* withHash(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, note: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    note(chunk);
    yield chunk;
  }
}

async function redrawPicture(
  chunks: AsyncIterable<Uint8Array>,
  kind: 'png' | 'jpeg' | 'webp',
  side: number | undefined,
): Promise<Buffer> {
  const buffered: Uint8Array[] = [];
  for await (const chunk of chunks) buffered.push(chunk);
  return redraw(Buffer.concat(buffered), kind, side).catch((error: unknown) => {
    throw error instanceof PictureRefused ? refuse(error.message) : error;
  });
}
