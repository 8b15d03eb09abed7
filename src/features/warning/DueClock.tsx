import { Clock } from '#ui/display/Clock.tsx';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { DUE_LABELS } from '#domain/warning/clock/clocks.ts';
import { toInstant } from '#features/warning/case.labels.ts';
import classes from './warning.module.css';

/** The next step of a case and the time left for it. */
export function DueClock({
  row,
  dutyTitle,
}: {
  row: Pick<WarningRow, 'due' | 'state' | 'isoverdue'>;
  /** names the duty when a duty is due next */
  dutyTitle?: string | undefined;
}) {
  if (!row.due) return <span className={classes['quiet']}>{row.state === '07' || row.state === '08' ? '已结束' : '—'}</span>;
  return (
    <span className={classes['due']}>
      <span>{(row.due.kind === 'duty' && dutyTitle) || DUE_LABELS[row.due.kind]}</span>
      <Clock deadline={toInstant(row.due.at)} />
    </span>
  );
}
