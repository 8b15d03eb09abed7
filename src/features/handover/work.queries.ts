import { sql } from 'kysely';
import { codeOf } from '#contract/menu.ts';
import type { Scope } from '#server/db/scope.ts';
import {
  findAbleStaff,
  findHiddenCases,
  findOpenCases,
  findPersonNames,
  lockOpenCases,
} from '#features/warning/handover/handover.queries.ts';
import type { AbleMember } from '#features/warning/handover/receiver.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';
import type { WorkKind } from '#features/handover/handOver.contract.ts';

/** What every row of open work has. */
interface WorkRow {
  id: string;
  cuserid: string;
  musercode: string;
  username: string;
  /** the accounts that an open case of the person suspects: none of them receives the row */
  suspects: string[];
  /** such a case suspects the human behind the session: the caller does not learn of the row */
  ishidden: boolean;
}
export interface CaseWork extends WorkRow {
  row: WarningRecord;
}
export interface FollowUpWork extends WorkRow {
  warningcode: string | null;
  /** the owner of the case; null without a case or an owner */
  caseowner: string | null;
  owneruserid: string | null;
  duetime: Date;
  latesttime: Date;
  method: string;
}
export interface BookingWork extends WorkRow {
  status: string;
  slotbegin: Date | null;
  slotend: Date | null;
  duetime: Date;
  seriesid: number | null;
  counsellor: string;
}
export interface PersonWork extends WorkRow {
  belongs: string;
}
export interface TeamWork extends Omit<WorkRow, 'cuserid' | 'username'> {
  teamname: string;
  membercount: number;
}
/** The open work of a member of staff. */
export interface Work {
  cases: CaseWork[];
  followups: FollowUpWork[];
  bookings: BookingWork[];
  persons: PersonWork[];
  teams: TeamWork[];
}

/** SQL: the accounts that open cases of person `c`, or the case of the row, suspect. */
const suspectsOf = (warningcode: string) => sql<string[]>`coalesce((
  select array_agg(distinct s.userid) from warning o cross join unnest(o.suspectuserids) s (userid)
  where o.cuserid = c.cuserid and o.isdeleted = 0 and (o.state not in ('07', '08') or o.warningcode = ${sql.raw(warningcode)})), '{}')`;
const isHidden = sql<boolean>`coalesce(x.suspects && (select access.own_accounts()), false)`;
const lockRows = (table: string, lock: boolean) => (lock ? sql`for update of ${sql.raw(table)}` : sql``);

/** The waiting follow-ups that belong to an account: as their owner, or through the case. */
async function findFollowUps(scope: Scope, userids: readonly string[], isLocked: boolean): Promise<FollowUpWork[]> {
  const { rows } = await sql<FollowUpWork>`
    select f.followupid::text as id, f.cuserid, f.musercode, c.username, x.suspects, ${isHidden} as ishidden, f.warningcode,
      w.owneruserid as caseowner, f.owneruserid, f.duetime, coalesce(f.latesttime, f.duetime) as latesttime, f.method
    from followup f
      join cuser c on c.cuserid = f.cuserid
      left join warning w on w.warningcode = f.warningcode
      cross join lateral (select ${suspectsOf('f.warningcode')} as suspects) x
    where f.status in ('01', '03') and f.isdeleted = 0 and coalesce(f.owneruserid, w.owneruserid) = any (${[...userids]}::text[])
    order by f.duetime, f.followupid ${lockRows('f', isLocked)}`.execute(scope.db);
  return rows;
}

/** The open registrations of counsellors. */
async function findBookings(scope: Scope, userids: readonly string[], isLocked: boolean): Promise<BookingWork[]> {
  const { rows } = await sql<BookingWork>`
    select k.consultid::text as id, k.cuserid, k.musercode, c.username, x.suspects, ${isHidden} as ishidden, k.status, k.slotbegin,
      k.slotend, k.duetime, k.seriesid, k.counsellor
    from consult k
      join cuser c on c.cuserid = k.cuserid
      cross join lateral (select ${suspectsOf('k.warningcode')} as suspects) x
    where k.counsellor = any (${[...userids]}::text[]) and k.status in ('01', '02', '05') and k.isdeleted = 0
    order by k.slotbegin, k.consultid ${lockRows('k', isLocked)}`.execute(scope.db);
  return rows;
}

