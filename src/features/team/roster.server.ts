import { addDays, shanghaiDate, shanghaiTime } from '#domain/calendar.ts';
import { schoolYearOf, tidyYear } from '#domain/grades.ts';
import { applyEdits, importSheets, personKinds, type PersonKind, type Staged } from '#contract/importSheet.ts';
import type { Sheet } from '#contract/column.ts';
import { xlsxMime } from '#contract/file.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { templateOf } from '#server/sheet/template.ts';
import { writeBook } from '#server/sheet/write.ts';
import * as jobs from '#features/job/importJob.queries.ts';
import type { JobRow } from '#features/job/importJob.queries.ts';
import {
  bodyOf,
  earlier,
  errorsOf,
  keepReceipt,
  keptSince,
  opened,
  receipt,
  sealed,
  tableOf,
  undoable,
  undoDays,
} from '#features/job/importJob.ts';
import { carryOut, type UndoRecord } from '#features/team/importCommit.server.ts';
import { inspect, type Inspected, type JobRequest } from '#features/team/importJob.server.ts';
import * as made from '#features/team/importJob.queries.ts';
import * as contract from '#features/team/roster.contract.ts';
import type { RosterResult, RosterVerdict, StagedRoster } from '#features/team/roster.contract.ts';
import * as queries from '#features/team/roster.queries.ts';

type Call = Ctx<'staff'> & { caller: Staff };
const right = { roster: 'roster.edit', students: 'archive.import' } as const;

interface Stored {
  answer: RosterResult;
  undo?: string;
}
interface Options {
  musercode?: string | undefined;
  appid?: string | undefined;
  year?: string | undefined;
  createteam?: '0' | '1' | undefined;
  teamcode?: string | undefined;
}

/** Staff who only see some persons would add the others a second time. */
const seeingAll = (caller: Staff) => {
  if (caller.scoped) throw problems.notAllowed();
};

/** Reads the upload and keeps it as a job of the caller. */
async function stage(ctx: Call, kind: PersonKind, options: Options): Promise<{ job: JobRow; staged: Staged }> {
  const { scope, caller, vault, now, upload } = ctx;
  seeingAll(caller);
  const musercode = options.musercode ?? caller.musercode;
  if (musercode !== caller.musercode && !(await queries.ownInstitution(scope, musercode)))
    throw problems.notFound({ what: '机构' });
  const staged = await tableOf(kind, upload, shanghaiDate(now));
  const appid =
    options.appid ?? (kind === 'students' ? '000000002' : ((await queries.firstApp(scope, musercode))?.appid ?? '000000002'));
  const request: JobRequest = {
    kind,
    filename: (upload?.filename ?? '').slice(0, 120),
    appid,
    year: options.year ? tidyYear(options.year) : schoolYearOf(shanghaiDate(now)),
    createteam: options.createteam ?? '1',
    teamcode: options.teamcode,
    body: sealed(vault, musercode, staged),
  };
  await jobs.forgetBodies(scope, caller.accountid, keptSince(now));
  const job = await jobs.addJob(scope, {
    musercode,
    accountid: caller.accountid,
    request,
    total: staged.rows.length,
    createtime: now,
  });
  ctx.note({ objectid: job.jobid, detail: { filename: request.filename, rows: staged.rows.length } });
  return { job, staged };
}

async function jobOf(
  { scope, caller }: Pick<Call, 'scope' | 'caller'>,
  importid: string,
  lock = false,
): Promise<JobRow & { request: JobRequest }> {
  const job = await jobs.findJob(scope, importid, caller.accountid, personKinds, lock);
  if (!job) throw problems.notFound({ what: '导入' });
  const request = job.request as JobRequest;
  if (!caller.codes.has(codeOf(right[request.kind]))) throw problems.notAllowed();
  return { ...job, request };
}

function verdictOf({ plan }: Inspected): RosterVerdict {
  return {
    remarks: plan.remarks,
    effects: Object.fromEntries([...plan.effects].map(([row, effect]) => [String(row), effect])),
    teams: plan.teams.map(({ wanted, existing, named }) => ({
      teamname: wanted.teamname,
      year: wanted.year,
      existing: existing !== undefined,
      count: named.size,
      unlisted: existing ? existing.members.filter((cuserid) => !named.has(cuserid)).length : 0,
    })),
  };
}

