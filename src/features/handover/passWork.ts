import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { pathOf } from '#contract/menu.ts';
import { attempt } from '#server/db/attempt.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { addConsultLog } from '#features/consult/consult.queries.ts';
import { handOverCase, toOpenCase, type HandOverReason } from '#features/warning/handover/handOver.ts';
import { findManagerAccounts } from '#features/warning/handover/contractEnd.queries.ts';
import { notifyAccounts } from '#features/warning/handover/handover.queries.ts';
import { chooseReceiver } from '#features/warning/handover/receiver.ts';
import type { WorkChoice, WorkKind } from '#features/handover/handOver.contract.ts';
import {
  moving,
  planWork,
  whyBooking,
  whyUnable,
  type PlanFacts,
  type Verdict,
  type WorkPlan,
} from '#features/handover/planWork.ts';
import * as queries from '#features/handover/work.queries.ts';
import type { BookingWork, Colleagues, FollowUpWork, Work } from '#features/handover/work.queries.ts';

/** Carries a hand-over out. The caller's transaction holds all of it. */

export interface Member {
  userid: string;
  musercode: string;
  realname: string;
}
interface Call {
  scope: Scope;
  cipher: FieldCipher;
  why: HandOverReason;
}
/** The work of a member, what happens to it, and what that needs to know. */
export interface PreparedWork {
  member: Member;
  work: Work;
  plan: WorkPlan;
  colleagues: Colleagues;
  facts: PlanFacts;
}

/** Reads the open work of a member and decides what happens to it. `lock`: the rows stay as they are until the transaction ends. */
export async function prepareWork(
  scope: Scope,
  member: Member,
  choice: WorkChoice,
  { now, ...options }: { now: Date; lock: boolean; owns: boolean },
): Promise<PreparedWork> {
  const work = await queries.findWork(scope, member.userid, options);
  const colleagues = await queries.findColleagues(scope, member.musercode, member.userid, now);
  const facts = { colleagues: colleagues.list, busy: await queries.findBusySpans(scope, work.bookings) };
  return { member, work, plan: planWork(work, member.userid, choice, facts), colleagues, facts };
}

/** Moves what the plan moves. Rows that are hidden from the caller pass to able colleagues when `isWhole` says so of their kind. */
export async function carryOut(call: Call, prepared: PreparedWork, isWhole: (kind: WorkKind) => boolean): Promise<void> {
  const { scope, why } = call;
  const { work, plan, colleagues, member } = prepared;
  const hidden = <T extends { ishidden: boolean }>(rows: readonly T[], kind: WorkKind) =>
    isWhole(kind) ? rows.filter((row) => row.ishidden) : [];
  const ableFor = (row: { suspects: readonly string[] }) =>
    colleagues.ableStaff.filter((item) => !row.suspects.includes(item.userid));
  for (const row of moving(plan.cases)) {
    const staff = ableFor(row);
    await handOverCase(
      scope,
      row.row,
      staff.find((item) => item.userid === row.to),
      staff,
      why,
    );
  }
  for (const row of hidden(work.cases, 'cases'))
    await handOverCase(scope, row.row, chooseReceiver(ableFor(row), member.musercode), ableFor(row), why);
  for (const [to, ids] of idsByReceiver(plan.followups)) await queries.setFollowUpOwner(scope, ids, to);
  for (const row of moving(plan.bookings)) {
    const outcome = await moveBooking(call, prepared, row, row.to ?? null);
    if (!outcome) row.why = '这个时间刚刚有了其他预约，请刷新后另选';
  }
  await passFollowUps(call, prepared, hidden(work.followups, 'followups'));
  await passBookings(call, prepared, hidden(work.bookings, 'bookings'));
  for (const [to, ids] of idsByReceiver(plan.persons)) await queries.setOwner(scope, 'cuser', ids, to);
  for (const [to, ids] of idsByReceiver(plan.teams)) await queries.setOwner(scope, 'assessteam', ids, to);
  for (const row of [...moving(plan.cases), ...moving(plan.persons)])
    if (row.to) await queries.passNotes(scope, [row.cuserid], member.userid, row.to);
  await notifyReceivers(call, prepared);
}

