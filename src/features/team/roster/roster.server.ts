import { shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf, normalizeSchoolYear } from '#domain/person/grades.ts';
import { Appid } from '#domain/base/enums.ts';
import { populationWord } from '#contract/workbook/adult.columns.ts';
import { personKinds, type PersonKind } from '#contract/workbook/importJob.ts';
import type { ParsedTable } from '#contract/workbook/importSheet.ts';
import { populationsOfSheet, toOwnColumns } from '#contract/workbook/own/own.columns.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';
import { importTemplate, importVerdict, storeReceipt, buildReceipt } from '#features/import/importFile.ts';
import * as steps from '#features/import/importSteps.ts';
import type { ImportJob } from '#features/import/importSteps.ts';
import { applyRosterPlan, type UndoRecord } from '#features/team/roster/apply.ts';
import { inspectRoster, type InspectedPersons, type PersonsRequest } from '#features/team/roster/validate.ts';
import * as undo from '#features/team/roster/undo.queries.ts';
import * as contract from '#features/team/roster/roster.contract.ts';
import type { RosterResult, RosterVerdict, StagedRoster } from '#features/team/roster/roster.contract.ts';
import * as queries from '#features/team/roster/roster.queries.ts';
import { updateMemberCounts } from '#features/team/team.queries.ts';

/** The import of persons: a roster of teams, or a student register. */

type StaffContext = Context<'staff'>;
type StaffReadContext = Pick<StaffContext, 'scope' | 'caller' | 'cipher' | 'now'>;
type Job = ImportJob<PersonsRequest>;

const permissions = {
  roster: 'roster.edit',
  students: 'archive.import',
  maternity: 'archive.import',
  adults: 'archive.import',
} as const;
function assertMayImport(caller: Staff, kind: PersonKind) {
  if (!caller.codes.has(codeOf(permissions[kind]))) throw problems.notAllowed();
}
/** Throws for staff with a restricted data scope: they do not see all persons and would create some of them again. */
function assertSeesAllPersons(caller: Staff) {
  if (caller.hasDataScope) throw problems.notAllowed();
}

