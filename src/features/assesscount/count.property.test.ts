import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { balanceOf, takeFirst, remainingByLot, lowBalanceFlag, type CountKindCode } from '#domain/counts/wallet.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import { disagreements } from '#testing/counts.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A ledger as the product could write it: what moves is always there to be moved. */
const movements = fc
  .array(fc.tuple(fc.constantFrom('01', '02', '03', '04', '05', '06', '07', '08'), fc.integer({ min: 1, max: 50 })), {
    maxLength: 60,
  })
  .map((quantities) => {
    const balance = { granted: 0, used: 0, frozen: 0, expired: 0, free: 0 };
    const sums: Partial<Record<CountKindCode, number>> = {};
    for (const [kind, size] of quantities as [CountKindCode, number][]) {
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
    return { held: balance, sums };
  });

test('the wallet equals the sum of its ledger after any movements, and a low balance is flagged', () => {
  fc.assert(
    fc.property(movements, ({ held: balance, sums }) => {
      expect(balanceOf(sums)).toEqual(balance);
      const { granted, used, frozen, expired, free } = balanceOf(sums);
      expect(granted).toBe(used + frozen + expired + free);
      expect(lowBalanceFlag({ granted, free })).toBe(granted === 0 ? 0 : free === 0 ? 2 : free * 10 < granted ? 1 : 0);
    }),
  );
});

test('counts that expire first are used first, and free counts equal granted minus consumed counts', () => {
  const lots = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 });
  fc.assert(
    fc.property(lots, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 }), (sizes, wantedCount, takenCount) => {
      const all = sizes.map((qty, n) => ({ enddate: `2026-0${n + 1}-01`, qty }));
      const total = sizes.reduce((sum, qty) => sum + qty, 0);
      const goneCount = Math.min(wantedCount, total);
      const leftLots = remainingByLot(all, goneCount);
      expect(leftLots.reduce((sum, lot) => sum + lot.qty, 0)).toBe(total - goneCount);
      // Only lots that end later than the first with something left are whole.
      const first = leftLots.findIndex((lot) => lot.qty > 0);
      leftLots.forEach((lot, n) => expect(lot.qty).toBe(n < first || first < 0 ? 0 : n > first ? sizes[n] : lot.qty));
      const parts = takeFirst(leftLots, takenCount);
      expect(parts === undefined).toBe(total - goneCount < takenCount);
      if (!parts) return;
      // Taking them out leaves what was not taken, lot by lot.
      const after = remainingByLot(
        all.map((lot) => ({ ...lot, qty: lot.qty - (parts.find((part) => part.enddate === lot.enddate)?.qty ?? 0) })),
        goneCount,
      );
      expect(after.reduce((sum, lot) => sum + lot.qty, 0)).toBe(total - goneCount - takenCount);
      expect(takeFirst(leftLots, total - goneCount)).toEqual(leftLots.filter((lot) => lot.qty > 0));
    }),
  );
});

/** Lots that are over and were not written off. */
const ended = ({ sqlAsOwner, clock }: Awaited<ReturnType<typeof startServer>>) =>
  sqlAsOwner('select * from countlot where enddate < $1 and free > 0', [shanghaiDate(clock.now)]);

test('detail, statistics and wallet agree after any sequence of grants, authorizations and corrections', async () => {
  const server = await startServer();
  const { as, clock, services } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const musercode = 'M_CHENGUANG';
  const step = fc.record({
    what: fc.constantFrom('give', 'until', 'back', 'down', 'authorise', 'clear', 'plan', 'days'),
    who: fc.integer({ min: 0, max: 2 }),
    qty: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const { what, who, qty } of steps) {
        const cuserid = ids[who] as string;
        const call = {
          give: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty }),
          until: () =>
            as('super')(wallet.grantMUserAssessCount, { musercode, qty, enddate: shanghaiDate(addDays(clock.now, who * 20)) }),
          days: () => expireCounts(services.pools, (clock.now = addDays(clock.now, qty))),
          plan: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, plancode: 'P900002' }),
          back: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, kind: '06', remark: '收回' }),
          down: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty, kind: '08', sign: '-', remark: '盘点' }),
          authorise: () => as('chen')(authorize.authorizeCUserPlan, { cuserids: [cuserid], plancode: 'P900002', total: qty }),
          clear: () => as('chen')(authorize.clearCUserAssessCount, { cuserid, reason: '清零' }),
        }[what];
        await call();
        const { sum: detail } = await as('super')(ledger.getPlanAuthorizeDetails, { musercode, pageSize: 1 });
        const { sum: statistics } = await as('super')(ledger.getPlanAuthorizeCount, { musercode, pageSize: 1 });
        expect(statistics).toMatchObject(detail);
        expect(await disagreements(server)).toEqual([]);
        if (what === 'days') expect(await ended(server)).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
});
