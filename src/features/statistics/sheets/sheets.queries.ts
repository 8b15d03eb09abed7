import { sql } from 'kysely';
import type { z } from 'zod';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { withBaseSets, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import type { getStatisticSheetPageList } from '#features/statistics/sheets/sheets.contract.ts';

type Filters = z.output<(typeof getStatisticSheetPageList)['request']> & StatisticFilters;

interface StatisticSheet {
  examcode: string;
  cuserid: string;
  username: string;
  gender: '00' | '01' | '02';
  appid: string;
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  insname: string;
  planname: string;
  taskname: string | null;
  scenecode: string;
  submittime: Date;
  sheetstate: 'valid' | 'doubtful' | 'withheld';
  overalllevel: number | null;
  mentalstate: number | null;
  reportcode: string | null;
}

/** A page of the sheets of `e`, the newest first by default, with their number. */
export async function findStatisticSheets({ db }: Scope, filters: Filters): Promise<{ total: number; rows: StatisticSheet[] }> {
  const { scenecode, month, isabnormal, orderby, isasc } = filters;
  const conditions = [
    sql`true`,
    ...(scenecode ? [sql`e.scenecode = ${scenecode}`] : []),
    ...(month ? [sql`to_char(e.submittime at time zone 'Asia/Shanghai', 'YYYY-MM') = ${month}`] : []),
    ...(isabnormal === undefined ? [] : [sql`(e.isvalid and e.isabnormal) = ${isabnormal === 1}`]),
  ];
  const order = sql`${sql.ref(orderby === 'username' ? 'c.pinyin' : 'e.submittime')} ${sql.raw(isasc === '1' ? 'asc' : 'desc')}`;
  const { rows } = await sql<{ total: number; row: null } | (StatisticSheet & { total: number; row: number })>`
    ${withBaseSets(filters)}, counted as materialized (
      select e.examcode, row_number() over (order by ${order} nulls last, e.submittime desc, e.examcode desc) as row
      from e join cuser c using (cuserid) where ${sql.join(conditions, sql` and `)}
    ), page as materialized (
      select * from counted order by row ${limitOffset(filters)}
    )
    select (select count(*) from counted)::int as total, sheet.*
    from (values (1)) one left join (
      select page.row, e.examcode, e.cuserid, c.username, c.gender, x.appid, e.gradecode, e.gradename, e.classname, m.insname,
        a.planname, t.taskname, e.scenecode, e.submittime, x.mentalstate, e.overalllevel,
        case when e.isvalid then 'valid' when e.isopen then 'doubtful' else 'withheld' end as sheetstate,
        (select r.reportcode from report r where r.examcode = e.examcode and r.isdeleted = 0) as reportcode
      from page join e using (examcode) join examrecord x using (examcode) join cuser c on c.cuserid = e.cuserid
        join muser m on m.musercode = e.musercode join plan a on a.plancode = x.plancode
        left join assesstask t on t.taskcode = x.taskcode
    ) sheet on true
    order by sheet.row`.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.row !== null) };
}
