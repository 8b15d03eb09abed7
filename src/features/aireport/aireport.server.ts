import { shanghaiTime } from '#domain/base/calendar.ts';
import { AiStatus } from '#domain/base/enums.ts';
import { promptVersion } from '#domain/report/ai/aiPrompt.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import { teamPromptVersion } from '#domain/teamreport/ai/teamAiPrompt.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { isSuspectedBy } from '#features/report/report.queries.ts';
import { assertNotRestricted } from '#features/report/reportRow.ts';
import * as contract from '#features/aireport/aireport.contract.ts';
import * as queries from '#features/aireport/aireport.queries.ts';
import { isOutdated } from '#features/teamreport/scopeFilters.ts';
import { countToday, DAILY_LIMIT, isPaused } from '#features/aireport/limits.ts';
import * as teamTexts from '#features/aireport/teamText.queries.ts';

type StaffContext = Context<'staff'>;
type Ai = NonNullable<StaffContext['ai']>;

/** A report of a person or a group that a text is asked for. */
interface Subject {
  musercode: string;
  aistatus: number;
  aicontent: AiText | null;
  allowed: number;
}

/** The provider; refuses a text where the platform has none or the institution has not agreed. */
function openProvider({ ai }: StaffContext, { allowed }: Subject): Ai {
  if (!ai) throw problems.wrongState({ why: '平台未启用 AI 服务，报告文字由规则引擎生成' });
  if (allowed !== 1) throw problems.wrongState({ why: '本机构未开通 AI 授权，报告文字由规则引擎生成' });
  return ai;
}

/** Refuses a text while the provider is paused, and beyond the limit of the day. */
async function assertWithinLimits({ scope, now }: StaffContext, { musercode }: Subject) {
  if (await isPaused(scope, now)) throw problems.providerUnavailable({ why: 'AI 服务暂时不可用，请十分钟后再试' });
  if ((await countToday(scope, musercode, now)) >= DAILY_LIMIT)
    throw problems.wrongState({ why: `本机构今日已生成 ${DAILY_LIMIT} 份，请明天再试` });
}

/** The text that stands or is being written; undefined when a job has to write one. */
function standingText({ aistatus, aicontent }: Subject, force: number | undefined) {
  const hasText = aistatus === AiStatus.made || aistatus === AiStatus.reviewed;
  if (aistatus !== AiStatus.making && (!hasText || force === 1)) return undefined;
  return { aistatus, content: hasText ? aicontent : null };
}

const jobOf = ({ caller, now }: StaffContext, ai: Ai, { musercode }: Subject, force: number | undefined) => ({
  musercode,
  provider: new URL(ai.baseUrl).hostname,
  model: ai.model,
  isforced: force ?? 0,
  accountid: caller.accountid,
  createtime: now,
});

async function generatePersonText(ctx: StaffContext, reportcode: string, force: number | undefined) {
  const { scope, caller } = ctx;
  if (!caller.codes.has(codeOf('individual.ai'))) throw problems.notAllowed();
  assertNotRestricted(caller);
  const report = await queries.lockReport(scope, reportcode);
  if (!report || (await isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [report.cuserid], objectid: reportcode });
  if (report.iserased) throw problems.wrongState({ why: '报告内容已删除，不能生成 AI 文字' });
  const ai = openProvider(ctx, report);
  if (report.valid !== 1) throw problems.wrongState({ why: '作答效度不足，不生成 AI 文字' });
  const standing = standingText(report, force);
  if (standing) return standing;
  await assertWithinLimits(ctx, report);
  await queries.addJob(scope, { ...jobOf(ctx, ai, report, force), reportcode, promptversion: promptVersion });
  await queries.setWaiting(scope, reportcode);
  return { aistatus: AiStatus.making, content: null };
}

/** Refuses staff who read group reports as owners of classes: the text is about all persons of the report. */
function assertReadsGroupReports(caller: Staff) {
  if (!caller.codes.has(codeOf('group.ai')) || caller.hasDataScope) throw problems.notAllowed();
}

/** A group report of a population that the caller reads, locked. */
async function lockTeamReport({ scope, caller }: StaffContext, teamreportcode: string) {
  assertReadsGroupReports(caller);
  const report = await teamTexts.lockTeamReport(scope, teamreportcode);
  const appids = permittedPopulations(caller);
  if (!report || (appids && !appids.includes(report.appid))) throw problems.notFound({ what: '团体报告' });
  return report;
}

async function generateTeamText(ctx: StaffContext, teamreportcode: string, force: number | undefined) {
  const { scope } = ctx;
  const report = await lockTeamReport(ctx, teamreportcode);
  ctx.audit({ objectid: teamreportcode, detail: { version: report.version } });
  const ai = openProvider(ctx, report);
  const standing = standingText(report, force);
  if (standing) return standing;
  if (!report.hasfacts) throw problems.wrongState({ why: '有效人数过少，或报告生成较早，不能生成 AI 文字' });
  if (await isOutdated(ctx, report)) throw problems.wrongState({ why: '数据已更新，请先重新生成报告' });
  await assertWithinLimits(ctx, report);
  await queries.addJob(scope, {
    ...jobOf(ctx, ai, report, force),
    ...{ teamreportcode, teamversion: report.version, promptversion: teamPromptVersion },
  });
  await teamTexts.setTeamWaiting(scope, teamreportcode);
  return { aistatus: AiStatus.making, content: null };
}

const generateAiReport = handle(contract.generateAiReport, async ({ reportcode, teamreportcode, force }, ctx) =>
  teamreportcode ? generateTeamText(ctx, teamreportcode, force) : generatePersonText(ctx, reportcode ?? '', force),
);

const reviewTeamReportText = handle(contract.reviewTeamReportText, async ({ teamreportcode, version, aitime, agreed }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  const report = await lockTeamReport(ctx, teamreportcode);
  const isSameText = report.version === version && report.aitime !== null && shanghaiTime(report.aitime) === aitime;
  if (report.aistatus !== AiStatus.made || !isSameText)
    throw problems.wrongState({ why: '文字已更新或已审核，请重新打开后再审核' });
  await teamTexts.saveTeamReview(scope, teamreportcode, { agreed, accountid: caller.accountid, name: caller.name, now });
  audit({ objectid: teamreportcode, detail: { version, agreed } });
  return { aistatus: agreed ? AiStatus.reviewed : AiStatus.none };
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

export const aiTextHandlers = [generateAiReport, reviewTeamReportText, getAiSettings, saveAiConsent];
