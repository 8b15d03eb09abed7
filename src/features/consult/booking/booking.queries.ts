import { sql } from 'kysely';
import { problems, type Problem } from '#contract/problem.ts';
import { problemOfDatabaseError } from '#server/db/databaseError.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleConsult } from '#server/security/suspect.ts';
import { type ConsultRecord } from '#features/consult/consult.queries.ts';
import { isSameHumanSql } from '#features/warning/humans.queries.ts';

/** The rights of a counsellor: 登记表管理 and the editing of consultations. */
export const COUNSELLOR_RIGHTS = ['00016', '00047'] as const;

/** The counsellor of an institution with the end of the absence, if there is one; undefined for others. */
export async function findCounsellor(scope: Scope, musercode: string, userid: string) {
  const { rows } = await sql<{ userid: string; realname: string; absentuntil: Date | null }>`
    select s.userid, s.realname, s.absentuntil from access.staff_holding(${musercode}, ${[...COUNSELLOR_RIGHTS]}::text[]) s
    where s.userid = ${userid}`.execute(scope.db);
  return rows[0];
}

/** The accounts of the counsellors of an institution, the absent ones too. Works in the session of a respondent. */
export async function findCounsellors(scope: Scope, musercode: string): Promise<string[]> {
  const { rows } = await sql<{ userid: string }>`
    select s.userid from access.staff_holding(${musercode}, ${[...COUNSELLOR_RIGHTS]}::text[]) s order by s.userid`.execute(
    scope.db,
  );
  return rows.map(({ userid }) => userid);
}

/** The name and the end of the absence of the caller's own account. */
export const findOwnAccount = (scope: Scope, userid: string) =>
  scope.db.selectFrom('sysuser').select(['userid', 'realname', 'absentuntil']).where('userid', '=', userid).executeTakeFirst();

/** Whether the case of a registration, or the person's open case, suspects the human behind an account. */
export async function isSuspected(
  scope: Scope,
  { cuserid, warningcode }: Pick<ConsultRecord, 'cuserid' | 'warningcode'>,
  userid: string,
): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select 1 as n from warning w
    where w.cuserid = ${cuserid} and w.isdeleted = 0 and (w.warningcode = ${warningcode} or w.state not in ('07', '08'))
      and w.suspectuserids && (array[${userid}::text] || array(
        select other.userid from sysuser s join sysuser other on ${isSameHumanSql('s', 'other')} where s.userid = ${userid}))
    limit 1`.execute(scope.db);
  return rows.length > 0;
}

/** The open case of a person; undefined without one, and when it suspects the caller. */
export async function findOpenCase(scope: Scope, cuserid: string): Promise<string | undefined> {
  const { rows } = await sql<{ warningcode: string }>`
    select w.warningcode from warning w
    where w.cuserid = ${cuserid} and w.state not in ('07', '08') and w.isdeleted = 0 and ${isNotSuspect}`.execute(scope.db);
  return rows[0]?.warningcode;
}

/** The oldest waiting registration of a person that the caller sees. */
export async function findWaiting(scope: Scope, cuserid: string): Promise<number | undefined> {
  const { rows } = await sql<{ consultid: number }>`
    select k.consultid from consult k where k.cuserid = ${cuserid} and k.status = '01' and ${isVisibleConsult}
    order by k.applytime, k.consultid limit 1`.execute(scope.db);
  return rows[0]?.consultid;
}

/** What keeps a person from being booked: a registered death or an anonymized record. */
export const findPersonState = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser')
    .select(['username', 'deathtime', 'anonymizedtime', 'appid', 'birthday'])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/**
 * Lets the bookings of one counsellor, person or room wait for each other until the transaction ends. The exclusion constraints decide
 * the winner. Without these locks, two that collide would wait for each other and both report a busy system. Works for respondents too.
 */
export async function lockTimes(
  scope: Scope,
  { counsellor, cuserids, musercode, room }: { counsellor: string; cuserids: readonly string[]; musercode: string; room: string },
): Promise<void> {
  const keys = [`counsellor ${counsellor}`, ...cuserids.map((cuserid) => `person ${cuserid}`), `room ${musercode} ${room}`];
  for (const key of keys.sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`consult ${key}`}, 0))`.execute(scope.db);
}

/** Runs a statement that books. `week` is put before the refusal when the counsellor, the person or the room has a booking then. */
export async function refuseOverlap<T>(week: string, book: () => Promise<T>): Promise<T> {
  try {
    return await book();
  } catch (error) {
    const overlap: Problem | undefined =
      (error as { code?: string }).code === '23P01' ? problemOfDatabaseError(error) : undefined;
    if (!overlap) throw error;
    throw problems.wrongState({ why: `${week}${overlap.message}` }, { field: overlap.field });
  }
}

/** The booked registrations of a group session in the caller's range, locked, in a fixed order. */
export async function lockSession(scope: Scope, groupid: number): Promise<ConsultRecord[]> {
  const { rows } = await sql<ConsultRecord>`
    select k.* from consult k where k.groupid = ${groupid} and k.status = '02' and k.isdeleted = 0
    order by k.consultid for update of k`.execute(scope.db);
  return rows;
}

/** The coming group sessions of the series of `groupid` that the caller sees, each by its first booked registration, and itself first. */
export async function findSessions(scope: Scope, groupid: number): Promise<ConsultRecord[]> {
  const { rows } = await sql<ConsultRecord>`
    select * from (
      select distinct on (k.groupid) k.* from consult k join consult f on f.consultid = ${groupid}
      where (k.groupid = ${groupid} or k.seriesid = f.seriesid and k.groupid is not null and k.slotbegin > f.slotbegin)
        and k.status = '02' and ${isVisibleConsult}
      order by k.groupid, k.consultid) as session
    order by slotbegin`.execute(scope.db);
  return rows;
}

/** The later bookings of the same weekly series and person, locked. */
export async function lockRestOfSeries(
  scope: Scope,
  { consultid, seriesid, cuserid, slotbegin }: Pick<ConsultRecord, 'consultid' | 'seriesid' | 'cuserid' | 'slotbegin'>,
): Promise<ConsultRecord[]> {
  if (seriesid === null) return [];
  const { rows } = await sql<ConsultRecord>`
    select k.* from consult k
    where k.seriesid = ${seriesid} and k.cuserid = ${cuserid} and k.consultid <> ${consultid} and k.status = '02' and k.isdeleted = 0
      and (${slotbegin}::timestamptz is null or k.slotbegin > ${slotbegin})
    order by k.consultid for update of k`.execute(scope.db);
  return rows;
}

/** Whether the person has a later booking with the same counsellor. */
export async function hasLaterBooking(
  scope: Scope,
  { consultid, cuserid, counsellor, slotbegin }: Pick<ConsultRecord, 'consultid' | 'cuserid' | 'counsellor' | 'slotbegin'>,
): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select 1 as n from consult k
    where k.cuserid = ${cuserid} and k.counsellor = ${counsellor} and k.consultid <> ${consultid} and k.status = '02' and k.isdeleted = 0
      and k.slotbegin > ${slotbegin} limit 1`.execute(scope.db);
  return rows.length > 0;
}
