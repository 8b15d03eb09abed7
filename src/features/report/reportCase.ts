import { levelName } from '#domain/warning/levels.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { WarningState } from '#domain/base/enums.ts';
import type { ReportCase, ReportClock } from '#domain/report/report.case.ts';
import { DUE_LABELS, isAssessPending, pendingClocks } from '#domain/warning/clock/clocks.ts';
import { isAcceptancePending, type WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { findWarning, loadFacts } from '#features/warning/warning.queries.ts';
import { findOpenCase } from '#features/report/report.queries.ts';

/** The acceptance and the assessment that happened after the last news. */
function settledClocks(facts: WarningFacts, assesstime: Date | null): ReportClock[] {
  const settled = (name: string, time: Date | null): ReportClock[] =>
    time === null ? [] : [{ name, duetime: null, settledtime: shanghaiTime(time) }];
  return [
    ...settled(DUE_LABELS.accept, isAcceptancePending(facts) ? null : facts.accepttime),
    ...settled(DUE_LABELS.assess, isAssessPending(facts) ? null : assesstime),
  ];
}

/** The person's open case with its owner, its state and the clocks that run now; null without one. */
export async function findReportCase(scope: Scope, cuserid: string, now: Date): Promise<ReportCase | null> {
  const open = await findOpenCase(scope, cuserid);
  if (!open) return null;
  const row = await findWarning(scope, open.warningcode);
  const facts = await loadFacts(scope, row, now);
  const pending = pendingClocks(facts).sort((a, b) => a.due.getTime() - b.due.getTime());
  return {
    warningcode: row.warningcode,
    levelname: levelName(row.level, facts.sector),
    statename: WarningState.label(row.state),
    owner: open.ownername ?? '',
    clocks: [
      ...settledClocks(facts, row.assesstime),
      ...pending.map(({ kind, due }) => ({ name: DUE_LABELS[kind], duetime: shanghaiTime(due) })),
    ],
  };
}
