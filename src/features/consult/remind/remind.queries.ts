import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { consultDue } from '#features/consult/consult.queries.ts';
import { isSameHumanSql } from '#features/warning/humans.queries.ts';

/** Which reminder of a booking: a day before, or two hours before. */
export type ReminderStep = 'day' | 'hour';

/** How long before the begin each reminder is due, and where the row says that it was sent. */
const STEPS = {
  day: { column: sql.ref('remindedday'), before: sql`interval '1 day'`, until: sql`interval '2 hours'` },
  hour: { column: sql.ref('remindedhour'), before: sql`interval '2 hours'`, until: sql`interval '0'` },
} as const;

/** A booking of which the counsellor is reminded. */
export interface DueBooking {
  consultid: number;
  musercode: string;
  counsellor: string;
  groupid: number | null;
  slotbegin: Date;
  room: string;
  consulttype: string;
}

/** SQL: a case of the person of registration `k` suspects the human behind account `userid`. */
function isSuspectedSql(userid: string): RawBuilder<boolean> {
  const account = sql.ref(userid);
  return sql<boolean>`exists (
    select from warning w cross join unnest(w.suspectuserids) s (userid)
      left join sysuser me on me.userid = ${account}
      left join sysuser other on other.userid = s.userid
    where w.cuserid = k.cuserid and w.isdeleted = 0 and (w.warningcode = k.warningcode or w.state not in ('07', '08'))
      and (s.userid = ${account} or ${isSameHumanSql('me', 'other')}))`;
}

/**
 * Marks the bookings whose reminder of this step is due as reminded, and returns them. Two servers never both return one. A booking made
 * or moved inside the span of the step is marked without a reminder: the counsellor has just heard of it. So are those of persons who
 * died, and of counsellors under suspicion.
 */
export async function takeDueBookings(scope: Scope, musercode: string, step: ReminderStep, now: Date): Promise<DueBooking[]> {
  const { column, before, until } = STEPS[step];
  const { rows } = await sql<DueBooking & { isreminded: boolean }>`
    update consult k set ${column} = 1
    where k.musercode = ${musercode} and k.status = '02' and k.isdeleted = 0 and k.${column} = 0
      and k.slotbegin - ${before} <= ${now}::timestamptz and k.slotbegin - ${until} > ${now}::timestamptz
    returning k.consultid, k.musercode, k.counsellor, k.groupid, k.slotbegin, k.room, k.consulttype,
      coalesce((select max(l.time) from consultlog l where l.consultid = k.consultid and l.action in ('预约', '改期')),
        k.createtime) <= k.slotbegin - ${before}
      and exists (select from cuser c where c.cuserid = k.cuserid and c.isdeleted = 0 and c.deathtime is null and c.anonymizedtime is null)
      and not ${isSuspectedSql('k.counsellor')} as isreminded`.execute(scope.db);
  return rows.filter(({ isreminded }) => isreminded);
}

/** A counsellor of an institution with the number of overdue registrations. */
interface OverdueCount {
  userid: string;
  count: number;
}

/**
 * The counsellors of an institution who have overdue waiting registrations in their list, with the number. Without the right to cases
 * (`caseRights`, one is enough) the due time of a registration does not depend on the person's case.
 */
export async function countOverdue(
  scope: Scope,
  musercode: string,
  { counsellorRights, caseRights }: { counsellorRights: readonly string[]; caseRights: readonly string[] },
  now: Date,
): Promise<OverdueCount[]> {
  const readers = sql.join(
    caseRights.map((right) => sql`select userid from access.staff_holding(${musercode}, ${[right]}::text[])`),
    sql` union `,
  );
  const { rows } = await sql<OverdueCount>`
    with reader as (${readers}),
      waiting as (
        select k.consultid, k.cuserid, k.warningcode, ${consultDue(true)} as plaindue, ${consultDue(false)} as casedue
        from consult k
          left join warning o on o.cuserid = k.cuserid and o.state not in ('07', '08') and o.isdeleted = 0
        where k.musercode = ${musercode} and k.status = '01' and k.isdeleted = 0)
    select h.userid, count(*)::int as count
    from access.staff_holding(${musercode}, ${[...counsellorRights]}::text[]) h
      join waiting k on (case when h.userid in (select userid from reader) then k.casedue else k.plaindue end) < ${now}::timestamptz
    where not ${isSuspectedSql('h.userid')}
    group by h.userid`.execute(scope.db);
  return rows;
}