/** The ids that move, by receiver. */
function idsByReceiver(rows: readonly ({ id: string } & Verdict)[]): Map<string | null, string[]> {
  const ids = new Map<string | null, string[]>();
  for (const row of moving(rows)) {
    const to = row.to ?? null;
    ids.set(to, [...(ids.get(to) ?? []), row.id]);
  }
  return ids;
}

/** Gives a booking another counsellor, or puts it back among those that wait. false: the counsellor is booked at that time now. */
async function moveBooking(
  { scope, cipher, why }: Call,
  { facts, member }: Pick<PreparedWork, 'facts' | 'member'>,
  row: BookingWork,
  to: string | null,
): Promise<boolean> {
  const name = facts.colleagues.find((item) => item.userid === to)?.realname;
  const time = row.status === '02' && row.slotbegin ? shanghaiTime(row.slotbegin).slice(0, 16) : '';
  if (to === null) await queries.releaseBooking(scope, row.id, why.now);
  else if (!(await attempt(scope, () => queries.setCounsellor(scope, row.id, to, why.now))).ok) return false;
  const { cuserid, musercode } = row;
  if (to) await queries.passNotes(scope, [cuserid], member.userid, to);
  const content = name
    ? `${why.reason}。咨询师由${member.realname}改为${name}`
    : `${why.reason}。${time ? `原定 ${time} 的预约退回待受理` : '请重新安排咨询师'}`;
  await addConsultLog(
    { scope, cipher },
    { consultid: Number(row.id), cuserid, musercode },
    { action: '移交', content, operator: why.operator, operatorname: why.operatorname, time: why.now },
  );
  if (to && row.slotbegin && row.slotend && row.status === '02')
    facts.busy.push({ userid: to, begin: row.slotbegin, end: row.slotend, kind: 'booked' });
  return true;
}

/** How many rows each account got without a choice; '': nobody. */
type Passed = Map<string, number>;
const count = (passed: Passed, userid: string) => passed.set(userid, (passed.get(userid) ?? 0) + 1);

/** Passes follow-ups to the owner of their case, otherwise to the able colleague with the fewest. */
export async function passFollowUps(
  { scope }: Call,
  { facts, member }: Pick<PreparedWork, 'facts' | 'member'>,
  rows: readonly FollowUpWork[],
): Promise<Passed> {
  const passed: Passed = new Map();
  const load = new Map(facts.colleagues.map((item) => [item.userid, item.followups]));
  for (const row of rows) {
    // The case may have got a new owner in this call.
    const caseowner = row.warningcode ? await queries.findCaseOwner(scope, row.warningcode) : null;
    const able = facts.colleagues.filter((item) => !item.absentuntil && whyUnable('followups', row, item.userid, facts) === '');
    const receiver = able.sort((a, b) => (load.get(a.userid) ?? 0) - (load.get(b.userid) ?? 0))[0]?.userid ?? null;
    const to = caseowner !== null && caseowner !== member.userid ? null : receiver;
    await queries.setFollowUpOwner(scope, [row.id], to);
    if (to) load.set(to, (load.get(to) ?? 0) + 1);
    count(passed, to ?? caseowner ?? '');
  }
  return passed;
}

/**
 * Passes bookings to the able colleague who is free at that time and has the fewest. Without one a booking waits again, due at once: the
 * person must not meet a closed door without somebody knowing.
 */
