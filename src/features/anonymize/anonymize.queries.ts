import { sql } from 'kysely';
import { addDays } from '#domain/base/calendar.ts';
import type { RetentionMonths } from '#domain/retention/retention.ts';
import { DEFAULT_LOCAL_DUTIES, type LocalDuties } from '#domain/warning/clock/caseduty.ts';
import { signOrigin } from '#server/audit/origin.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { lastService } from '#features/anonymize/lastService.queries.ts';

/** The requests for 匿名化 (`anonymization`) and what it concerns. */

/** The closed cases of a person with the time of closing. */
export const findClosedCases = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning as w')
    .select(['w.warningcode', 'w.closetime', 'w.updatetime'])
    .where('w.cuserid', '=', cuserid)
    .where('w.state', 'in', ['07', '08'])
    .where('w.isdeleted', '=', 0)
    .where(isNotSuspect)
    .orderBy('w.warningcode')
    .execute();

/**
 * The last service of a person of a medical institution, with the institution's own terms; undefined elsewhere. The service is null for
 * a person without any service: there is no medical record.
 */
export const findMedicalService = async (
  scope: Scope,
  cuserid: string,
): Promise<{ lastservice: Date | null; months: RetentionMonths } | undefined> =>
  (
    await sql<{ lastservice: Date | null; months: RetentionMonths }>`
      select ${lastService} as lastservice, coalesce(s.value, '{}') as months
      from cuser c join muser m on m.musercode = c.musercode
        left join setting s on s.musercode = c.musercode and s.key = 'retention'
      where c.cuserid = ${cuserid} and m.sector = 'health'`.execute(scope.db)
  ).rows[0];

/** The years for which an institution keeps the record of a closed case. */
export async function findCaseYears(scope: Scope, musercode: string): Promise<number> {
  const row = await scope.db
    .selectFrom('setting')
    .select('value')
    .where('musercode', '=', musercode)
    .where('key', '=', 'localduties')
    .executeTakeFirst();
  return (row?.value as Partial<LocalDuties> | undefined)?.caseyears ?? DEFAULT_LOCAL_DUTIES.caseyears;
}

/** What is not finished for a person and would lose its evidence. */
export interface Obstacles {
  /** a legal hold stands */
  hashold: boolean;
  /** a sheet that nobody submitted and the server has not judged yet */
  hasopensheet: boolean;
  /** a sheet that staff must look at */
  hasreview: boolean;
  hasmove: boolean;
  hasmerge: boolean;
}
/** Finds what is not finished for a person. Sheets begun 90 days ago are not judged any more. */
export const findObstacles = async (scope: Scope, cuserid: string, now: Date): Promise<Obstacles> =>
  (
    await sql<Obstacles>`select access.is_held(${cuserid}) as hashold,
      exists (select from examrecord e where e.cuserid = ${cuserid} and e.status = 1 and e.judgedtime is null
        and e.starttime > ${addDays(now, -90)}) as hasopensheet,
      exists (select from examreview v where v.cuserid = ${cuserid} and v.donetime is null) as hasreview,
      exists (select from sheetmove m where m.status = '01' and ${cuserid} in (m.cuserid, m.tocuserid)) as hasmove,
      exists (select from cusermerge g where g.status = '01' and ${cuserid} in (g.cuserid, g.tocuserid)) as hasmerge`.execute(
      scope.db,
    )
  ).rows[0] as Obstacles;

/** The standing hold of a person; undefined without one. */
export const findHold = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('legalhold')
    .select(['holdid', 'reason', 'beginname', 'begintime'])
    .where('cuserid', '=', cuserid)
    .where('endtime', 'is', null)
    .executeTakeFirst();

/** Locks a person until the transaction ends. */
export const lockPerson = (scope: Scope, cuserid: string) =>
  sql`select from cuser where cuserid = ${cuserid} for update`.execute(scope.db);

/** Adds a waiting request and returns its number. */
export const addRequest = async (
  scope: Scope,
  row: {
    musercode: string;
    cuserid: string;
    reason: string;
    askuserid: string;
    askname: string;
    askkeys: string[];
    asktime: Date;
    duetime: Date;
  },
): Promise<number> =>
  (
    await scope.db
      .insertInto('anonymization')
      .values({ ...row, status: '01' })
      .returning('anonymizationid')
      .executeTakeFirstOrThrow()
  ).anonymizationid;

