import { createHash } from 'node:crypto';
import { readFile, writeFile, chmod } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { problems } from '#contract/problem.ts';
import { readFieldCipher, keyFileOf } from '#server/security/keyFile.ts';
import { hashPassword } from '#server/security/password.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { film, tusClient } from '#testing/files/tus.ts';
import { asPlatformOwner, startMain, freePort } from '#testing/load/respondents.ts';
import { startMany, urlOf, type ManyServers } from '#testing/process/manyServers.ts';
import { startS3 } from '#testing/process/s3Server.ts';

const MB = 1024 * 1024;
const login = 'as.m.user.login';
const whoAmI = 'as.m.user.getUserInfo';
const md5 = 'A1B2C3D4E5F60718293A4B5C6D7E8F90';
const TOO_MANY = problems.tooManyRequests().code;

/** Gives 陈静怡 a password that all servers accept. */
async function setPassword({ target, servers }: ManyServers) {
  const cipher = await readFieldCipher(servers[0]?.dataDir ?? '');
  if (!cipher) throw new Error('the servers have no key');
  const hash = await hashPassword(md5, cipher.pepper);
  await asPlatformOwner(target, (owner) => owner.query("update auth.account set pwdhash = $1 where loginname = 'chen'", [hash]));
}

test('three servers that start at once on one database are one service: a session of one is a session of all', async () => {
  const many = await startMany();
  await setPassword(many);
  const signedIn = await many.call(0, '', login, { username: 'chen', pwd: md5 });
  const { token } = signedIn.data as { token: string };
  for (const index of [0, 1, 2]) expect(await many.call(index, token, whoAmI)).toMatchObject({ errorCode: 0 });
  // What one server saves is in the lists of the others.
  const list = async (index: number) =>
    ((await many.call(index, token, 'as.m.cuser.getCUserPageList')).data as { total: number }).total;
  expect([await list(0), await list(1), await list(2)]).toEqual([0, 0, 0]);
  const person = { username: '林小雨', gender: '02', birthday: '2000-03-04', appid: '000000002', archive: { studentno: '1' } };
  expect(await many.call(1, token, 'as.m.cuser.insertCUser', person)).toMatchObject({ errorCode: 0 });
  expect([await list(0), await list(1), await list(2)]).toEqual([1, 1, 1]);
  // A right that one server takes away is gone on the others with the next call.
  await asPlatformOwner(many.target, (owner) => owner.query("update auth.account set enabled = 0 where loginname = 'lu'"));
  for (const index of [0, 1, 2]) expect(await many.call(index, 'lu', whoAmI)).toMatchObject({ errorCode: 110000 });
  // Signing out on one signs out everywhere.
  expect(await many.call(2, token, 'as.m.user.logout')).toMatchObject({ errorCode: 0 });
  for (const index of [0, 1, 2]) expect(await many.call(index, token, whoAmI)).toMatchObject({ errorCode: 110000 });
});

test('three servers allow no more guesses than one: neither wrong passwords nor attempts per address and name', async () => {
  const many = await startMany();
  await setPassword(many);
  // The failures of an account count together, whichever server sees them.
  const wrong = 'B1B2C3D4E5F60718293A4B5C6D7E8F90';
  for (let n = 0; n < 6; n += 1) await many.call(n % 3, '', login, { username: 'chen', pwd: wrong });
  for (const index of [0, 1, 2]) {
    const locked = await many.call(index, '', login, { username: 'chen', pwd: md5 });
    expect([locked.errorCode === 0, locked.errorMsg]).toEqual([false, expect.stringContaining('分钟')]);
  }
  // 60 attempts at once, and 6 more each second, however many servers answer them.
  const startTime = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 180 }, () => many.callAny('', login, { username: 'nobody-knows', pwd: wrong })),
  );
  const most = 60 + Math.ceil((6 * (performance.now() - startTime)) / 1000);
  const heard = answers.filter(({ errorCode }) => errorCode !== TOO_MANY);
  expect(heard.length).toBeLessThanOrEqual(most);
  expect([...many.balancer.answers.values()].every((count) => count >= 60)).toBe(true);
});

test('a server with another key, or without the key of its database, refuses to start and says what to copy', async () => {
  const s3 = (await startS3({ pathStyle: true })).config;
  const many = await startMany({ count: 2, s3 });
  const { dataDir } = many.servers[1] as (typeof many.servers)[number];
  await many.stop(1, 'SIGTERM');
  const key = await readFile(keyFileOf(dataDir), 'utf8');
  await chmod(keyFileOf(dataDir), 0o600);
  await writeFile(keyFileOf(dataDir), Buffer.alloc(32, 7).toString('base64'));
  const env = { DATABASE_URL: urlOf(many.target), DATABASE_POOL: '2' };
  const wrong = startMain(dataDir, await freePort(), undefined, env);
  expect(await wrong.ready).toBe(false);
  expect(wrong.output()).toContain('复制同一数据库另一台服务器的 keys 目录');
  await writeFile(keyFileOf(dataDir), key);
  await many.restart(1);
  expect(await many.call(1, 'chen', whoAmI)).toMatchObject({ errorCode: 0 });
});

