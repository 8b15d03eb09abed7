import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';

/** The records of merges (`cusermerge`) and the two persons of a merge. */

/** Whether a merge waits, is done, was returned or undone. */
export type MergeStatus = '01' | '02' | '03' | '04';
/** The open cases that became one. */
export interface JoinedCases {
  kept?: string;
  joined?: string;
}

/** A record of a person as the preview and the checks need it. */
export interface MergePerson {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  musercode: string;
  appid: string;
  archiveno: string | null;
  studentno: string;
  belongs: string;
  examcount: number;
  enabled: number;
  createtime: Date;
  deathtime: Date | null;
  anonymizedtime: Date | null;
  iswithdrawn: boolean;
  /** the consent of the guardian; null when nobody was asked */
  guardianstatus: number | null;
  /** a sheet waits for its correction (更正答卷归属) */
  hasmove: boolean;
  /** a request for 匿名化 waits */
  haserasure: boolean;
}

/** Locks the records of persons until the transaction ends, in the order of their codes. Deleted records are left out. */
export async function lockPersons(scope: Scope, cuserids: readonly string[]): Promise<Map<string, MergePerson>> {
  await sql`select cuserid from cuser where cuserid = any (${[...cuserids]}::text[]) order by cuserid for update`.execute(
    scope.db,
  );
  return findPersons(scope, cuserids);
}

/** The records of persons. Deleted records are left out. */
export async function findPersons(scope: Scope, cuserids: readonly string[]): Promise<Map<string, MergePerson>> {
  const { rows } = await sql<MergePerson>`
    select c.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.musercode, c.appid, a.archiveno, c.examcount, c.enabled,
      c.createtime, c.deathtime, c.anonymizedtime,
      coalesce(a.studentno, a.employeeno, a.detail ->> 'checkupno', '') as studentno,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      exists (select from withdrawal w where w.cuserid = c.cuserid and w.resumetime is null) as iswithdrawn,
      (select g.status from guardianconsent g where g.cuserid = c.cuserid and g.kind = '01') as guardianstatus,
      exists (select from sheetmove v where v.status = '01' and c.cuserid in (v.cuserid, v.tocuserid)) as hasmove,
      exists (select from anonymization z where z.status = '01' and z.cuserid = c.cuserid) as haserasure
    from cuser c left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
    where c.cuserid = any (${[...cuserids]}::text[]) and c.isdeleted = 0`.execute(scope.db);
  return new Map(rows.map((row) => [row.cuserid, row]));
}

/** An open case of one of the persons. */
export interface OpenCase {
  warningcode: string;
  cuserid: string;
  level: number;
  createtime: Date;
  owneruserid: string | null;
  suspectuserids: string[];
  /** the case goes to another institution, whose receipt is missing */
  istransferred: boolean;
  /** the case suspects the human behind the session */
  issuspect: boolean;
}
/** The open cases of persons. Cases that suspect the caller are marked, because nothing may happen to them. */
export const findOpenCases = async (scope: Scope, cuserids: readonly string[]): Promise<OpenCase[]> =>
  (
    await sql<OpenCase>`
      select w.warningcode, w.cuserid, w.level::int as level, w.createtime, w.owneruserid, w.suspectuserids,
        w.transfertime is not null and w.receipttime is null as istransferred, not ${isNotSuspect} as issuspect
      from warning w
      where w.cuserid = any (${[...cuserids]}::text[]) and w.state not in ('07', '08') and w.isdeleted = 0
      order by w.warningcode`.execute(scope.db)
  ).rows;

/** A time at which both persons have a booking for a consultation; undefined without one. */
export async function findDoubleBooking(scope: Scope, cuserid: string, tocuserid: string): Promise<Date | undefined> {
  const { rows } = await sql<{ slotbegin: Date }>`
    select greatest(a.slotbegin, b.slotbegin) as slotbegin
    from consult a join consult b on tstzrange(a.slotbegin, a.slotend) && tstzrange(b.slotbegin, b.slotend)
    where a.cuserid = ${cuserid} and b.cuserid = ${tocuserid} and a.status = '02' and b.status = '02'
      and a.isdeleted = 0 and b.isdeleted = 0
    order by 1 limit 1`.execute(scope.db);
  return rows[0]?.slotbegin;
}

/** The numbers of rows that a merge moves. */
export async function countMoves(scope: Scope, cuserid: string) {
  const { rows } = await sql<{ exams: number; archives: number; guardians: number; grants: number; followups: number }>`select
    (select count(*) from examrecord where cuserid = ${cuserid} and status = 2)::int as exams,
    (select count(*) from cuserarchive where cuserid = ${cuserid} and isdeleted = 0)::int as archives,
    (select count(*) from guardian where cuserid = ${cuserid} and isdeleted = 0)::int as guardians,
    (select count(*) from cuserplan where cuserid = ${cuserid} and status = 1)::int as grants,
    (select count(*) from followup where cuserid = ${cuserid} and isdeleted = 0 and status in ('01', '03'))::int as followups`.execute(
    scope.db,
  );
  return rows[0] as { exams: number; archives: number; guardians: number; grants: number; followups: number };
}

/** A new merge: it waits for a second person, or is done at once. */
export interface NewMerge {
  musercode: string;
  cuserid: string;
  tocuserid: string;
  status: '01' | '02';
  reason: string;
  askuserid: string;
  askname: string;
  askkeys: string[];
  asktime: Date;
}
/** Adds a merge and returns its number. */
export const addMerge = async (scope: Scope, row: NewMerge): Promise<number> =>
  (await scope.db.insertInto('cusermerge').values(row).returning('mergeid').executeTakeFirstOrThrow()).mergeid;

