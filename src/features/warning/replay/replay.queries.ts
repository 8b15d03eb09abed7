import { sql } from 'kysely';
import type { Answers, BandSet, FormResult } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { earlierResults } from '#features/warning/rules/rule.queries.ts';

/** A past sitting as the database has it. */
export interface SittingRow {
  examcode: string;
  cuserid: string;
  appid: string;
  planroot: string;
  username: string;
  belongs: string;
  submittime: Date;
  gender: string;
  age: number | null;
  gradecode: string | null;
  minlevel: number;
  forms: {
    formcode: string;
    formversion: string;
    answers: Answers | null;
    raw: FormResult;
    bandsets: Record<string, number[]> | null;
  }[];
  history: { form: string; daysago: number; scores: Record<string, number | null> }[];
}

export interface SittingFilters {
  /** the only institution; undefined: every institution in reach */
  musercode: string | undefined;
  since: Date;
  appid: string | undefined;
  /** only sittings of this lineage of plans */
  planroot: string | undefined;
  /** only sittings with this form */
  formcode: string | undefined;
}

/** A page of valid sittings, the newest first, before the sitting of the last page. */
export async function findSittings(
  scope: Scope,
  { musercode, since, appid, planroot, formcode }: SittingFilters,
  before: { submittime: Date; examcode: string } | undefined,
  limit: number,
): Promise<SittingRow[]> {
  const { rows } = await sql<SittingRow>`
    select e.examcode, e.cuserid, e.appid, p.planroot, c.username,
      concat_ws(' ', e.gradename, coalesce(e.classname, e.unitname)) as belongs,
      e.submittime, c.gender, e.age::int as age, e.gradecode,
      case when m.settings->'warnlevelmin' = '1' then 1 else 2 end as minlevel,
      (select coalesce(jsonb_agg(jsonb_build_object('formcode', f.formcode, 'formversion', f.formversion, 'raw', f.raw,
          'answers', case when f.entered is null then f.answers end, 'bandsets', f.bandsets) order by f.ordernum), '[]')
        from examform f where f.examcode = e.examcode and f.status = 2 and f.raw is not null) as forms,
      ${earlierResults} as history
    from examrecord e
      join cuser c on c.cuserid = e.cuserid
      join plan p on p.plancode = e.plancode
      join muser m on m.musercode = e.musercode
    where e.status = 2 and e.withheld = 0 and e.submittime >= ${since}
      ${musercode ? sql`and e.musercode = ${musercode}` : sql``}
      ${appid ? sql`and e.appid = ${appid}` : sql``}
      ${planroot ? sql`and p.planroot = ${planroot}` : sql``}
      ${formcode ? sql`and exists (select from examform y where y.examcode = e.examcode and y.formcode = ${formcode})` : sql``}
      ${before ? sql`and (e.submittime, e.examcode) < (${before.submittime}, ${before.examcode})` : sql``}
    order by e.submittime desc, e.examcode desc
    limit ${limit}`.execute(scope.db);
  return rows;
}

/** The sets of bands with these ids. */
export async function findBandsets(scope: Scope, ids: readonly number[]): Promise<Map<number, BandSet>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BandSet>`
    select b.bandsetid::int, b.quotacode, b.orgpath, b.appid, b.gender, b.agemin, b.agemax, b.options
    from bandset b where b.bandsetid = any (${[...ids]}::bigint[])`.execute(scope.db);
  return new Map(rows.map((row) => [row.bandsetid, row]));
}

/** The path of the caller's institution in the tree. */
export const findOrgpath = async (scope: Scope, musercode: string): Promise<string> =>
  (await scope.db.selectFrom('muser').select('orgpath').where('musercode', '=', musercode).executeTakeFirstOrThrow()).orgpath;

/** The stored draft of a form of the institution; undefined without one. */
export const findDraft = (scope: Scope, formcode: string, musercode: string) =>
  scope.db
    .selectFrom('formversion')
    .select('definitionhash')
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .where('version', '=', 'draft')
    .executeTakeFirst();

/** The lineage of a plan that the caller sees; undefined for another one. */
export const findPlanroot = async (scope: Scope, plancode: string): Promise<string | undefined> =>
  (await scope.db.selectFrom('plan').select('planroot').where('plancode', '=', plancode).executeTakeFirst())?.planroot;
