import { shanghaiTime } from '#domain/base/calendar.ts';
import { isSilent } from '#domain/reconcile/silence.ts';
import type { Scope } from '#server/db/scope.ts';
import type { ReconcileState } from '#features/warning/reconcile/reconcile.contract.ts';
import { findInstitutionAge, findRuns } from '#features/warning/reconcile/report.queries.ts';

/**
 * The last successful comparison of an institution, and whether it is too old. The reader computes this, because a dead job cannot
 * report its own silence.
 */
export async function findReconcileState(scope: Scope, musercode: string, now: Date): Promise<ReconcileState> {
  const [last] = await findRuns(scope, musercode, 1);
  const createtime = await findInstitutionAge(scope, musercode);
  const silent = isSilent(last?.totime ?? null, createtime, now) ? 1 : 0;
  if (!last) return { from: '', to: '', sheets: 0, cases: 0, differences: 0, silent };
  const { sheets, cases, differences } = last;
  return { from: shanghaiTime(last.fromtime), to: shanghaiTime(last.totime), sheets, cases, differences, silent };
}
