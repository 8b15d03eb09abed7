import { sql } from 'kysely';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { codesOf } from '#contract/menu.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleConsult, isVisibleCare } from '#server/security/suspect.ts';
import { toSeal } from '#server/sealing/textSealer.ts';

/** SQL conditions on follow-up `f`. Status 03 (逾期) of older rows counts as waiting. */
export const isWaiting = sql<boolean>`f.status in ('01', '03')`;
/** SQL: overdue from then on. */
export const lateFrom = sql<Date>`coalesce(f.latesttime, f.duetime)`;
/** SQL: who is responsible for follow-up `f` of case `w`. */
export const ownerOf = sql<string | null>`coalesce(f.owneruserid, w.owneruserid)`;

/** The begin of tomorrow in China: a follow-up before it is due today. */
export const tomorrow = (now: Date): Date => addDays(fromShanghai(shanghaiDate(now)), 1);

/** The numbers of the quick views; with `owneruserid` those of one colleague. */
export async function countFollowUps(scope: Scope, now: Date, owneruserid: string | undefined) {
  const { rows } = await sql<{ today: number; overdue: number; total: number }>`
    select count(*) filter (where ${isWaiting} and f.duetime < ${tomorrow(now)}::timestamptz)::int as today,
      count(*) filter (where ${isWaiting} and ${lateFrom} < ${now}::timestamptz)::int as overdue,
      count(*)::int as total
    from followup f
      join cuser c on c.cuserid = f.cuserid
      left join warning w on w.warningcode = f.warningcode
    where f.isdeleted = 0 and ${isVisibleCare}
      and (${owneruserid ?? null}::text is null or ${ownerOf} = ${owneruserid ?? null})`.execute(scope.db);
  const [counts] = rows;
  return { today: counts?.today ?? 0, overdue: counts?.overdue ?? 0, all: counts?.total ?? 0 };
}

/** What one colleague has open; `userid` null: what nobody is responsible for. */
export interface OpenWork {
  userid: string | null;
  cases: number[];
  today: number;
  overdue: number;
  waiting: number;
  bookings: number;
  persons: number;
}
/** The days of bookings that the workload counts, today included. */
const BOOKING_DAYS = 7;

/** The open work at an institution by colleague. Every number counts the rows that the caller's list shows with the same filters. */
export async function findOpenWork(scope: Scope, musercode: string, now: Date): Promise<OpenWork[]> {
  const today = fromShanghai(shanghaiDate(now));
  const { rows } = await sql<OpenWork>`
    with work as (
      select w.owneruserid as userid, w.level, 'case' as kind, null::timestamptz as due, null::timestamptz as late
      from warning w
      where w.musercode = ${musercode} and w.state not in ('07', '08') and w.isdeleted = 0 and ${isNotSuspect}
      union all
      select ${ownerOf}, null, 'followup', f.duetime, ${lateFrom}
      from followup f join cuser c on c.cuserid = f.cuserid left join warning w on w.warningcode = f.warningcode
      where f.musercode = ${musercode} and ${isWaiting} and f.isdeleted = 0 and ${isVisibleCare}
      union all
      select k.counsellor, null, 'booking', null, null
      from consult k
      where k.musercode = ${musercode} and k.status = '02' and ${isVisibleConsult}
        and k.slotbegin >= ${today}::timestamptz and k.slotbegin < ${addDays(today, BOOKING_DAYS)}::timestamptz
      union all
      select c.owneruserid, null, 'person', null, null
      from cuserarchive a join cuser c on c.cuserid = a.cuserid
      where a.musercode = ${musercode} and a.iscurrent = 1 and a.isdeleted = 0 and c.isdeleted = 0 and c.owneruserid is not null)
    select userid,
      array[count(*) filter (where level = 1), count(*) filter (where level = 2),
        count(*) filter (where level = 3), count(*) filter (where level = 4)]::int[] as cases,
      count(*) filter (where due < ${tomorrow(now)}::timestamptz)::int as today,
      count(*) filter (where late < ${now}::timestamptz)::int as overdue,
      count(*) filter (where kind = 'followup')::int as waiting,
      count(*) filter (where kind = 'booking')::int as bookings,
      count(*) filter (where kind = 'person')::int as persons
    from work group by userid`.execute(scope.db);
  return rows;
}

/** The names of accounts, by code. */
export async function findStaffNames(scope: Scope, userids: readonly string[]): Promise<Map<string, string>> {
  const rows = await scope.db
    .selectFrom('sysuser')
    .select(['userid', 'realname'])
    .where('userid', 'in', ['', ...userids])
    .execute();
  return new Map(rows.map(({ userid, realname }) => [userid, realname]));
}

/** Locks the waiting follow-ups of a person in one order, so that two staff cannot finish the last two at once. */
export const lockWaitingOf = (scope: Scope, cuserid: string) =>
  sql`select f.followupid from followup f where f.cuserid = ${cuserid} and ${isWaiting} and f.isdeleted = 0
    order by f.followupid for update of f`.execute(scope.db);

/** The next waiting follow-up of a person besides this one; undefined without one. */
export async function findSuccessor(scope: Scope, { cuserid, followupid }: { cuserid: string; followupid: number }) {
  const { rows } = await sql<{ duetime: Date }>`
    select f.duetime from followup f
    where f.cuserid = ${cuserid} and f.followupid <> ${followupid} and ${isWaiting} and f.isdeleted = 0 and ${isVisibleCare}
    order by f.duetime limit 1`.execute(scope.db);
  return rows[0]?.duetime;
}

/** Cancels the other waiting follow-ups of the same plan of a person without a case, and returns how many. */
export async function cancelRest(
  scope: Scope,
  { cuserid, followupid, planname }: { cuserid: string; followupid: number; planname: string },
  { reason, operator }: { reason: string; operator: string },
): Promise<number> {
  const { rows } = await sql`
    update followup f set status = '05', outcome = '02', content = ${toSeal(reason)}, operator = ${operator}
    where f.cuserid = ${cuserid} and f.followupid <> ${followupid} and f.planname = ${planname} and f.warningcode is null
      and ${isWaiting} and f.isdeleted = 0
    returning f.followupid`.execute(scope.db);
  return rows.length;
}

/** A colleague who can be responsible for follow-ups. */
export interface FollowUpMember {
  userid: string;
  realname: string;
  absentuntil: Date | null;
}

const screenRights = codesOf(['consult.followups', 'care.edit']);
const caseRights = codesOf(['warning.handle', 'care.edit']);

/** The named accounts of an institution that may record follow-ups, by name. */
export async function findFollowUpStaff(scope: Scope, musercode: string): Promise<FollowUpMember[]> {
  const { rows } = await sql<FollowUpMember>`
    select s.userid, s.realname, s.absentuntil from access.staff_holding(${musercode}, ${screenRights}) s
    union
    select s.userid, s.realname, s.absentuntil from access.staff_holding(${musercode}, ${caseRights}) s
    order by realname, userid`.execute(scope.db);
  return rows;
}

/** The institution of an account; undefined for one out of the caller's reach. */
export const findInstitutionOf = async (scope: Scope, userid: string): Promise<string | undefined> =>
  (await scope.db.selectFrom('sysuser').select('musercode').where('userid', '=', userid).executeTakeFirst())?.musercode;
