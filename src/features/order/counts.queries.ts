import { sql } from 'kysely';
import { CountKind } from '#domain/base/enums.ts';
import { takeFirst, type Lot } from '#domain/counts/wallet.ts';
import { endOfCounts } from '#domain/order/order.ts';
import type { Scope } from '#server/db/scope.ts';
import {
  findLots,
  freezeIn,
  lockWallet,
  moveLots,
  type MovementInfo,
  type Wallet,
} from '#features/assesscount/movement.queries.ts';

/**
 * The counts of orders. From the order to the payment they are frozen in the seller's wallet (03 and 05 with `orderno`). The payment
 * moves them (02 on both sides), a refund brings them back (06 on both sides). The platform's counts are unlimited: it has no side.
 * The scope is the server's session (`withOrders`). It locks the seller's wallet before the buyer's.
 */

/** Who moves counts for which order. */
export interface OrderInfo extends MovementInfo {
  orderno: string;
  today: string;
}
/** The counts of one item: the seller's wallet is chosen when they are held. */
export interface HeldCounts extends Wallet {
  seq: number;
  qty: number;
}

/**
 * Locks wallets of one institution in the order of all movements: those of plans, then the one for any plan. A step that moves several
 * lots calls it first, so that two steps never wait for each other.
 */
export async function lockWallets(scope: Scope, musercode: string, walletcodes: readonly string[]): Promise<void> {
  const codes = [...new Set(walletcodes)].sort((a, b) => (a === '*' ? 1 : b === '*' ? -1 : a < b ? -1 : 1));
  for (const walletcode of codes) await lockWallet(scope, { musercode, walletcode });
}

const addFreezeLine = (
  scope: Scope,
  kind: '03' | '05',
  { musercode, walletcode, qty }: Wallet & { qty: number },
  info: OrderInfo,
  free: number,
) =>
  scope.db
    .insertInto('assesscountlog')
    .values({
      musercode,
      plancode: walletcode,
      kind,
      qty: kind === CountKind.freeze ? -qty : qty,
      balance: free,
      orderno: info.orderno,
      operator: info.operator,
      remark: info.remark,
      time: info.now,
    })
    .execute();

/**
 * Holds counts of a seller for an item: in the wallet of the plan's lineage, or in the one for any plan. Returns undefined when neither
 * has enough free counts.
 */
export async function holdCounts(
  scope: Scope,
  { musercode, plancode, seq, qty }: { musercode: string; plancode: string; seq: number; qty: number },
  info: OrderInfo,
): Promise<HeldCounts | undefined> {
  for (const walletcode of new Set([plancode, '*'])) {
    const free = await freezeIn(scope, { musercode, walletcode, qty, today: info.today });
    if (free === undefined) continue;
    const hold = { musercode, walletcode, seq, qty };
    await addFreezeLine(scope, CountKind.freeze, hold, info, free);
    await scope.db
      .insertInto('orderhold')
      .values({ ...hold, orderno: info.orderno })
      .execute();
    return hold;
  }
  return undefined;
}

