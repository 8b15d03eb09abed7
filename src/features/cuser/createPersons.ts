import { shanghaiDate } from '#domain/base/calendar.ts';
import { archiveFieldsOf, checkArchive, type ArchiveValue } from '#domain/person/archive.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';
import * as queries from '#features/cuser/cuser.queries.ts';
import { assertIdFree, assertNumbersFree } from '#features/cuser/takenNumbers.ts';
import { guardianColumns, encryptPhone, pinyinOf, type GuardianInput } from '#features/cuser/personColumns.ts';

/** The fields that all persons of one call share. */
export interface Origin {
  musercode: string;
  appid: string;
  /** `cuser.source`: 01 form, 02 import, 03 assessment code, 04 scan */
  source: '01' | '02' | '03' | '04';
  /** the import that created the persons, for its undo */
  importjob?: string;
  createby: string;
}

/** A new person. `splitArchive` has checked and split the archive values. */
export interface NewPerson {
  username: string;
  gender: string;
  birthday?: string | null | undefined;
  phonenumber?: string | null | undefined;
  /** the ID number of an adult; only its keyed hash is stored */
  idno?: string | null | undefined;
  owneruserid?: string | null | undefined;
  /** identifies the browser tab of an anonymous person */
  scanhash?: string | null | undefined;
  archive?: SplitArchive;
  guardians?: readonly GuardianInput[];
}

/** Archive values by their place in the database: columns, and one JSON value. */
export interface SplitArchive {
  columns: Partial<queries.ArchiveColumns>;
  detail: Readonly<Record<string, ArchiveValue>>;
}

/** The codes and numbers of a new person. */
export interface CreatedPerson {
  cuserid: string;
  archiveid: number;
  archiveno: string;
}

/** The archive columns, empty. */
export const noColumns: queries.ArchiveColumns = {
  studentno: null,
  employeeno: null,
  eduphase: null,
  gradecode: null,
  gradename: null,
  classname: null,
  unitname: null,
  lmpdate: null,
  edcdate: null,
  deliverydate: null,
};
const PREGNANCY_COLUMNS: readonly string[] = ['lmpdate', 'edcdate', 'deliverydate'];
/** The last digit of the population, the year, and a number of six digits. */
function archiveNumber(appid: string, opendate: string, number: number): string {
  // The number has a part of the code, so the code must be one of ours before it is cut.
  if (!archiveFieldsOf[appid]) throw problems.notFound({ what: '人群' });
  return `${appid.slice(-1)}${opendate.slice(0, 4)}${String(number).padStart(6, '0')}`;
}

const yieldToOtherCalls = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Creates persons with their archives and guardians and returns them in the order of the list. It needs a fixed number of
 * statements for any number of persons. No other function creates persons.
 */
export async function createPersons(
  { scope, cipher, now }: Pick<Context, 'scope' | 'cipher' | 'now'>,
  { musercode, appid, source, importjob, createby }: Origin,
  persons: readonly NewPerson[],
): Promise<CreatedPerson[]> {
  const opendate = shanghaiDate(now);
  const numbers = await queries.takePersonNumbers(scope, persons.length);
  const cusers: queries.NewCUserRow[] = [];
  const archives: queries.NewArchiveRow[] = [];
  const guardians: queries.NewGuardianRow[] = [];
  for (const [index, person] of persons.entries()) {
    const number = numbers[index] as (typeof numbers)[0];
    const cuserid = `C${String(number.person).padStart(10, '0')}`;
    cusers.push({
      cuserid,
      musercode,
      appid,
      username: person.username,
      ...pinyinOf(person.username),
      gender: person.gender,
      birthday: person.birthday || null,
      ...encryptPhone(cipher, musercode, person.phonenumber),
      idtype: person.idno ? '01' : null,
      idnohash: person.idno ? cipher.blindIndex(musercode, 'cuser.idno', person.idno) : null,
      owneruserid: person.owneruserid ?? null,
      source,
      importjob: importjob ?? null,
      scanhash: person.scanhash ?? null,
      createby,
    });
    archives.push({
      cuserid,
      musercode,
      appid,
      archiveno: archiveNumber(appid, opendate, number.archive),
      opendate,
      ...noColumns,
      ...person.archive?.columns,
      detail: person.archive?.detail ?? {},
    });
    for (const guardian of person.guardians ?? []) guardians.push(guardianColumns(cipher, { cuserid, musercode }, guardian));
    // The pinyin and the encryption of thousands of persons block the process, so let other calls run in between.
    if (index % 500 === 499) await yieldToOtherCalls();
  }
  await queries.insertCUsers(scope, cusers);
  const archiveids = await queries.insertArchives(scope, archives);
  await queries.insertGuardians(scope, guardians);
  return archives.map(({ cuserid, archiveno }) => ({ cuserid, archiveid: archiveids.get(cuserid) as number, archiveno }));
}

