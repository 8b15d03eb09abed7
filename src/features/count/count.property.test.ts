import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceOf, lowMark, type CountKindCode } from '#domain/wallet.ts';
import * as authorize from '#features/count/authorize.contract.ts';
import * as ledger from '#features/count/ledger.contract.ts';
import * as wallet from '#features/count/wallet.contract.ts';
import { disagreements } from '#testing/counts.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A ledger as the product could write it: what moves is always there to be moved. */
const movements = fc
  .array(fc.tuple(fc.constantFrom('01', '02', '03', '04', '05', '06', '07', '08'), fc.integer({ min: 1, max: 50 })), {
    maxLength: 60,
  })
  .map((wanted) => {
    const held = { granted: 0, used: 0, frozen: 0, expired: 0, free: 0 };
    const sums: Partial<Record<CountKindCode, number>> = {};
    for (const [kind, size] of wanted as [CountKindCode, number][]) {
      const source =
        kind === '04' || kind === '05' ? held.frozen : kind === '03' || kind === '06' || kind === '07' ? held.free : size;
      const qty = Math.min(size, source);
      if (kind === '01' || kind === '02' || kind === '08') ((held.granted += qty), (held.free += qty));
      if (kind === '06') ((held.granted -= qty), (held.free -= qty));
      if (kind === '07') ((held.expired += qty), (held.free -= qty));
      if (kind === '03') ((held.frozen += qty), (held.free -= qty));
      if (kind === '05') ((held.frozen -= qty), (held.free += qty));
      if (kind === '04') ((held.frozen -= qty), (held.used += qty));
      const sign = kind === '01' || kind === '02' || kind === '08' || kind === '05' ? 1 : -1;
      sums[kind] = (sums[kind] ?? 0) + sign * qty;
    }
    return { held, sums };
  });

test('whatever was moved, the ledger’s sums give the wallet, and what is low is marked', () => {
  fc.assert(
    fc.property(movements, ({ held, sums }) => {
      expect(balanceOf(sums)).toEqual(held);
      const { granted, used, frozen, expired, free } = balanceOf(sums);
      expect(granted).toBe(used + frozen + expired + free);
      expect(lowMark({ granted, free })).toBe(granted === 0 ? 0 : free === 0 ? 2 : free * 10 < granted ? 1 : 0);
    }),
  );
});

test(
  'after any run of grants, authorisations and corrections detail, statistics and wallet say the same',
  { timeout: 120_000 },
  async () => {
    const server = await startServer();
    const { as } = server;
    const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
    const ids = pupils.map((each) => each.cuserid);
    const musercode = 'M_CHENGUANG';
    const step = fc.record({
      what: fc.constantFrom('give', 'back', 'down', 'authorise', 'clear', 'plan'),
      who: fc.integer({ min: 0, max: 2 }),
      qty: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const { what, who, qty } of steps) {
          const cuserid = ids[who] as string;
          const call = {
            give: () => as('super')(wallet.grantMUserAssessCount, { musercode, qty }),
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
        }
      }),
      { numRuns: 12 },
    );
  },
);