export async function passBookings(
  call: Call,
  prepared: Pick<PreparedWork, 'facts' | 'member'>,
  rows: readonly BookingWork[],
): Promise<Passed> {
  const passed: Passed = new Map();
  const { facts } = prepared;
  const load = new Map(facts.colleagues.map((item) => [item.userid, item.bookings]));
  for (const row of rows) {
    const free = facts.colleagues
      .filter((item) => whyBooking(row, item.userid, facts) === '' && (row.status === '02' || !item.absentuntil))
      .sort((a, b) => (load.get(a.userid) ?? 0) - (load.get(b.userid) ?? 0));
    const to = free[0]?.userid ?? null;
    const done = (await moveBooking(call, prepared, row, to)) ? to : null;
    if (to && !done) await moveBooking(call, prepared, row, null);
    if (done) load.set(done, (load.get(done) ?? 0) + 1);
    count(passed, done ?? '');
  }
  return passed;
}

const UNITS: Readonly<Record<WorkKind, string>> = {
  cases: '个在办预警',
  followups: '个待随访',
  bookings: '个咨询预约',
  persons: '份档案',
  teams: '个团体',
};
/** The numbers of open work as words; kinds without a row are left out. */
export const formatNumbers = (numbers: Partial<Record<WorkKind, number>>): string =>
  (Object.keys(UNITS) as WorkKind[]).flatMap((kind) => (numbers[kind] ? [`${numbers[kind]} ${UNITS[kind]}`] : [])).join('、');

/** Tells each receiver once what came to them, in numbers. */
async function notifyReceivers({ scope, why }: Call, { plan, member, facts }: PreparedWork): Promise<void> {
  const numbers = new Map<string, Partial<Record<WorkKind, number>>>();
  for (const kind of Object.keys(UNITS) as WorkKind[])
    for (const row of moving<Verdict>(plan[kind])) {
      if (!row.to) continue;
      const own = numbers.get(row.to) ?? {};
      own[kind] = (own[kind] ?? 0) + 1;
      numbers.set(row.to, own);
    }
  await notifyAccounts(
    scope,
    [...numbers]
      .filter(([userid]) => userid !== why.operator)
      .map(([userid, own]) => ({
        kind: 'system' as const,
        musercode: facts.colleagues.find((item) => item.userid === userid)?.musercode ?? member.musercode,
        userid,
        title: `${member.realname}的工作已移交给您`,
        content: `${formatNumbers(own)}。原因：${why.reason}。`,
        link: own.bookings ? pathOf('consult.forms') : own.followups ? pathOf('consult.followups') : pathOf('warning.crisis'),
        dedupekey: `work:${member.userid}:${userid}:${why.now.getTime()}`,
        time: why.now,
      })),
  );
}

/**
 * Hands over the work of a member who leaves, in the call that disables or deletes the account. Refuses with 130003 and the numbers
 * while a case, follow-up or booking has no receiver or cannot go to the chosen one. The weekly hours end. Returns the number of cases.
 */
export async function handOverLeaving(
  call: Call,
  member: Member,
  choice: WorkChoice,
  sector: string,
): Promise<{ handedover: number; numbers: string }> {
  const { scope, why } = call;
  const prepared = await prepareWork(scope, member, choice, { now: why.now, lock: true, owns: true });
  const { plan } = prepared;
  const missing = {
    cases: plan.cases.filter((row) => row.to === undefined || row.to === null),
    followups: plan.followups.filter((row) => row.to === undefined),
    bookings: plan.bookings.filter((row) => row.to === undefined),
  };
  if (missing.cases.length + missing.followups.length + missing.bookings.length > 0) {
    const codes = new Set(plan.cases.map((row) => row.id));
    const numbers = {
      cases: plan.cases.length,
      // Those that come with a case are not counted twice.
      followups: plan.followups.filter((row) => row.owneruserid !== null || !codes.has(row.warningcode ?? '')).length,
      bookings: plan.bookings.length,
    };
    throw problems.inUse(
      { why: `“${member.realname}”还负责 ${formatNumbers(numbers)}，请先移交` },
      { data: { ...numbers, cases: plan.cases.map(({ row }) => toOpenCase(row, sector)) } },
    );
  }
  if (plan.cases.some((row) => row.why)) throw problems.notFound({ what: '可接收预警的人员' }, { field: 'handovers' });
  const stays = [...plan.followups, ...plan.bookings].filter((row) => row.why);
  if (stays.length > 0) throw refuseStays(member, stays);
  await carryOut(call, prepared, () => true);
  await queries.endHours(scope, member.userid, shanghaiDate(why.now));
  const late = plan.bookings.filter((row) => row.why);
  if (late.length > 0) throw refuseStays(member, late);
  return {
    handedover: plan.cases.length,
    numbers: formatNumbers({
      followups: moving(plan.followups).length,
      bookings: moving(plan.bookings).length,
      persons: moving(plan.persons).length,
      teams: moving(plan.teams).length,
    }),
  };
}

