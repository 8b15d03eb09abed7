import { promptVersion } from '#domain/report/ai/aiPrompt.ts';
import { AiStatus } from '#domain/base/enums.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { isSuspectedBy } from '#features/report/report.queries.ts';
import { assertNotRestricted } from '#features/report/reportRow.ts';
import * as contract from '#features/aireport/aireport.contract.ts';
import * as queries from '#features/aireport/aireport.queries.ts';
import { countToday, DAILY_LIMIT, isPaused } from '#features/aireport/limits.ts';

const generateAiReport = handle(contract.generateAiReport, async ({ reportcode, force }, ctx) => {
  const { scope, caller, now, ai } = ctx;
  assertNotRestricted(caller);
  const report = await queries.lockReport(scope, reportcode);
  if (!report || (await isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [report.cuserid], objectid: reportcode });
  const { musercode, aistatus, aicontent } = report;
  if (report.iserased) throw problems.wrongState({ why: '报告内容已删除，不能生成 AI 文字' });
  if (!ai) throw problems.wrongState({ why: '平台未启用 AI 服务，报告文字由规则引擎生成' });
  if (report.allowed !== 1) throw problems.wrongState({ why: '本机构未开通 AI 授权，报告文字由规则引擎生成' });
  if (report.valid !== 1) throw problems.wrongState({ why: '作答效度不足，不生成 AI 文字' });
  const hasText = aistatus === AiStatus.made || aistatus === AiStatus.reviewed;
  if (aistatus === AiStatus.making || (hasText && force !== 1)) return { aistatus, content: hasText ? aicontent : null };
  if (await isPaused(scope, now)) throw problems.providerUnavailable({ why: 'AI 服务暂时不可用，请十分钟后再试' });
  if ((await countToday(scope, musercode, now)) >= DAILY_LIMIT)
    throw problems.wrongState({ why: `本机构今日已生成 ${DAILY_LIMIT} 份，请明天再试` });
  await queries.addJob(scope, {
    musercode,
    reportcode,
    promptversion: promptVersion,
    provider: new URL(ai.baseUrl).hostname,
    model: ai.model,
    isforced: force ?? 0,
    accountid: caller.accountid,
    createtime: now,
  });
  await queries.setWaiting(scope, reportcode);
  return { aistatus: AiStatus.making, content: null };
});

const getAiSettings = handle(contract.getAiSettings, async (_request, { scope, caller: { musercode }, now, ai }) => {
  const last = await queries.findLastJob(scope, musercode);
  return {
    isavailable: ai ? 1 : 0,
    allowed: await queries.findConsent(scope, musercode),
    model: ai?.model ?? '',
    usedtoday: await countToday(scope, musercode, now),
    limittoday: DAILY_LIMIT,
    lastfault: last?.status === 9 ? last.fault : '',
  };
});

const saveAiConsent = handle(contract.saveAiConsent, async ({ allowed }, { scope, caller, now, audit }) => {
  const { musercode, accountid } = caller;
  await queries.saveConsent(scope, { musercode, allowed, accountid, updatetime: now });
  audit({ objectid: musercode, detail: { allowed } });
  return { allowed };
});

export const aiTextHandlers = [generateAiReport, getAiSettings, saveAiConsent];