/** Locks a request until the transaction ends. */
export const lockRequest = (scope: Scope, anonymizationid: number) =>
  scope.db.selectFrom('anonymization').selectAll().where('anonymizationid', '=', anonymizationid).forUpdate().executeTakeFirst();

/** Ends a request: 02 done, 03 returned, 04 withdrawn. */
export const endRequest = (
  scope: Scope,
  anonymizationid: number,
  change: { status: '02' | '03' | '04'; answertime: Date; answerby: string; answername: string; answer?: string },
) => scope.db.updateTable('anonymization').set(change).where('anonymizationid', '=', anonymizationid).execute();

/** The request of a person that waits; undefined without one. The job ends a request after its due time. */
export const findWaiting = (scope: Scope, cuserid: string, now: Date) =>
  scope.db
    .selectFrom('anonymization')
    .select(['anonymizationid', 'reason', 'askuserid', 'askname', 'askkeys', 'asktime', 'duetime'])
    .where('cuserid', '=', cuserid)
    .where('status', '=', '01')
    .where('duetime', '>', now)
    .executeTakeFirst();

/** Ends the requests whose due time is over, of one person or of all, and returns them. */
export const expireRequests = async (scope: Scope, now: Date, cuserid: string | null = null) =>
  (
    await sql<{ anonymizationid: number; musercode: string; askuserid: string; cuserid: string; appid: string }>`
      update anonymization a set status = '05', answertime = a.duetime
      from cuser c
      where c.cuserid = a.cuserid and a.status = '01' and a.duetime <= ${now} and ${cuserid ?? sql`a.cuserid`} = a.cuserid
      returning a.anonymizationid, a.musercode, a.askuserid, a.cuserid, c.appid`.execute(scope.db)
  ).rows;

/** The named staff of an institution who hold one of the codes. */
export const findHolders = async (scope: Scope, musercode: string, codes: readonly string[]): Promise<string[]> =>
  (
    await sql<{ userid: string }>`
      select u.userid from sysuser u
      where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0
        and exists (
          select from unnest(${[...codes]}::text[]) c (code)
          where (exists (
              select from sysuserrole ur join role r on r.roleid = ur.roleid
              where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0 and c.code = any (r.codes))
            or exists (
              select from sysuserpermission p where p.userid = u.userid and p.code = c.code and p.effect = 'grant'))
            and not exists (
              select from sysuserpermission p where p.userid = u.userid and p.code = c.code and p.effect = 'deny'))
      order by u.userid`.execute(scope.db)
  ).rows.map(({ userid }) => userid);

/** The keys of the stored files that an erasure has marked as deleted. */
export const findErasedFiles = async (scope: Scope, cuserid: string): Promise<string[]> =>
  (
    await sql<{ path: string }>`
      with recursive records as (
        select ${cuserid}::text as cuserid
        union
        select c.cuserid from cuser c join records r on c.mergedinto = r.cuserid)
      select f.path from fileobj f join records r on r.cuserid = f.cuserid where f.isdeleted = 1`.execute(scope.db)
  ).rows.map(({ path }) => path);

/** Erases the names, numbers, contacts, answers and texts of a person (db/schema/66_leaving.sql). */
export const anonymizePerson = (scope: Scope, cuserid: string, keepsince: Date, now: Date) =>
  sql`select access.anonymize_person(${cuserid}, ${keepsince}, ${now})`.execute(scope.db);

/**
 * The anonymised persons with a text that the erasure has not reached: it was done by an earlier version, or the term of a case has ended
 * since (`keptSince`; on 29 February it takes a case of 28 February a day later). Persons with an open case are left out.
 */
