import { sql, type SqlBool } from 'kysely';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';

export interface Choice {
  appid: string;
  /** undefined: leave the stages unchanged; an empty list: grant all */
  stagecodes: readonly string[] | undefined;
}

/** Sets the applications of an institution; deletes all others with their stages. */
export async function replaceApps(
  scope: Scope,
  musercode: string,
  appids: readonly string[],
  window: { begindate?: string | null | undefined; enddate?: string | null | undefined },
) {
  await sql`delete from muserapp where musercode = ${musercode} and appid <> all (${[...appids]}::text[])`.execute(scope.db);
  await sql`delete from muserstage where musercode = ${musercode} and appid <> all (${[...appids]}::text[])`.execute(scope.db);
  if (appids.length === 0) return;
  await scope.db
    .insertInto('muserapp')
    .values(appids.map((appid) => ({ musercode, appid, begindate: window.begindate ?? null, enddate: window.enddate ?? null })))
    // An absent date stays unchanged.
    .onConflict((on) =>
      on.columns(['musercode', 'appid']).doUpdateSet({
        enabled: 1,
        ...(window.begindate !== undefined ? { begindate: window.begindate } : {}),
        ...(window.enddate !== undefined ? { enddate: window.enddate } : {}),
      }),
    )
    .execute();
}

/** Sets the stages of one application of an institution. */
export async function replaceStages(scope: Scope, musercode: string, appid: string, stagecodes: readonly string[]) {
  await scope.db.deleteFrom('muserstage').where('musercode', '=', musercode).where('appid', '=', appid).execute();
  if (stagecodes.length)
    await scope.db
      .insertInto('muserstage')
      .values(stagecodes.map((stagecode) => ({ musercode, appid, stagecode })))
      .execute();
}

/** Returns the applications that an institution has. A provider without any may grant all. */
export const findOwnApps = async (scope: Scope, musercode: string) =>
  (
    await scope.db.selectFrom('muserapp').select('appid').where('musercode', '=', musercode).where('enabled', '=', 1).execute()
  ).map((row) => row.appid);

/** Returns those of the applications that exist and are enabled. */
export const findExistingApps = async (scope: Scope, appids: readonly string[]) =>
  (
    await sql<{ appid: string }>`
      select appid from ref.app where enabled = 1 and appid = any (${[...appids]}::text[])`.execute(scope.db)
  ).rows.map((row) => row.appid);

/** Returns the enabled applications of an institution with their stages. */
export const findAppsAndStages = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserapp as a')
    .select([
      'a.appid',
      sql<number>`(select m.version from muser m where m.musercode = a.musercode)`.as('version'),
      'a.begindate',
      'a.enddate',
      sql<string[]>`coalesce((select array_agg(s.stagecode order by s.stagecode) from muserstage s
        where s.musercode = a.musercode and s.appid = a.appid), '{}')`.as('stagecodes'),
    ])
    .where('a.musercode', '=', musercode)
    .where('a.enabled', '=', 1)
    .orderBy('a.appid')
    .execute();

/** Returns the assessment categories of one application or of all. */
export const findCategories = (scope: Scope, appid: string | undefined) => {
  let query = scope.db.selectFrom('ref.examcategory').select(['categoryid', 'appid', 'categoryname', 'ordernum']);
  if (appid) query = query.where('appid', '=', appid);
  return query.orderBy('appid').orderBy('ordernum').execute();
};

/** Selects the platform's stages and the institution's own, without those of institutions below it. */
function stages(scope: Scope, musercode: string) {
  return scope.db
    .selectFrom('examstage as s')
    .where('s.isdeleted', '=', 0)
    .where((eb) => eb.or([eb('s.isplatform', '=', 1), eb('s.musercode', '=', musercode)]));
}

