import { sql } from 'kysely';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/scope.ts';

/**
 * The counts an institution may spend (`assesscount`) and their ledger (`assesscountlog`). In every wallet, at every
 * moment: granted = used + frozen + expired + free, and frozen = the sum of `cuserplan.frozen` over its live grants.
 *
 * Every movement is one guarded statement on the wallet followed by its ledger rows, in the caller's transaction. Locks are
 * taken in one order everywhere: grants (`cuserplan`), rosters (`taskroster`), wallet last; so a wallet is held for the
 * shortest time and two movements never wait for each other.
 */

export interface Wallet {
  musercode: string;
  /** the plan whose counts these are, or '*' for any plan */
  walletcode: string;
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
 * Freezes `qty` counts for a plan: in the plan's own wallet when it suffices, else in the one for any plan. Answers the
 * wallet that was charged, to be stored as `cuserplan.walletcode`. Refuses 150001 with what is free and what is needed.
 */
export async function freezeCounts(
  scope: Scope,
  of: {
    musercode: string;
    plancode: string;
    cuserids: readonly string[];
    operator: string;
    now: Date;
    today: string;
    remark?: string;
  },
): Promise<string> {
  const qty = of.cuserids.length;
  if (qty === 0) return '*';
  for (const walletcode of [of.plancode, '*']) {
    const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen + ${qty}
      where musercode = ${of.musercode} and plancode = ${walletcode} and granted - used - frozen - expired >= ${qty}
        and (enddate is null or enddate >= ${of.today}::date)
      returning granted - used - frozen - expired as free`.execute(scope.db);
    const left = rows[0];
    if (!left) continue;
    await sql`insert into assesscountlog (musercode, plancode, cuserid, kind, qty, balance, operator, remark, time)
      select ${of.musercode}, ${walletcode}, p.cuserid, '03', -1, ${left.free}::int + ${qty}::int - p.n::int, ${of.operator}, ${of.remark ?? null}, ${of.now}
      from unnest(${[...of.cuserids]}::text[]) with ordinality p(cuserid, n) order by p.n`.execute(scope.db);
    return walletcode;
  }
  const { most } = await freeCounts(scope, of.musercode, of.plancode, of.today);
  throw problems.countsShort({ free: most, need: qty }, { data: { free: most, need: qty } });
}

/** Counts of one person to give back, as they stood in their grant. */
export interface Frozen extends Wallet {
  cuserid: string;
  qty: number;
}

/**
 * Gives frozen counts back to the wallets they came from (ledger kind 05). Call it with what the statement that emptied
 * the grants returned, never with what was read before. Answers how many counts were given back.
 */
export async function releaseCounts(
  scope: Scope,
  frozen: readonly Frozen[],
  about: { operator: string; now: Date; remark: string },
): Promise<number> {
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
        ${free}::int - ${qty}::int + (sum(p.qty) over (order by p.n))::int, ${about.operator}, ${about.remark}, ${about.now}
      from unnest(${grants.map((each) => each.cuserid)}::text[], ${grants.map((each) => each.qty)}::int[]) with ordinality p(cuserid, qty, n)
      order by p.n`.execute(scope.db);
    released += qty;
  }
  return released;
}

/**
 * Turns one frozen count of a grant into a used one at a person's hand-in (ledger kind 04). The caller has moved the
 * grant itself (`cuserplan.used + 1, frozen - 1`) before, in the same transaction.
 */
export async function spendCount(
  scope: Scope,
  of: Wallet & { cuserid: string; examcode: string; operator: string; now: Date; remark?: string },
): Promise<void> {
  const { rows } = await sql<{ free: number }>`update assesscount set frozen = frozen - 1, used = used + 1
    where musercode = ${of.musercode} and plancode = ${of.walletcode} returning granted - used - frozen - expired as free`.execute(
    scope.db,
  );
  const free = rows[0]?.free;
  if (free === undefined) throw new Error(`no wallet ${of.walletcode} of ${of.musercode}`);
  await scope.db
    .insertInto('assesscountlog')
    .values({
      musercode: of.musercode,
      plancode: of.walletcode,
      cuserid: of.cuserid,
      examcode: of.examcode,
      kind: '04',
      qty: -1,
      balance: free,
      operator: of.operator,
      remark: of.remark ?? null,
      time: of.now,
    })
    .execute();
}
