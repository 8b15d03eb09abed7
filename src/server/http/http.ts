import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart, { type Multipart } from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Action } from '#contract/action.ts';
import type { IncomingFile } from '#contract/file.ts';
import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { SCREEN_TOKEN } from '#server/security/tokenStart.ts';
import type { Answer, Call } from '#server/dispatch/dispatch.ts';
import { securityHeaders } from '#server/http/headers.ts';
import type { SessionHash } from '#server/db/scope.ts';

/** The options of the HTTP server. */
export interface HttpOptions {
  dispatch: (call: Call) => Promise<Answer>;
  actions: ReadonlyMap<string, Action>;
  /** Records that the session is in use; the server calls it after each successful call. */
  touch: (session: SessionHash) => void;
  ready: () => Promise<{ ok: boolean; [part: string]: unknown }>;
  log: (line: Record<string, unknown>) => void;
  /** the proxies in front, which send the caller's address and protocol in their headers (`Config.trustProxy`) */
  trustProxy?: false | number | readonly string[];
  /** milliseconds that a request may take to arrive; then the server closes its connection */
  requestTimeout?: number;
  /** milliseconds in which the body of a call must arrive; of a file: the longest pause */
  bodyTimeout?: number;
}

const jsonLimit = 256 * 1024;
/** Larger than any allowed file; the receivers of files have their own limits. */
const fileLimit = 512 * 1024 * 1024;
/**
 * Milliseconds for which the server discards the rest of a refused file, so that the client reads the error.
 * Then the server closes the connection.
 */
const DRAIN_MS = 2_000;
/** The call that opens a screen (数据大屏). */
const OPEN_SCREEN = 'as.m.user.openScreen';
/** The console, the respondent's app and a screen have separate cookies, so one browser can open all of them. */
const cookieNameOf = (name: string, token: string) =>
  name.startsWith('as.c.') ? 'rid' : name === OPEN_SCREEN || token.startsWith(SCREEN_TOKEN) ? 'wid' : 'sid';
/** The cookie alone opens nothing. It stays after the session, so that a later sign-in comes from a known browser (`signIn.ts`). */
const COOKIE_SECONDS = 30 * 86_400;
const opensSession = new Set([
  'as.m.user.login',
  'as.m.user.verifySecondFactor',
  'as.m.user.signInByPasskey',
  'as.m.user.loginDemo',
  'as.c.user.login',
  OPEN_SCREEN,
]);

