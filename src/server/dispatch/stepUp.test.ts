import { expect, test } from 'vitest';
import { needsStepUp, isClosedToActing, type Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import { startServer } from '#testing/server.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';

const staffActions = actions.filter((action) => action.allow.caller === 'staff');
const example = (action: Action) => exampleOf(action, {}) ?? {};
const names = (list: readonly Action[]) => list.map((action) => action.name).sort();
const newPassword = { musercode: 'M_CHENGUANG', pwd: 'D41D8CD98F00B204E9800998ECF8427E' };

test('every export and reveal needs a step-up within five minutes, except empty templates', () => {
  const files = staffActions.filter((action) => action.kind === 'export' || action.kind === 'reveal');
  expect(files.length).toBeGreaterThan(10);
  expect(names(files.filter((action) => !needsStepUp(action, example(action))))).toEqual([
    'as.m.assess.exportRosterTemplate',
    'as.m.system.user.exportUserTemplate',
  ]);
});

// Reviewed by hand: rights, accounts, passwords, second factors, QR links of institutions, acting in another account.
test('every change of rights, every reset and acting need a step-up', () => {
  const sensitive = staffActions.filter(
    (action) => action.kind !== 'export' && action.kind !== 'reveal' && needsStepUp(action, example(action)),
  );
  expect(names(sensitive)).toEqual(
    [
      'as.m.cuser.anonymizeCUser',
      'as.m.notice.sendTestMessage',
      'as.m.notice.updateMailChannel',
      'as.m.notice.updateWebhookChannel',
      'as.m.permissions.updateUserPermissions',
      'as.m.system.dept.deleteDeptById',
      'as.m.system.dept.insertDept',
      'as.m.system.dept.updateDept',
      'as.m.system.menu.deleteMenuById',
      'as.m.system.menu.insertMenu',
      'as.m.system.menu.updateMenu',
      'as.m.system.role.deleteRoleById',
      'as.m.system.role.insertRole',
      'as.m.system.role.updateMuserMenu',
      'as.m.system.role.updateRole',
      'as.m.system.user.commitUserImport',
      'as.m.system.user.deleteUserById',
      'as.m.system.user.enableUser',
      'as.m.system.user.importUser',
      'as.m.system.user.insertUser',
      'as.m.system.user.renewUserPasswords',
      'as.m.system.user.resetPwd',
      'as.m.system.user.resetSecondFactor',
      'as.m.system.user.revokeSession',
      'as.m.system.user.undoUserImport',
      'as.m.system.user.updateUser',
      'as.m.user.addMUser',
      'as.m.user.beginSecondFactor',
      'as.m.user.confirmSecondFactor',
      'as.m.user.deleteMUser',
      'as.m.user.enableMuser',
      'as.m.user.loginAs',
      'as.m.user.resetMUserFactor',
      'as.m.user.resetMUserPassword',
      'as.m.user.resetQrCode',
      'as.m.user.updateMUserCategory',
    ].sort(),
  );
  // One call changes plain facts, without a step-up, and passwords, with a step-up unless it sends the current password.
  expect(needsStepUp(updateMUser, { musercode: 'M_CHENGUANG', shortname: '晨光' })).toBe(false);
  expect(needsStepUp(updateMUser, newPassword)).toBe(true);
  expect(needsStepUp(updateMUser, { ...newPassword, oldpwd: newPassword.pwd })).toBe(false);
  expect(isClosedToActing(updateMUser, newPassword)).toBe(true);
});

test('six minutes after the step-up exactly these actions answer 110007', async () => {
  const server = await startServer();
  const tokens = Object.values(await createOwnAccounts(server));
  await server.sqlAsOwner("update auth.session set stepuptime = now() - interval '6 minutes'");
  const wrong: string[] = [];
  for (const action of staffActions) {
    const isSensitive = needsStepUp(action, example(action));
    if (!isSensitive && action.kind !== 'read') continue;
    const codes: number[] = [];
    for (const token of tokens) codes.push((await server.raw(action.name, token, example(action))).errorCode);
    // An account that may not call the action gets 110004 first.
    if (
      isSensitive ? !codes.every((code) => code === 110007 || code === 110004) || !codes.includes(110007) : codes.includes(110007)
    )
      wrong.push(`${action.name} ${codes.join()}`);
  }
  expect(wrong).toEqual([]);
});

test('an acting session gets 110011 from exactly the closed actions', async () => {
  const server = await startServer();
  await createOwnAccounts(server);
  const acting: string[] = [];
  const reason = '协助核对名册导入的问题';
  for (const musercode of ['M_ANLAN', 'JYJ00001', 'M_RENAI', 'M_CHENGUANG']) {
    // One session of the platform for each: a second one from the same session would end the first.
    const from = `platform-${musercode}`;
    await server.sqlAsOwner(
      `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
       select encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'staff', 'AS000001', 'AS000001', now() + interval '1 day', '1 day', now()`,
      [from],
    );
    acting.push((await server.withToken(from)(loginAs, { musercode, reason })).token);
  }
  const wrong: string[] = [];
  for (const action of staffActions) {
    const closed = isClosedToActing(action, example(action));
    if (!closed && action.kind !== 'read') continue;
    const codes: number[] = [];
    for (const token of acting) codes.push((await server.raw(action.name, token, example(action))).errorCode);
    const reachable = !action.allow.types || action.allow.types.some((type) => type !== '001');
    if (
      closed
        ? !codes.every((code) => code === 110011 || code === 110004) || (reachable && !codes.includes(110011))
        : codes.includes(110011)
    )
      wrong.push(`${action.name} ${codes.join()}`);
  }
  expect(wrong).toEqual([]);
  for (const token of acting)
    expect((await server.raw('as.m.user.updateMUser', token, { ...newPassword, oldpwd: newPassword.pwd })).errorCode).not.toBe(0);
});
