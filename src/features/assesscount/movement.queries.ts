import { sql } from 'kysely';
import { CountKind } from '#domain/base/enums.ts';
import { remainingByLot, type Lot } from '#domain/counts/wallet.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * The counts an institution may spend (`assesscount`) and their ledger (`assesscountlog`). In every wallet, at every moment:
 * granted = used + frozen + expired + free; each of these is what the ledger's lines add up to; and frozen is what live grants
 * (`cuserplan.frozen`) and unused codes (`assesscode`) hold.
 *
 * Every movement is one guarded statement on the wallet followed by its ledger lines, in the caller's transaction. Locks are
 * taken in one order everywhere: grants and codes, rosters, wallets last, and of two institutions' wallets the upper one first.
 */

export interface Wallet {
  musercode: string;
  /** the plan whose counts these are, or '*' for any plan */
  walletcode: string;
}
/** Who moves counts, and why. */
export interface About {
  operator: string;
  now: Date;
  remark: string;
}

/** What a wallet holds of lots whose last day is over: these counts are gone, whether they were written off already or not. */
const ended = (today: string) => sql`coalesce((select sum(l.qty) from assesscountlog l
  where l.musercode = assesscount.musercode and l.plancode = assesscount.plancode
    and l.kind in ('01', '02', '06', '08') and l.enddate < ${today}::date), 0)`;

/** Free counts an institution has for a plan: in the plan's own wallet and in the one for any plan. */
export async function freeCounts(scope: Scope, musercode: string, plancode: string, today: string) {
  const { rows } = await sql<{ plancode: string; free: number }>`
    select plancode, (granted - greatest(used + frozen + expired, ${ended(today)}))::int as free from assesscount
    where musercode = ${musercode} and plancode in (${plancode}, '*')`.execute(scope.db);
  const own = rows.find((row) => row.plancode === plancode)?.free ?? 0;
  const any = rows.find((row) => row.plancode === '*')?.free ?? 0;
  // A freeze is served by one wallet, so what can be frozen at once is the larger of the two.
  return { own, any, most: Math.max(own, any) };
}

/** Freezes counts of one wallet that have not ended; answers what is free then, or undefined when it does not hold as many. */
export async function freezeIn(
  scope: Scope,
  { musercode, walletcode, qty, today }: Wallet & { qty: number; today: string },
): Promise<number | undefined> {
  // The lots that are over do not change any more, so what another transaction did meanwhile is seen in the wallet's own figures.
  const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen + ${qty}
    where musercode = ${musercode} and plancode = ${walletcode} and granted - used - frozen - expired >= ${qty}
      and granted - ${ended(today)} >= ${qty}
    returning granted - used - frozen - expired as free`.execute(scope.db);
  return rows[0]?.free;
}

/**
 * Freezes `each` counts (1 unless told) of a plan for every person: in the plan's own wallet when it suffices, else in the one
 * for any plan. Answers the wallet that was charged, to be stored as `cuserplan.walletcode`. Refuses 150001 with what is free and
 * what is needed.
 */
export async function freezeCounts(
  scope: Scope,
  options: {
    musercode: string;
    plancode: string;
    cuserids: readonly string[];
    each?: number;
    operator: string;
    now: Date;
    today: string;
    remark?: string;
  },
): Promise<string> {
  const { each = 1 } = options;
  const qty = options.cuserids.length * each;
  if (qty === 0) return '*';
  for (const walletcode of [options.plancode, '*']) {
    const left = await freezeIn(scope, { musercode: options.musercode, walletcode, qty, today: options.today });
    if (left === undefined) continue;
    await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
      select ${options.musercode}, ${walletcode}, ${options.plancode}, p.cuserid, '03', ${-each}::int,
        ${left}::int + ${qty}::int - ${each}::int * p.n::int, ${options.operator}, ${options.remark ?? null}, ${options.now}
      from unnest(${[...options.cuserids]}::text[]) with ordinality p(cuserid, n) order by p.n`.execute(scope.db);
    return walletcode;
  }
  const { most } = await freeCounts(scope, options.musercode, options.plancode, options.today);
  throw problems.countsShort({ free: most, need: qty }, { data: { free: most, need: qty } });
}

/** Counts to give back, as they stood in a person's grant; codes belong to nobody yet. */
export interface Frozen extends Wallet {
  cuserid: string | null;
  qty: number;
  /** the plan they were frozen for */
  plancode: string;
  /** instead of the common one */
  remark?: string;
}

/**
 * Gives frozen counts back to the wallets they came from (ledger kind 05). Call it with what the statement that emptied
 * the grants returned, never with what was read before. Answers how many counts were given back.
 */
