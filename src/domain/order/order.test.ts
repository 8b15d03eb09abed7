import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canList, findListingFault, type ListingFacts } from '#domain/order/listing.ts';
import {
  endOfCounts,
  expiryOf,
  holdsGoods,
  isSurplus,
  nextStatus,
  OrderStatus,
  wasPaid,
  type OrderEvent,
  type OrderStatusCode,
} from '#domain/order/order.ts';
import { findRefundFault, needsSecondPerson, refundValue, type RefundableItem } from '#domain/order/refund.ts';

const simple = ['pay', 'success', 'fail', 'paytimeout', 'cancel', 'expire'] as const;
/** The permitted steps of model-and-calls.md 1.10, with the two success notices of the supplement. All others are refused. */
const permitted: readonly (readonly [OrderStatusCode, (typeof simple)[number], OrderStatusCode])[] = [
  [1, 'pay', 2],
  [4, 'pay', 2],
  [2, 'success', 3],
  [1, 'success', 3],
  [4, 'success', 3],
  [2, 'fail', 4],
  [2, 'paytimeout', 1],
  [1, 'cancel', 5],
  [4, 'cancel', 5],
  [1, 'expire', 5],
  [4, 'expire', 5],
];

describe('the steps of an order', () => {
  test('are those of the graph and no other', () => {
    for (const status of OrderStatus.codes)
      for (const kind of simple) {
        const step = permitted.find(([from, event]) => from === status && event === kind);
        expect(nextStatus(status, { kind }), `${status} ${kind}`).toBe(step?.[2]);
      }
  });

  test('a refund leads to 10 while money is left and to 11 when all is back, and starts from 3 and 10 only', () => {
    const refund = (status: OrderStatusCode, refunded: number) =>
      nextStatus(status, { kind: 'refund', refunded, payamount: 10_000, left: 1 });
    expect([refund(3, 4000), refund(10, 9999), refund(10, 10_000), refund(3, 10_000)]).toEqual([10, 10, 11, 11]);
    expect(refund(3, 10_001)).toBeUndefined();
    for (const status of [1, 2, 4, 5, 11] as const) expect(refund(status, 1), String(status)).toBeUndefined();
  });

  test('a free order is refunded whole when nothing of it is left', () => {
    const refund = (left: number) => nextStatus(OrderStatus.paid, { kind: 'refund', refunded: 0, payamount: 0, left });
    expect([refund(1), refund(0)]).toEqual([10, 11]);
  });

  test('money for a cancelled or a paid order is surplus, money for a waiting one is not', () => {
    expect(OrderStatus.codes.filter((status) => isSurplus(status))).toEqual([3, 5, 10, 11]);
  });

  test('after any events an order holds goods, was paid or is cancelled, and never two of them', () => {
    const event = fc.oneof(
      fc.constantFrom(...simple).map((kind): OrderEvent => ({ kind })),
      fc.integer({ min: 1, max: 5 }).map((refunded): OrderEvent => ({ kind: 'refund', refunded, payamount: 5, left: 1 })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let status: OrderStatusCode = OrderStatus.pending;
        for (const step of events) {
          const before: OrderStatusCode = status;
          status = nextStatus(status, step) ?? status;
          // Once paid or cancelled, goods are never held again.
          if (!holdsGoods(before)) expect(holdsGoods(status)).toBe(false);
          if (wasPaid(before)) expect(wasPaid(status)).toBe(true);
        }
        expect([holdsGoods(status), wasPaid(status), status === OrderStatus.cancelled].filter(Boolean)).toHaveLength(1);
      }),
      { numRuns: 1000 },
    );
  });

  test('an online order waits half an hour, a transfer seven days', () => {
    const now = new Date('2026-11-24T00:00:00Z');
    expect(expiryOf(now, '01').toISOString()).toBe('2026-11-24T00:30:00.000Z');
    expect(expiryOf(now, '03').toISOString()).toBe('2026-12-01T00:00:00.000Z');
  });

  test('bought counts end after their days, and never later than those of the seller', () => {
    expect(endOfCounts('2026-11-24', 30, null)).toBe('2026-12-24');
    expect(endOfCounts('2026-11-24', 30, '2026-12-01')).toBe('2026-12-01');
    expect(endOfCounts('2026-11-24', null, '2026-12-01')).toBe('2026-12-01');
    expect(endOfCounts('2026-11-24', null, null)).toBeNull();
  });
});