async function findPersons(scope: Scope, userid: string): Promise<PersonWork[]> {
  const { rows } = await sql<PersonWork>`
    select c.cuserid as id, c.cuserid, c.musercode, c.username, x.suspects, ${isHidden} as ishidden,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs
    from cuser c
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
      cross join lateral (select ${suspectsOf("''")} as suspects) x
    where c.owneruserid = ${userid} and c.isdeleted = 0
    order by c.username, c.cuserid`.execute(scope.db);
  return rows;
}

async function findTeams(scope: Scope, userid: string): Promise<TeamWork[]> {
  const { rows } = await sql<TeamWork>`
    select t.teamcode as id, t.musercode, t.teamname, '{}'::text[] as suspects, false as ishidden,
      (select count(*)::int from teamroster r where r.teamcode = t.teamcode and r.status = 1) as membercount
    from assessteam t
    where t.owneruserid = ${userid} and t.isdeleted = 0
    order by t.teamname, t.teamcode`.execute(scope.db);
  return rows;
}

/**
 * The open work of a member of staff, as far as the session reaches. `lock` keeps cases, follow-ups and bookings until the transaction
 * ends. `owns` false leaves persons and teams out.
 */
export async function findWork(scope: Scope, userid: string, options: { lock: boolean; owns: boolean }): Promise<Work> {
  const rows = await (options.lock ? lockOpenCases : findOpenCases)(scope, { owneruserid: userid });
  const hidden = await findHiddenCases(scope, { owneruserid: userid });
  const names = await findPersonNames(
    scope,
    rows.map((row) => row.cuserid),
  );
  return {
    cases: rows.map((row) => ({
      id: row.warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      username: names.get(row.cuserid) ?? '',
      suspects: row.suspectuserids,
      ishidden: hidden.has(row.warningcode),
      row,
    })),
    followups: await findFollowUps(scope, [userid], options.lock),
    bookings: await findBookings(scope, [userid], options.lock),
    persons: options.owns ? await findPersons(scope, userid) : [],
    teams: options.owns ? await findTeams(scope, userid) : [],
  };
}

/** A colleague who can take some kind of work. */
export interface Colleague {
  userid: string;
  realname: string;
  musercode: string;
  insname: string;
  absentuntil: Date | null;
  onduty: boolean;
  opencases: number;
  followups: number;
  bookings: number;
  able: ReadonlySet<WorkKind>;
}
export interface Colleagues {
  list: Colleague[];
  /** those who can own cases now, as warning/handover needs them */
  ableStaff: AbleMember[];
}

const FOLLOW_RIGHTS = [
  [codeOf('consult.followups'), codeOf('care.edit')],
  [codeOf('warning.handle'), codeOf('care.edit')],
];
const COUNSEL_RIGHTS = [codeOf('consult.forms'), codeOf('care.edit')];
/** SQL: the accounts of an institution that may do follow-ups. */
const followers = (musercode: string) =>
  sql`select h.userid from access.staff_holding(${musercode}, ${FOLLOW_RIGHTS[0]}::text[]) h
    union select h.userid from access.staff_holding(${musercode}, ${FOLLOW_RIGHTS[1]}::text[]) h`;
/** SQL: the accounts of an institution that can be booked. */
const counsellors = (musercode: string) =>
  sql`select h.userid from access.staff_holding(${musercode}, ${COUNSEL_RIGHTS}::text[]) h`;