/** Returns the HTTP server around the dispatcher. It parses bodies, enforces limits, sets headers, and sends JSON or a file. */
export function httpServer({
  dispatch,
  actions,
  touch,
  ready,
  log,
  trustProxy = false,
  requestTimeout = 600_000,
  bodyTimeout = 20_000,
}: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: jsonLimit,
    requestTimeout,
    connectionTimeout: 0,
    keepAliveTimeout: 5_000,
    trustProxy: toTrust(trustProxy),
    genReqId: () => randomUUID(),
    logger: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: Math.min(10_000, requestTimeout), connectionsCheckingInterval: Math.min(2_000, requestTimeout) },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // A malformed address never reaches a route or a hook.
    frameworkErrors: (error, request, reply) => refuse(error, request, reply.headers(securityHeaders(request))),
    // Invalid HTTP does not either: an address that is too long, broken headers. There is no request, only a socket.
    clientErrorHandler: (error: Error & { code?: string }, socket) => {
      if (error.code !== 'ECONNRESET' && socket.writable) socket.write(badRequestResponse(error.code));
      socket.destroy(error);
    },
  });
  const refuse = (error: Error & { code?: string; statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
    const problem = problemOf(error, request.id);
    if (problem.code === 900000) log({ level: 'error', requestId: request.id, error: error.stack });
    return send(reply, { errorCode: problem.code, errorMsg: problem.message });
  };
  app.register(cookies);
  app.register(formbody, { bodyLimit: jsonLimit });
  app.register(multipart, { limits: { fileSize: fileLimit, files: 1, fields: 20, fieldSize: 64 * 1024 } });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders(request));
    reply.header('x-request-id', request.id);
    if (request.method === 'POST' || request.method === 'PATCH')
      closeSlowBody(request, request.isMultipart() || request.method === 'PATCH', bodyTimeout);
  });
  app.setErrorHandler(refuse);
  // A POST to an unknown address gets the same answer as an unknown call. An unknown page is 404.
  app.setNotFoundHandler((request, reply) =>
    request.method === 'POST'
      ? send(reply, { errorCode: 130001, errorMsg: problems.notFound({ what: '接口' }).message })
      : reply.code(404).type('text/plain; charset=utf-8').send('没有这个文件'),
  );

  app.post<{ Params: { name: string } }>('/api/:name/1.0.0/action', { config: {} }, async (request, reply) => {
    const startTime = performance.now();
    const { name } = request.params;
    if (isCrossOrigin(request)) return send(reply, { errorCode: 110004, errorMsg: problems.notAllowed().message });
    const { body, upload } = await bodyOf(request);
    const sender = senderOf(request, name);
    const { token } = sender;
    // Only browsers send `sec-fetch-site`. They get a second secret in a cookie that scripts cannot read.
    const newCookie =
      opensSession.has(name) && request.headers['sec-fetch-site'] ? randomBytes(24).toString('base64url') : undefined;
    const answer = await dispatch({
      name,
      ...sender,
      body: body ?? {},
      upload,
      isStrict: request.headers['x-strict'] === '1',
      warn: (ignored) => void reply.header('warning', ignoredFields(ignored)),
      isUnattended: request.headers['x-unattended'] === '1',
      newCookieHash: newCookie ? hashToken(newCookie) : undefined,
    });
    if (upload) closeUnread(request);
    if (answer.errorCode === 0 && newCookie)
      reply.setCookie(cookieNameOf(name, token), newCookie, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge: COOKIE_SECONDS,
      });
    if (name === 'as.m.user.logout') reply.header('clear-site-data', '"cache"');
    if (answer.errorCode === 0 && token && name !== 'as.m.user.logout') touch(hashToken(token));
    log({
      level: 'info',
      requestId: request.id,
      action: name,
      errorCode: answer.errorCode,
      ms: Math.round(performance.now() - startTime),
    });
    if (answer.errorCode === 0 && actions.get(name)?.kind === 'export') return sendFile(reply, answer.data as FileResponse);
    return send(reply, answer);
  });

  app.get('/livez', async (_, reply) => reply.send({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const state = await ready();
    return reply.code(state.ok ? 200 : 503).send(state);
  });
  return app;
}

/** Returns the problem of our catalogue for an error of the HTTP layer. */
function problemOf(error: Error & { code?: string; statusCode?: number }, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || error.code === 'FST_REQ_FILE_TOO_LARGE') return problems.bodyTooLarge();
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return problems.invalid({ message: '请求地址不正确' });
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problems.invalid({ message: '不支持的内容类型' });
  return (error.statusCode ?? 500) < 500 ? problems.invalid({ message: '请求格式不正确' }) : problems.internal({ requestId });
}

/** Returns the HTTP text to write to a socket whose request could not be parsed. */
function badRequestResponse(code: string | undefined): string {
  const { code: errorCode, message } =
    code === 'HPE_HEADER_OVERFLOW'
      ? problems.invalid({ message: '请求地址或请求头过长' })
      : problems.invalid({ message: '请求格式不正确' });
  const body = JSON.stringify({ errorCode, errorMsg: message });
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '200 OK';
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `x-error-code: ${errorCode}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

interface FileResponse {
  filename: string;
  mime: string;
  body: Readable | Uint8Array;
}

/** Sends an answer. A refusal is HTTP 200 too, because the console reads errorCode. The header lets operators count refusals. */
const send = (reply: FastifyReply, answer: Answer) =>
  reply.code(200).header('x-error-code', answer.errorCode).header('cache-control', 'no-store').send(answer);

function sendFile(reply: FastifyReply, { filename, mime, body }: FileResponse) {
  const ascii = filename.replace(/[^\w.-]/g, '_');
  return reply
    .header('content-type', mime)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename)}`)
    .send(body);
}

/** Returns who sends a call: the token, the cookie of its browser, the address. */
export function senderOf(
  request: FastifyRequest,
  name: string,
): Pick<Call, 'token' | 'cookieHash' | 'requestId' | 'ip' | 'useragent'> {
  const token = tokenOf(request);
  const cookie = request.cookies[cookieNameOf(name, token)];
  return {
    token,
    cookieHash: cookie ? hashToken(cookie) : undefined,
    requestId: request.id,
    ip: addressOf(request),
    useragent: request.headers['user-agent'] ?? '',
  };
}

