import { DUE_LABELS } from '#domain/warning/clock/clocks.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getFollowUpPageList } from '#features/care/care.contract.ts';
import { getConsultCalendar } from '#features/consult/schedule/schedule.contract.ts';
import { getAssessTaskProgress } from '#features/task/board/board.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';

/** One thing of a day. */
export interface Planned {
  key: string;
  kind: 'followup' | 'consult' | 'case' | 'task';
  date: string;
  /** HH:mm; '' for a thing of the whole day */
  clock: string;
  title: string;
  detail: string;
  path: string;
  isLate: boolean;
  isDone: boolean;
}

/** The rows of a list that a plan reads; more than two hundred things of one colleague do not fit a calendar. */
const MOST = 200;
const OPEN_CASES = ['01', '02', '03', '04', '05', '06'] as const;
/** The states of a booking that takes place or took place. */
const BOOKED = ['02', '03'];

const dateOf = (time: string) => time.slice(0, 10);
const clockOf = (time: string) => time.slice(11, 16);

/**
 * Returns the caller's own things between two days, by time. It asks the lists, each as far as the caller may read it; so names, masks
 * and hidden cases are those of the lists.
 */
export function usePlan(begindate: string, enddate: string) {
  const request = { page: 1, pageSize: MOST };
  const followUps = useActionQuery(
    getFollowUpPageList,
    can(getFollowUpPageList) ? { ...request, mine: 1, begindate, enddate, orderby: 'duetime', isasc: '1' } : undefined,
    { keepPrevious: true },
  );
  const consults = useActionQuery(getConsultCalendar, can(getConsultCalendar) ? { begindate, enddate, mine: 1 } : undefined, {
    keepPrevious: true,
  });
  const cases = useActionQuery(
    getWarningPageList,
    can(getWarningPageList) ? { ...request, mine: 1, states: [...OPEN_CASES], orderby: 'due', isasc: '1' } : undefined,
    { keepPrevious: true },
  );
  const tasks = useActionQuery(getAssessTaskProgress, can(getAssessTaskProgress) ? { ...request, status: 1 } : undefined, {
    keepPrevious: true,
  });
  const reads = [followUps, consults, cases, tasks];
  // A case whose next step is a follow-up would stand there twice.
  const hasFollowUp = (warningcode: string, at: string) =>
    followUps.data?.rows.some((row) => row.warningcode === warningcode && row.duetime === at) ?? false;
  const items: Planned[] = [
    ...(followUps.data?.rows ?? []).map((row): Planned => ({
      key: `followup ${row.followupid}`,
      kind: 'followup',
      date: dateOf(row.duetime),
      clock: clockOf(row.duetime),
      title: row.username,
      detail: row.belongs,
      path: `/registration/followUpManagement?cuserid=${encodeURIComponent(row.cuserid)}`,
      isLate: row.isoverdue === 1,
      isDone: row.donetime !== null,
    })),
    ...(consults.data?.bookings ?? [])
      .filter(({ status }) => BOOKED.includes(status))
      .map((row): Planned => ({
        key: `consult ${row.consultid}`,
        kind: 'consult',
        date: dateOf(row.slotbegin),
        clock: clockOf(row.slotbegin),
        title: row.username,
        detail: row.room,
        path: `/registration/registrationForm?tab=calendar&date=${dateOf(row.slotbegin)}&open=${row.consultid}`,
        isLate: false,
        isDone: row.status !== '02',
      })),
    ...(cases.data?.rows ?? []).flatMap((row): Planned[] =>
      row.due === null || hasFollowUp(row.warningcode, row.due.at)
        ? []
        : [
            {
              key: `case ${row.warningcode}`,
              kind: 'case',
              date: dateOf(row.due.at),
              clock: clockOf(row.due.at),
              title: row.username,
              detail: DUE_LABELS[row.due.kind],
              path: `/earlyWarning/case/${row.warningcode}`,
              isLate: row.isoverdue === 1,
              isDone: false,
            },
          ],
    ),
    ...(tasks.data?.rows ?? []).map((row): Planned => ({
      key: `task ${row.taskcode}`,
      kind: 'task',
      date: dateOf(row.endtime),
      clock: clockOf(row.endtime),
      title: row.taskname,
      detail: '',
      path: `/task/administration/${row.taskcode}`,
      isLate: false,
      isDone: false,
    })),
  ];
  return {
    items: items
      .filter(({ date }) => date >= begindate && date <= enddate)
      .sort((a, b) => `${a.date} ${a.clock}`.localeCompare(`${b.date} ${b.clock}`)),
    // A read that the caller may not send stays pending for ever.
    isPending: reads.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    retry: () => reads.filter(({ error }) => error !== null).forEach(({ refetch }) => void refetch()),
  };
}