/** Returns the stages that match the filters, each with the total of all pages. */
export async function findStages(
  scope: Scope,
  musercode: string,
  filters: {
    appid?: string | undefined;
    categoryid?: string | undefined;
    enabled?: number | undefined;
    page?: number | undefined;
    pageSize?: number | undefined;
  },
) {
  let query = stages(scope, musercode);
  if (filters.appid) query = query.where('s.appid', '=', filters.appid);
  if (filters.categoryid)
    query = query.where((eb) => eb.or([eb('s.categoryid', '=', filters.categoryid as string), eb('s.categoryid', 'is', null)]));
  if (filters.enabled !== undefined) query = query.where('s.enabled', '=', filters.enabled);
  let rows = query
    .select([
      's.stageid',
      's.version',
      sql<number>`(select m.version from muser m where m.musercode = ${musercode})`.as('formsversion'),
      's.appid',
      's.categoryid',
      's.stagecode',
      's.stagename',
      's.ordernum',
      's.autorule',
      's.enabled',
      sql<boolean>`s.musercode = ${musercode}`.as('own'),
      sql<boolean>`(
        s.musercode = ${musercode}
        or not exists (select from muserstage g where g.musercode = ${musercode} and g.appid = s.appid)
        or exists (select from muserstage g
          where g.musercode = ${musercode} and g.appid = s.appid and g.stagecode = s.stagecode))`.as('chosen'),
      sql<number>`coalesce(
        nullif((select count(*) from stageform f where f.stageid = s.stageid and f.musercode = ${musercode}), 0),
        (select count(*) from stageform f where f.stageid = s.stageid and f.isplatform = 1))`.as('formcount'),
      sql<number>`count(*) over ()`.as('total'),
    ])
    .orderBy('s.appid')
    .orderBy('s.ordernum')
    .orderBy('s.stagecode');
  if (filters.page !== undefined) rows = paginate({ page: filters.page, pageSize: filters.pageSize ?? 10 })(rows);
  return rows.execute();
}

/** Returns a stage that the institution can use, or undefined. */
export const findStage = (scope: Scope, musercode: string, stageid: number) =>
  stages(scope, musercode)
    .select(['s.stageid', 's.musercode', 's.appid', 's.stagecode', 's.stagename', 's.isplatform'])
    .where('s.stageid', '=', stageid)
    .executeTakeFirst();

