import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { open } from '#testing/institution.ts';
import { tallyAll } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';
import { sealAudit } from '#server/dispatch/audit.ts';
import { asRole } from '#server/db/roles.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { updateMUserCategory } from '#features/muser/muser.contract.ts';
import { resetPwd } from '#features/org/user/user.contract.ts';

/**
 * How many rows the trail has is looked up in a tally that runs a little sqlAsOwner, and the newest are counted. Whatever the tally has
 * taken in, the total is that of the rows themselves.
 */
type Server = Awaited<ReturnType<typeof startServer>>;

const rowsBehind = async (server: Server, where: string) =>
  (await server.sqlAsOwner<{ n: number }>(`select count(*)::int as n from audit.log where ${where}`))[0]?.n;
const totalFor = async (server: Server, person: 'super' | 'ma' | 'fang', filters: object = {}) =>
  (await server.as(person)(getAuditPageList, filters)).total;

test('the audit total equals the number of rows before, during and after the rollup includes them', async () => {
  const server = await startServer();
  // The trail is stamped by the wall clock, and midnight may pass while this runs.
  const first = new Date();
  const agree = async () => {
    const days = { begindate: shanghaiDate(first), enddate: shanghaiDate(new Date()) };
    for (const [person, own] of [
      ['super', 'true'],
      ['ma', "musercode = 'M_CHENGUANG'"],
      ['fang', "musercode = 'M_ANLAN'"],
    ] as const) {
      expect([person, await totalFor(server, person)]).toEqual([person, await rowsBehind(server, own)]);
      for (const kind of ['write', 'reveal'])
        expect(await totalFor(server, person, { kind })).toBe(await rowsBehind(server, `${own} and kind = '${kind}'`));
      expect(await totalFor(server, person, days)).toBe(await rowsBehind(server, own));
      expect(await totalFor(server, person, { enddate: shanghaiDate(addDays(first, -1)) })).toBe(0);
    }
    expect(await totalFor(server, 'super', { musercode: 'M_CHENGUANG' })).toBe(await totalFor(server, 'ma'));
  };
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await agree();
  expect(await totalFor(server, 'ma')).toBeGreaterThan(0);
  await tallyAll(server, 'trail');
  await agree();
  const before = await totalFor(server, 'ma');
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  await agree();
  await tallyAll(server, 'trail');
  await agree();
});

test('an audit row of a transaction that commits late is counted exactly once', async () => {
  const server = await startServer();
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await tallyAll(server, 'trail');
  const before = await totalFor(server, 'ma');
  const late = new pg.Client(asRole(server.target, 'xinli_app'));
  await late.connect();
  onTestFinished(() => late.end());
  await late.query('begin');
  await late.query("insert into audit.log (musercode, action, title, kind) values ('M_CHENGUANG', 'x', '迟到', 'write')");
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await sealAudit(server.services.pools.sealer);
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  await late.query('commit');
  expect(await totalFor(server, 'ma')).toBe(before + 2);
  await tallyAll(server, 'trail');
  expect(await totalFor(server, 'ma')).toBe(before + 2);
});

test('a moved institution keeps its audit totals, and the platform’s total does not change', async () => {
  const server = await startServer();
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await tallyAll(server, 'trail');
  const { musercode: yuanhang } = await open(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  const before = await totalFor(server, 'ma');
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await server.as('super')(updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: yuanhang });
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  expect(await totalFor(server, 'super')).toBe(await rowsBehind(server, 'true'));
  await tallyAll(server, 'trail');
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  expect(await totalFor(server, 'super')).toBe(await rowsBehind(server, 'true'));
});
