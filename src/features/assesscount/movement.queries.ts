import { sql } from 'kysely';
import { CountKind } from '#domain/base/enums.ts';
import { remainingByLot, type Lot } from '#domain/counts/wallet.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findPlanRoot } from '#features/plan/lineage/planRoot.queries.ts';

/**
 * The wallets of institutions (`assesscount`) and their ledger (`assesscountlog`). In every wallet, at every moment:
 * granted = used + frozen + expired + free. Each figure is the sum of ledger lines. Frozen is also the sum of live authorizations
 * (`cuserplan.frozen`) and unused codes (`assesscode`).
 *
 * A movement is one guarded statement on the wallet and then its ledger lines, in the caller's transaction. Every caller takes locks
 * in the same order: authorizations and codes, rosters, wallets. Of two institutions' wallets it locks the upper one first.
 */

/** The key of a wallet. */
export interface Wallet {
  musercode: string;
  /** the lineage of the plan of the counts, or '*' for any plan */
  walletcode: string;
}
/** Who moves counts, when and why. */
export interface MovementInfo {
  operator: string;
  now: Date;
  remark: string;
  /** the order that moves the counts */
  orderno?: string;
}

/** The counts of a wallet whose last day is over. They cannot be used, also before the job writes them off. */
const endedCounts = (today: string) => sql`coalesce((select sum(l.qty) from assesscountlog l
  where l.musercode = assesscount.musercode and l.plancode = assesscount.plancode
    and l.kind in ('01', '02', '06', '08') and l.enddate < ${today}::date), 0)`;

/** The wallets that can pay for a plan, in their order: that of its lineage, then the one for any plan. */
export const findPayingWallets = async (scope: Scope, plancode: string) => [await findPlanRoot(scope, plancode), '*'];

/** The free counts of an institution for a plan: in the lineage's own wallet, in the wallet for any plan, and the larger of both. */
export async function freeCounts(scope: Scope, musercode: string, plancode: string, today: string) {
  const walletcodes = await findPayingWallets(scope, plancode);
  const { rows } = await sql<{ plancode: string; free: number }>`
    select plancode, (granted - greatest(used + frozen + expired, ${endedCounts(today)}))::int as free from assesscount
    where musercode = ${musercode} and plancode = any(${walletcodes}::text[])`.execute(scope.db);
  const own = rows.find((row) => row.plancode === walletcodes[0])?.free ?? 0;
  const any = rows.find((row) => row.plancode === '*')?.free ?? 0;
  // One wallet pays for a freeze, so one freeze can take at most the larger of the two.
  return { own, any, most: Math.max(own, any) };
}

/** Freezes counts of one wallet. Returns the free counts afterwards, or undefined when the wallet has too few. */
export async function freezeIn(
  scope: Scope,
  { musercode, walletcode, qty, today }: Wallet & { qty: number; today: string },
): Promise<number | undefined> {
  // Ended lots never change. So the wallet's own figures show all that another transaction did meanwhile.
  const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen + ${qty}
    where musercode = ${musercode} and plancode = ${walletcode} and granted - used - frozen - expired >= ${qty}
      and granted - ${endedCounts(today)} >= ${qty}
    returning granted - used - frozen - expired as free`.execute(scope.db);
  return rows[0]?.free;
}

/**
 * Freezes `countPerPerson` counts (1 by default) of a plan for every person, in its lineage's wallet or, without enough counts there,
 * in the wallet for any plan. Returns the charged wallet, which the caller stores as `cuserplan.walletcode`. Refuses 150001 with the
 * free and the needed counts.
 */
export async function freezeCounts(
  scope: Scope,
  options: {
    musercode: string;
    plancode: string;
    cuserids: readonly string[];
    countPerPerson?: number;
    operator: string;
    now: Date;
    today: string;
    remark?: string;
  },
): Promise<string> {
  const { countPerPerson = 1 } = options;
  const qty = options.cuserids.length * countPerPerson;
  if (qty === 0) return '*';
  for (const walletcode of await findPayingWallets(scope, options.plancode)) {
    const free = await freezeIn(scope, { musercode: options.musercode, walletcode, qty, today: options.today });
    if (free === undefined) continue;
    await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
      select ${options.musercode}, ${walletcode}, ${options.plancode}, p.cuserid, '03', ${-countPerPerson}::int,
        ${free}::int + ${qty}::int - ${countPerPerson}::int * p.n::int, ${options.operator}, ${options.remark ?? null}, ${options.now}
      from unnest(${[...options.cuserids]}::text[]) with ordinality p(cuserid, n) order by p.n`.execute(scope.db);
    return walletcode;
  }
  const { most } = await freeCounts(scope, options.musercode, options.plancode, options.today);
  throw problems.countsShort({ free: most, need: qty }, { data: { free: most, need: qty } });
}

