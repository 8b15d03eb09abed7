import { sql } from 'kysely';
import { addDays } from '#domain/base/calendar.ts';
import type { RetentionMonths } from '#domain/retention/retention.ts';
import { signOrigin } from '#server/audit/origin.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { lastService } from '#features/anonymize/lastService.queries.ts';

/** The statements of terms, of holds and of the job. A term ends with a day of China; the record is erased on the day after. */

/** The institutions that keep records of persons, with their sector, closed ones too. */
export const findInstitutions = (scope: Scope) =>
  scope.db
    .selectFrom('muser')
    .select(['musercode', 'sector', 'musertype'])
    .where('musertype', 'in', ['004', '005'])
    .orderBy('musercode')
    .execute();

/** The institution of the terms. */
export const findInstitution = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('muser').select(['musercode', 'sector', 'musertype']).where('musercode', '=', musercode).executeTakeFirst();

/** The terms that an institution has set, in months. */
export async function findOwnMonths(scope: Scope, musercode: string): Promise<RetentionMonths> {
  const row = await scope.db
    .selectFrom('setting')
    .select('value')
    .where('musercode', '=', musercode)
    .where('key', '=', 'retention')
    .executeTakeFirst();
  return (row?.value ?? {}) as RetentionMonths;
}

/** Sets one term of an institution. */
export const saveMonths = (scope: Scope, musercode: string, key: string, months: number) =>
  sql`insert into setting (musercode, key, value) values (${musercode}, 'retention', jsonb_build_object(${key}::text, ${months}::int))
    on conflict (musercode, key) do update set value = setting.value || excluded.value`.execute(scope.db);

const today = (now: Date) => sql`(${now}::timestamptz at time zone 'Asia/Shanghai')::date`;
const isOver = (start: ReturnType<typeof sql>, months: number, now: Date) =>
  sql<boolean>`((${start}) at time zone 'Asia/Shanghai')::date + make_interval(months => ${months}::int) < ${today(now)}`;
/** A bound that spares the rows whose term cannot be over; a month has at least 28 days. */
const surelyBefore = (months: number, now: Date) => addDays(now, -28 * months);

/**
 * The persons whose term is over, the oldest code first. Nobody is due who is in a team with an open archive (the service runs), has an
 * open case, something unfinished, or a hold.
 */
const duePersons = (musercode: string, months: number, now: Date) => sql`
  from cuser c
  where c.musercode = ${musercode} and c.isdeleted = 0 and c.anonymizedtime is null and c.mergedinto is null
    and c.createtime < ${surelyBefore(months, now)}
    and ${isOver(sql`greatest(c.createtime, ${lastService})`, months, now)}
    and not access.is_held(c.cuserid)
    and not exists (select from warning w where w.cuserid = c.cuserid and w.state not in ('07', '08') and w.isdeleted = 0)
    and not (
      exists (select from teamroster t join assessteam g on g.teamcode = t.teamcode
        where t.cuserid = c.cuserid and t.status = 1 and g.isdeleted = 0)
      and exists (select from cuserarchive a where a.cuserid = c.cuserid and a.status = 1 and a.iscurrent = 1 and a.isdeleted = 0))
    and not exists (select from examreview v where v.cuserid = c.cuserid and v.donetime is null)
    and not exists (select from sheetmove m where m.status = '01' and c.cuserid in (m.cuserid, m.tocuserid))
    and not exists (select from cusermerge g where g.status = '01' and c.cuserid in (g.cuserid, g.tocuserid))`;

/** The persons whose term is over. */
export const findDuePersons = async (
  scope: Scope,
  musercode: string,
  months: number,
  now: Date,
  limit: number,
): Promise<string[]> =>
  (
    await sql<{
      cuserid: string;
    }>`select c.cuserid ${duePersons(musercode, months, now)} order by c.cuserid limit ${limit}`.execute(scope.db)
  ).rows.map(({ cuserid }) => cuserid);

/** Locks a person, and returns whether the term is over still: a sheet or a hold may have come meanwhile. */
export const lockDuePerson = async (
  scope: Scope,
  musercode: string,
  cuserid: string,
  months: number,
  now: Date,
): Promise<boolean> => {
  await sql`select from cuser where cuserid = ${cuserid} for update`.execute(scope.db);
  const { rows } = await sql`select ${duePersons(musercode, months, now)} and c.cuserid = ${cuserid}`.execute(scope.db);
  return rows.length > 0;
};

