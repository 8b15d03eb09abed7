import { addDays, shanghaiDate, shanghaiTime } from '#domain/calendar.ts';
import type { Sheet } from '#contract/column.ts';
import { xlsxMime } from '#contract/file.ts';
import { applyEdits, type Staged } from '#contract/importSheet.ts';
import { problems } from '#contract/problem.ts';
import { staffSheet } from '#contract/staff.columns.ts';
import type { Staff } from '#server/caller.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { makeOnetime } from '#server/onetime.ts';
import { mayArrange, ownSubordinates } from '#server/rights.ts';
import { templateOf } from '#server/sheet/template.ts';
import { writeBook } from '#server/sheet/write.ts';
import * as jobs from '#features/job/importJob.queries.ts';
import type { ImportRequest, JobRow } from '#features/job/importJob.queries.ts';
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
import { validUntil } from '#features/org/createUser.ts';
import { addStaff, inspectStaff, type Added, type InspectedStaff } from '#features/org/userImport.ts';
import * as contract from '#features/org/userSheet.contract.ts';
import type { StaffImportResult, StagedStaff } from '#features/org/userSheet.contract.ts';
import * as queries from '#features/org/userSheet.queries.ts';

type Call = Ctx<'staff'> & { caller: Staff };
type Job = JobRow & { request: ImportRequest };

/** What a finished import keeps: its numbers, and sealed whom it added. Never a password. */
interface Stored {
  answer: Omit<StaffImportResult, 'created' | 'validuntil'>;
  undo?: string;
}
const withoutPasswords = (answer: Stored['answer']): StaffImportResult => ({ ...answer, created: [], validuntil: '' });

/** Reads the upload and keeps it as a job of the caller. */
async function stage(ctx: Call): Promise<{ job: Job; staged: Staged }> {
  const { scope, caller, vault, now, upload } = ctx;
  mayArrange(caller);
  const staged = await tableOf('staff', upload, shanghaiDate(now));
  const { musercode, accountid } = caller;
  const request: ImportRequest = {
    kind: 'staff',
    filename: (upload?.filename ?? '').slice(0, 120),
    body: sealed(vault, musercode, staged),
  };
  await jobs.forgetBodies(scope, accountid, keptSince(now));
  const job = await jobs.addJob(scope, { musercode, accountid, request, total: staged.rows.length, createtime: now });
  ctx.note({ objectid: job.jobid, detail: { filename: request.filename, rows: staged.rows.length } });
  return { job: { ...job, request }, staged };
}

async function jobOf({ scope, caller }: Pick<Call, 'scope' | 'caller'>, importid: string, lock = false): Promise<Job> {
  mayArrange(caller);
  const job = await jobs.findJob(scope, importid, caller.accountid, ['staff'], lock);
  if (!job || job.musercode !== caller.musercode) throw problems.notFound({ what: '导入' });
  return { ...job, request: job.request as ImportRequest };
}

const verdictOf = ({ remarks, effects }: InspectedStaff) => ({
  remarks,
  effects: Object.fromEntries([...effects].map(([row, effect]) => [String(row), effect])),
});

async function shown(ctx: Call, job: Job, staged: Staged): Promise<StagedStaff> {
  const stored = job.result as Stored | null;
  // Those it added are in the way of themselves now: an import that was carried out is not checked again.
  const verdict = stored ? { remarks: [], effects: {} } : verdictOf(await inspectStaff(ctx, staged));
  return {
    importid: job.jobid,
    filename: job.request.filename,
    createtime: shanghaiTime(job.createtime),
    rows: staged.rows as string[][],
    mapping: staged.mapping as (string | null)[],
    today: shanghaiDate(ctx.now),
    verdict,
    result: stored && withoutPasswords(stored.answer),
    undone: job.undonetime !== null,
  };
}

const checkUserSheet = handle(contract.checkUserSheet, async (_, ctx) => {
  const { job, staged } = await stage(ctx);
  return shown(ctx, job, staged);
});

const getUserImport = handle(contract.getUserImport, async ({ importid }, ctx) => {
  const job = await jobOf(ctx, importid);
  return shown(ctx, job, bodyOf(ctx.vault, job));
});

const getUserImportList = handle(contract.getUserImportList, async (_, { scope, caller, now }) =>
  (await jobs.listJobs(scope, caller.accountid, ['staff'], keptSince(now))).map(earlier),
);

const saveUserImportEdits = handle(contract.saveUserImportEdits, async ({ importid, edits, removed, mapping }, ctx) => {
  const job = await jobOf(ctx, importid, true);
  if (job.status === 2) throw problems.wrongState({ why: '该名单已经导入，不能再修改' });
  const held = bodyOf(ctx.vault, job);
  const staged = applyEdits('staff', mapping ? { ...held, mapping } : held, edits, removed);
  const found = await inspectStaff(ctx, staged);
  const request = { ...job.request, body: sealed(ctx.vault, job.musercode, staged) };
  await jobs.changeJob(ctx.scope, importid, request, found.checked.rows.length);
  ctx.note({ objectid: importid, detail: { edits: edits.length, removed: removed.length } });
  return verdictOf(found);
});

