import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Action } from '#contract/action.ts';
import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Answer, Call } from '#server/dispatch/dispatch.ts';
import { securityHeaders } from '#server/http/headers.ts';
import type { SessionHash } from '#server/db/scope.ts';

export interface HttpOptions {
  dispatch: (call: Call) => Promise<Answer>;
  actions: ReadonlyMap<string, Action>;
  /** Called once a staff call was answered, to note that the session is in use. */
  touch: (session: SessionHash) => void;
  ready: () => Promise<{ ok: boolean; [part: string]: unknown }>;
  log: (line: Record<string, unknown>) => void;
  /** a proxy in front says who calls and whether by https */
  trustProxy?: boolean;
  /** how long a request may take to arrive, in milliseconds; then its connection is closed */
  requestTimeout?: number;
}

const jsonLimit = 256 * 1024;
/** More than any use of a file takes: those who take it in set their own limits. */
const fileLimit = 512 * 1024 * 1024;
/**
 * What still arrives of a file that was refused is thrown away for so long, in milliseconds, so that the refusal is read; then
 * the line is cut.
 */
const DRAIN_MS = 2_000;
/** Both apps sign in separately in one browser. */
const cookieNameOf = (name: string) => (name.startsWith('as.c.') ? 'rid' : 'sid');
const opensSession = new Set(['as.m.user.login', 'as.m.user.verifySecondFactor', 'as.c.user.login']);

/** The HTTP shell around the dispatcher: parses bodies, keeps limits, sets headers, sends JSON or a file. */
export function httpServer({
  dispatch,
  actions,
  touch,
  ready,
  log,
  trustProxy = false,
  requestTimeout = 600_000,
}: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: jsonLimit,
    requestTimeout,
    connectionTimeout: 0,
    keepAliveTimeout: 5_000,
    trustProxy,
    genReqId: () => randomUUID(),
    logger: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: Math.min(10_000, requestTimeout), connectionsCheckingInterval: Math.min(2_000, requestTimeout) },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // An address that is no address never reaches a route or a hook.
    frameworkErrors: (error, request, reply) => refuse(error, request, reply.headers(securityHeaders(request))),
    // Neither does what is no HTTP: too long an address, broken headers. There is no request to answer, only a socket.
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
  });
  app.setErrorHandler(refuse);
  // Before sign-in an unknown address and an unknown call look alike; a page that is not there is 404.
  app.setNotFoundHandler((request, reply) =>
    request.method === 'POST'
      ? send(reply, { errorCode: 130001, errorMsg: problems.notFound({ what: '接口' }).message })
      : reply.code(404).type('text/plain; charset=utf-8').send('没有这个文件'),
  );

  app.post<{ Params: { name: string } }>('/api/:name/1.0.0/action', { config: {} }, async (request, reply) => {
    const started = performance.now();
    const { name } = request.params;
    if (isCrossOrigin(request)) return send(reply, { errorCode: 110004, errorMsg: problems.notAllowed().message });
    const { body, upload } = await bodyOf(request);
    const { token, rest } = tokenOf(request, body);
    const cookieName = cookieNameOf(name);
    const cookie = request.cookies[cookieName];
    // Only browsers say where a fetch comes from. They get a second secret in a cookie that scripts cannot read.
    const newCookie =
      opensSession.has(name) && request.headers['sec-fetch-site'] ? randomBytes(24).toString('base64url') : undefined;
    const answer = await dispatch({
      name,
      token,
      body: rest,
      upload,
      requestId: request.id,
      ip: request.ip,
      useragent: request.headers['user-agent'] ?? '',
      cookieHash: cookie ? hashToken(cookie) : undefined,
      newCookieHash: newCookie ? hashToken(newCookie) : undefined,
    });
    if (upload) setTimeout(() => request.raw.complete || request.raw.destroy(), DRAIN_MS).unref();
    if (answer.errorCode === 0 && newCookie)
      reply.setCookie(cookieName, newCookie, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
      });
    if (answer.errorCode === 0 && token && name !== 'as.m.user.logout') touch(hashToken(token));
    log({
      level: 'info',
      requestId: request.id,
      action: name,
      errorCode: answer.errorCode,
      ms: Math.round(performance.now() - started),
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

/** What a refusal of the shell itself is in our own numbers. */
function problemOf(error: Error & { code?: string; statusCode?: number }, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || error.code === 'FST_REQ_FILE_TOO_LARGE') return problems.bodyTooLarge();
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return problems.invalid({ message: '请求地址不正确' });
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problems.invalid({ message: '不支持的内容类型' });
  return (error.statusCode ?? 500) < 500 ? problems.invalid({ message: '请求格式不正确' }) : problems.internal({ requestId });
}

/** An answer written to a socket whose request could not be read. */
function badRequestResponse(code: string | undefined): string {
  const { code: errorCode, message } =
    code === 'HPE_HEADER_OVERFLOW'
      ? problems.invalid({ message: '请求地址或请求头过长' })
      : problems.invalid({ message: '请求格式不正确' });
  const body = JSON.stringify({ errorCode, errorMsg: message });
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '200 OK';
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nx-error-code: ${errorCode}` +
    `\r\ncontent-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`
  );
}

interface FileResponse {
  filename: string;
  mime: string;
  body: Readable | Uint8Array;
}

/** Refusals are HTTP 200 too: the console reads errorCode. The header lets operations count them. */
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

/** A browser says so when a request comes from somebody else's page. The token header alone already stops CSRF. */
function isCrossOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site') return true;
  const { origin, host } = request.headers;
  if (!origin || !host || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** The token comes in its header. Logout alone may carry it in the body, as the specification's client does. */
function tokenOf(request: FastifyRequest, body: unknown) {
  const header = request.headers['token'];
  return { token: typeof header === 'string' ? header.slice(0, 200) : '', rest: body ?? {} };
}

async function bodyOf(request: FastifyRequest): Promise<Pick<Call, 'body' | 'upload'>> {
  if (!request.isMultipart())
    return { body: isForm(request) ? parseForm(request.body as Record<string, unknown>) : request.body };
  const fields: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      // The file comes last: what it is for has to be known before it is read.
      if (part.type === 'file')
        return {
          body: parseForm(fields),
          upload: { filename: part.filename, mime: part.mimetype, content: incomingFile(part.file) },
        };
      fields[part.fieldname] = part.value;
    }
  } catch (error) {
    // The parser of forms throws errors without a number when a form has no end, no boundary or broken heads.
    throw (error as { code?: string }).code ? error : problems.invalid({ message: '请求格式不正确' });
  }
  return { body: parseForm(fields) };
}

/** A file as it arrives; one that breaks off or is cut is an error, never a shorter file. */
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

/** Downloads are form-encoded: lists arrive as JSON text or as `name[]`, empty fields mean absent. */
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
