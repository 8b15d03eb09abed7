import { shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf, tidyYear } from '#domain/person/grades.ts';
import { personKinds, type PersonKind } from '#contract/workbook/importJob.ts';
import type { ParsedTable } from '#contract/workbook/importSheet.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { importTemplate, importVerdict, keepReceipt, receipt } from '#features/import/importFile.ts';
import * as steps from '#features/import/importSteps.ts';
import type { ImportJob } from '#features/import/importSteps.ts';
import { applyRosterPlan, type UndoRecord } from '#features/team/roster/apply.ts';
import { inspectRoster, type InspectedPersons, type PersonsRequest } from '#features/team/roster/validate.ts';
import * as added from '#features/team/roster/undo.queries.ts';
import * as contract from '#features/team/roster/roster.contract.ts';
import type { RosterResult, RosterVerdict, StagedRoster } from '#features/team/roster/roster.contract.ts';
import * as queries from '#features/team/roster/roster.queries.ts';

/** The import of persons: a roster of teams, or a register of students. */

type Call = Context<'staff'>;
type ReadCall = Pick<Call, 'scope' | 'caller' | 'cipher' | 'now'>;
type Job = ImportJob<PersonsRequest>;

const rights = { roster: 'roster.edit', students: 'archive.import' } as const;
function assertMayImport(caller: Staff, kind: PersonKind) {
  if (!caller.codes.has(codeOf(rights[kind]))) throw problems.notAllowed();
}
/** Staff who see only some persons would add the others a second time. */
function assertSeesEverybody(caller: Staff) {
  if (caller.hasDataScope) throw problems.notAllowed();
}

/** An import of persons by the caller, of a kind they may import. */
async function loadJob(ctx: Pick<Call, 'scope' | 'caller'>, importid: string, lock = false): Promise<Job> {
  const job = await steps.loadImport<PersonsRequest>(ctx, importid, personKinds, lock);
  assertMayImport(ctx.caller, job.request.kind);
  return job;
}

interface UploadOptions {
  musercode?: string | undefined;
  appid?: string | undefined;
  year?: string | undefined;
  createteam?: '0' | '1' | undefined;
  teamcode?: string | undefined;
}

/** Stores an upload as an import, for the institution and the population it is meant for. */
async function stage(ctx: Call, kind: PersonKind, { year, createteam = '1', teamcode, ...options }: UploadOptions) {
  const { scope, caller, now } = ctx;
  assertSeesEverybody(caller);
  const musercode = options.musercode ?? caller.musercode;
  if (musercode !== caller.musercode && !(await queries.ownInstitution(scope, musercode)))
    throw problems.notFound({ what: '机构' });
  const appid =
    options.appid ?? (kind === 'students' ? '000000002' : ((await queries.firstApp(scope, musercode))?.appid ?? '000000002'));
  const schoolyear = year ? tidyYear(year) : schoolYearOf(shanghaiDate(now));
  return steps.stageUpload<PersonsRequest>(ctx, musercode, { kind, appid, year: schoolyear, createteam, teamcode });
}

const verdictOf = (inspection: InspectedPersons): RosterVerdict => ({
  ...importVerdict(inspection),
  teams: inspection.plan.teams.map(({ wanted: values, existing, named }) => ({
    teamname: values.teamname,
    year: values.year,
    existing: existing !== undefined,
    count: named.size,
    unlisted: existing ? existing.members.filter((cuserid) => !named.has(cuserid)).length : 0,
  })),
});

/** The result of an import that added nothing. */
const nothing = { created: 0, joined: 0, moved: 0, updated: 0, unchanged: 0, teams: [] };
const resultOf = (job: Job): RosterResult | null => {
  const answer = steps.finishedAnswer<Partial<RosterResult>>(job);
  return answer ? { ...nothing, ...answer } : null;
};

/** An import as the dialog shows it. */
async function view(ctx: ReadCall, job: Job, staged: ParsedTable): Promise<StagedRoster> {
  const { kind, year, createteam } = job.request;
  const verdict = verdictOf(await inspectRoster(ctx, job, staged));
  return { ...steps.importView(ctx, job, staged), kind, year, createteam, verdict, result: resultOf(job) };
}

/** Checks an upload; nothing is added yet. */
async function check(ctx: Call, kind: PersonKind, options: UploadOptions): Promise<StagedRoster> {
  const { job, staged } = await stage(ctx, kind, options);
  return view(ctx, job, staged);
}

/**
 * Imports the good rows, once: a finished import answers what it did the first time. An import with wrong rows is refused unless
 * `skiperror` leaves them out; then `marked` writes the marked sheet.
 */
async function commit(ctx: Call, importid: string, skiperror: boolean) {
  const job = await loadJob(ctx, importid, true);
  const finished = resultOf(job);
  if (finished) return { refused: false, result: finished } as const;
  assertSeesEverybody(ctx.caller);
  await steps.lockImports(ctx, job);
  const staged = steps.stagedRows(ctx, job);
  const inspection = await inspectRoster(ctx, job, staged);
  const counts = steps.countRows(job, inspection);
  if (!steps.mayFinish(counts, skiperror)) {
    const marked = () => keepReceipt(ctx, job.request, staged, inspection);
    return { refused: true, result: { ...nothing, ...counts, success: 0 }, marked } as const;
  }
  const { jobid, musercode, request } = job;
  const done = await applyRosterPlan(ctx, { jobid, musercode, appid: request.appid }, inspection.plan);
  const result: RosterResult = await steps.finishImport(
    ctx,
    job,
    { staged, inspection, counts },
    {
      extra: done.counts,
      undo: done.undo,
      audit: { cuserids: done.cuserids, detail: { created: done.counts.created } },
    },
  );
  return { refused: false, result } as const;
}