/** Gives the held counts of an order back to the seller's wallets, and returns what each item had held. */
export async function releaseHolds(scope: Scope, info: OrderInfo): Promise<HeldCounts[]> {
  const holds = await scope.db
    .deleteFrom('orderhold')
    .where('orderno', '=', info.orderno)
    .returning(['musercode', 'walletcode', 'seq', 'qty'])
    .execute();
  for (const hold of holds.slice(0, 1))
    await lockWallets(
      scope,
      hold.musercode,
      holds.map(({ walletcode }) => walletcode),
    );
  for (const hold of holds) {
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen - ${hold.qty}
      where musercode = ${hold.musercode} and plancode = ${hold.walletcode}
      returning granted - used - frozen - expired as free`.execute(scope.db);
    if (!rows[0]) throw new Error(`no wallet ${hold.walletcode} of ${hold.musercode}`);
    await addFreezeLine(scope, CountKind.release, hold, info, rows[0].free);
  }
  return holds;
}

/** What the buyer gets for an item. */
export interface Delivery {
  /** null when the platform sells */
  from: Wallet | null;
  to: Wallet;
  qty: number;
  validdays: number | null;
}

/**
 * Moves paid counts from the seller to the buyer. Returns the last day of the first lot; undefined when the seller's counts have ended
 * meanwhile, so that nothing was moved.
 */
export async function deliverCounts(
  scope: Scope,
  { from, to, qty, validdays }: Delivery,
  info: OrderInfo,
): Promise<{ enddate: string | null } | undefined> {
  let lots: Lot[] | undefined = [{ enddate: null, qty }];
  if (from) {
    await lockWallet(scope, from);
    const free = (await findLots(scope, from, info.today)).map((lot) => ({ enddate: lot.enddate, qty: lot.free }));
    lots = takeFirst(free, qty);
    if (!lots) return undefined;
    const out = lots.map((lot) => ({ ...lot, qty: -lot.qty }));
    await moveLots(scope, { ...from, kind: CountKind.order, partycode: to.musercode }, out, info);
  }
  await lockWallet(scope, to);
  const brought = lots.map((lot) => ({ ...lot, enddate: endOfCounts(info.today, validdays, lot.enddate) }));
  await moveLots(scope, { ...to, kind: CountKind.order, partycode: from?.musercode ?? null }, brought, info);
  return { enddate: brought[0]?.enddate ?? null };
}

/** The counts that an order brought into a wallet and that have not gone back, by their last day; for the seller's side, that left it. */
export const findOrderLots = async (scope: Scope, { musercode, walletcode }: Wallet, orderno: string, side: 'buyer' | 'seller') =>
  (
    await sql<Lot>`select enddate, ${sql.lit(side === 'buyer' ? 1 : -1)} * sum(qty)::int as qty from assesscountlog
      where musercode = ${musercode} and plancode = ${walletcode} and orderno = ${orderno} and kind in ('02', '06')
      group by enddate having ${sql.lit(side === 'buyer' ? 1 : -1)} * sum(qty) > 0 order by enddate nulls last`.execute(scope.db)
  ).rows;

/** How many counts of an order the buyer could give back now: of each lot at most what is free. Only lots that have not ended. */
export async function countReturnable(scope: Scope, wallet: Wallet, orderno: string, today: string): Promise<Lot[]> {
  const brought = await findOrderLots(scope, wallet, orderno, 'buyer');
  const free = new Map((await findLots(scope, wallet, today)).map((lot) => [lot.enddate, lot.free]));
  return brought
    .map(({ enddate, qty }) => ({ enddate, qty: Math.min(qty, free.get(enddate) ?? 0) }))
    .filter(({ qty }) => qty > 0);
}

/** The counts that a refund took: out of the buyer's wallet and, unless the platform sold, back into the seller's. */
export interface TakenBack {
  buyer: Wallet & { lots: Lot[] };
  seller: (Wallet & { lots: Lot[] }) | null;
}

/** Takes counts of an order back. Returns undefined when the buyer has too few free ones. */
export async function takeBackCounts(
  scope: Scope,
  { buyer, seller, qty }: { buyer: Wallet; seller: Wallet | null; qty: number },
  info: OrderInfo,
): Promise<TakenBack | undefined> {
  if (seller) await lockWallet(scope, seller);
  await lockWallet(scope, buyer);
  const lots = takeFirst((await countReturnable(scope, buyer, info.orderno, info.today)).reverse(), qty);
  if (!lots) return undefined;
  const home = seller ? takeFirst((await findOrderLots(scope, seller, info.orderno, 'seller')).reverse(), qty) : undefined;
  const taken = { buyer: { ...buyer, lots }, seller: seller && home ? { ...seller, lots: home } : null };
  await moveTaken(scope, taken, -1, info);
  return taken;
}

/** Gives the buyer back what a failed refund took. */
export const returnTaken = (scope: Scope, taken: TakenBack, info: OrderInfo) => moveTaken(scope, taken, 1, info);

async function moveTaken(scope: Scope, { buyer, seller }: TakenBack, sign: 1 | -1, info: OrderInfo): Promise<void> {
  const times = (lots: readonly Lot[], factor: number) => lots.map((lot) => ({ ...lot, qty: factor * lot.qty }));
  if (seller) {
    await lockWallet(scope, seller);
    await moveLots(scope, { ...seller, kind: CountKind.takeBack, partycode: buyer.musercode }, times(seller.lots, -sign), info);
  }
  await lockWallet(scope, buyer);
  await moveLots(
    scope,
    { ...buyer, kind: CountKind.takeBack, partycode: seller?.musercode ?? null },
    times(buyer.lots, sign),
    info,
  );
}

/** The free counts of a wallet in lots that have not ended; locks the wallet. */
export async function countFree(scope: Scope, wallet: Wallet, today: string): Promise<number> {
  await lockWallet(scope, wallet);
  return (await findLots(scope, wallet, today)).reduce((sum, lot) => sum + lot.free, 0);
}
