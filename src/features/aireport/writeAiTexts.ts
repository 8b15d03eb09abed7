import { createHash } from 'node:crypto';
import { aiFactsOf } from '#domain/report/ai/aiFacts.ts';
import { aiMessages, promptVersion, type AiMessage } from '#domain/report/ai/aiPrompt.ts';
import { AI_FAULT_WORDS, checkAiText } from '#domain/report/ai/checkAiText.ts';
import { checkTeamAiText } from '#domain/teamreport/ai/checkTeamAiText.ts';
import { teamAiMessages, teamPromptVersion } from '#domain/teamreport/ai/teamAiPrompt.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { complete, type AiConfig } from '#server/ai/completion.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import { toSendError } from '#server/messages/outgoing.ts';
import { findReportTexts, findTextsOfReport } from '#features/report/renderReport.ts';
import * as queries from '#features/aireport/aireport.queries.ts';
import { isPaused } from '#features/aireport/limits.ts';
import { findTeamFacts } from '#features/aireport/teamText.queries.ts';

const LEASE_MINUTES = 3;
const MAX_JOBS = 4;

type Tools = Pick<Services, 'pools' | 'ai'>;

/** Writes the texts that staff asked for. Returns how many were written and how many failed. */
export async function writeAiTexts({ pools, ai }: Tools, now: () => Date): Promise<{ written: number; failed: number }> {
  if (!ai) return { written: 0, failed: 0 };
  const jobs = await runAsSystem(pools, platformCode, async (scope) =>
    (await isPaused(scope, now()))
      ? []
      : queries.takeJobs(scope, now(), new Date(now().getTime() + LEASE_MINUTES * 60_000), MAX_JOBS),
  );
  // No transaction is open while the server waits for the provider.
  const results = await Promise.all(jobs.map((job) => writeText({ pools }, ai, job, now)));
  const written = results.filter(Boolean).length;
  return { written, failed: results.length - written };
}

/** What a job sends, and how it judges the answer. */
interface Order {
  messages: AiMessage[];
  promptversion: string;
  check: (answer: string) => ReturnType<typeof checkAiText>;
}

/** The order of a job; undefined when its report has no facts, was made again, or its institution has not agreed. */
async function findOrder(scope: Scope, job: queries.AiJob): Promise<Order | undefined> {
  if (job.teamreportcode) {
    const facts = await findTeamFacts(scope, job.teamreportcode, job.teamversion ?? 0);
    if (!facts) return undefined;
    const check = (answer: string) => checkTeamAiText(answer, facts);
    return { messages: teamAiMessages(facts), promptversion: teamPromptVersion, check };
  }
  const reportcode = job.reportcode ?? '';
  const row = await queries.findSource(scope, reportcode);
  if (!row || row.allowed !== 1) return undefined;
  const { self } = await findReportTexts(scope, reportcode);
  const { rows: library } = await findTextsOfReport(scope, reportcode);
  const facts = aiFactsOf({ ...row, hasalert: row.hasalert === 1, content: self, library });
  return { messages: aiMessages(facts), promptversion: promptVersion, check: (answer) => checkAiText(answer, facts) };
}

async function writeText({ pools }: Pick<Tools, 'pools'>, ai: AiConfig, job: queries.AiJob, now: () => Date): Promise<boolean> {
  const source = await runAsSystem(pools, platformCode, async (scope) => {
    const order = await findOrder(scope, job);
    if (!order) return undefined;
    const inputhash = createHash('sha256').update(JSON.stringify(order.messages)).digest('hex');
    const key = { musercode: job.musercode, inputhash, promptversion: order.promptversion, model: ai.model };
    return { ...order, inputhash, cached: job.isforced === 1 ? undefined : await queries.findCached(scope, key) };
  });
  const save = <T>(work: Parameters<typeof runAsSystem<T>>[2]) => runAsSystem(pools, platformCode, work);
  const fail = async (fault: string): Promise<boolean> => {
    await save((scope) => queries.saveFailure(scope, job, { inputhash: source?.inputhash ?? null, fault, donetime: now() }));
    return false;
  };
  if (!source) return fail(job.teamreportcode ? '报告已更新，或本机构未开通 AI 授权' : '本机构未开通 AI 授权');
  const { messages, check, inputhash, cached } = source;
  const row = { inputhash, model: ai.model };
  if (cached) {
    await save((scope) =>
      queries.saveText(scope, job, { ...row, output: cached, iscached: 1, requestid: '', usage: null, donetime: now() }),
    );
    return true;
  }
  try {
    const { content, requestid, usage } = await complete(ai, messages);
    const outcome = check(content);
    if ('fault' in outcome) return await fail(AI_FAULT_WORDS[outcome.fault]);
    await save((scope) =>
      queries.saveText(scope, job, { ...row, output: outcome.text, iscached: 0, requestid, usage, donetime: now() }),
    );
    return true;
  } catch (error) {
    return fail(toSendError(error).message);
  }
}
