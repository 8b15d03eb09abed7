import { shanghaiDate } from '#domain/base/calendar.ts';
import type { CheckedTable } from '#contract/workbook/checkRows.ts';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { validateTable, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { canAssignRole } from '#server/dispatch/rights.ts';
import { findRoles } from '#features/access/role/role.queries.ts';
import { findDepts } from '#features/org/dept/dept.queries.ts';
import { planStaffImport, type NewStaff, type StaffImportPlan } from '#features/org/import/staffImportPlan.ts';
import { findUsedNames } from '#features/org/user/user.queries.ts';
import type { FirstPasswords } from '#features/org/import/staffImport.contract.ts';
import * as queries from '#features/org/import/staffImport.queries.ts';

type Call = Context<'staff'> & { caller: Staff };

export interface InspectedStaff extends StaffImportPlan {
  checked: CheckedTable<WorksheetSchema>;
}

/** Checks a staff list: its columns, departments, roles that the caller may assign, and login names in use. */
export async function validateStaff(ctx: ReadContext<'staff'>, staged: ParsedTable): Promise<InspectedStaff> {
  const { scope, caller, authn, now } = ctx;
  const { musercode } = caller;
  const checked = validateTable('staff', staged, shanghaiDate(now));
  const valuesOf = (key: 'sysusername' | 'realname') => [
    ...new Set(checked.rows.flatMap(({ values }) => (typeof values[key] === 'string' ? [values[key]] : []))),
  ];
  const loginnames = valuesOf('sysusername').map((name) => name.toLowerCase());
  const namesInUse = new Map<string, string | null>([...(await findUsedNames(authn, loginnames))].map((name) => [name, null]));
  const colleagues = await queries.findColleagues(scope, musercode, valuesOf('realname'), loginnames);
  const colleaguesByName = new Map<string, typeof colleagues>();
  for (const colleague of colleagues) {
    const name = colleague.sysusername.toLowerCase();
    if (namesInUse.has(name)) namesInUse.set(name, colleague.realname);
    colleaguesByName.set(colleague.realname, [...(colleaguesByName.get(colleague.realname) ?? []), colleague]);
  }
  const institution = ctx.caller.institutioncodes;
  const roles = (await findRoles(scope, musercode, {})).map((role) => ({
    ...role,
    assignable: canAssignRole(caller, role, institution),
  }));
  const depts = await findDepts(scope, musercode);
  return { checked, ...planStaffImport(checked, { depts, roles, namesInUse, colleaguesByName }) };
}

/** A user that an import added: the row of the list and the id. */
export interface AddedUser {
  row: number;
  userid: string;
}

/** Adds users, roles and accounts in four statements. Only the returned list contains the passwords in clear text. */
export async function addStaff(
  { scope, cipher, caller }: Call,
  users: readonly NewStaff[],
  validdays: number,
): Promise<{ added: AddedUser[]; created: FirstPasswords['created'] }> {
  const { musercode } = caller;
  const ids = await queries.addUsers(
    scope,
    musercode,
    users.map(({ values, deptid }) => ({
      sysusername: values.sysusername,
      realname: values.realname,
      deptid,
      phonenumber: values.phonenumber,
      email: null,
      gender: values.gender,
      post: values.post,
      titles: null,
      remark: null,
      duty: values.duty ? 1 : 0,
      isshared: 0,
    })),
  );
  const added = users.map((user) => ({ ...user, userid: ids.get(user.values.sysusername.toLowerCase()) as string }));
  await queries.assignRoles(
    scope,
    musercode,
    added.flatMap(({ userid, roleids }) => roleids.map((roleid) => ({ userid, roleid }))),
  );
  const secrets = added.map(() => generateOneTimePassword(cipher.pepper));
  await queries.createAccounts(
    scope,
    added.map((item) => item.userid),
    secrets.map((secret) => secret.hash),
    validdays,
  );
  return {
    added: added.map(({ row, userid }) => ({ row, userid })),
    created: added.map(({ row, values }, index) => ({
      row,
      realname: values.realname,
      sysusername: values.sysusername,
      onetime: secrets[index]?.onetime ?? '',
    })),
  };
}
