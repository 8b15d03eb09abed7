import { maxUploadBytes, type IncomingFile } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';

/** Reads a file into memory; throws as soon as it is larger than `maxUploadBytes`. */
export async function readAll(content: IncomingFile['content']): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    if ((size += chunk.length) > maxUploadBytes) throw problems.bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
