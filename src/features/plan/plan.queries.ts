import { sql, type SqlBool } from 'kysely';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

export interface PlanFilters {
  page: number;
  pageSize: number;
  orderby?: string | undefined;
  isasc?: '0' | '1' | undefined;
  appid?: string | undefined;
  keyword?: string | undefined;
  status?: number | undefined;
  iscommon?: number | undefined;
  categoryid?: string | undefined;
  /** every one of these institutions must be able to use the plan */
  musercodes: readonly string[];
}

const sortable: Record<string, string> = {
  planname: 'p.planname',
  createtime: 'p.createtime',
  price: 'p.price',
  status: 'p.status',
};

/** Used: a grant or a task names it. Row-level security shows an owner everything below, so nothing is overlooked. */
const isUsed = sql<boolean>`(exists (select from cuserplan x where x.plancode = p.plancode)
  or exists (select from assesstask x where x.plancode = p.plancode and x.isdeleted = 0))`;

const columns = [
  'p.plancode',
  'p.planname',
  'p.appid',
  'p.categoryid',
  'p.musercode',
  'p.iscommon',
  'p.status',
  'p.retestdays',
  'p.reportmode',
  'p.price',
  'p.introduce',
  'p.validbegin',
  'p.validend',
  'p.copyfrom',
  'p.version',
  'p.createtime',
] as const;

interface FormOfPlan {
  formcode: string;
  formname: string;
  ordernum: number;
  required: number;
  stagecode: string;
  minutes: number;
  itemcount: number;
}