async function shown(ctx: Call, job: JobRow & { request: JobRequest }, staged: Staged): Promise<StagedRoster> {
  const done = (job.result as Stored | null)?.answer ?? null;
  return {
    importid: job.jobid,
    kind: job.request.kind,
    filename: job.request.filename,
    createtime: shanghaiTime(job.createtime),
    rows: staged.rows as string[][],
    mapping: staged.mapping as (string | null)[],
    year: job.request.year,
    createteam: job.request.createteam,
    today: shanghaiDate(ctx.now),
    verdict: verdictOf(await inspect(ctx, job, staged)),
    result: done,
    undone: job.undonetime !== null,
  };
}

const check = async (ctx: Call, kind: PersonKind, options: Options) => {
  const { job, staged } = await stage(ctx, kind, options);
  return shown(ctx, { ...job, request: job.request as JobRequest }, staged);
};
const checkAssessTeamRoster = handle(contract.checkAssessTeamRoster, (options, ctx) => check(ctx, 'roster', options));
const checkZLBCUserFromExcel = handle(contract.checkZLBCUserFromExcel, (options, ctx) => check(ctx, 'students', options));

const getImport = handle(contract.getImport, async ({ importid }, ctx) => {
  const job = await jobOf(ctx, importid);
  return shown(ctx, job, bodyOf(ctx.vault, job));
});

const getImportList = handle(contract.getImportList, async ({ kind }, { scope, caller, now }) =>
  (await jobs.listJobs(scope, caller.accountid, kind ? [kind] : personKinds, keptSince(now))).map((job) => ({
    ...earlier(job),
    kind: job.kind.slice('import.'.length) as PersonKind,
  })),
);

const saveImportEdits = handle(contract.saveImportEdits, async ({ importid, edits, removed, mapping, year, createteam }, ctx) => {
  const job = await jobOf(ctx, importid, true);
  if (job.status === 2) throw problems.wrongState({ why: '该名单已经导入，不能再修改' });
  const held = bodyOf(ctx.vault, job);
  const staged = applyEdits(job.request.kind, mapping ? { ...held, mapping } : held, edits, removed);
  const request: JobRequest = {
    ...job.request,
    ...(year !== undefined ? { year: tidyYear(year) } : {}),
    ...(createteam !== undefined ? { createteam } : {}),
    body: sealed(ctx.vault, job.musercode, staged),
  };
  const found = await inspect(ctx, { musercode: job.musercode, request }, staged);
  await jobs.changeJob(ctx.scope, importid, request, found.checked.rows.length);
  ctx.note({ objectid: importid, detail: { edits: edits.length, removed: removed.length } });
  return verdictOf(found);
});

/** What is known of an import that was not carried out. */
const refusal = (job: JobRow & { request: JobRequest }, found: Inspected): RosterResult => ({
  importid: job.jobid, total: found.checked.rows.length, success: 0, failed: found.checked.rows.length - found.plan.effects.size,
  created: 0, joined: 0, moved: 0, updated: 0, unchanged: 0, teams: [], errors: errorsOf(job.request.kind, found).slice(0, 1000), errorfileurl: '', undountil: '',
}); // prettier-ignore

/** Imports a job once. Answers `undefined` when rows have errors and only all or nothing was allowed. */
async function commit(
  ctx: Call,
  importid: string,
  skiperror: boolean,
): Promise<{ result?: RosterResult; refused?: RosterResult; receipt?: () => Promise<string> }> {
  const job = await jobOf(ctx, importid, true);
  if (job.status === 2) return { result: (job.result as Stored).answer };
  seeingAll(ctx.caller);
  await jobs.oneAtATime(ctx.scope, job.musercode);
  const staged = bodyOf(ctx.vault, job);
  const found = await inspect(ctx, job, staged);
  const errors = errorsOf(job.request.kind, found);
  const success = found.plan.effects.size;
  if (success === 0 || (errors.length > 0 && !skiperror))
    return { refused: refusal(job, found), receipt: () => keepReceipt(ctx, job.request, staged, found) };
  const { counts, undo, cuserids } = await carryOut(
    ctx,
    { jobid: importid, musercode: job.musercode, appid: job.request.appid },
    found.plan,
  );
  const undountil = addDays(ctx.now, undoDays);
  const failed = found.checked.rows.length - success;
  const answer: RosterResult = {
    importid, total: found.checked.rows.length, success, failed, ...counts,
    errors: errors.slice(0, 1000), errorfileurl: failed > 0 ? await keepReceipt(ctx, job.request, staged, found) : '', undountil: shanghaiTime(undountil),
  }; // prettier-ignore
  await jobs.finishJob(ctx.scope, importid, {
    result: { answer, undo: sealed(ctx.vault, job.musercode, undo) } satisfies Stored,
    progress: success,
    finishtime: ctx.now,
    undountil,
  });
  ctx.note({
    objectid: importid,
    cuserids,
    detail: { filename: job.request.filename, total: answer.total, success, failed, created: counts.created },
  });
  return { result: answer };
}

