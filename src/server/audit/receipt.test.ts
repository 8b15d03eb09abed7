import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkAuditReceipt, exportAuditReceipt } from '#features/audit/audit.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { adoptAudit } from '#server/audit/adopt.ts';
import { headsFileOf } from '#server/audit/heads.ts';
import { sealAudit } from '#server/audit/seal.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { asOwner } from '#server/db/roles.ts';
import { freePort, prepareRespondents, startMain, tryCall, withDatabase } from '#testing/load/respondents.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const NAMES = ['林小雨', '周子涵', '张小北', '许安然', '何一诺', '沈星河'];
const addStudent = (server: TestServer, username: string, person: 'chen' | 'qiao' = 'chen') =>
  server.as(person)(insertCUser, { appid: '000000002', username, gender: '02', archive: {}, guardian: [] });

/** Statements of somebody who owns the database, with all locks of the audit log off. */
async function asDatabaseOwner({ target }: Pick<TestServer, 'target'>, ...statements: string[]) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    for (const statement of [
      'alter table audit.log disable trigger all',
      'alter table audit.seal disable trigger all',
      'alter table audit.log no force row level security',
      ...statements,
      'alter table audit.log enable trigger all',
      'alter table audit.seal enable trigger all',
      'alter table audit.log force row level security',
    ])
      await client.query(statement);
  } finally {
    await client.end();
  }
}

/** 晨光中学 has six rows and 东山中学 one; 马主任 has downloaded the receipt. */
async function withReceipt() {
  const server = await startServer();
  await addStudent(server, '乔一', 'qiao');
  for (const name of NAMES) await addStudent(server, name);
  const { filename, body } = (await server.as('ma')(exportAuditReceipt, {})) as { filename: string; body: Buffer };
  const text = body.toString('utf8');
  const check = (receipt = text) => server.as('ma')(checkAuditReceipt, { receipt });
  return { ...server, server, filename, text, check };
}

/** Deletes the file of heads and lets the server begin a new one: what an operator with the key can do. */
async function renewHeads({ services }: TestServer, reason = '恢复了备份') {
  await rm(headsFileOf(services.auditDir));
  await adoptAudit(services, '方敏', reason);
  expect((await verifyAudit(services)).faults).toEqual([]);
}

test('the receipt has the number and the seal of the last row and the number of own rows, names nobody, and agrees later', async () => {
  const { server, filename, text, check } = await withReceipt();
  expect(filename).toMatch(/^审计凭证_M_CHENGUANG_\d{4}-\d{2}-\d{2}\.json$/);
  expect(JSON.parse(text)).toMatchObject({ musercode: 'M_CHENGUANG', insname: '云栖市晨光中学', seq: 7, rows: 6 });
  for (const name of NAMES) expect(text).not.toContain(name);
  expect(await check()).toEqual({ intact: true, message: expect.stringMatching(/^一致：.+ 6 条都在/) as string, faults: [] });
  await addStudent(server, '学生甲');
  await sealAudit(server.services);
  expect(await check()).toMatchObject({ intact: true });
});

const attacks: Record<string, { sql: string[]; message: RegExp }> = {
  'a cut of the tail, with a new file of heads': {
    sql: ['delete from audit.log where id in (select id from audit.seal where seq > 4)', 'delete from audit.seal where seq > 4'],
    message: /^第 7 条的封印与凭证不同|^审计日志只有 \d 条，凭证出具时（.+）有 7 条：末尾被删除/,
  },
  'a deletion of all rows, with a new file of heads': {
    sql: ['delete from audit.log', 'delete from audit.seal', 'delete from audit.unsealed'],
    message: /^审计日志只有 1 条，凭证出具时（.+）有 7 条：末尾被删除，或恢复了较早的备份$/,
  },
  'one own row deleted and the whole log sealed anew with the key': {
    sql: [
      'delete from audit.log where id = (select id from audit.seal where seq = 3)',
      'delete from audit.seal',
      'delete from audit.unsealed',
      'insert into audit.unsealed select id from audit.log',
    ],
    message: /^第 7 条的封印与凭证不同：.+ 之前的记录被改动或删除后重新封存$/,
  },
  'a row of another institution deleted and the whole log sealed anew with the key': {
    sql: [
      'delete from audit.log where id = (select id from audit.seal where seq = 1)',
      'delete from audit.seal',
      'delete from audit.unsealed',
      'insert into audit.unsealed select id from audit.log',
    ],
    message: /^第 7 条的封印与凭证不同：.+ 之前的记录被改动或删除后重新封存$/,
  },
};

test.each(Object.entries(attacks))(
  'a receipt of before tells %s, which the chain and its heads call whole',
  async (_, { sql, message }) => {
    const { server, check } = await withReceipt();
    await asDatabaseOwner(server, ...sql);
    await renewHeads(server);
    const { intact, faults } = await check();
    expect(intact).toBe(false);
    expect(faults).toContainEqual(expect.stringMatching(message));
  },
);

