import type { FastifyInstance } from 'fastify';
import { Problem, problems } from '#contract/problem.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { PayGateway, PayNotice } from '#server/pay/gateway.ts';
import { takeNotice } from '#features/order/takeNotice.ts';

/** Notices of one address: sixty at once, then ten in a second. */
const [BURST, PER_SECOND] = [60, 10];
/** Larger than any notice of a provider, in bytes. */
const BODY_LIMIT = 64 * 1024;

/** Returns what a gateway says now instead of an old notice; undefined when it knows nothing. */
const prove = (gateway: PayGateway, { orderno, refundno }: PayNotice): Promise<PayNotice | undefined> =>
  refundno === undefined ? gateway.query(orderno) : gateway.queryRefund(refundno);

export interface PayRouteOptions {
  clock: () => Date;
  log: (line: Record<string, unknown>) => void;
}

/**
 * Serves `POST /pay/{channel}`, where gateways send their notices. The body stays as it came, because the signature covers its bytes.
 * 200 `success` means that the notice is stored; any other status makes a provider send it again.
 */
export function servePayNotices(
  app: FastifyInstance,
  services: Pick<Services, 'pools' | 'gateways'>,
  { clock, log }: PayRouteOptions,
): void {
  const limiter = new RateLimiter(BURST, PER_SECOND);
  app.register(async (scoped) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => done(null, body));
    scoped.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = error instanceof Problem ? statusOf(error) : (error.statusCode ?? 500);
      // Never the body: it may hold what only the provider and the operator should know.
      log({ level: status >= 500 ? 'error' : 'warn', route: 'pay', requestId: request.id, status, error: error.message });
      return reply.code(status).type('text/plain; charset=utf-8').send('fail');
    });
    scoped.post<{ Params: { channel: string } }>('/pay/:channel', async (request, reply) => {
      limiter.take(request.ip, 1);
      await receiveNotice(services, request.params.channel, request, clock());
      return reply.type('text/plain; charset=utf-8').send('success');
    });
  });
}

/** Takes a notice as it arrived. Throws 130001 for an unknown channel or order, 110000 for what no gateway has sent. */
export async function receiveNotice(
  services: Pick<Services, 'pools' | 'gateways'>,
  channel: string,
  { headers, body }: { headers: Readonly<Record<string, string | string[] | undefined>>; body: unknown },
  now: Date,
): Promise<void> {
  const gateway = services.gateways?.[channel];
  if (!gateway) throw problems.notFound({ what: '支付渠道' });
  await takeNotice(services, channel, await readNotice(gateway, headers, body, now), now);
}

/** Returns a notice that is proven to be the gateway's. Throws 110000 for a wrong signature and an old notice without proof. */
async function readNotice(
  gateway: PayGateway,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: unknown,
  now: Date,
): Promise<PayNotice> {
  const single = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  let read: ReturnType<PayGateway['readNotice']>;
  try {
    read = gateway.readNotice(single, Buffer.isBuffer(body) ? body : Buffer.alloc(0), now);
  } catch {
    throw problems.identityInvalid();
  }
  if (!read.isOld) return read.notice;
  const proven = await prove(gateway, read.notice);
  if (!proven) throw problems.identityInvalid();
  return proven;
}

const statusOf = ({ code }: Problem): number =>
  ({ [problems.identityInvalid().code]: 401, [problems.tooManyRequests().code]: 429, 130001: 404, 190003: 503 })[code] ?? 400;