/** Loads an import of persons that the caller started; throws when the caller may no longer import this kind. */
async function loadJob(ctx: Pick<StaffContext, 'scope' | 'caller'>, importid: string, lock = false): Promise<Job> {
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

const OWN_POPULATION: Partial<Record<PersonKind, string>> = { students: Appid.students, maternity: Appid.maternity };
/** The population of an upload that names none. Template C has a column for it, and falls back on the institution's only one. */
async function findUsualPopulation(scope: StaffContext['scope'], kind: PersonKind, musercode: string): Promise<string> {
  const own = OWN_POPULATION[kind];
  if (own) return own;
  const appids = await queries.findApps(scope, musercode);
  if (kind === 'roster') return appids[0] ?? Appid.students;
  const [only, ...others] = appids.filter(populationWord);
  return only && others.length === 0 ? only : '';
}

/** Stores an upload as an import of one institution and population. */
async function stageUpload(ctx: StaffContext, kind: PersonKind, { year, createteam = '1', teamcode, ...options }: UploadOptions) {
  const { scope, caller, now } = ctx;
  assertSeesAllPersons(caller);
  const team = teamcode ? await queries.findTeam(scope, teamcode) : undefined;
  if (teamcode && !team) throw problems.notFound({ what: '团体' });
  const musercode = team?.musercode ?? options.musercode ?? caller.musercode;
  if (musercode !== caller.musercode && !(await queries.findOwnInstitution(scope, musercode)))
    throw problems.notFound({ what: '机构' });
  const appid = team?.appid ?? options.appid ?? (await findUsualPopulation(scope, kind, musercode));
  permittedPopulations(caller, appid || undefined);
  const schoolYear = team?.year || (year ? normalizeSchoolYear(year) : schoolYearOf(shanghaiDate(now)));
  const population = kind === 'adults' ? populationWord(appid) : undefined;
  const defaults = team && kind === 'roster' ? { teamname: team.teamname } : population ? { appid: population } : undefined;
  const request = { kind, appid, year: schoolYear, createteam, teamcode };
  const own = toOwnColumns(populationsOfSheet(kind, appid), await findOwnFields(scope, musercode));
  return steps.stageUpload<PersonsRequest>(ctx, musercode, request, { defaults, own });
}

const toVerdict = (inspection: InspectedPersons): RosterVerdict => ({
  ...importVerdict(inspection),
  teams: inspection.plan.teams.map(({ values, existing, memberRefs }) => ({
    teamname: values.teamname,
    year: values.year,
    existing: existing !== undefined,
    count: memberRefs.size,
    unlisted: existing ? existing.members.filter((cuserid) => !memberRefs.has(cuserid)).length : 0,
  })),
});

/** The counts of an import that changed nothing. */
const noChanges = { created: 0, joined: 0, moved: 0, updated: 0, unchanged: 0, teams: [] };
const toResult = (job: Job): RosterResult | null => {
  const answer = steps.finishedAnswer<Partial<RosterResult>>(job);
  return answer ? { ...noChanges, ...answer } : null;
};

/** Builds the state of an import for the dialog. */
async function toStagedRoster(ctx: StaffReadContext, job: Job, staged: ParsedTable): Promise<StagedRoster> {
  const { kind, year, createteam } = job.request;
  const verdict = toVerdict(await inspectRoster(ctx, job, staged));
  return { ...steps.importView(ctx, job, staged), kind, year, createteam, verdict, result: toResult(job) };
}

/** Stores and checks an upload; it adds no persons yet. */
async function checkUpload(ctx: StaffContext, kind: PersonKind, options: UploadOptions): Promise<StagedRoster> {
  const { job, staged } = await stageUpload(ctx, kind, options);
  return toStagedRoster(ctx, job, staged);
}

/**
 * Imports the valid rows. A finished import changes nothing and returns its first result. An import with invalid rows is refused,
 * unless `skiperror` skips them. `writeReceipt` of a refused import writes the marked worksheet.
 */
async function commitImport(ctx: StaffContext, importid: string, skiperror: boolean) {
  const job = await loadJob(ctx, importid, true);
  const earlierResult = toResult(job);
  if (earlierResult) return { isRefused: false, result: earlierResult } as const;
  assertSeesAllPersons(ctx.caller);
  await steps.lockImports(ctx, job);
  const staged = steps.stagedRows(ctx, job);
  const inspection = await inspectRoster(ctx, job, staged);
  const counts = steps.countRows(job, inspection);
  if (!steps.canFinish(counts, skiperror)) {
    const writeReceipt = () => storeReceipt(ctx, job.request, staged, inspection);
    return { isRefused: true, result: { ...noChanges, ...counts, success: 0 }, writeReceipt } as const;
  }
  const { jobid, musercode, request } = job;
  const changes = await applyRosterPlan(ctx, { jobid, musercode, appid: request.appid, kind: request.kind }, inspection.plan);
  const result: RosterResult = await steps.finishImport(
    ctx,
    job,
    { staged, inspection, counts },
    {
      extra: changes.counts,
      undo: changes.undo,
      audit: { cuserids: changes.cuserids, detail: { created: changes.counts.created } },
    },
  );
  return { isRefused: false, result } as const;
}

/** Checks and imports in one call, as the specification requires. The result of a refused import links the marked worksheet. */
async function importUpload(
  ctx: StaffContext,
  kind: PersonKind,
  options: UploadOptions,
  skiperror: '0' | '1',
): Promise<RosterResult> {
  const { job } = await stageUpload(ctx, kind, options);
  const outcome = await commitImport(ctx, job.jobid, skiperror === '1');
  return outcome.isRefused ? { ...outcome.result, errorfileurl: await outcome.writeReceipt() } : outcome.result;
}

const getImport = handle(contract.getImport, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  return toStagedRoster(ctx, job, steps.stagedRows(ctx, job));
});

const saveImportEdits = handle(contract.saveImportEdits, async ({ importid, year, createteam, ...edits }, ctx) => {
  const job = await loadJob(ctx, importid, true);
  const staged = steps.editedRows(ctx, job, edits);
  const request: PersonsRequest = {
    ...job.request,
    ...(year !== undefined ? { year: normalizeSchoolYear(year) } : {}),
    ...(createteam !== undefined ? { createteam } : {}),
  };
  const updatedJob = { ...job, request };
  const inspection = await inspectRoster(ctx, updatedJob, staged);
  await steps.saveEdits(ctx, updatedJob, staged, inspection, edits);
  return toVerdict(inspection);
});

const commitAssessTeamRoster = handle(contract.commitAssessTeamRoster, async ({ importid, skiperror }, ctx) => {
  const { isRefused, result } = await commitImport(ctx, importid, skiperror === '1');
  if (isRefused) throw steps.rowsWrongProblem(result);
  return result;
});

/** The tables whose existing rows an import changes. */
const changedTables = ['cuser', 'cuserarchive', 'teamroster'] as const;

const undoImport = handle(contract.undoImport, async ({ importid }, ctx) => {
  const { scope } = ctx;
  const job = await loadJob(ctx, importid, true);
  const { before, after, guardianids, teamcodes } = steps.requireUndoData<UndoRecord>(ctx, job);
  await steps.lockImports(ctx, job);
  const editedNames = await undo.findEditedNames(scope, importid, after.cuser);
  const who = describeNames(editedNames.map((username) => displayName(ctx.caller, username)));
  const why = describeObstacle(await undo.findUndoObstacles(scope, importid), who);
  if (why) throw problems.inUse({ why });
  for (const table of changedTables)
    if (!(await undo.isUnchanged(scope, table, after[table])))
      throw problems.inUse({ why: `本次导入更新过的${who}之后又被修改，不能撤销；请在个体管理中改正` });
  const removed = await undo.removeCreated(scope, importid, guardianids);
  for (const table of changedTables) await undo.restoreRows(scope, table, before[table]);
  await undo.markFields(scope, findRestoredFields(before.cuserarchive, after.cuserarchive));
  await undo.markFields(
    scope,
    removed.lostGuardians.map((cuserid) => ({ cuserid, fields: ['guardian'] })),
  );
  await updateMemberCounts(scope, teamcodes);
  await steps.markUndone(ctx, job);
  const detail = { persons: removed.persons.length, teams: removed.teams.length };
  ctx.audit({ objectid: importid, cuserids: removed.persons, detail });
  return { ...detail, restored: before.cuser.length };
});

