import { shanghaiDate } from '#domain/base/calendar.ts';
import { checkArchive, type ArchiveValue } from '#domain/person/archive.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import * as queries from '#features/cuser/cuser.queries.ts';
import { guardianColumns, encryptPhone, pinyinOf, type GuardianInput } from '#features/cuser/personColumns.ts';

/** What all persons of one call have in common. */
export interface Origin {
  musercode: string;
  appid: string;
  /** `cuser.source`: 01 form, 02 import, 03 assessment code, 04 scan */
  source: '01' | '02' | '03' | '04';
  /** the import that undo looks for */
  importjob?: string;
  createby: string;
}

/** A new person. Archive values are checked and split before (`checkedArchive`). */
export interface NewPerson {
  username: string;
  gender: string;
  birthday?: string | null | undefined;
  phonenumber?: string | null | undefined;
  owneruserid?: string | null | undefined;
  /** names the browser tab of a person without a name */
  scanhash?: string | null | undefined;
  archive?: SplitArchive;
  guardians?: readonly GuardianInput[];
}

/** Archive values by where they are stored: columns of their own, and one JSON value. */
export interface SplitArchive {
  columns: Partial<queries.ArchiveColumns>;
  detail: Readonly<Record<string, ArchiveValue>>;
}

export interface CreatedPerson {
  cuserid: string;
  archiveid: number;
  archiveno: string;
}

const noColumns: queries.ArchiveColumns = {
  studentno: null,
  employeeno: null,
  eduphase: null,
  gradecode: null,
  gradename: null,
  classname: null,
  unitname: null,
};
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Creates persons, each with an archive and guardians, in a fixed number of statements for any number of persons. This is the only
 * place that makes persons. Answers them in the order of the list.
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
  for (const [at, person] of persons.entries()) {
    const number = numbers[at] as (typeof numbers)[0];
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
      // The last digit of the population, the year, six digits.
      archiveno: `${appid.slice(-1)}${opendate.slice(0, 4)}${String(number.archive).padStart(6, '0')}`,
      opendate,
      ...noColumns,
      ...person.archive?.columns,
      detail: person.archive?.detail ?? {},
    });
    for (const guardian of person.guardians ?? []) guardians.push(guardianColumns(cipher, { cuserid, musercode }, guardian));
    // The sound and the encryption of thousands take a while; other calls are served in between.
    if (at % 500 === 499) await pause();
  }
  await queries.insertCUsers(scope, cusers);
  const archiveids = await queries.insertArchives(scope, archives);
  await queries.insertGuardians(scope, guardians);
  return archives.map(({ cuserid, archiveno }) => ({ cuserid, archiveid: archiveids.get(cuserid) as number, archiveno }));
}

/** Archive values checked against the fields of a population; the first fault is refused (120002) at its field. */
export function checkedArchive(appid: string, archive: Readonly<Record<string, ArchiveValue>>): SplitArchive {
  const { columns, detail, faults } = checkArchive(appid, archive);
  const fault = faults[0];
  if (fault) throw problems.invalid({ message: fault.message }, { field: fault.field });
  return { columns, detail };
}

/** What the form of a new person sends. */
export interface PersonForm {
  appid: string;
  username: string;
  gender: string;
  birthday?: string | null | undefined;
  phonenumber?: string | null | undefined;
  archive: Readonly<Record<string, ArchiveValue>>;
  guardian: readonly GuardianInput[];
  owneruserid?: string | null | undefined;
}

/** Creates the person of a form in the caller's own institution. */
export async function createPerson(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  { appid, archive, guardian, owneruserid, ...person }: PersonForm,
): Promise<CreatedPerson> {
  const { musercode, accountid, hasDataScope, userid } = ctx.caller;
  const [created] = await createPersons(ctx, { musercode, appid, source: '01', createby: accountid }, [
    {
      ...person,
      // Staff who see only the persons of some departments become responsible, or they could not read what they wrote.
      owneruserid: owneruserid ?? (hasDataScope ? userid : null),
      archive: checkedArchive(appid, archive),
      guardians: guardian,
    },
  ]);
  return created as CreatedPerson;
}
