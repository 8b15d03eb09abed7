import { sql, type Insertable, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { FollowupTable, InterfereTable } from '#db/generated/tables.ts';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isVisibleCare } from '#server/security/suspect.ts';
import { handedIn } from '#features/care/followup/retest.queries.ts';
import { isWaiting, lateFrom, ownerOf, tomorrow } from '#features/care/followup/work.queries.ts';
import type { getFollowUpPageList } from '#features/care/care.contract.ts';

type Filters = z.output<(typeof getFollowUpPageList)['request']>;

/** The sheet of a re-test with its main scores. */
export interface RetestSheet {
  examcode: string;
  valid: number | null;
  withheld: number;
  scores: { formname: string; score: number | null; levelname: string | null }[] | null;
}

/**
 * A page of follow-ups. Waiting ones are first, the earliest due time on top; then the others, the latest on top. `orderby` sorts all
 * by due time.
 */
export async function findFollowUps(scope: Scope, filters: Filters, now: Date, userid: string | null) {
  let query = scope.db
    .selectFrom('followup as f')
    .innerJoin('cuser as c', 'c.cuserid', 'f.cuserid')
    .innerJoin('muser as m', 'm.musercode', 'f.musercode')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .leftJoin('warning as w', 'w.warningcode', 'f.warningcode')
    .leftJoin('cuserplan as g', 'g.cuserplanid', 'f.cuserplanid')
    .leftJoin('plan as p', 'p.plancode', 'g.plancode')
    .leftJoin('sysuser as u', (join) => join.on(sql`u.userid`, '=', ownerOf))
    .where('f.isdeleted', '=', 0)
    .where(isVisibleCare);
  if (filters.view === 'today') query = query.where(isWaiting).where('f.duetime', '<', tomorrow(now));
  if (filters.view === 'overdue') query = query.where(isWaiting).where(lateFrom, '<', now);
  if (filters.status === '01' || filters.status === '03') query = query.where(isWaiting);
  else if (filters.status) query = query.where('f.status', '=', filters.status);
  if (filters.status === '03') query = query.where(lateFrom, '<', now);
  if (filters.method) query = query.where('f.method', '=', filters.method);
  if (filters.mine) query = query.where(ownerOf, '=', userid ?? '');
  if (filters.owneruserid) query = query.where(ownerOf, '=', filters.owneruserid);
  if (filters.noowner) query = query.where(ownerOf, 'is', null);
  if (filters.warningcode) query = query.where('f.warningcode', '=', filters.warningcode);
  if (filters.cuserid) query = query.where('f.cuserid', '=', filters.cuserid);
  if (filters.begindate) query = query.where('f.duetime', '>=', fromShanghai(filters.begindate));
  if (filters.enddate) query = query.where('f.duetime', '<', addDays(fromShanghai(filters.enddate), 1));
  if (filters.keyword) {
    const prefix = `${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(c.username like ${'%' + prefix} or c.initials like ${prefix} or c.pinyin like ${prefix}
        or c.cuserid = ${filters.keyword} or f.warningcode = ${filters.keyword.toUpperCase()})`,
    );
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'f.followupid',
      'f.version',
      'f.cuserid',
      'c.username',
      'c.appid',
      'f.musercode',
      'm.insname',
      'f.warningcode',
      'w.level as warninglevel',
      'f.planname',
      'f.seq',
      'f.duetime',
      'f.method',
      'f.status',
      'f.donetime',
      'f.content',
      'f.currentlevel',
      'f.phq9total',
      'f.outcome',
      'u.realname as ownername',
      ownerOf.as('owneruserid'),
      sql<number>`(w.state is not null and w.state not in ('07', '08'))::int`.as('iscaseopen'),
      sql<Date | null>`(case when ${isWaiting} then (
        select min(o.duetime) from followup o
        where o.cuserid = f.cuserid and o.followupid <> f.followupid and o.status in ('01', '03') and o.isdeleted = 0
          and (o.warningcode = f.warningcode or f.warningcode is null and o.warningcode is null)) end)`.as('nextplanned'),
      'g.plancode as retestplan',
      'p.planname as retestplanname',
      'g.status as grantstatus',
      sql<RetestSheet | null>`(
        select jsonb_build_object('examcode', e.examcode, 'valid', e.valid, 'withheld', e.withheld, 'scores', (
          select jsonb_agg(jsonb_build_object('formname', o.formname, 'score', r.score, 'levelname', r.levelname)
            order by x.examformid)
          from examresult r join examform x on x.examformid = r.examformid join form o on o.formcode = x.formcode
          where r.examcode = e.examcode and r.isprimary = 1))
        from examrecord e where e.examcode = coalesce(f.examcode, ${handedIn}) and e.cuserid = f.cuserid)`.as('sheet'),
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
      sql<boolean>`${isWaiting} and ${lateFrom} < ${now}`.as('isoverdue'),
    ])
    .orderBy(
      filters.orderby === 'ownername'
        ? sql`u.realname ${sql.raw(filters.isasc === '1' ? 'asc' : 'desc')} nulls last, f.duetime, f.followupid`
        : filters.orderby !== 'duetime'
          ? sql`${isWaiting} desc, case when ${isWaiting} then f.duetime end asc, f.duetime desc, f.followupid desc`
          : filters.isasc === '1'
            ? sql`f.duetime, f.followupid`
            : sql`f.duetime desc, f.followupid desc`,
    )
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** The due time of a follow-up. */
export const findDue = (scope: Scope, followupid: number) =>
  scope.db.selectFrom('followup').select('duetime').where('followupid', '=', followupid).executeTakeFirst();

