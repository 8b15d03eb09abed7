import { sql, type SqlBool } from 'kysely';
import type { CustomRule } from '#domain/warning/customRule.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { planRoot } from '#features/plan/lineage/planRoot.queries.ts';

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
  /** one version, also a former one; without it the newest versions */
  plancode?: string | undefined;
  /** every one of these institutions must be able to use the plan */
  musercodes: readonly string[];
}

const SORT_COLUMNS: Record<string, string> = {
  planname: 'p.planname',
  createtime: 'p.createtime',
  price: 'p.price',
  status: 'p.status',
};

/** A plan is used when a person or a task has it. Row-level security shows the owner everything below, so this misses nothing. */
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
  'p.planroot',
  'p.lineageno',
  'p.supersededby',
  'p.reporttemplatecode',
  'p.formcode',
  'p.version',
  'p.createtime',
] as const;

interface PlanFormRow {
  formcode: string;
  formname: string;
  ordernum: number;
  required: number;
  stagecode: string;
  minutes: number;
  itemcount: number;
}

const formsOfPlan = sql<PlanFormRow[]>`coalesce((
  select jsonb_agg(jsonb_build_object('formcode', f.formcode, 'formname', f.formname, 'ordernum', pf.ordernum,
    'required', pf.required, 'stagecode', pf.stagecode, 'minutes', f.minutes, 'itemcount', f.itemcount) order by pf.ordernum)
  from planform pf
    join form f on f.formcode = pf.formcode
  where pf.plancode = p.plancode), '[]')`;

/** The name of a stage `ps`, or its code if the population has no such stage. */
const stagename = sql<string>`coalesce((
  select min(s.stagename) from examstage s
  where s.stagecode = ps.stagecode and s.appid = p.appid), ps.stagecode)`;

const acknowledgementOfPlan = sql<{ name: string; time: Date; content: string } | null>`(
  select jsonb_build_object('name', a.name, 'time', a.createtime, 'content', a.content)
  from planacknowledgement a
  where a.plancode = p.plancode
  order by a.acknowledgementid desc
  limit 1)`;

const stagesOfPlan = sql<{ stagecode: string; stagename: string }[]>`coalesce((
  select jsonb_agg(jsonb_build_object('stagecode', ps.stagecode, 'stagename', ${stagename}) order by ps.ordernum)
  from planstage ps
  where ps.plancode = p.plancode), '[]')`;

/** Returns a page of the plans that all of `musercodes` can use: their own and the common plans of institutions above. */
export async function findPlans(scope: Scope, filters: PlanFilters) {
  let query = scope.db.selectFrom('plan as p').where('p.isdeleted', '=', 0).where('p.formcode', 'is', null);
  query = query.where(
    sql<SqlBool>`not exists (
      select from unnest(${[...filters.musercodes]}::text[]) w(code)
      where w.code <> p.musercode and not (p.iscommon = 1 and exists (
        select from muser u
        where u.musercode = w.code and starts_with(u.orgpath, p.orgpath))))`,
  );
  if (filters.plancode) query = query.where('p.plancode', '=', filters.plancode);
  else query = query.where('p.supersededby', 'is', null);
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
      sql<number>`(
        select count(*) from cuserplan x join plan v on v.plancode = x.plancode
        where v.planroot = p.planroot)`.as('usedcount'),
      formsOfPlan.as('forms'),
      stagesOfPlan.as('stages'),
      acknowledgementOfPlan.as('acknowledgement'),
    ])
    .orderBy(sql.ref((filters.orderby && SORT_COLUMNS[filters.orderby]) || 'p.createtime'), (order) =>
      filters.isasc === '1' ? order.asc() : order.desc(),
    )
    .orderBy('p.plancode', 'desc')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** Returns a plan that the caller may see; `locked` says whether it was used. */
export const findPlan = (scope: Scope, plancode: string) =>
  scope.db
    .selectFrom('plan as p')
    .select([...columns, isUsed.as('locked')])
    .where('p.plancode', '=', plancode)
    .where('p.isdeleted', '=', 0)
    .executeTakeFirst();

/**
 * Returns the questionnaires of a plan in order. With a stage, it returns those of the stage. With a task, `formversion` is the version
 * that the task has frozen.
 */
