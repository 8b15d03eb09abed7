import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { filePath, verifyLink } from '#server/security/fileLink.ts';
import type { Services } from '#server/dispatch/services.ts';
import { FileAltered } from '#server/storage/fileSealing.ts';
import type { ByteRange } from '#server/storage/storage.ts';

/**
 * Serves files by their signed links, without a session. The headers make a browser save a file and never run it: attachment,
 * no sniffing, a sandbox without origin, no use by other sites (security.md C27). Media can be read in parts.
 */
export function serveFiles(
  app: FastifyInstance,
  { storage, cipher }: Pick<Services, 'storage' | 'cipher'>,
  clock = () => new Date(),
  log: (line: Record<string, unknown>) => void = () => undefined,
) {
  app.get<{ Querystring: { k?: string } }>(filePath, async (request, reply) => {
    const k = typeof request.query.k === 'string' ? request.query.k : '';
    const file = verifyLink(cipher, k, clock());
    const stored = file && (await storage.head(file.key));
    if (!file || !stored)
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('链接已失效，请返回页面重新打开');
    const tag = `"${file.key.slice(-36)}"`;
    reply
      .type(file.mime)
      .header('content-disposition', dispositionOf(file.filename))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', file.lasting ? 'public, max-age=86400' : 'private, no-store')
      .header('accept-ranges', 'bytes')
      .header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const condition = request.headers['if-range'];
    const range = condition === undefined || condition === tag ? rangeOf(request.headers.range, stored.size) : undefined;
    if (range === 'unsatisfiable')
      return reply.code(416).header('content-range', `bytes */${stored.size}`).type('text/plain; charset=utf-8').send('');
    let content: Readable;
    try {
      content = await storage.get(file.key, range);
    } catch (error) {
      if (!(error instanceof FileAltered)) throw error;
      log({ level: 'error', requestId: request.id, error: error.stack });
      return reply
        .code(500)
        .removeHeader('content-disposition')
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('文件已损坏，无法打开。请联系管理员');
    }
    const { start, end } = range ?? { start: 0, end: stored.size - 1 };
    reply.header('content-length', end - start + 1);
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${stored.size}`);
    return reply.send(content);
  });
}

/** Returns the `content-disposition` of a download, with its name in ASCII and in UTF-8. */
function dispositionOf(filename: string): string {
  const ascii = filename.replace(/[^\w.-]/g, '_');
  const percentEncoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const utf8 = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

/** Returns the range of a Range header; undefined when it is malformed or has several ranges (RFC 9110, 14.2). */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start >= size || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { start, end };
}
