import { expect, test } from 'vitest';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { addClass, answerTask } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const school = 'M_CHENGUANG';
const authorizationOf = (cuserids: string[], more = {}) => ({ cuserids, plancode: 'P900002', ...more });

test('expired codes and authorizations return their counts, and the remaining granted counts are written off once', async () => {
  const server = await startServer();
  const { as, clock, services } = server;
  const chen = as('chen');
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 9990, remark: '示例' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  const [lin, zhou] = pupils as [(typeof pupils)[0], (typeof pupils)[0]];
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 10, enddate: '2025-10-31' });
  await chen(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid], { enddate: '2025-10-20', total: 2 }));
  await chen(authorize.authorizeCUserPlan, authorizationOf([zhou.cuserid]));
  const codes = { musercode: school, appid: '000000002', plancode: 'P900002', qty: 3, expiredate: '2025-10-15' };
  await as('ma')(entry.insertCUserAssessCode, codes);
  expect(await expireCounts(services.pools, clock.now)).toEqual({ institutions: 0, released: 0, expired: 0 });

  clock.now = new Date('2025-10-20T15:59:00Z');
  expect(await expireCounts(services.pools, clock.now)).toEqual({ institutions: 1, released: 3, expired: 0 });
  clock.now = new Date('2025-10-20T16:01:00Z');
  await expect(answerTask(server, lin)).rejects.toMatchObject({ code: 150003 });
  const runs = await Promise.all([expireCounts(services.pools, clock.now), expireCounts(services.pools, clock.now)]);
  expect(runs.map((run) => run.released).reduce((a, b) => a + b)).toBe(2);
  expect(await chen(authorize.getCUserPlan, { cuserid: lin.cuserid })).toMatchObject([{ status: 4, frozen: 0 }]);
  expect(await findDisagreements(server)).toEqual([]);

  // The ten counts until October pay first: one of them is 周子涵's, and nine expire. The ten without a last day stay.
  const row = async () => (await as('ma')(ledger.getPlanAuthorizeCount, {})).rows[0];
  expect(await row()).toMatchObject({ granted: 20, frozen: 1, free: 19, enddate: '2025-10-31', ending: 9, expiring: 1 });
  clock.now = new Date('2025-11-01T00:00:00Z');
  // The counts end at midnight, also before the job writes them off.
  await expect(chen(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid], { total: 11 }))).rejects.toMatchObject({
    data: { free: 10, need: 11 },
  });
  expect(await row()).toMatchObject({ free: 19, enddate: '2025-10-31', expiring: 2 });
  const expiring = await Promise.all([expireCounts(services.pools, clock.now), expireCounts(services.pools, clock.now)]);
  expect(expiring.map((expiry) => expiry.expired).reduce((a, b) => a + b)).toBe(9);
  expect((await as('super')(ledger.getPlanAuthorizeDetails, { musercode: school, kind: '07' })).rows).toMatchObject([
    { qty: -9, balance: 10, enddate: '2025-10-31', remark: '有效期至 2025-10-31' },
  ]);
  // Counts that were frozen before the last day can still be used.
  await answerTask(server, zhou);
  expect(await row()).toMatchObject({
    granted: 20,
    used: 1,
    frozen: 0,
    expired: 9,
    free: 10,
    enddate: null,
    expiring: 0,
    low: 0,
  });
  expect(await findDisagreements(server)).toEqual([]);
});

test('frozen counts that are returned after expiry are written off, and an expired wallet cannot be corrected upwards', async () => {
  const server = await startServer();
  const { as, clock, services } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 10_000, remark: '示例' });
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 5, enddate: '2025-10-31' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const [lin] = pupils as [(typeof pupils)[0]];
  await as('chen')(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid], { total: 3 }));
  clock.now = new Date('2025-11-01T00:00:00Z');
  expect(await expireCounts(services.pools, clock.now)).toMatchObject({ expired: 2 });
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 4, enddate: '2025-12-31' });
  await as('chen')(authorize.clearCUserAssessCount, { cuserid: lin.cuserid, reason: '已转学' });
  expect((await as('super')(wallet.getMUserAssessCount, { musercode: school })).wallets[0]?.free).toBe(7);
  await expect(as('chen')(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid], { total: 5 }))).rejects.toMatchObject({
    data: { free: 4 },
  });
  expect(await expireCounts(services.pools, clock.now)).toMatchObject({ expired: 3 });
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '08', qty: 1, remark: '补一次' });
  expect((await as('super')(wallet.getMUserAssessCount, { musercode: school })).wallets).toMatchObject([
    { granted: 10, expired: 5, free: 5, enddate: '2025-12-31', ending: 5 },
  ]);
  clock.now = new Date('2026-01-01T00:00:00Z');
  await expireCounts(services.pools, clock.now);
  await expect(
    as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '08', qty: 1, remark: '补一次' }),
  ).rejects.toMatchObject({ message: '该机构的次数账户已到期，请先发放并填写新的有效期' });
  expect(await as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 5 })).toEqual({ balance: 5, own: null });
  expect(await findDisagreements(server)).toEqual([]);
});
