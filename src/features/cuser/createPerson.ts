import { shanghaiDate } from '#domain/calendar.ts';
import { checkArchive, type ArchiveValue } from '#domain/archive.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import type { Ctx } from '#server/handle.ts';
import { sealedPhone, soundOf } from '#features/cuser/personColumns.ts';
import * as queries from '#features/cuser/cuser.queries.ts';

/** What a new person is made of; shared by the form here, the roster import and the archive import. */
export interface PersonInput {
  appid: string;
  username: string;
  gender: string;
  birthday?: string | null | undefined;
  phonenumber?: string | null | undefined;
  archive: Readonly<Record<string, ArchiveValue>>;
  guardian: readonly { name: string; relation: string; phonenumber?: string | undefined }[];
  owneruserid?: string | null | undefined;
  source?: string;
  importjob?: string | null;
}

/** Archive values checked against the fields of a population; the first fault is refused (120002) at its field. */
export function checkedArchive(appid: string, archive: PersonInput['archive']) {
  const { columns, detail, faults } = checkArchive(appid, archive);
  const fault = faults[0];
  if (fault) throw problems.invalid({ message: fault.message }, { field: fault.field });
  return { columns, detail };
}

/** Creates a person with archive and guardians in the caller's own institution. */
export async function createPerson(ctx: Pick<Ctx, 'scope' | 'vault' | 'now'> & { caller: Staff }, input: PersonInput) {
  const { scope, vault, caller, now } = ctx;
  const { musercode } = caller;
  const { columns, detail } = checkedArchive(input.appid, input.archive);
  const { cuserid } = await queries.addCUser(scope, {
    musercode,
    appid: input.appid,
    username: input.username,
    ...soundOf(input.username),
    gender: input.gender,
    birthday: input.birthday || null,
    ...sealedPhone(vault, musercode, input.phonenumber),
    // Who sees only the persons of some departments adds them to their own care, or could not read what they wrote.
    owneruserid: input.owneruserid ?? (caller.scoped ? caller.userid : null),
    source: input.source ?? '01',
    importjob: input.importjob ?? null,
    createby: caller.accountid,
  });
  const archive = await queries.addArchive(scope, {
    cuserid,
    musercode,
    appid: input.appid,
    opendate: shanghaiDate(now),
    columns,
    detail: JSON.stringify(detail),
  });
  await queries.addGuardians(
    scope,
    input.guardian.map(({ name, relation, phonenumber }) => ({
      cuserid,
      musercode,
      name,
      relation,
      ...sealedPhone(vault, musercode, phonenumber),
    })),
  );
  return { cuserid, ...archive };
}
