import type { Scale } from '#domain/scoring/scale.ts';
import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getFormPageList } from '#features/form/form.contract.ts';

type Filters = z.output<(typeof getFormPageList)['request']>;

const sortable: Record<string, string> = {
  formname: 'f.formname',
  itemcount: 'f.itemcount',
  minutes: 'f.minutes',
  tier: 'f.tier',
};

const selectForms = (scope: Scope) => scope.db.selectFrom('form as f').where('f.isdeleted', '=', 0);

/** Finds a page of forms with their current definition and the licence of the caller's institution. */
export async function findForms(scope: Scope, musercode: string, filters: Filters) {
  let query = selectForms(scope);
  if (filters.formname) {
    const pattern = `%${filters.formname.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<SqlBool>`(lower(f.formname) like ${pattern} or lower(f.formcode) like ${pattern} or lower(f.entitle) like ${pattern})`,
    );
  }
  if (filters.formtype) query = query.where('f.formtype', '=', filters.formtype);
  if (filters.appid) query = query.where(sql<SqlBool>`(f.appids = '{}' or ${filters.appid} = any (f.appids))`);
  if (filters.tier) query = query.where('f.tier', '=', filters.tier);
  if (filters.status !== undefined) query = query.where('f.status', '=', filters.status);
  if (filters.enabled !== undefined) query = query.where('f.enabled', '=', filters.enabled);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await selectWithLicence(query, musercode)
    .orderBy(sql.ref((filters.orderby && sortable[filters.orderby]) || 'f.ordernum'), filters.isasc === '0' ? 'desc' : 'asc')
    .orderBy('f.formcode')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** Finds a form with its current definition and the licence of the institution. */
export const findForm = (scope: Scope, musercode: string, formcode: string) =>
  selectWithLicence(selectForms(scope).where('f.formcode', '=', formcode), musercode).executeTakeFirst();

const selectWithLicence = (query: ReturnType<typeof selectForms>, musercode: string) =>
  query
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .leftJoin('formlicence as l', (join) => join.onRef('l.formcode', '=', 'f.formcode').on('l.musercode', '=', musercode))
    .leftJoin('sysuser as u', 'u.userid', 'l.acceptby')
    .select([
      'f.formcode',
      'f.formname',
      'f.formtype',
      'f.tier',
      'f.appids',
      'f.itemcount',
      'f.minutes',
      'f.agemin',
      'f.agemax',
      'f.recall',
      'f.introduce',
      'f.citation',
      'f.licencetext',
      'f.currentversion',
      'f.status',
      'f.enabled',
      'f.musercode',
      'v.definition',
      'l.accepted',
      'l.acceptby',
      'l.accepttime',
      'l.note',
      'l.wording',
      'l.prooffileid',
      'l.expiredate',
      'f.copyfrom',
      'f.isplatform',
      'v.status as versionstatus',
      'u.realname as acceptname',
      sql<number>`coalesce((select d.rowversion from formversion d
        where d.formcode = f.formcode and d.version = 'draft' and d.musercode = ${musercode}), 0)`.as('rowversion'),
    ]);
/** A row of `findForm` or `findForms`. */
export type FormRecord = NonNullable<Awaited<ReturnType<typeof findForm>>>;

/** Finds one version of a form. */
export const findVersion = (scope: Scope, formcode: string, version: string) =>
  scope.db
    .selectFrom('formversion')
    .select(['version', 'definition'])
    .where('formcode', '=', formcode)
    .where('version', '=', version)
    .executeTakeFirst();

/** Finds the versions of a form, the newest first. */
export const findVersions = (scope: Scope, formcode: string) =>
  scope.db
    .selectFrom('formversion as v')
    .leftJoin('sysuser as p', 'p.userid', 'v.publishby')
    .leftJoin('sysuser as w', 'w.userid', 'v.withdrawby')
    .select(['v.version', 'v.status', 'v.publishtime', 'v.publishby', 'v.changelog', 'v.withdrawtime', 'v.withdrawreason'])
    .select(['p.realname as publishname', 'w.realname as withdrawname'])
    .where('v.formcode', '=', formcode)
    .where('v.version', '<>', 'draft')
    .orderBy('v.publishtime', 'desc')
    .orderBy('v.version', 'desc')
    .execute();

/** Finds the scores of one form or of all forms. */
export async function findQuotas(scope: Scope, formcode?: string) {
  let query = scope.db.selectFrom('quota as q').innerJoin('form as f', 'f.formcode', 'q.formcode').where('f.isdeleted', '=', 0);
  if (formcode) query = query.where('q.formcode', '=', formcode);
  return query
    .select([
      'q.quotacode',
      'q.formcode',
      'f.formname',
      'q.scorecode',
      'q.quotaname',
      'q.kind',
      'q.domain',
      'q.isprimary',
      'q.minscore',
      'q.maxscore',
      'q.better',
      'q.ordernum',
    ])
    .orderBy('f.ordernum')
    .orderBy('q.ordernum')
    .execute();
}

/** Finds the current definitions of the forms of a plan or of a population, in their order. */
export async function findDefinitions(
  scope: Scope,
  { appid, plancode }: { appid?: string | undefined; plancode?: string | undefined },
) {
  let query = selectForms(scope).innerJoin('formversion as v', (join) =>
    join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
  );
  if (plancode)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('planform as p')
          .select('p.formcode')
          .whereRef('p.formcode', '=', 'f.formcode')
          // The forms of all versions of the plan.
          .where(
            sql<SqlBool>`p.plancode = any(array(
              select v.plancode from plan v join plan r on r.planroot = v.planroot where r.plancode = ${plancode}
              union select ${plancode}))`,
          ),
      ),
    );
  else if (appid) query = query.where(sql<SqlBool>`(f.appids = '{}' or ${appid} = any (f.appids))`);
  return query.select(['f.formcode', 'f.formname', 'v.definition']).orderBy('f.ordernum').execute();
}

interface Acceptance {
  formcode: string;
  musercode: string;
  acceptby: string;
  accepttime: Date;
  note: string;
}

/** Records the proof of a licence and its last day; a renewal replaces them. */
export const saveLicence = (scope: Scope, row: Acceptance & { prooffileid: string; expiredate: string }) =>
  scope.db
    .insertInto('formlicence')
    .values({ ...row, accepted: 1 })
    .onConflict((conflict) =>
      conflict.columns(['formcode', 'musercode']).doUpdateSet({
        accepted: 1,
        acceptby: row.acceptby,
        accepttime: row.accepttime,
        note: row.note,
        prooffileid: row.prooffileid,
        expiredate: row.expiredate,
      }),
    )
    .execute();

/** Records that the institution accepts the conditions. A second call keeps the name and time of the first. */
export const acceptLicence = (scope: Scope, row: Acceptance) =>
  scope.db
    .insertInto('formlicence')
    .values({ ...row, accepted: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['formcode', 'musercode'])
        .doUpdateSet({ accepted: 1, acceptby: row.acceptby, accepttime: row.accepttime, note: row.note })
        .where('formlicence.accepted', '=', 0),
    )
    .execute();

/** Finds the definition of one version of a form; undefined when there is no such version. */
export const findDefinition = async (scope: Scope, formcode: string, version: string) =>
  (
    await scope.db
      .selectFrom('formversion')
      .select('definition')
      .where('formcode', '=', formcode)
      .where('version', '=', version)
      .executeTakeFirst()
  )?.definition as Scale | undefined;

/** Finds the current versions of published forms: of some codes, or of all that an institution may use. */
export async function findCurrentVersions(
  scope: Scope,
  { formcodes, musercode }: { formcodes?: readonly string[]; musercode?: string },
) {
  let query = selectForms(scope).where('f.status', 'in', [1, 2]);
  if (formcodes) query = query.where('f.formcode', 'in', formcodes.length > 0 ? formcodes : ['']);
  if (musercode !== undefined)
    query = query.where(
      sql<SqlBool>`(f.isplatform = 1 or exists (
        select from muser m where m.musercode = ${musercode} and starts_with(m.orgpath, f.orgpath)))`,
    );
  return query.select(['f.formcode', 'f.currentversion']).orderBy('f.ordernum').orderBy('f.formcode').execute();
}
