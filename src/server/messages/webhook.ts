import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { ChannelAdapter, ChannelMessage } from '#server/messages/channelAdapter.ts';
import { findAddress, SEND_TIMEOUT, SendError, toSendError, until } from '#server/messages/outgoing.ts';

/** Where a webhook sends, and the key of its signature. */
export interface WebhookSettings {
  url: string;
  secret: string;
}

/** The signature of a body: `t=<Unix seconds>,v1=<HMAC-SHA-256 of "<t>.<body>" in hex>`. The receiver refuses old times. */
export const signBody = (secret: string, body: string, time: Date): string => {
  const seconds = Math.floor(time.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};

const toBody = ({ id, insname, group, groupname, count, text, link, time }: ChannelMessage): string =>
  JSON.stringify({ id, institution: insname, kind: group, title: groupname, count, text, link, time: time.toISOString() });

/**
 * Posts a JSON body and returns the status of the answer. It follows no redirect, reads no body, and takes at most ten seconds, the
 * look-up of the name included. It connects to the address that was checked.
 * @throws SendError without an answer, for a private address and for one without https, unless the operator allows these
 */
export async function postJson(
  url: string,
  body: string,
  headers: Record<string, string>,
  isPrivateAllowed: boolean,
  find: typeof findAddress = findAddress,
): Promise<number> {
  const target = new URL(url);
  const isEncrypted = target.protocol === 'https:';
  if (!isEncrypted && !(isPrivateAllowed && target.protocol === 'http:')) throw new SendError('地址须以 https:// 开头');
  const signal = AbortSignal.timeout(SEND_TIMEOUT);
  try {
    const address = await until(signal, find(target.hostname, isPrivateAllowed));
    return await post(isEncrypted ? https : http, address, target, signal, body, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    });
  } catch (error) {
    throw toSendError(error);
  }
}

/** Why an answer with this status is a failure; null for 2xx. */
export function findAnswerFault(status: number): string | null {
  if (status >= 300 && status < 400) return `对方要求跳转（${status}），请填写最终地址`;
  return status < 200 || status >= 300 ? `对方返回 ${status}` : null;
}

/** Sends a message as a signed JSON POST. Only an answer 2xx counts. */
export const webhookAdapter: ChannelAdapter<WebhookSettings> = {
  send: async ({ url, secret }, message, { isPrivateAllowed }) => {
    const body = toBody(message);
    const headers = {
      'user-agent': 'xinli-notice/1',
      'x-xinli-delivery': message.id,
      'x-xinli-signature': signBody(secret, body, new Date()),
    };
    const fault = findAnswerFault(await postJson(url, body, headers, isPrivateAllowed));
    if (fault) throw new SendError(fault);
  },
};

/** Posts to an address and returns the status; it stops reading after the head of the answer. */
const post = (
  client: typeof http | typeof https,
  address: string,
  target: URL,
  signal: AbortSignal,
  body: string,
  headers: Record<string, string>,
) =>
  new Promise<number>((resolve, reject) => {
    const request = client.request({
      host: address,
      servername: target.hostname,
      port: target.port || undefined,
      path: `${target.pathname}${target.search}`,
      method: 'POST',
      headers: { ...headers, host: target.host },
      maxHeaderSize: 16_384,
      agent: false,
      signal,
    });
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
