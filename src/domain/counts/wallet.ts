import type { CodeOf } from '#domain/base/enum.ts';
import { CountKind } from '#domain/base/enums.ts';

/**
 * The arithmetic of counts. The ledger defines a wallet: granted = used + frozen + expired + free. A task can freeze only
 * free counts. Every ledger line has a signed quantity and a kind; the kind says which figures change.
 */

export type CountKindCode = CodeOf<typeof CountKind>;
export interface Balance {
  granted: number;
  used: number;
  frozen: number;
  expired: number;
  free: number;
}

/**
 * The balance from the sums of signed quantities by kind (statistics.md 4.2). Granted: received counts (01, 02, 08) less
 * counts taken back (06, negative lines). Used: 04. Expired: 07. Frozen: frozen counts (03), less released (05) and used ones.
 */
export function balanceOf(sums: Readonly<Partial<Record<CountKindCode, number>>>): Balance {
  const sumOf = (kind: CountKindCode) => sums[kind] ?? 0;
  const granted = sumOf(CountKind.grant) + sumOf(CountKind.order) + sumOf(CountKind.correction) + sumOf(CountKind.takeBack);
  const used = 0 - sumOf(CountKind.use);
  const expired = 0 - sumOf(CountKind.expiry);
  const frozen = 0 - sumOf(CountKind.freeze) - sumOf(CountKind.release) - used;
  return { granted, used, frozen, expired, free: granted - used - frozen - expired };
}

/** Counts of a wallet with the same last day (`YYYY-MM-DD` of Shanghai; null: no end). */
export interface Lot {
  enddate: string | null;
  qty: number;
}
/**
 * The free counts of each lot after `consumed` counts were frozen, used or expired. Lots that end first are consumed first.
 * The caller passes the lots in that order, lots without end last.
 */
export function remainingByLot(lots: readonly Lot[], consumed: number): Lot[] {
  let cumulative = 0;
  return lots.map(({ enddate, qty }) => {
    cumulative += qty;
    return { enddate, qty: Math.max(0, Math.min(qty, cumulative - consumed)) };
  });
}

/** The first `qty` counts of the lots in their order; undefined when the lots have fewer. */
export function takeFirst(lots: readonly Lot[], qty: number): Lot[] | undefined {
  let needed = qty;
  const parts: Lot[] = [];
  for (const lot of lots) {
    const part = Math.min(needed, lot.qty);
    if (part > 0) parts.push({ enddate: lot.enddate, qty: part });
    needed -= part;
  }
  return needed > 0 ? undefined : parts;
}

/** A wallet is marked from this many days before its end. */
export const expiryWarningDays = 30;
/** The owners of counts get a notice this many days before the counts end, earliest notice first. */
export const noticeDays = [expiryWarningDays, 7, 1] as const;
/** A wallet is low when less than a tenth of its granted counts is free. */
export const LOW_RATIO = 0.1;

/** The balance flag: 0 enough, 1 low, 2 nothing left. A wallet without granted counts has 0. */
export const lowBalanceFlag = ({ granted, free }: Pick<Balance, 'granted' | 'free'>): 0 | 1 | 2 =>
  granted <= 0 ? 0 : free <= 0 ? 2 : free < granted * LOW_RATIO ? 1 : 0;

/** The expiry flag: 0 no end soon, 1 ends by the day `soon`, 2 over. Days are `YYYY-MM-DD` of Shanghai; the last day is valid. */
export const expiryFlag = (enddate: string | null, today: string, soon: string): 0 | 1 | 2 =>
  enddate === null || enddate > soon ? 0 : enddate < today ? 2 : 1;
