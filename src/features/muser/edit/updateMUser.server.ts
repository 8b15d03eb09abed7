import { maskPhone } from '#domain/base/mask.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { changeOwnPassword } from '#features/account/password.ts';
import { editMUser, setMUserPassword } from '#features/muser/edit/updateInstitution.ts';
import * as contract from '#features/muser/edit/updateMUser.contract.ts';
import { findPhone } from '#features/muser/muser.queries.ts';

/** Changes the caller's own password, the password of an institution below, or fields of an institution: one call for all three. */
export const updateMUser = handle(
  contract.updateMUser,
  async ({ pwd, oldpwd, ...fields }, ctx) => {
    const isOwn = fields.musercode === ctx.caller.musercode;
    // A caller with an initial password may only change that password.
    if (ctx.caller.mustChangePassword && (!isOwn || pwd === undefined)) throw problems.mustChangePassword();
    if (pwd === undefined) {
      if (oldpwd !== undefined) throw problems.missing({ title: '新密码' }, { field: 'pwd' });
      await editMUser(ctx, fields);
    } else {
      if (Object.keys(fields).length > 1) throw problems.invalid({ message: '密码与资料请分开修改' }, { field: 'pwd' });
      // The current password proves the identity of the caller. It proves nothing about another account.
      if (!isOwn && oldpwd !== undefined)
        throw problems.invalid({ message: '重置其他账号的密码不需要当前密码' }, { field: 'oldpwd' });
      if (isOwn) await changeOwnPassword(ctx, pwd, oldpwd);
      else await setMUserPassword(ctx, fields.musercode, pwd);
    }
    return {};
  },
  {
    // Staff who may edit an institution below may still see its telephone masked.
    current: async ({ musercode }, scope, caller) =>
      musercode === caller.musercode ? {} : { phonenumber: maskPhone(await findPhone(scope, musercode)) },
  },
);
