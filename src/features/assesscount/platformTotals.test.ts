import { expect, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { addClass } from '#testing/school.ts';
import { refreshRollup } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';
import { authorizeCUserPlan, clearCUserAssessCount } from '#features/assesscount/authorizations/authorize.contract.ts';
import { getPlanAuthorizeCount } from '#features/assesscount/ledger.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';

/**
 * The platform reads the sums of all wallets from the rollup of the ledger (db/schema/85_rollups.sql). They must equal the sums of the
 * wallets, however many lines the rollup includes.
 */
type Server = Awaited<ReturnType<typeof startServer>>;
const readers = [
  ['super', 'true'],
  ['fang', "orgpath like 'AS000001.M_ANLAN.%'"],
  ['ma', "musercode = 'M_CHENGUANG'"],
] as const;

const sumsOf = async (server: Server, person: (typeof readers)[number][0], filters: object = {}) => {
  const { total, sum } = await server.as(person)(getPlanAuthorizeCount, { pageSize: 1, ...filters });
  return { total, ...sum };
};
/** The sums of the wallets, or with days the sums of the ledger lines of these days. */
const sumWallets = async (server: Server, own: string, days?: string) => {
  const inDays = days ?? 'true';
  const lines = (kinds: string) =>
    `(select coalesce(sum(qty), 0)::int from assesscountlog where ${own} and ${inDays} and kind in (${kinds}))`;
  const figures = days
    ? `${lines("'01', '02', '06', '08'")} as granted, -${lines("'04'")} as used, -${lines("'07'")} as expired`
    : 'sum(granted)::int as granted, sum(used)::int as used, sum(expired)::int as expired';
  const [wallets] = await server.sqlAsOwner(
    `select count(*)::int as total, sum(frozen)::int as frozen, sum(granted - used - frozen - expired)::int as free,
       ${figures},
       (select count(distinct cuserid)::int from assesscountlog where ${own} and ${inDays} and kind = '03') as peoplecount
     from assesscount where ${own}`,
  );
  return wallets;
};
const dayOf = "(time at time zone 'Asia/Shanghai')::date";

async function expectAgreement(server: Server) {
  const today = shanghaiDate(server.clock.now);
  const tomorrow = shanghaiDate(addDays(server.clock.now, 1));
  for (const [person, own] of readers) {
    expect([person, await sumsOf(server, person)]).toEqual([person, await sumWallets(server, own)]);
    for (const day of [shanghaiDate(addDays(server.clock.now, -1)), today, tomorrow]) {
      const daySums = await sumWallets(server, own, `${dayOf} = '${day}'`);
      expect([person, day, await sumsOf(server, person, { begindate: day, enddate: day })]).toEqual([person, day, daySums]);
    }
    expect(await sumsOf(server, person, { begindate: today })).toEqual(await sumWallets(server, own, `${dayOf} >= '${today}'`));
    expect(await sumsOf(server, person, { enddate: today })).toEqual(await sumWallets(server, own, `${dayOf} <= '${today}'`));
  }
  const school = await sumWallets(server, readers[2][1]);
  for (const person of ['super', 'fang'] as const)
    expect(await sumsOf(server, person, { musercode: 'M_CHENGUANG' })).toEqual(school);
}

test('the platform’s totals equal the sums of all wallets before and after the rollup, also on single days', async () => {
  const server = await startServer();
  const { as, clock } = server;
  await expectAgreement(server);
  const grant = (musercode: string, qty: number, plancode?: string) =>
    as('super')(grantMUserAssessCount, { musercode, qty, ...(plancode && { plancode }) });
  await grant('M_ANLAN', 500);
  await grant('M_CHENGUANG', 80, 'P900002');
  await expectAgreement(server);
  await refreshRollup(server, 'ledger');
  await expectAgreement(server);

  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周晴', '吴思远'] });
  const cuserids = pupils.map((pupil) => pupil.cuserid);
  const before = await sumsOf(server, 'super');
  await as('chen')(authorizeCUserPlan, { cuserids: cuserids.slice(0, 2), plancode: 'P900002', total: 3 });
  await expectAgreement(server);
  await refreshRollup(server, 'ledger');
  clock.now = addDays(clock.now, 1);
  // The next day one person is authorized again, together with a new person.
  await as('chen')(authorizeCUserPlan, { cuserids: cuserids.slice(1), plancode: 'P900002', total: 2 });
  await as('chen')(clearCUserAssessCount, { cuserid: cuserids[0] as string, reason: '转学' });
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty: 7, kind: '08', sign: '-', remark: '盘点' });
  await expectAgreement(server);
  await refreshRollup(server, 'ledger');
  await expectAgreement(server);
  expect((await sumsOf(server, 'super')).peoplecount).toBe(before.peoplecount + 3);
});

test('concurrent authorizations of the same new persons count each person once', async () => {
  const server = await startServer();
  const { as } = server;
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty: 200, plancode: 'P900002' });
  const names = Array.from({ length: 12 }, (_, index) => `学生${index + 1}`);
  const { pupils } = await addClass(server, { teamname: '初二4班', names });
  const cuserids = pupils.map((pupil) => pupil.cuserid);
  const { peoplecount } = await sumsOf(server, 'super');
  await Promise.all([
    as('chen')(authorizeCUserPlan, { cuserids, plancode: 'P900002' }),
    as('chen')(authorizeCUserPlan, { cuserids: [...cuserids].reverse(), plancode: 'P900002' }),
    as('ma')(authorizeCUserPlan, { cuserids: cuserids.slice(4), plancode: 'P900002' }),
  ]);
  expect((await sumsOf(server, 'super')).peoplecount).toBe(peoplecount + cuserids.length);
  await expectAgreement(server);
});