/** At most three names in quotation marks; 人员 without a name. */
const describeNames = (names: readonly string[]): string =>
  names.length === 0
    ? '人员'
    : `${names
        .slice(0, 3)
        .map((name) => `“${name}”`)
        .join('、')}${names.length > 3 ? `等 ${names.length} 人` : ''}`;

const ARCHIVE_COLUMNS = [
  'studentno',
  'employeeno',
  'eduphase',
  'gradecode',
  'gradename',
  'classname',
  'unitname',
  'lmpdate',
  'edcdate',
  'deliverydate',
] as const;

/** The fields of archives that differ between two sets of images, by person. */
function findRestoredFields(before: readonly undo.Image[], after: readonly undo.Image[]): undo.FieldMarks[] {
  const valuesOf = ({ detail, ...image }: undo.Image): undo.Image => ({
    ...Object.fromEntries(ARCHIVE_COLUMNS.map((name) => [name, image[name]])),
    ...(detail as undo.Image),
  });
  const afterById = new Map(after.map((image) => [image['archiveid'], valuesOf(image)]));
  return before.flatMap((image) => {
    const [old, now] = [valuesOf(image), afterById.get(image['archiveid']) ?? {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const fields = names.filter((name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(now[name] ?? null));
    return fields.length > 0 ? [{ cuserid: String(image['cuserid']), fields: fields.map((name) => `archive.${name}`) }] : [];
  });
}

/** Returns why an import cannot be undone, or undefined when it can. `who` are the persons edited since. */
function describeObstacle(
  { exams, tasks, otherRecords, edits, sharedTeam, taskTeam }: undo.UndoObstacles,
  who: string,
): string | undefined {
  if (exams > 0) return `本次导入的人员已有 ${exams} 份测评记录，不能撤销`;
  if (tasks > 0) return `本次导入的人员已有 ${tasks} 人次加入测评任务，不能撤销`;
  if (otherRecords > 0) return '本次导入的人员已有同意书、授权或其他记录，不能撤销';
  if (taskTeam) return `团体“${taskTeam}”已用于测评任务，不能撤销`;
  if (sharedTeam) return `团体“${sharedTeam}”中已有其他成员，不能撤销`;
  return edits > 0 ? `本次导入的${who}之后又被修改或加入其他团体，不能撤销` : undefined;
}

const exportImportErrors = handle(contract.exportImportErrors, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  const staged = steps.stagedRows(ctx, job);
  ctx.audit({ objectid: importid });
  return buildReceipt(job.request, staged, await inspectRoster(ctx, job, staged));
});

const exportRosterTemplate = handle(contract.exportRosterTemplate, async ({ kind }, { scope, caller }) => {
  assertMayImport(caller, kind);
  const appids = kind === 'roster' ? [] : populationsOfSheet(kind, '');
  return importTemplate(kind, toOwnColumns(appids, await findOwnFields(scope, caller.musercode)));
});

export const rosterHandlers = [
  handle(contract.checkAssessTeamRoster, (options, ctx) => checkUpload(ctx, 'roster', options)),
  handle(contract.checkZLBCUserFromExcel, (options, ctx) => checkUpload(ctx, 'students', options)),
  handle(contract.checkZNBCUserFromExcel, (options, ctx) => checkUpload(ctx, 'maternity', options)),
  handle(contract.checkZABCUserFromExcel, (options, ctx) => checkUpload(ctx, 'adults', options)),
  getImport,
  handle(contract.getImportList, ({ kind }, ctx) => steps.listImports(ctx, kind ? [kind] : personKinds)),
  saveImportEdits,
  commitAssessTeamRoster,
  undoImport,
  exportImportErrors,
  exportRosterTemplate,
  handle(contract.importAssessTeamRoster, ({ skiperror, ...options }, ctx) => importUpload(ctx, 'roster', options, skiperror)),
  handle(contract.importZLBCUserFromExcel, ({ skiperror, ...options }, ctx) => importUpload(ctx, 'students', options, skiperror)),
  handle(contract.importZNBCUserFromExcel, ({ skiperror, ...options }, ctx) =>
    importUpload(ctx, 'maternity', options, skiperror),
  ),
  handle(contract.importZABCUserFromExcel, ({ skiperror, ...options }, ctx) => importUpload(ctx, 'adults', options, skiperror)),
];