test('a receipt of before tells an older database that was restored and adopted', async () => {
  const { server, check, services, sqlAsOwner } = await withReceipt();
  await asDatabaseOwner(
    server,
    'delete from audit.log where id not in (select id from audit.seal where seq <= 5)',
    'delete from audit.unsealed',
    'delete from audit.seal where seq > 5',
  );
  await adoptAudit(services, '方敏', '恢复了昨天的备份');
  expect((await verifyAudit(services)).faults).toEqual([]);
  expect((await check()).faults[0]).toMatch(/^审计日志只有 \d 条，凭证出具时（.+）有 7 条/);
  // Rows after the restore may reach the number of the receipt; their seals differ.
  for (const name of ['甲', '乙', '丙']) await addStudent(server, `学生${name}`);
  await sealAudit(services);
  expect(await sqlAsOwner('select from audit.seal where seq = 7')).toHaveLength(1);
  expect((await check()).faults[0]).toMatch(/^第 7 条的封印与凭证不同/);
});

test('a receipt tells an own row that was changed after it was sealed', async () => {
  const { server, check } = await withReceipt();
  await asDatabaseOwner(server, "update audit.log set ip = '10.0.0.9' where id = (select id from audit.seal where seq = 3)");
  expect((await check()).faults).toEqual([expect.stringMatching(/^第 3 条（.+ 新增受测者）与封印不符：记录被改动$/)]);
});

test('a receipt that was changed, one of another institution and any other text are refused', async () => {
  const { check, text, as } = await withReceipt();
  await expect(check(text.replace('"rows": 6', '"rows": 5'))).rejects.toMatchObject({
    code: 120002,
    message: '不是本系统出具的审计凭证，或内容被改动',
  });
  await expect(check('{}')).rejects.toMatchObject({ code: 120002 });
  await expect(check('null')).rejects.toMatchObject({ code: 120002 });
  const { body } = (await as('super')(exportAuditReceipt, {})) as { body: Buffer };
  await expect(check(body.toString('utf8'))).rejects.toMatchObject({ message: '这是另一个机构的审计凭证' });
  expect(await as('super')(checkAuditReceipt, { receipt: text })).toMatchObject({ intact: true });
  await expect(as('wang')(exportAuditReceipt, {})).rejects.toMatchObject({ code: 110004 });
});

/** Runs `npm run audit:verify` with these words and returns its exit code and its output. */
async function runVerify(dataDir: string, ...words: string[]) {
  const child = spawn(process.execPath, ['scripts/audit/verify.ts', ...words], { env: { ...process.env, DATA_DIR: dataDir } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output };
}

test('a row of a server that was killed before it sealed is sealed after the restart; npm run audit:verify reads the receipt', async () => {
  const { dataDir } = await prepareRespondents(1);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const counts = () =>
    withDatabase(dataDir, async (target) => {
      const client = new pg.Client(asOwner(target));
      await client.connect();
      const { rows } = await client.query<{ unsealed: number; rows: number; seals: number }>(
        `select (select count(*) from audit.unsealed)::int as unsealed, (select count(*) from audit.log)::int as rows,
           (select count(*) from audit.seal)::int as seals`,
      );
      await client.end();
      return rows[0]!;
    });
  const student = (username: string) => ({ appid: '000000002', username, gender: '02', archive: {}, guardian: [] });
  let left = { unsealed: 0, rows: 0, seals: 0 };
  for (let attempt = 0; left.unsealed === 0 && attempt < 10; attempt += 1) {
    const server = startMain(dataDir, port);
    expect([await server.ready, server.output()]).toEqual([true, expect.any(String)]);
    expect(await tryCall(port, 'chen', insertCUser.name, student(`学生${attempt}`))).toMatchObject({ errorCode: 0 });
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    left = await counts();
  }
  expect(left.unsealed).toBeGreaterThan(0);
  const server = startMain(dataDir, port);
  expect(await server.ready).toBe(true);
  const answer = await fetch(`http://127.0.0.1:${port}/api/${exportAuditReceipt.name}/1.0.0/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token: 'ma' },
    body: '{}',
  });
  const receipt = join(dataDir, 'receipt.json');
  await writeFile(receipt, await answer.text());
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  const after = await counts();
  expect(after.seals).toBeGreaterThanOrEqual(left.rows);
  const whole = await runVerify(dataDir, '--receipt', receipt);
  expect(whole).toMatchObject({ code: 0, output: expect.stringMatching(/完整：共 \d+ 条，未发现改动/) as string });

  await withDatabase(dataDir, (target) =>
    asDatabaseOwner({ target }, 'delete from audit.log', 'delete from audit.seal', 'delete from audit.unsealed'),
  );
  expect((await runVerify(dataDir)).output).toMatch(/被改动：数据库只有 0 条/);
  expect((await runVerify(dataDir, '--adopt')).code).not.toBe(0);
  const adopted = await runVerify(dataDir, '--adopt', '--operator', '方敏', '--reason', '恢复了备份');
  expect(adopted).toMatchObject({ code: 0, output: expect.stringContaining('完整：共 1 条') as string });
  const compared = await runVerify(dataDir, '--receipt', receipt);
  expect(compared).toMatchObject({
    code: 1,
    output: expect.stringMatching(/被改动：(第 1 条的封印与凭证不同|审计日志只有 1 条，凭证出具时)/) as string,
  });
});
