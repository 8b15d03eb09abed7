import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { changeOwnPassword } from '#features/account/password.ts';
import { editMUser, setMUserPassword } from '#features/muser/edit/updateInstitution.ts';
import * as contract from '#features/muser/edit/updateMUser.contract.ts';

/** One name of the wire for three things: the caller's own password, a password of an institution below, facts of an institution. */
export const updateMUser = handle(contract.updateMUser, async ({ pwd, oldpwd, ...facts }, ctx) => {
  const own = facts.musercode === ctx.caller.musercode;
  // Who signed in with an initial password may change that and nothing else.
  if (ctx.caller.mustChangePassword && (!own || pwd === undefined)) throw problems.mustChangePassword();
  if (pwd === undefined) {
    if (oldpwd !== undefined) throw problems.missing({ title: '新密码' }, { field: 'pwd' });
    await editMUser(ctx, facts);
  } else {
    if (Object.keys(facts).length > 1) throw problems.invalid({ message: '密码与资料请分开修改' }, { field: 'pwd' });
    // The current password proves who changes their own; for a reset of another's it would prove nothing.
    if (!own && oldpwd !== undefined)
      throw problems.invalid({ message: '重置其他账号的密码不需要当前密码' }, { field: 'oldpwd' });
    if (own) await changeOwnPassword(ctx, pwd, oldpwd);
    else await setMUserPassword(ctx, facts.musercode, pwd);
  }
  return {};
});
