import { expect, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { addClass } from '#testing/school.ts';
import { tallyAll } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';
import { authorizeCUserPlan, clearCUserAssessCount } from '#features/assesscount/authorizations/authorize.contract.ts';
import { getPlanAuthorizeCount } from '#features/assesscount/ledger.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';

/**
 * The platform reads the sums of all wallets from the rollup of the ledger (db/schema/85_rollups.sql). They equal the sums of the wallets
 * themselves, however far the rollup is.
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
/** What the wallets say, and the lines of these days. */
const counted = async (server: Server, own: string, days?: string) => {
  const among = days ?? 'true';
  const lines = (kinds: string) =>
    `(select coalesce(sum(qty), 0)::int from assesscountlog where ${own} and ${among} and kind in (${kinds}))`;
  const [wallets] = await server.sqlAsOwner(
    `select count(*)::int as total, sum(frozen)::int as frozen, sum(granted - used - frozen - expired)::int as free,
       ${
         days
           ? `${lines("'01', '02', '06', '08'")} as granted, -${lines("'04'")} as used, -` + `${lines("'07'")} as expired`
           : 'sum(granted)::int as granted, sum(used)::int as used, sum(expired)::int as expired'
       },
       (select count(distinct cuserid)::int from assesscountlog where ${own} and ${among} and kind = '03') as peoplecount
     from assesscount where ${own}`,
  );
  return wallets;
};
const dayOf = "(time at time zone 'Asia/Shanghai')::date";

async function agree(server: Server) {
  const today = shanghaiDate(server.clock.now);
  const tomorrow = shanghaiDate(addDays(server.clock.now, 1));
  for (const [person, own] of readers) {
    expect([person, await sumsOf(server, person)]).toEqual([person, await counted(server, own)]);
    for (const day of [shanghaiDate(addDays(server.clock.now, -1)), today, tomorrow]) {
      const on = await counted(server, own, `${dayOf} = '${day}'`);
      expect([person, day, await sumsOf(server, person, { begindate: day, enddate: day })]).toEqual([person, day, on]);
    }
    expect(await sumsOf(server, person, { begindate: today })).toEqual(await counted(server, own, `${dayOf} >= '${today}'`));
    expect(await sumsOf(server, person, { enddate: today })).toEqual(await counted(server, own, `${dayOf} <= '${today}'`));
  }
  const school = await counted(server, readers[2][1]);
  for (const person of ['super', 'fang'] as const)
    expect(await sumsOf(server, person, { musercode: 'M_CHENGUANG' })).toEqual(school);
}

test('the platform totals equal the sums of the wallets, before and after the rollup runs, and on every day', async () => {
  const server = await startServer();
  const { as, clock } = server;
  await agree(server);
  const give = (musercode: string, qty: number, plancode?: string) =>
    as('super')(grantMUserAssessCount, { musercode, qty, ...(plancode && { plancode }) });
  await give('M_ANLAN', 500);
  await give('M_CHENGUANG', 80, 'P900002');
  await agree(server);
  await tallyAll(server, 'ledger');
  await agree(server);

  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周晴', '吴思远'] });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const before = await sumsOf(server, 'super');
  await as('chen')(authorizeCUserPlan, { cuserids: ids.slice(0, 2), plancode: 'P900002', total: 3 });
  await agree(server);
  await tallyAll(server, 'ledger');
  clock.now = addDays(clock.now, 1);
  // One of them once more, on another day and with somebody new.
  await as('chen')(authorizeCUserPlan, { cuserids: ids.slice(1), plancode: 'P900002', total: 2 });
  await as('chen')(clearCUserAssessCount, { cuserid: ids[0] as string, reason: '转学' });
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty: 7, kind: '08', sign: '-', remark: '盘点' });
  await agree(server);
  await tallyAll(server, 'ledger');
  await agree(server);
  expect((await sumsOf(server, 'super')).peoplecount).toBe(before.peoplecount + 3);
});

test('two who freeze counts for the same new persons at the same time count each of them once', async () => {
  const server = await startServer();
  const { as } = server;
  await as('super')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty: 200, plancode: 'P900002' });
  const names = Array.from({ length: 12 }, (_, n) => `学生${n + 1}`);
  const { pupils } = await addClass(server, { teamname: '初二4班', names });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const { peoplecount } = await sumsOf(server, 'super');
  await Promise.all([
    as('chen')(authorizeCUserPlan, { cuserids: ids, plancode: 'P900002' }),
    as('chen')(authorizeCUserPlan, { cuserids: [...ids].reverse(), plancode: 'P900002' }),
    as('ma')(authorizeCUserPlan, { cuserids: ids.slice(4), plancode: 'P900002' }),
  ]);
  expect((await sumsOf(server, 'super')).peoplecount).toBe(peoplecount + ids.length);
  await agree(server);
});
