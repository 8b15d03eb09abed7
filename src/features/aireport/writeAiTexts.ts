import { createHash } from 'node:crypto';
import { aiFactsOf } from '#domain/report/ai/aiFacts.ts';
import { aiMessages, promptVersion } from '#domain/report/ai/aiPrompt.ts';
import { AI_FAULT_WORDS, checkAiText } from '#domain/report/ai/checkAiText.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { complete, type AiConfig } from '#server/ai/completion.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import { toSendError } from '#server/messages/outgoing.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import * as queries from '#features/aireport/aireport.queries.ts';
import { isPaused } from '#features/aireport/limits.ts';

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

async function writeText({ pools }: Pick<Tools, 'pools'>, ai: AiConfig, job: queries.AiJob, now: () => Date): Promise<boolean> {
  const source = await runAsSystem(pools, platformCode, async (scope) => {
    const row = await queries.findSource(scope, job.reportcode);
    if (!row || row.allowed !== 1) return undefined;
    const { self } = await findReportTexts(scope, job.reportcode);
    const facts = aiFactsOf({ ...row, hasalert: row.hasalert === 1, content: self });
    const messages = aiMessages(facts);
    const inputhash = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    const key = { musercode: job.musercode, inputhash, promptversion: promptVersion, model: ai.model };
    return { facts, messages, inputhash, cached: job.isforced === 1 ? undefined : await queries.findCached(scope, key) };
  });
  const save = <T>(work: Parameters<typeof runAsSystem<T>>[2]) => runAsSystem(pools, platformCode, work);
  const fail = async (fault: string): Promise<boolean> => {
    await save((scope) => queries.saveFailure(scope, job, { inputhash: source?.inputhash ?? null, fault, donetime: now() }));
    return false;
  };
  if (!source) return fail('本机构未开通 AI 授权');
  const { facts, messages, inputhash, cached } = source;
  const row = { inputhash, model: ai.model };
  if (cached) {
    await save((scope) =>
      queries.saveText(scope, job, { ...row, output: cached, iscached: 1, requestid: '', usage: null, donetime: now() }),
    );
    return true;
  }
  try {
    const { content, requestid, usage } = await complete(ai, messages);
    const outcome = checkAiText(content, facts);
    if ('fault' in outcome) return await fail(AI_FAULT_WORDS[outcome.fault]);
    await save((scope) =>
      queries.saveText(scope, job, { ...row, output: outcome.text, iscached: 0, requestid, usage, donetime: now() }),
    );
    return true;
  } catch (error) {
    return fail(toSendError(error).message);
  }
}
