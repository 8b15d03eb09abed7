import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sealAudit } from '#server/audit/seal.ts';
import { asRole } from '#server/db/roles.ts';
import { openInstitution } from '#testing/institution.ts';
import { addClass } from '#testing/school.ts';
import { refreshRollup } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { getPlanAuthorizeDetails } from '#features/assesscount/ledger.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { updateMUserCategory } from '#features/muser/muser.contract.ts';

/**
 * The sums of the ledger come from a rollup, which lags a little, and from the newest lines. The sums must equal the sums of all lines,
 * however many lines the rollup includes.
 */
type Server = Awaited<ReturnType<typeof startServer>>;
type Person = 'super' | 'fang' | 'ma';

const readSums = async (server: Server, person: Person, filters: object = {}) =>
  (await server.as(person)(getPlanAuthorizeDetails, filters)).kinds.map(({ kind, lines, qty }) => ({ kind, lines, qty }));
const ledgerRows = (server: Server, where: string) =>
  server.sqlAsOwner(
    `select kind, count(*)::int as lines, sum(qty)::int as qty from assesscountlog where ${where} group by kind order by kind`,
  );
const dayOf = "(time at time zone 'Asia/Shanghai')::date";
const school = "musercode = 'M_CHENGUANG'";

async function expectAgreement(server: Server) {
  for (const [person, own] of [
    ['super', 'true'],
    ['fang', "orgpath like 'AS000001.M_ANLAN.%'"],
    ['ma', school],
  ] as const) {
    expect([person, await readSums(server, person)]).toEqual([person, await ledgerRows(server, own)]);
    expect([person, await readSums(server, person, { kind: '01' })]).toEqual([
      person,
      await ledgerRows(server, `${own} and kind = '01'`),
    ]);
    const days = await server.sqlAsOwner<{ day: string }>(`select distinct ${dayOf} as day from assesscountlog order by 1`);
    expect(days.length).toBeGreaterThan(0);
    for (const { day } of days) {
      expect(await readSums(server, person, { begindate: day, enddate: day })).toEqual(
        await ledgerRows(server, `${own} and ${dayOf} = '${day}'`),
      );
      expect(await readSums(server, person, { begindate: day })).toEqual(
        await ledgerRows(server, `${own} and ${dayOf} >= '${day}'`),
      );
      expect(await readSums(server, person, { enddate: day })).toEqual(
        await ledgerRows(server, `${own} and ${dayOf} <= '${day}'`),
      );
    }
  }
  expect(await readSums(server, 'super', { musercode: 'M_CHENGUANG' })).toEqual(await ledgerRows(server, school));
  expect(await readSums(server, 'fang', { musercode: 'M_CHENGUANG' })).toEqual(await ledgerRows(server, school));
}
const grant = (server: Server, qty: number) =>
  server
    .as('super')(grantMUserAssessCount, { musercode: 'M_ANLAN', qty })
    .then(() => server.as('fang')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty }));

test('ledger sums equal the ledger rows before, during and after the rollup includes them', async () => {
  const server = await startServer();
  await grant(server, 50);
  await expectAgreement(server);
  await refreshRollup(server, 'ledger');
  await expectAgreement(server);
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周晴'] });
  await server.as('chen')(authorizeCUserPlan, { cuserids: pupils.map((pupil) => pupil.cuserid), plancode: 'P900002' });
  await expectAgreement(server);
  await refreshRollup(server, 'ledger');
  await expectAgreement(server);
  // A class teacher may read the lines of the own class only, and never the rollup.
  const [lines] = await server.sqlAsOwner<{ n: number }>(
    `select count(*)::int as n from assesscountlog where ${school} and cuserid is null`,
  );
  expect(lines?.n).toBeGreaterThan(0);
  const reader = new pg.Client(asRole(server.target, 'xinli_app'));
  await reader.connect();
  onTestFinished(() => reader.end());
  const countRollupRows = async (person: string) => {
    await reader.query("begin; select set_config('app.session', encode(sha256($$" + person + "$$), 'hex'), true)");
    const { rows } = await reader.query<{ n: number }>('select count(*)::int as n from rollup.ledger_by_tenant');
    await reader.query('commit');
    return rows[0]?.n;
  };
  expect(await countRollupRows('chen')).toBeGreaterThan(0);
  expect(await countRollupRows('wang')).toBe(0);
});

test('a ledger row of a transaction that commits late is added to the rollup exactly once', async () => {
  const server = await startServer();
  await grant(server, 50);
  await refreshRollup(server, 'ledger');
  const takeBackSum = async () => (await readSums(server, 'ma', { kind: '06' }))[0] ?? { lines: 0, qty: 0 };
  expect(await takeBackSum()).toMatchObject({ lines: 0, qty: 0 });
  const late = new pg.Client(asRole(server.target, 'xinli_app'));
  await late.connect();
  onTestFinished(() => late.end());
  await late.query("begin; select set_config('app.session', encode(sha256('ma'), 'hex'), true)");
  await late.query(
    `insert into assesscountlog (musercode, plancode, kind, qty, balance, remark)
     values ('M_CHENGUANG', '*', '06', 3, 0, '更正')`,
  );
  await grant(server, 5);
  await sealAudit(server.services);
  expect(await takeBackSum()).toMatchObject({ lines: 0, qty: 0 });
  await late.query('commit');
  expect(await takeBackSum()).toMatchObject({ lines: 1, qty: 3 });
  await refreshRollup(server, 'ledger');
  expect(await takeBackSum()).toMatchObject({ lines: 1, qty: 3 });
  await expectAgreement(server);
});

test('a moved institution keeps its ledger sums, and the platform’s totals do not change', async () => {
  const server = await startServer();
  await grant(server, 50);
  await refreshRollup(server, 'ledger');
  const before = [await readSums(server, 'super'), await readSums(server, 'ma')];
  const { musercode: yuanhang } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  await server.as('super')(updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: yuanhang });
  expect([await readSums(server, 'super'), await readSums(server, 'ma')]).toEqual(before);
  expect(await readSums(server, 'fang')).toEqual(await ledgerRows(server, "orgpath like 'AS000001.M_ANLAN.%'"));
  await refreshRollup(server, 'ledger');
  expect([await readSums(server, 'super'), await readSums(server, 'ma')]).toEqual(before);
});
