import { addDays, shanghaiDate } from '#domain/calendar.ts';
import { CountKind } from '#domain/enums.ts';
import { endingDays, endMark, lowMark } from '#domain/wallet.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import { handle } from '#server/handle.ts';
import type { Scope } from '#server/scope.ts';
import { addCounts, expireWallets, freeCounts, takeCounts, type About } from '#server/wallet.ts';
import { findPlan } from '#features/plan/plan.queries.ts';
import { demandReach } from '#features/muser/reach.ts';
import * as contract from '#features/count/wallet.contract.ts';
import * as queries from '#features/count/wallet.queries.ts';

export const anyPlanName = '不限方案';
/** How a wallet's plan is called. A plan the reader cannot see goes by its code. */
export const planNameOf = (plancode: string, planname: string | null): string =>
  plancode === contract.anyPlan ? anyPlanName : (planname ?? plancode);

const getMUserAssessCount = handle(contract.getMUserAssessCount, async ({ musercode }, { scope, caller, now }) => {
  const of = await demandReach(scope, musercode ?? caller.musercode);
  const today = shanghaiDate(now);
  const soon = shanghaiDate(addDays(now, endingDays));
  return {
    musercode: of.musercode,
    insname: of.insname,
    unlimited: of.musertype === '001',
    wallets: (await queries.findWallets(scope, of.musercode)).map((row) => ({
      ...row,
      planname: planNameOf(row.plancode, row.planname),
      expiring: endMark(row.enddate, today, soon),
      low: lowMark(row),
    })),
  };
});

/** An institution below the caller that holds counts; refuses 130001, or 110004 for the caller's own. */
async function demandHolder(scope: Scope, caller: Staff, musercode: string) {
  const place = await demandReach(scope, musercode);
  if (musercode === caller.musercode) throw problems.notAllowed();
  if (place.musertype === '003') throw problems.invalid({ message: '主管部门不使用测评次数' }, { field: 'musercode' });
  return place;
}

/** Counts of a plan are given to who could use it: its own plans and common ones of those above. */
async function demandPlan(scope: Scope, plancode: string, orgpath: string, musercode: string) {
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

/** From the provider's wallet of the plan, else from its wallet for any plan, into the institution's. The platform's have no end. */
async function give(scope: Scope, caller: Staff, of: Move, about: Of) {
  const { musercode, plancode: walletcode, qty, enddate } = of;
  let own: number | undefined;
  if (caller.musertype !== '001') {
    // The upper wallet first: who gives and who takes back never wait for each other.
    const payer = { musercode: caller.musercode, qty, kind: CountKind.grant, partycode: musercode };
    for (const each of new Set([walletcode, contract.anyPlan]))
      own ??= await takeCounts(scope, { ...payer, walletcode: each }, about);
    if (own === undefined) {
      const { most } = await freeCounts(scope, caller.musercode, walletcode, about.today);
      throw problems.countsShort({ free: most, need: qty }, { field: 'qty', data: { free: most, need: qty } });
    }
  }
  // What has run out is written off before the wallet gets a new last day.
  await expireWallets(scope, musercode, about);
  const partycode = caller.musertype === '001' ? null : caller.musercode;
  const balance = await addCounts(scope, { musercode, walletcode, qty, kind: CountKind.grant, partycode, enddate }, about);
  if (balance === undefined) throw problems.invalid({ message: '原有次数已到期，请填写新的有效期' }, { field: 'enddate' });
  return { balance, own: own ?? null };
}

/** Free counts back to who gave them: a provider gets no more than it gave itself. */
async function takeBack(scope: Scope, caller: Staff, { musercode, plancode: walletcode, qty }: Move, about: Of) {
  const byPlatform = caller.musertype === '001';
  const of = { walletcode, qty, kind: CountKind.takeBack };
  const own = byPlatform
    ? undefined
    : await addCounts(scope, { ...of, musercode: caller.musercode, partycode: musercode }, about);
  if (!byPlatform && own === undefined) throw problems.wrongState({ why: '本机构的次数账户已到期，不能收回' }, { field: 'qty' });
  const { today: _, ...whenever } = about;
  const balance = await takeCounts(scope, { ...of, musercode, partycode: byPlatform ? null : caller.musercode }, whenever);
  if (balance === undefined) {
    const free = await queries.freeIn(scope, musercode, walletcode);
    throw problems.countsShort({ free, need: qty }, { field: 'qty', data: { free, need: qty } });
  }
  // Read after the institution's wallet is held: of two that take back at once, the second sees the first.
  if (!byPlatform && (await queries.givenBy(scope, musercode, walletcode, caller.musercode)) < 0)
    throw problems.invalid({ message: '收回的次数不能多于本机构发放的次数' }, { field: 'qty' });
  return { balance, own: own ?? null };
}

async function correct(scope: Scope, { musercode, plancode: walletcode, qty }: Move, sign: '+' | '-', about: Of) {
  const of = { musercode, walletcode, qty, kind: CountKind.correction, partycode: null };
  const { today: _, ...whenever } = about;
  const balance = sign === '+' ? await addCounts(scope, of, about) : await takeCounts(scope, of, whenever);
  if (balance !== undefined) return { balance, own: null };
  if (sign === '+') throw problems.wrongState({ why: '该机构的次数账户已到期，请先发放并填写新的有效期' }, { field: 'qty' });
  const free = await queries.freeIn(scope, musercode, walletcode);
  throw problems.countsShort({ free, need: qty }, { field: 'qty', data: { free, need: qty } });
}

const grantMUserAssessCount = handle(
  contract.grantMUserAssessCount,
  async ({ musercode, plancode, kind, qty, sign, enddate, remark = '' }, ctx) => {
    const { scope, caller, now } = ctx;
    const { orgpath } = await demandHolder(scope, caller, musercode);
    const today = shanghaiDate(now);
    if (enddate && enddate < today) throw problems.invalid({ message: '有效期不能早于今天' }, { field: 'enddate' });
    const about = { operator: caller.accountid, now, today, remark };
    const of = { musercode, plancode, qty, enddate };
    if (kind === CountKind.correction && caller.musertype !== '001') throw problems.notAllowed();
    if (kind === CountKind.grant) await demandPlan(scope, plancode, orgpath, musercode);
    ctx.note({
      objectid: musercode,
      detail: { kind: CountKind.label(kind), plancode, qty, sign, enddate: enddate ?? '', remark },
    });
    if (kind === CountKind.grant) return give(scope, caller, of, about);
    if (kind === CountKind.takeBack) return takeBack(scope, caller, of, about);
    return correct(scope, of, sign, about);
  },
);

export const walletHandlers = [getMUserAssessCount, grantMUserAssessCount];
