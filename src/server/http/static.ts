import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ResponseOf } from '#contract/action.ts';
import type { getEntry } from '#features/respond/respond.contract.ts';
import type { Answer, Call } from '#server/dispatch/dispatch.ts';
import { inlineStyles, paintFirstView } from '#server/http/firstView.ts';
import { securityHeaders } from '#server/http/headers.ts';

type Dispatch = (call: Call) => Promise<Answer>;

const pageOf = (path: string): string =>
  path.startsWith('/c/')
    ? 'respondent.html'
    : path === '/login'
      ? 'login.html'
      : path === '/openapi'
        ? 'openapi.html'
        : path === '/screen'
          ? 'screen.html'
          : 'index.html';

/** Returns the code of the entry that a path opens; undefined for other pages. */
const entryOf = (path: string): string | undefined => /^\/c\/([0-9A-Za-z_-]{6,40})\/?$/.exec(path)?.[1];

const EMPTY_ROOT = '<div id="root"></div>';

/**
 * Returns the facts of an entry as a data block of its page, and its root with the first view: the phone then shows it before the
 * script arrives, and asks for nothing. The root is empty when the call fails; the page asks again and shows the reason.
 */
async function paintEntry(dispatch: Dispatch, clientcode: string, request: FastifyRequest): Promise<string> {
  const { errorCode, data } = await dispatch({
    name: 'as.c.user.getEntry',
    body: { clientcode },
    token: '',
    ip: request.ip,
    useragent: request.headers['user-agent'] ?? '',
    requestId: request.id,
  });
  if (errorCode !== 0) return EMPTY_ROOT;
  const json = JSON.stringify({ clientcode, entry: data }).replaceAll('<', '\\u003c');
  const view = paintFirstView(data as ResponseOf<typeof getEntry>);
  return `<script type="application/json" id="facts">${json}</script><div id="root">${view}</div>`;
}

/**
 * Serves the build. A file is sent by its name, compressed when the browser accepts it. Every other path is a page:
 * /c/ the respondent's app, /login the sign-in, /screen a display of figures, otherwise the console.
 * A page gets a nonce for the style element that the component library writes.
 */
export async function serveAssets(app: FastifyInstance, dist: string, dispatch: Dispatch) {
  await app.register(fastifyStatic, {
    root: dist,
    // Only the files of the build get a route. The handler below serves the pages.
    wildcard: false,
    globIgnore: ['**/*.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      void reply
        .header('vary', 'accept-encoding')
        .header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  const pages = new Map<string, string>();
  for (const name of ['index.html', 'login.html', 'openapi.html', 'screen.html', 'respondent.html'])
    await readFile(join(dist, name), 'utf8').then(
      async (html) => pages.set(name, name === 'respondent.html' ? await inlineStyles(html, dist) : html),
      () => undefined,
    );
  app.get('/*', async (request, reply) => {
    const path = decodeURI(request.url.split('?')[0] ?? '/');
    // A file that is not in the build, a call by GET and a hidden file are no pages.
    if ((extname(path) && !path.startsWith('/c/')) || path.startsWith('/api/') || path.startsWith('/.'))
      return reply.code(404).type('text/plain; charset=utf-8').send('没有这个文件');
    const html = pages.get(pageOf(path)) ?? pages.get('index.html');
    if (!html) return reply.code(503).type('text/plain; charset=utf-8').send('页面尚未构建，请先运行 npm run build');
    const clientcode = entryOf(path);
    const root = clientcode ? await paintEntry(dispatch, clientcode, request) : EMPTY_ROOT;
    const nonce = randomBytes(16).toString('base64');
    const page = html.replaceAll('__NONCE__', nonce).replace(EMPTY_ROOT, () => root);
    void reply
      .headers(securityHeaders(request, nonce))
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding');
    // Only the page of an entry carries a style sheet and facts, so that compressing it pays.
    if (!path.startsWith('/c/') || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(page);
    return reply.header('content-encoding', 'gzip').send(gzipSync(page));
  });
}
