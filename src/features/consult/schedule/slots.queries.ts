import { sql } from 'kysely';
import { addDays, fromShanghai, type WorkCalendar } from '#domain/base/calendar.ts';
import { freeSlots, type Slot, type WeeklyHours } from '#domain/consult/slots.ts';
import { codesOf } from '#contract/menu.ts';
import type { Scope } from '#server/db/scope.ts';

/** The rights that make a member of staff a counsellor: 登记表管理 and 咨询记录编辑. */
const COUNSELLOR_CODES = codesOf(['consult.forms', 'care.edit']);

/** A member of staff who can be booked. */
export interface Counsellor {
  userid: string;
  realname: string;
  /** away until then; null or a time that is over: present */
  absentuntil: Date | null;
}

/** The counsellors of an institution by name, the absent ones too. Works in staff's and respondents' sessions. */
export async function findCounsellors({ db }: Scope, musercode: string): Promise<Counsellor[]> {
  const { rows } = await sql<Counsellor>`
    select s.userid, s.realname, s.absentuntil from access.staff_holding(${musercode}, ${COUNSELLOR_CODES}) s
    order by s.realname collate "zh-x-icu", s.userid`.execute(db);
  return rows;
}

/** The weekly hours of an institution's counsellors. Works in staff's and respondents' sessions. */
const findWeeklyHours = ({ db }: Scope, musercode: string): Promise<WeeklyHours[]> =>
  db
    .selectFrom('counsellortime')
    .select(['userid', 'weekday', 'begintime', 'endtime', 'minutes', 'pause', 'room', 'validfrom', 'validto'])
    .where('musercode', '=', musercode)
    .execute();

interface Span {
  from: Date;
  until: Date;
}

/** The times off of an institution within a span. Works in staff's and respondents' sessions. */
export const findTimesOff = ({ db }: Scope, musercode: string, { from, until }: Span) =>
  db
    .selectFrom('counselloroff')
    .select(['userid', 'begintime as begin', 'endtime as end'])
    .where('musercode', '=', musercode)
    .where('begintime', '<', until)
    .where('endtime', '>', from)
    .execute();

/** The booked times of an institution's counsellors and rooms within a span, without persons. */
async function findBookedTimes({ db }: Scope, musercode: string, { from, until }: Span) {
  const { rows } = await sql<{ counsellor: string; room: string; begin: Date; end: Date }>`
    select b.counsellor, b.room, b.slotbegin as begin, b.slotend as "end"
    from access.booked_times(${musercode}, ${from}, ${until}) b`.execute(db);
  return rows;
}

/** The work calendar of an institution; undefined without one. */
async function findWorkCalendar({ db }: Scope, musercode: string): Promise<WorkCalendar | undefined> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('musercode', '=', musercode)
    .where('key', '=', 'workcalendar')
    .executeTakeFirst();
  return row?.value as WorkCalendar | undefined;
}

/** A free time with the name of its counsellor. */
export interface NamedSlot extends Slot {
  counsellorname: string;
}

/**
 * Returns the free times of an institution's counsellors that begin in the days from `begindate` to `enddate`, from now on, by time.
 * Works in staff's and respondents' sessions.
 */
export async function findFreeSlots(
  scope: Scope,
  musercode: string,
  {
    counsellor,
    begindate,
    enddate,
    now,
  }: {
    /** only this counsellor's */
    counsellor?: string | undefined;
    begindate: string;
    enddate: string;
    now: Date;
  },
): Promise<NamedSlot[]> {
  const span = { from: fromShanghai(begindate), until: addDays(fromShanghai(enddate), 1) };
  const counsellors = (await findCounsellors(scope, musercode)).filter(({ userid }) => !counsellor || userid === counsellor);
  const names = new Map(counsellors.map(({ userid, realname }) => [userid, realname]));
  const absences = counsellors.flatMap(({ userid, absentuntil }) =>
    absentuntil && absentuntil > now ? [{ userid, begin: now, end: absentuntil }] : [],
  );
  const free = freeSlots(
    {
      hours: (await findWeeklyHours(scope, musercode)).filter(({ userid }) => names.has(userid)),
      offs: [...(await findTimesOff(scope, musercode, span)), ...absences],
      bookings: await findBookedTimes(scope, musercode, span),
      calendar: await findWorkCalendar(scope, musercode),
    },
    begindate,
    enddate,
    now,
  );
  return free.map((slot) => ({ ...slot, counsellorname: names.get(slot.counsellor) ?? '' }));
}
