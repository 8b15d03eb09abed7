import type { ParsedTable } from '#contract/workbook/importSheet.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { assertMayManageRights, findManageableUsers } from '#server/dispatch/rights.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';
import { importTemplate, importVerdict, storeReceipt, buildReceipt } from '#features/import/importFile.ts';
import * as steps from '#features/import/importSteps.ts';
import type { ImportJob } from '#features/import/importSteps.ts';
import { validUntil } from '#features/org/user/createUser.ts';
import { addStaff, validateStaff, type AddedUser } from '#features/org/import/staffImport.ts';
import * as contract from '#features/org/import/staffImport.contract.ts';
import type { FirstPasswords, StaffImportResult, StagedStaff } from '#features/org/import/staffImport.contract.ts';
import * as queries from '#features/org/import/staffImport.queries.ts';

/** The import of staff. Only the response of the call that adds the staff contains their first passwords. */

type Call = Context<'staff'>;
type Request = ImportRequest & { kind: 'staff' };
type Job = ImportJob<Request>;

/** Returns an import of staff that the caller began for their own institution. */
async function loadJob(ctx: Pick<Call, 'scope' | 'caller'>, importid: string, lock = false): Promise<Job> {
  assertMayManageRights(ctx.caller);
  const job = await steps.loadImport<Request>(ctx, importid, ['staff'], lock);
  if (job.musercode !== ctx.caller.musercode) throw problems.notFound({ what: '导入' });
  return job;
}

/** Stores an upload as an import and returns it. */
async function stage(ctx: Call) {
  assertMayManageRights(ctx.caller);
  return steps.stageUpload<Request>(ctx, ctx.caller.musercode, { kind: 'staff' });
}

const NO_PASSWORDS: FirstPasswords = { created: [], validuntil: '' };
const resultOf = (job: Job): StaffImportResult | null => {
  const answer = steps.finishedAnswer(job);
  return answer ? { ...NO_PASSWORDS, ...answer } : null;
};

/** Returns an import for the dialog. A finished import has no remarks: its own login names would now count as in use. */
async function view(ctx: ReadContext<'staff'>, job: Job, staged: ParsedTable): Promise<StagedStaff> {
  const result = resultOf(job);
  const verdict = result ? { remarks: [], effects: {} } : importVerdict(await validateStaff(ctx, staged));
  return { ...steps.importView(ctx, job, staged), verdict, result };
}

/**
 * Adds the staff of the valid rows once. A finished import returns its first result again, without passwords. An import with wrong
 * rows is refused unless `skiperror` leaves them out; `marked` writes the marked worksheet of a refused import.
 */
async function commit(ctx: Call, importid: string, { skiperror, validdays }: { skiperror: boolean; validdays: number }) {
  const job = await loadJob(ctx, importid, true);
  const finished = resultOf(job);
  if (finished) return { refused: false, result: finished } as const;
  await steps.lockImports(ctx, job);
  const staged = steps.stagedRows(ctx, job);
  const inspection = await validateStaff(ctx, staged);
  const counts = steps.countRows(job, inspection);
  if (!steps.canFinish(counts, skiperror)) {
    const marked = () => storeReceipt(ctx, job.request, staged, inspection);
    return { refused: true, result: { ...NO_PASSWORDS, ...counts, success: 0 }, marked } as const;
  }
  const { added, created } = await addStaff(ctx, inspection.users, validdays);
  const audit = { detail: { sysusernames: created.map((item) => item.sysusername) } };
  const answer = await steps.finishImport(ctx, job, { staged, inspection, counts }, { extra: {}, undo: added, audit });
  const result: StaffImportResult = { ...answer, created, validuntil: validUntil(ctx.now, validdays) };
  return { refused: false, result } as const;
}

const checkUserSheet = handle(contract.checkUserSheet, async (_, ctx) => {
  const { job, staged } = await stage(ctx);
  return view(ctx, job, staged);
});

const getUserImport = handle(contract.getUserImport, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  return view(ctx, job, steps.stagedRows(ctx, job));
});

const saveUserImportEdits = handle(contract.saveUserImportEdits, async ({ importid, ...edits }, ctx) => {
  const job = await loadJob(ctx, importid, true);
  const staged = steps.editedRows(ctx, job, edits);
  const inspection = await validateStaff(ctx, staged);
  await steps.saveEdits(ctx, job, staged, inspection, edits);
  return importVerdict(inspection);
});

const commitUserImport = handle(contract.commitUserImport, async ({ importid, skiperror, validdays }, ctx) => {
  const { refused, result } = await commit(ctx, importid, { skiperror: skiperror === '1', validdays });
  if (refused) throw steps.rowsWrongProblem(result);
  return result;
});

