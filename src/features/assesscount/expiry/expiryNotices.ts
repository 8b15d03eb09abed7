import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { noticeDays } from '#domain/counts/wallet.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { pathOf } from '#contract/menu.ts';
import type { Pools } from '#server/db/pools.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import {
  findExpiringLots,
  findGrantors,
  notifyAdministrators,
  type ExpiringLot,
  type ExpiryNotice,
  type Grantor,
} from '#features/assesscount/expiry/expiryNotices.queries.ts';
import { planNameOf } from '#features/assesscount/planName.ts';

/** Institutions a note to a provider names; the list behind its link has them all. */
const named = 5;
const link = `${pathOf('data.counts')}?expiring=1`;

/**
 * Tells institutions and who gave them their counts that some of these end in 30, 7 and 1 days, each step once however often and on
 * however many servers this runs. After a stand-still only the nearest step is told. Answers how many notes are new.
 */
export async function notifyOfExpiringCounts(pools: Pick<Pools, 'authn' | 'nested'>, now: Date): Promise<number> {
  const today = shanghaiDate(now);
  return runAsSystem(pools, platformCode, async (scope) => {
    const lots = await findExpiringLots(scope, today, shanghaiDate(addDays(now, noticeDays[0])));
    if (lots.length === 0) return 0;
    const notes = [...lots.map(ownNote), ...givenNotes(lots, await findGrantors(scope, lots))];
    return notifyAdministrators(scope, notes, now);
  });
}

/** The nearest step that has begun. */
const stepOf = (days: number) => [...noticeDays].reverse().find((step) => days <= step);
const whenOf = (days: number) => (days === 0 ? '今天是最后一天' : `还有 ${days} 天`);

function ownNote({ musercode, plancode, planname, enddate, free, days }: ExpiringLot): ExpiryNotice {
  return {
    musercode,
    title: `${free} 次测评次数将于 ${enddate} 到期`,
    content: `${planNameOf(plancode, planname)}：${whenOf(days)}，到期后未使用的次数作废。先到期的次数先使用；需要延期请联系服务商。`,
    link,
    dedupekey: `ending:${musercode}:${plancode}:${enddate}:${stepOf(days)}`,
  };
}

/** One note to a giver for all institutions whose counts end on one day. */
function givenNotes(lots: readonly ExpiringLot[], givers: readonly Grantor[]): ExpiryNotice[] {
  const byGiver = new Map<string, { giver: Grantor; lot: ExpiringLot; qty: number }[]>();
  for (const giver of givers) {
    const lot = lots.find(
      (candidate) =>
        candidate.musercode === giver.musercode && candidate.plancode === giver.plancode && candidate.enddate === giver.enddate,
    );
    if (!lot) continue;
    const key = `${giver.partycode} ${giver.enddate}`;
    byGiver.set(key, [...(byGiver.get(key) ?? []), { giver, lot, qty: Math.min(giver.qty, lot.free) }]);
  }
  return [...byGiver.values()].map((item) => {
    const { giver, lot } = item[0] as (typeof item)[number];
    const institutions = new Map<string, number>();
    for (const { lot: of, qty } of item) institutions.set(of.insname, (institutions.get(of.insname) ?? 0) + qty);
    const listed = [...institutions].slice(0, named).map(([insname, qty]) => `${insname} ${qty} 次`);
    return {
      musercode: giver.partycode,
      title: `${institutions.size} 家机构共 ${item.reduce((sum, { qty }) => sum + qty, 0)} 次测评次数将于 ${lot.enddate} 到期`,
      content: `${whenOf(lot.days)}，到期后未使用的次数作废：${listed.join('、')}${institutions.size > named ? '等' : ''}。`,
      link,
      dedupekey: `ending-given:${giver.partycode}:${lot.enddate}:${stepOf(lot.days)}`,
    };
  });
}
