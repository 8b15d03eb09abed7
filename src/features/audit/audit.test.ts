import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import pg from 'pg';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { giveRole } from '#testing/factories.ts';
import { asOwner } from '#server/db/roles.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { sealAll } from '#testing/sealing.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import { asPlatform } from '#seed/reference.ts';
import { openInstitution } from '#testing/institution.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import { updateMUserCategory } from '#features/muser/muser.contract.ts';
import * as audit from '#features/audit/audit.contract.ts';
import { resetPwd } from '#features/org/user/user.contract.ts';

async function createAuditRows() {
  const server = await startServer();
  const { pupil } = await addClass(server, { teamname: '初二1班', names: ['林小雨', '周子涵'] });
  await server.as('chen')(revealCUser, { cuserid: pupil('林小雨').cuserid });
  await server.as('lu')(revealCUser, { cuserid: pupil('林小雨').cuserid });
  await server.as('lu')(revealCUser, { cuserid: pupil('林小雨').cuserid });
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  return { server, cuserid: pupil('林小雨').cuserid };
}

test('the audit log is filtered by account, action, kind, person and day', async () => {
  // Audit rows carry the time of the real clock, and midnight may pass during the test.
  const begindate = shanghaiDate(new Date());
  const { server, cuserid } = await createAuditRows();
  const find = async (filters: object) => (await server.as('ma')(audit.getAuditPageList, { pageSize: 200, ...filters })).rows;
  expect((await find({ who: '陆远' })).map((row) => [row.who, row.kind])).toEqual([
    ['陆远', 'reveal'],
    ['陆远', 'reveal'],
  ]);
  expect((await find({ action: '重置用户密码' })).map((row) => row.objectid)).toEqual(['U_DUTY']);
  expect((await find({ kind: 'reveal' })).every((row) => row.kind === 'reveal')).toBe(true);
  const personRows = await find({ cuserid });
  expect(personRows.length).toBeGreaterThanOrEqual(3);
  expect(personRows.every((row) => row.personcount > 0)).toBe(true);
  expect((await find({ begindate, enddate: shanghaiDate(new Date()) })).length).toBeGreaterThan(5);
  expect(await find({ begindate: '2020-01-01', enddate: '2020-12-31' })).toEqual([]);
  expect(await find({ loginas: '1' })).toEqual([]);
  // A percent sign in a filter is no wildcard.
  expect(await find({ who: '%' })).toEqual([]);
});

test('“谁看过” lists everybody who viewed a person, and the query itself is audited', async () => {
  const { server, cuserid } = await createAuditRows();
  const trail = await server.as('ma')(audit.getPersonTrail, { cuserid });
  expect(trail.username).toBe('林小雨');
  expect(trail.viewers.find((viewer) => viewer.who === '陆远')).toMatchObject({ looked: 2, changed: 0, exported: 0 });
  expect(trail.viewers.find((viewer) => viewer.who === '陈静怡')?.looked).toBeGreaterThanOrEqual(1);
  const secondTrail = await server.as('ma')(audit.getPersonTrail, { cuserid });
  expect(secondTrail.viewers.find((viewer) => viewer.who === '马主任')).toMatchObject({ looked: 1 });
});

test('each institution reads its own audit log, the platform reads all', async () => {
  const { server, cuserid } = await createAuditRows();
  await giveRole(server, 'U_QIAO', 'insadmin');
  expect(
    (await server.as('qiao')(audit.getAuditPageList, { pageSize: 200 })).rows.every((row) => row.insname === '云栖市东山中学'),
  ).toBe(true);
  expect((await server.as('qiao')(audit.getAuditPageList, { musercode: 'M_CHENGUANG', cuserid })).total).toBe(0);
  await expect(server.as('qiao')(audit.getPersonTrail, { cuserid })).rejects.toMatchObject({ code: 130001 });
  expect((await server.as('fang')(audit.getAuditPageList, {})).rows.some((row) => row.insname === '云栖市晨光中学')).toBe(false);
  expect((await server.as('super')(audit.getAuditPageList, { who: '陆远' })).total).toBe(2);
  await expect(server.as('chen')(audit.getAuditPageList, {})).rejects.toMatchObject({ code: 110004 });
  await expect(server.as('ma')(audit.verifyAudit, {})).rejects.toMatchObject({ code: 110004 });
});

