import { sql } from 'kysely';
import { CountKind } from '#domain/enums.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/scope.ts';

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

/** Free counts an institution has for a plan: in the plan's own wallet and in the one for any plan. */
export async function freeCounts(scope: Scope, musercode: string, plancode: string, today: string) {
  const rows = await scope.db
    .selectFrom('assesscount')
    .select(['plancode', sql<number>`granted - used - frozen - expired`.as('free'), 'enddate'])
    .where('musercode', '=', musercode)
    .where('plancode', 'in', [plancode, '*'])
    .execute();
  const live = rows.filter((row) => row.enddate === null || row.enddate >= today);
  const own = live.find((row) => row.plancode === plancode)?.free ?? 0;
  const any = live.find((row) => row.plancode === '*')?.free ?? 0;
  // A freeze is served by one wallet, so what can be frozen at once is the larger of the two.
  return { own, any, most: Math.max(own, any) };
}

/**
 * Freezes `each` counts (1 unless told) of a plan for every person: in the plan's own wallet when it suffices, else in the one
 * for any plan. Answers the wallet that was charged, to be stored as `cuserplan.walletcode`. Refuses 150001 with what is free and
 * what is needed.
 */
export async function freezeCounts(
  scope: Scope,
  of: {
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
  const { each = 1 } = of;
  const qty = of.cuserids.length * each;
  if (qty === 0) return '*';
  for (const walletcode of [of.plancode, '*']) {
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen + ${qty}
      where musercode = ${of.musercode} and plancode = ${walletcode} and granted - used - frozen - expired >= ${qty}
        and (enddate is null or enddate >= ${of.today}::date)
      returning granted - used - frozen - expired as free`.execute(scope.db);
    const left = rows[0];
    if (!left) continue;
    await sql`insert into assesscountlog (musercode, plancode, cuserid, kind, qty, balance, operator, remark, time)
      select ${of.musercode}, ${walletcode}, p.cuserid, '03', ${-each}::int, ${left.free}::int + ${qty}::int - ${each}::int * p.n::int, ${of.operator}, ${of.remark ?? null}, ${of.now}
      from unnest(${[...of.cuserids]}::text[]) with ordinality p(cuserid, n) order by p.n`.execute(scope.db);
    return walletcode;
  }
  const { most } = await freeCounts(scope, of.musercode, of.plancode, of.today);
  throw problems.countsShort({ free: most, need: qty }, { data: { free: most, need: qty } });
}

/** Counts to give back, as they stood in a person's grant; codes belong to nobody yet. */
export interface Frozen extends Wallet {
  cuserid: string | null;
  qty: number;
  /** instead of the common one */
  remark?: string;
}

/**
 * Gives frozen counts back to the wallets they came from (ledger kind 05). Call it with what the statement that emptied
 * the grants returned, never with what was read before. Answers how many counts were given back.
 */
export async function releaseCounts(scope: Scope, frozen: readonly Frozen[], about: About): Promise<number> {
  const byWallet = new Map<string, Frozen[]>();
  for (const each of frozen) {
    const key = `${each.musercode} ${each.walletcode}`;
    if (each.qty > 0) byWallet.set(key, [...(byWallet.get(key) ?? []), each]);
  }
  let released = 0;
  for (const key of [...byWallet.keys()].sort()) {
    const grants = byWallet.get(key) as Frozen[];
    const { musercode, walletcode } = grants[0] as Frozen;
    const qty = grants.reduce((sum, each) => sum + each.qty, 0);
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen - ${qty}
      where musercode = ${musercode} and plancode = ${walletcode} returning granted - used - frozen - expired as free`.execute(
      scope.db,
    );
    const free = rows[0]?.free;
    if (free === undefined) throw new Error(`no wallet ${walletcode} of ${musercode}`);
    await sql`insert into assesscountlog (musercode, plancode, cuserid, kind, qty, balance, operator, remark, time)
      select ${musercode}, ${walletcode}, p.cuserid, '05', p.qty,
        ${free}::int - ${qty}::int + (sum(p.qty) over (order by p.n))::int, ${about.operator}, p.remark, ${about.now}
      from unnest(${grants.map((each) => each.cuserid)}::text[], ${grants.map((each) => each.qty)}::int[], ${grants.map((each) => each.remark ?? about.remark)}::text[])
        with ordinality p(cuserid, qty, remark, n)
      order by p.n`.execute(scope.db);
    released += qty;
  }
  return released;
}

type Giving = '01' | '06' | '08';
const line = (scope: Scope, of: Wallet & About & { kind: string; qty: number; balance: number; partycode: string | null }) =>
  scope.db
    .insertInto('assesscountlog')
    .values({
      musercode: of.musercode,
      plancode: of.walletcode,
      kind: of.kind,
      qty: of.qty,
      balance: of.balance,
      operator: of.operator,
      remark: of.remark || null,
      partycode: of.partycode,
      time: of.now,
    })
    .execute();

/**
 * Puts counts into a wallet, which is made when it is the first time. `enddate` sets the last day the wallet can be used on (null:
 * no end); left out, it stays. Answers what is free now, or undefined when the wallet's last day is over and no other is given.
 */
export async function addCounts(
  scope: Scope,
  wallet: Wallet & { qty: number; kind: Giving; partycode: string | null; enddate?: string | null | undefined },
  about: About & { today: string },
): Promise<number | undefined> {
  const { musercode, walletcode, qty, enddate } = wallet;
  const sets = enddate === undefined ? 0 : 1;
  const { rows } = await sql<{ free: number }>`
    insert into assesscount (musercode, plancode, granted, enddate) values (${musercode}, ${walletcode}, ${qty}, ${enddate ?? null}::date)
    on conflict (musercode, plancode) do update set granted = assesscount.granted + excluded.granted,
      enddate = case when ${sets} = 1 then excluded.enddate else assesscount.enddate end
      where ${sets} = 1 or assesscount.enddate is null or assesscount.enddate >= ${about.today}::date
    returning granted - used - frozen - expired as free`.execute(scope.db);
  const free = rows[0]?.free;
  if (free !== undefined) await line(scope, { ...wallet, ...about, balance: free });
  return free;
}

/** Takes free counts out of a wallet; undefined when it does not hold as many. With `today`, only before its end. */
export async function takeCounts(
  scope: Scope,
  wallet: Wallet & { qty: number; kind: Giving; partycode: string | null },
  about: About & { today?: string },
): Promise<number | undefined> {
  const { musercode, walletcode, qty } = wallet;
  const { rows } = await sql<{ free: number }>`update assesscount set granted = granted - ${qty}
    where musercode = ${musercode} and plancode = ${walletcode} and granted - used - frozen - expired >= ${qty}
      and (${about.today ?? null}::date is null or enddate is null or enddate >= ${about.today ?? null}::date)
    returning granted - used - frozen - expired as free`.execute(scope.db);
  const free = rows[0]?.free;
  if (free !== undefined) await line(scope, { ...wallet, ...about, qty: -qty, balance: free });
  return free;
}

/** Writes off what is free in an institution's wallets whose last day is over (ledger kind 07). Answers how many counts. */
export async function expireWallets(scope: Scope, musercode: string, about: { now: Date; today: string }): Promise<number> {
  const { rows } = await sql<{ qty: number }>`
    with held as (
      select plancode, granted - used - frozen - expired as free from assesscount
      where musercode = ${musercode} and enddate < ${about.today}::date and granted - used - frozen - expired > 0
      order by plancode for update),
    gone as (
      update assesscount w set expired = w.expired + h.free from held h where w.musercode = ${musercode} and w.plancode = h.plancode
      returning w.plancode, w.enddate, h.free)
    insert into assesscountlog (musercode, plancode, kind, qty, balance, operator, remark, time)
    select ${musercode}, plancode, ${CountKind.expiry}, -free, 0, '系统', '有效期至 ' || enddate, ${about.now} from gone order by plancode
    returning -qty as qty`.execute(scope.db);
  return rows.reduce((sum, row) => sum + row.qty, 0);
}