export async function releaseCounts(scope: Scope, frozen: readonly Frozen[], about: About): Promise<number> {
  const byWallet = new Map<string, Frozen[]>();
  for (const item of frozen) {
    const key = `${item.musercode} ${item.walletcode}`;
    if (item.qty > 0) byWallet.set(key, [...(byWallet.get(key) ?? []), item]);
  }
  let released = 0;
  for (const key of [...byWallet.keys()].sort()) {
    const grants = byWallet.get(key) as Frozen[];
    const { musercode, walletcode } = grants[0] as Frozen;
    const qty = grants.reduce((sum, grant) => sum + grant.qty, 0);
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen - ${qty}
      where musercode = ${musercode} and plancode = ${walletcode} returning granted - used - frozen - expired as free`.execute(
      scope.db,
    );
    const free = rows[0]?.free;
    if (free === undefined) throw new Error(`no wallet ${walletcode} of ${musercode}`);
    await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
      select ${musercode}, ${walletcode}, p.forplan, p.cuserid, '05', p.qty,
        ${free}::int - ${qty}::int + (sum(p.qty) over (order by p.n))::int, ${about.operator}, p.remark, ${about.now}
      from unnest(${grants.map((grant) => grant.cuserid)}::text[], ${grants.map((grant) => grant.plancode)}::text[],
        ${grants.map((grant) => grant.qty)}::int[], ${grants.map((grant) => grant.remark ?? about.remark)}::text[])
        with ordinality p(cuserid, forplan, qty, remark, n)
      order by p.n`.execute(scope.db);
    released += qty;
  }
  return released;
}

/** Kinds that change what a wallet was granted. */
type Giving = '01' | '06' | '08';

/** Makes a wallet where there is none and holds it for the rest of the transaction. */
export const holdWallet = (scope: Scope, { musercode, walletcode }: Wallet) =>
  sql`insert into assesscount (musercode, plancode) values (${musercode}, ${walletcode})
    on conflict (musercode, plancode) do update set granted = assesscount.granted`.execute(scope.db);

/** A lot with what one party gave of it, less what went back to it. */
export interface HeldLot extends Lot {
  free: number;
  given: number;
}
/** The lots of a wallet that is held and has not ended, the soonest to end first; `given` is what `partycode` gave of each. */
export async function lotsOf(scope: Scope, { musercode, walletcode }: Wallet, today: string, partycode: string | null = null) {
  const { rows } = await sql<HeldLot & { gone: number }>`
    select l.enddate, sum(l.qty)::int as qty, coalesce(sum(l.qty) filter (where l.partycode = ${partycode}
      and l.kind in ('01', '06')), 0)::int as given,
      (w.used + w.frozen + w.expired)::int as gone
    from assesscountlog l join assesscount w using (musercode, plancode)
    where musercode = ${musercode} and plancode = ${walletcode} and l.kind in ('01', '02', '06', '08')
    group by l.enddate, w.used, w.frozen, w.expired having sum(l.qty) > 0 order by l.enddate nulls last`.execute(scope.db);
  const free = remainingByLot(rows, rows[0]?.gone ?? 0);
  return rows
    .map(({ enddate, qty, given: givenCount }, index) => ({ enddate, qty, given: givenCount, free: free[index]?.qty ?? 0 }))
    .filter((lot) => lot.enddate === null || lot.enddate >= today);
}

/**
 * Adds to what a wallet was granted, or takes away from it, lot by lot (negative quantities); it has to be held. Answers what
 * is free then.
 */
export async function moveLots(
  scope: Scope,
  { musercode, walletcode, kind, partycode }: Wallet & { kind: Giving; partycode: string | null },
  lots: readonly Lot[],
  { operator, remark, now }: About,
): Promise<number> {
  const sum = lots.reduce((all, lot) => all + lot.qty, 0);
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
        time: now,
      })),
    )
    .execute();
  return free;
}

/**
 * Writes off what is left of lots whose last day is over (ledger kind 07), of these lots only. Answers how many counts. What was frozen
 * before can still be used; what of it comes back is written off by the next run.
 */
export async function expireWallets(scope: Scope, musercode: string, about: { now: Date; today: string }): Promise<number> {
  const { rows } = await sql<{ qty: number }>`
    with held as (
      select plancode, used + frozen + expired as gone, granted - used - frozen - expired as free from assesscount
      where musercode = ${musercode} order by plancode for update),
    lots as (
      select h.plancode, h.gone, h.free, l.enddate, l.qty, sum(l.qty) over (partition by h.plancode order by l.enddate) as upto
      from held h join (
        select plancode, enddate, sum(qty) as qty from assesscountlog
        where musercode = ${musercode} and kind in ('01', '02', '06', '08') and enddate < ${about.today}::date
          group by 1, 2) l using (plancode)),
    over as (select plancode, enddate, free, least(qty, upto - gone)::int as qty from lots where least(qty, upto - gone) > 0),
    gone as (
      update assesscount w set expired = w.expired + o.qty from (select plancode, sum(qty)::int as qty from over group by 1) o
      where w.musercode = ${musercode} and w.plancode = o.plancode returning w.plancode)
    insert into assesscountlog (musercode, plancode, kind, qty, balance, enddate, operator, remark, time)
    select ${musercode}, plancode, ${CountKind.expiry}, -qty, (free - sum(qty) over (partition by plancode
      order by enddate))::int, enddate, '系统', '有效期至 ' || enddate, ${about.now}
    from over join gone using (plancode) order by plancode, enddate
    returning -qty as qty`.execute(scope.db);
  return rows.reduce((sum, row) => sum + row.qty, 0);
}
