import { shanghaiDate } from '#domain/base/calendar.ts';
import { DueState } from '#domain/person/archiveStates.ts';
import { dueOf, type Due, type StageFacts } from '#domain/person/stage.ts';
import type { Scope } from '#server/db/scope.ts';
import { findChosenStages, findDueFacts, type DueRow } from '#features/archive/archive.queries.ts';

/** An open archive with what is due. */
export interface JudgedArchive extends Due {
  row: DueRow;
}

const factsOf = ({ sheets, retestdue, retestlatest, ...row }: DueRow): StageFacts => ({
  ...row,
  sheets: sheets ?? [],
  retest: retestdue && retestlatest ? { due: retestdue, latest: retestlatest } : null,
});

const order: readonly Due['state'][] = [DueState.overdue, DueState.retest, DueState.due, DueState.missed];

/** Judges what is due for the open archives of a population at one institution: the overdue first, then by the last day. */
export async function judgeDue(
  scope: Scope,
  { now, ...filter }: { musercode: string; appid: string; now: Date; keyword?: string; phonehash?: string },
): Promise<JudgedArchive[]> {
  const rows = await findDueFacts(scope, filter);
  const chosenstages = await findChosenStages(scope, filter.musercode, filter.appid);
  const today = shanghaiDate(now);
  return rows
    .map((row) => ({ row, ...dueOf({ ...factsOf(row), ...(chosenstages ? { chosenstages } : {}) }, today) }))
    .sort(
      (a, b) =>
        order.indexOf(a.state ?? DueState.missed) - order.indexOf(b.state ?? DueState.missed) ||
        (a.until ?? '9').localeCompare(b.until ?? '9') ||
        a.row.cuserid.localeCompare(b.row.cuserid),
    );
}

/** How many archives have each state. 漏测 also counts archives where another stage is due. */
export function countDue(judged: readonly JudgedArchive[]): Record<'due' | 'overdue' | 'retest' | 'missed', number> {
  const counts = { due: 0, overdue: 0, retest: 0, missed: 0 };
  for (const { state, missed } of judged) {
    if (state && state !== DueState.missed) counts[state] += 1;
    if (missed.length > 0) counts.missed += 1;
  }
  return counts;
}