/** Frozen counts of an authorization or a code, to return. `cuserid` is null for a code. */
export interface FrozenCounts extends Wallet {
  cuserid: string | null;
  qty: number;
  /** the plan that they were frozen for */
  plancode: string;
  /** replaces the common remark */
  remark?: string;
}

/**
 * Returns frozen counts to their wallets (ledger kind 05) and returns their number. Pass the rows of the statement that emptied the
 * authorizations, never rows that were read before it.
 */
export async function releaseCounts(scope: Scope, frozen: readonly FrozenCounts[], info: MovementInfo): Promise<number> {
  const byWallet = new Map<string, FrozenCounts[]>();
  for (const item of frozen) {
    const key = `${item.musercode} ${item.walletcode}`;
    if (item.qty > 0) byWallet.set(key, [...(byWallet.get(key) ?? []), item]);
  }
  let released = 0;
  for (const key of [...byWallet.keys()].sort()) {
    const grants = byWallet.get(key) as FrozenCounts[];
    const { musercode, walletcode } = grants[0] as FrozenCounts;
    const qty = grants.reduce((sum, grant) => sum + grant.qty, 0);
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen - ${qty}
      where musercode = ${musercode} and plancode = ${walletcode} returning granted - used - frozen - expired as free`.execute(
      scope.db,
    );
    const free = rows[0]?.free;
    if (free === undefined) throw new Error(`no wallet ${walletcode} of ${musercode}`);
    await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
      select ${musercode}, ${walletcode}, p.forplan, p.cuserid, '05', p.qty,
        ${free}::int - ${qty}::int + (sum(p.qty) over (order by p.n))::int, ${info.operator}, p.remark, ${info.now}
      from unnest(${grants.map((grant) => grant.cuserid)}::text[], ${grants.map((grant) => grant.plancode)}::text[],
        ${grants.map((grant) => grant.qty)}::int[], ${grants.map((grant) => grant.remark ?? info.remark)}::text[])
        with ordinality p(cuserid, forplan, qty, remark, n)
      order by p.n`.execute(scope.db);
    released += qty;
  }
  return released;
}

/** Ledger kinds that change the granted counts of a wallet. */
type GrantingKind = '01' | '02' | '06' | '08';

/** Locks a wallet until the transaction ends, and creates it when there is none. */
export const lockWallet = (scope: Scope, { musercode, walletcode }: Wallet) =>
  sql`insert into assesscount (musercode, plancode) values (${musercode}, ${walletcode})
    on conflict (musercode, plancode) do update set granted = assesscount.granted`.execute(scope.db);

