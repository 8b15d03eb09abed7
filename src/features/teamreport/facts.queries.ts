import { sql } from 'kysely';
import type { Scale } from '#domain/scoring/scale.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';

/** What a group report counts besides the figures of 数据分析, over the same base sets. */

/** The tasks of the scope. */
export const findTasks = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{ taskcode: string; taskname: string; round: string; begintime: Date; endtime: Date }>`${withBaseSets(filters)}
      select a.taskcode, a.taskname, a.round, a.begintime, a.endtime
      from t join assesstask a using (taskcode)
      where exists (select from r where r.taskcode = t.taskcode)
      order by a.begintime, a.taskcode`.execute(db)
  ).rows;

/** The plans of the submitted sheets. */
export const findPlans = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{ plancode: string; planname: string }>`${withBaseSets(filters)}
      select x.plancode, coalesce(max(p.planname), '') as planname
      from e join examrecord x using (examcode) left join plan p on p.plancode = x.plancode
      group by x.plancode order by x.plancode`.execute(db)
  ).rows;

/** The teams of the rosters. */
export const findTeams = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{ teamcode: string }>`${withBaseSets(filters)}
      select distinct q.teamcode from r join taskroster q on q.taskcode = r.taskcode and q.cuserid = r.cuserid
      where q.teamcode is not null order by 1`.execute(db)
  ).rows.map(({ teamcode }) => teamcode);

/** A hash of the sheets and rosters of the scope. It changes when one of them changes. */
export const findFingerprint = async ({ db }: StatsScope, filters: StatisticFilters): Promise<string> =>
  (
    await sql<{ fingerprint: string }>`${withBaseSets(filters)}
      select md5(concat(
        (select string_agg(concat_ws(',', examcode, cuserid, submittime, isvalid, isabnormal, overalllevel, hasalert, gender, gradecode,
          classname), ';' order by examcode) from e), '|',
        (select string_agg(concat_ws(',', taskcode, cuserid, status, gradecode, classname), ';' order by taskcode, cuserid) from r)
      )) as fingerprint`.execute(db)
  ).rows[0]?.fingerprint ?? '';

/** Each indicator over the latest valid sheets. */
export const findQuotas = async ({ db }: StatsScope, filters: StatisticFilters) =>
  (
    await sql<{
      quotacode: string;
      formcode: string;
      scorecode: string;
      quotaname: string;
      min: number | null;
      max: number | null;
      n: number;
      mean: number;
      sd: number | null;
      quartiles: [number, number, number];
      levels: { level: number; name: string; count: number }[];
    }>`${withBaseSets(filters)},
      scores as materialized (
        select v.quotacode, v.score::float8 as score, v.level, v.levelname from l join examresult v using (examcode)
        where v.score is not null
      ), levels as (
        select quotacode, level, max(levelname) as name, count(*)::int as count from scores where level is not null group by 1, 2
      )
      select q.quotacode, q.formcode, q.scorecode, q.quotaname, q.minscore::float8 as min, q.maxscore::float8 as max,
        count(*)::int as n, avg(s.score) as mean, stddev_samp(s.score) as sd,
        percentile_cont(array[0.25, 0.5, 0.75]) within group (order by s.score) as quartiles,
        coalesce((select json_agg(json_build_object('level', v.level, 'name', v.name, 'count', v.count) order by v.level)
          from levels v where v.quotacode = q.quotacode), '[]') as levels
      from scores s join quota q using (quotacode)
      group by q.quotacode
      order by (select f.ordernum from form f where f.formcode = q.formcode), q.formcode, q.isprimary desc, q.ordernum`.execute(
      db,
    )
  ).rows;

/** A group of the latest valid sheets. */
export interface SheetGroup {
  code: string;
  name: string;
  valid: number;
  abnormal: number;
  levels: number[];
}
const groupCounts = sql`count(*)::int as valid, (count(*) filter (where l.isabnormal))::int as abnormal, array[
  count(*) filter (where l.overalllevel = 0), count(*) filter (where l.overalllevel = 1), count(*) filter (where l.overalllevel = 2),
  count(*) filter (where l.overalllevel = 3), count(*) filter (where l.overalllevel = 4)]::int[] as levels`;

/** Persons by what their sheet says about them. */
export const countSheetGroups = async ({ db }: StatsScope, filters: StatisticFilters, by: 'gender' | 'stage' | 'unit') => {
  const key = { gender: sql`coalesce(l.gender, '')`, stage: sql`coalesce(x.stagecode, '')`, unit: sql`coalesce(x.unitname, '')` }[
    by
  ];
  const name =
    by === 'stage'
      ? sql`coalesce((select min(s.stagename) from examstage s where s.stagecode = max(x.stagecode) and s.appid = max(x.appid)), '')`
      : sql`max(${key})`;
  const { rows } = await sql<SheetGroup>`${withBaseSets(filters)}
    select ${key} as code, ${name} as name, ${groupCounts}
    from l join examrecord x using (examcode) group by 1 order by 1`.execute(db);
  return rows;
};

