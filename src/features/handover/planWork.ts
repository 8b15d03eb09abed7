import { shanghaiTime } from '#domain/base/calendar.ts';
import type { WorkChoice, WorkKind } from '#features/handover/handOver.contract.ts';
import type { BookingWork, BusySpan, Colleague, FollowUpWork, Work } from '#features/handover/work.queries.ts';

/** Decides who gets each row of open work, before anything changes. */

/**
 * What happens to a row. `to` is its receiver; null: no owner; undefined: the row was not chosen. `why`: the row stays for this reason.
 */
export interface Verdict {
  to: string | null | undefined;
  why: string;
}
type KindOfRows<K extends WorkKind> = Work[K][number];
export type Planned<K extends WorkKind> = KindOfRows<K> & Verdict;
/** The rows that the caller may see, each with its verdict. */
export type WorkPlan = { [K in WorkKind]: Planned<K>[] };

export interface PlanFacts {
  colleagues: readonly Colleague[];
  /** grows with every booking that is given to a colleague */
  busy: BusySpan[];
}

const minute = (time: Date) => shanghaiTime(time).slice(0, 16);

/** Who gets a row by the wish of the caller; undefined: not chosen. */
function receiverOf({ touserid, items }: WorkChoice, kind: WorkKind, id: string): string | null | undefined {
  if (items === undefined) return touserid;
  const item =
    items.find((entry) => entry.kind === kind && entry.ids?.includes(id)) ??
    items.find((entry) => entry.kind === kind && entry.ids === undefined);
  if (item === undefined) return undefined;
  return item.touserid === undefined ? touserid : item.touserid;
}

/** Whether all rows of a kind were chosen at once, without single ids. */
export const isWhole = (choice: WorkChoice, kind: WorkKind): boolean =>
  choice.items === undefined
    ? choice.touserid !== undefined
    : choice.items.some(
        (item) => item.kind === kind && item.ids === undefined && (item.touserid ?? choice.touserid) !== undefined,
      );

const NOT_ABLE: Readonly<Record<WorkKind, string>> = {
  cases: '接收人没有“预警处置”权限，或正在外出',
  followups: '接收人没有随访权限',
  bookings: '接收人没有咨询预约权限',
  persons: '接收人不是本机构在用的具名账号',
  teams: '接收人不是本机构在用的具名账号',
};

/** Why a colleague cannot take a row; '' when they can. The reason does not tell that a case suspects them. */
export function whyUnable(kind: WorkKind, row: { suspects: readonly string[] }, userid: string, facts: PlanFacts): string {
  const colleague = facts.colleagues.find((item) => item.userid === userid);
  if (!colleague?.able.has(kind)) return NOT_ABLE[kind];
  if (row.suspects.includes(userid)) return '接收人不能接收这一项，请另选同事';
  return '';
}

const whyFollowUp = (row: FollowUpWork, userid: string, facts: PlanFacts): string => {
  const why = whyUnable('followups', row, userid, facts);
  const absentuntil = facts.colleagues.find((item) => item.userid === userid)?.absentuntil;
  return why || (absentuntil && row.latesttime < absentuntil ? `接收人外出至 ${minute(absentuntil)}` : '');
};

/** Why a colleague cannot take a booking: also another booking, a time off or an absence at its time. */
export function whyBooking(row: BookingWork, userid: string, facts: PlanFacts): string {
  const why = whyUnable('bookings', row, userid, facts);
  const { slotbegin, slotend } = row;
  if (why || row.status !== '02' || !slotbegin || !slotend) return why;
  const absentuntil = facts.colleagues.find((item) => item.userid === userid)?.absentuntil;
  if (absentuntil && slotbegin < absentuntil) return `接收人外出至 ${minute(absentuntil)}`;
  const span = facts.busy.find((item) => item.userid === userid && item.begin < slotend && item.end > slotbegin);
  if (!span) return '';
  const times = `${minute(span.begin)}–${minute(span.end).slice(11)}`;
  return span.kind === 'booked' ? `接收人 ${times} 已有预约` : `接收人 ${times} 停诊`;
}

/**
 * The plan for the rows that the caller may see. A follow-up goes with its case when the receiver of the case takes it; without a
 * receiver it belongs to the owner of the case, and needs one.
 */
export function planWork(work: Work, from: string, choice: WorkChoice, facts: PlanFacts): WorkPlan {
  const visible = <T extends { ishidden: boolean }>(rows: readonly T[]) => rows.filter((row) => !row.ishidden);
  const to = (kind: WorkKind, id: string) => receiverOf(choice, kind, id);
  const judge = (kind: 'persons' | 'teams') => (row: { id: string; suspects: readonly string[] }) => {
    const receiver = to(kind, row.id);
    return { to: receiver, why: receiver ? whyUnable(kind, row, receiver, facts) : '' };
  };
  const cases = visible(work.cases).map((row) => {
    const receiver = to('cases', row.id);
    const why = receiver === null ? '在办预警须有接收人' : receiver ? whyUnable('cases', row, receiver, facts) : '';
    return { ...row, to: receiver, why };
  });
  const ownersAfter = new Map(cases.filter((row) => row.to && !row.why).map((row) => [row.id, row.to as string]));
  const followups = visible(work.followups).map((row) => {
    const chosen = to('followups', row.id);
    const ownerAfter = (row.warningcode && ownersAfter.get(row.warningcode)) || row.caseowner;
    const hasOther = ownerAfter !== null && ownerAfter !== from;
    // Without a word about it, a follow-up that only the case brought goes with the case.
    const receiver = chosen === undefined && row.owneruserid === null && hasOther ? null : chosen;
    if (receiver === undefined) return { ...row, to: receiver, why: '' };
    if (receiver === null) return { ...row, to: receiver, why: hasOther ? '' : '没有其他个案责任人，请选择接收人' };
    if (receiver === ownerAfter) return { ...row, to: null, why: '' };
    return { ...row, to: receiver, why: whyFollowUp(row, receiver, facts) };
  });
  const bookings = visible(work.bookings).map((row) => {
    const receiver = to('bookings', row.id);
    return { ...row, to: receiver, why: receiver ? whyBooking(row, receiver, facts) : '' };
  });
  return {
    cases,
    followups,
    bookings,
    persons: visible(work.persons).map((row) => ({ ...row, ...judge('persons')(row) })),
    teams: work.teams.map((row) => ({ ...row, ...judge('teams')(row) })),
  };
}

/** The rows of a plan that move. */
export const moving = <T extends Verdict>(rows: readonly T[]): T[] =>
  rows.filter((row) => row.to !== undefined && row.why === '');
