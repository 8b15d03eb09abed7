import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleConsult } from '#server/security/suspect.ts';
import { consultDue, joinConsultNames, type ConsultRecord } from '#features/consult/consult.queries.ts';
import type { getConsultPageList } from '#features/consult/register/register.contract.ts';

/** The list of registrations and their numbers. */

type Filters = Partial<z.output<(typeof getConsultPageList)['request']>>;

/** Who reads, and when. `isPlain`: without the right to cases; then neither order nor times tell a level. */
export interface ListReader {
  now: Date;
  userid: string | null;
  isPlain: boolean;
}

/** A registration as the list reads it. */
export interface FoundConsult
  extends
    Pick<
      ConsultRecord,
      | 'consultid'
      | 'version'
      | 'cuserid'
      | 'musercode'
      | 'source'
      | 'topics'
      | 'applytime'
      | 'slotbegin'
      | 'slotend'
      | 'counsellor'
    >,
    Pick<ConsultRecord, 'room' | 'consulttype' | 'status' | 'seriesid' | 'groupid' | 'guardianopen' | 'outcome' | 'nextdate'> {
  username: string;
  appid: string;
  insname: string;
  belongs: string;
  counsellorname: string | null;
  warningcode: string | null;
  warninglevel: number | null;
  due: Date;
  isoverdue: boolean;
}

const joinPerson = sql`join cuser c on c.cuserid = k.cuserid
  left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1`;
const joinOpenCase = sql`left join warning o on o.cuserid = k.cuserid and o.state not in ('07', '08') and o.isdeleted = 0`;
const isOpen = sql<boolean>`k.status in ('01', '02', '05')`;
const isOverdue = ({ now, isPlain }: ListReader) => sql<boolean>`(k.status = '01' and ${consultDue(isPlain)} < ${now})`;

/** SQL condition: registration `k` is booked for the day of `now`. */
function isToday(now: Date): RawBuilder<SqlBool> {
  const today = fromShanghai(shanghaiDate(now));
  return sql<SqlBool>`(k.status = '02' and k.slotbegin >= ${today} and k.slotbegin < ${addDays(today, 1)})`;
}

function conditions(filters: Filters, reader: ListReader): RawBuilder<SqlBool>[] {
  const { view = 'all', keyword, status, counsellor, topic, source, begindate, enddate, cuserid, warningcode } = filters;
  const all: RawBuilder<SqlBool>[] = [isVisibleConsult];
  if (view === 'open') all.push(isOpen);
  if (view === 'overdue') all.push(isOverdue(reader));
  if (view === 'today') all.push(isToday(reader.now));
  if (status) all.push(sql`k.status = ${status}`);
  if (counsellor) all.push(sql`k.counsellor = ${counsellor}`);
  if (topic) all.push(sql`${topic} = any (k.topics)`);
  if (source) all.push(sql`k.source = ${source}`);
  if (begindate) all.push(sql`k.applytime >= ${fromShanghai(begindate)}`);
  if (enddate) all.push(sql`k.applytime < ${addDays(fromShanghai(enddate), 1)}`);
  if (filters.bookedfrom) all.push(sql`k.slotbegin >= ${fromShanghai(filters.bookedfrom)}`);
  if (filters.bookedto) all.push(sql`k.slotbegin < ${addDays(fromShanghai(filters.bookedto), 1)}`);
  if (filters.mine) all.push(sql`k.counsellor = ${reader.userid ?? ''}`);
  if (cuserid) all.push(sql`k.cuserid = ${cuserid}`);
  if (warningcode) all.push(sql`k.warningcode = ${warningcode}`);
  if (keyword) {
    const prefix = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    all.push(sql`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix} or c.cuserid = ${keyword}
      or a.studentno = ${keyword} or a.employeeno = ${keyword})`);
  }
  return all;
}

/** Open before ended; of the open ones the highest level of a case, then the overdue, then the earliest; of the ended the latest. */
function orderOf({ orderby, isasc }: Filters, reader: ListReader): RawBuilder<unknown> {
  const direction = isasc === '1' ? sql`asc` : sql`desc`;
  if (orderby === 'applytime') return sql`order by k.applytime ${direction}, k.consultid ${direction}`;
  if (orderby === 'slotbegin') return sql`order by k.slotbegin ${direction} nulls last, k.consultid ${direction}`;
  const byLevel = reader.isPlain ? sql`` : sql`case when ${isOpen} then coalesce(o.level, 0) else 0 end desc,`;
  return sql`order by ${isOpen} desc, ${byLevel} ${isOverdue(reader)} desc,
    case when ${isOpen} then coalesce(case when k.status = '02' then k.slotbegin end, k.applytime) end,
    coalesce(k.slotbegin, k.applytime) desc, k.consultid desc`;
}

