import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { securityHeaders } from '#server/http/headers.ts';
import type { Services } from '#server/dispatch/services.ts';
import { findGenuineReport, findGenuineTeamReport } from '#features/reportpdf/reportpdf.queries.ts';
import { isTeamReportCode, parseVerifyCode } from '#features/reportpdf/verifyCode.ts';

/** Checks of one address: ten at once, then one in six seconds. */
const [BURST, PER_SECOND] = [10, 1 / 6];

interface Answer {
  status: number;
  tone: 'good' | 'note' | 'bad';
  title: string;
  text: string;
  facts?: [label: string, value: string][];
}

const UNKNOWN: Answer = {
  status: 404,
  tone: 'bad',
  title: '没有查到这份报告',
  text: '编号不是本平台生成的，或抄写有误。请核对报告第一页二维码下方的编号，或向出具报告的机构询问。',
};
const TOO_OFTEN: Answer = { status: 429, tone: 'note', title: '查询太频繁', text: '请稍等一分钟再试。' };

/** Whether a printed report is genuine: its institution, day and version. It says nothing about the person or the result. */
async function check({ pools, cipher }: Pick<Services, 'pools' | 'cipher'>, code: string): Promise<Answer> {
  const printed = parseVerifyCode(cipher, code);
  const find = printed && isTeamReportCode(printed.reportcode) ? findGenuineTeamReport : findGenuineReport;
  const report = printed && (await runAsSystem(pools, platformCode, (scope) => find(scope, printed.reportcode)));
  if (!printed || !report || printed.version > report.version) return UNKNOWN;
  const facts: Answer['facts'] = [
    ['出具机构', report.insname],
    ['报告编号', printed.reportcode],
    ['报告日期', shanghaiDate(report.createtime)],
    ['打印版本', `第 ${printed.version} 版`],
  ];
  if (report.isdeleted === 1)
    return {
      status: 200,
      tone: 'bad',
      title: '报告已撤回',
      text: '这份报告由本平台生成，之后已由机构撤回，请不要再使用。',
      facts,
    };
  if (printed.version < report.version)
    return {
      status: 200,
      tone: 'note',
      title: '报告真实，但已有新版本',
      text: '这份报告由本平台生成，之后机构更新过内容，请以新版本为准。',
      facts: [...facts, ['最新版本', `第 ${report.version} 版（${shanghaiDate(report.updatetime)}）`]],
    };
  return { status: 200, tone: 'good', title: '报告真实有效', text: '这份报告由本平台生成，是目前的最新版本。', facts };
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `body{margin:0;background:#f4f6f5;color:#1f2a26}
body{font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:480px;margin:8vh auto;padding:28px 24px;background:#fff}
main{border:1px solid #d5ddd9;border-top:6px solid #2b7a52;border-radius:8px}
main[data-tone=note]{border-top-color:#9a6a00}main[data-tone=bad]{border-top-color:#a51d2d}
h1{margin:0 0 8px;font-size:22px;line-height:1.4}p{margin:0 0 16px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 20px;margin:0 0 16px}dt{color:#56615c}dd{margin:0;overflow-wrap:anywhere}
small{color:#56615c}@media(max-width:520px){main{margin:0;min-height:100vh;box-sizing:border-box;border-width:6px 0 0;border-radius:0}}`;
const SIGNS = { good: '✓', note: '!', bad: '✕' } as const;

function toPage({ tone, title, text, facts = [] }: Answer, nonce: string): string {
  const list = facts.map(([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  return (
    `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>报告核验</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<style nonce="${nonce}">${STYLE}</style></head><body><main data-tone="${tone}">` +
    `<h1><span aria-hidden="true">${SIGNS[tone]}</span> ${title}</h1>` +
    `<p>${text}</p>${list ? `<dl>${list}</dl>` : ''}` +
    `<small>核验只说明报告是否由本平台生成，不显示姓名和结果。筛查结果不等于医学诊断。</small></main></body></html>`
  );
}

/**
 * Serves `/c/v/{code}`, the address of the QR code on a printed report. It needs no session, so an address may ask a few times a minute
 * only.
 */
export function serveVerification(app: FastifyInstance, services: Pick<Services, 'pools' | 'cipher'>) {
  const limiter = new RateLimiter(BURST, PER_SECOND);
  const answer = async (request: FastifyRequest<{ Params: { code: string } }>): Promise<Answer> => {
    if (limiter.isSpent(request.ip, 1)) return TOO_OFTEN;
    limiter.take(request.ip, 1);
    return check(services, request.params.code);
  };
  app.get<{ Params: { code: string } }>('/c/v/:code', async (request, reply) => {
    const result = await answer(request);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .code(result.status)
      .headers(securityHeaders(request, nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(toPage(result, nonce));
  });
}
