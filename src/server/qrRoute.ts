import type { FastifyInstance } from 'fastify';
import { qrPng } from '#server/qr.ts';
import type { Services } from '#server/services.ts';

/** The link behind an institution's QR code: where respondents enter. */
export const entryLink = (publicUrl: string, clientcode: string) => `${publicUrl}/c/${clientcode}`;

/**
 * PNG of an institution's QR code at 400 or 200 pixels, e.g. `/qr/AbC123.png?size=400`. It needs no session: the code hangs
 * on walls. Codes that were reset or switched off have no picture any more.
 */
export function serveQr(app: FastifyInstance, { pools, publicUrl }: Pick<Services, 'pools' | 'publicUrl'>) {
  app.get<{ Params: { file: string }; Querystring: { size?: string; download?: string } }>('/qr/:file', async (request, reply) => {
    const clientcode = /^([\w-]{6,40})\.png$/.exec(request.params.file)?.[1];
    const size = request.query.size === '200' ? 200 : 400;
    const known =
      clientcode !== undefined && (await pools.authn.query('select from auth.entry e join auth.tenant t on t.musercode = e.musercode where e.clientcode = $1 and e.enabled = 1 and t.enabled = 1', [clientcode])).rowCount === 1;
    if (!known) return reply.code(404).type('text/plain; charset=utf-8').send('二维码已失效');
    if (request.query.download) reply.header('content-disposition', `attachment; filename="qr_${clientcode}_${size}.png"`);
    return reply
      .type('image/png')
      .header('cache-control', 'no-cache')
      .send(qrPng(entryLink(publicUrl, clientcode), { size }));
  });
}
