import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { Gender } from '#domain/base/enums.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { institutionConditions } from '#features/statistics/baseSets.queries.ts';
import type { getInterfereRecord, getTotalAssessCount } from '#features/statistics/hospital.contract.ts';

type Populations = { appids: readonly string[] | null };
export type FunnelFilters = z.output<(typeof getTotalAssessCount)['request']> & Populations;
/** `cases`: the caller reads warnings; without it, interventions of cases are left out. */
export type InterfereFilters = z.output<(typeof getInterfereRecord)['request']> & Populations & { cases: boolean };

/** The conditions on a column of populations and a column of time. */
function common(
  filters: Populations & { appid?: string | undefined; begindate?: string | undefined; enddate?: string | undefined },
  appid: string,
  time: string,
): RawBuilder<SqlBool>[] {
  return [
    ...(filters.appids ? [sql<SqlBool>`${sql.ref(appid)} = any(${[...filters.appids]}::text[])`] : []),
    ...(filters.appid ? [sql<SqlBool>`${sql.ref(appid)} = ${filters.appid}`] : []),
    ...(filters.begindate ? [sql<SqlBool>`${sql.ref(time)} >= ${fromShanghai(filters.begindate)}`] : []),
    ...(filters.enddate ? [sql<SqlBool>`${sql.ref(time)} < ${addDays(fromShanghai(filters.enddate), 1)}`] : []),
  ];
}

/** Authorizations, valid sheets of them and those that need attention, by stage in the order of the stages. */
export const countFunnel = async ({ db }: StatsScope, filters: FunnelFilters) => {
  const conditions = [
    institutionConditions(filters) as RawBuilder<SqlBool>,
    ...common(filters, 'k.appid', 'k.createtime'),
    ...(filters.stagecode ? [sql<SqlBool>`k.stagecode = ${filters.stagecode}`] : []),
  ];
  const { rows } = await sql<{ stagecode: string; stagename: string; authorised: number; complete: number; abnormal: number }>`
    select coalesce(k.stagecode, '') as stagecode, coalesce(max(s.stagename), '未分阶段') as stagename,
      sum(case when k.status = 3 then k.used else k.total end)::int as authorised,
      sum(sheet.complete)::int as complete, sum(sheet.abnormal)::int as abnormal
    from cuserplan k join muser m using (musercode)
      left join lateral (
        select s.stagename, s.ordernum from examstage s
        where s.appid = k.appid and s.stagecode = k.stagecode and s.isdeleted = 0
        order by length(s.orgpath) desc limit 1
      ) s on true
      cross join lateral (
        select count(*) as complete, count(*) filter (where x.isabnormal = 1) as abnormal
        from examrecord x
        where x.cuserid = k.cuserid and x.cuserplanid = k.cuserplanid and x.status = 2 and x.valid = 1 and x.withheld = 0
      ) sheet
    where ${sql.join(conditions, sql` and `)}
    group by coalesce(k.stagecode, '')
    order by min(s.ordernum) nulls last, 1`.execute(db);
  return rows;
};

/** The interventions `i` that staff may read who read no warnings: those outside cases. No case suspects the reader. */
export const isReadableIntervention = (cases: boolean) =>
  sql<SqlBool>`i.isdeleted = 0 and ${isNotSuspect} ${cases ? sql`` : sql`and i.warningcode is null`}`;

/** Interventions `i` with the person, the institution, the operator and perhaps the case, which never suspects the reader. */
const interventions = (filters: InterfereFilters) => sql`
  from interfere i join cuser c using (cuserid) join muser m on m.musercode = i.musercode
    left join warning w on w.warningcode = i.warningcode
  where ${sql.join(
    [
      isReadableIntervention(filters.cases),
      institutionConditions(filters),
      ...common(filters, 'c.appid', 'i.begintime'),
      ...(filters.kind ? [sql`i.kind = ${filters.kind}`] : []),
    ],
    sql` and `,
  )}`;

/** A page of interventions. */
export const findInterventions = async ({ db }: Scope, filters: InterfereFilters) =>
  (
    await sql<{
      interfereid: number;
      cuserid: string;
      username: string;
      gender: (typeof Gender.codes)[number];
      appid: string;
      kind: string;
      begintime: Date;
      minutes: number;
      effect: number | null;
      operatorname: string | null;
      insname: string;
    }>`select i.interfereid, i.cuserid, c.username, c.gender, c.appid, i.kind, i.begintime, i.minutes, i.effect, m.insname,
        (select s.realname from sysuser s where s.userid = i.operator) as operatorname
      ${interventions(filters)}
      order by i.begintime ${sql.raw(filters.isasc === '1' ? 'asc' : 'desc')}, i.interfereid desc ${limitOffset(filters)}`.execute(
      db,
    )
  ).rows;

/** The interventions and their persons, by kind and in total (kind null). */
export const countInterventions = async ({ db }: Scope, filters: InterfereFilters) =>
  (
    await sql<{ kind: string | null; total: number; people: number }>`
      select i.kind, count(*)::int as total, count(distinct i.cuserid)::int as people
      ${interventions(filters)} group by grouping sets ((i.kind), ()) order by i.kind nulls first`.execute(db)
  ).rows;