/** Closes the connection of an answered request whose body still arrives, after a moment in which the client reads the answer. */
export const closeUnread = ({ raw }: FastifyRequest) => void setTimeout(() => raw.complete || raw.destroy(), DRAIN_MS).unref();

/** True when the headers of a browser say that another site sent the request. The token header alone already stops CSRF. */
export function isCrossOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site') return true;
  const { origin, host } = request.headers;
  if (!origin || !host || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** What Fastify needs to believe that many proxies, or the proxies with these addresses. */
function toTrust(proxies: false | number | readonly string[]) {
  if (typeof proxies === 'number') return (_address: string, hop: number) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/**
 * Closes the connection of a body that is too slow: JSON that is not complete after `limit` milliseconds, or a file of which nothing
 * arrives for so long.
 */
function closeSlowBody({ raw }: FastifyRequest, isFile: boolean, limit: number) {
  const close = () => raw.complete || raw.destroy();
  const timer = isFile ? undefined : setTimeout(close, limit);
  if (isFile) raw.setTimeout(limit, close);
  const stop = () => {
    clearTimeout(timer);
    raw.setTimeout(0);
  };
  raw.once('end', stop).once('close', stop);
}

/** Returns the address of the caller. What a proxy sends is used only when it is an address, so no other text enters log and throttle. */
const addressOf = (request: FastifyRequest): string =>
  isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? 'unknown');

/** Returns the token of the `token` header; empty when there is none. */
function tokenOf(request: FastifyRequest): string {
  const header = request.headers['token'];
  return typeof header === 'string' ? header.slice(0, 200) : '';
}

async function bodyOf(request: FastifyRequest): Promise<Pick<Call, 'body' | 'upload'>> {
  if (!request.isMultipart())
    return { body: isForm(request) ? parseForm(request.body as Record<string, unknown>) : request.body };
  const parts = request.parts();
  const fields = await readFields(parts);
  const { file } = fields;
  return { body: fields.body, upload: file && { ...file, readRest: async () => (await readFields(parts)).body } };
}

/** Reads the fields of a form up to its file or its end. */
async function readFields(
  parts: AsyncIterableIterator<Multipart>,
): Promise<{ body: Record<string, unknown>; file?: IncomingFile | undefined }> {
  const fields: Record<string, unknown> = {};
  try {
    // `next` leaves the form open: a loop that ends at the file would close it.
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      const { value } = part;
      if (value.type === 'file')
        return {
          body: parseForm(fields),
          file: { filename: value.filename, mime: value.mimetype, content: incomingFile(value.file) },
        };
      fields[value.fieldname] = value.value;
    }
  } catch (error) {
    // The parser throws errors without a code when a form has no end, no boundary or broken headers.
    throw (error as { code?: string }).code ? error : problems.invalid({ message: '请求格式不正确' });
  }
  return { body: parseForm(fields) };
}

/** Returns the `warning` header of a request with unknown fields. A header carries ASCII only. */
const ignoredFields = (names: readonly string[]): string =>
  `299 - "ignored fields: ${names
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 60)))
    .join(', ')}"`;

/** Yields a file as it arrives. Throws when the upload breaks off or is too large, instead of yielding a shorter file. */
async function* incomingFile(file: Readable & { truncated?: boolean }): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file) yield chunk as Uint8Array;
  } catch (error) {
    throw (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
      ? problems.bodyTooLarge()
      : problems.invalid({ message: '文件没有传完，请重新上传' }, { field: 'file' });
  }
  if (file.truncated) throw problems.bodyTooLarge();
}

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;

/** Returns the fields of a form. A list is JSON text or `name[]`; an empty field counts as absent. */
function parseForm(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => {
        const text = typeof value === 'string' ? value : undefined;
        if (key.endsWith('[]')) return [key.slice(0, -2), Array.isArray(value) ? value : [value]];
        if (text && /^[[{]/.test(text)) {
          try {
            return [key, JSON.parse(text) as unknown];
          } catch {
            return [key, value];
          }
        }
        return [key, value];
      }),
  );
}