test('a moved school keeps its audit log under the new provider, and the chain stays valid', async () => {
  const { server } = await createAuditRows();
  const { as } = server;
  const rowsOf = async (call: ReturnType<typeof as>) =>
    (await call(audit.getAuditPageList, { pageSize: 200, who: '陆远' })).rows.map((row) => row.title);
  const before = await rowsOf(as('ma'));
  expect(before).toHaveLength(2);
  await sealAll(server);
  const { musercode: yuanhang } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  await as('super')(updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: yuanhang });
  expect(await rowsOf(as('ma'))).toEqual(before);
  expect(await server.sqlAsOwner("select distinct orgpath from audit.log where musercode = 'M_CHENGUANG'")).toEqual([
    { orgpath: `AS000001.${yuanhang}.M_CHENGUANG.` },
  ]);
  await sealAll(server);
  expect(await as('super')(audit.verifyAudit, {})).toMatchObject({ intact: true });
});

test('the audit log is append-only, also for the owner of the database', async () => {
  const { server } = await createAuditRows();
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  try {
    await owner.query('begin');
    await asPlatform(owner, async () => {
      for (const change of ["title = '没有发生'", "orgpath = 'AS000001.'", "time = now() - interval '1 day'"])
        await expect(owner.query(`savepoint a; update audit.log set ${change} where accountid = 'U_LU'`))
          .rejects.toThrow('append-only')
          .finally(() => owner.query('rollback to a'));
      await expect(owner.query('savepoint b; delete from audit.log'))
        .rejects.toThrow('append-only')
        .finally(() => owner.query('rollback to b'));
    });
    await owner.query('rollback');
  } finally {
    await owner.end();
  }
});

test('an audit row changed with direct SQL is detected, and the message says where', async () => {
  const { server } = await createAuditRows();
  await sealAll(server);
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await sealAll(server);
  const intact = await server.as('super')(audit.verifyAudit, {});
  expect(intact).toMatchObject({ intact: true });
  expect(intact.message).toMatch(/^完整：共 \d+ 条，未发现改动/);
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  await owner.query('alter table audit.log disable trigger allow_path_change; alter table audit.log no force row level security');
  await owner.query(
    "update audit.log set accountid = 'U_CHEN' where id = (select min(id) from audit.log where action = 'as.m.system.user.resetPwd')",
  );
  await owner.query('alter table audit.log enable trigger allow_path_change; alter table audit.log force row level security');
  await owner.end();
  const broken = await server.as('super')(audit.verifyAudit, {});
  expect(broken.intact).toBe(false);
  expect(broken.message).toMatch(/^被改动：/);
  expect(broken.faults).toEqual([expect.stringMatching(/^第 \d+ 条（.+ 重置用户密码）不是服务器写入的：记录被补入或改动$/)]);
});

test('the audit export holds the rows of the list, names its author and is audited', async () => {
  const { server } = await createAuditRows();
  const file = (await server.as('ma')(audit.exportAudit, { who: '陆远' })) as { filename: string; body: Readable };
  const { rows } = await readWorkbook(await buffer(file.body), file.filename);
  expect(rows.flat().filter((text) => text === '陆远')).toHaveLength(2);
  expect(rows.flat().join()).toContain('马主任 于');
  expect((await server.as('ma')(audit.getAuditPageList, { kind: 'export' })).rows[0]).toMatchObject({
    who: '马主任',
    title: '导出审计日志',
  });
});