/** Imports a job once. `refused` when rows have errors and only all or nothing was allowed. */
async function commit(ctx: Call, importid: string, skiperror: boolean) {
  const { scope, vault, now } = ctx;
  const job = await jobOf(ctx, importid, true);
  if (job.status === 2) return { result: withoutPasswords((job.result as Stored).answer) };
  await jobs.oneAtATime(scope, job.musercode);
  const staged = bodyOf(vault, job);
  const found = await inspectStaff(ctx, staged);
  const errors = errorsOf('staff', found);
  const total = found.checked.rows.length;
  const success = found.users.length;
  const failed = total - success;
  const marked = () => keepReceipt(ctx, job.request, staged, found);
  const counts = { importid, total, failed, errors: errors.slice(0, 1000) };
  if (success === 0 || (errors.length > 0 && !skiperror))
    return { refused: { ...withoutPasswords({ ...counts, success: 0, errorfileurl: '', undountil: '' }) }, marked };

  const { added, created } = await addStaff(ctx, found.users);
  const undountil = addDays(now, undoDays);
  const answer: Stored['answer'] = {
    ...counts,
    success,
    errorfileurl: failed > 0 ? await marked() : '',
    undountil: shanghaiTime(undountil),
  };
  const result: Stored = { answer, undo: sealed(vault, job.musercode, added) };
  await jobs.finishJob(scope, importid, { result, progress: success, finishtime: now, undountil });
  ctx.note({
    objectid: importid,
    detail: { filename: job.request.filename, total, success, failed, sysusernames: created.map((one) => one.sysusername) },
  });
  return { result: { ...answer, created, validuntil: validUntil(now) } };
}

const commitUserImport = handle(contract.commitUserImport, async ({ importid, skiperror }, ctx) => {
  const { result, refused } = await commit(ctx, importid, skiperror === '1');
  if (result) return result;
  const { failed, errors } = refused;
  throw problems.rowsWrong({ bad: failed }, { data: { failed, errors: errors.slice(0, 50) } });
});

const importUser = handle(contract.importUser, async ({ skiperror }, ctx) => {
  const { job } = await stage(ctx);
  const { result, refused, marked } = await commit(ctx, job.jobid, skiperror === '1');
  return result ?? { ...refused, errorfileurl: await marked() };
});

const undoUserImport = handle(contract.undoUserImport, async ({ importid }, ctx) => {
  const { scope, caller, now, vault } = ctx;
  const job = await jobOf(ctx, importid, true);
  const undo = undoable(job, (job.result as Stored | null)?.undo, now);
  await jobs.oneAtATime(scope, job.musercode);
  const userids = opened<Added[]>(vault, job.musercode, undo).map((one) => one.userid);
  const why = obstacleIn(await queries.obstacles(scope, userids));
  if (why) throw problems.inUse({ why });
  await ownSubordinates(scope, caller, userids);
  await queries.removeUsers(scope, userids);
  await jobs.markUndone(scope, importid, now);
  ctx.note({ objectid: importid, detail: { users: userids.length } });
  return { users: userids.length };
});

function obstacleIn(found: Awaited<ReturnType<typeof queries.obstacles>>): string | undefined {
  const { signedin, who, gone, edited, incharge } = found;
  if (signedin > 0)
    return `“${who ?? ''}”${signedin > 1 ? `等 ${signedin} 人` : ''}已经登录过，不能撤销；不需要的账号可在用户列表中逐个删除`;
  if (gone > 0) return `本次导入的用户已有 ${gone} 人被删除，不能撤销`;
  if (incharge) return `“${incharge}”已负责受测者、团体或预警，不能撤销`;
  return edited > 0 ? `本次导入的用户之后有 ${edited} 人被修改，不能撤销` : undefined;
}

const renewUserPasswords = handle(contract.renewUserPasswords, async ({ importid }, ctx) => {
  const { scope, caller, now, vault } = ctx;
  const job = await jobOf(ctx, importid, true);
  const undo = (job.result as Stored | null)?.undo;
  if (!undo || job.undonetime) throw problems.wrongState({ why: '该名单没有导入、已经撤销，或已超过保存期限' });
  const rows = new Map(opened<Added[]>(vault, job.musercode, undo).map((one) => [one.userid, one.row]));
  const users = await queries.remaining(scope, [...rows.keys()]);
  await ownSubordinates(
    scope,
    caller,
    users.map((one) => one.userid),
  );
  const made = users.map((one) => ({ ...one, ...makeOnetime(vault.pepper) }));
  const renewed = await queries.renewAccounts(
    scope,
    made.map((one) => one.userid),
    made.map((one) => one.hash),
  );
  if (renewed.size === 0) throw problems.inUse({ why: '本次导入的用户都已登录过，不需要新的初始密码' });
  ctx.note({ objectid: importid, detail: { users: renewed.size } });
  const created = made
    .filter((one) => renewed.has(one.userid))
    .map(({ userid, realname, sysusername, onetime }) => ({ row: rows.get(userid) ?? 0, realname, sysusername, onetime }))
    .sort((a, b) => a.row - b.row);
  return { created, validuntil: validUntil(now) };
});

const exportUserImportErrors = handle(contract.exportUserImportErrors, async ({ importid }, ctx) => {
  const job = await jobOf(ctx, importid);
  const staged = bodyOf(ctx.vault, job);
  const found = await inspectStaff(ctx, staged);
  const undo = (job.result as Stored | null)?.undo;
  // Whoever this very import added has a login name that is in use now.
  const added = new Set(undo ? opened<Added[]>(ctx.vault, job.musercode, undo).map((one) => one.row) : []);
  ctx.note({ objectid: importid });
  return receipt(job.request, staged, { ...found, remarks: found.remarks.filter((one) => !added.has(one.row)) });
});

const exportUserTemplate = handle(contract.exportUserTemplate, async () => ({
  filename: '用户名单模板.xlsx',
  mime: xlsxMime,
  body: writeBook({ sheets: templateOf(staffSheet as Sheet) }),
}));

export const userSheetHandlers = [
  checkUserSheet,
  getUserImport,
  getUserImportList,
  saveUserImportEdits,
  commitUserImport,
  undoUserImport,
  renewUserPasswords,
  exportUserImportErrors,
  importUser,
  exportUserTemplate,
];