/** Persons by a field of their archive. */
export const countArchiveGroups = async ({ db }: Scope, filters: StatisticFilters, field: 'post' | 'livewith') =>
  (
    await sql<SheetGroup>`${withBaseSets(filters)}
      select coalesce(a.detail ->> ${field}, '') as code, coalesce(max(a.detail ->> ${field}), '') as name, ${groupCounts}
      from l join examrecord x using (examcode)
        left join cuserarchive a on a.cuserid = l.cuserid and a.appid = x.appid and a.iscurrent = 1
      group by 1 order by 1`.execute(db)
  ).rows;

/** The forms of the latest valid sheets with their definitions. A form of an unknown version gets the present one. */
export const findForms = async ({ db }: Scope, filters: StatisticFilters) =>
  (
    await sql<{ formcode: string; version: string; definition: Scale }>`${withBaseSets(filters)},
      used as (select f.formcode, f.formversion from l join examform f using (examcode) where f.status = 2 group by 1, 2)
      select u.formcode, u.formversion as version, v.definition
      from used u join form f using (formcode)
        join formversion v on v.formcode = f.formcode and v.version = coalesce(
          (select o.version from formversion o where o.formcode = u.formcode and o.version = u.formversion), f.currentversion)
      order by f.ordernum, 1, 2`.execute(db)
  ).rows;

/** How often each answer of each question was given. */
export const countAnswers = async ({ db }: Scope, filters: StatisticFilters) =>
  (
    await sql<{ formcode: string; version: string; question: string; answer: string; count: number }>`${withBaseSets(filters)}
      select f.formcode, f.formversion as version, a.key as question, a.value as answer, count(*)::int as count
      from l join examform f using (examcode) cross join lateral jsonb_each_text(f.answers) a
      where f.status = 2 and f.entered is null
      group by 1, 2, 3, 4`.execute(db)
  ).rows;

/** The cases of the scope's persons that are open, or were opened since its first sheet, by level and state. */
export const countCases = async ({ db }: StatsScope, filters: StatisticFilters, now: Date) =>
  (
    await sql<{ level: number; state: string; isopen: boolean; overdue: number; count: number }>`${withBaseSets(filters)}
      select w.level, w.state, w.state not in ('07', '08') as isopen, count(*)::int as count,
        (count(*) filter (where w.state not in ('07', '08') and w.nextdue < ${now}))::int as overdue
      from p join warning w on w.cuserid = p.cuserid and w.isdeleted = 0
      where w.state not in ('07', '08') or w.createtime >= (select min(submittime) from e)
      group by 1, 2 order by 1 desc, 2`.execute(db)
  ).rows;

/** The persons of the scope with an open case, as the caller sees them. */
export const findOpenCases = async ({ db }: Scope, filters: StatisticFilters) =>
  (
    await sql<{
      cuserid: string;
      username: string;
      belongs: string;
      level: number;
      state: string;
      ownername: string;
      nextdue: Date | null;
    }>`${withBaseSets(filters)}
      select c.cuserid, c.username, coalesce(nullif(concat_ws(' ', g.gradename, g.classname), ''), a.unitname, '') as belongs,
        w.level, w.state, coalesce(u.realname, '') as ownername, w.nextdue
      from p join warning w on w.cuserid = p.cuserid and w.isdeleted = 0 and w.state not in ('07', '08')
        join cuser c on c.cuserid = p.cuserid
        left join placed g on g.cuserid = p.cuserid
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = w.appid and a.iscurrent = 1
        left join sysuser u on u.userid = w.owneruserid
      where ${isNotSuspect}
      order by w.level desc, g.gradecode, access.sort_name(g.classname), access.sort_name(c.username), c.cuserid`.execute(db)
  ).rows;

/** Whether the scope has an open case. */
export const hasOpenCase = async ({ db }: StatsScope, filters: StatisticFilters): Promise<boolean> =>
  (
    await sql<{ has: boolean }>`${withBaseSets(filters)}
      select exists (select from p join warning w on w.cuserid = p.cuserid and w.isdeleted = 0
        and w.state not in ('07', '08')) as has`.execute(db)
  ).rows[0]?.has === true;

/** The last task of the same plan and round before another one, in the same institution and population. */
export const findEarlierTask = async (
  { db }: StatsScope,
  before: { musercode: string; appid: string; plancode: string; round: string; begintime: Date },
) =>
  (
    await sql<{ taskcode: string; taskname: string }>`
      select taskcode, taskname from assesstask
      where musercode = ${before.musercode} and appid = ${before.appid} and plancode = ${before.plancode}
        and round = ${before.round} and isdeleted = 0 and status in (1, 2) and begintime < ${before.begintime}
      order by begintime desc, taskcode desc limit 1`.execute(db)
  ).rows[0];
