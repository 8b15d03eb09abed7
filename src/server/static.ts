import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders } from '#server/headers.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

interface Asset {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** Built files, read into memory with the compressed copies the build made. */
export async function loadAssets(dist: string): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const extension = extname(entry.name);
    const packed = extension === '.br' ? 'br' : extension === '.gz' ? 'gzip' : undefined;
    const url = '/' + relative(dist, packed ? path.slice(0, -extension.length) : path).replaceAll('\\', '/');
    const type = types[extname(url)];
    if (!type) continue;
    const asset = assets.get(url) ?? { type, plain: Buffer.alloc(0) };
    asset[packed ?? 'plain'] = await readFile(path);
    assets.set(url, asset);
  }
  return assets;
}

function serve(request: FastifyRequest, reply: FastifyReply, asset: Asset, forever: boolean) {
  const accepts = String(request.headers['accept-encoding'] ?? '');
  const packed = accepts.includes('br') && asset.br ? 'br' : accepts.includes('gzip') && asset.gzip ? 'gzip' : undefined;
  if (packed) reply.header('content-encoding', packed);
  return reply
    .header('content-type', asset.type)
    .header('vary', 'accept-encoding')
    .header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    .send(packed ? asset[packed] : asset.plain);
}

/** Files by name; any other path is a page: the respondent's app below /c/, sign-in at /login, else the console. */
export function serveAssets(app: FastifyInstance, assets: ReadonlyMap<string, Asset>) {
  app.get('/*', (request, reply) => {
    const path = decodeURI(request.url.split('?')[0] ?? '/');
    const asset = assets.get(path);
    if (asset && !path.endsWith('.html')) return serve(request, reply, asset, path.startsWith('/assets/'));
    // A call is a POST, and nothing is kept in hidden files: neither is a page.
    if ((extname(path) && !path.startsWith('/c/')) || path.startsWith('/api/') || path.startsWith('/.'))
      return reply.code(404).type('text/plain; charset=utf-8').send('没有这个文件');
    const page = path.startsWith('/c/')
      ? '/respondent.html'
      : path === '/login'
        ? '/login.html'
        : path === '/openapi'
          ? '/openapi.html'
          : '/index.html';
    const html = assets.get(page) ?? assets.get('/index.html');
    if (!html) return reply.code(503).type('text/plain; charset=utf-8').send('页面尚未构建，请先运行 npm run build');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers(securityHeaders(request, nonce))
      .header('content-type', html.type)
      .header('cache-control', 'no-cache')
      .send(html.plain.toString('utf8').replaceAll('__NONCE__', nonce));
  });
}
