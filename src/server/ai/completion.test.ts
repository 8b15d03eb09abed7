import { expect, test } from 'vitest';
import { complete } from '#server/ai/completion.ts';
import { answerOf, refuses, says, startProvider } from '#testing/process/aiProvider.ts';

const messages = [{ role: 'user', content: '{}' }];
const JSON_HEAD = { 'content-type': 'application/json' };

test('the provider gets the model, the messages and the key, and its text comes back with the number of the request', async () => {
  const { config, bodies } = await startProvider((response, request) => {
    expect(request.url).toBe('/v1/chat/completions');
    expect(request.headers.authorization).toBe('Bearer sk-geheim');
    response.writeHead(200, JSON_HEAD).end(answerOf('好'));
  });
  expect(await complete(config, messages)).toEqual({ content: '好', requestid: 'req-1', usage: { total_tokens: 900 } });
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ model: 'test-model', messages, max_tokens: 1200, temperature: 0.2 });
});

test('a failure of the provider is tried once more, and only once', async () => {
  const once = await startProvider(refuses(500), says('好'));
  expect((await complete(once.config, messages)).content).toBe('好');
  const twice = await startProvider(refuses(503));
  await expect(complete(twice.config, messages)).rejects.toThrow('AI 服务返回 503');
  expect(twice.bodies).toHaveLength(2);
});

test.each([
  ['a refusal', refuses(401), 'AI 服务返回 401'],
  ['a redirect', refuses(302, { location: 'http://127.0.0.1/' }), 'AI 服务要求跳转（302）'],
  ['another type of content', refuses(200, { 'content-type': 'text/html' }), '内容类型不正确'],
  ['no JSON', (response) => response.writeHead(200, JSON_HEAD).end('好的'), '格式不正确'],
  ['no choices', (response) => response.writeHead(200, JSON_HEAD).end('{"choices":{}}'), '格式不正确'],
  ['null', (response) => response.writeHead(200, JSON_HEAD).end('null'), '格式不正确'],
  ['more than 64 KB', says('好'.repeat(30_000)), '内容过大'],
  [
    'a connection that breaks in the middle',
    (response) => response.writeHead(200, JSON_HEAD).write('{', () => response.destroy()),
    '中断',
  ],
  ['a connection that closes at once', (response, request) => request.socket.destroy() && response, '连接'],
] satisfies [string, Parameters<typeof startProvider>[0], string][])(
  '%s is an error without the words of the provider',
  async (_, act, words) => {
    const { config, bodies } = await startProvider(act);
    const error = await complete(config, messages).catch((reason: unknown) => reason as Error);
    expect(String(error)).toContain(words);
    expect(String(error)).not.toMatch(/secret|geheim/);
    expect(bodies).toHaveLength(1);
  },
);

test('an answer that drips longer than the limit is given up, with its repetition', async () => {
  const { config, bodies } = await startProvider((response) => {
    response.writeHead(200, JSON_HEAD);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await expect(complete({ ...config, timeout: 300 }, messages)).rejects.toThrow('超时');
  expect(bodies).toHaveLength(2);
});

test('without the permission of the operator no call goes to this machine, a private network or without TLS', async () => {
  const { config, bodies } = await startProvider(says('好'));
  const strict = { ...config, isPrivateHost: false };
  await expect(complete(strict, messages)).rejects.toThrow('https://');
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.8', '[::1]', '169.254.169.254'])
    await expect(complete({ ...strict, baseUrl: `https://${host}/v1` }, messages)).rejects.toThrow('内网');
  expect(bodies).toEqual([]);
});
