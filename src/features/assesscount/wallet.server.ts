import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { CountKind } from '#domain/base/enums.ts';
import { expiryWarningDays, expiryFlag, takeFirst, lowBalanceFlag, type Lot } from '#domain/counts/wallet.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { holdWallet, lotsOf, moveLots, type About } from '#features/assesscount/movement.queries.ts';
import { findPlan } from '#features/plan/plan.queries.ts';
import { requireReach } from '#features/access/institutionAccess.ts';
import * as contract from '#features/assesscount/wallet.contract.ts';
import { planNameOf } from '#features/assesscount/planName.ts';
import * as queries from '#features/assesscount/wallet.queries.ts';

const getMUserAssessCount = handle(contract.getMUserAssessCount, async ({ musercode }, { scope, caller, now }) => {
  const of = await requireReach(scope, musercode ?? caller.musercode);
  const today = shanghaiDate(now);
  const soon = shanghaiDate(addDays(now, expiryWarningDays));
  return {
    musercode: of.musercode,
    insname: of.insname,
    unlimited: of.musertype === '001',
    wallets: (await queries.findWallets(scope, of.musercode)).map((row) => ({
      ...row,
      planname: planNameOf(row.plancode, row.planname),
      expiring: expiryFlag(row.enddate, today, soon),
      low: lowBalanceFlag(row),
    })),
  };
});

/** An institution below the caller that holds counts; refuses 130001, or 110004 for the caller's own. */
async function requireHolder(scope: Scope, caller: Staff, musercode: string) {
  const place = await requireReach(scope, musercode);
  if (musercode === caller.musercode) throw problems.notAllowed();
  if (place.musertype === '003') throw problems.invalid({ message: '主管部门不使用测评次数' }, { field: 'musercode' });
  return place;
}

/** Counts of a plan are given to who could use it: its own plans and common ones of those above. */
async function requirePlan(scope: Scope, plancode: string, orgpath: string, musercode: string) {
  if (plancode === contract.anyPlan) return;
  const plan = await findPlan(scope, plancode);
  const usable = plan && (plan.musercode === musercode || (plan.iscommon === 1 && orgpath.split('.').includes(plan.musercode)));
  if (!usable) throw problems.notFound({ what: '方案' });
}

interface Move {
  musercode: string;
  plancode: string;
  qty: number;
  enddate?: string | null | undefined;
}
type Of = About & { today: string };

/**
 * From the provider's wallet of the plan, else from its wallet for any plan, into the institution's. The platform's have no end. What a
 * provider gives ends no later than what it pays with: with a last day it pays with counts that last as long, the soonest to end first;
 * without one the counts keep the last days they have.
 */
async function grantCounts(scope: Scope, caller: Staff, move: Move, about: Of) {
  const { musercode, plancode: walletcode, qty, enddate } = move;
  const to = { musercode, walletcode, kind: CountKind.grant };
  if (caller.musertype === '001') {
    await holdWallet(scope, to);
    return { balance: await moveLots(scope, { ...to, partycode: null }, [{ enddate: enddate ?? null, qty }], about), own: null };
  }
  // The upper wallet first: who gives and who takes back never wait for each other.
  const { paid, own } = await payFrom(scope, caller, move, about);
  await holdWallet(scope, to);
  const lots = enddate === undefined ? paid : [{ enddate, qty }];
  return { balance: await moveLots(scope, { ...to, partycode: caller.musercode }, lots, about), own };
}

/** Takes counts out of the caller's wallet that last until the day asked for. Refuses 150001 when there are too few of them. */
async function payFrom(scope: Scope, caller: Staff, { musercode, plancode, qty, enddate }: Move, about: Of) {
  let most = 0;
  let lasting = 0;
  for (const walletcode of new Set([plancode, contract.anyPlan])) {
    const from = { musercode: caller.musercode, walletcode };
    await holdWallet(scope, from);
    const lots = (await lotsOf(scope, from, about.today)).map((lot) => ({ enddate: lot.enddate, qty: lot.free }));
    const long = lots.filter(
      (lot) => enddate === undefined || lot.enddate === null || (enddate !== null && lot.enddate >= enddate),
    );
    const paid = takeFirst(long, qty);
    if (paid) {
      const out = paid.map((lot) => ({ ...lot, qty: -lot.qty }));
      return { paid, own: await moveLots(scope, { ...from, kind: CountKind.grant, partycode: musercode }, out, about) };
    }
    most = Math.max(most, sumOf(lots));
    lasting = Math.max(lasting, sumOf(long));
  }
  if (most >= qty)
    throw problems.invalid(
      { message: `本机构有效期足够长的次数只有 ${lasting} 次，请减少次数或提前有效期` },
      { field: 'enddate' },
    );
  throw problems.countsShort({ free: most, need: qty }, { field: 'qty', data: { free: most, need: qty } });
}
const sumOf = (lots: readonly Lot[]) => lots.reduce((sum, lot) => sum + lot.qty, 0);

