import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { balanceOf, takeFirst, remainingByLot, lowBalanceFlag, type CountKindCode } from '#domain/counts/wallet.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** Ledgers that the product could write: no movement takes more counts than there are. */
const movements = fc
  .array(fc.tuple(fc.constantFrom('01', '02', '03', '04', '05', '06', '07', '08'), fc.integer({ min: 1, max: 50 })), {
    maxLength: 60,
  })
  .map((steps) => {
    const balance = { granted: 0, used: 0, frozen: 0, expired: 0, free: 0 };
    const sums: Partial<Record<CountKindCode, number>> = {};
    for (const [kind, size] of steps as [CountKindCode, number][]) {
      const source =
        kind === '04' || kind === '05' ? balance.frozen : kind === '03' || kind === '06' || kind === '07' ? balance.free : size;
      const qty = Math.min(size, source);
      if (kind === '01' || kind === '02' || kind === '08') ((balance.granted += qty), (balance.free += qty));
      if (kind === '06') ((balance.granted -= qty), (balance.free -= qty));
      if (kind === '07') ((balance.expired += qty), (balance.free -= qty));
      if (kind === '03') ((balance.frozen += qty), (balance.free -= qty));
      if (kind === '05') ((balance.frozen -= qty), (balance.free += qty));
      if (kind === '04') ((balance.frozen -= qty), (balance.used += qty));
      const sign = kind === '01' || kind === '02' || kind === '08' || kind === '05' ? 1 : -1;
      sums[kind] = (sums[kind] ?? 0) + sign * qty;
    }
    return { balance, sums };
  });

test('the wallet equals the sum of its ledger after any movements, and a low balance is flagged', () => {
  fc.assert(
    fc.property(movements, ({ balance, sums }) => {
      expect(balanceOf(sums)).toEqual(balance);
      const { granted, used, frozen, expired, free } = balanceOf(sums);
      expect(granted).toBe(used + frozen + expired + free);
      expect(lowBalanceFlag({ granted, free })).toBe(granted === 0 ? 0 : free === 0 ? 2 : free * 10 < granted ? 1 : 0);
    }),
  );
});

test('counts that expire first are used first, and free counts equal granted minus consumed counts', () => {
  const lotSizes = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 });
  fc.assert(
    fc.property(lotSizes, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 }), (sizes, maxConsumed, qty) => {
      const lots = sizes.map((size, index) => ({ enddate: `2026-0${index + 1}-01`, qty: size }));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const consumed = Math.min(maxConsumed, total);
      const remaining = remainingByLot(lots, consumed);
      expect(remaining.reduce((sum, lot) => sum + lot.qty, 0)).toBe(total - consumed);
      // Lots that end after the first remaining lot are untouched.
      const first = remaining.findIndex((lot) => lot.qty > 0);
      remaining.forEach((lot, index) =>
        expect(lot.qty).toBe(index < first || first < 0 ? 0 : index > first ? sizes[index] : lot.qty),
      );
      const parts = takeFirst(remaining, qty);
      expect(parts === undefined).toBe(total - consumed < qty);
      if (!parts) return;
      // After the taken lots are removed, the other counts remain, lot by lot.
      const after = remainingByLot(
        lots.map((lot) => ({ ...lot, qty: lot.qty - (parts.find((part) => part.enddate === lot.enddate)?.qty ?? 0) })),
        consumed,
      );
      expect(after.reduce((sum, lot) => sum + lot.qty, 0)).toBe(total - consumed - qty);
      expect(takeFirst(remaining, total - consumed)).toEqual(remaining.filter((lot) => lot.qty > 0));
    }),
  );
});

/** Free counts of ended lots that were not written off. */
const findUnexpiredLots = ({ sqlAsOwner, clock }: Awaited<ReturnType<typeof startServer>>) =>
  sqlAsOwner('select * from countlot where enddate < $1 and free > 0', [shanghaiDate(clock.now)]);

test('detail, statistics and wallet agree after any sequence of grants, authorizations and corrections', async () => {
  const server = await startServer();
  const { as, clock, services } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const cuserids = pupils.map((pupil) => pupil.cuserid);
  const musercode = 'M_CHENGUANG';
  const step = fc.record({
    operation: fc.constantFrom('give', 'until', 'back', 'down', 'authorise', 'clear', 'plan', 'days'),
    personIndex: fc.integer({ min: 0, max: 2 }),
    qty: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const { operation, personIndex, qty } of steps) {
        const cuserid = cuserids[personIndex] as string;
        const call = {
          give: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty }),
          until: () =>
            as('super')(wallet.grantMUserAssessCount, {
              musercode,
              qty,
              enddate: shanghaiDate(addDays(clock.now, personIndex * 20)),
            }),
          days: () => expireCounts(services.pools, (clock.now = addDays(clock.now, qty))),
          plan: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, plancode: 'P900002' }),
          back: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, kind: '06', remark: '收回' }),
          down: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, kind: '08', sign: '-', remark: '盘点' }),
          authorise: () => as('chen')(authorize.authorizeCUserPlan, { cuserids: [cuserid], plancode: 'P900002', total: qty }),
          clear: () => as('chen')(authorize.clearCUserAssessCount, { cuserid, reason: '清零' }),
        }[operation];
        await call();
        const { sum: detail } = await as('super')(ledger.getPlanAuthorizeDetails, { musercode, pageSize: 1 });
        const { sum: statistics } = await as('super')(ledger.getPlanAuthorizeCount, { musercode, pageSize: 1 });
        expect(statistics).toMatchObject(detail);
        expect(await findDisagreements(server)).toEqual([]);
        if (operation === 'days') expect(await findUnexpiredLots(server)).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
});
