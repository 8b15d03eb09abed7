import { shanghaiDate } from '#domain/calendar.ts';
import { schoolYearOf, tidyYear } from '#domain/grades.ts';
import { personKinds, type PersonKind } from '#contract/importJob.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import { handle } from '#server/handle.ts';
import { importSteps, importTemplate, importVerdictOf, type ImportParts } from '#features/job/importSteps.ts';
import { carryOut, type UndoRecord } from '#features/team/rosterCommit.ts';
import { inspect, type InspectedPersons, type PersonsRequest } from '#features/team/rosterInspect.ts';
import * as made from '#features/team/rosterUndo.queries.ts';
import * as contract from '#features/team/roster.contract.ts';
import type { RosterResult, RosterVerdict, StagedRoster } from '#features/team/roster.contract.ts';
import * as queries from '#features/team/roster.queries.ts';

interface PersonParts extends ImportParts {
  asked: {
    kind: PersonKind;
    musercode?: string | undefined;
    appid?: string | undefined;
    year?: string | undefined;
    createteam?: '0' | '1' | undefined;
    teamcode?: string | undefined;
  };
  request: PersonsRequest;
  found: InspectedPersons;
  verdict: RosterVerdict;
  shown: Pick<StagedRoster, 'kind' | 'year' | 'createteam'>;
  result: Pick<RosterResult, 'created' | 'joined' | 'moved' | 'updated' | 'unchanged' | 'teams'>;
  undo: UndoRecord;
  undone: { persons: number; teams: number; restored: number };
}

const right = { roster: 'roster.edit', students: 'archive.import' } as const;
const mayImport = (caller: Staff, kind: PersonKind) => {
  if (!caller.codes.has(codeOf(right[kind]))) throw problems.notAllowed();
};
/** What an import changes of persons and teams that were there before. */
const tables = ['cuser', 'cuserarchive', 'teamroster'] as const;

const persons = importSteps<PersonParts>({
  kinds: personKinds,
  // Staff who only see some persons would add the others a second time.
  mayAdd: (caller) => {
    if (caller.scoped) throw problems.notAllowed();
  },
  mayOpen: (caller, job) => {
    if (job) mayImport(caller, job.request.kind);
  },
  begin: async ({ scope, caller, now }, { kind, year, createteam = '1', teamcode, ...asked }) => {
    const musercode = asked.musercode ?? caller.musercode;
    if (musercode !== caller.musercode && !(await queries.ownInstitution(scope, musercode)))
      throw problems.notFound({ what: '机构' });
    const appid =
      asked.appid ?? (kind === 'students' ? '000000002' : ((await queries.firstApp(scope, musercode))?.appid ?? '000000002'));
    const schoolyear = year ? tidyYear(year) : schoolYearOf(shanghaiDate(now));
    return { musercode, request: { kind, appid, year: schoolyear, createteam, teamcode } };
  },
  inspect,
  verdict: (found) => ({
    ...importVerdictOf(found),
    teams: found.plan.teams.map(({ wanted, existing, named }) => ({
      teamname: wanted.teamname,
      year: wanted.year,
      existing: existing !== undefined,
      count: named.size,
      unlisted: existing ? existing.members.filter((cuserid) => !named.has(cuserid)).length : 0,
    })),
  }),
  shown: ({ kind, year, createteam }) => ({ kind, year, createteam }),
  blank: { created: 0, joined: 0, moved: 0, updated: 0, unchanged: 0, teams: [] },
  carryOut: async (ctx, { jobid, musercode, request }, { plan }) => {
    const { counts, undo, cuserids } = await carryOut(ctx, { jobid, musercode, appid: request.appid }, plan);
    return { kept: counts, undo, noted: { cuserids, detail: { created: counts.created } } };
  },
  obstacle: async ({ scope }, importid, { after }) => {
    const why = obstacleIn(await made.obstacles(scope, importid));
    if (why) return why;
    for (const table of tables)
      if (!(await made.unchangedSince(scope, table, after[table]))) return '本次导入更新过的人员之后又被修改，不能撤销';
    return undefined;
  },
  takeBack: async ({ scope }, importid, { before, guardianids, teamcodes }) => {
    const removed = await made.removeMade(scope, importid, guardianids);
    for (const table of tables) await made.restore(scope, table, before[table]);
    await queries.recount(scope, teamcodes);
    const gone = { persons: removed.persons.length, teams: removed.teams.length };
    return { answer: { ...gone, restored: before.cuser.length }, noted: { cuserids: removed.persons, detail: gone } };
  },
});

function obstacleIn({
  exams,
  tasks,
  later,
  edited,
  strangers,
  teamtask,
}: Awaited<ReturnType<typeof made.obstacles>>): string | undefined {
  if (exams > 0) return `本次导入的人员已有 ${exams} 份测评记录，不能撤销`;
  if (tasks > 0) return `本次导入的人员已有 ${tasks} 人次加入测评任务，不能撤销`;
  if (later > 0) return '本次导入的人员已有同意书、授权或其他记录，不能撤销';
  if (teamtask) return `团体“${teamtask}”已用于测评任务，不能撤销`;
  if (strangers) return `团体“${strangers}”中已有其他成员，不能撤销`;
  return edited > 0 ? '本次导入的人员之后又被修改或加入其他团体，不能撤销' : undefined;
}

export const rosterHandlers = [
  handle(contract.checkAssessTeamRoster, (asked, ctx) => persons.check(ctx, { ...asked, kind: 'roster' })),
  handle(contract.checkZLBCUserFromExcel, (asked, ctx) => persons.check(ctx, { ...asked, kind: 'students' })),
  handle(contract.getImport, ({ importid }, ctx) => persons.get(ctx, importid)),
  handle(contract.getImportList, ({ kind }, ctx) => persons.list(ctx, kind && [kind])),
  handle(contract.saveImportEdits, ({ year, createteam, ...edits }, ctx) =>
    persons.save(ctx, edits, {
      ...(year !== undefined ? { year: tidyYear(year) } : {}),
      ...(createteam !== undefined ? { createteam } : {}),
    }),
  ),
  handle(contract.commitAssessTeamRoster, (which, ctx) => persons.commit(ctx, which)),
  handle(contract.undoImport, ({ importid }, ctx) => persons.undo(ctx, importid)),
  handle(contract.exportImportErrors, ({ importid }, ctx) => persons.errors(ctx, importid)),
  handle(contract.exportRosterTemplate, async ({ kind }, { caller }) => {
    mayImport(caller, kind);
    return importTemplate(kind);
  }),
  handle(contract.importAssessTeamRoster, ({ skiperror, ...asked }, ctx) =>
    persons.upload(ctx, skiperror, { ...asked, kind: 'roster' }),
  ),
  handle(contract.importZLBCUserFromExcel, ({ skiperror, ...asked }, ctx) =>
    persons.upload(ctx, skiperror, { ...asked, kind: 'students' }),
  ),
];