/** Checks and imports in one call. The response of a refused import contains the marked worksheet. */
const importUser = handle(contract.importUser, async ({ skiperror, validdays }, ctx) => {
  const { job } = await stage(ctx);
  const outcome = await commit(ctx, job.jobid, { skiperror: skiperror === '1', validdays });
  return outcome.refused ? { ...outcome.result, errorfileurl: await outcome.marked() } : outcome.result;
});

const undoUserImport = handle(contract.undoUserImport, async ({ importid }, ctx) => {
  const { scope, caller } = ctx;
  const job = await loadJob(ctx, importid, true);
  const userids = useridsOf(steps.requireUndoData<AddedUser[]>(ctx, job));
  await steps.lockImports(ctx, job);
  const why = undoRefusal(await queries.findObstacles(scope, userids));
  if (why) throw problems.inUse({ why });
  await findManageableUsers(scope, caller, userids);
  await queries.removeUsers(scope, userids);
  await steps.markUndone(ctx, job);
  ctx.audit({ objectid: importid, detail: { users: userids.length } });
  return { users: userids.length };
});

const useridsOf = (users: readonly { userid: string }[]) => users.map((user) => user.userid);

/** Returns the Chinese reason why an import cannot be undone, or undefined. */
function undoRefusal(obstacles: Awaited<ReturnType<typeof queries.findObstacles>>): string | undefined {
  const { signedin, signedinname, deleted, edited, incharge } = obstacles;
  if (signedin > 0)
    return `“${signedinname ?? ''}”${signedin > 1 ? `等 ${signedin} 人` : ''}已经登录过，不能撤销；不需要的账号可在用户列表中逐个删除`;
  if (deleted > 0) return `本次导入的用户已有 ${deleted} 人被删除，不能撤销`;
  if (incharge) return `“${incharge}”已负责受测者、团体或预警，不能撤销`;
  return edited > 0 ? `本次导入的用户之后有 ${edited} 人被修改，不能撤销` : undefined;
}

const renewUserPasswords = handle(contract.renewUserPasswords, async ({ importid, validdays }, ctx) => {
  const { scope, caller, now, cipher } = ctx;
  const job = await loadJob(ctx, importid, true);
  const added = steps.readUndoData<AddedUser[]>(ctx, job);
  if (!added || job.undonetime) throw problems.wrongState({ why: '该名单没有导入、已经撤销，或已超过保存期限' });
  const rows = new Map(added.map((item) => [item.userid, item.row]));
  const users = await queries.findRemaining(scope, [...rows.keys()]);
  await findManageableUsers(scope, caller, useridsOf(users));
  const newPasswords = users.map((user) => ({ ...user, ...generateOneTimePassword(cipher.pepper) }));
  const renewed = await queries.renewAccounts(
    scope,
    useridsOf(newPasswords),
    newPasswords.map((item) => item.hash),
    validdays,
  );
  if (renewed.size === 0) throw problems.inUse({ why: '本次导入的用户都已登录过，不需要新的初始密码' });
  ctx.audit({ objectid: importid, detail: { users: renewed.size } });
  const created = newPasswords
    .filter((item) => renewed.has(item.userid))
    .map(({ userid, realname, sysusername, onetime }) => ({ row: rows.get(userid) ?? 0, realname, sysusername, onetime }))
    .sort((a, b) => a.row - b.row);
  return { created, validuntil: validUntil(now, validdays) };
});

const exportUserImportErrors = handle(contract.exportUserImportErrors, async ({ importid }, ctx) => {
  const job = await loadJob(ctx, importid);
  const staged = steps.stagedRows(ctx, job);
  const inspection = await validateStaff(ctx, staged);
  // Skip the rows of this import: their only error would be their own login names, which are in use now.
  const added = new Set(steps.readUndoData<AddedUser[]>(ctx, job)?.map((item) => item.row));
  ctx.audit({ objectid: importid });
  return buildReceipt(job.request, staged, {
    ...inspection,
    remarks: inspection.remarks.filter((remark) => !added.has(remark.row)),
  });
});

export const userSheetHandlers = [
  checkUserSheet,
  getUserImport,
  handle(contract.getUserImportList, (_, ctx) => steps.listImports(ctx, ['staff'])),
  saveUserImportEdits,
  commitUserImport,
  undoUserImport,
  renewUserPasswords,
  exportUserImportErrors,
  importUser,
  handle(contract.exportUserTemplate, async () => importTemplate('staff')),
];
