import { shanghaiDate } from '#domain/base/calendar.ts';
import { archiveFieldsOf, type ArchiveValue } from '#domain/person/archive.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { insertMany } from '#server/db/insertMany.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { createPersons, type CreatedPerson, type SplitArchive } from '#features/cuser/createPersons.ts';
import { insertGuardians } from '#features/cuser/cuser.queries.ts';
import { guardianColumns, encryptPhone } from '#features/cuser/personColumns.ts';
import type { RosterResult } from '#features/team/roster/roster.contract.ts';
import type { ImportPlan } from '#features/team/roster/plan.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import { numberField, type ImportRow } from '#features/team/roster/row.ts';
import { tellOwnersOfLeaving } from '#features/warning/handover/leaveTeam.ts';
import * as queries from '#features/team/roster/roster.queries.ts';
import { markFields, type Image } from '#features/team/roster/undo.queries.ts';
import { updateMemberCounts } from '#features/team/team.queries.ts';

/** The data that an undo needs in addition to `importjob` in the rows. */
export interface UndoRecord {
  before: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  after: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  guardianids: number[];
  teamcodes: string[];
}

type Counts = Pick<RosterResult, 'created' | 'joined' | 'moved' | 'updated' | 'unchanged' | 'teams'>;

/**
 * Writes a plan and returns its counts. It needs a fixed number of statements for any number of rows. Every new row has `jobid` in
 * `importjob`, so that the import can be undone.
 */