/** A follow-up, locked until the transaction ends. */
export const lockFollowUp = (scope: Scope, followupid: number) =>
  scope.db
    .selectFrom('followup as f')
    .selectAll('f')
    .where('f.followupid', '=', followupid)
    .where('f.isdeleted', '=', 0)
    .where(isVisibleCare)
    .forUpdate('f')
    .executeTakeFirst();
/** Changes columns of a follow-up. */
export const updateFollowUp = (
  scope: Scope,
  followupid: number,
  changes: Partial<
    Pick<
      Insertable<FollowupTable>,
      | 'status'
      | 'method'
      | 'donetime'
      | 'content'
      | 'currentlevel'
      | 'phq9total'
      | 'nextduetime'
      | 'operator'
      | 'duetime'
      | 'latesttime'
      | 'planname'
      | 'examcode'
      | 'outcome'
      | 'owneruserid'
      | 'cuserplanid'
      | 'retesttime'
      | 'isdeleted'
      | 'updatetime'
      | 'updateby'
    >
  >,
) => scope.db.updateTable('followup').set(changes).where('followupid', '=', followupid).execute();
/** The numbers of a case's follow-ups: all, waiting, first due time and highest sequence. */
export const countAppointments = async (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('followup')
    .select(({ fn }) => [
      fn.countAll<number>().as('n'),
      fn.countAll<number>().filterWhere('status', 'in', ['01', '03']).as('waiting'),
      fn.min('duetime').as('first'),
      fn.max('seq').as('seq'),
    ])
    .where('warningcode', '=', warningcode)
    .where('isdeleted', '=', 0)
    .executeTakeFirstOrThrow();

/** The PHQ-9 total of a submitted exam; undefined when the person has no such exam. */
export async function findRetest(scope: Scope, cuserid: string, examcode: string): Promise<{ phq9: number | null } | undefined> {
  const row = await scope.db
    .selectFrom('examrecord as e')
    .leftJoin('examresult as r', (join) => join.onRef('r.examcode', '=', 'e.examcode').on('r.quotacode', '=', 'PHQ9.total'))
    .select(['e.examcode', 'r.score'])
    .where('e.examcode', '=', examcode)
    .where('e.cuserid', '=', cuserid)
    .where('e.status', '=', 2)
    .executeTakeFirst();
  return row && { phq9: row.score === null ? null : Number(row.score) };
}

/** An intervention, locked until the transaction ends. */
export const lockInterfere = (scope: Scope, interfereid: number) =>
  scope.db
    .selectFrom('interfere as f')
    .selectAll('f')
    .where('f.interfereid', '=', interfereid)
    .where('f.isdeleted', '=', 0)
    .where(isVisibleCare)
    .forUpdate('f')
    .executeTakeFirst();
/** Changes columns of an intervention. */
export const updateInterfere = (
  scope: Scope,
  interfereid: number,
  changes: Partial<
    Pick<
      Insertable<InterfereTable>,
      'kind' | 'begintime' | 'minutes' | 'content' | 'effect' | 'isdeleted' | 'updatetime' | 'updateby'
    >
  >,
) => scope.db.updateTable('interfere').set(changes).where('interfereid', '=', interfereid).execute();

/** Adds an intervention and returns its id. */
export const addInterfere = (scope: Scope, row: Insertable<InterfereTable>) =>
  scope.db.insertInto('interfere').values(row).returning('interfereid').executeTakeFirstOrThrow();
