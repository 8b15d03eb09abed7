import { shanghaiDate } from '#domain/base/calendar.ts';
import { DueState } from '#domain/person/archiveStates.ts';
import { dueOf, type Due, type StageFacts } from '#domain/person/stage.ts';
import type { Scope } from '#server/db/scope.ts';
import { groupRows } from '#server/export/inChunks.ts';
import { findChosenStages, findOpenArchives, type DueRow } from '#features/archive/archive.queries.ts';
import { findPlannedRetests, findValidSheets } from '#features/archive/stage.queries.ts';

/** An open archive with what is due. */
export interface JudgedArchive extends Due {
  row: DueRow;
}

const order: readonly Due['state'][] = [DueState.overdue, DueState.retest, DueState.due, DueState.missed];

type Filter = { musercode: string; appid: string; keyword?: string; phonehashes?: string[] };

/** The open archives of a population at one institution, with what the stages are derived from. */
export async function findStageFacts(scope: Scope, filter: Filter): Promise<{ row: DueRow; facts: StageFacts }[]> {
  const rows = await findOpenArchives(scope, filter);
  const cuserids = filter.keyword ? rows.map((row) => row.cuserid) : undefined;
  const sheets = groupRows(await findValidSheets(scope, { ...filter, cuserids }), ({ cuserid }) => cuserid);
  const retests = new Map((await findPlannedRetests(scope, { ...filter, cuserids })).map((row) => [row.cuserid, row]));
  const chosenstages = await findChosenStages(scope, filter.musercode, filter.appid);
  return rows.map((row) => ({
    row,
    facts: {
      ...row,
      sheets: (sheets.get(row.cuserid) ?? []).filter(({ date }) => date >= row.opendate),
      retest: retests.get(row.cuserid) ?? null,
      ...(chosenstages ? { chosenstages } : {}),
    },
  }));
}

/** Judges what is due for the open archives of a population at one institution: the overdue first, then by the last day. */
export async function judgeDue(scope: Scope, { now, ...filter }: Filter & { now: Date }): Promise<JudgedArchive[]> {
  const today = shanghaiDate(now);
  return (await findStageFacts(scope, filter))
    .map(({ row, facts }) => ({ row, ...dueOf(facts, today) }))
    .sort(
      (a, b) =>
        order.indexOf(a.state ?? DueState.missed) - order.indexOf(b.state ?? DueState.missed) ||
        (a.until ?? '9').localeCompare(b.until ?? '9') ||
        a.row.cuserid.localeCompare(b.row.cuserid),
    );
}

const dueKeys: Readonly<Record<string, (archive: JudgedArchive) => string | null>> = {
  username: ({ row }) => row.pinyin,
  due: ({ state }) => String(order.indexOf(state ?? DueState.missed)),
  stagename: ({ stagecode }) => stagecode,
  until: ({ until }) => until,
  lastexamtime: ({ row }) => row.lastexamtime?.toISOString() ?? null,
};

/** Sorts the due list by a field of its contract. Persons without a value come last in both directions; equal ones keep their order. */
export function sortDue(judged: JudgedArchive[], orderby: string, isAscending: boolean): void {
  const keyOf = dueKeys[orderby];
  if (!keyOf) return;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) * (isAscending ? 1 : -1);
  judged.sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left === null || right === null ? Number(left === null) - Number(right === null) : compare(left, right);
  });
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
