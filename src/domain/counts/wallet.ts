import type { CodeOf } from '#domain/base/enum.ts';
import { CountKind } from '#domain/base/enums.ts';

/**
 * The arithmetic of counts. A wallet is what its ledger says: granted = used + frozen + expired + free, where free is what can
 * still be frozen. Every ledger line carries a signed quantity; its kind says which of the figures it moves.
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
 * A balance from the sums of signed quantities by kind (statistics.md 4.2): what came in (01, 02, 08) less what was taken back
 * (06, negative lines); used 04; expired 07; frozen is what was frozen (03), neither given back (05) nor used.
 */
export function balanceOf(sums: Readonly<Partial<Record<CountKindCode, number>>>): Balance {
  const of = (kind: CountKindCode) => sums[kind] ?? 0;
  const granted = of(CountKind.grant) + of(CountKind.order) + of(CountKind.correction) + of(CountKind.takeBack);
  const used = 0 - of(CountKind.use);
  const expired = 0 - of(CountKind.expiry);
  const frozen = 0 - of(CountKind.freeze) - of(CountKind.release) - used;
  return { granted, used, frozen, expired, free: granted - used - frozen - expired };
}

/** Counts of a wallet that share a last day (`YYYY-MM-DD` of Shanghai; null: none). */
export interface Lot {
  enddate: string | null;
  qty: number;
}
/**
 * What is free of each lot when `gone` counts are frozen, used or run out: they took first what ends soonest. The lots come in that order,
 * those without end last.
 */
export function remainingByLot(lots: readonly Lot[], consumed: number): Lot[] {
  let upto = 0;
  return lots.map(({ enddate, qty }) => {
    upto += qty;
    return { enddate, qty: Math.max(0, Math.min(qty, upto - consumed)) };
  });
}

/** The first `qty` counts of lots in their order; undefined when they hold fewer. */
export function takeFirst(lots: readonly Lot[], qty: number): Lot[] | undefined {
  let missing = qty;
  const parts: Lot[] = [];
  for (const lot of lots) {
    const part = Math.min(missing, lot.qty);
    if (part > 0) parts.push({ enddate: lot.enddate, qty: part });
    missing -= part;
  }
  return missing > 0 ? undefined : parts;
}

/** Days before its end from which a wallet is marked. */
export const expiryWarningDays = 30;
/** Days before counts end on which those they belong to are told, the first first. */
export const noticeDays = [expiryWarningDays, 7, 1] as const;
/** A wallet is low when less than a tenth of what it was granted is free. */
export const LOW_RATIO = 0.1;

/** 0 enough · 1 low · 2 nothing left. A wallet that never got anything is not marked. */
export const lowBalanceFlag = ({ granted, free }: Pick<Balance, 'granted' | 'free'>): 0 | 1 | 2 =>
  granted <= 0 ? 0 : free <= 0 ? 2 : free < granted * LOW_RATIO ? 1 : 0;

/** 0 no end in sight · 1 ends within 30 days · 2 over. Days are `YYYY-MM-DD` of Shanghai; the last day still counts. */
export const expiryFlag = (enddate: string | null, today: string, soon: string): 0 | 1 | 2 =>
  enddate === null || enddate > soon ? 0 : enddate < today ? 2 : 1;