const rowColumns = (reader: ListReader) => sql`k.consultid, k.version, k.cuserid, k.musercode, k.source, k.topics, k.applytime,
  k.slotbegin, k.slotend, k.counsellor, k.room, k.consulttype, k.status, k.seriesid, k.groupid, k.guardianopen, k.outcome, k.nextdate,
  c.username, c.appid, m.insname, u.realname as counsellorname,
  coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
  coalesce(o.warningcode, k.warningcode) as warningcode, o.level as warninglevel,
  ${consultDue(reader.isPlain)} as due, ${isOverdue(reader)} as isoverdue`;

/** A page of the registrations in the caller's reach. The query chooses the page first and joins names only for its rows. */
export async function findConsults(
  scope: Scope,
  { page = 1, pageSize = 200, ...filters }: Filters,
  reader: ListReader,
): Promise<{ total: number; rows: FoundConsult[] }> {
  const from = sql`from consult k ${filters.keyword ? joinPerson : sql``} ${joinOpenCase}
    where ${sql.join(conditions(filters, reader), sql` and `)}`;
  const order = orderOf(filters, reader);
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db);
  const { rows } = await sql<FoundConsult>`
    with cut as materialized (select k.consultid ${from} ${order} ${limitOffset({ page, pageSize })})
    select ${rowColumns(reader)} from cut join consult k on k.consultid = cut.consultid ${joinConsultNames} ${order}`.execute(
    scope.db,
  );
  return { total: counted[0]?.total ?? 0, rows };
}

/** One registration as a row of the list; undefined when the caller does not see it. */
export async function findConsultRow(scope: Scope, consultid: number, reader: ListReader): Promise<FoundConsult | undefined> {
  const { rows } = await sql<FoundConsult>`
    select ${rowColumns(reader)} from consult k ${joinConsultNames}
    where k.consultid = ${consultid} and ${isVisibleConsult}`.execute(scope.db);
  return rows[0];
}

/** The numbers above the list. */
export async function countConsults(scope: Scope, reader: ListReader) {
  const { rows } = await sql<{ open: number; overdue: number; today: number; mine: number }>`
    select count(*)::int as open,
      (count(*) filter (where ${isOverdue(reader)}))::int as overdue,
      (count(*) filter (where ${isToday(reader.now)}))::int as today,
      (count(*) filter (where k.counsellor = ${reader.userid ?? ''}))::int as mine
    from consult k ${joinOpenCase}
    where ${isOpen} and ${isVisibleConsult}`.execute(scope.db);
  return rows[0] ?? { open: 0, overdue: 0, today: 0, mine: 0 };
}

/** The log of a registration, the newest line first. Its contents are sealed. */
export const findConsultLog = (scope: Scope, consultid: number) =>
  scope.db
    .selectFrom('consultlog')
    .select(['action', 'content', 'operatorname', 'time'])
    .where('consultid', '=', consultid)
    .orderBy('logid', 'desc')
    .execute();

/** The other registrations of a weekly series, in their order. `root` is its first booking. */
export const findSeries = (scope: Scope, root: number, consultid: number) =>
  scope.db
    .selectFrom('consult')
    .select(['consultid', 'slotbegin', 'status'])
    .where((eb) => eb.or([eb('seriesid', '=', root), eb('consultid', '=', root)]))
    .where('consultid', '<>', consultid)
    .where('isdeleted', '=', 0)
    .orderBy('slotbegin')
    .orderBy('consultid')
    .execute();

/** The name of a form. */
export const findFormName = async (scope: Scope, formcode: string): Promise<string> =>
  (await scope.db.selectFrom('form').select('formname').where('formcode', '=', formcode).executeTakeFirst())?.formname ?? '';

/** Whether the caller has a private note of a registration. Nobody sees the note of another counsellor. */
export const hasOwnNote = async (scope: Scope, consultid: number): Promise<boolean> =>
  (await scope.db.selectFrom('consultnote').select('consultid').where('consultid', '=', consultid).executeTakeFirst()) !==
  undefined;

/** Whether the caller may read a case: it is in reach and does not suspect the human behind the session. */
export const isCaseVisible = async (scope: Scope, warningcode: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('warning as w')
    .select('w.warningcode')
    .where('w.warningcode', '=', warningcode)
    .where(isNotSuspect)
    .executeTakeFirst()) !== undefined;