export function findPlanForms(scope: Scope, plancode: string, stagecode?: string, taskcode: string | null = null) {
  let query = scope.db
    .selectFrom('planform as pf')
    .innerJoin('form as f', 'f.formcode', 'pf.formcode')
    .leftJoin('taskform as tf', (join) => join.onRef('tf.formcode', '=', 'pf.formcode').on('tf.taskcode', '=', taskcode))
    .where('pf.plancode', '=', plancode);
  if (stagecode) query = query.where('pf.stagecode', 'in', ['', stagecode]);
  return query
    .select(['pf.formcode', 'pf.ordernum', 'pf.required', 'pf.stagecode'])
    .select((eb) => eb.fn.coalesce('tf.formversion', 'pf.formversion').as('formversion'))
    .select(['f.formname', 'f.formtype', 'f.tier', 'f.itemcount', 'f.minutes', 'f.agemin', 'f.agemax'])
    .select(['f.recall', 'f.introduce', 'f.citation', 'f.licencetext', 'f.currentversion'])
    .orderBy('pf.ordernum')
    .execute();
}

/** Returns the stages of a plan in order. */
export const findPlanStages = (scope: Scope, plancode: string) =>
  scope.db
    .selectFrom('planstage as ps')
    .innerJoin('plan as p', 'p.plancode', 'ps.plancode')
    .select(['ps.stagecode', 'ps.ordernum', stagename.as('stagename')])
    .where('ps.plancode', '=', plancode)
    .orderBy('ps.ordernum')
    .execute();

/** Returns questionnaires with their definitions and with the licence data of an institution. */
export const findFormsForUse = (scope: Scope, formcodes: readonly string[], musercode: string) =>
  scope.db
    .selectFrom('form as f')
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .leftJoin('formlicence as l', (join) => join.onRef('l.formcode', '=', 'f.formcode').on('l.musercode', '=', musercode))
    .select(['f.formcode', 'f.formname', 'f.formtype', 'f.tier', 'f.status', 'f.enabled', 'f.agemin', 'f.agemax', 'v.definition'])
    .select(['l.accepted', 'l.prooffileid', 'l.wording', 'l.expiredate'])
    .select('v.status as versionstatus')
    .where('f.formcode', 'in', formcodes.length ? formcodes : [''])
    .where('f.isdeleted', '=', 0)
    .execute();

/** Returns the definition of a version of a questionnaire. */
export const findDefinition = (scope: Scope, formcode: string, version: string) =>
  scope.db
    .selectFrom('formversion as v')
    .select(['v.definition', 'v.version'])
    .where('v.formcode', '=', formcode)
    .where('v.version', '=', version)
    .executeTakeFirst();

/** Returns the item texts that an institution entered for a questionnaire. */
export const findWording = (scope: Scope, formcode: string, musercode: string) =>
  scope.db
    .selectFrom('formlicence')
    .select('wording')
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .executeTakeFirst();

/** Returns the quotas of a questionnaire in order. */
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
  reporttemplatecode: string | null;
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

/** Returns the own warning rules of an institution that are switched on and judge the sheets of a plan. */
export const findOwnRules = (scope: Scope, musercode: string, planroot: string): Promise<CustomRule[]> =>
  scope.db
    .selectFrom('warningrule')
    .select(['rulecode', 'name', 'cond', 'warninglevel', 'appid'])
    .where('musercode', '=', musercode)
    .where((eb) => eb.or([eb('plancode', 'is', null), eb('plancode', '=', planroot)]))
    .where('enabled', '=', 1)
    .where('isdeleted', '=', 0)
    .$castTo<CustomRule>()
    .execute();

/** Stores who published forms that only R00 reads. The table only grows. */
export const addAcknowledgement = (
  scope: Scope,
  row: {
    plancode: string;
    musercode: string;
    formcodes: string[];
    content: string;
    accountid: string;
    name: string;
    createtime: Date;
  },
) => scope.db.insertInto('planacknowledgement').values(row).execute();

