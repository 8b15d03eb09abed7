import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { openInstitution } from '#testing/institution.ts';
import { refreshRollup } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';
import { sealAudit } from '#server/audit/seal.ts';
import { asRole } from '#server/db/roles.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { updateMUserCategory } from '#features/muser/muser.contract.ts';
import { resetPwd } from '#features/org/user/user.contract.ts';

/**
 * The total of the audit log is the sum of the rollup and a count of the newer rows. The rollup lags a little.
 * The tests compare it with a count of all rows at different states of the rollup.
 */
type Server = Awaited<ReturnType<typeof startServer>>;

const countRows = async (server: Server, where: string) =>
  (await server.sqlAsOwner<{ n: number }>(`select count(*)::int as n from audit.log where ${where}`))[0]?.n;
const totalFor = async (server: Server, person: 'super' | 'ma' | 'fang', filters: object = {}) =>
  (await server.as(person)(getAuditPageList, filters)).total;

test('the audit total equals the number of rows before, during and after the rollup includes them', async () => {
  const server = await startServer();
  // Audit rows carry the time of the real clock, and midnight may pass during the test.
  const first = new Date();
  const expectEqualTotals = async () => {
    const days = { begindate: shanghaiDate(first), enddate: shanghaiDate(new Date()) };
    for (const [person, condition] of [
      ['super', 'true'],
      ['ma', "musercode = 'M_CHENGUANG'"],
      ['fang', "musercode = 'M_ANLAN'"],
    ] as const) {
      expect([person, await totalFor(server, person)]).toEqual([person, await countRows(server, condition)]);
      for (const kind of ['write', 'reveal'])
        expect(await totalFor(server, person, { kind })).toBe(await countRows(server, `${condition} and kind = '${kind}'`));
      expect(await totalFor(server, person, days)).toBe(await countRows(server, condition));
      expect(await totalFor(server, person, { enddate: shanghaiDate(addDays(first, -1)) })).toBe(0);
    }
    expect(await totalFor(server, 'super', { musercode: 'M_CHENGUANG' })).toBe(await totalFor(server, 'ma'));
  };
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await expectEqualTotals();
  expect(await totalFor(server, 'ma')).toBeGreaterThan(0);
  await refreshRollup(server, 'trail');
  await expectEqualTotals();
  const before = await totalFor(server, 'ma');
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  await expectEqualTotals();
  await refreshRollup(server, 'trail');
  await expectEqualTotals();
});

test('an audit row of a transaction that commits late is counted exactly once', async () => {
  const server = await startServer();
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await refreshRollup(server, 'trail');
  const before = await totalFor(server, 'ma');
  const lateTransaction = new pg.Client(asRole(server.target, 'xinli_app'));
  await lateTransaction.connect();
  onTestFinished(() => lateTransaction.end());
  await lateTransaction.query('begin');
  await lateTransaction.query(
    "insert into audit.log (musercode, action, title, kind) values ('M_CHENGUANG', 'x', '迟到', 'write')",
  );
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await sealAudit(server.services);
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  await lateTransaction.query('commit');
  expect(await totalFor(server, 'ma')).toBe(before + 2);
  await refreshRollup(server, 'trail');
  expect(await totalFor(server, 'ma')).toBe(before + 2);
});

test('a moved institution keeps its audit totals, and the platform’s total does not change', async () => {
  const server = await startServer();
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await refreshRollup(server, 'trail');
  const { musercode: yuanhang } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  const before = await totalFor(server, 'ma');
  await server.as('ma')(resetPwd, { userid: 'U_DUTY' });
  await server.as('super')(updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: yuanhang });
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  expect(await totalFor(server, 'super')).toBe(await countRows(server, 'true'));
  await refreshRollup(server, 'trail');
  expect(await totalFor(server, 'ma')).toBe(before + 1);
  expect(await totalFor(server, 'super')).toBe(await countRows(server, 'true'));
});
