import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatYuan } from '#domain/base/money.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import { securityHeaders } from '#server/http/headers.ts';
import { receiveNotice } from '#server/http/payRoute.ts';
import type { LocalGateway } from '#server/pay/localGateway.ts';

/** Openings of one address: thirty at once, then one in a second. */
const [BURST, PER_SECOND] = [30, 1];

type PayRequest = FastifyRequest<{
  Params: { orderno: string };
  Querystring: { channel?: string };
  Body: { result?: string } | null;
}>;
interface Page {
  status: number;
  title: string;
  text: string;
  goods?: { title: string; amount: number };
  hasButtons?: boolean;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `body{margin:0;background:#f4f6f5;color:#1f2a26}
body{font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:420px;margin:8vh auto;padding:28px 24px;background:#fff}
main{border:1px solid #d5ddd9;border-top:6px solid #2b7a52;border-radius:8px}
h1{margin:0 0 8px;font-size:22px;line-height:1.4}p{margin:0 0 16px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 20px;margin:0 0 20px}dt{color:#56615c}dd{margin:0;overflow-wrap:anywhere}
form{display:flex;gap:12px;margin:0 0 16px}
button{flex:1;min-height:44px;font:inherit;border-radius:6px;border:1px solid #2b7a52;background:#fff;color:#1f5c3d;cursor:pointer}
button[value=success]{background:#2b7a52;color:#fff}button:focus-visible{outline:3px solid #9cc7b1;outline-offset:2px}
small{color:#56615c}@media(max-width:480px){main{margin:0;min-height:100vh;box-sizing:border-box;border-width:6px 0 0;border-radius:0}}`;

const BUTTONS =
  '<form method="post"><button name="result" value="fail">支付失败</button><button name="result" value="success">支付成功</button></form>';

function toHtml({ title, text, goods, hasButtons = false }: Page, orderno: string, nonce: string): string {
  const facts = goods
    ? `<dl><dt>商品</dt><dd>${escapeHtml(goods.title)}</dd><dt>金额</dt><dd>${formatYuan(goods.amount)} 元</dd>` +
      `<dt>订单号</dt><dd>${escapeHtml(orderno)}</dd></dl>`
    : '';
  return (
    `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p>${facts}` +
    `${hasButtons ? BUTTONS : ''}<small>这是本机的模拟支付，只用于演示和测试，不会产生任何扣款。</small></main></body></html>`
  );
}

const UNKNOWN: Page = { status: 404, title: '没有这笔支付', text: '请回到订单页面，重新发起支付。' };
const TOO_OFTEN: Page = { status: 429, title: '操作太频繁', text: '请稍等片刻再试。' };

/**
 * Serves `/pay/local/{orderno}`, the page of the local gateway: a person pays there, or lets the payment fail. The gateway's signed
 * notice then arrives as all notices do (`payRoute.ts`).
 */
export function serveLocalPayments(
  app: FastifyInstance,
  services: Pick<Services, 'pools' | 'gateways'>,
  gateways: Readonly<Record<string, LocalGateway>>,
  { clock }: { clock: () => Date },
): void {
  const limiter = new RateLimiter(BURST, PER_SECOND);
  const find = ({ params, query }: PayRequest) => {
    const [channel, gateway] =
      Object.entries(gateways).find(([code, one]) => (query.channel ?? code) === code && one.find(params.orderno)) ?? [];
    const order = gateway?.find(params.orderno);
    return channel && gateway && order ? { channel, gateway, order } : undefined;
  };
  const toPage = async (request: PayRequest): Promise<Page> => {
    if (limiter.isSpent(request.ip, 1)) return TOO_OFTEN;
    limiter.take(request.ip, 1);
    const found = find(request);
    if (!found) return UNKNOWN;
    const last = await found.gateway.query(request.params.orderno);
    if (last?.state === 'success')
      return { status: 200, title: '支付成功', text: '可以关闭本页，回到订单页面查看结果。', goods: found.order };
    const text = last ? '上一次支付没有成功，可以再试一次。' : '请选择支付结果。';
    return { status: 200, title: '模拟支付', text, goods: found.order, hasButtons: true };
  };
  const show = async (request: PayRequest, reply: FastifyReply) => {
    const page = await toPage(request);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .code(page.status)
      .headers(securityHeaders(request, nonce, true))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(toHtml(page, request.params.orderno, nonce));
  };
  app.get('/pay/local/:orderno', (request, reply) => show(request as PayRequest, reply));
  app.post('/pay/local/:orderno', async (incoming, reply) => {
    const request = incoming as PayRequest;
    const found = find(request);
    const result = request.body?.result;
    if (found && (result === 'success' || result === 'fail') && !limiter.isSpent(request.ip, 1)) {
      const { orderno } = request.params;
      const isPaid = (await found.gateway.query(orderno))?.state === 'success';
      const signed = isPaid ? undefined : found.gateway.pay(orderno, result === 'success', clock());
      const arrived = { headers: signed?.headers ?? {}, body: Buffer.from(signed?.body ?? '') };
      if (signed) await receiveNotice(services, found.channel, arrived, clock());
    }
    return show(request, reply);
  });
}