/** Returns whether the owner of a plan may use a report template: its own or one from above, switched on. */
export const isTemplateUsable = async (scope: Scope, musercode: string, templatecode: string): Promise<boolean> =>
  (
    await sql`select from reporttemplate t join muser m on m.musercode = ${musercode}
      where t.templatecode = ${templatecode} and t.enabled = 1 and t.isdeleted = 0 and starts_with(m.orgpath, t.orgpath)`.execute(
      scope.db,
    )
  ).rows.length > 0;

/** Returns the name of a stage of a population; its code when there is no such stage. */
export const findStageName = async (scope: Scope, appid: string, stagecode: string): Promise<string> =>
  (
    await scope.db
      .selectFrom('examstage')
      .select('stagename')
      .where('appid', '=', appid)
      .where('stagecode', '=', stagecode)
      .where('isdeleted', '=', 0)
      .limit(1)
      .executeTakeFirst()
  )?.stagename ?? stagecode;

/** What a version of a plan has besides its content: its owner, its author and its place in the lineage. */
export interface VersionColumns {
  musercode: string;
  copyfrom: string | null;
  authorid: string;
  authorname: string;
  planroot?: string;
  lineageno?: number;
  iscommon?: number;
  status?: number;
}

/** Adds a plan and returns its code. */
export async function addPlan(scope: Scope, plan: PlanColumns & VersionColumns) {
  const { plancode } = await scope.db.insertInto('plan').values(plan).returning('plancode').executeTakeFirstOrThrow();
  return plancode;
}

/** Replaces the questionnaires and stages of a plan. `ordernum` decides the order; without it the position in the list does. */
export async function setPlanContent(
  scope: Scope,
  plan: { plancode: string; musercode: string },
  forms: readonly PlanFormInput[],
  stagecodes: readonly string[],
) {
  await scope.db.deleteFrom('planform').where('plancode', '=', plan.plancode).execute();
  await scope.db.deleteFrom('planstage').where('plancode', '=', plan.plancode).execute();
  const sortedForms = forms.map((form, index) => ({ form, rank: form.ordernum ?? index + 1 })).sort((a, b) => a.rank - b.rank);
  await scope.db
    .insertInto('planform')
    .values(
      sortedForms.map(({ form: { formcode, required, stagecode } }, index) => ({
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

/** Writes changes to a plan. Returns undefined when the plan is deleted or not the caller's. */
export const changePlan = (scope: Scope, plancode: string, changes: Record<string, unknown>) =>
  scope.db
    .updateTable('plan')
    .set({ ...changes, updatetime: sql<Date>`now()` })
    .where('plancode', '=', plancode)
    .where('isdeleted', '=', 0)
    .returning('version')
    .executeTakeFirst();

/** Gives all versions of a plan its present name and category: they belong to the lineage. */
export const syncNames = (scope: Scope, plancode: string) =>
  sql`update plan v set planname = p.planname, categoryid = p.categoryid
    from plan p
    where p.plancode = ${plancode} and v.planroot = p.planroot and v.plancode <> p.plancode
      and (v.planname, v.categoryid) is distinct from (p.planname, p.categoryid)`.execute(scope.db);

/** Marks a plan as deleted unless it was used meanwhile. */
export const removePlan = (scope: Scope, plancode: string) =>
  scope.db
    .updateTable('plan as p')
    .set({ isdeleted: 1, updatetime: sql<Date>`now()` })
    .where('p.plancode', '=', plancode)
    .where('p.isdeleted', '=', 0)
    .where(sql<SqlBool>`not ${isUsed}`)
    .returning('p.plancode')
    .executeTakeFirst();

/** Makes all versions of a plan of an institution common or not. Returns undefined when another institution owns it. */
export const setCommon = (scope: Scope, plancode: string, musercode: string, iscommon: number) =>
  scope.db
    .updateTable('plan')
    .set({ iscommon, updatetime: sql<Date>`now()` })
    .where('planroot', '=', planRoot(plancode))
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .returning('plancode')
    .executeTakeFirst();

/** Returns whether the caller may change a plan: it belongs to the caller's institution or to one below. */
export const canWritePlan = async (scope: Scope, plancode: string) => {
  const { rows } = await sql<{ writable: boolean }>`
    select orgpath >= access.path_from() and orgpath < access.path_to() as writable
    from plan
    where plancode = ${plancode}`.execute(scope.db);
  return rows[0]?.writable ?? false;
};
