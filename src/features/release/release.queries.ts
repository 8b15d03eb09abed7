import { sql } from 'kysely';
import { Gender } from '#domain/base/enums.ts';
import { compareGrades, gradeOf } from '#domain/person/grades.ts';
import { addOutcomes, groupBy, LEVELS, type GroupKind, type Outcome } from '#domain/release/measures.ts';
import { compareNewest, type Period } from '#domain/release/period.ts';
import type { StatsScope } from '#server/db/scope.ts';

/** What an authority reads (decision 0069): the rows that the nightly job published about its region. */

/** The filters of an authority: a period of a population, perhaps a region within its own or one institution. */
export interface ReleaseFilters extends Period {
  regioncode?: string | undefined;
  musercode?: string | undefined;
  appid: string;
}

const ofPeriod = ({ appid, year, term }: ReleaseFilters) => sql`p.appid = ${appid} and p.year = ${year} and p.term = ${term}`;
/** The province, city or district of the filters. */
const ofRegion = ({ regioncode }: ReleaseFilters) =>
  regioncode ? sql`${regioncode} in (p.districtcode, p.citycode, p.provincecode)` : sql`true`;
const ofInstitution = ({ musercode }: ReleaseFilters) => (musercode ? sql`p.musercode = ${musercode}` : sql`true`);

/** Whether a closed system `p` is released. */
const isReleased = sql`exists (
  select from publishedregion r
  where (r.sector, r.provincecode, r.citycode, r.districtcode, r.appid, r.year, r.term)
    = (p.sector, p.provincecode, p.citycode, p.districtcode, p.appid, p.year, p.term))`;

/** The periods of a population, newest first. `datatime`: when the outcome of the whole region was released; null: not yet. */
export async function findPeriods({ db }: StatsScope, appid: string): Promise<(Period & { datatime: Date | null })[]> {
  const { rows } = await sql<Period & { datatime: Date | null }>`
    select p.year, p.term, case when bool_and(${isReleased}) then max(p.releasetime) end as datatime
    from publishedunit p where p.appid = ${appid}
    group by p.year, p.term`.execute(db);
  return rows.sort(compareNewest);
}

/** An institution in a period. */
export interface PublishedSchool {
  musercode: string;
  insname: string;
  districtcode: string;
  regionname: string;
  /** a duty of a case is overdue */
  hasoverdue: boolean;
  /** null: no task in the period */
  lasttaskend: Date | null;
  /** when its outcome was released; null: not yet */
  datatime: Date | null;
  /** when its effort was counted */
  counttime: Date;
}

/** The institutions of the filters in the order of their names. */
export const findSchools = async ({ db }: StatsScope, filters: ReleaseFilters): Promise<PublishedSchool[]> =>
  (
    await sql<PublishedSchool>`
      select p.musercode, m.insname, p.districtcode, coalesce(d.districtname, '') as regionname, p.hasoverdue, p.lasttaskend,
        p.releasetime as datatime, p.datatime as counttime
      from publishedunit p join muser m using (musercode)
        left join ref.district d on d.districtcode = coalesce(nullif(p.districtcode, ''), nullif(p.citycode, ''), p.provincecode)
      where ${ofPeriod(filters)} and ${ofRegion(filters)} and ${ofInstitution(filters)}
      order by m.sortname, p.musercode`.execute(db)
  ).rows;

/** 应测, 免测 and 实测 of an institution's grade, each rounded down to a multiple of 5. */
export interface PublishedEffort {
  musercode: string;
  gradecode: string;
  gradename: string;
  total: number;
  exempt: number;
  tested: number;
}

/** The effort of the filters by institution and grade. Totals are sums of these. */
export async function findEffort({ db }: StatsScope, filters: ReleaseFilters): Promise<PublishedEffort[]> {
  const { rows } = await sql<Omit<PublishedEffort, 'gradename'>>`
    select e.musercode, e.gradecode, e.total, e.exempt, e.tested
    from publishedunit p join publishedeffort e using (musercode, appid, year, term)
    where ${ofPeriod(filters)} and ${ofRegion(filters)} and ${ofInstitution(filters)}`.execute(db);
  return rows
    .map((row) => ({ ...row, gradename: nameOf('grade', row.gradecode) }))
    .sort((a, b) => a.musercode.localeCompare(b.musercode) || compareGroups('grade', a.gradecode, b.gradecode));
}

/** The outcome of a group. */
export type PublishedOutcome = Outcome & { musercode?: string; groupcode: string; groupname: string };

const columns = sql`groupcode, valid, abnormal, alert, levels, depressed, anxious, opened, settled, closed`;
type Row = { [Key in keyof Outcome]: Outcome[Key] | null } & { musercode: string; groupcode: string };
const toOutcome = ({ musercode: _musercode, groupcode: _groupcode, ...row }: Row): Outcome => {
  const spread = (counts: Outcome['levels'] | null) => counts ?? LEVELS.map(() => null);
  return { ...row, levels: spread(row.levels), depressed: spread(row.depressed), anxious: spread(row.anxious) };
};

/**
 * The outcome of the filters by group: of the region, or of each of its institutions. null: hidden. A region with several closed systems
 * is their sum; it has no row before all of them are released.
 */
export async function findOutcome(
  { db }: StatsScope,
  filters: ReleaseFilters,
  by: GroupKind,
  of: 'region' | 'institution',
): Promise<PublishedOutcome[]> {
  const where = sql`${ofPeriod(filters)} and ${ofRegion(filters)}`;
  if (of === 'institution') {
    const { rows } = await sql<Row>`
      select c.musercode, ${columns}
      from publishedunit p join publishedcount c using (musercode, appid, year, term)
      where ${where} and ${ofInstitution(filters)} and c.groupkind = ${by} and p.releasetime is not null`.execute(db);
    return rows
      .map((row) => ({ musercode: row.musercode, ...toGroup(by, row.groupcode), ...toOutcome(row) }))
      .sort((a, b) => a.musercode.localeCompare(b.musercode) || compareGroups(by, a.groupcode, b.groupcode));
  }
  const { rows: waiting } = await sql`select from publishedunit p where ${where} and not ${isReleased} limit 1`.execute(db);
  if (waiting.length > 0) return [];
  const { rows } = await sql<Row>`
    select '' as musercode, ${columns} from publishedregion p where ${where} and p.groupkind = ${by}`.execute(db);
  return [...groupBy(rows, ({ groupcode }) => groupcode)]
    .map(([groupcode, parts]) => ({ ...toGroup(by, groupcode), ...addOutcomes(parts.map(toOutcome)) }))
    .sort((a, b) => compareGroups(by, a.groupcode, b.groupcode));
}

const toGroup = (by: GroupKind, groupcode: string) => ({ groupcode, groupname: nameOf(by, groupcode) });
function nameOf(by: GroupKind, code: string): string {
  if (by === 'all') return '';
  if (by === 'grade') return code === '' ? '未填年级' : (gradeOf(code)?.name ?? code);
  return Gender.options.find(({ value }) => value === code)?.label ?? '未填性别';
}
/** School order; persons without a grade come last. */
const compareGroups = (by: GroupKind, a: string, b: string): number =>
  by === 'grade'
    ? Number(a === '') - Number(b === '') || compareGrades(a, b)
    : Number(a === '00') - Number(b === '00') || a.localeCompare(b);
