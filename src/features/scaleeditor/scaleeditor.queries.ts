import { createHash } from 'node:crypto';
import type { FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { quotasOf } from '#domain/scoring/scales/library.ts';
import type { Scope } from '#server/db/scope.ts';

/** The version of every draft. */
export const DRAFT = 'draft';

/** Returns the definition as the database has it, and its hash as the seed of the library computes it. */
const toStored = (scale: Scale) => {
  const definition = JSON.stringify(scale);
  return { definition, definitionhash: createHash('sha256').update(definition).digest('hex') };
};

/** The columns of `form` that its definition gives. */
const toColumns = (scale: Scale) => ({
  formname: scale.title,
  entitle: scale.entitle ?? null,
  formtype: scale.formtype,
  tier: scale.tier,
  appids: [...(scale.appids ?? [])],
  itemcount: scale.items.length,
  minutes: scale.minutes ?? Math.max(1, Math.ceil(scale.items.length / 6)),
  agemin: scale.agemin ?? null,
  agemax: scale.agemax ?? null,
  recall: scale.recall ?? null,
  introduce: scale.instruction ?? null,
  citation: scale.citation ?? null,
  licencetext: scale.licencetext ?? null,
});

/** Finds a form that the caller may see. */
export const findForm = (scope: Scope, formcode: string) =>
  scope.db
    .selectFrom('form')
    .select(['formcode', 'formname', 'musercode', 'isplatform', 'currentversion', 'status'])
    .where('formcode', '=', formcode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Locks a form of the institution, so that drafts and versions of the form change one after the other. */
export const lockForm = (scope: Scope, formcode: string, musercode: string) =>
  scope.db
    .selectFrom('form')
    .select(['formcode', 'formname', 'musercode', 'isplatform', 'currentversion', 'status'])
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();
/** A row of `lockForm`. */
export type OwnForm = NonNullable<Awaited<ReturnType<typeof lockForm>>>;

/** Finds one version of a form; `draft` is the draft. */
export const findVersion = (scope: Scope, formcode: string, version: string) =>
  scope.db
    .selectFrom('formversion as v')
    .leftJoin('sysuser as u', 'u.userid', 'v.updateby')
    .select([
      'v.version',
      'v.musercode',
      'v.definition',
      'v.definitionhash',
      'v.status',
      'v.rowversion',
      'v.updatetime',
      'v.updateby',
    ])
    .select('u.realname')
    .where('v.formcode', '=', formcode)
    .where('v.version', '=', version)
    .executeTakeFirst();

/** Adds a form with an empty row of the definition; returns its code, which the database gives. */
export async function addForm(
  scope: Scope,
  row: { musercode: string; isplatform: number; copyfrom: string | null },
  scale: Scale,
): Promise<string> {
  const { formcode } = await scope.db
    .insertInto('form')
    .values({ ...row, ...toColumns(scale), currentversion: DRAFT, status: 0 } as never)
    .returning('formcode')
    .executeTakeFirstOrThrow();
  return formcode;
}

interface Save {
  formcode: string;
  musercode: string;
  isplatform: number;
  updateby: string;
  updatetime: Date;
}

/** Adds the draft of a form; returns false when the form has one. */
export async function addDraft(scope: Scope, { updateby, updatetime, ...row }: Save, scale: Scale): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope.db
    .insertInto('formversion')
    .values({ ...row, version: DRAFT, status: 0, ...toStored(scale), updateby, updatetime } as never)
    .onConflict((conflict) => conflict.columns(['formcode', 'version']).doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0) === 1;
}

/** Saves the draft; returns its new row version, or undefined when somebody else saved since `rowversion`. */
export async function saveDraft(
  scope: Scope,
  { formcode, updateby, updatetime }: Save,
  rowversion: number,
  scale: Scale,
): Promise<number | undefined> {
  const row = await scope.db
    .updateTable('formversion')
    .set({ ...toStored(scale), updateby, updatetime, rowversion: rowversion + 1 } as never)
    .where('formcode', '=', formcode)
    .where('version', '=', DRAFT)
    .where('rowversion', '=', rowversion)
    .returning('rowversion')
    .executeTakeFirst();
  return row?.rowversion;
}

/** Writes the columns of `form` from a definition, and `more`. */
export const updateForm = (
  scope: Scope,
  formcode: string,
  scale: Scale,
  more: { updatetime: Date; currentversion?: string; status?: number },
) =>
  scope.db
    .updateTable('form')
    .set({ ...toColumns(scale), ...more })
    .where('formcode', '=', formcode)
    .execute();

/** Changes the status of a form: 1 published, 2 retired. */
export const setFormStatus = (scope: Scope, formcode: string, status: number, updatetime: Date) =>
  scope.db.updateTable('form').set({ status, updatetime }).where('formcode', '=', formcode).execute();

/** Deletes the draft; returns false when somebody else saved it since `rowversion`. */
export async function removeDraft(scope: Scope, formcode: string, rowversion: number): Promise<boolean> {
  const { numDeletedRows } = await scope.db
    .deleteFrom('formversion')
    .where('formcode', '=', formcode)
    .where('version', '=', DRAFT)
    .where('rowversion', '=', rowversion)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === 1;
}

/** Deletes a form that was never published, with its licence. */
export async function removeForm(scope: Scope, formcode: string): Promise<void> {
  await scope.db.deleteFrom('formlicence').where('formcode', '=', formcode).execute();
  await scope.db.deleteFrom('form').where('formcode', '=', formcode).where('status', '=', 0).execute();
}

/** The institution's licence of a form. */
export async function findLicence(scope: Scope, formcode: string, musercode: string) {
  const row = await scope.db
    .selectFrom('formlicence')
    .select(['accepted', 'prooffileid', 'wording', 'expiredate'])
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .executeTakeFirst();
  return row && { ...row, wording: row.wording as FormWording | null };
}

/** Finds the codes of the forms that may follow another one in a sitting. */
export const findPublishedCodes = async (scope: Scope): Promise<string[]> =>
  (await scope.db.selectFrom('form').select('formcode').where('status', '=', 1).where('isdeleted', '=', 0).execute()).map(
    ({ formcode }) => formcode,
  );

/** Turns the draft into a version. The version before it is superseded, unless it was withdrawn. */
export async function publishDraft(
  scope: Scope,
  {
    formcode,
    rowversion,
    ...row
  }: { formcode: string; rowversion: number; publishby: string; publishtime: Date; changelog: string },
  scale: Scale,
): Promise<boolean> {
  await scope.db.updateTable('formversion').set({ status: 2 }).where('formcode', '=', formcode).where('status', '=', 1).execute();
  const { numUpdatedRows } = await scope.db
    .updateTable('formversion')
    .set({ ...row, ...toStored(scale), version: scale.version, status: 1 })
    .where('formcode', '=', formcode)
    .where('version', '=', DRAFT)
    .where('rowversion', '=', rowversion)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

/** Writes the scores of a version as rows of `quota`. A score that the version does not have keeps its row with `enabled` 0. */
export async function saveQuotas(scope: Scope, owner: { musercode: string; isplatform: number }, scale: Scale): Promise<void> {
  const rows = quotasOf(scale).map((quota, index) => ({ ...quota, ...owner, ordernum: index + 1, enabled: 1 }));
  await scope.db
    .updateTable('quota')
    .set({ enabled: 0 })
    .where('formcode', '=', scale.formcode)
    .where('quotacode', 'not in', rows.length ? rows.map(({ quotacode }) => quotacode) : [''])
    .execute();
  for (const row of rows)
    await scope.db
      .insertInto('quota')
      .values(row as never)
      .onConflict((conflict) =>
        conflict.column('quotacode').doUpdateSet({
          quotaname: row.quotaname,
          kind: row.kind,
          domain: row.domain,
          isprimary: row.isprimary,
          minscore: row.minscore,
          maxscore: row.maxscore,
          better: row.better,
          ordernum: row.ordernum,
          enabled: 1,
        }),
      )
      .execute();
}

/** Marks a version as wrong; returns false when it is withdrawn already. */
export async function withdrawVersion(
  scope: Scope,
  {
    formcode,
    version,
    ...row
  }: { formcode: string; version: string; withdrawby: string; withdrawtime: Date; withdrawreason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await scope.db
    .updateTable('formversion')
    .set({ ...row, status: 3 })
    .where('formcode', '=', formcode)
    .where('version', '=', version)
    .where('status', 'in', [1, 2])
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

/** Counts the persons in the caller's range who handed in a version. */
export async function countPersons(scope: Scope, formcode: string, version: string): Promise<number> {
  const { persons } = await scope.db
    .selectFrom('examform')
    .select(({ fn }) => fn.count<number>('cuserid').distinct().as('persons'))
    .where('formcode', '=', formcode)
    .where('formversion', '=', version)
    .where('status', '=', 2)
    .executeTakeFirstOrThrow();
  return Number(persons);
}
