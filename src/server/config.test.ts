import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { checkExternalDatabase, targetOf } from '#server/postgres/externalDatabase.ts';
import { listenError } from '#server/startError.ts';

test('an empty environment starts the demonstration at 127.0.0.1:8080 with an embedded database in ./data', () => {
  expect(readConfig({}, '/srv/app')).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: '/srv/app/data',
    databaseUrl: null,
    replicaUrl: null,
    isPooled: false,
    poolSize: 12,
    drainSeconds: 0,
    demo: true,
    publicUrl: null,
    websiteUrl: null,
    trustProxy: false,
    isPrivateTargetAllowed: false,
    isPayLocal: true,
    s3: null,
    ai: null,
  });
  expect(readConfig({ PORT: '', HOST: ' ', DEMO: '' }, '/srv/app').port).toBe(8080);
});

test('the operator can set every variable', () => {
  const env = {
    PORT: '9000',
    HOST: '0.0.0.0',
    DATA_DIR: '/data',
    DATABASE_URL: 'postgres://u:p@db:5433/xinli',
    DATABASE_REPLICA_URL: 'postgres://u:p@copy:5433/xinli',
    DATABASE_POOLER: '1',
    DATABASE_POOL: '20',
    DRAIN_SECONDS: '10',
    DEMO: '0',
    PUBLIC_URL: 'https://psy.example',
    WEBSITE_URL: 'https://www.psy.example/',
    TRUST_PROXY: '1',
    ALLOW_PRIVATE_TARGETS: '1',
    S3_ENDPOINT: 'https://s3.oss-cn-hangzhou.aliyuncs.com',
    S3_REGION: 'oss-cn-hangzhou',
    S3_BUCKET: 'xinli',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'geheim',
    AI_BASE_URL: 'https://ai.example.cn/v1',
    AI_API_KEY: 'sk-1',
    AI_MODEL: 'm-1',
  };
  expect(readConfig(env, '/srv')).toEqual({
    host: '0.0.0.0',
    port: 9000,
    dataDir: '/data',
    databaseUrl: 'postgres://u:p@db:5433/xinli',
    replicaUrl: 'postgres://u:p@copy:5433/xinli',
    isPooled: true,
    poolSize: 20,
    drainSeconds: 10,
    demo: false,
    publicUrl: 'https://psy.example',
    websiteUrl: 'https://www.psy.example/',
    trustProxy: 1,
    isPrivateTargetAllowed: true,
    isPayLocal: false,
    s3: {
      endpoint: 'https://s3.oss-cn-hangzhou.aliyuncs.com',
      region: 'oss-cn-hangzhou',
      bucket: 'xinli',
      accessKeyId: 'id',
      secretAccessKey: 'geheim',
      pathStyle: false,
    },
    ai: { baseUrl: 'https://ai.example.cn/v1', apiKey: 'sk-1', model: 'm-1', isPrivateHost: false, timeout: 60_000 },
  });
});

test.each([
  ['DATABASE_POOL', '1', '2–200'],
  ['DATABASE_POOL', 'many', '2–200'],
  ['DRAIN_SECONDS', '-1', '0–300'],
  ['DRAIN_SECONDS', '301', '0–300'],
])('%s does not accept %s and says what it accepts', (name, value, range) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} 应为 ${range} 的整数`);
});

test('an AI provider needs its address, key and model, and https unless the operator names it as private', () => {
  const env = { AI_BASE_URL: 'http://10.0.0.5/v1', AI_API_KEY: 'sk-geheim', AI_MODEL: 'm' };
  expect(() => readConfig(env)).toThrow('AI_BASE_URL 应以 https:// 开头');
  expect(() => readConfig({ AI_API_KEY: 'sk-geheim' })).toThrow('使用 AI 服务还需要 AI_BASE_URL、AI_MODEL');
  expect(readConfig({ ...env, AI_PRIVATE_HOST: '1' }).ai).toMatchObject({ isPrivateHost: true });
});

test('TRUST_PROXY is a number of proxies or their addresses; anything else is refused in words', () => {
  const trustProxy = (text: string) => readConfig({ TRUST_PROXY: text }, '/srv').trustProxy;
  expect([trustProxy(''), trustProxy('0'), trustProxy('2')]).toEqual([false, false, 2]);
  expect(trustProxy('10.0.0.2, 192.168.0.0/16,fd00::/8')).toEqual(['10.0.0.2', '192.168.0.0/16', 'fd00::/8']);
  for (const text of ['true', '10.0.0', '10.0.0.2/33', '10.0.0.0/8/9', '10.0.0.2,', 'proxy.example', '0.0.0.0/0'])
    expect(() => trustProxy(text), text).toThrow('TRUST_PROXY 应为代理的层数');
});

test('all wrong variables are reported together in Chinese and English, without passwords', () => {
  const env = { PORT: '80a', DEMO: 'maybe', DATABASE_URL: 'mysql://root:geheim@db/x', S3_SECRET_ACCESS_KEY: 'geheim' };
  const message = (() => {
    try {
      return JSON.stringify(readConfig(env));
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  })();
  expect(message).toContain('PORT 应为');
  expect(message).toContain('DEMO 应为');
  expect(message).toContain('DATABASE_URL 格式不正确');
  expect(message).toContain('S3_ENDPOINT、S3_REGION、S3_BUCKET、S3_ACCESS_KEY_ID');
  expect(message).toContain('PORT must be');
  expect(message).not.toContain('geheim');
});

test.each(['www.psy.example', '/', 'javascript:alert(1)'])('WEBSITE_URL=%s is refused', (WEBSITE_URL) => {
  expect(() => readConfig({ WEBSITE_URL })).toThrow('WEBSITE_URL 应以');
});

test.each(['65536', '-1', '8080.5', '1e3'])('PORT=%s is refused', (PORT) => {
  expect(() => readConfig({ PORT })).toThrow('PORT 应为');
});

test('a port in use is reported with a command that solves it', async () => {
  const first = createServer();
  await new Promise<void>((done) => first.listen(0, '127.0.0.1', done));
  const { port } = first.address() as AddressInfo;
  const second = createServer();
  const error = await new Promise((done) => second.once('error', done).listen(port, '127.0.0.1'));
  expect(listenError(error, '127.0.0.1', port)).toMatchObject({
    code: 'port-taken',
    message: expect.stringContaining(`端口 ${port} 已被占用`),
  });
  await new Promise((done) => first.close(done));
});

test('an unreachable DATABASE_URL is reported without its password', async () => {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  const attempt = checkExternalDatabase(`postgres://xinli:geheim@127.0.0.1:${port}/xinli`);
  await expect(attempt).rejects.toMatchObject({ code: 'database-url' });
  await expect(attempt).rejects.toThrow(`127.0.0.1:${port} 拒绝连接`);
  await expect(attempt).rejects.not.toThrow('geheim');
});

test('a DATABASE_URL is parsed into connection settings', () => {
  expect(targetOf('postgresql://x%40y:a%2Fb@db.example:6000/psy?sslmode=require')).toEqual({
    host: 'db.example',
    port: 6000,
    database: 'psy',
    user: 'x@y',
    password: 'a/b',
    ssl: true,
  });
});
