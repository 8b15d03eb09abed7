import { sql } from 'kysely';
import type { BandOption, BandSet, Scale } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** Whose sheets a set judges. */
export interface Population {
  appid: string | null;
  gender: string | null;
  agemin: number | null;
  agemax: number | null;
}
/** The key of a set: a score of an institution, for some persons. */
export interface SetKey extends Population {
  quotacode: string;
  musercode: string;
}

/** A row of the draft of a set. */
export interface OptionRow extends BandOption, SetKey {
  optionid: number;
  formcode: string;
  insname: string;
  ordernum: number;
  enabled: number;
  originid: number | null;
  origintime: Date | null;
  version: number;
}

/** An option of a set in force, with the row that it was. */
export type StoredOption = BandOption & { optionid: number };
/** A set in force with the name of its institution. */
export interface StoredSet extends Omit<BandSet, 'options'>, SetKey {
  formcode: string;
  insname: string;
  version: number;
  validfrom: Date;
  options: StoredOption[];
}

/** The current definitions of the forms that the caller sees, with scores. */
export const findScales = async (scope: Scope, formcode?: string) => {
  let query = scope.db
    .selectFrom('form as f')
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .leftJoin('muser as m', 'm.musercode', 'f.musercode')
    .where('f.isdeleted', '=', 0)
    .where('f.status', '>', 0);
  if (formcode) query = query.where('f.formcode', '=', formcode);
  const rows = await query
    .select(['f.formcode', 'f.formname', 'f.currentversion', 'f.musercode', 'm.insname', 'v.definition'])
    .orderBy('f.ordernum')
    .orderBy('f.formcode')
    .execute();
  return rows.map(({ definition, ...row }) => ({ ...row, scale: definition as unknown as Scale }));
};

const optionColumns = sql`o.optionid, o.quotacode, o.formcode, o.musercode, m.insname, o.appid, o.gender, o.agemin, o.agemax,
  o.minscore::float8 as minscore, o.maxscore::float8 as maxscore, o.level, o.levelname, o.comment, o.staffcomment, o.suggestion,
  o.ordernum, o.enabled, o.originid, o.origintime, o.version`;

/** The own rows of an institution. */
export const findOptions = async (scope: Scope, musercode: string, formcode?: string): Promise<OptionRow[]> =>
  (
    await sql<OptionRow>`select ${optionColumns} from quotaformoption o join muser m on m.musercode = o.musercode
      where o.musercode = ${musercode} and o.isdeleted = 0 and (${formcode ?? null}::text is null or o.formcode = ${formcode ?? null})
      order by o.quotacode, o.appid nulls first, o.gender nulls first, o.agemin nulls first, o.ordernum, o.optionid`.execute(
      scope.db,
    )
  ).rows;

/** An own row, locked with all rows of its set; undefined for a row of somebody else. */
export async function lockSet(
  scope: Scope,
  musercode: string,
  optionid: number,
): Promise<{ row: OptionRow; rows: OptionRow[] } | undefined> {
  const { rows } = await sql<OptionRow>`
    select ${optionColumns} from quotaformoption o join muser m on m.musercode = o.musercode
      join quotaformoption k on k.optionid = ${optionid} and k.musercode = ${musercode} and k.isdeleted = 0
        and o.quotacode = k.quotacode and o.musercode = k.musercode and o.appid is not distinct from k.appid
        and o.gender is not distinct from k.gender and o.agemin is not distinct from k.agemin
        and o.agemax is not distinct from k.agemax
    where o.isdeleted = 0 order by o.ordernum, o.optionid for update of o`.execute(scope.db);
  const row = rows.find((candidate) => candidate.optionid === optionid);
  return row && { row, rows };
}

const isKey = ({ quotacode, musercode, appid, gender, agemin, agemax }: SetKey) => sql<boolean>`quotacode = ${quotacode}
  and musercode = ${musercode} and appid is not distinct from ${appid} and gender is not distinct from ${gender}
  and agemin is not distinct from ${agemin}::int and agemax is not distinct from ${agemax}::int`;

