import { codeOf } from '#contract/menu.ts';
import { menuEntries } from '#contract/menuTree.ts';
import { problems } from '#contract/problem.ts';
import { effectiveCodes } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import {
  assertMayManageRights,
  findManageableUser,
  rightsOfInstitution,
  rightsOfUser,
  assertHoldsAll,
} from '#server/dispatch/rights.ts';
import { explainAccess } from '#features/access/permission/explainAccess.ts';
import * as contract from '#features/access/permission/permission.contract.ts';
import * as queries from '#features/access/permission/permission.queries.ts';
import { setUserCodes } from '#features/access/role/role.queries.ts';
import { grantInstitution } from '#features/access/role/role.server.ts';

const getAllPermissions = handle(contract.getAllPermissions, async ({ musercode, userid }, { scope, caller }) => {
  const rights =
    userid !== undefined ? await rightsOfUser(scope, userid) : await rightsOfInstitution(scope, musercode ?? caller.musercode);
  if (!rights) throw problems.notFound({ what: userid !== undefined ? '用户' : '机构' });
  const codeOfDir = new Map(menuEntries.filter((entry) => entry.parentid === 0).map((entry) => [entry.menuid, entry.code]));
  const institution = new Set(rights.mcodes);
  return {
    all: menuEntries
      .filter((entry) => entry.code !== '')
      .map(({ code, title, menutype, parentid, menuid }) => ({
        code,
        title,
        menutype,
        parentcode: codeOfDir.get(parentid) ?? '',
        menuid,
        held: caller.codes.has(code) && (userid === undefined || institution.has(code)),
      })),
    granted: [...rights.codes].sort(),
    version: rights.version,
    byroles: [...new Set(rights.rolecodes)].filter((code) => institution.has(code)).sort(),
  };
});

/** Sets the single grants and denials that make `codes` the rights of a user; returns the effective codes. */
async function grantUser(
  { scope, caller, audit }: Context<'staff'>,
  userid: string,
  codes: readonly string[],
): Promise<string[]> {
  assertMayManageRights(caller);
  if (userid === caller.userid) throw problems.notAllowed();
  const rights = await findManageableUser(scope, caller, userid);
  assertHoldsAll(caller, codes);
  const byroles = new Set(rights.rolecodes);
  const grants = codes.filter((code) => !byroles.has(code));
  // Staff of type 005 hold 名册快捷入口 without a role, so its removal is a denial too.
  const withoutRole = rights.musertype === '005' && codes.length > 0 ? [codeOf('team.shortcut')] : [];
  const denials = [...new Set([...[...byroles].filter((code) => rights.mcodes.includes(code)), ...withoutRole])].filter(
    (code) => !codes.includes(code),
  );
  await setUserCodes(scope, { userid, musercode: rights.musercode }, grants, denials);
  audit({
    objectid: userid,
    detail: {
      added: codes.filter((code) => !rights.codes.has(code)),
      removed: [...rights.codes].filter((code) => !codes.includes(code)),
    },
  });
  return [...effectiveCodes({ ...rights, granted: grants, denied: denials, staff: true })].sort();
}

const updateUserPermissions = handle(
  contract.updateUserPermissions,
  async ({ musercode, userid, codes }, ctx) => {
    const uniqueCodes = [...new Set(codes)];
    return {
      granted:
        userid !== undefined
          ? await grantUser(ctx, userid, uniqueCodes)
          : await grantInstitution(ctx, musercode as string, uniqueCodes),
    };
  },
  {
    current: async ({ musercode, userid }, scope) => ({
      codes: [...((userid ? await rightsOfUser(scope, userid) : await rightsOfInstitution(scope, musercode ?? ''))?.codes ?? [])],
    }),
  },
);

const explain = handle(contract.explain, async ({ accountid, guard }, { scope }) => {
  const account = await queries.findAccount(scope, accountid);
  if (!account) throw problems.notFound({ what: '账号' });
  const rights =
    account.userid === null ? await rightsOfInstitution(scope, account.musercode) : await rightsOfUser(scope, account.userid);
  const entry = menuEntries.find(
    (menuEntry) =>
      menuEntry.key === guard ||
      (menuEntry.code !== '' && menuEntry.code === guard && menuEntry.menutype !== 'M') ||
      menuEntry.path === guard,
  );
  if (!rights) throw problems.notFound({ what: '账号' });
  if (!entry) throw problems.notFound({ what: '功能' });
  const roles = account.userid === null ? [] : await queries.rolesOf(scope, account.userid);
  const chosenDeptids = [...new Set(roles.filter((role) => role.datascope === 2).flatMap((role) => role.deptids))];
  return explainAccess({
    account,
    rights,
    entry,
    roles,
    deptnames: await queries.deptNames(scope, chosenDeptids),
    persons: await queries.countPersons(scope, account.musercode, account.userid),
  });
});

const findAccounts = handle(contract.findAccounts, (filters, { scope }) => queries.findAccounts(scope, filters));

export const permissionHandlers = [getAllPermissions, updateUserPermissions, explain, findAccounts];
