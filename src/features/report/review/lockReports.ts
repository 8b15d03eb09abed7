import type { ReportState } from '#domain/report/review/obstacles.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import { displayName } from '#server/security/privacy.ts';
import { lockStates, type ReportStateRow } from '#features/report/review/review.queries.ts';

/** Locks these reports and returns their states. Refuses 130001 when the caller cannot see one of them. */
export async function lockReports(scope: Scope, reportcodes: readonly string[]): Promise<ReportStateRow[]> {
  const codes = [...new Set(reportcodes)];
  const rows = await lockStates(scope, codes);
  if (rows.length !== codes.length) throw problems.notFound({ what: '报告' });
  return rows;
}

/** The reports that a step leaves out, with the name as the caller may see it and the reason. */
export const refusalsOf = (
  rows: readonly ReportStateRow[],
  caller: Staff,
  obstacleOf: (state: ReportState & ReportStateRow) => string,
): { reportcode: string; username: string; why: string }[] =>
  rows.flatMap((row) => {
    const why = obstacleOf(row);
    return why ? [{ reportcode: row.reportcode, username: displayName(caller, row.username), why }] : [];
  });
