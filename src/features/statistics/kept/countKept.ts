import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { toChoicesToCount } from '#features/statistics/kept/choice.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import {
  copyKept,
  countChanges,
  deleteKept,
  findKept,
  findUsed,
  insertKept,
  joinWholeSets,
  lockKept,
  saveKept,
} from '#features/statistics/kept/kept.queries.ts';

/** The counts take at most one part in twenty of the time, so a large platform counts less often. */
const REST = 20;
/** PostgreSQL tells a change to its counters within this time, in milliseconds. */
const UNTOLD = 60_000;

/**
 * Counts the figures for several institutions anew when a row behind them has changed. Without a change they stay complete, so only
 * their time moves on. Returns whether it counted.
 */
export const countKept = ({ pools }: Pick<Services, 'pools'>, now: Date): Promise<boolean> =>
  runAsSystem(pools, platformCode, async (scope) => {
    if (!(await lockKept(scope))) return false;
    const kept = await findKept(scope);
    const changes = await countChanges(scope);
    if (kept.statchanges === changes) {
      await saveKept(scope, { ...kept, statistics: new Date(now.getTime() - UNTOLD) });
      return false;
    }
    if (kept.statistics && kept.statistics.getTime() + kept.statmilliseconds * REST > now.getTime()) return false;
    const start = performance.now();
    await joinWholeSets(scope);
    await deleteKept(scope);
    for (const { choice, sameAs } of toChoicesToCount(await findUsed(scope)))
      await (sameAs ? copyKept(scope, sameAs, choice) : insertKept(scope, choice));
    await saveKept(scope, {
      statistics: now,
      statchanges: changes,
      statmilliseconds: Math.round(performance.now() - start),
    });
    return true;
  });
