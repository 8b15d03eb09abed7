import { addHours } from '#domain/base/calendar.ts';
import { isSilent } from '#domain/reconcile/silence.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyOfReconcile, notifyOfSilenceAbove } from '#features/warning/reconcile/reconcileNotices.ts';
import { claimSilenceHour, findLastRuns } from '#features/warning/reconcile/report.queries.ts';

/**
 * Sends E10 once an hour for each institution whose last successful comparison is older than two hours, and once a day to the authority
 * after 24 hours. The escalation job calls it: the reconciliation job may be dead. Returns the institutions.
 */
export async function alarmSilence(services: Pick<Services, 'pools'>, now: Date): Promise<string[]> {
  return runAsSystem(services.pools, platformCode, async (scope) => {
    const silent = [...(await findLastRuns(scope))]
      .filter(([, { last, createtime }]) => isSilent(last, createtime, now))
      .map(([musercode, run]) => ({ musercode, ...run }));
    const hour = Math.floor(now.getTime() / 3_600_000);
    const isDue = await claimSilenceHour(
      scope,
      silent.map(({ musercode }) => musercode),
      hour,
    );
    const due = silent.filter(({ musercode }) => isDue.has(musercode));
    for (const institution of due) {
      const event = { kind: 'silence' as const, last: institution.last };
      await notifyOfReconcile(scope, institution, event, `silence:${institution.musercode}:${hour}`, now);
    }
    await notifyOfSilenceAbove(scope, due, 'provider', `silence:${hour}`, now);
    const day = due.filter(({ last, createtime }) => (last ?? createtime) < addHours(now, -24));
    await notifyOfSilenceAbove(scope, day, 'authority', `silence:day${Math.floor(hour / 24)}`, now);
    return silent.map(({ musercode }) => musercode);
  });
}
