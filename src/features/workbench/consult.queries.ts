import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { isVisibleConsult } from '#server/security/suspect.ts';
import { consultDue, joinConsultNames } from '#features/consult/consult.queries.ts';
import { belongs, countAndFetch, MAX_ROWS, type PersonPlace } from '#features/workbench/workbench.queries.ts';

/** A registration of the blocks 待受理咨询登记 and 今日预约. */
interface ConsultDue extends PersonPlace {
  consultid: number;
  username: string;
  sector: string;
  source: string;
  consulttype: string;
  room: string;
  counsellorname: string | null;
  slotbegin: Date;
  slotend: Date;
  /** when a waiting registration is overdue */
  due: Date;
  /** the level of the person's open case; null without one */
  level: number | null;
}
const columns = sql`k.consultid::int, c.username, m.sector, k.source, k.consulttype, k.room, u.realname as counsellorname, k.slotbegin,
  k.slotend, o.level, ${belongs}`;

/** The waiting registrations, the earliest due time first. `more` counts the overdue ones. `cases`: the caller reads warnings. */
export const findWaitingConsults = (scope: Scope, now: Date, cases: boolean) =>
  countAndFetch<ConsultDue>(
    scope,
    sql`
      select d.*, count(*) over () as total, count(*) filter (where d.due < ${now}::timestamptz) over () as more
      from (
        select ${columns}, ${consultDue(!cases)} as due
        from consult k ${joinConsultNames}
        where k.status = '01' and ${isVisibleConsult}) d
      order by d.due, d.consultid
      limit ${MAX_ROWS}`,
  );

/** The bookings before `until` that have no result yet, in their order. `more` counts those that have ended. */
export const findBookings = (scope: Scope, now: Date, until: Date) =>
  countAndFetch<ConsultDue>(
    scope,
    sql`
      select ${columns}, k.duetime as due, count(*) over () as total,
        count(*) filter (where k.slotend < ${now}::timestamptz) over () as more
      from consult k ${joinConsultNames}
      where k.status = '02' and k.slotbegin < ${until}::timestamptz and ${isVisibleConsult}
      order by k.slotbegin, k.consultid
      limit ${MAX_ROWS}`,
  );
