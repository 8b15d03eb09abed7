import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { qrPng, qrSvg } from '#server/qr/qr.ts';
import type { Services } from '#server/dispatch/services.ts';

/** Returns the link of an institution's QR code, which opens the respondents' entry. */
export const entryLink = (publicUrl: string, clientcode: string) => `${publicUrl}/c/${clientcode}`;

/** The part of the entry's address that leads straight to the application for a consultation. */
const CONSULT_QUERY = '?consult';

/**
 * Serves an institution's QR code as `/qr/AbC123.png?size=400` (or 200; `&download=1` saves it) and `/qr/AbC123.svg` for print.
 * `parent=G000001` opens the page for the parents of a class, `&child=…` for the parents of one child.
 * `consult=1` leads straight to the application for a consultation.
 * It needs no session, because the code hangs on walls. A code that was reset or disabled answers 404.
 */
export function serveQr(app: FastifyInstance, { pools, publicUrl }: Pick<Services, 'pools' | 'publicUrl'>) {
  app.get<{
    Params: { file: string };
    Querystring: { size?: string; download?: string; parent?: string; child?: string; consult?: string };
  }>('/qr/:file', async (request, reply) => {
    const [, clientcode, type] = /^([\w-]{6,40})\.(png|svg)$/.exec(request.params.file) ?? [];
    if (clientcode === undefined || !(await isOpen(pools, clientcode)))
      return reply.code(404).type('text/plain; charset=utf-8').send('二维码已失效');
    const size = request.query.size === '200' ? 200 : 400;
    const team = /^[\w-]{1,20}$/.exec(request.query.parent ?? '')?.[0];
    const child = /^[\w-]{22}$/.exec(request.query.child ?? '')?.[0];
    const page = team ? `/parent/${team}${child ? `/${child}` : ''}` : request.query.consult === '1' ? CONSULT_QUERY : '';
    const link = entryLink(publicUrl, clientcode) + page;
    const tag = `"${createHash('sha256').update(`${link} ${type} ${size}`).digest('hex').slice(0, 24)}"`;
    // The browser asks every time and gets the picture only when it changed: screens must not show a code that was reset.
    reply.header('cache-control', 'no-cache').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    if (request.query.download) reply.header('content-disposition', `attachment; filename="qr_${clientcode}_${size}.${type}"`);
    return type === 'svg' ? reply.type('image/svg+xml').send(qrSvg(link)) : reply.type('image/png').send(qrPng(link, { size }));
  });
}

async function isOpen(pools: Services['pools'], clientcode: string): Promise<boolean> {
  const { rowCount } = await pools.authn.query(
    `select from auth.entry e join auth.tenant t on t.musercode = e.musercode
     where e.clientcode = $1 and e.enabled = 1 and t.enabled = 1 and (t.expiredate is null
       or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)`,
    [clientcode],
  );
  return rowCount === 1;
}
