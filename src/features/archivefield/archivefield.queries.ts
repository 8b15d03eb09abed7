import { sql } from 'kysely';
import type { ArchiveFieldDef } from '#domain/person/archive.ts';
import { toFieldDef, type OwnField } from '#domain/person/ownFields.ts';
import type { Scope } from '#server/db/scope.ts';

type Options = OwnField['options'];
type OwnFieldRow = OwnField & { fieldid: number; appid: string; ordernum: number; enabled: number; version: number };

const columns = [
  'fieldid',
  'version',
  'appid',
  'fieldcode',
  'fieldname',
  'kind',
  'options',
  'ordernum',
  'inlist',
  'inexport',
  'insearch',
  'required',
  'sensitive',
  'enabled',
] as const;

const selectFields = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('archivefield')
    .select(columns)
    .where('musercode', '=', musercode)
    .orderBy('appid')
    .orderBy('ordernum')
    .orderBy('fieldid');

/** The own fields of an institution for a population, the hidden ones too. */
export const findAllOwnFields = async (scope: Scope, musercode: string, appid: string): Promise<OwnFieldRow[]> =>
  (await selectFields(scope, musercode).where('appid', '=', appid).execute()) as unknown as OwnFieldRow[];

/** The own fields of an institution that are in use, by population. */
export async function findOwnFields(scope: Scope, musercode: string): Promise<(appid: string) => readonly ArchiveFieldDef[]> {
  const rows = (await selectFields(scope, musercode).where('enabled', '=', 1).execute()) as unknown as OwnFieldRow[];
  const byAppid = new Map<string, ArchiveFieldDef[]>();
  for (const row of rows) byAppid.set(row.appid, [...(byAppid.get(row.appid) ?? []), toFieldDef(row)]);
  return (appid) => byAppid.get(appid) ?? [];
}

/** How many archives of a population have a value of each own field. */
export async function countUses(scope: Scope, musercode: string, appid: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ fieldcode: string; n: number }>`
    select v.key as fieldcode, count(*)::int as n
    from cuserarchive a, jsonb_each_text(a.detail) v
    where a.musercode = ${musercode} and a.appid = ${appid} and v.key ~ '^x[0-9]+$' and v.value is not null
    group by v.key`.execute(scope.db);
  return new Map(rows.map(({ fieldcode, n }) => [fieldcode, n]));
}

/** The codes of options of a field that archives use. */
export async function findUsedOptions(
  scope: Scope,
  { musercode, appid, fieldcode }: { musercode: string; appid: string; fieldcode: string },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ code: string }>`
    select distinct v.code
    from cuserarchive a, lateral (
      select case when jsonb_typeof(a.detail -> ${fieldcode}) = 'array' then a.detail -> ${fieldcode}
        else jsonb_build_array(a.detail -> ${fieldcode}) end as items) l, jsonb_array_elements_text(l.items) v(code)
    where a.musercode = ${musercode} and a.appid = ${appid} and a.detail ->> ${fieldcode} is not null`.execute(scope.db);
  return new Set(rows.map(({ code }) => code));
}

/** A new own field. */
export type NewOwnField = Omit<OwnFieldRow, 'fieldid' | 'enabled' | 'version'> & { musercode: string };

/** Adds an own field and returns its key. */
export const addOwnField = ({ db }: Scope, { options, ...field }: NewOwnField) =>
  db
    .insertInto('archivefield')
    .values({ ...field, options: JSON.stringify(options) })
    .returning('fieldid')
    .executeTakeFirstOrThrow();

/** An own field of an institution, locked; undefined without one. */
export const lockOwnField = async (scope: Scope, musercode: string, fieldid: number): Promise<OwnFieldRow | undefined> =>
  (await selectFields(scope, musercode).where('fieldid', '=', fieldid).forUpdate().executeTakeFirst()) as OwnFieldRow | undefined;

/** Changes an own field. */
export const changeOwnField = (
  { db }: Scope,
  fieldid: number,
  { options, ...changes }: { options?: Options | undefined; [column: string]: unknown },
) =>
  db
    .updateTable('archivefield')
    .set({ ...changes, ...(options ? { options: JSON.stringify(options) } : {}) })
    .where('fieldid', '=', fieldid)
    .execute();

/** Deletes an own field. */
export const removeOwnField = ({ db }: Scope, fieldid: number) =>
  db.deleteFrom('archivefield').where('fieldid', '=', fieldid).execute();
