import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { hashPassword } from '#server/security/password.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { appendHead } from '#server/audit/heads.ts';
import { signOrigin } from '#server/audit/origin.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { asOwner } from '#server/db/roles.ts';
import { retireKeys } from '#server/rotation/retire.ts';
import { rotateKey } from '#server/rotation/rotate.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { keyFileOf, readFieldCipher } from '#server/security/keyFile.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import { formatKeyring } from '#server/security/keyring.ts';
import { asPlatformOwner } from '#testing/load/respondents.ts';
import { startMany, urlOf } from '#testing/process/manyServers.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A server whose keys lie in a data folder, as those of a real one, and the tools of the command. */
async function startWithKeys() {
  const server = await startServer();
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-rotate-'));
  await mkdir(join(dataDir, 'keys'));
  const { cipher } = server.services;
  await writeFile(keyFileOf(dataDir), formatKeyring(cipher.ring.keys), { mode: 0o400 });
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  await openMasterKey(dataDir, owner);
  onTestFinished(async () => {
    await owner.end();
    await rm(dataDir, { recursive: true });
  });
  const lines: string[] = [];
  const tools = { owner, dataDir, tell: (line: string) => void lines.push(line), settleSeconds: 0 };
  /** The server takes the keys of the file over, as it does every two seconds. */
  const follow = async () => {
    const { rows } = await owner.query<{ value: string }>('select value from auth.keycheck');
    const opened = await openMasterKey(dataDir, owner);
    expect(opened.checkValue).toBe(rows[0]?.value);
    cipher.use(opened.ring);
  };
  return { server, dataDir, owner, tools, lines, follow, cipher };
}

const addStudent = (server: TestServer, username: string) =>
  server.as('chen')(insertCUser, { appid: '000000002', username, gender: '02', archive: {}, guardian: [] });

test('the audit log verifies across a change of the key; a row or a head forged with the stolen old key is told', async () => {
  const { server, owner, tools, follow, cipher } = await startWithKeys();
  const [stolen] = cipher.ring.keys;
  await addStudent(server, '林小雨');
  expect((await verifyAudit(server.services)).faults).toEqual([]);
  await rotateKey(tools);
  await follow();
  await addStudent(server, '周明');
  expect((await verifyAudit(server.services)).faults).toEqual([]);
  const thief = new FieldCipher({ keys: [stolen!], current: stolen! });
  const entry = { action: 'as.m.cuser.insertCUser', title: '没有发生', kind: 'write', cuserids: [], minors: 0, detail: {} };
  await owner.query('alter table audit.log no force row level security');
  await owner.query(
    `insert into audit.log (action, title, kind, cuserids, minors, detail, origin)
     select r.action, r.title, r.kind, r.cuserids, r.minors, r.detail, r.origin
     from jsonb_to_record($1::jsonb) as r (
       action text, title text, kind text, cuserids text[], minors smallint, detail jsonb, origin text)`,
    [JSON.stringify(signOrigin(thief, entry))],
  );
  expect((await verifyAudit(server.services)).faults).toEqual([expect.stringMatching(/没有发生）不是服务器写入的/)]);
  await appendHead(server.services.auditDir, thief, { kind: 'adopt', seq: 0, seal: '', time: new Date().toISOString(), from: 0 });
  expect((await verifyAudit(server.services)).faults).toContain('封存头文件中有 1 行不是服务器写的');
});

