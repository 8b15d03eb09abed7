import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect, isVisibleConsult, isVisibleCare } from '#server/security/suspect.ts';

/** Entries of a page of the timeline; entries of one moment stay together, so a page may be a little longer. */
const PAGE = 30;

export type TimelineType =
  'exam' | 'report' | 'warning' | 'interview' | 'referral' | 'interfere' | 'followup' | 'consult' | 'archive';
export interface TimelineRow {
  time: Date;
  /** the time with microseconds: where the next page begins */
  cursor: string;
  type: TimelineType;
  /** the plan, stage, kind, place or archive number, by type */
  title: string;
  code: string;
  refcode: string;
  level: number | null;
}

/**
 * One page of what happened to a person, the newest first. `cases`: the caller reads warnings; what belongs to a case is left out
 * otherwise, and always when the case suspects the caller. Scores that wait for the guardian show no level. A consultation shows its date
 * and its kind; `consults`: the caller may open the registration.
 */
export async function findTimeline(
  scope: Scope,
  cuserid: string,
  { cases, consults, before }: { cases: boolean; consults: boolean; before: string | undefined },
): Promise<{ rows: TimelineRow[]; hasmore: boolean }> {
  const { rows } = await sql<TimelineRow & { more: boolean }>`
    with entries as (
      select e.submittime as time, case when r.reportcode is null then 'exam' else 'report' end as type, coalesce(p.planname, '') as title,
        case when e.withheld = 1 then 'withheld' else e.valid::text end as code, coalesce(r.reportcode, '') as refcode,
        case when e.withheld = 0 and e.valid = 1 then e.overalllevel end as level
      from examrecord e left join plan p on p.plancode = e.plancode
        left join report r on r.examcode = e.examcode and r.isdeleted = 0
      where e.cuserid = ${cuserid} and e.status = 2
      union all
      select e.voidtime, 'exam', coalesce(p.planname, ''), 'void', '', null
      from examrecord e left join plan p on p.plancode = e.plancode
      where e.cuserid = ${cuserid} and e.status = 4 and e.voidtime is not null
      union all
      select w.createtime, 'warning', '', w.state, w.warningcode, w.level
      from warning w where w.cuserid = ${cuserid} and w.isdeleted = 0 and ${cases} and ${isNotSuspect}
      union all
      select i.time, 'interview', '', '', i.warningcode, i.conclusionlevel
      from riskassess i join warning w on w.warningcode = i.warningcode
      where i.cuserid = ${cuserid} and ${cases} and ${isNotSuspect}
      union all
      select t.time, 'referral', t.tohospital, t.status, t.warningcode, null
      from referral t join warning w on w.warningcode = t.warningcode
      where t.cuserid = ${cuserid} and ${cases} and ${isNotSuspect}
      union all
      select i.begintime, 'interfere', '', i.kind, coalesce(i.warningcode, ''), null
      from interfere i left join warning w on w.warningcode = i.warningcode
      where i.cuserid = ${cuserid} and i.isdeleted = 0 and i.consultid is null and (i.warningcode is null or ${cases})
        and ${isNotSuspect}
      union all
      select coalesce(f.donetime, f.duetime), 'followup', f.planname, f.status, coalesce(f.warningcode, ''), f.currentlevel
      from followup f
      where f.cuserid = ${cuserid} and f.isdeleted = 0 and f.status <> '05' and (f.warningcode is null or ${cases})
        and ${isVisibleCare}
      union all
      select case when k.status in ('02', '03') then k.slotbegin else k.applytime end, 'consult', k.consulttype,
        case when k.status in ('02', '03') then 'met' else 'applied' end, case when ${consults} then k.consultid::text else '' end, null
      from consult k where k.cuserid = ${cuserid} and k.status <> '04' and ${isVisibleConsult}
      union all
      select a.opendate::timestamp at time zone 'Asia/Shanghai', 'archive', a.archiveno, 'open', '', null
      from cuserarchive a where a.cuserid = ${cuserid} and a.isdeleted = 0
      union all
      select a.closedate::timestamp at time zone 'Asia/Shanghai', 'archive', a.archiveno, coalesce(a.closereason, ''), '', null
      from cuserarchive a where a.cuserid = ${cuserid} and a.isdeleted = 0 and a.closedate is not null),
    page as (
      select * from entries where ${before ?? null}::timestamptz is null or time < ${before ?? null}::timestamptz
      order by time desc fetch first ${sql.lit(PAGE)} rows with ties)
    select p.*, p.time::text as cursor, exists (select from entries n where n.time < (select min(time) from page)) as more
    from page p order by p.time desc, p.type, p.refcode`.execute(scope.db);
  return { rows, hasmore: rows[0]?.more ?? false };
}
