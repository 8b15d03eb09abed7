import { sql } from 'kysely';
import type { EarlierResult, FormFacts } from '#domain/scoring/condition.ts';
import type { CustomCond, CustomRule } from '#domain/warning/customRule.ts';
import type { Level } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { planRoot } from '#features/plan/lineage/planRoot.queries.ts';

const columns = [
  'w.rulecode',
  'w.name',
  'w.cond',
  'w.warninglevel',
  'w.appid',
  'w.plancode',
  'w.enabled',
  'w.remark',
  'w.updatetime',
  'w.version',
  'w.musercode',
] as const;

/** The rules of an institution and the rules of plans of institutions above it, in their order. Without `plancode`: of all plans. */
export const findRules = (scope: Scope, { musercode, plancode }: { musercode: string; plancode?: string | undefined }) =>
  scope.db
    .selectFrom('warningrule as w')
    .leftJoin('plan as p', 'p.plancode', 'w.plancode')
    .select([...columns, 'p.planname'])
    .where((eb) =>
      eb.or([
        eb('w.musercode', '=', musercode),
        eb.and([
          eb('w.plancode', 'is not', null),
          eb('w.enabled', '=', 1),
          sql<boolean>`starts_with((select m.orgpath from muser m where m.musercode = ${musercode}), w.orgpath)`,
        ]),
      ]),
    )
    .$if(plancode !== undefined, (query) => query.where('w.plancode', '=', planRoot(plancode ?? '')))
    .where('w.isdeleted', '=', 0)
    .orderBy('w.ordernum')
    .orderBy('w.rulecode')
    .execute();

/** The lineage of a plan of the caller's institution; undefined when it has no such plan. */
export const findOwnPlanRoot = async (scope: Scope, musercode: string, plancode: string): Promise<string | undefined> =>
  (
    await scope.db
      .selectFrom('plan')
      .select('planroot')
      .where('plancode', '=', plancode)
      .where('musercode', '=', musercode)
      .where('formcode', 'is', null)
      .where('isdeleted', '=', 0)
      .executeTakeFirst()
  )?.planroot;

/** An enabled rule in the form that scoring uses, with the only lineage of plans that it judges. */
export type EnabledRule = CustomRule & { plancode: string | null };

/** The enabled rules of an institution and of the plans from above. */
export async function findCustomRules(scope: Scope, musercode: string): Promise<EnabledRule[]> {
  const rows = await findRules(scope, { musercode });
  return rows
    .filter((row) => row.enabled === 1)
    .map((row) => ({ ...row, cond: row.cond as CustomCond, warninglevel: row.warninglevel as CustomRule['warninglevel'] }));
}

/** The columns of a rule that an institution chooses. */
export interface RuleFields {
  name: string;
  cond: string;
  warninglevel: number;
  appid: string | null;
  plancode: string | null;
  remark: string;
  enabled: number;
}
/** Adds a rule and returns its code. */
export const addRule = (scope: Scope, row: RuleFields & { musercode: string; updateby: string; createtime: Date }) =>
  scope.db
    .insertInto('warningrule')
    .values({ ...row, updatetime: row.createtime })
    .returning('rulecode')
    .executeTakeFirstOrThrow();

/** The parts of an own rule that a change compares. */
export interface OwnRule {
  cond: CustomCond;
  warninglevel: number;
  appid: string | null;
  plancode: string | null;
  enabled: number;
}

/** A rule of the institution; undefined when it has no such rule. */
export const findOwnRule = (scope: Scope, musercode: string, rulecode: string) =>
  scope.db
    .selectFrom('warningrule')
    .select(['cond', 'warninglevel', 'appid', 'plancode', 'enabled'])
    .where('musercode', '=', musercode)
    .where('rulecode', '=', rulecode)
    .where('isdeleted', '=', 0)
    .$castTo<OwnRule>()
    .executeTakeFirst();

/** Changes a rule of the institution; undefined when it has no such rule. */
export const updateRule = (
  scope: Scope,
  musercode: string,
  rulecode: string,
  changes: Partial<RuleFields> & { isdeleted?: number; updateby: string; updatetime: Date },
) =>
  scope.db
    .updateTable('warningrule')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('musercode', '=', musercode)
    .where('rulecode', '=', rulecode)
    .where('isdeleted', '=', 0)
    .returning(['rulecode', 'version'])
    .executeTakeFirst();

/** A past exam with the facts that rules use. */
export interface PastExam {
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
  forms: { formcode: string; raw: FormFacts & { alertlevel: Level } }[];
  history: { form: string; daysago: number; scores: Record<string, number | null> }[];
}

/** SQL: the valid results before the exam `e` of its person, in the form of `EarlierResult`. */
export const earlierResults = sql<EarlierResult[]>`(select coalesce(jsonb_agg(jsonb_build_object(
      'form', h.formcode,
      'daysago', (e.submittime at time zone 'Asia/Shanghai')::date - (h.submittime at time zone 'Asia/Shanghai')::date,
      'scores', h.raw->'scores')), '[]')
    from examform h
    where h.cuserid = e.cuserid and h.status = 2 and h.valid = 1 and h.submittime < e.submittime
      -- A rise between two major versions is no rise.
      and not exists (
        select from examform x
        where x.examcode = e.examcode and x.formcode = h.formcode
          and split_part(x.formversion, '.', 1) <> split_part(h.formversion, '.', 1)))`;

/** Most exams of one trial: about a term of a large school. */
const MAX_TRIAL_EXAMS = 3000;

/** The valid exams submitted since `since`, or the exam `examcode`, the newest first. Each has the earlier results of its person. */
export async function findPastExams(
  scope: Scope,
  options: { musercode: string; appid: string | null; since: Date; examcode: string | undefined },
): Promise<PastExam[]> {
  const examFilter = options.examcode
    ? sql`e.examcode = ${options.examcode}`
    : sql`e.musercode = ${options.musercode} and e.submittime >= ${options.since} and e.valid = 1`;
  const { rows } = await sql<PastExam>`
    select e.examcode, e.cuserid, e.appid, p.planroot, c.username,
      concat_ws(' ', e.gradename, coalesce(e.classname, e.unitname)) as belongs,
      e.submittime, c.gender, e.age::int as age, e.gradecode,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'formcode', f.formcode,
          'raw', jsonb_build_object(
            'scores', f.raw->'scores',
            'levels', f.raw->'levels',
            'itemscores', f.raw->'itemscores',
            'alerts', f.raw->'alerts',
            'alertlevel', f.raw->'alertlevel')) order by f.ordernum), '[]')
        from examform f
        where f.examcode = e.examcode and f.status = 2) as forms,
      ${earlierResults} as history
    from examrecord e
      join cuser c on c.cuserid = e.cuserid
      join plan p on p.plancode = e.plancode
    where e.status = 2 and ${examFilter} ${options.appid ? sql`and e.appid = ${options.appid}` : sql``}
    order by e.submittime desc
    limit ${MAX_TRIAL_EXAMS}`.execute(scope.db);
  return rows;
}
