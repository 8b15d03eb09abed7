import { sql } from 'kysely';
import { purposeOf } from '#domain/consult/consult.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** The registration forms (type 03) of an institution. Works in the sessions of staff and of respondents. */

/** A registration form as an institution may use it, in the newest version that was not withdrawn. */
export interface ConsultForm {
  formcode: string;
  formname: string;
  formversion: string;
  /** the title for persons */
  title: string;
  purpose: NonNullable<Scale['purpose']>;
  /** the populations that may use it; empty: all */
  appids: readonly string[];
  isown: boolean;
  enabled: boolean;
  ordernum: number;
  scale: Scale;
}

/** The platform's form that an institution offers until it decides otherwise. */
const DEFAULT_FORM = 'CONSULTREG';
const SELFBOOK = 'consult.selfbook';

/**
 * The published registration forms that an institution may use: the platform's, its own and those of institutions above; with `formcode`
 * only that one. Only 申请 can be enabled. When the current version was withdrawn, the newest other published version stands in for it.
 */
export async function findConsultForms(scope: Scope, musercode: string, formcode?: string): Promise<ConsultForm[]> {
  const { rows } = await sql<{
    formcode: string;
    formname: string;
    formversion: string;
    definition: Scale;
    owner: string;
    appids: string[];
    title: string | null;
    enabled: number | null;
    ordernum: number | null;
  }>`
    select f.formcode, f.formname, v.version as formversion, v.definition, f.musercode as owner, f.appids,
      x.title, x.enabled, x.ordernum
    from form f
      cross join lateral (
        select v.version, v.definition from formversion v
        where v.formcode = f.formcode and v.status in (1, 2)
        order by v.status, v.publishtime desc, v.version desc limit 1) v
      left join consultform x on x.formcode = f.formcode and x.musercode = ${musercode}
    where f.formtype = '03' and f.status = 1 and f.enabled = 1 and f.isdeleted = 0
      ${formcode === undefined ? sql`` : sql`and f.formcode = ${formcode}`}
      and (f.isplatform = 1 or exists (
        select from muser m where m.musercode = ${musercode} and starts_with(m.orgpath, f.orgpath)))
    order by coalesce(x.ordernum, 0), f.isplatform, f.ordernum, f.formcode`.execute(scope.db);
  return rows.map(({ definition, owner, title, enabled, ordernum, ...row }) => {
    const purpose = purposeOf(definition) ?? '01';
    return {
      ...row,
      scale: definition,
      purpose,
      title: title || row.formname,
      isown: owner === musercode,
      enabled: purpose === '01' && (enabled ?? (row.formcode === DEFAULT_FORM ? 1 : 0)) === 1,
      ordernum: ordernum ?? 0,
    };
  });
}

/** The forms that an institution offers for applications of persons of a population. */
export const findOfferedForms = async (scope: Scope, musercode: string, appid: string): Promise<ConsultForm[]> =>
  (await findConsultForms(scope, musercode)).filter((form) => form.enabled && isForPopulation(form, appid));

/** Whether a form is for persons of a population. */
export const isForPopulation = ({ appids }: Pick<ConsultForm, 'appids'>, appid: string): boolean =>
  appids.length === 0 || appids.includes(appid);

/** How many registrations of an institution have each form. */
export async function countUses(scope: Scope, musercode: string): Promise<Map<string, number>> {
  const rows = await scope.db
    .selectFrom('consult')
    .select(({ fn }) => ['formcode', fn.countAll<number>().as('uses')])
    .where('musercode', '=', musercode)
    .where('formcode', 'is not', null)
    .where('isdeleted', '=', 0)
    .groupBy('formcode')
    .execute();
  return new Map(rows.flatMap(({ formcode, uses }) => (formcode === null ? [] : [[formcode, uses] as const])));
}

/** Saves how an institution offers a form. */
export const saveConsultForm = (
  scope: Scope,
  row: { musercode: string; formcode: string; title: string; enabled: number; ordernum: number; updatetime: Date },
) =>
  scope.db
    .insertInto('consultform')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['musercode', 'formcode'])
        .doUpdateSet({ title: row.title, enabled: row.enabled, ordernum: row.ordernum, updatetime: row.updatetime }),
    )
    .execute();

/** Whether persons of an institution choose a free time themselves; by default they do not. */
export async function isSelfbookAllowed(scope: Scope, musercode: string): Promise<boolean> {
  const row = await scope.db
    .selectFrom('setting')
    .select('value')
    .where('musercode', '=', musercode)
    .where('key', '=', SELFBOOK)
    .executeTakeFirst();
  return row?.value === 1;
}

/** Saves whether persons choose a free time themselves. */
export const saveSelfbook = (scope: Scope, musercode: string, selfbook: number) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: SELFBOOK, value: JSON.stringify(selfbook) })
    .onConflict((conflict) =>
      conflict.columns(['musercode', 'key']).doUpdateSet({ value: sql`excluded.value`, updatetime: sql<Date>`now()` }),
    )
    .execute();
