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
import type { Incoming } from '#features/team/roster/row.ts';
import * as queries from '#features/team/roster/roster.queries.ts';
import type { Image } from '#features/team/roster/undo.queries.ts';

/** What undoing an import needs, beside the rows that carry its number. */
export interface UndoRecord {
  before: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  after: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  guardianids: number[];
  teamcodes: string[];
}

type Counts = Pick<RosterResult, 'created' | 'joined' | 'moved' | 'updated' | 'unchanged' | 'teams'>;

/**
 * Writes a plan in a fixed number of statements for any number of rows. Every added row carries `jobid`, so that the import can be
 * undone.
 */
export async function applyRosterPlan(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  job: { jobid: string; musercode: string; appid: string },
  plan: ImportPlan,
): Promise<{ counts: Counts; undo: UndoRecord; cuserids: string[] }> {
  const { scope, cipher, caller } = ctx;
  const { jobid: importjob, musercode, appid } = job;
  const date = shanghaiDate(ctx.now);

  const fresh = plan.teams.filter((team) => !team.existing);
  const teamnumbers = await queries.takeTeamNumbers(scope, fresh.length);
  const codes = new Map(plan.teams.map((team) => [team, team.existing?.teamcode ?? '']));
  fresh.forEach((team, index) => codes.set(team, `G${String(teamnumbers[index]).padStart(6, '0')}`));
  await insertMany(
    scope,
    'assessteam',
    fresh.map((team) => {
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

  const created = await createPersons(
    ctx,
    { musercode, appid, source: '02', importjob, createby: caller.accountid },
    plan.persons.map(({ row, owneruserid }) => ({
      username: row.username,
      gender: row.gender as string,
      birthday: row.birthday,
      phonenumber: row.phone,
      owneruserid,
      archive: splitArchive(appid, row.archive, row.number),
      guardians: row.guardian ? [guardianOf(row.guardian)] : [],
    })),
  );
  const ids = new Map(plan.persons.map(({ ref }, index) => [ref, (created[index] as CreatedPerson).cuserid]));
  const idOf = (who: string) => ids.get(who) ?? who;

  const changed = plan.changes.map((change) => change.cuserid);
  const moving = [
    ...new Set([...plan.leaves.map((leave) => leave.cuserid), ...plan.joins.filter((join) => join.back).map((join) => join.who)]),
  ];
  const images = async (of: (list: 'changed' | 'moving') => string[]) => ({
    cuser: await queries.imagesOf(scope, 'cuser', of('changed')),
    cuserarchive: await queries.imagesOf(scope, 'cuserarchive', of('changed')),
    teamroster: await queries.imagesOf(scope, 'teamroster', of('moving')),
  });
  const lists = { changed, moving };
  const before = await images((list) => lists[list]);
  await queries.changePersons(
    scope,
    plan.changes.map(({ cuserid, cuser }) => ({
      cuserid,
      gender: cuser.gender ?? null,
      birthday: cuser.birthday ?? null,
      owneruserid: cuser.owneruserid ?? null,
      ...encryptPhone(cipher, musercode, cuser.phone),
    })),
    caller.accountid,
  );
  await queries.changeArchives(
    scope,
    appid,
    plan.changes.map(({ cuserid, archive, number }) => ({ cuserid, ...splitArchive(appid, archive, number ?? null) })),
  );
  const guardianids = await insertGuardians(
    scope,
    plan.changes.flatMap(({ cuserid, guardian }) =>
      guardian ? [guardianColumns(cipher, { cuserid, musercode }, guardianOf(guardian))] : [],
    ),
  );

  await queries.leaveMembers(scope, plan.leaves, date);
  const pairs = plan.joins.map(({ team, who, back }) => ({ teamcode: codes.get(team) as string, cuserid: idOf(who), back }));
  await queries.rejoinMembers(
    scope,
    pairs.filter((pair) => pair.back),
    date,
  );
  await insertMany(
    scope,
    'teamroster',
    pairs
      .filter((pair) => !pair.back)
      .map(({ teamcode, cuserid }) => ({ teamcode, cuserid, musercode, joindate: date, importjob })),
  );
  const teamcodes = [...new Set([...codes.values(), ...plan.leaves.map((leave) => leave.teamcode)])];
  await queries.recount(scope, teamcodes);

  const joined = new Set(pairs.filter((pair) => !pair.back).map((pair) => `${pair.teamcode}${pair.cuserid}`));
  const after = await images((list) => lists[list]);
  after.teamroster = after.teamroster.filter((row) => !joined.has(`${String(row['teamcode'])}${String(row['cuserid'])}`));
  const count = (effect: string) => [...plan.effects.values()].filter((item) => item === effect).length;
  return {
    counts: {
      created: created.length,
      joined: count('join'),
      moved: count('move'),
      updated: count('update'),
      unchanged: count('same'),
      teams: plan.teams.map((team) => ({
        teamcode: codes.get(team) as string,
        teamname: team.values.teamname,
        created: !team.existing,
        count: team.added,
      })),
    },
    undo: { before, after, guardianids, teamcodes },
    cuserids: [...ids.values(), ...changed],
  };
}

const guardianOf = ({ name, relation, phone }: NonNullable<Incoming['guardian']>) => ({ name, relation, phonenumber: phone });
const numberColumn = (appid: string, number: string) => (appid === '000000002' ? { studentno: number } : { employeeno: number });

/** Archive values of a sheet, which its columns have checked, and the number of the person, as columns and detail. */
function splitArchive(appid: string, values: Readonly<Record<string, ArchiveValue>>, number: string | null): SplitArchive {
  const own = new Set((archiveFieldsOf[appid] ?? []).filter((field) => field.column).map((field) => field.code));
  const columns: Record<string, string | null> = {};
  const detail: Record<string, ArchiveValue> = {};
  for (const [code, value] of Object.entries(values)) {
    if (own.has(code)) columns[code] = value === null ? null : String(value);
    else detail[code] = value;
  }
  return { columns: { ...columns, ...(number ? numberColumn(appid, number) : {}) }, detail };
}