/** Checks and imports in one call, as the specification has it. A refused import is answered with the marked sheet. */
async function upload(ctx: Call, kind: PersonKind, options: UploadOptions, skiperror: '0' | '1'): Promise<RosterResult> {
  const { job } = await stage(ctx, kind, options);
  const done = await commit(ctx, job.jobid, skiperror === '1');
  return done.refused ? { ...done.result, errorfileurl: await done.marked() } : done.result;
}

const getImport = handle(contract.getImport, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  return view(ctx, job, steps.stagedRows(ctx, job));
});

const saveImportEdits = handle(contract.saveImportEdits, async ({ importid, year, createteam, ...edits }, ctx) => {
  const job = await loadJob(ctx, importid, true);
  const staged = steps.editedRows(ctx, job, edits);
  const request: PersonsRequest = {
    ...job.request,
    ...(year !== undefined ? { year: tidyYear(year) } : {}),
    ...(createteam !== undefined ? { createteam } : {}),
  };
  const edited = { ...job, request };
  const inspection = await inspectRoster(ctx, edited, staged);
  await steps.saveEdits(ctx, edited, staged, inspection, edits);
  return verdictOf(inspection);
});

const commitAssessTeamRoster = handle(contract.commitAssessTeamRoster, async ({ importid, skiperror }, ctx) => {
  const { refused, result } = await commit(ctx, importid, skiperror === '1');
  if (refused) throw steps.rowsWrong(result);
  return result;
});

/** What an import changes of persons and teams that were there before. */
const changedTables = ['cuser', 'cuserarchive', 'teamroster'] as const;

const undoImport = handle(contract.undoImport, async ({ importid }, ctx) => {
  const { scope } = ctx;
  const job = await loadJob(ctx, importid, true);
  const { before, after, guardianids, teamcodes } = steps.undoAllowed<UndoRecord>(ctx, job);
  await steps.lockImports(ctx, job);
  const why = obstacleIn(await added.obstacles(scope, importid));
  if (why) throw problems.inUse({ why });
  for (const table of changedTables)
    if (!(await added.unchangedSince(scope, table, after[table])))
      throw problems.inUse({ why: '本次导入更新过的人员之后又被修改，不能撤销' });
  const removed = await added.removeCreated(scope, importid, guardianids);
  for (const table of changedTables) await added.restore(scope, table, before[table]);
  await queries.recount(scope, teamcodes);
  await steps.markUndone(ctx, job);
  const detail = { persons: removed.persons.length, teams: removed.teams.length };
  ctx.audit({ objectid: importid, cuserids: removed.persons, detail });
  return { ...detail, restored: before.cuser.length };
});

function obstacleIn({
  exams,
  tasks,
  later,
  edited,
  strangers,
  teamtask,
}: Awaited<ReturnType<typeof added.obstacles>>): string | undefined {
  if (exams > 0) return `本次导入的人员已有 ${exams} 份测评记录，不能撤销`;
  if (tasks > 0) return `本次导入的人员已有 ${tasks} 人次加入测评任务，不能撤销`;
  if (later > 0) return '本次导入的人员已有同意书、授权或其他记录，不能撤销';
  if (teamtask) return `团体“${teamtask}”已用于测评任务，不能撤销`;
  if (strangers) return `团体“${strangers}”中已有其他成员，不能撤销`;
  return edited > 0 ? '本次导入的人员之后又被修改或加入其他团体，不能撤销' : undefined;
}

const exportImportErrors = handle(contract.exportImportErrors, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  const staged = steps.stagedRows(ctx, job);
  ctx.audit({ objectid: importid });
  return receipt(job.request, staged, await inspectRoster(ctx, job, staged));
});

const exportRosterTemplate = handle(contract.exportRosterTemplate, async ({ kind }, { caller }) => {
  assertMayImport(caller, kind);
  return importTemplate(kind);
});

export const rosterHandlers = [
  handle(contract.checkAssessTeamRoster, (options, ctx) => check(ctx, 'roster', options)),
  handle(contract.checkZLBCUserFromExcel, (options, ctx) => check(ctx, 'students', options)),
  getImport,
  handle(contract.getImportList, ({ kind }, ctx) => steps.listImports(ctx, kind ? [kind] : personKinds)),
  saveImportEdits,
  commitAssessTeamRoster,
  undoImport,
  exportImportErrors,
  exportRosterTemplate,
  handle(contract.importAssessTeamRoster, ({ skiperror, ...options }, ctx) => upload(ctx, 'roster', options, skiperror)),
  handle(contract.importZLBCUserFromExcel, ({ skiperror, ...options }, ctx) => upload(ctx, 'students', options, skiperror)),
];