/** The rows of an institution for some persons, locked. Two savers of one set wait for each other by the row of the score. */
export async function lockSetOf(scope: Scope, key: SetKey): Promise<{ optionid: number }[]> {
  const { rows } = await sql<{ optionid: number }>`select optionid from quotaformoption
    where ${isKey(key)} and isdeleted = 0 order by optionid for update`.execute(scope.db);
  return rows;
}

/** What is stored of a row. */
export type NewOption = BandOption & { ordernum: number; originid: number | null; origintime: Date | null };

/** Adds a row of a set as a draft. */
export const addOption = async (
  scope: Scope,
  { quotacode, musercode, appid, gender, agemin, agemax }: SetKey,
  { isplatform, updateby }: { isplatform: number; updateby: string },
  option: NewOption,
): Promise<number> =>
  (
    await scope.db
      .insertInto('quotaformoption')
      .values({
        quotacode,
        musercode,
        appid,
        gender,
        agemin,
        agemax,
        isplatform,
        updateby,
        formcode: quotacode.slice(0, quotacode.indexOf('.')),
        ...option,
      })
      .returning('optionid')
      .executeTakeFirstOrThrow()
  ).optionid;

/** Changes an own row. */
export const changeOption = (scope: Scope, optionid: number, changes: Partial<NewOption> & { updateby: string }) =>
  scope.db.updateTable('quotaformoption').set(changes).where('optionid', '=', optionid).execute();

/** Deletes own rows. */
export const deleteOptions = async (scope: Scope, optionids: readonly number[], updateby: string) => {
  if (optionids.length > 0)
    await scope.db
      .updateTable('quotaformoption')
      .set({ isdeleted: 1, enabled: 0, updateby })
      .where('optionid', 'in', [...optionids])
      .execute();
};

/** Marks the rows of a set as in force, or as a draft. */
export const markSet = (scope: Scope, key: SetKey, enabled: 0 | 1) =>
  sql`update quotaformoption set enabled = ${enabled} where ${isKey(key)} and isdeleted = 0 and enabled <> ${enabled}`.execute(
    scope.db,
  );

/** The sets in force of an institution and of those above it. */
export const findSetsInForce = async (scope: Scope, musercode: string, formcode?: string): Promise<StoredSet[]> =>
  (
    await sql<StoredSet>`
      select b.bandsetid, b.quotacode, b.formcode, b.orgpath, b.musercode, m.insname, b.appid, b.gender,
        b.agemin, b.agemax, b.version, b.options, b.validfrom
      from bandset b join muser m on m.musercode = b.musercode
      where b.validto is null and (${formcode ?? null}::text is null or b.formcode = ${formcode ?? null})
        and (b.isplatform = 1 or starts_with((select c.orgpath from muser c where c.musercode = ${musercode}), b.orgpath))
      order by length(b.orgpath) desc, b.quotacode, b.bandsetid`.execute(scope.db)
  ).rows;

/** Ends the set in force of a key. Returns whether there was one. */
export const closeSet = async (scope: Scope, key: SetKey, time: Date): Promise<boolean> =>
  Number(
    (await sql`update bandset set validto = ${time} where ${isKey(key)} and validto is null`.execute(scope.db)).numAffectedRows ??
      0,
  ) > 0;

/** Stores a set that is in force from now on. It never changes again, except for its end. */
export const addSet = (
  scope: Scope,
  key: SetKey,
  {
    options,
    ...set
  }: {
    formcode: string;
    formversion: string;
    isplatform: number;
    options: readonly StoredOption[];
    validfrom: Date;
    createby: string;
  },
) => {
  const { quotacode, musercode, appid, gender, agemin, agemax } = key;
  return scope.db
    .insertInto('bandset')
    .values({
      quotacode,
      musercode,
      appid,
      gender,
      agemin,
      agemax,
      ...set,
      options: JSON.stringify(options),
      version: sql<number>`(select coalesce(max(version), 0) + 1 from bandset where ${isKey(key)})`,
    })
    .returning('bandsetid')
    .executeTakeFirstOrThrow();
};
