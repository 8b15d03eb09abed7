import { createHook } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { complete, type AiConfig } from '#server/ai/completion.ts';
import type { ChannelMessage } from '#server/messages/channelAdapter.ts';
import { mailAdapter } from '#server/messages/mail.ts';
import { findAddress, isPrivateAddress } from '#server/messages/outgoing.ts';
import { webhookAdapter } from '#server/messages/webhook.ts';
import { answerOf } from '#testing/process/aiProvider.ts';
import { startSmtpServer } from '#testing/process/smtp.ts';

const message: ChannelMessage = {
  id: '1',
  insname: '云栖市晨光中学',
  group: 'warning',
  groupname: '预警',
  count: 1,
  text: '您有 1 条新的预警消息',
  link: 'http://127.0.0.1:8080/notices',
  time: new Date('2025-10-08T02:00:00Z'),
};

/** A service on this machine that nobody outside may reach. It counts connections and requests. */
async function startInner(act?: Parameters<typeof createServer>[1]) {
  const count = { connections: 0, requests: [] as string[] };
  const server: Server = createServer((request, response) => {
    count.requests.push(request.url ?? '');
    if (act) act(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answerOf('好'));
  });
  server.on('connection', () => (count.connections += 1));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, count };
}

/** Names and forms of this machine and of private networks, as an attacker types them in an address. */
const innerHosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '0', '0.0.0.0'],
  ...['127.0.0.1.', 'localhost', 'LOCALHOST', 'localhost.', '①②⑦.⓪.⓪.①', '127。0。0。1'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::1]'],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '169.254.169.254', '[fd00:ec2::254]'],
  ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '[fe80::1]', '[fec0::1]', '[ff02::1]', '224.0.0.1', '255.255.255.255'],
];

const provider = (host: string, port: number, more: Partial<AiConfig> = {}): AiConfig => ({
  baseUrl: `https://${host}:${port}/v1`,
  apiKey: 'k',
  model: 'm',
  isPrivateHost: false,
  timeout: 3_000,
  ...more,
});

test('webhook, mail and AI provider reach nothing on this machine or in a private network, however its address is written', async () => {
  const inner = await startInner();
  const reasons = new Map<string, string>();
  const strict = { isPrivateAllowed: false };
  for (const host of innerHosts) {
    const bare = host.replace(/^\[|\]$/g, '');
    const attempts = {
      webhook: () => webhookAdapter.send({ url: `https://${host}:${inner.port}/`, secret: 'x'.repeat(16) }, message, strict),
      mail: () =>
        mailAdapter.send(
          {
            ...{ host: bare, port: inner.port, security: 'tls', username: '', password: '' },
            ...{ fromaddress: 'a@b.example', to: 'c@d.example' },
          },
          message,
          strict,
        ),
      ai: () => complete(provider(host, inner.port), [{ role: 'user', content: '{}' }]),
    };
    for (const [kind, attempt] of Object.entries(attempts)) {
      const reason = await attempt().then(
        () => 'sent',
        (error: unknown) => String(error),
      );
      if (!/不允许发往本机或内网地址|找不到主机/.test(reason)) reasons.set(`${kind} ${host}`, reason);
    }
  }
  expect([...reasons]).toEqual([]);
  expect(inner.count).toEqual({ connections: 0, requests: [] });
});

test('an address with a zone, a mapped, translated or reserved one, and a text that is no address, are never public', () => {
  const texts = ['fe80::1%lo', '2400:3200::1%eth0', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '2001:0:1::1', '3fff::1'];
  const others = ['fec0::1', '5f00::1', '100::1', '4000::1', '', 'example.com', '127.1', '1.2.3', '256.1.1.1', '192.88.99.1'];
  expect([...texts, ...others].filter((text) => !isPrivateAddress(text))).toEqual([]);
  expect(['8.8.8.8', '114.114.114.114', '2400:3200::1', '2606:4700::1111'].filter(isPrivateAddress)).toEqual([]);
});

/** Counts the look-ups of names while `work` runs. */
async function countLookups(work: () => Promise<unknown>): Promise<number> {
  let lookups = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'GETADDRINFOREQWRAP' || type === 'QUERYWRAP') lookups += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return lookups;
}

test('a name is looked up once for each message: an answer that changes after the check is never used', async () => {
  const inner = await startInner();
  const isAllowed = { isPrivateAllowed: true };
  const smtp = await startSmtpServer();
  const byName = 'localhost';
  const ai = provider(byName, inner.port, { baseUrl: `http://${byName}:${inner.port}/v1`, isPrivateHost: true });
  const lookups = {
    webhook: await countLookups(() =>
      webhookAdapter.send({ url: `http://${byName}:${inner.port}/`, secret: 'x'.repeat(16) }, message, isAllowed),
    ),
    ai: await countLookups(() => complete(ai, [{ role: 'user', content: '{}' }])),
    mail: await countLookups(() =>
      mailAdapter.send(
        {
          ...{ host: byName, port: smtp.port, security: 'none', username: '', password: '' },
          ...{ fromaddress: 'a@b.example', to: 'c@d.example' },
        },
        message,
        isAllowed,
      ),
    ),
  };
  expect(lookups).toEqual({ webhook: 1, ai: 1, mail: 1 });
  expect(smtp.mails).toHaveLength(1);
  expect(inner.count.requests).toHaveLength(2);
});

test('a name with a public and a private address is refused: it may mean either', async () => {
  const answers = (...addresses: string[]) => findAddress('rebind.example', false, () => Promise.resolve(addresses));
  for (const inner of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0']) {
    await expect(answers('8.8.8.8', inner)).rejects.toThrow('内网');
    await expect(answers(inner, '2400:3200::1')).rejects.toThrow('内网');
  }
  expect(await answers('8.8.8.8', '2400:3200::1')).toBe('8.8.8.8');
});

test.each([300, 301, 302, 303, 304, 307, 308])(
  'a redirect with status %i is followed by neither webhook nor AI provider',
  async (status) => {
    const target = await startInner();
    const redirecting = await startInner((_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/secrets`, refresh: '0;url=/secrets' }).end(),
    );
    const url = `http://127.0.0.1:${redirecting.port}`;
    await expect(webhookAdapter.send({ url, secret: 'x'.repeat(16) }, message, { isPrivateAllowed: true })).rejects.toThrow(
      `对方要求跳转（${status}）`,
    );
    const ai = provider('127.0.0.1', redirecting.port, { baseUrl: `${url}/v1`, isPrivateHost: true });
    await expect(complete(ai, [{ role: 'user', content: '{}' }])).rejects.toThrow(`AI 服务要求跳转（${status}）`);
    expect(redirecting.count.requests).toHaveLength(2);
    expect(target.count.connections).toBe(0);
  },
);