/** Changes the record of a merge. */
export const changeMerge = (
  scope: Scope,
  mergeid: number,
  change: {
    status?: MergeStatus;
    answerby?: string;
    answername?: string;
    answer?: string;
    answertime?: Date;
    mergetime?: Date;
    pointed?: string;
    changes?: string;
    cases?: string;
    undotime?: Date;
    undoby?: string;
    undoname?: string;
    undoreason?: string;
  },
) => scope.db.updateTable('cusermerge').set(change).where('mergeid', '=', mergeid).execute();

/** Locks the record of a merge until the transaction ends. */
export const lockMerge = (scope: Scope, mergeid: number) =>
  scope.db.selectFrom('cusermerge').selectAll().where('mergeid', '=', mergeid).forUpdate().executeTakeFirst();

/** The waiting merge of one of the persons; undefined without one. */
export const findWaitingMerge = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cusermerge')
    .select(['mergeid', 'askname'])
    .where('status', '=', '01')
    .where((eb) => eb.or([eb('cuserid', 'in', [...cuserids]), eb('tocuserid', 'in', [...cuserids])]))
    .executeTakeFirst();

/** The merges of a record, the newest first. */
export const findMerges = async (scope: Scope, cuserid: string) =>
  (
    await sql<{
      mergeid: number;
      status: MergeStatus;
      cuserid: string;
      tocuserid: string;
      fromname: string;
      toname: string;
      archiveno: string | null;
      reason: string;
      askname: string;
      askkeys: string[];
      asktime: Date;
      answername: string;
      answer: string;
      mergetime: Date | null;
      undotime: Date | null;
      undoname: string;
      isdeleted: number;
    }>`
      select m.mergeid, m.status, m.cuserid, m.tocuserid, b.username as fromname, a.username as toname, m.reason, m.askname, m.askkeys,
        m.asktime, m.answername, m.answer, m.mergetime, m.undotime, m.undoname, a.isdeleted,
        (select x.archiveno from cuserarchive x
          where x.appid = b.appid and (x.cuserid = m.cuserid or m.pointed->'cuserarchive' ? x.archiveid::text)
          order by x.iscurrent desc, x.archiveid desc limit 1) as archiveno
      from cusermerge m join cuser b on b.cuserid = m.cuserid join cuser a on a.cuserid = m.tocuserid
      where ${cuserid} in (m.cuserid, m.tocuserid)
      order by m.mergeid desc limit 50`.execute(scope.db)
  ).rows;

/** Points the rows of one record at another one (db/schema/88_merge.sql) and returns their keys by table. */
export const pointRows = async (
  scope: Scope,
  from: string,
  to: string,
  listed: string | null,
): Promise<Record<string, string[]>> =>
  (
    await sql<{ rows: Record<string, string[]> }>`
      select access.point_person(${from}, ${to}, ${listed}::jsonb) as rows`.execute(scope.db)
  ).rows[0]?.rows ?? {};

/** Sets the risk flag of persons to the level of their open case, or 0. */
export const refreshRiskFlags = (scope: Scope, cuserids: readonly string[]) =>
  sql`update cuser c set riskflag = coalesce((
      select w.level from warning w where w.cuserid = c.cuserid and w.state not in ('07', '08') and w.isdeleted = 0), 0)
    where c.cuserid = any (${[...cuserids]}::text[])`.execute(scope.db);

/** The persons whose stored number of sheets is not the number of their sheets. */
export const findMiscounted = async (scope: Scope, cuserids: readonly string[]): Promise<string[]> =>
  (
    await sql<{ cuserid: string }>`
      select c.cuserid from cuser c
      where c.cuserid = any (${[...cuserids]}::text[])
        and c.examcount <> (select count(*) from examrecord e where e.cuserid = c.cuserid and e.status = 2)`.execute(scope.db)
  ).rows.map(({ cuserid }) => cuserid);

/** The submitted sheets of persons within a year: rules compare them with one another. */
export const findYearSheets = (scope: Scope, cuserids: readonly string[], since: Date) =>
  scope.db
    .selectFrom('examrecord')
    .select(['examcode', 'cuserid'])
    .where('cuserid', 'in', [...cuserids])
    .where('status', '=', 2)
    .where('submittime', '>=', since)
    .orderBy('submittime')
    .execute();

/** The sheets whose alarm after a time stands in a case of another record than the sheet. */
export const findPartedSheets = async (scope: Scope, examcodes: readonly string[], since: Date) =>
  (
    await sql<{ examcode: string; cuserid: string }>`
      select distinct e.examcode, e.cuserid
      from examrecord e
        join casewitness s on s.examcode = e.examcode and s.time > ${since}
        join warning w on w.warningcode = s.warningcode and w.cuserid <> e.cuserid
      where e.examcode = any (${[...examcodes]}::text[])
      order by e.examcode`.execute(scope.db)
  ).rows;

/** Whether a case of a person suspects the human behind the session. */
export const hasSuspectedCase = async (scope: Scope, cuserid: string): Promise<boolean> =>
  (
    await sql<{ has: boolean }>`
      select exists (select from warning w where w.cuserid = ${cuserid} and w.isdeleted = 0 and not ${isNotSuspect}) as has`.execute(
      scope.db,
    )
  ).rows[0]?.has ?? false;
