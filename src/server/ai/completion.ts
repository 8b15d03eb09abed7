import http from 'node:http';
import https from 'node:https';
import { findAddress, SendError, toSendError } from '#server/messages/outgoing.ts';

/** The AI provider of this installation, from the environment only. */
export interface AiConfig {
  /** `AI_BASE_URL`, e.g. `https://ai.example.cn/v1` */
  readonly baseUrl: string;
  /** `AI_API_KEY` */
  readonly apiKey: string;
  /** `AI_MODEL` */
  readonly model: string;
  /** `AI_PRIVATE_HOST=1`: the address may lie on this machine or in a private network, also without TLS. */
  readonly isPrivateHost: boolean;
  /** for the whole call with its repetition, in milliseconds */
  readonly timeout: number;
}

/** The answer of the provider. */
export interface Completion {
  content: string;
  requestid: string;
  usage: unknown;
}

/** Milliseconds for a whole call. */
export const AI_TIMEOUT = 60_000;
const MAX_BYTES = 64 * 1024;
const MAX_TOKENS = 1200;
const TEMPERATURE = 0.2;

/** A failure after which one more attempt may succeed: 5xx or a time-out of the connection. */
class Retryable extends SendError {}

/**
 * Asks the provider by `POST {baseurl}/chat/completions` (design/reports.md 5.6): https, no redirect, no private address unless the
 * operator allows it, at most 64 KB, one repetition after 5xx or a time-out. The call connects to the address that was checked.
 * @throws SendError with words for staff; it never has the key or the provider's own words.
 */
export async function complete(config: AiConfig, messages: readonly { role: string; content: string }[]): Promise<Completion> {
  const target = new URL(`${config.baseUrl.replace(/\/$/, '')}/chat/completions`);
  if (target.protocol !== 'https:' && !config.isPrivateHost) throw new SendError('AI 服务地址须以 https:// 开头');
  const body = JSON.stringify({
    model: config.model,
    messages,
    temperature: TEMPERATURE,
    max_tokens: MAX_TOKENS,
    response_format: { type: 'json_object' },
  });
  const deadline = AbortSignal.timeout(config.timeout);
  const attempt = async (share: number) => {
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(config.timeout * share)]);
    try {
      const address = await findAddress(target.hostname, config.isPrivateHost);
      return await post(config, target, address, body, signal);
    } catch (error) {
      if (error instanceof SendError) throw error;
      throw signal.aborted ? new Retryable('AI 服务响应超时') : toSendError(error);
    }
  };
  try {
    return await attempt(0.6);
  } catch (error) {
    if (!(error instanceof Retryable)) throw error;
    return await attempt(1);
  }
}

const post = (config: AiConfig, target: URL, address: string, body: string, signal: AbortSignal) =>
  new Promise<Completion>((resolve, reject) => {
    const request = (target.protocol === 'https:' ? https : http).request({
      host: address,
      servername: target.hostname,
      port: target.port || undefined,
      path: `${target.pathname}${target.search}`,
      method: 'POST',
      headers: {
        host: target.host,
        authorization: `Bearer ${config.apiKey}`,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'accept-encoding': 'identity',
        accept: 'application/json',
      },
      maxHeaderSize: 16_384,
      agent: false,
      signal,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const fail = (error: Error) => {
        reject(error);
        response.destroy();
      };
      const status = response.statusCode ?? 0;
      if (status >= 500) return fail(new Retryable(`AI 服务返回 ${status}`));
      if (status >= 300 && status < 400) return fail(new SendError(`AI 服务要求跳转（${status}）`));
      if (status !== 200) return fail(new SendError(`AI 服务返回 ${status}`));
      if (!/^application\/json\b/i.test(response.headers['content-type'] ?? ''))
        return fail(new SendError('AI 服务返回的内容类型不正确'));
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) return fail(new SendError('AI 服务返回的内容过大'));
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('aborted', () => reject(new SendError('AI 服务中断了连接')));
      response.on('end', () => {
        const completion = parseCompletion(Buffer.concat(chunks).toString('utf8'));
        if (completion) resolve(completion);
        else reject(new SendError('AI 服务返回的内容格式不正确'));
      });
    });
    request.end(body);
  });

/** The text of the first choice; undefined when the answer has another form or its text was cut off. */
function parseCompletion(body: string): Completion | undefined {
  let value: { id?: unknown; usage?: unknown; choices?: { finish_reason?: unknown; message?: { content?: unknown } }[] } | null;
  try {
    value = JSON.parse(body) as typeof value;
  } catch {
    return undefined;
  }
  const [choice] = Array.isArray(value?.choices) ? value.choices : [];
  const content = choice?.message?.content;
  if (typeof content !== 'string' || choice?.finish_reason === 'length') return undefined;
  return { content, requestid: String(value?.id ?? '').slice(0, 100), usage: value?.usage ?? null };
}
