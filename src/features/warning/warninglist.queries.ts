import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { StatsScope, Scope } from '#server/db/scope.ts';
import type { CuserTable, MuserTable, WarningTable } from '#db/generated/tables.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { CustomRules, TriggerResult } from '#features/warning/list/triggerText.ts';
import { asksOf } from '#features/warning/second/request.queries.ts';
import type { getWarningPageList } from '#features/warning/warning.contract.ts';

type Filters = Partial<z.output<(typeof getWarningPageList)['request']>>;

const open = sql<boolean>`w.state not in ('07', '08')`;
/** Nobody has accepted the open case since the last news. */
export const pending = sql<boolean>`(w.state not in ('07', '08') and 
  (w.accepttime is null or w.accepttime < w.newstime or w.acceptno < w.newsno))`;
/** SQL condition: the next clock of the case has run out at `now`. A closed case may still have duties. */
export const overdueAt = (now: Date) => sql<boolean>`coalesce(w.nextdue < ${now}, false)`;
/** Class, unit or community of the person of archive `a`. */
export const belongs = sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`;

// The institution's own rules that raised a case, deleted ones too; null when only platform rules raised it.
const customrules = sql<CustomRules | null>`(
  select jsonb_object_agg(r.rulecode, jsonb_build_object('name', r.name, 'level', r.warninglevel))
  from warningrule r where r.rulecode = any(w.rulecodes))`;

// The primary scores of the exam that raised the case last; those that wait for the consent of the guardian are left out.
const results = sql<TriggerResult[] | null>`(
  select jsonb_agg(jsonb_build_object('formname', f.formname, 'quotaname', q.quotaname, 'score', x.score, 'level', x.level,
    'levelname', x.levelname) order by x.level desc nulls last, x.quotacode)
  from examresult x
    join quota q on q.quotacode = x.quotacode
    join form f on f.formcode = q.formcode
  where x.isprimary = 1 and x.withheld = 0 and x.examcode = coalesce((
    select l.detail->'trigger'->>'examcode' from warninglog l
    where l.warningcode = w.warningcode and l.detail->'trigger'->>'examcode' is not null
    order by l.logid desc limit 1), w.examcode))`;

// The person took back an answer that had raised an alert: the case log has a line 改答.
const changed = sql<boolean>`exists (select from warninglog l where l.warningcode = w.warningcode and l.action = '改答')`;

/** The midnight before the first and the midnight after the last of two Shanghai dates. */
export const toTimeSpan = (begindate?: string, enddate?: string) => ({
  from: begindate ? fromShanghai(begindate) : undefined,
  until: enddate ? addDays(fromShanghai(enddate), 1) : undefined,
});

/** SQL condition: the keyword is part of the name, begins the pinyin, or equals a number or the code of a case. */
export function matchesKeyword(keyword: string): RawBuilder<SqlBool> {
  const prefix = `${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix}
    or c.cuserid = ${keyword} or w.warningcode = ${keyword.toUpperCase()}
    or a.studentno = ${keyword} or a.employeeno = ${keyword})`;
}

const ORDER_COLUMNS: Record<string, RawBuilder<unknown>> = {
  level: sql`w.level`,
  createtime: sql`w.createtime`,
  due: sql`w.nextdue`,
  acceptduetime: sql`w.acceptduetime`,
  state: sql`w.state`,
  username: sql`c.pinyin`,
};

const joinPerson = sql`join cuser c on c.cuserid = w.cuserid
  left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1`;
const joinNames = sql`${joinPerson} join muser m on m.musercode = w.musercode left join sysuser u on u.userid = w.owneruserid`;

/** A case as `findWarnings` and `findWarningRow` read it. */
export interface WarningListRow
  extends
    Pick<
      Selectable<WarningTable>,
      'warningcode' | 'cuserid' | 'appid' | 'musercode' | 'source' | 'level' | 'state' | 'rulecodes'
    >,
    Pick<Selectable<WarningTable>, 'alertmsgs' | 'owneruserid' | 'createtime' | 'acceptduetime' | 'nextdue' | 'nextduekind'>,
    Pick<Selectable<WarningTable>, 'guardiannotified' | 'referred' | 'closereason' | 'version' | 'newstime'>,
    Pick<Selectable<CuserTable>, 'username' | 'gender' | 'birthday' | 'focus'>,
    Pick<Selectable<MuserTable>, 'insname' | 'sector'> {
  ownername: string | null;
  ownerphone: string | null;
  /** class, unit or community */
  belongs: string;
  isoverdue: boolean;
  pending: boolean;
  ischanged: boolean;
  customrules: CustomRules | null;
  results: TriggerResult[] | null;
}

/** Who reads the list, and when. Without levels (`plain`) the reader learns no deadline. */
export interface ListCaller {
  now: Date;
  userid: string | null;
  /** keys of the human who reads */
  human: readonly string[];
  plain: boolean;
}

const selectColumns = (now: Date) => sql`w.warningcode, w.cuserid, w.appid, w.musercode, w.source, w.level, w.state, w.rulecodes,
  w.alertmsgs, w.owneruserid, w.createtime, w.acceptduetime, w.nextdue, w.nextduekind, w.guardiannotified, w.referred,
  w.closereason, w.version, w.newstime,
  c.username, c.gender, c.birthday, c.focus, m.insname, m.sector, u.realname as ownername, u.phonenumber as ownerphone,
  ${belongs} as belongs, ${overdueAt(now)} as isoverdue, ${pending} as pending,
  ${changed} as ischanged, ${customrules} as customrules, ${results} as results`;

/**
 * A page of warnings. Order: overdue, nobody has accepted, due today, other open cases, closed cases; within each the highest level,
 * then the earliest deadline. Without levels (`plain`) the newest case is first. The query chooses the page from `warning` alone and
 * joins names only for its rows.
 */
export async function findWarnings(scope: Scope, filters: Filters, { now, userid, human, plain }: ListCaller) {
  const page = { page: filters.page ?? 1, pageSize: filters.pageSize ?? 200 };
  const needsPerson = filters.keyword !== undefined || filters.orderby === 'username';
  const from = sql`from warning w ${needsPerson ? joinPerson : sql``}
    where ${sql.join(conditions(filters, { now, userid, human, plain }), sql` and `)}`;
  const order = orderOf(filters, now, plain);
  const { rows } = await sql<WarningListRow & { total: number }>`
    with cut as materialized (select w.warningcode, (count(*) over ())::int as total ${from} ${order} ${limitOffset(page)})
    select cut.total, ${selectColumns(now)} from cut join warning w on w.warningcode = cut.warningcode ${joinNames} ${order}`.execute(
    scope.db,
  );
  if (rows[0] !== undefined || page.page === 1) return { total: rows[0]?.total ?? 0, rows };
  // The total stands on the rows. A page behind the last row has none, so a second query counts.
  const { rows: countRows } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db);
  return { total: countRows[0]?.total ?? 0, rows };
}

function conditions(filters: Filters, { now, userid, human, plain }: ListCaller): RawBuilder<SqlBool>[] {
  const { from, until } = toTimeSpan(filters.begindate, filters.enddate);
  const parts: RawBuilder<SqlBool>[] = [sql`w.isdeleted = 0`, isNotSuspect];
  if (filters.levels?.length) parts.push(sql`w.level = any (${[...filters.levels]}::int[])`);
  if (filters.states?.length) parts.push(sql`w.state = any (${[...filters.states]}::text[])`);
  if (filters.owneruserid) parts.push(sql`w.owneruserid = ${filters.owneruserid}`);
  if (filters.mine) parts.push(sql`w.owneruserid = ${userid ?? ''}`);
  if (filters.appid) parts.push(sql`w.appid = ${filters.appid}`);
  if (filters.musercode) parts.push(sql`w.musercode = ${filters.musercode}`);
  if (filters.overdue !== undefined) parts.push(sql`${overdueAt(now)} = ${filters.overdue === 1}::boolean`);
  if (filters.pending !== undefined) parts.push(sql`${pending} = ${filters.pending === 1}::boolean`);
  if (filters.changed !== undefined) parts.push(sql`${changed} = ${filters.changed === 1}::boolean`);
  if (filters.second) parts.push(plain ? sql`false` : asksOf(userid, human));
  if (from) parts.push(sql`w.createtime >= ${from}`);
  if (until) parts.push(sql`w.createtime < ${until}`);
  if (filters.keyword) parts.push(matchesKeyword(filters.keyword));
  return parts;
}

function orderOf({ orderby, isasc }: Filters, now: Date, plain: boolean): RawBuilder<unknown> {
  const by = orderby ? ORDER_COLUMNS[orderby] : undefined;
  if (by) return sql`order by ${by} ${sql.raw(isasc === '1' ? 'asc' : 'desc')} nulls last, w.warningcode desc`;
  if (plain) return sql`order by w.createtime desc, w.warningcode desc`;
  const tomorrow = addDays(fromShanghai(shanghaiDate(now)), 1);
  return sql`order by
    case when ${overdueAt(now)} then 0 when ${pending} then 1 when ${open} and w.nextdue < ${tomorrow} then 2
      when ${open} then 3 else 4 end,
    case when ${open} then w.level end desc nulls last, w.nextdue asc nulls last, w.createtime desc, w.warningcode desc`;
}

/** One case as a row of the list; undefined when the caller cannot see it. */
export const findWarningRow = async (scope: Scope, warningcode: string, now: Date): Promise<WarningListRow | undefined> =>
  (
    await sql<WarningListRow>`
      select ${selectColumns(now)} from warning w ${joinNames}
      where w.isdeleted = 0 and w.warningcode = ${warningcode} and ${isNotSuspect}`.execute(scope.db)
  ).rows[0];

/** The institution's own rules with these codes, deleted ones too; null when there are none. */
export const findCustomRules = async (scope: Scope, rulecodes: readonly string[]): Promise<CustomRules | null> =>
  (
    await sql<{ rules: CustomRules | null }>`
      select ${customrules} as rules from (select ${[...rulecodes]}::text[] as rulecodes) w`.execute(scope.db)
  ).rows[0]?.rules ?? null;

/** Whether a case suspects the caller of harm. Then the caller counts without it. */
export const isSuspectOfAny = async (scope: Scope): Promise<boolean> =>
  (
    await sql`select from warning w where w.isdeleted = 0 and w.suspectuserids <> '{}' and not ${isNotSuspect} limit 1`.execute(
      scope.db,
    )
  ).rows.length > 0;

/** The numbers of warnings by state and level. A statistics scope counts without access to names, and without suspicions. */
export async function countWarnings(
  scope: Scope | StatsScope,
  filters: { appid?: string | undefined; musercode?: string | undefined; issuspect?: boolean },
  now: Date,
  midnight: Date,
  userid: string | null,
) {
  let query = scope.db.selectFrom('warning as w').where('w.isdeleted', '=', sql.lit(0)).where(isNotSuspect);
  if (filters.appid) query = query.where('w.appid', '=', filters.appid);
  if (filters.musercode) query = query.where('w.musercode', '=', filters.musercode);
  if (filters.issuspect) query = query.where(isNotSuspect);
  return query
    .select([
      'w.state',
      'w.level',
      (eb) => eb.fn.countAll<number>().as('n'),
      sql<number>`count(*) filter (where ${overdueAt(now)})`.as('overdue'),
      sql<number>`count(*) filter (where ${pending})`.as('pending'),
      sql<number>`count(*) filter (where w.createtime >= ${midnight})`.as('today'),
      sql<number>`count(*) filter (where ${open} and w.owneruserid = ${userid ?? ''})`.as('mine'),
      (eb) => eb.fn.max('w.updatetime').as('latest'),
    ])
    .groupBy(['w.state', 'w.level'])
    .execute();
}

/** The cases of one institution whose next clock has run out: open ones, and closed ones with a duty. */
export const findOverdue = (scope: Scope, musercode: string, now: Date) =>
  scope.db
    .selectFrom('warning as w')
    .selectAll('w')
    .where('w.musercode', '=', musercode)
    .where('w.isdeleted', '=', 0)
    .where('w.nextdue', '<', now)
    .orderBy('w.warningcode')
    .execute();
