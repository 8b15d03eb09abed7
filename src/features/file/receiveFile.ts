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
  type FileGroup,
  type FileKind,
  type FileUseKey,
} from '#domain/files/filekind.ts';
import type { IncomingFile, StoredFile } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { PictureRefused, redraw } from '#server/storage/picture.ts';
import type { Services } from '#server/dispatch/services.ts';
import { newKey } from '#server/storage/storage.ts';

/** The first bytes of a file that tell every accepted type. */
export const HEAD_BYTES = 4100;

/** Why a file is refused: its type, its size, or no space is left. */
export type RefusalReason = 'type' | 'size' | 'space';
/** Returns the refusal of a file (160002). */
export const refuseFile = (why: string, reason: RefusalReason) =>
  problems.fileRefused({ why }, { field: 'file', data: { reason } });

/** Returns the kind of a file by its first bytes. Refuses (160002) an empty file and a type that the use does not accept. */
export async function kindOfHead(use: FileUseKey, head: Uint8Array): Promise<FileKind> {
  if (head.length === 0) throw refuseFile('文件是空的', 'type');
  const kind = acceptedKindOf(use, (await fileTypeFromBuffer(head))?.mime);
  if (!kind) throw refuseFile(`${fileUses[use].title}只接受${describeAcceptedKinds(use)}`, 'type');
  return kind;
}

/** Refuses (160002) a file that is larger than its group allows. */
export function assertFileSize(group: FileGroup, size: number) {
  const { title, maxBytes } = fileGroups[group];
  if (size > maxBytes) throw refuseFile(`${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传`, 'size');
}

/**
 * Writes an arriving file to the storage for a use and returns it. It detects the type from the first bytes and re-encodes pictures;
 * other files are streamed unchanged. Refuses (160002) other types and sizes as soon as it detects them, without reading the rest.
 */
export async function receiveFile(
  { storage }: Pick<Services, 'storage'>,
  upload: IncomingFile,
  use: FileUseKey,
): Promise<StoredFile> {
  const source = chunksOf(upload.content);
  try {
    const head = await readHead(source);
    const kind = await kindOfHead(use, head);
    const { mime, ext, group } = fileKinds[kind];
    const path = newKey('upload');
    const hash = createHash('sha256');
    const limited = limitBytes(head, source, group);
    const picture =
      kind === 'png' || kind === 'jpeg' || kind === 'webp' ? await redrawPicture(limited, kind, maxSideOf(use)) : undefined;
    const readable = Readable.from(withHash(picture ? [picture] : limited, (chunk) => hash.update(chunk)));
    const size = await storage.put(path, readable);
    return { path, size, sha256: hash.digest('hex'), mime, filename: safeFilename(upload.filename, ext) };
  } finally {
    await source.return(undefined);
  }
}

async function* chunksOf(content: IncomingFile['content']): AsyncGenerator<Uint8Array, undefined> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
  return undefined;
}

async function readHead(source: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES;) {
    const { value, done: isDone } = (await source.next()) as IteratorResult<Uint8Array, undefined>;
    if (isDone) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/** Yields the file from its beginning. Refuses it as soon as it exceeds the size limit of its type. */
async function* limitBytes(head: Buffer, rest: AsyncIterable<Uint8Array>, group: FileGroup) {
  let size = 0;
  const assertSize = (chunk: Uint8Array) => {
    assertFileSize(group, (size += chunk.length));
    return chunk;
  };
  yield assertSize(head);
  for await (const chunk of rest) yield assertSize(chunk);
}

async function* withHash(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, update: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    update(chunk);
    yield chunk;
  }
}

async function redrawPicture(
  chunks: AsyncIterable<Uint8Array>,
  kind: 'png' | 'jpeg' | 'webp',
  side: number | undefined,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return redraw(Buffer.concat(parts), kind, side).catch((error: unknown) => {
    throw error instanceof PictureRefused ? refuseFile(error.message, 'type') : error;
  });
}