const commitAssessTeamRoster = handle(contract.commitAssessTeamRoster, async ({ importid, skiperror }, ctx) => {
  const { result, refused } = await commit(ctx, importid, skiperror === '1');
  if (!result)
    throw problems.rowsWrong(
      { bad: refused?.failed ?? 0 },
      { data: { failed: refused?.failed, errors: refused?.errors.slice(0, 50) } },
    );
  return result;
});

const upload = async (ctx: Call, kind: PersonKind, skiperror: '0' | '1', options: Options): Promise<RosterResult> => {
  const { job } = await stage(ctx, kind, options);
  const { result, refused, receipt: marksheet } = await commit(ctx, job.jobid, skiperror === '1');
  return result ?? { ...(refused as RosterResult), errorfileurl: (await marksheet?.()) ?? '' };
};
const importAssessTeamRoster = handle(contract.importAssessTeamRoster, ({ skiperror, ...options }, ctx) =>
  upload(ctx, 'roster', skiperror, options),
);
const importZLBCUserFromExcel = handle(contract.importZLBCUserFromExcel, ({ skiperror, ...options }, ctx) =>
  upload(ctx, 'students', skiperror, options),
);

const undoImport = handle(contract.undoImport, async ({ importid }, ctx) => {
  const { scope, now, vault } = ctx;
  const job = await jobOf(ctx, importid, true);
  const stored = job.result as Stored | null;
  const kept = undoable(job, stored?.undo, now);
  await jobs.oneAtATime(scope, job.musercode);
  const why = obstacleIn(await made.obstacles(scope, importid));
  if (why) throw problems.inUse({ why });
  const undo = opened<UndoRecord>(vault, job.musercode, kept);
  for (const table of ['cuser', 'cuserarchive', 'teamroster'] as const)
    if (!(await made.unchangedSince(scope, table, undo.after[table])))
      throw problems.inUse({ why: '本次导入更新过的人员之后又被修改，不能撤销' });
  const { persons, teams } = await made.removeMade(scope, importid, undo.guardianids);
  for (const table of ['cuser', 'cuserarchive', 'teamroster'] as const) await made.restore(scope, table, undo.before[table]);
  await queries.recount(scope, undo.teamcodes);
  await jobs.markUndone(scope, importid, now);
  ctx.note({ objectid: importid, cuserids: persons, detail: { persons: persons.length, teams: teams.length } });
  return { persons: persons.length, teams: teams.length, restored: undo.before.cuser.length };
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

const exportImportErrors = handle(contract.exportImportErrors, async ({ importid }, ctx) => {
  const job = await jobOf(ctx, importid);
  const staged = bodyOf(ctx.vault, job);
  const found = await inspect(ctx, job, staged);
  ctx.note({ objectid: importid });
  return receipt(job.request, staged, found);
});

const exportRosterTemplate = handle(contract.exportRosterTemplate, async ({ kind }, { caller }) => {
  if (!caller.codes.has(codeOf(right[kind]))) throw problems.notAllowed();
  const sheet = importSheets[kind] as Sheet;
  return { filename: `${sheet.name}模板.xlsx`, mime: xlsxMime, body: writeBook({ sheets: templateOf(sheet) }) };
});

export const rosterHandlers = [
  checkAssessTeamRoster, checkZLBCUserFromExcel, getImport, getImportList, saveImportEdits, commitAssessTeamRoster, undoImport, exportImportErrors, exportRosterTemplate,
  importAssessTeamRoster, importZLBCUserFromExcel,
]; // prettier-ignore
