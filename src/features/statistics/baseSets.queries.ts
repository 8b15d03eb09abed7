import { sql, type RawBuilder } from 'kysely';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';
import type { z } from 'zod';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { isExempt } from '#features/task/board/rosterCounts.queries.ts';
import type { institutionFilters, statisticFilters } from '#features/statistics/statistics.contract.ts';

export type StatisticFilters = z.output<z.ZodObject<typeof statisticFilters>> & {
  /** the populations that the caller sees; null means all */
  appids: readonly string[] | null;
  /** several teams, for a group report */
  teamcodes?: readonly string[];
};

const TASK_FILTERS = ['year', 'term', 'taskcode', 'teamcode', 'gradecode', 'classname', 'teamcodes'] as const;
/** Whether the filters name a task, so that only its roster and its sheets count. */
export const hasTaskFilter = (filters: StatisticFilters): boolean => TASK_FILTERS.some((key) => filters[key]);

const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

/** The conditions on `m`, institutions that care for persons. */
export function institutionConditions(filters: z.output<z.ZodObject<typeof institutionFilters>>): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`m.musertype in ('004', '005')`, sql`m.isdeleted = 0`];
  for (const musercode of [filters.musercode, filters.schoolcode])
    if (musercode) conditions.push(sql`m.musercode = ${musercode}`);
  for (const key of ['provincecode', 'citycode', 'districtcode'] as const)
    if (filters[key]) conditions.push(sql`${sql.ref(`m.${key}`)} = ${filters[key]}`);
  if (filters.categorycode)
    conditions.push(
      sql`starts_with(m.orgpath, (select above.orgpath from muser above where above.musercode = ${filters.categorycode}))`,
    );
  return all(conditions);
}

const populationConditions = (filters: StatisticFilters, table: 't' | 'x'): RawBuilder<unknown>[] => [
  ...(filters.appids ? [sql`${sql.ref(`${table}.appid`)} = any(${[...filters.appids]}::text[])`] : []),
  ...(['appid', 'stagecode'] as const).flatMap((key) =>
    filters[key] ? [sql`${sql.ref(`${table}.${key}`)} = ${filters[key]}`] : [],
  ),
  // All versions of a plan count as one plan.
  ...(filters.plancode ? [sql`${sql.ref(`${table}.plancode`)} = any(array${versionsOf(filters.plancode)})`] : []),
];

/** One institution as a condition on its tables, so that PostgreSQL reads its rows by index. */
const ofInstitution = ({ musercode }: StatisticFilters, table: 't' | 'q' | 'x'): RawBuilder<unknown>[] =>
  musercode ? [sql`${sql.ref(`${table}.musercode`)} = ${musercode}`] : [];

/** The submit range as conditions on a column. */
const within = (filters: StatisticFilters, column: string): RawBuilder<unknown>[] => [
  ...(filters.begindate ? [sql`${sql.ref(column)} >= ${fromShanghai(filters.begindate)}`] : []),
  ...(filters.enddate ? [sql`${sql.ref(column)} < ${addDays(fromShanghai(filters.enddate), 1)}`] : []),
];

function taskConditions(filters: StatisticFilters): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [
    sql`t.status in (1, 2)`,
    sql`t.isdeleted = 0`,
    ...ofInstitution(filters, 't'),
    ...populationConditions(filters, 't'),
  ];
  for (const key of ['year', 'term', 'taskcode'] as const)
    if (filters[key]) conditions.push(sql`${sql.ref(`t.${key}`)} = ${filters[key]}`);
  // Without a task filter a range limits the tasks to those whose window overlaps it.
  if (!hasTaskFilter(filters)) {
    if (filters.begindate) conditions.push(sql`t.endtime >= ${fromShanghai(filters.begindate)}`);
    if (filters.enddate) conditions.push(sql`t.begintime < ${addDays(fromShanghai(filters.enddate), 1)}`);
  }
  return all(conditions);
}

function rosterConditions(filters: StatisticFilters): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`q.status <> 9`, ...ofInstitution(filters, 'q')];
  if (filters.teamcode) conditions.push(sql`q.teamcode = ${filters.teamcode}`);
  if (filters.teamcodes) conditions.push(sql`q.teamcode = any(${[...filters.teamcodes]}::text[])`);
  for (const key of ['gradecode', 'classname'] as const)
    if (filters[key]) conditions.push(sql`${sql.ref(`g.${key}`)} = ${filters[key]}`);
  return all(conditions);
}

