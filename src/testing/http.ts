import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { actions } from '#server/actions.ts';
import { httpServer, type HttpOptions } from '#server/http/http.ts';
import { openapi } from '#server/openapi.ts';
import { serveQr } from '#server/http/qrRoute.ts';
import { serveUploads } from '#server/http/upload/uploadRoute.ts';
import { Leases } from '#server/nodes/leases.ts';
import { serveAssets } from '#server/http/static.ts';
import { sharedServer, startServer, type TestServer } from '#testing/server.ts';

/** Creates a folder with one page and one file in the layout of the build. */
async function writeBuild(): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'build-'));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), '<script nonce="__NONCE__"></script>');
  await writeFile(join(dist, 'respondent.html'), '<div id="root"></div>');
  await writeFile(join(dist, 'assets', 'a.js'), '1');
  return dist;
}

/**
 * Starts a server (`startServer`) that listens on a free port of this machine. It ends with the test. `prepare` changes the server
 * before it listens.
 */
export async function startHttp(
  options: Partial<HttpOptions> = {},
  prepare: (server: TestServer) => void = () => undefined,
): Promise<TestHttp> {
  const server = await startServer();
  prepare(server);
  const { http, close } = await listen(server, options);
  onTestFinished(close);
  return http;
}

/** Starts one listening server for all tests of a file that do not conflict (see `sharedServer`). */
export function sharedHttp(): () => TestHttp {
  const server = sharedServer();
  let shared: Awaited<ReturnType<typeof listen>> | undefined;
  beforeAll(async () => {
    shared = await listen(server(), {});
  });
  afterAll(() => shared?.close());
  return () => {
    if (!shared) throw new Error('the shared server exists only while a test runs');
    return shared.http;
  };
}

export type TestHttp = Awaited<ReturnType<typeof listen>>['http'];

async function listen(server: TestServer, options: Partial<HttpOptions>) {
  const lines: Record<string, unknown>[] = [];
  const app = httpServer({
    dispatch: server.dispatch,
    actions: new Map(actions.map((action) => [action.name, action])),
    touch: () => undefined,
    ready: async () => ({ ok: true, demo: false }),
    log: (line) => lines.push(line),
    ...options,
  });
  app.get('/openapi.json', () => openapi());
  serveQr(app, server.services);
  serveUploads(app, {
    storage: server.services.storage,
    leases: new Leases(server.services.pools.authn),
    dispatch: server.dispatch,
    touch: () => undefined,
    log: (line) => lines.push(line),
  });
  const dist = await writeBuild();
  await serveAssets(app, dist, server.dispatch);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(base).port);

  /** Posts a body unchanged and returns the response. */
  const post = async (name: string, body: RequestInit['body'], headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}/api/${name}/1.0.0/action`, { method: 'POST', body: body ?? null, headers });
    return { response, headers: response.headers, status: response.status };
  };
  /** Calls an action like the console and returns the response with its JSON. */
  const call = async (name: string, request: unknown, headers: Record<string, string> = {}) => {
    const { response, ...rest } = await post(name, JSON.stringify(request), { 'content-type': 'application/json', ...headers });
    return { ...rest, json: (await response.json()) as { errorCode: number; errorMsg: string; data?: unknown } };
  };
  const http = { ...server, base, port, post, call, lines };
  const close = async () => {
    await app.close();
    await rm(dist, { recursive: true });
  };
  return { http, close };
}