const refuseStays = (member: Member, stays: readonly { why: string }[]) =>
  problems.inUse(
    { why: `“${member.realname}”有 ${stays.length} 项不能交给所选接收人（${stays[0]?.why}），请为它们另选` },
    { data: { stays: stays.length } },
  );

const formatPassed = (passed: { followups: Passed; bookings: Passed }, userid: string) =>
  formatNumbers({ followups: passed.followups.get(userid) ?? 0, bookings: passed.bookings.get(userid) ?? 0 });

/**
 * Passes the follow-ups and bookings of an account that may not do them any more: its rights were taken, or it was disabled. Tells the
 * receivers and the heads of the institution. Its cases pass by `passCasesOfUnable`. Returns the number of rows.
 */
export async function passWork(
  call: Call,
  member: Member,
  kinds: readonly ('followups' | 'bookings')[] = ['followups', 'bookings'],
): Promise<number> {
  const { scope, why } = call;
  const { followups, bookings } = await queries.lockWorkOf(scope, member.userid);
  const facts = {
    colleagues: (await queries.findColleagues(scope, member.musercode, member.userid, why.now)).list,
    busy: await queries.findBusySpans(scope, bookings),
  };
  const prepared = { facts, member };
  const passed = {
    followups: await passFollowUps(call, prepared, kinds.includes('followups') ? followups : []),
    bookings: await passBookings(call, prepared, kinds.includes('bookings') ? bookings : []),
  };
  const sum = (numbers: Passed) => [...numbers.values()].reduce((total, n) => total + n, 0);
  const total = sum(passed.followups) + sum(passed.bookings);
  if (total === 0) return 0;
  const words = formatNumbers({ followups: sum(passed.followups), bookings: sum(passed.bookings) });
  const open = formatPassed(passed, '');
  const heads = await findManagerAccounts(scope, member.musercode);
  const receivers = new Set([...passed.followups.keys(), ...passed.bookings.keys()].filter((userid) => userid !== ''));
  const note = { kind: 'system' as const, time: why.now };
  const key = `passed:${member.userid}:${why.now.getTime()}`;
  await notifyAccounts(scope, [
    ...heads.map((account) => ({
      ...note,
      ...account,
      title: open ? `${open}没有负责人，请尽快安排` : `${member.realname}的工作已转给同事`,
      content: `${why.reason}，涉及 ${words}。${open ? '没有可以接手的同事，或其时间已有预约；这些预约已退回待受理。' : '系统已转给有权限的同事，请核对。'}`,
      link: passed.bookings.size > 0 ? pathOf('consult.forms') : pathOf('consult.followups'),
      dedupekey: `${key}:head:${account.userid ?? account.musercode}`,
    })),
    ...[...receivers].map((userid) => ({
      ...note,
      musercode: member.musercode,
      userid,
      title: `${member.realname}的工作已转给您`,
      content: `${formatPassed(passed, userid)}。原因：${why.reason}。`,
      link: passed.bookings.has(userid) ? pathOf('consult.forms') : pathOf('consult.followups'),
      dedupekey: `${key}:${userid}`,
    })),
  ]);
  return total;
}