describe('goods', () => {
  const counts: ListingFacts = {
    ...{ goodstype: '01', hasCover: true, price: 9900, qty: 100, isPlanLive: true, hasUnpaidForm: false },
    ...{ isCourseLive: false, isCourseFree: false },
  };
  test('go on sale, off and on again, and never back to a draft', () => {
    const able = [0, 1, 2].flatMap((from) =>
      [0, 1, 2].flatMap((to) => (canList(from as 0 | 1 | 2, to as 0 | 1 | 2) ? [`${from}→${to}`] : [])),
    );
    expect(able).toEqual(['0→1', '1→2', '2→1']);
  });
  test('on sale need a cover, counts and a live plan, and a plan with a tier-B form costs nothing', () => {
    expect(findListingFault(counts)).toBeUndefined();
    expect(findListingFault({ ...counts, hasCover: false })?.field).toBe('coverfileid');
    expect(findListingFault({ ...counts, qty: null })?.field).toBe('qty');
    expect(findListingFault({ ...counts, isPlanLive: false })?.field).toBe('plancode');
    expect(findListingFault({ ...counts, hasUnpaidForm: true })?.field).toBe('price');
    expect(findListingFault({ ...counts, hasUnpaidForm: true, price: 0 })).toBeUndefined();
  });
  test('a course on sale is on the shelf and not free', () => {
    const course: ListingFacts = { ...counts, goodstype: '02', qty: null, isCourseLive: true };
    expect(findListingFault(course)).toBeUndefined();
    expect(findListingFault({ ...course, isCourseLive: false })?.field).toBe('courseid');
    expect(findListingFault({ ...course, isCourseFree: true })?.field).toBe('courseid');
  });
});

describe('a refund', () => {
  const item: RefundableItem = {
    ...{ seq: 1, goodstype: '01', price: 5000, qty: 4, refundedqty: 1, countqty: 100, freecounts: 150 },
    ...{ delivered: 0, finishedlessons: 0 },
  };
  const fault = (change: Partial<RefundableItem>, qty: number, amount = 5000 * qty) =>
    findRefundFault([{ ...item, ...change }], { asks: [{ seq: 1, qty }], amount, left: 15_000 });
  test('gives back at most what was bought and not refunded, and of counts only free ones', () => {
    expect(fault({}, 1)).toBeUndefined();
    expect(fault({}, 2)).toMatchObject({ isCounts: true });
    expect(fault({ freecounts: 1000 }, 4)?.field).toBe('items');
    expect(fault({ goodstype: '03', delivered: 1 }, 1)?.field).toBe('items');
    expect(fault({ goodstype: '02', finishedlessons: 1 }, 1)?.field).toBe('items');
  });
  test('costs at most the price of its goods and what is left of the order', () => {
    expect(fault({}, 1, 5001)?.field).toBe('amount');
    expect(fault({}, 1, 4000)).toBeUndefined();
    expect(fault({}, 0, 15_001)?.field).toBe('amount');
    expect(fault({}, 0, 0)?.field).toBe('amount');
    expect(refundValue([item], [{ seq: 1, qty: 3 }])).toBe(15_000);
  });
  test('needs a second person as goodwill and for money that goes back outside a gateway', () => {
    expect(needsSecondPerson('01', [{ seq: 1, qty: 1 }])).toBe(false);
    expect(needsSecondPerson('01', [{ seq: 1, qty: 0 }])).toBe(true);
    expect(needsSecondPerson('03', [{ seq: 1, qty: 1 }])).toBe(true);
  });
});