/**
 * SQL: the level of the sheet `x` by the definitions. Few sheets have stricter bands; an index finds them. An alert counts as it is.
 */
const definitionLevel = sql`case when x.examcode in (select s.examcode from examresult s where s.deflevel < s.level)
  then greatest((select max(d.deflevel) from examresult d where d.examcode = x.examcode and d.isprimary = 1), nullif(x.alertlevel, 0))
  else x.overalllevel end`;

/** SQL: one institution reads its own bands and threshold; over several, figures must mean the same everywhere. */
export const isOneInstitution = sql`(select count(*) from u) = 1`;

/**
 * The base sets of statistics.md 4.1 as common table expressions, to which a figure appends its own select. A set that it does not name
 * costs nothing. `u` institutions, `t` tasks, `r` roster rows, `e` submitted sheets (without a guardian's consent without a result),
 * `p` persons of both, `l` each person's latest valid sheet, `untested` persons on a roster without a sheet, `placed` each person's grade
 * and class, `moreplaced` those that `l` does not know. `e.isabnormal` follows the institution's own threshold; over several
 * institutions it is level 2 or an alert (supplement 8.6), and levels are those of the definitions.
 */
export function withBaseSets(filters: StatisticFilters): RawBuilder<unknown> {
  const sheets = [
    sql`x.status = 2`,
    ...ofInstitution(filters, 'x'),
    ...populationConditions(filters, 'x'),
    ...within(filters, 'x.submittime'),
  ];
  if (hasTaskFilter(filters)) sheets.push(sql`exists (select from r where r.taskcode = x.taskcode and r.cuserid = x.cuserid)`);
  return sql`with u as materialized (
    select m.musercode, m.enabled from muser m where ${institutionConditions(filters)}
  ), t as materialized (
    select t.taskcode, t.endtime from assesstask t join u using (musercode) where ${taskConditions(filters)}
  ), r as materialized (
    select q.taskcode, q.musercode, q.cuserid, q.status, q.reason, t.endtime, g.gradecode, g.gradename, g.classname
    from taskroster q join t using (taskcode) left join assessteam g on g.teamcode = q.teamcode
    where ${rosterConditions(filters)}
  ), e as materialized (
    select x.examcode, x.musercode, x.cuserid, x.plancode, x.submittime, x.scenecode, x.hasalert, x.gender,
      case when ${isOneInstitution} then x.overalllevel else ${definitionLevel} end as overalllevel,
      x.gradecode, x.gradename, x.classname, coalesce(x.valid, 0) = 1 and x.withheld = 0 as isvalid, x.withheld = 0 as isopen,
      case when ${isOneInstitution} then x.isabnormal = 1 else ${definitionLevel} >= 2 or x.hasalert = 1 end as isabnormal
    from examrecord x join u using (musercode) where ${all(sheets)}
  ), p as materialized (
    select cuserid from r union select cuserid from e
  ), l as materialized (
    select distinct on (cuserid) * from e where isvalid order by cuserid, submittime desc, examcode desc
  ), untested as materialized (
    select cuserid, bool_or(${isExempt}) as isexempt, bool_or(r.status = 3) as isabsent, bool_or(r.status = 1) as isdoing,
      (array_agg(r.reason order by r.endtime desc) filter (where r.status = 3))[1] as reason
    from r where not exists (select from e where e.cuserid = r.cuserid) group by cuserid
  ), moreplaced as materialized (
    select distinct on (cuserid) cuserid, gradecode, gradename, classname
    from (
      select 1 as rank, cuserid, submittime as at, gradecode, gradename, classname from l where gradecode is null
      union all select 2, cuserid, submittime, gradecode, gradename, classname from e
        where not exists (select from l where l.cuserid = e.cuserid and l.gradecode is not null)
      union all select 3, cuserid, endtime, gradecode, gradename, classname from r
        where not exists (select from l where l.cuserid = r.cuserid and l.gradecode is not null)
    ) place
    order by cuserid, gradecode is null, rank, at desc
  ), placed as materialized (
    select cuserid, gradecode, gradename, classname from l where gradecode is not null union all select * from moreplaced
  )`;
}
