import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { CountKind } from '#domain/base/enums.ts';
import { expiryWarningDays, expiryFlag, takeFirst, lowBalanceFlag, type Lot } from '#domain/counts/wallet.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { lockWallet, findLots, moveLots, type MovementInfo } from '#features/assesscount/movement.queries.ts';
import { findPlanRoot } from '#features/plan/lineage/planRoot.queries.ts';
import { findPlan } from '#features/plan/plan.queries.ts';
import { requireReach } from '#features/access/institutionAccess.ts';
import * as contract from '#features/assesscount/wallet.contract.ts';
import { planNameOf } from '#features/assesscount/planName.ts';
import * as queries from '#features/assesscount/wallet.queries.ts';

const getMUserAssessCount = handle(contract.getMUserAssessCount, async ({ musercode }, { scope, caller, now }) => {
  const institution = await requireReach(scope, musercode ?? caller.musercode);
  const today = shanghaiDate(now);
  const soon = shanghaiDate(addDays(now, expiryWarningDays));
  return {
    musercode: institution.musercode,
    insname: institution.insname,
    unlimited: institution.musertype === '001',
    wallets: (await queries.findWallets(scope, institution.musercode)).map((row) => ({
      ...row,
      planname: planNameOf(row.plancode, row.planname),
      expiring: expiryFlag(row.enddate, today, soon),
      low: lowBalanceFlag(row),
    })),
  };
});

/** An institution below the caller that can have counts. Refuses 130001 out of reach, and 110004 for the caller's own institution. */
async function requireHolder(scope: Scope, caller: Staff, musercode: string) {
  const institution = await requireReach(scope, musercode);
  if (musercode === caller.musercode) throw problems.notAllowed();
  if (institution.musertype === '003') throw problems.invalid({ message: '主管部门不使用测评次数' }, { field: 'musercode' });
  return institution;
}

/** Refuses a plan that the institution cannot use: it may use its own plans and the common plans of institutions above it. */
async function requirePlan(scope: Scope, plancode: string, orgpath: string, musercode: string) {
  if (plancode === contract.anyPlan) return;
  const plan = await findPlan(scope, plancode);
  const isUsable = plan && (plan.musercode === musercode || (plan.iscommon === 1 && orgpath.split('.').includes(plan.musercode)));
  if (!isUsable) throw problems.notFound({ what: '方案' });
}

/** A movement of counts that a caller requests. */
interface Movement {
  musercode: string;
  /** the lineage of the plan, or '*' */
  plancode: string;
  qty: number;
  enddate?: string | null | undefined;
}
type DatedInfo = MovementInfo & { today: string };

/**
 * Grants counts to an institution. The platform's own counts are unlimited. A provider pays from its wallet of the plan, or from its
 * wallet for any plan. Granted counts end no later than the counts that pay for them. With a last day the provider pays with counts
 * that last as long, the soonest to end first; without one the counts keep their last days.
 */
async function grantCounts(scope: Scope, caller: Staff, movement: Movement, info: DatedInfo) {
  const { musercode, plancode: walletcode, qty, enddate } = movement;
  const to = { musercode, walletcode, kind: CountKind.grant };
  if (caller.musertype === '001') {
    await lockWallet(scope, to);
    return { balance: await moveLots(scope, { ...to, partycode: null }, [{ enddate: enddate ?? null, qty }], info), own: null };
  }
  // Lock the upper wallet first, so that a grant and a take-back never block each other.
  const { lots: paidLots, own } = await payFrom(scope, caller, movement, info);
  await lockWallet(scope, to);
  const lots = enddate === undefined ? paidLots : [{ enddate, qty }];
  return { balance: await moveLots(scope, { ...to, partycode: caller.musercode }, lots, info), own };
}

/** Takes counts that last until `enddate` out of the caller's wallet. Refuses 150001 when there are too few. */
async function payFrom(scope: Scope, caller: Staff, { musercode, plancode, qty, enddate }: Movement, info: DatedInfo) {
  let maxFree = 0;
  let maxLasting = 0;
  for (const walletcode of new Set([plancode, contract.anyPlan])) {
    const from = { musercode: caller.musercode, walletcode };
    await lockWallet(scope, from);
    const lots = (await findLots(scope, from, info.today)).map((lot) => ({ enddate: lot.enddate, qty: lot.free }));
    const lastingLots = lots.filter(
      (lot) => enddate === undefined || lot.enddate === null || (enddate !== null && lot.enddate >= enddate),
    );
    const paidLots = takeFirst(lastingLots, qty);
    if (paidLots) {
      const out = paidLots.map((lot) => ({ ...lot, qty: -lot.qty }));
      return { lots: paidLots, own: await moveLots(scope, { ...from, kind: CountKind.grant, partycode: musercode }, out, info) };
    }
    maxFree = Math.max(maxFree, sumOf(lots));
    maxLasting = Math.max(maxLasting, sumOf(lastingLots));
  }
  if (maxFree >= qty)
    throw problems.invalid(
      { message: `本机构有效期足够长的次数只有 ${maxLasting} 次，请减少次数或提前有效期` },
      { field: 'enddate' },
    );
  throw problems.countsShort({ free: maxFree, need: qty }, { field: 'qty', data: { free: maxFree, need: qty } });
}
const sumOf = (lots: readonly Lot[]) => lots.reduce((sum, lot) => sum + lot.qty, 0);

