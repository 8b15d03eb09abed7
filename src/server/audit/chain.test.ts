import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { adoptAudit } from '#server/audit/adopt.ts';
import { appendHead, headsFileOf } from '#server/audit/heads.ts';
import { sealColumns, sealOf, type SealedRow } from '#server/audit/row.ts';
import { sealAudit } from '#server/audit/seal.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { asOwner, asRole } from '#server/db/roles.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const addStudent = (server: TestServer, username: string, person: 'chen' | 'qiao' = 'chen') =>
  server.as(person)(insertCUser, { appid: '000000002', username, gender: '02', archive: {}, guardian: [] });

/** Runs statements as the owner of the database with all locks of the audit log off. */
async function asDatabaseOwner({ target }: TestServer, ...statements: string[]) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    for (const statement of [
      'alter table audit.log disable trigger all',
      'alter table audit.seal disable trigger all',
      'alter table audit.log no force row level security',
      ...statements,
    ])
      await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ways to falsify six sealed rows, with the message that tells each. */
const tamperings: Record<string, { sql: string[]; message: RegExp }> = {
  'a changed detail, and a recomputed hash without the key': {
    sql: [
      `update audit.log set detail = '{"changed": []}' where id = (select id from audit.seal where seq = 3)`,
      "update audit.seal set hmac = encode(sha256(hmac::bytea), 'base64') where seq = 3",
    ],
    message: /^第 3 条（.+）不是服务器写入的：记录被补入或改动$/,
  },
  'a cut tail': {
    sql: ['delete from audit.log where id in (select id from audit.seal where seq > 4)', 'delete from audit.seal where seq > 4'],
    message: /^数据库只有 4 条，少于封存头的 6 条（.+）：末尾被删除，或恢复了较早的备份$/,
  },
  'all rows deleted': {
    sql: ['delete from audit.log', 'delete from audit.seal'],
    message: /^数据库只有 0 条，少于封存头的 6 条/,
  },
  'all tables truncated': {
    sql: ['truncate audit.log, audit.seal, audit.unsealed'],
    message: /^数据库只有 0 条，少于封存头的 6 条/,
  },
  'another path': {
    sql: ["update audit.log set orgpath = 'AS000001.' where id = (select id from audit.seal where seq = 2)"],
    message: /^第 2 条的机构路径被改动：封存时为 AS000001\..+，现为 AS000001\.$/,
  },
  'another path in the row and in its seal': {
    sql: [
      "update audit.log set orgpath = 'AS000001.' where id = (select id from audit.seal where seq = 2)",
      "update audit.seal set orgpath = 'AS000001.' where seq = 2",
    ],
    message: /^第 2 条（.+）与封印不符：记录或封印被改动、调换$/,
  },
  'another account': {
    sql: ["update audit.log set accountid = 'U_LU' where id = (select id from audit.seal where seq = 2)"],
    message: /^第 2 条（.+）不是服务器写入的/,
  },
  'a time one microsecond later': {
    sql: ["update audit.log set time = time + interval '1 microsecond' where id = (select id from audit.seal where seq = 2)"],
    message: /^第 2 条（.+）与封印不符/,
  },
  'another result': {
    sql: ['update audit.log set result = 1 where id = (select id from audit.seal where seq = 2)'],
    message: /^第 2 条（.+）与封印不符/,
  },
  'a planted old row': {
    sql: [
      `insert into audit.log (time, musercode, orgpath, accountid, action, title, kind)
       select time - interval '1 year', musercode, orgpath, accountid, action, title, kind from audit.log limit 1`,
    ],
    message: /^编号 \d+ 的记录没有封印：记录被补入，或封印被删除$/,
  },
  'a new row planted at the end for the server to seal': {
    sql: [
      `insert into audit.log (musercode, orgpath, accountid, action, title, kind)
       select musercode, orgpath, accountid, action, '没有发生', kind from audit.log limit 1`,
      'insert into audit.unsealed select max(id) from audit.log',
    ],
    message: /^第 7 条（.+ 没有发生）不是服务器写入的/,
  },
  'two swapped rows': {
    sql: [
      `update audit.seal a set id = -b.id from audit.seal b where (a.seq, b.seq) in ((2, 3), (3, 2))`,
      'update audit.seal set id = -id where id < 0',
    ],
    message: /^第 2 条（.+）与封印不符/,
  },
  'a copied row for the server to seal': {
    sql: [
      `insert into audit.log (musercode, orgpath, accountid, action, title, kind, cuserids, minors, objectid, detail, ip, origin)
       select musercode, orgpath, accountid, action, title, kind, cuserids, minors, objectid, detail, ip, origin
       from audit.log order by id limit 1`,
      'insert into audit.unsealed select max(id) from audit.log',
    ],
    message: /^编号 \d+ 的记录是编号 \d+ 的复制$/,
  },
  'a removed block in the middle, renumbered': {
    sql: [
      'delete from audit.log where id in (select id from audit.seal where seq in (3, 4))',
      'delete from audit.seal where seq in (3, 4)',
      'update audit.seal set seq = seq - 2 where seq > 4',
    ],
    message: /^第 3 条（.+）与封印不符/,
  },
  'a removed block in the middle, with its seals': {
    sql: [
      'delete from audit.log where id in (select id from audit.seal where seq in (3, 4))',
      'delete from audit.seal where seq in (3, 4)',
    ],
    message: /^缺少第 3–4 条的封印：记录被删除$/,
  },
  'a deleted row': {
    sql: ['delete from audit.log where id = (select id from audit.seal where seq = 5)'],
    message: /^第 5 条（编号 \d+）被删除$/,
  },
  'a row given to another institution': {
    sql: [
      `update audit.log set musercode = 'M_ANLAN', orgpath = 'AS000001.M_ANLAN.'
       where id = (select id from audit.seal where seq = 2)`,
    ],
    message: /^第 2 条（.+）不是服务器写入的/,
  },
  'seals reset, so that the server seals again without a row': {
    sql: [
      'delete from audit.log where id = (select id from audit.seal where seq = 2)',
      'insert into audit.unsealed select id from audit.log',
      'delete from audit.seal',
    ],
    message: /^(数据库只有 5 条，少于封存头的 6 条|第 1–6 条之间与封存头不符)/,
  },
  'the seal at the head replaced by an older one': {
    sql: ['update audit.seal set hmac = (select hmac from audit.seal where seq = 5) where seq = 6'],
    message: /^第 6 条（.+）与封印不符/,
  },
  'a row deleted before it is sealed': {
    sql: ['insert into audit.unsealed values (999999)'],
    message: /^编号 999999 的记录在封存之前被删除$/,
  },
};