test('an export that one server takes on is downloaded from any other', async () => {
  const many = await startMany({ s3: (await startS3({ pathStyle: true })).config });
  const started = await many.call(0, 'ma', 'as.m.job.insertExport', { action: 'as.m.cuser.exportCuserList', request: {} });
  expect(started).toMatchObject({ errorCode: 0 });
  const { jobid } = started.data as { jobid: string };
  const newest = async () =>
    ((await many.callAny('ma', 'as.m.job.getExportPageList')).data as { rows: { status: number; error: string }[] }).rows[0];
  await expect.poll(newest, { timeout: 120_000 }).toMatchObject({ status: 2, error: '' });
  for (const { port } of many.servers) {
    const response = await fetch(`http://127.0.0.1:${port}/api/as.m.job.downloadExport/1.0.0/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token: 'ma' },
      body: JSON.stringify({ jobid }),
    });
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  }
});

test('an upload goes on at another server when its own was killed in the middle of a part, and when only its line broke', async () => {
  const s3 = await startS3({ pathStyle: true });
  const many = await startMany({
    s3: s3.config,
    prepare: (target) =>
      asPlatformOwner(target, (owner) =>
        owner.query(
          `insert into sysuserpermission (userid, musercode, code, effect)
           select userid, musercode, '00030', 'grant' from sysuser where userid = 'U_MA'`,
        ),
      ),
  });
  const clientOf = (index: number) => tusClient(`http://127.0.0.1:${many.servers[index]?.port}`, 'ma');
  const content = film(3 * MB);
  const path = await clientOf(0).begin({ size: content.length });
  const uploadid = path.split('/').at(-1) ?? '';
  expect((await clientOf(0).patch(path, 0, content.subarray(0, MB))).status).toBe(204);

  // A line that is dead while nobody has closed it: the first server still waits for bytes. Another one gets the upload.
  sendSome(many.servers[0]?.port ?? 0, path, MB, content, 1000);
  await expect.poll(() => leaseCount(many), { timeout: 60_000 }).toBe(1);
  const offset = await offsetOf(clientOf(1), path);
  expect(offset).toBeGreaterThanOrEqual(MB);
  expect((await clientOf(1).patch(path, offset, content.subarray(offset, 2 * MB))).status).toBe(204);

  // A server that is killed while it writes: its lease ends, and another server goes on.
  sendSome(many.servers[1]?.port ?? 0, path, 2 * MB, content, 1000);
  await expect.poll(() => leaseCount(many), { timeout: 60_000 }).toBe(1);
  await many.stop(1, 'SIGKILL');
  expect((await clientOf(2).patch(path, 2 * MB, content.subarray(2 * MB))).status).toBe(204);
  expect(await many.call(0, 'ma', upload.finishUpload.name, { uploadid })).toMatchObject({
    errorCode: 0,
    data: { size: content.length },
  });
  const stored = [...s3.objects].filter(([key]) => key.startsWith('upload/')).map(([, { body }]) => body);
  expect(stored.map((body) => createHash('sha256').update(body).digest('hex'))).toHaveLength(1);
  const files = await asPlatformOwner(many.target, (owner) => owner.query<{ sha256: string }>('select sha256 from fileobj'));
  expect(files.rows).toEqual([{ sha256: createHash('sha256').update(content).digest('hex') }]);
});

/** Reads where the server is. It waits until the request that still held the upload has ended. */
const offsetOf = async (client: ReturnType<typeof tusClient>, path: string) =>
  Number((await client.head(path)).headers.get('upload-offset'));

const leaseCount = ({ target }: ManyServers) =>
  asPlatformOwner(target, async (owner) => {
    const { rows } = await owner.query<{ n: number }>(
      "select count(*)::int as n from auth.lease where name like 'upload %' and expiretime > now()",
    );
    return rows[0]?.n ?? 0;
  });

/** Begins a request that announces all bytes from an offset on, sends a few of them and then nothing more. */
function sendSome(port: number, path: string, offset: number, whole: Buffer, bytes: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  onTestFinished(() => void socket.destroy());
  const head = [
    `PATCH ${path} HTTP/1.1`,
    'host: a',
    'token: ma',
    'tus-resumable: 1.0.0',
    'content-type: application/offset+octet-stream',
    `upload-offset: ${offset}`,
    `content-length: ${whole.length - offset}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(whole.subarray(offset, offset + bytes));
}
