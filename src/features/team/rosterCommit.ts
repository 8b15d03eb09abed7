import { shanghaiDate } from '#domain/calendar.ts';
import { archiveFieldsOf, type ArchiveValue } from '#domain/archive.ts';
import type { Staff } from '#server/caller.ts';
import type { Ctx } from '#server/handle.ts';
import { sealedPhone, soundOf } from '#features/cuser/personColumns.ts';
import type { RosterResult } from '#features/team/roster.contract.ts';
import type { Plan } from '#features/team/rosterPlan.ts';
import * as queries from '#features/team/roster.queries.ts';
import type { Image } from '#features/team/rosterUndo.queries.ts';
import { addGuardiansTo } from '#features/team/roster.queries.ts';

/** What taking an import back needs beside the rows marked with its number. */
export interface UndoRecord {
  before: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  after: { cuser: Image[]; cuserarchive: Image[]; teamroster: Image[] };
  guardianids: number[];
  teamcodes: string[];
}

type Counts = Pick<RosterResult, 'created' | 'joined' | 'moved' | 'updated' | 'unchanged' | 'teams'>;
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Writes a plan in a fixed number of statements, whatever the number of rows. `jobid` marks every row that is added, so that
 * the import can be taken back.
 */
export async function carryOut(
  ctx: Pick<Ctx, 'scope' | 'vault' | 'now'> & { caller: Staff },
  job: { jobid: string; musercode: string; appid: string },
  plan: Plan,
): Promise<{ counts: Counts; undo: UndoRecord; cuserids: string[] }> {
  const { scope, vault, caller } = ctx;
  const { jobid: importjob, musercode, appid } = job;
  const date = shanghaiDate(ctx.now);

  const fresh = plan.teams.filter((team) => !team.existing);
  const teamnumbers = await queries.takeCodes(scope, 'teamcode_seq', fresh.length);
  const codes = new Map(plan.teams.map((team) => [team, team.existing?.teamcode ?? '']));
  fresh.forEach((team, at) => codes.set(team, `G${String(teamnumbers[at]).padStart(6, '0')}`));
  await queries.insertMany(
    scope,
    'assessteam',
    fresh.map((team) => {
      const { gradecode, gradename, classname, ...wanted } = team.wanted;
      return {
        teamcode: codes.get(team),
        musercode,
        appid,
        ...wanted,
        gradecode: gradecode || null,
        gradename: gradename || null,
        classname: classname || null,
        importjob,
      };
    }),
  );

  const { persons } = plan;
  const personnumbers = await queries.takeCodes(scope, 'cuserid_seq', persons.length);
  const archivenumbers = await queries.takeCodes(scope, 'archiveno_seq', persons.length);
  const ids = new Map(persons.map(({ ref }, at) => [ref, `C${String(personnumbers[at]).padStart(10, '0')}`]));
  const idOf = (who: string) => ids.get(who) ?? who;
  const cusers: Record<string, unknown>[] = [];
  for (const [at, { ref, row, owneruserid }] of persons.entries()) {
    cusers.push({
      cuserid: idOf(ref), musercode, appid, username: row.username, ...soundOf(row.username), gender: row.gender, birthday: row.birthday,
      ...sealedPhone(vault, musercode, row.phone), owneruserid, source: '02', importjob, createby: caller.accountid,
    }); // prettier-ignore
    // Sound and seal of thousands take a while; others are served in between.
    if (at % 500 === 499) await pause();
  }
  await queries.insertMany(scope, 'cuser', cusers);
  await queries.insertMany(
    scope,
    'cuserarchive',
    persons.map(({ ref, row }, at) => {
      const { columns, detail } = sorted(appid, row.archive);
      return {
        cuserid: idOf(ref), musercode, appid, archiveno: `${appid.slice(-1)}${date.slice(0, 4)}${String(archivenumbers[at]).padStart(6, '0')}`,
        ...noColumns, ...columns, ...numberColumn(appid, row.number), detail, opendate: date,
      }; // prettier-ignore
    }),
  );
  const guardian = (cuserid: string, one: { name: string; relation: string; phone: string | null }) => ({
    cuserid,
    musercode,
    name: one.name,
    relation: one.relation,
    ...sealedPhone(vault, musercode, one.phone),
  });
  await queries.insertMany(
    scope,
    'guardian',
    persons.flatMap(({ ref, row }) => (row.guardian ? [guardian(idOf(ref), row.guardian)] : [])),
  );

  const changed = plan.changes.map((change) => change.cuserid);
  const moving = [
    ...new Set([...plan.leaves.map((one) => one.cuserid), ...plan.joins.filter((one) => one.back).map((one) => one.who)]),
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
      ...sealedPhone(vault, musercode, cuser.phone),
    })),
    caller.accountid,
  );
  await queries.changeArchives(
    scope,
    appid,
    plan.changes.map(({ cuserid, archive, number }) => {
      const { columns, detail } = sorted(appid, archive);
      return { cuserid, columns: { ...columns, ...(number ? numberColumn(appid, number) : {}) }, detail };
    }),
  );
  const guardianids = await addGuardiansTo(
    scope,
    plan.changes.flatMap((change) => (change.guardian ? [guardian(change.cuserid, change.guardian)] : [])),
  );

  await queries.leave(scope, plan.leaves, date);
  const pairs = plan.joins.map(({ team, who, back }) => ({ teamcode: codes.get(team) as string, cuserid: idOf(who), back }));
  await queries.comeBack(
    scope,
    pairs.filter((pair) => pair.back),
    date,
  );
  await queries.insertMany(
    scope,
    'teamroster',
    pairs
      .filter((pair) => !pair.back)
      .map(({ teamcode, cuserid }) => ({ teamcode, cuserid, musercode, joindate: date, importjob })),
  );
  const teamcodes = [...new Set([...codes.values(), ...plan.leaves.map((one) => one.teamcode)])];
  await queries.recount(scope, teamcodes);

  const made = new Set(pairs.filter((pair) => !pair.back).map((pair) => `${pair.teamcode}${pair.cuserid}`));
  const after = await images((list) => lists[list]);
  after.teamroster = after.teamroster.filter((row) => !made.has(`${String(row['teamcode'])}${String(row['cuserid'])}`));
  const count = (effect: string) => [...plan.effects.values()].filter((one) => one === effect).length;
  return {
    counts: {
      created: persons.length, joined: count('join'), moved: count('move'), updated: count('update'), unchanged: count('same'),
      teams: plan.teams.map((team) => ({ teamcode: codes.get(team) as string, teamname: team.wanted.teamname, created: !team.existing, count: team.added })),
    }, // prettier-ignore
    undo: { before, after, guardianids, teamcodes },
    cuserids: [...ids.values(), ...changed],
  };
}

const noColumns = { eduphase: null, gradecode: null, gradename: null, classname: null, studentno: null, employeeno: null };
const numberColumn = (appid: string, number: string | null) =>
  appid === '000000002' ? { studentno: number } : { employeeno: number };

/** Archive values of a sheet, already checked by its columns, as columns and detail. */
function sorted(appid: string, values: Readonly<Record<string, ArchiveValue>>) {
  const own = new Set((archiveFieldsOf[appid] ?? []).filter((field) => field.column).map((field) => field.code));
  const columns: Record<string, string | null> = {};
  const detail: Record<string, ArchiveValue> = {};
  for (const [code, value] of Object.entries(values)) {
    if (own.has(code)) columns[code] = value === null ? null : String(value);
    else detail[code] = value;
  }
  return { columns, detail };
}