export async function applyRosterPlan(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  job: { jobid: string; musercode: string; appid: string; kind: PersonKind },
  plan: ImportPlan,
): Promise<{ counts: Counts; undo: UndoRecord; cuserids: string[] }> {
  const { scope, cipher, caller } = ctx;
  const { jobid: importjob, musercode, appid, kind } = job;
  const date = shanghaiDate(ctx.now);

  const newTeams = plan.teams.filter((team) => !team.existing);
  const teamnumbers = await queries.takeTeamNumbers(scope, newTeams.length);
  const codes = new Map(plan.teams.map((team) => [team, team.existing?.teamcode ?? '']));
  newTeams.forEach((team, index) => codes.set(team, `G${String(teamnumbers[index]).padStart(6, '0')}`));
  await insertMany(
    scope,
    'assessteam',
    newTeams.map((team) => {
      const { gradecode, gradename, classname, ...fields } = team.values;
      return {
        teamcode: codes.get(team),
        musercode,
        appid,
        ...fields,
        gradecode: gradecode || null,
        gradename: gradename || null,
        classname: classname || null,
        importjob,
      };
    }),
  );

  const ids = new Map<string, string>();
  for (const population of new Set(plan.persons.map(({ row }) => row.appid))) {
    const persons = plan.persons.filter(({ row }) => row.appid === population);
    const created = await createPersons(
      ctx,
      { musercode, appid: population, source: '02', importjob, createby: caller.accountid },
      persons.map(({ row, owneruserid }) => ({
        username: row.username,
        gender: row.gender as string,
        birthday: row.birthday,
        phonenumber: row.phone,
        idno: row.idno,
        owneruserid,
        archive: splitArchive(kind, population, row.archive, row.number),
        guardians: row.guardians.map(toGuardianInput),
      })),
    );
    persons.forEach(({ ref }, index) => ids.set(ref, (created[index] as CreatedPerson).cuserid));
  }
  const toCuserid = (ref: string) => ids.get(ref) ?? ref;

  const changedCuserids = plan.changes.map((change) => change.cuserid);
  const returning = plan.joins.filter((join) => join.isReturning);
  const movedCuserids = [...new Set([...plan.leaves.map((leave) => leave.cuserid), ...returning.map((join) => join.ref)])];
  const readImages = async () => ({
    cuser: await queries.readImages(scope, 'cuser', changedCuserids),
    cuserarchive: await queries.readImages(scope, 'cuserarchive', changedCuserids),
    teamroster: await queries.readImages(scope, 'teamroster', movedCuserids),
  });
  const before = await readImages();
  await queries.changePersons(
    scope,
    plan.changes.map(({ cuserid, cuser }) => ({
      cuserid,
      gender: cuser.gender ?? null,
      birthday: cuser.birthday ?? null,
      owneruserid: cuser.owneruserid ?? null,
      ...encryptPhone(cipher, musercode, cuser.phone),
      idnohash: cuser.idno ? cipher.blindIndex(musercode, 'cuser.idno', cuser.idno) : null,
    })),
    caller.accountid,
  );
  await queries.changeArchives(
    scope,
    plan.changes.map(({ cuserid, appid: population, archive, number }) => ({
      cuserid,
      appid: population,
      ...splitArchive(kind, population, archive, number ?? null),
    })),
  );
  const guardianids = await insertGuardians(
    scope,
    plan.changes.flatMap(({ cuserid, guardians }) =>
      guardians.map((guardian) => guardianColumns(cipher, { cuserid, musercode }, toGuardianInput(guardian))),
    ),
  );
  const withGuardians = plan.changes.filter(({ guardians }) => guardians.length > 0);
  await markFields(
    scope,
    withGuardians.map(({ cuserid }) => ({ cuserid, fields: ['guardian'] })),
  );

  await queries.endMemberships(scope, plan.leaves, date);
  await tellOwnersOfLeaving(ctx, plan.leaves);
  const memberships = plan.joins.map(({ team, ref, isReturning }) => ({
    teamcode: codes.get(team) as string,
    cuserid: toCuserid(ref),
    isReturning,
  }));
  const newMemberships = memberships.filter((membership) => !membership.isReturning);
  await queries.rejoinMembers(
    scope,
    memberships.filter((membership) => membership.isReturning),
    date,
  );
  await insertMany(
    scope,
    'teamroster',
    newMemberships.map(({ teamcode, cuserid }) => ({ teamcode, cuserid, musercode, joindate: date, importjob })),
  );
  const teamcodes = [...new Set([...codes.values(), ...plan.leaves.map((leave) => leave.teamcode)])];
  await updateMemberCounts(scope, teamcodes);

  const newKeys = new Set(newMemberships.map(({ teamcode, cuserid }) => `${teamcode}${cuserid}`));
  const after = await readImages();
  after.teamroster = after.teamroster.filter((row) => !newKeys.has(`${String(row['teamcode'])}${String(row['cuserid'])}`));
  const countRows = (effect: string) => [...plan.effects.values()].filter((item) => item === effect).length;
  return {
    counts: {
      created: ids.size,
      joined: countRows('join'),
      moved: countRows('move'),
      updated: countRows('update'),
      unchanged: countRows('same'),
      teams: plan.teams.map((team) => ({
        teamcode: codes.get(team) as string,
        teamname: team.values.teamname,
        created: !team.existing,
        count: team.joinCount,
      })),
    },
    undo: { before, after, guardianids, teamcodes },
    cuserids: [...ids.values(), ...changedCuserids],
  };
}

const toGuardianInput = ({ name, relation, phone }: ImportRow['guardians'][number]) => ({
  name,
  relation,
  phonenumber: phone,
});
/** Splits the archive values of a row and the person's number into columns and detail. The worksheet check has validated them. */
function splitArchive(
  kind: PersonKind,
  appid: string,
  values: Readonly<Record<string, ArchiveValue>>,
  number: string | null,
): SplitArchive {
  const columnCodes = new Set((archiveFieldsOf[appid] ?? []).filter((field) => field.column).map((field) => field.code));
  const columns: Record<string, string | null> = {};
  const detail: Record<string, ArchiveValue> = {};
  for (const [code, value] of Object.entries(values)) {
    if (columnCodes.has(code)) columns[code] = value === null ? null : String(value);
    else detail[code] = value;
  }
  const field = numberField(kind, appid);
  if (number && field === 'checkupno') detail[field] = number;
  else if (number) columns[field] = number;
  return { columns, detail };
}
