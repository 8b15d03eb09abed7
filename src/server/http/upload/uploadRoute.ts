import { Readable } from 'node:stream';
import { ERRORS, Metadata, Server, TUS_RESUMABLE } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fromShanghai } from '#domain/base/calendar.ts';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { Problem, problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Services } from '#server/dispatch/services.ts';
import { closeUnread, isCrossOrigin, senderOf, type HttpOptions } from '#server/http/http.ts';
import { assertHead, bytesOf } from '#server/http/upload/uploadBytes.ts';
import { uploadLocker } from '#server/http/upload/uploadLock.ts';
import { problemOfStatus, statusOf } from '#server/http/upload/uploadRefusal.ts';
import type { Leases } from '#server/nodes/leases.ts';
import * as upload from '#features/file/upload/upload.contract.ts';

/** The address of uploads that go on after an interruption. */
const UPLOAD_PATH = '/upload';
/** Milliseconds in which a request that another one replaces writes what has arrived. */
const DRAIN_MS = 500;

type UploadRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * Receives files in parts by tus 1.0 (creation, expiration, termination). Every request is a call of an action first, so the
 * dispatcher decides who may send what. Then the tus server writes the bytes. A refusal has our JSON and a status of HTTP.
 */
export function serveUploads(
  app: FastifyInstance,
  {
    storage,
    leases,
    dispatch,
    touch,
    log,
  }: Pick<HttpOptions, 'dispatch' | 'touch' | 'log'> & Pick<Services, 'storage'> & { leases: Leases },
) {
  const tus = new Server({
    path: UPLOAD_PATH,
    datastore: storage.parts.store,
    locker: uploadLocker(leases),
    lockDrainTimeout: DRAIN_MS,
    onResponseError: (_, error) => {
      if (error === ERRORS.ERR_LOCK_TIMEOUT) return { status_code: 423, body: '' };
      if (error instanceof Error) log({ level: 'error', error: error.stack });
      return undefined;
    },
  });

  /** Calls an action as the sender of the request. A client that sends parts on its own prolongs no step-up. */
  async function call<A extends Action>(request: FastifyRequest, action: A, body: RequestOf<A>): Promise<ResponseOf<A>> {
    const startTime = performance.now();
    const sender = senderOf(request, action.name);
    const answer = await dispatch({ ...sender, name: action.name, body, isStrict: true, isUnattended: true });
    const ms = Math.round(performance.now() - startTime);
    log({ level: 'info', requestId: request.id, action: action.name, errorCode: answer.errorCode, ms });
    if (answer.errorCode !== 0) {
      const { field, ...data } = (answer.data ?? {}) as { field?: string };
      throw new Problem(answer.errorCode, answer.errorMsg, { field, data });
    }
    touch(hashToken(sender.token));
    return answer.data as ResponseOf<A>;
  }

  function refuse(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
    const problem = error instanceof Problem ? error : problemOfStatus(error.statusCode ?? 500, request.id);
    if (!(error instanceof Problem) && problem.code === 900000)
      log({ level: 'error', requestId: request.id, error: error.stack });
    const { code, message, field, data } = problem;
    finish(request, reply);
    return reply
      .code(statusOf(problem))
      .header('x-error-code', code)
      .send({ errorCode: code, errorMsg: message, data: { field, ...(data as object | undefined) } });
  }

  /** Closes the connection of a request whose body is not read to its end. */
  function finish(request: FastifyRequest, reply: FastifyReply) {
    if (request.raw.complete || !hasBody(request)) return;
    reply.header('connection', 'close');
    closeUnread(request);
  }

  /** Lets the tus server answer, and sends of its answer what the protocol needs. */
  async function answerByTus(request: UploadRequest, reply: FastifyReply, expiretime: string, body?: AsyncIterable<Uint8Array>) {
    const names = ['tus-resumable', 'upload-offset', 'content-type', 'content-length'] as const;
    const headers = names.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    const stream = body ? { body: Readable.toWeb(Readable.from(body)) as ReadableStream, duplex: 'half' as const } : {};
    const address = `http://localhost${UPLOAD_PATH}/${request.params.id}`;
    const response = await tus.handleWeb(new Request(address, { method: request.method, headers, ...stream }) as never);
    if (response.status >= 400) throw problemOfStatus(response.status, request.id);
    for (const name of ['upload-offset', 'upload-length']) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    finish(request, reply);
    return reply.code(response.status).header('upload-expires', fromShanghai(expiretime).toUTCString()).send();
  }

  app.register(async (scope) => {
    // The bytes are read by us, whatever type a client names, and never kept in memory.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler(refuse);
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'tus-resumable': TUS_RESUMABLE, 'cache-control': 'no-store' });
      if (isCrossOrigin(request)) throw problems.notAllowed();
      if (request.method !== 'OPTIONS' && request.headers['tus-resumable'] !== TUS_RESUMABLE)
        throw problems.invalid({ message: '不支持的上传协议版本' }, { data: { reason: 'version' } });
    });

    for (const path of [UPLOAD_PATH, `${UPLOAD_PATH}/:id`])
      scope.options(path, async (_request, reply) =>
        reply.code(204).headers({ 'tus-version': TUS_RESUMABLE, 'tus-extension': 'creation,expiration,termination' }).send(),
      );

    scope.post(UPLOAD_PATH, async (request, reply) => {
      // A file of unknown size, a file of several uploads and a file in its creation are extensions that we do not offer.
      const { 'upload-defer-length': deferred, 'upload-concat': several, 'upload-length': length } = request.headers;
      if (deferred !== undefined || several !== undefined || hasBody(request))
        throw problems.invalid({ message: '请求格式不正确' });
      if (typeof length !== 'string' || !/^\d{1,15}$/.test(length)) throw problems.missing({ title: '大小' }, { field: 'size' });
      const { biztype, ispublic, filename } = metadataOf(request);
      const body = { biztype, ispublic, filename, size: Number(length) } as RequestOf<typeof upload.startUpload>;
      const { uploadid, expiretime } = await call(request, upload.startUpload, body);
      return reply
        .code(201)
        .headers({ location: `${UPLOAD_PATH}/${uploadid}`, 'upload-expires': fromShanghai(expiretime).toUTCString() })
        .send();
    });

    scope.head(`${UPLOAD_PATH}/:id`, async (request: UploadRequest, reply) => {
      const { expiretime } = await call(request, upload.getUpload, { uploadid: request.params.id });
      return answerByTus(request, reply, expiretime);
    });

    scope.patch(`${UPLOAD_PATH}/:id`, async (request: UploadRequest, reply) => {
      const { id: uploadid } = request.params;
      const { expiretime, ...row } = await call(request, upload.getUpload, { uploadid });
      if (request.headers['content-type'] !== 'application/offset+octet-stream')
        throw problems.invalid({ message: '不支持的内容类型' }, { data: { reason: 'type' } });
      const bytes = bytesOf(request.raw);
      const sent = await storage.parts.sizeOf(uploadid);
      const isHere = Number(request.headers['upload-offset']) === sent;
      // At another place than the server's the tus server refuses the bytes.
      const head = isHere ? await assertHead(storage.parts, { ...row, sent }, bytes).catch(endRefused) : [];
      return answerByTus(request, reply, expiretime, joined(head, bytes));

      async function endRefused(error: unknown): Promise<never> {
        if (error instanceof Problem) await call(request, upload.cancelUpload, { uploadid });
        throw error;
      }
    });

    scope.delete(`${UPLOAD_PATH}/:id`, async (request: UploadRequest, reply) => {
      await call(request, upload.cancelUpload, { uploadid: request.params.id });
      return reply.code(204).send();
    });
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Returns the fields of the `upload-metadata` header. */
function metadataOf({ headers }: FastifyRequest): Record<string, string | undefined> {
  const header = headers['upload-metadata'];
  if (typeof header !== 'string') return {};
  try {
    const fields = Object.entries(Metadata.parse(header)).map(([name, value]) => [name, value ?? '']);
    return Object.fromEntries(fields) as Record<string, string>;
  } catch {
    throw problems.invalid({ message: '请求格式不正确' });
  }
}

async function* joined(head: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>) {
  yield* head;
  yield* rest;
}