/** A lot with its free counts and the counts that one party granted of it, less those it took back. */
export interface WalletLot extends Lot {
  free: number;
  grantedByParty: number;
}
/** The lots of a locked wallet that have not ended, the soonest to end first, with the counts that `partycode` granted of each. */
export async function findLots(scope: Scope, { musercode, walletcode }: Wallet, today: string, partycode: string | null = null) {
  const { rows } = await sql<WalletLot & { consumed: number }>`
    select l.enddate, sum(l.qty)::int as qty,
      coalesce(sum(l.qty) filter (where l.partycode = ${partycode} and l.kind in ('01', '06')), 0)::int as "grantedByParty",
      (w.used + w.frozen + w.expired)::int as consumed
    from assesscountlog l join assesscount w using (musercode, plancode)
    where musercode = ${musercode} and plancode = ${walletcode} and l.kind in ('01', '02', '06', '08')
    group by l.enddate, w.used, w.frozen, w.expired having sum(l.qty) > 0 order by l.enddate nulls last`.execute(scope.db);
  const free = remainingByLot(rows, rows[0]?.consumed ?? 0);
  return rows
    .map(({ enddate, qty, grantedByParty }, index) => ({ enddate, qty, grantedByParty, free: free[index]?.qty ?? 0 }))
    .filter((lot) => lot.enddate === null || lot.enddate >= today);
}

/** Adds lots to a locked wallet; negative quantities take counts away. Returns the free counts afterwards. */
export async function moveLots(
  scope: Scope,
  { musercode, walletcode, kind, partycode }: Wallet & { kind: GrantingKind; partycode: string | null },
  lots: readonly Lot[],
  { operator, remark, now, orderno }: MovementInfo,
): Promise<number> {
  const sum = lots.reduce((total, lot) => total + lot.qty, 0);
  const { rows } = await sql<{ free: number }>`update assesscount set granted = granted + ${sum}
    where musercode = ${musercode} and plancode = ${walletcode} returning granted - used - frozen - expired as free`.execute(
    scope.db,
  );
  const free = rows[0]?.free;
  if (free === undefined) throw new Error(`no wallet ${walletcode} of ${musercode}`);
  let balance = free - sum;
  await scope.db
    .insertInto('assesscountlog')
    .values(
      lots.map(({ enddate, qty }) => ({
        musercode,
        plancode: walletcode,
        kind,
        qty,
        balance: (balance += qty),
        enddate,
        operator,
        remark: remark || null,
        partycode,
        orderno: orderno ?? null,
        time: now,
      })),
    )
    .execute();
  return free;
}

/**
 * Writes off the free counts of lots whose last day is over (ledger kind 07), and returns their number. Counts that were frozen before
 * can still be used; when they come back, the next run writes them off.
 */
export async function expireWallets(scope: Scope, musercode: string, info: { now: Date; today: string }): Promise<number> {
  const { rows } = await sql<{ qty: number }>`
    with locked as (
      select plancode, used + frozen + expired as consumed, granted - used - frozen - expired as free from assesscount
      where musercode = ${musercode} order by plancode for update),
    lots as (
      select h.plancode, h.consumed, h.free, l.enddate, l.qty, sum(l.qty) over (partition by h.plancode order by l.enddate) as upto
      from locked h join (
        select plancode, enddate, sum(qty) as qty from assesscountlog
        where musercode = ${musercode} and kind in ('01', '02', '06', '08') and enddate < ${info.today}::date
          group by 1, 2) l using (plancode)),
    over as (select plancode, enddate, free, least(qty, upto - consumed)::int as qty from lots where least(qty, upto - consumed) > 0),
    written as (
      update assesscount w set expired = w.expired + o.qty from (select plancode, sum(qty)::int as qty from over group by 1) o
      where w.musercode = ${musercode} and w.plancode = o.plancode returning w.plancode)
    insert into assesscountlog (musercode, plancode, kind, qty, balance, enddate, operator, remark, time)
    select ${musercode}, plancode, ${CountKind.expiry}, -qty, (free - sum(qty) over (partition by plancode
      order by enddate))::int, enddate, '系统', '有效期至 ' || enddate, ${info.now}
    from over join written using (plancode) order by plancode, enddate
    returning -qty as qty`.execute(scope.db);
  return rows.reduce((sum, row) => sum + row.qty, 0);
}
