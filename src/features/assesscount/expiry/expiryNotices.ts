import { formatNumber } from '#domain/base/number.ts';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { noticeDays } from '#domain/counts/wallet.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { pathOf } from '#contract/menu.ts';
import type { Pools } from '#server/db/pools.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import {
  findExpiringLots,
  findGrantors,
  type ExpiringLot,
  type Grantor,
} from '#features/assesscount/expiry/expiryNotices.queries.ts';
import { notifyAdministrators, type AdministratorNotice } from '#features/notice/administrators.queries.ts';
import { planNameOf } from '#features/assesscount/planName.ts';

/** A notice to a provider names at most this many institutions; the list behind its link shows all. */
const maxNamedInstitutions = 5;
const link = `${pathOf('data.counts')}?expiring=1`;

/**
 * Notifies institutions, and the institutions that granted their counts, 30, 7 and 1 days before counts expire. Each step is sent once,
 * also when several servers run it. After an outage only the nearest step is sent. Returns the number of new notices.
 */
export async function notifyOfExpiringCounts(pools: Pick<Pools, 'authn' | 'nested'>, now: Date): Promise<number> {
  const today = shanghaiDate(now);
  return runAsSystem(pools, platformCode, async (scope) => {
    const lots = await findExpiringLots(scope, today, shanghaiDate(addDays(now, noticeDays[0])));
    if (lots.length === 0) return 0;
    const notices = [...lots.map(holderNotice), ...grantorNotices(lots, await findGrantors(scope, lots))];
    return notifyAdministrators(scope, notices, now);
  });
}

/** The nearest step in days that has begun. */
const stepOf = (days: number) => [...noticeDays].reverse().find((step) => days <= step);
const formatDaysLeft = (days: number) => (days === 0 ? '今天是最后一天' : `还有 ${days} 天`);

/** The notice to the institution that has the counts. */
function holderNotice({ musercode, plancode, planname, enddate, free, days }: ExpiringLot): AdministratorNotice {
  return {
    musercode,
    title: `${formatNumber(free)} 次测评次数将于 ${enddate} 到期`,
    content: `${planNameOf(plancode, planname)}：${formatDaysLeft(days)}，到期后未使用的次数作废。先到期的次数先使用；需要延期请联系服务商。`,
    link,
    dedupekey: `ending:${musercode}:${plancode}:${enddate}:${stepOf(days)}`,
  };
}

/** One notice to each granting institution for all counts that expire on the same day. */
function grantorNotices(lots: readonly ExpiringLot[], grantors: readonly Grantor[]): AdministratorNotice[] {
  const byGrantor = new Map<string, { grantor: Grantor; lot: ExpiringLot; qty: number }[]>();
  for (const grantor of grantors) {
    const lot = lots.find(
      (candidate) =>
        candidate.musercode === grantor.musercode &&
        candidate.plancode === grantor.plancode &&
        candidate.enddate === grantor.enddate,
    );
    if (!lot) continue;
    const key = `${grantor.partycode} ${grantor.enddate}`;
    byGrantor.set(key, [...(byGrantor.get(key) ?? []), { grantor, lot, qty: Math.min(grantor.qty, lot.free) }]);
  }
  return [...byGrantor.values()].map((grants) => {
    const { grantor, lot } = grants[0] as (typeof grants)[number];
    const institutions = new Map<string, number>();
    for (const {
      lot: { insname },
      qty,
    } of grants)
      institutions.set(insname, (institutions.get(insname) ?? 0) + qty);
    const summaries = [...institutions]
      .slice(0, maxNamedInstitutions)
      .map(([insname, qty]) => `${insname} ${formatNumber(qty)} 次`);
    return {
      musercode: grantor.partycode,
      title: `${institutions.size} 家机构共 ${grants.reduce((sum, { qty }) => sum + qty, 0)} 次测评次数将于 ${lot.enddate} 到期`,
      content: `${formatDaysLeft(lot.days)}，到期后未使用的次数作废：${summaries.join('、')}${institutions.size > maxNamedInstitutions ? '等' : ''}。`,
      link,
      dedupekey: `ending-given:${grantor.partycode}:${lot.enddate}:${stepOf(lot.days)}`,
    };
  });
}