/**
 * Returns free counts to the caller, the soonest to end first. Of each last day a provider gets back at most the counts that it granted.
 * In the provider's wallet they have their former last day again, when it is not over.
 */
async function takeBackCounts(scope: Scope, caller: Staff, { musercode, plancode: walletcode, qty }: Movement, info: DatedInfo) {
  const from = { musercode, walletcode };
  const to = { musercode: caller.musercode, walletcode };
  const byPlatform = caller.musertype === '001';
  if (!byPlatform) await lockWallet(scope, to);
  await lockWallet(scope, from);
  const walletLots = await findLots(scope, from, info.today, byPlatform ? null : caller.musercode);
  const available = walletLots.map(({ enddate, free, grantedByParty }) => ({
    enddate,
    qty: byPlatform ? free : Math.max(0, Math.min(free, grantedByParty)),
  }));
  const lots = takeFirst(available, qty);
  if (!lots) {
    if (!byPlatform && walletLots.reduce((sum, lot) => sum + lot.grantedByParty, 0) < qty)
      throw problems.invalid({ message: '收回的次数不能多于本机构发放的次数' }, { field: 'qty' });
    throw problems.countsShort(
      { free: sumOf(available), need: qty },
      { field: 'qty', data: { free: sumOf(available), need: qty } },
    );
  }
  const out = lots.map((lot) => ({ ...lot, qty: -lot.qty }));
  const partycode = byPlatform ? null : caller.musercode;
  const balance = await moveLots(scope, { ...from, kind: CountKind.takeBack, partycode }, out, info);
  if (byPlatform) return { balance, own: null };
  const outstanding = await queries.findOutstanding(scope, to, musercode, info.today);
  const restoredLots = takeFirst(outstanding, Math.min(qty, sumOf(outstanding))) ?? [];
  // Counts of the plan that the wallet for any plan paid come back with the last day of the grant.
  const otherLots = takeFirst([...lots].reverse(), qty - sumOf(restoredLots)) ?? [];
  const own = await moveLots(
    scope,
    { ...to, kind: CountKind.takeBack, partycode: musercode },
    [...restoredLots, ...otherLots],
    info,
  );
  return { balance, own };
}

/** Corrects a wallet. `+` adds to the counts that last longest; `-` takes free counts, the soonest to end first. */
async function correctCounts(scope: Scope, { musercode, plancode: walletcode, qty }: Movement, sign: '+' | '-', info: DatedInfo) {
  const wallet = { musercode, walletcode };
  await lockWallet(scope, wallet);
  const walletLots = await findLots(scope, wallet, info.today);
  const lots =
    sign === '+'
      ? [{ enddate: walletLots.at(-1)?.enddate ?? null, qty }]
      : takeFirst(
          walletLots.map(({ enddate, free }) => ({ enddate, qty: free })),
          qty,
        )?.map((lot) => ({ ...lot, qty: -lot.qty }));
  if (sign === '+' && walletLots.length === 0 && (await queries.hasHistory(scope, wallet)))
    throw problems.wrongState({ why: '该机构的次数账户已到期，请先发放并填写新的有效期' }, { field: 'qty' });
  if (lots)
    return { balance: await moveLots(scope, { ...wallet, kind: CountKind.correction, partycode: null }, lots, info), own: null };
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
    const info = { operator: caller.accountid, now, today, remark };
    const movement = { musercode, plancode: await findPlanRoot(scope, plancode), qty, enddate };
    if (kind === CountKind.correction && caller.musertype !== '001') throw problems.notAllowed();
    if (kind === CountKind.grant) await requirePlan(scope, plancode, orgpath, musercode);
    ctx.audit({
      objectid: musercode,
      detail: { kind: CountKind.label(kind), plancode, qty, sign, enddate: enddate ?? '', remark },
    });
    if (kind === CountKind.grant) return grantCounts(scope, caller, movement, info);
    if (kind === CountKind.takeBack) return takeBackCounts(scope, caller, movement, info);
    return correctCounts(scope, movement, sign, info);
  },
);

export const walletHandlers = [getMUserAssessCount, grantMUserAssessCount];