/** The number of persons whose term is over. */
export const countDuePersons = async (scope: Scope, musercode: string, months: number, now: Date): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n ${duePersons(musercode, months, now)}`.execute(scope.db)).rows[0]?.n ?? 0;

/** The tables of the simple kinds: the key, the time from which the term runs, and the condition besides it. */
const rowKinds = {
  notice: [{ table: sql`notification`, key: sql`id`, start: sql`t.createtime`, also: sql`true` }],
  job: [{ table: sql`job`, key: sql`jobid`, start: sql`t.createtime`, also: sql`t.status not in (0, 1)` }],
  delivery: [
    { table: sql`outbox`, key: sql`id`, start: sql`t.donetime`, also: sql`true` },
    { table: sql`channelmessage`, key: sql`messageid`, start: sql`t.createtime`, also: sql`t.nexttime is null` },
    { table: sql`calllist`, key: sql`callid`, start: sql`t.acktime`, also: sql`true` },
  ],
} as const;
export type RowKind = keyof typeof rowKinds;
export const isRowKind = (job: string): job is RowKind => job in rowKinds;

type RowTable = (typeof rowKinds)[RowKind][number];
const dueRows = ({ table, start, also }: RowTable, musercode: string, months: number, now: Date) => sql`
  from ${table} t
  where t.musercode = ${musercode} and ${start} < ${surelyBefore(months, now)} and ${isOver(start, months, now)} and ${also}`;

/** The number of rows of a kind whose term is over. */
export async function countDueRows(scope: Scope, kind: RowKind, musercode: string, months: number, now: Date): Promise<number> {
  let total = 0;
  for (const table of rowKinds[kind]) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n ${dueRows(table, musercode, months, now)}`.execute(
      scope.db,
    );
    total += rows[0]?.n ?? 0;
  }
  return total;
}

/** Deletes rows of a kind whose term is over; returns their number, at most `limit` of each table. */
export async function deleteDueRows(scope: Scope, kind: RowKind, musercode: string, months: number, now: Date, limit: number) {
  let total = 0;
  for (const item of rowKinds[kind]) {
    const result = await sql`delete from ${item.table} d where d.${item.key} in (
      select t.${item.key} ${dueRows(item, musercode, months, now)} limit ${limit} for update skip locked)`.execute(scope.db);
    total += Number(result.numAffectedRows ?? 0);
  }
  return total;
}

/** Deletes links and codes of persons that ended before `since`, of every institution; returns their number, at most `limit`. */
export const deleteEndedLinks = async (scope: Scope, since: Date, limit: number): Promise<number> =>
  Number(
    (
      await sql`delete from testlink d where d.linkid in (
        select t.linkid from testlink t where t.expiretime < ${since} limit ${limit} for update skip locked)`.execute(scope.db)
    ).numAffectedRows ?? 0,
  );

/** Records what one run has erased, and writes it to the audit log: numbers without a person. */
export async function addRun(
  scope: Scope,
  cipher: FieldCipher,
  musercode: string,
  now: Date,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = Object.entries(counts).map(([kind, affected]) => ({ musercode, time: now, kind, affected }));
  await scope.db.insertInto('retentionrun').values(rows).execute();
  const entry = signOrigin(cipher, {
    musercode,
    action: 'retention',
    title: '保存期限届满的清除',
    kind: 'write',
    cuserids: [],
    minors: 0,
    detail: counts,
  });
  await sql`select audit.add(${JSON.stringify(entry)}::jsonb)`.execute(scope.db);
}

/** The last runs that erased something. */
export const findRuns = (scope: Scope, musercode: string, limit: number) =>
  scope.db
    .selectFrom('retentionrun')
    .select(['time', 'kind', 'affected'])
    .where('musercode', '=', musercode)
    .orderBy('time', 'desc')
    .orderBy('runid', 'desc')
    .limit(limit)
    .execute();

/** The number of standing holds of an institution. */
export const countHolds = async (scope: Scope, musercode: string): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from legalhold where musercode = ${musercode} and endtime is null`.execute(
      scope.db,
    )
  ).rows[0]?.n ?? 0;

/** Adds a hold and returns its number. */
export const addHold = async (
  scope: Scope,
  row: { musercode: string; cuserid: string; reason: string; begintime: Date; beginby: string; beginname: string },
): Promise<number> => (await scope.db.insertInto('legalhold').values(row).returning('holdid').executeTakeFirstOrThrow()).holdid;

/** Ends a hold. */
export const endHold = (
  scope: Scope,
  holdid: number,
  change: { endtime: Date; endby: string; endname: string; endreason: string },
) => scope.db.updateTable('legalhold').set(change).where('holdid', '=', holdid).execute();