/** Opens a new archive of a person; student, class and unit of the one before go on, the facts of its time do not. */
export async function createArchive(
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  {
    cuserid,
    musercode,
    appid,
    before,
  }: { cuserid: string; musercode: string; appid: string; before: Partial<queries.ArchiveColumns> | undefined },
): Promise<{ archiveid: number; archiveno: string }> {
  const [numbers] = await queries.takePersonNumbers(scope, 1);
  const opendate = shanghaiDate(now);
  const archiveno = archiveNumber(appid, opendate, numbers?.archive as number);
  const kept = Object.fromEntries(
    (Object.keys(noColumns) as (keyof typeof noColumns)[])
      .filter((column) => !PREGNANCY_COLUMNS.includes(column))
      .map((column) => [column, before?.[column] ?? null]),
  );
  const ids = await queries.insertArchives(scope, [
    { cuserid, musercode, appid, archiveno, opendate, ...noColumns, ...kept, detail: {} },
  ]);
  return { archiveid: ids.get(cuserid) as number, archiveno };
}

/**
 * Checks archive values against the fields of a population, with the institution's own, and splits them. Throws 120002 for the first
 * invalid field.
 */
export async function splitArchive(
  scope: Scope,
  { musercode, appid }: { musercode: string; appid: string },
  archive: Readonly<Record<string, ArchiveValue>>,
): Promise<SplitArchive> {
  const ownFieldsOf = await findOwnFields(scope, musercode);
  const { columns, detail, faults } = checkArchive(appid, archive, ownFieldsOf(appid));
  const fault = faults[0];
  if (fault) throw problems.invalid({ message: fault.message }, { field: fault.field });
  return { columns, detail };
}

/** The request of the form of a new person. */
export interface PersonForm {
  appid: string;
  username: string;
  gender: string;
  birthday?: string | null | undefined;
  phonenumber?: string | null | undefined;
  idno?: string | null | undefined;
  archive: Readonly<Record<string, ArchiveValue>>;
  guardian: readonly GuardianInput[];
  owneruserid?: string | null | undefined;
}

/**
 * Creates the person of a form in the caller's own institution and returns the codes and numbers. `within` is the request field of the
 * form, with a dot, for refusals. A number of another person answers 130002 with that person.
 */
export async function createPerson(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  { appid, archive, guardian, owneruserid, ...person }: PersonForm,
  within = '',
): Promise<CreatedPerson> {
  const { musercode, accountid, hasDataScope, userid } = ctx.caller;
  const values = await splitArchive(ctx.scope, { musercode, appid }, archive);
  await assertNumbersFree(ctx.scope, values, { musercode, within });
  if (person.idno) await assertIdFree(ctx, { appid, idno: person.idno, musercode }, within);
  const [created] = await createPersons(ctx, { musercode, appid, source: '01', createby: accountid }, [
    {
      ...person,
      // Staff with a restricted data scope become responsible for the person; otherwise they could not see the new record.
      owneruserid: owneruserid ?? (hasDataScope ? userid : null),
      archive: values,
      guardians: guardian,
    },
  ]);
  return created as CreatedPerson;
}