/** The colleagues of an institution, and those above it who can own cases, with what they can take and their present load. */
export async function findColleagues(scope: Scope, musercode: string, leaving: string, now: Date): Promise<Colleagues> {
  const ableStaff = (await findAbleStaff(scope, musercode, now)).filter((item) => item.userid !== leaving);
  const { rows } = await sql<Omit<Colleague, 'able' | 'onduty'> & { follows: boolean; counsels: boolean }>`
    select u.userid, u.realname, u.musercode, m.insname, u.absentuntil, coalesce(o.n, 0)::int as opencases,
      u.userid in (${followers(musercode)}) as follows, u.userid in (${counsellors(musercode)}) as counsels,
      (select count(*)::int from followup f left join warning w on w.warningcode = f.warningcode
        where f.status in ('01', '03') and f.isdeleted = 0 and coalesce(f.owneruserid, w.owneruserid) = u.userid) as followups,
      (select count(*)::int from consult k where k.counsellor = u.userid and k.status = '02' and k.isdeleted = 0) as bookings
    from sysuser u
      join muser m on m.musercode = u.musercode
      left join access.open_case_counts(${musercode}) o on o.userid = u.userid
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0 and u.userid <> ${leaving}
    order by u.realname, u.userid`.execute(scope.db);
  const ableIds = new Map(ableStaff.map((item) => [item.userid, item]));
  const own: Colleague[] = rows.map(({ follows, counsels, ...row }) => ({
    ...row,
    absentuntil: row.absentuntil && row.absentuntil > now ? row.absentuntil : null,
    onduty: ableIds.get(row.userid)?.onduty ?? false,
    able: new Set<WorkKind>([
      ...(ableIds.has(row.userid) ? (['cases'] as const) : []),
      ...(follows ? (['followups'] as const) : []),
      ...(counsels ? (['bookings'] as const) : []),
      'persons',
      'teams',
    ]),
  }));
  const above: Colleague[] = ableStaff
    .filter((item) => item.musercode !== musercode)
    .map((item) => ({ ...item, absentuntil: null, followups: 0, bookings: 0, able: new Set<WorkKind>(['cases']) }));
  const order = (item: Colleague) => [-item.able.size, item.onduty ? 0 : 1, item.opencases + item.followups + item.bookings];
  const compare = (a: Colleague, b: Colleague) => {
    const [x, y] = [order(a), order(b)];
    return (x[0] as number) - (y[0] as number) || (x[1] as number) - (y[1] as number) || (x[2] as number) - (y[2] as number);
  };
  return { list: [...own, ...above].sort(compare), ableStaff };
}

/** A span in which a counsellor has no time. */
export interface BusySpan {
  userid: string;
  begin: Date;
  end: Date;
  kind: 'booked' | 'off';
}

/** The booked times and the times off of the counsellors of these institutions, as far as they touch the bookings. */
export async function findBusySpans(scope: Scope, bookings: readonly BookingWork[]): Promise<BusySpan[]> {
  const booked = bookings.filter((row) => row.status === '02' && row.slotbegin && row.slotend);
  if (booked.length === 0) return [];
  const from = new Date(Math.min(...booked.map((row) => (row.slotbegin as Date).getTime())));
  const to = new Date(Math.max(...booked.map((row) => (row.slotend as Date).getTime())));
  const spans: BusySpan[] = [];
  for (const musercode of new Set(booked.map((row) => row.musercode))) {
    const { rows } = await sql<BusySpan>`
      select b.counsellor as userid, b.slotbegin as begin, b.slotend as "end", 'booked' as kind
      from access.booked_times(${musercode}, ${from}, ${to}) b
      union all
      select o.userid, o.begintime, o.endtime, 'off' from counselloroff o
      where o.musercode = ${musercode} and o.begintime < ${to} and o.endtime > ${from}`.execute(scope.db);
    spans.push(...rows);
  }
  return spans;
}

