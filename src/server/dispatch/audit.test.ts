import pg from 'pg';
import { expect, test } from 'vitest';
import { sealAudit } from '#server/audit/seal.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { sealAll } from '#testing/sealing.ts';
import { asOwner, asRole } from '#server/db/roles.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const student = (username: string) => ({ appid: '000000002', username, gender: '02' as const, archive: {}, guardian: [] });

/** Runs statements as the owner of the database. Only the owner can switch the lock of the audit log off. */
async function asDatabaseOwner({ target }: Server, ...statements: string[]) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

test('R-22: an action whose audit row cannot be written has no effect and returns no data', async () => {
  const server = await startServer();
  const { cuserid } = await server.as('chen')(cuser.insertCUser, student('林小雨'));
  const before = await server.sqlAsOwner('select count(*)::int as n from cuser');
  await asDatabaseOwner(server, 'revoke insert on audit.log from xinli_app');
  const insertAnswer = await server.raw('as.m.cuser.insertCUser', 'chen', student('张小北'));
  const revealAnswer = await server.raw('as.m.cuser.revealCUser', 'chen', { cuserid });
  for (const answer of [insertAnswer, revealAnswer])
    expect(answer).toEqual({ errorCode: 900000, errorMsg: expect.stringContaining('系统错误') });
  expect(await server.sqlAsOwner('select count(*)::int as n from cuser')).toEqual(before);
  // A plain read writes no audit row, so it still works.
  expect((await server.as('chen')(cuser.getCUserPageList, {})).total).toBe(1);
});

test('R-22: a failed action leaves no audit row', async () => {
  const { as, sqlAsOwner } = await startServer();
  const rows = () => sqlAsOwner<{ n: number }>('select count(*)::int as n from audit.log');
  const before = await rows();
  await expect(as('chen')(cuser.deleteCUser, { cuserids: [] })).rejects.toMatchObject({ code: 120002 });
  await expect(as('chen')(cuser.insertCUser, { ...student('林小雨'), archive: { enroldate: '去年' } })).rejects.toMatchObject({
    code: 120002,
  });
  expect(await rows()).toEqual(before);
  await as('chen')(cuser.insertCUser, student('林小雨'));
  expect((await rows())[0]?.n).toBe((before[0]?.n ?? 0) + 1);
});

test.each(['xinli_app', 'xinli_authn', 'xinli_stats', 'xinli_sealer'] as const)(
  'R-22: %s can neither change nor remove an audit row',
  async (role) => {
    const server = await startServer();
    await server.as('chen')(cuser.insertCUser, student('林小雨'));
    await sealAudit(server.services);
    const client = new pg.Client(asRole(server.target, role));
    await client.connect();
    const outcomes: (string | undefined)[] = [];
    for (const table of ['audit.log', 'audit.seal'])
      for (const statement of [
        `update ${table} set musercode = null`,
        `update ${table} set hmac = ''`,
        `delete from ${table}`,
        `truncate ${table}`,
        `drop table ${table}`,
        `alter table ${table} disable trigger all`,
      ])
        outcomes.push(
          await client.query(statement).then(
            () => undefined,
            (error: pg.DatabaseError) => error.code,
          ),
        );
    await client.end();
    expect(outcomes.every((code) => code === '42501' || code === '42703')).toBe(true);
    expect(outcomes.filter((code) => code === '42501').length).toBeGreaterThanOrEqual(10);
  },
);

test('R-22: the database owner cannot change the audit log while its lock is on', async () => {
  const server = await startServer();
  await server.as('chen')(cuser.insertCUser, student('林小雨'));
  for (const statement of ["update audit.log set title = ''", 'delete from audit.log', 'truncate audit.log'])
    await expect(server.sqlAsOwner(statement)).rejects.toThrow();
});

test('R-22: chaining during eight concurrent writers gives every row exactly one seal', async () => {
  const server = await startServer();
  const sealed: number[] = [];
  let writing = true;
  const seal = (async () => {
    while (writing) sealed.push(await sealAudit(server.services));
  })();
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 15; i += 1)
        await server.as('chen')(cuser.insertCUser, student(`学生${writer}号${'甲乙丙丁戊己庚辛壬癸子丑寅卯辰'[i]}`));
    }),
  );
  writing = false;
  await seal;
  sealed.push(...(await sealAll(server)));
  const [log] = await server.sqlAsOwner<{ n: number }>('select count(*)::int as n from audit.log');
  const [seals] = await server.sqlAsOwner<{ n: number }>('select count(*)::int as n from audit.seal');
  expect(log?.n).toBeGreaterThanOrEqual(120);
  expect([seals?.n, sealed.reduce((sum, rows) => sum + rows, 0)]).toEqual([log?.n, log?.n]);
  expect(await verifyAudit(server.services)).toMatchObject({ rows: log?.n, faults: [] });
});