/** A page of the plans all of `musercodes` can use: their own and common ones of those above them. */
export async function findPlans(scope: Scope, filters: PlanFilters) {
  let query = scope.db.selectFrom('plan as p').where('p.isdeleted', '=', 0);
  query = query.where(
    sql<SqlBool>`not exists (select from unnest(${[...filters.musercodes]}::text[]) w(code) where w.code <> p.musercode and not
      (p.iscommon = 1 and exists (select from muser u where u.musercode = w.code and starts_with(u.orgpath, p.orgpath))))`,
  );
  if (filters.appid) query = query.where('p.appid', '=', filters.appid);
  if (filters.status !== undefined) query = query.where('p.status', '=', filters.status);
  if (filters.iscommon !== undefined) query = query.where('p.iscommon', '=', filters.iscommon);
  if (filters.categoryid) query = query.where('p.categoryid', '=', filters.categoryid);
  if (filters.keyword) query = query.where('p.planname', 'like', `%${filters.keyword.replace(/[\\%_]/g, '\\$&')}%`);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .innerJoin('muser as m', 'm.musercode', 'p.musercode')
    .leftJoin('ref.examcategory as k', 'k.categoryid', 'p.categoryid')
    .select([
      ...columns,
      'm.insname',
      'k.categoryname',
      isUsed.as('locked'),
      sql<number>`(select count(*) from cuserplan x where x.plancode = p.plancode)`.as('usedcount'),
      sql<
        FormOfPlan[]
      >`coalesce((select jsonb_agg(jsonb_build_object('formcode', f.formcode, 'formname', f.formname, 'ordernum', pf.ordernum,
        'required', pf.required, 'stagecode', pf.stagecode, 'minutes', f.minutes, 'itemcount', f.itemcount) order by pf.ordernum)
        from planform pf join form f on f.formcode = pf.formcode where pf.plancode = p.plancode), '[]')`.as('forms'),
      sql<
        { stagecode: string; stagename: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('stagecode', ps.stagecode, 'stagename',
        coalesce((select min(s.stagename) from examstage s
        where s.stagecode = ps.stagecode and s.appid = p.appid), ps.stagecode)) order by ps.ordernum)
        from planstage ps where ps.plancode = p.plancode), '[]')`.as('stages'),
    ])
    .orderBy(sql.ref((filters.orderby && sortable[filters.orderby]) || 'p.createtime'), (o) =>
      filters.isasc === '1' ? o.asc() : o.desc(),
    )
    .orderBy('p.plancode', 'desc')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** One plan the caller can see, with whether it was used. */
export const findPlan = (scope: Scope, plancode: string) =>
  scope.db
    .selectFrom('plan as p')
    .select([...columns, isUsed.as('locked')])
    .where('p.plancode', '=', plancode)
    .where('p.isdeleted', '=', 0)
    .executeTakeFirst();

/** The questionnaires of a plan in order; with a stage, those asked at it. */
export function findPlanForms(scope: Scope, plancode: string, stagecode?: string) {
  let query = scope.db
    .selectFrom('planform as pf')
    .innerJoin('form as f', 'f.formcode', 'pf.formcode')
    .where('pf.plancode', '=', plancode);
  if (stagecode) query = query.where('pf.stagecode', 'in', ['', stagecode]);
  return query
    .select(['pf.formcode', 'pf.ordernum', 'pf.required', 'pf.stagecode', 'pf.formversion'])
    .select(['f.formname', 'f.formtype', 'f.tier', 'f.itemcount', 'f.minutes', 'f.agemin', 'f.agemax'])
    .select(['f.recall', 'f.introduce', 'f.citation', 'f.licencetext', 'f.currentversion'])
    .orderBy('pf.ordernum')
    .execute();
}

export const findPlanStages = (scope: Scope, plancode: string) =>
  scope.db
    .selectFrom('planstage as ps')
    .innerJoin('plan as p', 'p.plancode', 'ps.plancode')
    .select([
      'ps.stagecode',
      'ps.ordernum',
      sql<string>`coalesce((select min(s.stagename) from examstage s
        where s.stagecode = ps.stagecode and s.appid = p.appid), ps.stagecode)`.as('stagename'),
    ])
    .where('ps.plancode', '=', plancode)
    .orderBy('ps.ordernum')
    .execute();

/** Questionnaires with their definition and what an institution has done about their licence. */
export const findFormsForUse = (scope: Scope, formcodes: readonly string[], musercode: string) =>
  scope.db
    .selectFrom('form as f')
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .leftJoin('formlicence as l', (join) => join.onRef('l.formcode', '=', 'f.formcode').on('l.musercode', '=', musercode))
    .select(['f.formcode', 'f.formname', 'f.formtype', 'f.status', 'f.enabled', 'f.agemin', 'f.agemax', 'v.definition'])
    .select(['l.accepted', 'l.prooffileid', 'l.wording'])
    .where('f.formcode', 'in', formcodes.length ? formcodes : [''])
    .where('f.isdeleted', '=', 0)
    .execute();

export const findDefinition = (scope: Scope, formcode: string, version: string) =>
  scope.db
    .selectFrom('formversion as v')
    .select(['v.definition', 'v.version'])
    .where('v.formcode', '=', formcode)
    .where('v.version', '=', version)
    .executeTakeFirst();
export const findWording = (scope: Scope, formcode: string, musercode: string) =>
  scope.db
    .selectFrom('formlicence')
    .select('wording')
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .executeTakeFirst();
export const findQuotas = (scope: Scope, formcode: string) =>
  scope.db
    .selectFrom('quota')
    .select(['quotacode', 'quotaname', 'minscore', 'maxscore'])
    .where('formcode', '=', formcode)
    .orderBy('ordernum')
    .execute();

export interface PlanColumns {
  planname: string;
  appid: string;
  categoryid: string | null;
  retestdays: number | null;
  reportmode: string;
  price: number;
  introduce: string | null;
  validbegin: string | null;
  validend: string | null;
}
export interface PlanFormInput {
  formcode: string;
  ordernum?: number | undefined;
  required: number;
  stagecode: string;
}

export async function addPlan(scope: Scope, plan: PlanColumns & { musercode: string; copyfrom: string | null }) {
  const { plancode } = await scope.db.insertInto('plan').values(plan).returning('plancode').executeTakeFirstOrThrow();
  return plancode;
}

/** Replaces the questionnaires and stages of a plan; given order numbers decide, else the order of the list. */
export async function setPlanContent(
  scope: Scope,
  plan: { plancode: string; musercode: string },
  forms: readonly PlanFormInput[],
  stagecodes: readonly string[],
) {
  await scope.db.deleteFrom('planform').where('plancode', '=', plan.plancode).execute();
  await scope.db.deleteFrom('planstage').where('plancode', '=', plan.plancode).execute();
  const ordered = forms.map((form, index) => ({ form, rank: form.ordernum ?? index + 1 })).sort((a, b) => a.rank - b.rank);
  await scope.db
    .insertInto('planform')
    .values(
      ordered.map(({ form: { formcode, required, stagecode } }, index) => ({
        ...plan,
        formcode,
        required,
        stagecode,
        ordernum: index + 1,
      })),
    )
    .execute();
  if (stagecodes.length)
    await scope.db
      .insertInto('planstage')
      .values(stagecodes.map((stagecode, index) => ({ ...plan, stagecode, ordernum: index + 1 })))
      .execute();
}

/** Writes changes when nobody else did meanwhile; undefined when somebody did. */
export const changePlan = (scope: Scope, plancode: string, version: number, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('plan')
    .set({ ...changes, version: version + 1, updatetime: sql<Date>`now()` })
    .where('plancode', '=', plancode)
    .where('version', '=', version)
    .where('isdeleted', '=', 0)
    .returning('version')
    .executeTakeFirst();

/** Removes a plan unless it was used meanwhile. */
export const removePlan = (scope: Scope, plancode: string) =>
  scope.db
    .updateTable('plan as p')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('p.plancode', '=', plancode)
    .where('p.isdeleted', '=', 0)
    .where(sql<SqlBool>`not ${isUsed}`)
    .returning('p.plancode')
    .executeTakeFirst();

export const setCommon = (scope: Scope, plancode: string, musercode: string, iscommon: number) =>
  scope.db
    .updateTable('plan')
    .set({ iscommon, updatetime: sql<Date>`now()` })
    .where('plancode', '=', plancode)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .returning('plancode')
    .executeTakeFirst();

/** Whether the caller's reach includes writing this plan: it belongs to them or to somebody below. */
export const holdsPlan = async (scope: Scope, plancode: string) => {
  const { rows } = await sql<{
    mine: boolean;
  }>`select orgpath >= access.path_from() and orgpath < access.path_to() as mine from plan where plancode = ${plancode}`.execute(
    scope.db,
  );
  return rows[0]?.mine ?? false;
};
