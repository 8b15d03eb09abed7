import { problems } from '#contract/problem.ts';
import { handle } from '#server/handle.ts';
import { makeOnetime } from '#server/onetime.ts';
import { mayArrange, ownSubordinates } from '#server/rights.ts';
import type { ImportRequest } from '#features/job/importJob.queries.ts';
import { importSteps, importTemplate, importVerdictOf, type ImportParts } from '#features/job/importSteps.ts';
import { validUntil } from '#features/org/createUser.ts';
import { addStaff, inspectStaff, type Added, type InspectedStaff } from '#features/org/userImport.ts';
import * as contract from '#features/org/userSheet.contract.ts';
import type { FirstPasswords } from '#features/org/userSheet.contract.ts';
import * as queries from '#features/org/userSheet.queries.ts';

interface StaffParts extends ImportParts {
  request: ImportRequest & { kind: 'staff' };
  found: InspectedStaff;
  result: FirstPasswords;
  undo: Added[];
  undone: { users: number };
}

const staff = importSteps<StaffParts>({
  kinds: ['staff'],
  mayAdd: mayArrange,
  mayOpen: (caller, job) => {
    mayArrange(caller);
    if (job && job.musercode !== caller.musercode) throw problems.notFound({ what: '导入' });
  },
  begin: async ({ caller }) => ({ musercode: caller.musercode, request: { kind: 'staff' } }),
  inspect: (ctx, _, staged) => inspectStaff(ctx, staged),
  verdict: importVerdictOf,
  // Those it added are in the way of themselves now: their login names are in use.
  settled: { remarks: [], effects: {} },
  addedRows: (added) => added.map((one) => one.row),
  shown: () => ({}),
  blank: { created: [], validuntil: '' },
  carryOut: async (ctx, _, { users }) => {
    const { added, created } = await addStaff(ctx, users);
    return {
      kept: {},
      told: { created, validuntil: validUntil(ctx.now) },
      undo: added,
      noted: { detail: { sysusernames: created.map((one) => one.sysusername) } },
    };
  },
  obstacle: async ({ scope }, _, added) => obstacleIn(await queries.obstacles(scope, useridsOf(added))),
  takeBack: async ({ scope, caller }, _, added) => {
    const userids = useridsOf(added);
    await ownSubordinates(scope, caller, userids);
    await queries.removeUsers(scope, userids);
    return { answer: { users: userids.length }, noted: { detail: { users: userids.length } } };
  },
});

const useridsOf = (users: readonly { userid: string }[]) => users.map((one) => one.userid);

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
  const job = await staff.jobOf(ctx, importid, true);
  const added = staff.undoOf(ctx, job);
  if (!added || job.undonetime) throw problems.wrongState({ why: '该名单没有导入、已经撤销，或已超过保存期限' });
  const rows = new Map(added.map((one) => [one.userid, one.row]));
  const users = await queries.remaining(scope, [...rows.keys()]);
  await ownSubordinates(scope, caller, useridsOf(users));
  const made = users.map((one) => ({ ...one, ...makeOnetime(vault.pepper) }));
  const renewed = await queries.renewAccounts(
    scope,
    useridsOf(made),
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

export const userSheetHandlers = [
  handle(contract.checkUserSheet, (asked, ctx) => staff.check(ctx, asked)),
  handle(contract.getUserImport, ({ importid }, ctx) => staff.get(ctx, importid)),
  handle(contract.getUserImportList, (_, ctx) => staff.list(ctx)),
  handle(contract.saveUserImportEdits, (edits, ctx) => staff.save(ctx, edits)),
  handle(contract.commitUserImport, (which, ctx) => staff.commit(ctx, which)),
  handle(contract.undoUserImport, ({ importid }, ctx) => staff.undo(ctx, importid)),
  renewUserPasswords,
  handle(contract.exportUserImportErrors, ({ importid }, ctx) => staff.errors(ctx, importid)),
  handle(contract.importUser, ({ skiperror }, ctx) => staff.upload(ctx, skiperror, {})),
  handle(contract.exportUserTemplate, async () => importTemplate('staff')),
];
