import { formatNumber } from '#domain/base/number.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { defineEnum } from '#domain/base/enum.ts';

/** Why a person on the roster is exempt (免测) or absent (缺测). The database stores the word itself. */
export const AbsentReason = defineEnum({
  leave: ['请假', '请假'],
  refused: ['拒绝参加', '拒绝参加'],
  suspended: ['休学', '休学'],
  transferred: ['转出', '转出'],
  guardian: ['家长不同意', '家长不同意'],
  health: ['身体原因', '身体原因'],
});
/** The reason that the product writes when staff disable or anonymise a person. */
export const DISABLED_REASON = '停用';
/** The reason that the product writes when a person withdraws the consent. */
export const WITHDRAWN_REASON = '已撤回同意';

/**
 * The reasons of 免测: the person was not to be tested, so rates leave the person out. All other reasons are 缺测: the person was to be
 * tested and was not. Our own rule; the product writes the last three itself.
 */
export const EXEMPT_REASONS: readonly string[] = [
  AbsentReason.suspended,
  AbsentReason.transferred,
  AbsentReason.guardian,
  DISABLED_REASON,
  WITHDRAWN_REASON,
  '去世',
];
/** Temporary reasons: a make-up round includes these persons. */
export const temporaryReasons: readonly string[] = [AbsentReason.leave, AbsentReason.health];

/** 01 the task itself, 02 make-up for persons who did not submit, 03 re-test of chosen persons. */
export const TaskRound = defineEnum({ first: ['01', '首轮'], makeup: ['02', '补测'], retest: ['03', '复测'] });

/**
 * The persons of a roster by state. total = finished + doing + notstarted + absent, always. `dubious` (存疑) is part of
 * `finished`: submissions that the validity rules doubt. `exempt` (免测) is part of `absent`; the others are 缺测.
 */
export interface RosterCounts {
  total: number;
  finished: number;
  doing: number;
  notstarted: number;
  absent: number;
  exempt: number;
  dubious: number;
}

/** The counts of an empty roster. */
export const NO_PERSONS: RosterCounts = { total: 0, finished: 0, doing: 0, notstarted: 0, absent: 0, exempt: 0, dubious: 0 };

/** The sum of several rosters. */
export const sumRosterCounts = (parts: readonly RosterCounts[]): RosterCounts =>
  parts.reduce(
    (sum, part) => ({
      total: sum.total + part.total,
      finished: sum.finished + part.finished,
      doing: sum.doing + part.doing,
      notstarted: sum.notstarted + part.notstarted,
      absent: sum.absent + part.absent,
      exempt: sum.exempt + part.exempt,
      dubious: sum.dubious + part.dubious,
    }),
    NO_PERSONS,
  );

/** The rate 100 · num / den to one decimal, half up; null when `den` is 0. It computes with whole numbers, so it is exact. */
export const percent = (num: number, den: number): number | null =>
  den === 0 ? null : Math.floor((num * 2000 + den) / (den * 2)) / 10;

/** The rate 完成/（应测−免测） to one decimal: exempt persons were not to be tested. null when nobody was. */
export const rateOfDue = ({ finished, total, exempt }: Pick<RosterCounts, 'finished' | 'total' | 'exempt'>): number | null =>
  percent(finished, total - exempt);

/** The counts and rates of a roster in one line; 应测 is the sum of all other counts. */
export function describeProgress(counts: RosterCounts): string {
  const rate = percent(counts.finished, counts.total);
  const duerate = rateOfDue(counts);
  const parts: [string, number][] = [
    ['作答中', counts.doing],
    ['未开始', counts.notstarted],
    ['免测', counts.exempt],
    ['缺测', counts.absent - counts.exempt],
  ];
  return [
    `完成 ${formatNumber(counts.finished)} / 应测 ${formatNumber(counts.total)}${rate === null ? '' : `（${rate.toFixed(1)}%）`}`,
    ...parts.filter(([, count]) => count > 0).map(([name, count]) => `${name} ${formatNumber(count)}`),
    ...(duerate === null || counts.exempt === 0 ? [] : [`扣除免测后完成率 ${duerate.toFixed(1)}%`]),
  ].join('，');
}

