import { shanghaiTime } from '#domain/base/calendar.ts';
import { isSilent } from '#domain/reconcile/silence.ts';
import type { Scope } from '#server/db/scope.ts';
import type { ReconcileState } from '#features/warning/reconcile/reconcile.contract.ts';
import { findLastRunsBelow } from '#features/warning/reconcile/report.queries.ts';

/**
 * The last successful comparisons of an institution and of those below it, added up, and whether one of them is too old. The reader
 * computes this, because a dead job cannot report its own silence. The span begins and ends with the oldest of these comparisons.
 */
export async function findReconcileState(scope: Scope, musercode: string, now: Date): Promise<ReconcileState> {
  const rows = await findLastRunsBelow(scope, musercode);
  const silent = rows.some((row) => isSilent(row.totime, row.createtime, now)) ? 1 : 0;
  const runs = rows.flatMap(({ fromtime, totime, ...row }) => (fromtime && totime ? [{ ...row, fromtime, totime }] : []));
  const oldest = (times: readonly Date[]) => shanghaiTime(times.reduce((first, time) => (time < first ? time : first)));
  if (runs.length === 0) return { from: '', to: '', sheets: 0, cases: 0, differences: 0, silent };
  const sum = (key: 'sheets' | 'cases' | 'differences') => runs.reduce((total, run) => total + (run[key] ?? 0), 0);
  return {
    from: oldest(runs.map(({ fromtime }) => fromtime)),
    to: oldest(runs.map(({ totime }) => totime)),
    sheets: sum('sheets'),
    cases: sum('cases'),
    differences: sum('differences'),
    silent,
  };
}
