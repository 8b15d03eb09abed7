import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AiConfig } from '#server/ai/completion.ts';

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** The answer of a provider with this text. */
export const answerOf = (content: string) =>
  JSON.stringify({
    id: 'req-1',
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { total_tokens: 900 },
  });
/** Answers with a text. */
export const says =
  (content: string | object): Behaviour =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(answerOf(typeof content === 'string' ? content : JSON.stringify(content)));
/** Answers with a status and nothing else. */
export const refuses =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end('{"error":"secret of the provider"}');

/** Starts a provider on this machine. It answers each request by the next behaviour, and the last one again. */
export async function startProvider(...behaviours: Behaviour[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      (behaviours[Math.min(bodies.length, behaviours.length) - 1] as Behaviour)(response, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const config: AiConfig = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: 'sk-geheim',
    model: 'test-model',
    isPrivateHost: true,
    timeout: 10_000,
  };
  return { config, bodies };
}
