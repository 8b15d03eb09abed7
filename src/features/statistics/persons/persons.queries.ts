import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { CodeOf } from '#domain/base/enum.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { joinPersonNames, personColumns, type CUserRow } from '#features/cuser/cuser.queries.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { NO_PLACE, resultMeasures, type Measure, type TestState } from '#features/statistics/persons/persons.contract.ts';
import type { getStatisticPersonPageList } from '#features/statistics/persons/persons.contract.ts';
import { domainLevels } from '#features/statistics/cells.queries.ts';
import { isReadableIntervention } from '#features/statistics/hospital.queries.ts';

/** `cases`: the caller reads warnings; without it, interventions of cases do not count. */
type Filters = z.output<(typeof getStatisticPersonPageList)['request']> & StatisticFilters & { cases: boolean };

/** A person of the list with the latest valid sheet. */
export interface StatisticPerson extends CUserRow {
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  teststate: CodeOf<typeof TestState>;
  reason: string | null;
  overalllevel: number | null;
  resultstate: number | null;
  submittime: Date | null;
  reportcode: string | null;
  interferecount: number;
}

const isLevel = (column: string, value: number | undefined) =>
  value === undefined ? sql`${sql.ref(column)} is not null` : sql`${sql.ref(column)} = ${value}`;
const hasLevel = (domain: '01' | '02', value: number | undefined) =>
  sql`l.cuserid in (select cuserid from (${domainLevels(domain)}) person where ${isLevel('level', value)})`;
const hasSheet = sql`exists (select from e where e.cuserid = p.cuserid)`;

/** Whether a measure counts person `p` with `l`, `n` of untested persons and `g` of their places. */
function isCounted({ measure, value }: Filters): RawBuilder<unknown> {
  const conditions: Record<CodeOf<typeof Measure>, RawBuilder<unknown>> = {
    total: sql`true`,
    tested: hasSheet,
    untested: sql`not ${hasSheet}`,
    exempt: sql`n.isexempt`,
    absent: sql`n.isabsent and not n.isexempt`,
    complete: sql`l.cuserid is not null`,
    abnormal: sql`l.isabnormal`,
    alert: sql`l.hasalert = 1`,
    level: isLevel('l.overalllevel', value),
    depressed: hasLevel('01', value),
    anxious: hasLevel('02', value),
  };
  return conditions[measure];
}

/** Whether person `p` stands in the group. Results are grouped by the gender of the sheet, other figures by that of the person. */
function isInGroup({ measure, ofgender, ofgrade, ofclass }: Filters): RawBuilder<unknown>[] {
  const gender = sql.ref(measure === 'complete' || resultMeasures.includes(measure) ? 'l.gender' : 'c.gender');
  const place = (value: string) => (value === NO_PLACE ? '' : value);
  return [
    ...(ofgender === '00'
      ? [sql`coalesce(${gender}, '00') not in ('01', '02')`]
      : ofgender
        ? [sql`${gender} = ${ofgender}`]
        : []),
    ...(ofgrade === undefined ? [] : [sql`coalesce(g.gradecode, '') = ${place(ofgrade)}`]),
    ...(ofclass === undefined ? [] : [sql`coalesce(g.classname, '') = ${place(ofclass)}`]),
  ];
}

const byPlace = sql`g.gradecode nulls last, length(g.classname), g.classname, c.pinyin`;

/** The order of the rows; `belongs` and no order are by grade and class. */
function toOrder({ orderby, isasc }: Filters): RawBuilder<unknown> {
  const column = { username: 'c.pinyin', overalllevel: 'l.overalllevel', submittime: 'l.submittime', belongs: undefined };
  const name = orderby && column[orderby];
  const direction = sql.raw(isasc === '1' ? 'asc' : 'desc');
  return name ? sql`${sql.ref(name)} ${direction} nulls last, ${byPlace}, p.cuserid` : sql`${byPlace}, p.cuserid`;
}

/** A page of the persons that a figure counts, with their number. */
export async function findStatisticPersons({ db }: Scope, filters: Filters): Promise<{ total: number; rows: StatisticPerson[] }> {
  const { rows } = await sql<{ total: number; row: null } | (StatisticPerson & { total: number; row: number })>`
    ${withBaseSets(filters)}, counted as materialized (
      select p.cuserid, row_number() over (order by ${toOrder(filters)}) as row
      from p join cuser c using (cuserid) left join l using (cuserid) left join untested n using (cuserid)
        left join placed g using (cuserid)
      where ${sql.join([isCounted(filters), ...isInGroup(filters)], sql` and `)}
    ), page as materialized (
      select * from counted order by row ${limitOffset(filters)}
    )
    select (select count(*) from counted)::int as total, person.*
    from (values (1)) one left join (
      select page.row, ${personColumns}, g.gradecode, g.gradename, g.classname, l.overalllevel, l.submittime,
        (select x.mentalstate from examrecord x where x.examcode = l.examcode) as resultstate,
        (select r.reportcode from report r where r.examcode = l.examcode and r.isdeleted = 0) as reportcode,
        (select count(*)::int from interfere i left join warning w on w.warningcode = i.warningcode
          where i.cuserid = c.cuserid and i.begintime >= l.submittime and ${isReadableIntervention(filters.cases)}) as interferecount,
        case when l.cuserid is not null then 'valid'
          when exists (select from e where e.cuserid = page.cuserid and e.isopen) then 'doubtful'
          when exists (select from e where e.cuserid = page.cuserid) then 'withheld'
          when n.isexempt then 'exempt' when n.isabsent then 'absent' when n.isdoing then 'doing' else 'none' end as teststate,
        case when l.cuserid is null then n.reason end as reason
      from page join cuser c using (cuserid) ${joinPersonNames}
        left join l on l.cuserid = page.cuserid left join untested n on n.cuserid = page.cuserid
        left join placed g on g.cuserid = page.cuserid
    ) person on true
    order by person.row`.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.row !== null) };
}