async function openSealed() {
  const server = await startServer();
  for (const name of ['林小雨', '周子涵', '张小北', '许安然', '何一诺', '沈星河']) await addStudent(server, name);
  await sealAudit(server.services);
  expect(await verifyAudit(server.services)).toMatchObject({ rows: 6, faults: [] });
  return server;
}

test.each(Object.entries(tamperings))('R-22: the owner of the database is found out after %s', async (_, { sql, message }) => {
  const server = await openSealed();
  await asDatabaseOwner(server, ...sql);
  expect((await verifyAudit(server.services)).faults).toContainEqual(expect.stringMatching(message));
});

test('R-22: a time changed by the owner of the database, with its seal computed anew without the key, does not fit its seal', async () => {
  const server = await openSealed();
  const change =
    "update audit.log set time = time + interval '1 microsecond' where id = (select id from audit.seal where seq = 6)";
  await asDatabaseOwner(server, change);
  const { rows } = await server.services.pools.sealer.query<SealedRow & { before: string }>(
    `select ${sealColumns}, s.orgpath as sealedpath, (select b.hmac from audit.seal b where b.seq = 5) as before
     from audit.seal s join audit.log l on l.id = s.id where s.seq = 6`,
  );
  const [row] = rows as [SealedRow & { before: string }];
  const withoutKey = { hmac: (_: string, text: string) => createHash('sha256').update(text).digest('base64url') };
  const seal = sealOf(withoutKey as unknown as typeof server.services.cipher, 6, row.before, row);
  await asDatabaseOwner(server, `update audit.seal set hmac = '${seal}' where seq = 6`);
  expect((await verifyAudit(server.services)).faults).toContainEqual(expect.stringMatching(/^第 6 条（.+）与封印不符/));
});

test('an aborted transaction, two servers that seal at once and a server that ended before sealing leave the log intact', async () => {
  const server = await openSealed();
  const aborted = new pg.Client(asRole(server.target, 'xinli_app'));
  await aborted.connect();
  await aborted.query("begin; insert into audit.log (action, title, kind) values ('x', '取消', 'write'); rollback");
  await aborted.end();
  const writing = Promise.all(['甲', '乙', '丙', '丁'].map((name) => addStudent(server, `学生${name}`)));
  await Promise.all([writing, sealAudit(server.services), sealAudit(server.services)]);
  await addStudent(server, '学生戊');
  expect(await verifyAudit(server.services)).toMatchObject({ rows: 11, faults: [] });
});

test('an older backup is told, adopted with a reason, and later changes are told again', async () => {
  const server = await openSealed();
  await asDatabaseOwner(
    server,
    'delete from audit.log where id in (select id from audit.seal where seq > 4)',
    'delete from audit.seal where seq > 4',
    'alter table audit.log enable trigger all',
    'alter table audit.log force row level security',
  );
  expect((await verifyAudit(server.services)).faults).toEqual([expect.stringMatching(/^数据库只有 4 条/)]);
  await addStudent(server, '学生甲');
  await expect(sealAudit(server.services)).rejects.toThrow('审计日志与封存头不符');
  await expect(adoptAudit(server.services, '', '')).rejects.toThrow(RangeError);
  expect(await adoptAudit(server.services, '方敏', '恢复了备份')).toMatchObject({ rows: 6, faults: [] });
  const [row] = await server.sqlAsOwner("select detail from audit.log where action = 'console.adoptAudit'");
  expect(row).toMatchObject({ detail: { operator: '方敏', reason: '恢复了备份' } });
  await asDatabaseOwner(server, 'delete from audit.log where id in (select id from audit.seal where seq = 6)');
  expect((await verifyAudit(server.services)).faults).toEqual([expect.stringMatching(/^第 6 条（编号 \d+）被删除$/)]);
});

test('a missing file of heads and a line that the server did not write are told', async () => {
  const server = await openSealed();
  const { services } = server;
  await appendHead(services.auditDir, { hmac: () => 'x' } as unknown as typeof services.cipher, {
    kind: 'adopt',
    seq: 0,
    seal: '',
    time: new Date().toISOString(),
    from: 0,
  });
  expect((await verifyAudit(services)).faults).toEqual(['封存头文件中有 1 行不是服务器写的']);
  await rm(headsFileOf(services.auditDir));
  expect((await verifyAudit(services)).faults).toEqual(['封存头文件 audit/heads.jsonl 缺失，无法判断末尾是否被删']);
});