export const findUnerased = async (scope: Scope, now: Date, limit: number) =>
  (
    await sql<{ cuserid: string; keepsince: Date }>`
      select c.cuserid, k.keepsince
      from cuser c
        left join setting s on s.musercode = c.musercode and s.key = 'localduties'
        cross join lateral (
          select (date_trunc('day', ${now}::timestamptz at time zone 'Asia/Shanghai') - make_interval(years =>
            coalesce((s.value->>'caseyears')::int, ${DEFAULT_LOCAL_DUTIES.caseyears}::int))) at time zone 'Asia/Shanghai' as keepsince) k
      where c.anonymizedtime is not null and c.isdeleted = 0 and not access.is_held(c.cuserid)
        and (c.erasedsince is null or exists (
          select from warning w where w.cuserid = c.cuserid and w.closetime >= c.erasedsince and w.closetime < k.keepsince))
        and not exists (select from warning w where w.cuserid = c.cuserid and w.state not in ('07', '08') and w.isdeleted = 0)
      order by c.cuserid
      limit ${limit}`.execute(scope.db)
  ).rows;

/** The persons that were erased since a time, with the time of the erasure (ISO 8601). */
export const findErased = async (scope: Scope, since: Date) =>
  (await scope.db.selectFrom('cuser').select(['cuserid', 'anonymizedtime']).where('anonymizedtime', '>=', since).execute()).map(
    ({ cuserid, anonymizedtime }) => ({ cuserid, time: (anonymizedtime as Date).toISOString() }),
  );

/** Those of these persons whose data the database still has. Records that were merged into another one come last. */
export const findPresent = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'musercode', 'createtime'])
    .where('cuserid', 'in', cuserids)
    .where('anonymizedtime', 'is', null)
    .orderBy('isdeleted')
    .orderBy('cuserid')
    .execute();

/** Adds the audit row of a person who was erased again. */
export const addRepeatedErasure = async (
  scope: Scope,
  cipher: FieldCipher,
  {
    cuserid,
    musercode,
    title,
    erasedtime,
  }: { cuserid: string; musercode: string; title: string; erasedtime: string | undefined },
) => {
  const entry = signOrigin(cipher, {
    musercode,
    action: 'repeatErasure',
    title,
    kind: 'write',
    cuserids: [cuserid],
    minors: 0,
    objectid: cuserid,
    detail: { erasedtime },
  });
  await sql`select audit.add(${JSON.stringify(entry)}::jsonb)`.execute(scope.db);
};

/** The names, numbers and codes of a person and of the records merged into it, as files and filters have them. */
export const findWords = async (scope: Scope, cuserid: string): Promise<string[]> =>
  (
    await sql<{ word: string }>`
      with recursive records as (
        select ${cuserid}::text as cuserid
        union
        select c.cuserid from cuser c join records r on c.mergedinto = r.cuserid)
      select distinct w.word
      from records r join cuser c on c.cuserid = r.cuserid
        left join cuserarchive a on a.cuserid = c.cuserid
        cross join lateral unnest(array[c.cuserid, c.username, a.archiveno, a.studentno, a.employeeno]) w (word)
      where length(w.word) > 1`.execute(scope.db)
  ).rows.map(({ word }) => word);

/** The exports and imports of an institution with what they store about persons. */
export const findJobs = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('job')
    .select(['jobid', 'kind', 'title', 'status', 'request', 'result'])
    .where('musercode', '=', musercode)
    .where(sql<boolean>`(request ? 'body' or result ? 'undo' or result ? 'answer')`)
    .execute();

/** Stands instead of the name of a file that named the person. */
const ERASED = '已删除';

/** Erases what a job stores about persons: an export ends, and an import cannot be undone any more. */
export const eraseJob = (scope: Scope, jobid: string, now: Date) =>
  sql`update job set title = case when kind = 'export' then title else ${ERASED} end,
      request = case when kind = 'export' then request - 'body'
        else (request - 'body') || jsonb_build_object('filename', ${ERASED}::text) end,
      result = jsonb_set(result - 'undo', '{answer,errors}', '[]', false),
      undountil = null, expiretime = least(expiretime, ${now}::timestamptz),
      finishtime = case when kind = 'export' and status in (0, 1) then ${now}::timestamptz else finishtime end,
      status = case when kind = 'export' and status in (0, 1) then 4 else status end
    where jobid = ${jobid}`.execute(scope.db);