/** The number of weekly hours of a counsellor that have not ended. */
export const countHours = async (scope: Scope, userid: string, today: string): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from counsellortime t
      where t.userid = ${userid} and (t.validto is null or t.validto > ${today}::date)`.execute(scope.db)
  ).rows[0]?.n ?? 0;

/** Ends the weekly hours of a counsellor with today; hours that have not begun are deleted. */
export async function endHours(scope: Scope, userid: string, today: string): Promise<void> {
  await sql`delete from counsellortime where userid = ${userid} and validfrom > ${today}::date`.execute(scope.db);
  await sql`update counsellortime set validto = ${today}::date
    where userid = ${userid} and (validto is null or validto > ${today}::date)`.execute(scope.db);
}

/** The accounts of an institution that own follow-ups or bookings and may not do them any more. Absent staff keep theirs. */
export async function findUnableHolders(scope: Scope, musercode: string): Promise<{ followups: string[]; bookings: string[] }> {
  const { rows: followRows } = await sql<{ userid: string }>`
    select distinct u.userid from followup f join sysuser u on u.userid = f.owneruserid
    where u.musercode = ${musercode} and f.status in ('01', '03') and f.isdeleted = 0
      and u.userid not in (${followers(musercode)})`.execute(scope.db);
  const { rows: bookingRows } = await sql<{ userid: string }>`
    select distinct u.userid from consult k join sysuser u on u.userid = k.counsellor
    where u.musercode = ${musercode} and k.status in ('01', '02', '05') and k.isdeleted = 0
      and u.userid not in (${counsellors(musercode)})`.execute(scope.db);
  return { followups: followRows.map((row) => row.userid), bookings: bookingRows.map((row) => row.userid) };
}

/** The follow-ups that have this owner themselves, and the open registrations of this counsellor; both locked. */
export const lockWorkOf = async (scope: Scope, userid: string) => ({
  followups: (await findFollowUps(scope, [userid], true)).filter((row) => row.owneruserid === userid),
  bookings: await findBookings(scope, [userid], true),
});

/** Gives follow-ups an owner; null: the owner of the case. */
export const setFollowUpOwner = (scope: Scope, ids: readonly string[], owneruserid: string | null) =>
  sql`update followup set owneruserid = ${owneruserid}, updatetime = now() where followupid = any (${[...ids]}::bigint[])`.execute(
    scope.db,
  );

/** Gives a registration another counsellor. Throws when the counsellor is booked at that time. */
export const setCounsellor = (scope: Scope, id: string, counsellor: string, now: Date) =>
  sql`update consult set counsellor = ${counsellor}, updatetime = ${now} where consultid = ${id}`.execute(scope.db);

/**
 * Passes the private notes about these persons that are marked 随案移交 to the counsellor who takes them over. The database checks that
 * the persons are with that counsellor already.
 */
export async function passNotes(scope: Scope, cuserids: readonly string[], from: string, to: string): Promise<void> {
  await sql`select access.pass_notes(array(
    select k.consultid from consult k where k.cuserid = any (${[...cuserids]}::text[])), ${from}, ${to})`.execute(scope.db);
}

/** Puts a booking back among those that wait, due at once: nobody receives the person at its time. A missed one stays missed. */
export const releaseBooking = (scope: Scope, id: string, now: Date) =>
  sql`update consult set status = case when status = '02' then '01' else status end, counsellor = null, slotbegin = null,
      slotend = null, room = '', groupid = null, duetime = least(duetime, ${now}), updatetime = ${now}
    where consultid = ${id}`.execute(scope.db);

/** Gives persons or teams an owner; null: none. */
export async function setOwner(scope: Scope, table: 'cuser' | 'assessteam', ids: readonly string[], owneruserid: string | null) {
  const key = table === 'cuser' ? 'cuserid' : 'teamcode';
  await sql`update ${sql.table(table)} set owneruserid = ${owneruserid}, updatetime = now()
    where ${sql.ref(key)} = any (${[...ids]}::text[])`.execute(scope.db);
}

/** The owner of a case now. */
export const findCaseOwner = async (scope: Scope, warningcode: string): Promise<string | null> =>
  (await scope.db.selectFrom('warning').select('owneruserid').where('warningcode', '=', warningcode).executeTakeFirst())
    ?.owneruserid ?? null;