test('a change of the key that was cut off goes on at each step, and the earlier key is removed when nothing needs it', async () => {
  const { server, owner, tools, dataDir, follow, cipher } = await startWithKeys();
  const pwd = passwordHash('Chen-2025-jing');
  await server.sqlAsOwner("update auth.account set pwdhash = $1 where loginname = 'chen'", [
    await hashPassword(pwd, cipher.pepper),
  ]);
  // A server that does not have the new key yet: the operator ends the command.
  await owner.query(
    `insert into auth.keyserver (serverid, name, knows, current, seentime) values (gen_random_uuid(), 'B', $1, $2, now())`,
    [[cipher.checkValue], cipher.checkValue],
  );
  const cutOff = () => Promise.reject(new Error('cut off'));
  await expect(rotateKey({ ...tools, wait: cutOff })).rejects.toThrow('cut off');
  const file = await readFile(keyFileOf(dataDir), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(2);
  expect((await stat(keyFileOf(dataDir))).mode & 0o777).toBe(0o400);
  const { checkValue } = cipher;
  expect((await openMasterKey(dataDir, owner)).checkValue).toBe(checkValue);
  await expect(rotateKey(tools)).rejects.toThrow('--continue');
  await expect(retireKeys(tools)).rejects.toThrow('--continue');
  // The server has it now, but does not write with it: cut off again, after the change.
  await owner.query('update auth.keyserver set knows = $1', [
    (await readFieldCipher(dataDir))!.ring.keys.map((key) => key.checkValue),
  ]);
  await expect(rotateKey({ ...tools, wait: cutOff }, { isContinued: true })).rejects.toThrow('cut off');
  await follow();
  expect(cipher.checkValue).not.toBe(checkValue);
  await owner.query('delete from auth.keyserver');
  await rotateKey(tools, { isContinued: true });
  expect(await readFile(keyFileOf(dataDir), 'utf8')).toBe(file);

  await expect(retireKeys(tools)).rejects.toThrow(/登录密码 \d+ 个；启用新密钥还不到 24 小时/);
  await server.sqlAsOwner(
    "update auth.account set pwdhash = case loginname when 'chen' then $1 else '' end where pwdhash <> ''",
    [await hashPassword(pwd, cipher.pepper)],
  );
  await owner.query("update auth.keycheck set since = now() - interval '25 hours'");
  expect(await retireKeys(tools)).toBe(1);
  expect(await retireKeys(tools)).toBe(0);
  await follow();
  expect(cipher.ring.keys.map((key) => key.isRemoved)).toEqual([true, false]);
  expect((await readFile(keyFileOf(dataDir), 'utf8')).includes(file.trim().split('\n')[1] as string)).toBe(false);
  expect((await verifyAudit(server.services)).faults).toEqual([]);
});

test('the command changes the key while two servers answer: no call fails, all is readable, both write with the new key', async () => {
  const many = await startMany({ count: 2 });
  const dataDir = many.servers[0]?.dataDir ?? '';
  const person = (n: number) => ({
    appid: '000000001',
    username: `苏晓${n}`,
    gender: '02',
    phonenumber: `138000${10_000 + n}`,
    archive: { lmpdate: '2025-03-01' },
  });
  const failures: unknown[] = [];
  let [isDone, calls] = [false, 0];
  const work = async (index: number) => {
    for (let n = index; !isDone; n += 2) {
      const added = await many.call(index, 'lin', 'as.m.cuser.insertCUser', person(n));
      const { cuserid } = (added.data ?? {}) as { cuserid?: string };
      const other = 1 - index;
      const read = await many.call(other, 'lin', 'as.m.cuser.revealCUser', { cuserid });
      const found = await many.call(other, 'lin', 'as.m.cuser.getCUserPageList', { keyword: person(n).phonenumber });
      calls += 3;
      if ((read.data as { phonenumber?: string })?.phonenumber !== person(n).phonenumber) failures.push(added, read);
      if ((found.data as { total?: number })?.total !== 1) failures.push(found);
      // Slower than the limit of calls of a session.
      await pause(400);
    }
  };
  const workers = [0, 1].map(work);
  const before = (await readFieldCipher(dataDir))!.checkValue;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [new URL('../../../scripts/keys/rotate.ts', import.meta.url).pathname],
    {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: urlOf(many.target), DEMO: '0' },
    },
  ).finally(() => (isDone = true));
  await Promise.all(workers);
  expect(stdout).toContain('新密钥已启用');
  expect(failures.slice(0, 4)).toEqual([]);
  expect(calls).toBeGreaterThan(12);
  const { rows } = await asPlatformOwner(many.target, (owner) =>
    owner.query<{ value: string; currents: string[]; old: number; all: number }>(
      `select (select value from auth.keycheck) as value, (select array_agg(distinct current) from auth.keyserver) as currents,
         (select count(*)::int from cuser where phonesealed like '1.%' or length(phonehash) = 22) as old,
         (select count(*)::int from cuser where phonesealed is not null) as all`,
    ),
  );
  expect(rows[0]?.value).not.toBe(before);
  expect(rows[0]?.currents).toEqual([rows[0]?.value]);
  expect(rows[0]).toMatchObject({ old: 0, all: calls / 3 });
  // A server that starts later has both keys, too.
  await many.stop(1, 'SIGTERM');
  await chmod(keyFileOf(dataDir), 0o400);
  await many.restart(1);
  expect(await many.call(1, 'lin', 'as.m.cuser.getCUserPageList', { keyword: person(0).phonenumber })).toMatchObject({
    data: { total: 1 },
  });
});