/**
 * Free counts back to who gave them, the soonest to end first: a provider gets no more than it gave itself, of each last day. With it
 * they have the last day again that they had before, as far as it is not over.
 */
async function takeBackCounts(scope: Scope, caller: Staff, { musercode, plancode: walletcode, qty }: Move, about: Of) {
  const from = { musercode, walletcode };
  const to = { musercode: caller.musercode, walletcode };
  const byPlatform = caller.musertype === '001';
  if (!byPlatform) await holdWallet(scope, to);
  await holdWallet(scope, from);
  const walletLots = await lotsOf(scope, from, about.today, byPlatform ? null : caller.musercode);
  const within = walletLots.map(({ enddate, free, given: givenCount }) => ({
    enddate,
    qty: byPlatform ? free : Math.max(0, Math.min(free, givenCount)),
  }));
  const lots = takeFirst(within, qty);
  if (!lots) {
    if (!byPlatform && walletLots.reduce((sum, lot) => sum + lot.given, 0) < qty)
      throw problems.invalid({ message: '收回的次数不能多于本机构发放的次数' }, { field: 'qty' });
    throw problems.countsShort({ free: sumOf(within), need: qty }, { field: 'qty', data: { free: sumOf(within), need: qty } });
  }
  const out = lots.map((lot) => ({ ...lot, qty: -lot.qty }));
  const partycode = byPlatform ? null : caller.musercode;
  const balance = await moveLots(scope, { ...from, kind: CountKind.takeBack, partycode }, out, about);
  if (byPlatform) return { balance, own: null };
  const before = await queries.outstanding(scope, to, musercode, about.today);
  const restored = takeFirst(before, Math.min(qty, sumOf(before))) ?? [];
  // Counts of the plan that were paid from the wallet for any plan come back with the last day they were given with.
  const rest = takeFirst([...lots].reverse(), qty - sumOf(restored)) ?? [];
  const own = await moveLots(scope, { ...to, kind: CountKind.takeBack, partycode: musercode }, [...restored, ...rest], about);
  return { balance, own };
}

/** Up: to the counts of the wallet that last longest. Down: what is free, the soonest to end first. */
async function correctCounts(scope: Scope, { musercode, plancode: walletcode, qty }: Move, sign: '+' | '-', about: Of) {
  const wallet = { musercode, walletcode };
  await holdWallet(scope, wallet);
  const walletLots = await lotsOf(scope, wallet, about.today);
  const lots =
    sign === '+'
      ? [{ enddate: walletLots.at(-1)?.enddate ?? null, qty }]
      : takeFirst(
          walletLots.map(({ enddate, free }) => ({ enddate, qty: free })),
          qty,
        )?.map((lot) => ({ ...lot, qty: -lot.qty }));
  if (sign === '+' && walletLots.length === 0 && (await queries.hasEnded(scope, wallet)))
    throw problems.wrongState({ why: '该机构的次数账户已到期，请先发放并填写新的有效期' }, { field: 'qty' });
  if (lots)
    return { balance: await moveLots(scope, { ...wallet, kind: CountKind.correction, partycode: null }, lots, about), own: null };
  const free = walletLots.reduce((sum, lot) => sum + lot.free, 0);
  throw problems.countsShort({ free, need: qty }, { field: 'qty', data: { free, need: qty } });
}

const grantMUserAssessCount = handle(
  contract.grantMUserAssessCount,
  async ({ musercode, plancode, kind, qty, sign, enddate, remark = '' }, ctx) => {
    const { scope, caller, now } = ctx;
    const { orgpath } = await requireHolder(scope, caller, musercode);
    const today = shanghaiDate(now);
    if (enddate && enddate < today) throw problems.invalid({ message: '有效期不能早于今天' }, { field: 'enddate' });
    const about = { operator: caller.accountid, now, today, remark };
    const of = { musercode, plancode, qty, enddate };
    if (kind === CountKind.correction && caller.musertype !== '001') throw problems.notAllowed();
    if (kind === CountKind.grant) await requirePlan(scope, plancode, orgpath, musercode);
    ctx.audit({
      objectid: musercode,
      detail: { kind: CountKind.label(kind), plancode, qty, sign, enddate: enddate ?? '', remark },
    });
    if (kind === CountKind.grant) return grantCounts(scope, caller, of, about);
    if (kind === CountKind.takeBack) return takeBackCounts(scope, caller, of, about);
    return correctCounts(scope, of, sign, about);
  },
);

export const walletHandlers = [getMUserAssessCount, grantMUserAssessCount];
