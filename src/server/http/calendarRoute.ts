import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/dispatch/services.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { createCalendarFile } from '#features/planner/calendarFile.ts';

/** Calendars read an address a few times an hour; more is somebody who tries addresses. */
const BURST = 30;
const PER_SECOND = 0.2;

/**
 * Serves `/calendar/{secret}.ics`, the calendar of one colleague for phones and mail programs. The secret in the address is the only
 * key, so the file names nobody, and the owner can end the address at any time.
 */
export function serveCalendars(
  app: FastifyInstance,
  services: Pick<Services, 'pools' | 'publicUrl'>,
  { clock }: { clock: () => Date },
): void {
  const limiter = new RateLimiter(BURST, PER_SECOND);
  app.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (limiter.isSpent(request.ip, 1)) return reply.code(429).type('text/plain; charset=utf-8').send('读取太频繁，请稍后再试');
    limiter.take(request.ip, 1);
    const [, secret] = /^([\w-]{43})\.ics$/.exec(request.params.file) ?? [];
    const file = secret && (await createCalendarFile(services, secret, clock()));
    if (!file) return reply.code(404).type('text/plain; charset=utf-8').send('日历地址已停用');
    return reply
      .header('content-disposition', 'attachment; filename="xinli.ics"')
      .header('x-content-type-options', 'nosniff')
      .type('text/calendar; charset=utf-8')
      .send(file);
  });
}
