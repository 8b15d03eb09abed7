import { sql } from 'kysely';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { FormResult } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleCare, visibleRiskflag } from '#server/security/suspect.ts';

/** The person of the trend page, with the open warning case. */
export const findPerson = async (scope: Scope, cuserid: string) =>
  (
    await sql<{
      cuserid: string;
      username: string;
      gender: '01' | '02';
      birthday: string | null;
      appid: string;
      belongs: string;
      insname: string;
      riskflag: number;
      mentalstate: number;
      warningcode: string | null;
      warninglevel: number | null;
      warningstate: string | null;
    }>`
      select c.cuserid, c.username, c.gender, c.birthday, c.appid, m.insname, ${visibleRiskflag} as riskflag, c.mentalstate,
        coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
        w.warningcode, w.level as warninglevel, w.state as warningstate
      from cuser c join muser m on m.musercode = c.musercode
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
        left join warning w on w.cuserid = c.cuserid and w.state not in ('07', '08') and w.isdeleted = 0
          and ${isNotSuspect}
      where c.cuserid = ${cuserid} and c.isdeleted = 0`.execute(scope.db)
  ).rows[0];

/** The number of submissions of the person, by form. Forms without a main score are left out. */
export const countTests = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('examform as x')
    .innerJoin('examrecord as e', 'e.examcode', 'x.examcode')
    .innerJoin('form as f', 'f.formcode', 'x.formcode')
    .select((eb) => ['x.formcode', 'f.formname', eb.fn.countAll<number>().as('tests')])
    .where('x.cuserid', '=', cuserid)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('quota as q').select('q.quotacode').whereRef('q.formcode', '=', 'x.formcode').where('q.isprimary', '=', 1),
      ),
    )
    .where('x.status', '=', 2)
    .where('e.withheld', '=', 0)
    .where('e.status', '=', 2)
    .groupBy(['x.formcode', 'f.formname', 'f.ordernum'])
    .orderBy('f.ordernum')
    .execute();

/** The submissions of a form that are not void, the oldest first. */
export async function findTests(
  scope: Scope,
  {
    cuserid,
    formcode,
    begindate,
    enddate,
  }: { cuserid: string; formcode: string; begindate?: string | undefined; enddate?: string | undefined },
) {
  let query = scope.db
    .selectFrom('examform as x')
    .innerJoin('examrecord as e', 'e.examcode', 'x.examcode')
    .leftJoin('formversion as v', (join) => join.onRef('v.formcode', '=', 'x.formcode').onRef('v.version', '=', 'x.formversion'))
    .leftJoin('plan as p', 'p.plancode', 'e.plancode')
    .leftJoin('report as r', (join) => join.onRef('r.examcode', '=', 'e.examcode').on('r.isdeleted', '=', 0))
    .select([
      'e.examcode',
      'e.submittime',
      'p.planname',
      'p.retestdays',
      'x.valid',
      'x.raw',
      'x.formversion',
      'v.status as versionstatus',
      'r.reportcode',
      sql<
        string | null
      >`(select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode order by s.isplatform limit 1)`.as(
        'stagename',
      ),
    ])
    .where('x.cuserid', '=', cuserid)
    .where('x.formcode', '=', formcode)
    .where('x.status', '=', 2)
    .where('e.withheld', '=', 0)
    .where('e.status', '=', 2);
  if (begindate) query = query.where('e.submittime', '>=', fromShanghai(begindate));
  if (enddate) query = query.where('e.submittime', '<', addDays(fromShanghai(enddate), 1));
  const rows = await query.orderBy('e.submittime').orderBy('e.examcode').limit(200).execute();
  return rows.map((row) => ({ ...row, submittime: row.submittime as Date, raw: row.raw as FormResult }));
}

/** The care for the person: interventions with their kind, and referrals with the place and without a kind. */
export const findMeasures = async (scope: Scope, cuserid: string) =>
  (
    await sql<{ time: Date; kind: string | null; place: string | null }>`
      select i.begintime as time, i.kind, null as place
      from interfere i left join warning w on w.warningcode = i.warningcode
      where i.cuserid = ${cuserid} and i.isdeleted = 0 and ${isNotSuspect}
      union all select r.time, null, r.tohospital
      from referral r join warning w on w.warningcode = r.warningcode
      where r.cuserid = ${cuserid} and ${isNotSuspect}
      order by 1`.execute(scope.db)
  ).rows;

/** The earliest re-test that is planned and not done. */
export const findPlannedRetest = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('followup as f')
    .select('f.duetime')
    .where('f.cuserid', '=', cuserid)
    .where('f.method', '=', '05')
    .where('f.status', 'in', ['01', '03'])
    .where('f.isdeleted', '=', 0)
    .where(isVisibleCare)
    .orderBy('f.duetime')
    .limit(1)
    .executeTakeFirst();

/** The current version of a form with its definition. */
export const findScale = (scope: Scope, formcode: string) =>
  scope.db
    .selectFrom('form as f')
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .select(['f.formname', 'v.definition'])
    .where('f.formcode', '=', formcode)
    .executeTakeFirst();