/** The progress of a class in words, because a heat map needs more than colour. Absent persons do not count. */
export function progressLabel({
  total,
  absent,
  finished,
}: Pick<RosterCounts, 'total' | 'absent' | 'finished'>): '未开始' | '刚起步' | '过半' | '接近完成' | '已完成' | '无人应答' {
  const due = total - absent;
  if (due <= 0) return '无人应答';
  if (finished >= due) return '已完成';
  if (finished === 0) return '未开始';
  const share = finished / due;
  return share < 0.5 ? '刚起步' : share < 0.9 ? '过半' : '接近完成';
}

export interface ClassCounts extends RosterCounts {
  name: string;
}
/** The statement stored when a task ends. Its numbers add up exactly: 应测 = 完成 + 免测 + 缺测 + 作答未交 + 未测. */
export interface ClosingStatement extends RosterCounts {
  taskname: string;
  insname: string;
  planname: string;
  begintime: string;
  endtime: string;
  /** Shanghai wall clock of the snapshot */
  at: string;
  /** 完成/应测 */
  rate: number | null;
  /** 完成/（应测−免测） */
  duerate: number | null;
  reasons: { reason: string; count: number }[];
  classes: ClassCounts[];
  /** unused counts that the wallet gets back */
  released: number;
  text: string;
}

const personsText = (n: number) => `${formatNumber(n)} 人`;

/** The closing statement of a task, from one snapshot of its roster. */
export function closingStatement(options: {
  taskname: string;
  insname: string;
  planname: string;
  begintime: Date;
  endtime: Date;
  at: Date;
  reasons: readonly { reason: string; count: number }[];
  classes: readonly ClassCounts[];
  released: number;
}): ClosingStatement {
  const sum = sumRosterCounts(options.classes);
  const rate = percent(sum.finished, sum.total);
  const reasons = [...options.reasons].sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason, 'zh'));
  const duerate = rateOfDue(sum);
  const describe = (isExempt: boolean) => {
    const named = reasons.filter(({ reason }) => EXEMPT_REASONS.includes(reason) === isExempt);
    return named.length ? `（${named.map(({ reason, count }) => `${reason} ${count}`).join('、')}）` : '';
  };
  const parts = [
    `应测 ${personsText(sum.total)}，完成 ${personsText(sum.finished)}${sum.dubious ? `（其中存疑 ${personsText(sum.dubious)}）` : ''}`,
    `免测 ${personsText(sum.exempt)}${describe(true)}`,
    `缺测 ${personsText(sum.absent - sum.exempt)}${describe(false)}`,
    ...(sum.doing ? [`作答未交 ${personsText(sum.doing)}`] : []),
    `未测 ${personsText(sum.notstarted)}`,
    ...(rate === null ? [] : [`完成率 ${rate.toFixed(1)}%（完成/应测）`]),
    ...(duerate === null || sum.exempt === 0 ? [] : [`扣除免测后 ${duerate.toFixed(1)}%（完成/（应测−免测））`]),
  ];
  return {
    ...sum,
    taskname: options.taskname,
    insname: options.insname,
    planname: options.planname,
    begintime: shanghaiTime(options.begintime),
    endtime: shanghaiTime(options.endtime),
    at: shanghaiTime(options.at),
    rate,
    duerate,
    reasons,
    classes: [...options.classes],
    released: options.released,
    text: `${parts.join('，')}。${options.released ? `退回未使用的测评次数 ${formatNumber(options.released)} 次。` : ''}`,
  };
}

/** The next act of a task: publish it, tell the classes, show the QR code, remind the unfinished, or end it. */
export type NextAct = 'publish' | 'notify' | 'show' | 'remind' | 'close';

/** Returns the next act of a task; null when the task has ended. Times are those of the wire. */
export function findNextAct(
  { status, begintime }: { status: number; begintime: string },
  counts: Pick<RosterCounts, 'total' | 'finished' | 'doing' | 'absent'>,
  now: string,
): NextAct | null {
  if (status === 0) return 'publish';
  if (status !== 1) return null;
  if (now < begintime) return 'notify';
  if (counts.total > 0 && counts.finished + counts.absent >= counts.total) return 'close';
  return counts.finished + counts.doing === 0 ? 'show' : 'remind';
}
