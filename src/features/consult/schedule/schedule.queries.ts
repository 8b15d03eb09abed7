import { sql } from 'kysely';
import type { WeeklyHours } from '#domain/consult/slots.ts';
import type { ConsultStatusCode } from '#domain/consult/consult.ts';
import type { ConsultType } from '#domain/base/enums.ts';
import type { Scope } from '#server/db/scope.ts';
import { isVisibleConsult } from '#server/security/suspect.ts';

/** Weekly hours as they are stored. */
export interface HoursRecord extends WeeklyHours {
  timeid: number;
  version: number;
  musercode: string;
}

const hoursColumns = [
  'timeid',
  'version',
  'musercode',
  'userid',
  'weekday',
  'begintime',
  'endtime',
  'minutes',
  'pause',
  'room',
  'validfrom',
  'validto',
] as const;

/** The weekly hours of an institution, or of one counsellor, that are not over on `today`. */
export const findHours = (
  { db }: Scope,
  { musercode, userid, today }: { musercode: string; userid?: string | undefined; today: string },
): Promise<HoursRecord[]> =>
  db
    .selectFrom('counsellortime')
    .select(hoursColumns)
    .where('musercode', '=', musercode)
    .$if(userid !== undefined, (query) => query.where('userid', '=', userid ?? ''))
    .where((where) => where.or([where('validto', 'is', null), where('validto', '>=', today)]))
    .orderBy('weekday')
    .orderBy('begintime')
    .orderBy('validfrom')
    .execute();

/** The names of staff of an institution, those who left too. */
export const findNames = async ({ db }: Scope, userids: readonly string[]): Promise<Map<string, string>> => {
  if (userids.length === 0) return new Map();
  const rows = await db.selectFrom('sysuser').select(['userid', 'realname']).where('userid', 'in', userids).execute();
  return new Map(rows.map(({ userid, realname }) => [userid, realname]));
};

/** The institution of a member of staff in the reach of the caller; undefined otherwise. */
export const findInstitutionOf = async ({ db }: Scope, userid: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('sysuser')
      .select('musercode')
      .where('userid', '=', userid)
      .where('isdeleted', '=', 0)
      .where(sql<boolean>`orgpath >= (select access.path_from()) and orgpath < (select access.path_to())`)
      .executeTakeFirst()
  )?.musercode;

/** Lets one transaction at a time change the hours of a counsellor, so that two colleagues cannot add overlapping hours. */
export const lockHoursOf = async ({ db }: Scope, userid: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`counsellortime ${userid}`}))`.execute(db);
};

/** One row of weekly hours; undefined when the caller does not see it. */
export const findHoursRow = ({ db }: Scope, timeid: number): Promise<HoursRecord | undefined> =>
  db.selectFrom('counsellortime').select(hoursColumns).where('timeid', '=', timeid).executeTakeFirst();

export const addHoursRow = async ({ db }: Scope, row: Omit<HoursRecord, 'timeid' | 'version'>): Promise<number> =>
  (await db.insertInto('counsellortime').values(row).returning('timeid').executeTakeFirstOrThrow()).timeid;

export const saveHoursRow = async (
  { db }: Scope,
  timeid: number,
  { weekday, begintime, endtime, minutes, pause, room, validfrom, validto }: WeeklyHours,
): Promise<void> => {
  await db
    .updateTable('counsellortime')
    .set({ weekday, begintime, endtime, minutes, pause, room, validfrom, validto })
    .where('timeid', '=', timeid)
    .execute();
};

export const deleteHoursRow = async ({ db }: Scope, timeid: number): Promise<void> => {
  await db.deleteFrom('counsellortime').where('timeid', '=', timeid).execute();
};

/** The times off of an institution, or of one counsellor, that end after `now`. */
export const findComingOffs = (
  { db }: Scope,
  { musercode, userid, now }: { musercode: string; userid?: string | undefined; now: Date },
) =>
  db
    .selectFrom('counselloroff')
    .select(['offid', 'userid', 'begintime', 'endtime', 'reason'])
    .where('musercode', '=', musercode)
    .$if(userid !== undefined, (query) => query.where('userid', '=', userid ?? ''))
    .where('endtime', '>', now)
    .orderBy('begintime')
    .orderBy('offid')
    .execute();

/** One time off; undefined when the caller does not see it. */
export const findOff = ({ db }: Scope, offid: number) =>
  db.selectFrom('counselloroff').select(['offid', 'userid', 'musercode']).where('offid', '=', offid).executeTakeFirst();

export const addOff = async (
  { db }: Scope,
  row: { musercode: string; userid: string; begintime: Date; endtime: Date; reason: string },
): Promise<number> => (await db.insertInto('counselloroff').values(row).returning('offid').executeTakeFirstOrThrow()).offid;

export const deleteOff = async ({ db }: Scope, offid: number): Promise<void> => {
  await db.deleteFrom('counselloroff').where('offid', '=', offid).execute();
};

/** A coming booking. */
export interface ComingBooking {
  consultid: number;
  counsellor: string;
  begin: Date;
  end: Date;
}

/** The bookings that the caller sees and that end after `now`, by time: of an institution, or of one counsellor. */
export async function findComingBookings(
  { db }: Scope,
  { musercode, userid, now }: { musercode: string; userid?: string | undefined; now: Date },
): Promise<ComingBooking[]> {
  const { rows } = await sql<ComingBooking>`
    select k.consultid, k.counsellor, k.slotbegin as begin, k.slotend as "end"
    from consult k
    where k.musercode = ${musercode} and k.status = '02' and k.slotend > ${now}
      and (${userid ?? null}::text is null or k.counsellor = ${userid ?? null}) and ${isVisibleConsult}
    order by k.slotbegin, k.consultid`.execute(db);
  return rows;
}

/** A registration with a time, as the calendar shows it. */
export interface CalendarBooking {
  consultid: number;
  cuserid: string;
  username: string;
  belongs: string;
  counsellor: string;
  counsellorname: string;
  slotbegin: Date;
  slotend: Date;
  room: string;
  consulttype: (typeof ConsultType.codes)[number];
  status: ConsultStatusCode;
  groupid: number | null;
}

/** The booked, finished and missed consultations of an institution within a span that the caller sees, by time. */
export async function findCalendarBookings(
  { db }: Scope,
  { musercode, counsellor, from, until }: { musercode: string; counsellor?: string | undefined; from: Date; until: Date },
): Promise<CalendarBooking[]> {
  const { rows } = await sql<CalendarBooking>`
    select k.consultid, k.cuserid, c.username,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      k.counsellor, coalesce(u.realname, '') as counsellorname, k.slotbegin, k.slotend, k.room, k.consulttype, k.status, k.groupid
    from consult k
      join cuser c on c.cuserid = k.cuserid
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
      left join sysuser u on u.userid = k.counsellor
    where k.musercode = ${musercode} and k.status in ('02', '03', '05') and k.counsellor is not null
      and k.slotbegin < ${until} and k.slotend > ${from}
      and (${counsellor ?? null}::text is null or k.counsellor = ${counsellor ?? null}) and ${isVisibleConsult}
    order by k.slotbegin, k.consultid`.execute(db);
  return rows;
}