/** Returns whether the platform has a stage with this code. */
export const isPlatformStage = async (scope: Scope, appid: string, stagecode: string) =>
  (await scope.db
    .selectFrom('examstage')
    .select('stageid')
    .where('isplatform', '=', 1)
    .where('appid', '=', appid)
    .where('stagecode', '=', stagecode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst()) !== undefined;

/** Returns whether the category belongs to the application. */
export const isCategoryOfApp = async (scope: Scope, appid: string, categoryid: string) =>
  (await scope.db
    .selectFrom('ref.examcategory')
    .select('categoryid')
    .where('categoryid', '=', categoryid)
    .where('appid', '=', appid)
    .executeTakeFirst()) !== undefined;

/** Inserts a stage and returns its id. */
export const addStage = (
  scope: Scope,
  row: {
    musercode: string;
    isplatform: number;
    appid: string;
    categoryid: string | null;
    stagecode: string;
    stagename: string;
    ordernum: number;
    autorule: string | null;
  },
) => scope.db.insertInto('examstage').values(row).returning('stageid').executeTakeFirstOrThrow();

/** Updates columns of a stage. */
export const changeStage = (scope: Scope, stageid: number, changes: Record<string, unknown>) =>
  scope.db.updateTable('examstage').set(changes).where('stageid', '=', stageid).execute();

/** Deletes a stage that no plan, task or exam uses; returns whether it did. Its code becomes free. */
export async function removeStage(scope: Scope, stageid: number): Promise<boolean> {
  const isUnused = sql<SqlBool>`not exists (select from planstage p
      where p.stagecode = s.stagecode and starts_with(p.orgpath, s.orgpath))
    and not exists (select from planform p
      where p.stagecode = s.stagecode and starts_with(p.orgpath, s.orgpath))
    and not exists (select from cuserplan p
      where p.stagecode = s.stagecode and p.appid = s.appid and starts_with(p.orgpath, s.orgpath))
    and not exists (select from examrecord p
      where p.stagecode = s.stagecode and p.appid = s.appid and starts_with(p.orgpath, s.orgpath))
    and not exists (select from assesstask p
      where p.stagecode = s.stagecode and p.appid = s.appid and p.isdeleted = 0 and starts_with(p.orgpath, s.orgpath))`;
  const stage = await scope.db
    .selectFrom('examstage as s')
    .select('s.stageid')
    .where('s.stageid', '=', stageid)
    .where(isUnused)
    .forUpdate()
    .executeTakeFirst();
  if (!stage) return false;
  await scope.db.deleteFrom('stageform').where('stageid', '=', stageid).execute();
  await scope.db.deleteFrom('examstage').where('stageid', '=', stageid).execute();
  return true;
}

/** Returns the questionnaires of a stage: the institution's own if it has any, else the platform's. */
export async function findStageForms(scope: Scope, musercode: string, stageid: number) {
  const rows = await scope.db
    .selectFrom('stageform as s')
    .innerJoin('form as f', 'f.formcode', 's.formcode')
    .select(['s.formcode', 'f.formname', 's.ordernum', 's.required', 's.musercode'])
    .where('s.stageid', '=', stageid)
    .where((eb) => eb.or([eb('s.musercode', '=', musercode), eb('s.isplatform', '=', 1)]))
    .orderBy('s.ordernum')
    .execute();
  const own = rows.filter((row) => row.musercode === musercode);
  return (own.length ? own : rows).map(({ musercode: _, ...row }) => row);
}

/** Sets the questionnaires that an institution uses at a stage. */
export async function replaceStageForms(
  scope: Scope,
  owner: { stageid: number; musercode: string; isplatform: number },
  forms: readonly { formcode: string; ordernum: number; required: number }[],
) {
  await scope.db.deleteFrom('stageform').where('stageid', '=', owner.stageid).where('musercode', '=', owner.musercode).execute();
  await markEdit(scope, 'muser', 'musercode', owner.musercode, `stageforms ${owner.stageid}`);
  if (forms.length)
    await scope.db
      .insertInto('stageform')
      .values(forms.map((form) => ({ ...owner, ...form })))
      .execute();
}

/** Returns those of the questionnaires that exist. */
export const findForms = async (scope: Scope, formcodes: readonly string[]) =>
  (
    await sql<{ formcode: string; formname: string; isusable: boolean }>`
      select formcode, formname, status = 1 and enabled = 1 as isusable
      from form where isdeleted = 0 and formcode = any (${[...formcodes]}::text[])`.execute(scope.db)
  ).rows;

/** Returns the applications an institution may use today (Beijing time). */
export async function findApps(scope: Scope, musercode: string, appid?: string) {
  let query = scope.db
    .selectFrom('muserapp')
    .innerJoin('ref.app', 'ref.app.appid', 'muserapp.appid')
    .select(['muserapp.appid', 'appname', 'scenecode', 'iconurl', 'begindate', 'enddate', 'muserapp.enabled'])
    .where('musercode', '=', musercode)
    .where('muserapp.enabled', '=', 1)
    .where(sql<boolean>`coalesce(enddate, 'infinity') >= (now() at time zone 'Asia/Shanghai')::date`)
    // The custom report is not an application to choose (specification section 6).
    .where('muserapp.appid', '<>', '000000005');
  if (appid) query = query.where('muserapp.appid', '=', appid);
  return query.orderBy('ref.app.ordernum').execute();
}

/** Returns the enabled applications of the platform without the custom report. */
export async function findAllApps(scope: Scope, appid?: string) {
  let query = scope.db
    .selectFrom('ref.app')
    .select(['appid', 'appname', 'scenecode', 'iconurl'])
    .where('enabled', '=', 1)
    .where('appid', '<>', '000000005');
  if (appid) query = query.where('appid', '=', appid);
  return query.orderBy('ordernum').execute();
}
