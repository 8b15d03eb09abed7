import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { needsStepUp, isClosedToActing, type Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { selectUserList } from '#features/org/user/user.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';

const staffActions = actions.filter((action) => action.allow.caller === 'staff');
const example = (action: Action) => exampleOf(action, {}) ?? {};
const names = (list: readonly Action[]) => list.map((action) => action.name).sort();
const newPassword = { musercode: 'M_CHENGUANG', pwd: 'D41D8CD98F00B204E9800998ECF8427E' };

/** Every call that asks for a step-up, by its reason. Reviewed by hand against security.md C14. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'exports a file': [
    'as.m.assess.exportAssessTaskRosterProgress',
    'as.m.assess.exportAssessTeamRoster',
    'as.m.assess.exportImportErrors',
    'as.m.audit.exportAudit',
    'as.m.cuser.exportCuserList',
    'as.m.cuser.answerMergeCUser',
    'as.m.cuser.mergeCUser',
    'as.m.cuser.undoMergeCUser',
    'as.m.exam.answerExamMove',
    'as.m.exam.exportCUserDetailData',
    'as.m.exam.exportCUserExamData',
    'as.m.exam.exportCUserStatData',
    'as.m.exam.exportCUserWarningDetailData',
    'as.m.exam.moveExam',
    'as.m.exam.swapExam',
    'as.m.exam.voidExam',
    'as.m.consult.exportConsultList',
    'as.m.cuser.exportPersonCopy',
    'as.m.fhir.exportBundle',
    'as.m.followup.exportFollowUpList',
    'as.m.hospital.statistic.exportPlanAuthorizeCount',
    'as.m.hospital.statistic.exportPlanAuthorizeDetails',
    'as.m.job.downloadExport',
    'as.m.order.exportOrderList',
    'as.m.report.exportReleasedReport',
    'as.m.report.exportReportPdf',
    'as.m.report.exportReportZip',
    'as.m.report.exportTeamReport',
    'as.m.report.exportTeamReportAnnex',
    'as.m.report.exportTemplatePreview',
    'as.m.statistic.exportExcelTemplate',
    'as.m.system.user.exportUserImportErrors',
    'as.m.system.user.exportUserList',
    'as.m.user.exportToFile',
    'as.m.user.exportToZipFile',
    'as.m.warning.exportWarningList',
  ],
  'shows a contact': ['as.m.consent.revealGuardianCode', 'as.m.cuser.revealCUser'],
  'changes rights': [
    'as.m.permissions.updateUserPermissions',
    'as.m.system.menu.deleteMenuById',
    'as.m.system.menu.insertMenu',
    'as.m.system.menu.updateMenu',
    'as.m.system.role.deleteRoleById',
    'as.m.system.role.insertRole',
    'as.m.system.role.updateMuserMenu',
    'as.m.system.role.updateRole',
    'as.m.user.updateMUserCategory',
  ],
  'opens, changes or closes an account': [
    'as.m.system.user.commitUserImport',
    'as.m.system.user.deleteUserById',
    'as.m.system.user.enableUser',
    'as.m.system.user.importUser',
    'as.m.system.apikey.insertApiKey',
    'as.m.system.user.insertUser',
    'as.m.system.user.revokeSession',
    'as.m.system.user.undoUserImport',
    'as.m.system.user.updateUser',
    'as.m.system.user.updateUserBatch',
    'as.m.user.addMUser',
    'as.m.user.deleteMUser',
    'as.m.user.enableMuser',
  ],
  'sends data of persons to a third party': ['as.m.report.saveAiConsent'],
  'gives out or replaces a secret': [
    'as.m.notice.sendTestMessage',
    'as.m.notice.updateMailChannel',
    'as.m.notice.updateWebhookChannel',
    'as.m.system.user.renewUserPasswords',
    'as.m.system.user.resetPwd',
    'as.m.system.user.resetPwdBatch',
    'as.m.system.user.resetSecondFactor',
    'as.m.user.beginSecondFactor',
    'as.m.user.confirmSecondFactor',
    'as.m.user.beginPasskey',
    'as.m.user.confirmPasskey',
    'as.m.user.deletePasskey',
    'as.m.planner.createCalendarFeed',
    'as.m.user.insertScreenCode',
    'as.m.user.resetMUserFactor',
    'as.m.user.resetMUserPassword',
    'as.m.user.resetQrCode',
    'as.m.webhook.deleteWebhook',
    'as.m.webhook.insertWebhook',
    'as.m.webhook.renewWebhookSecret',
    'as.m.webhook.sendTestEvent',
    'as.m.webhook.updateWebhook',
  ],
  'erases a person': ['as.m.cuser.answerAnonymization', 'as.m.cuser.anonymizeCUser'],
  'decides how long records stay': ['as.m.audit.saveRetention', 'as.m.cuser.endLegalHold', 'as.m.cuser.insertLegalHold'],
  'acts in another account': ['as.m.user.loginAs'],
  'pays money back': ['as.m.order.answerRefund', 'as.m.order.refundOrder'],
};

test('exactly the calls of the reviewed table need a step-up', () => {
  const sensitive = staffActions.filter((action) => needsStepUp(action, example(action)));
  expect(names(sensitive)).toEqual(Object.values(reasons).flat().sort());
  // One call changes plain facts, without a step-up, and passwords, with a step-up unless it sends the current password.
  expect(needsStepUp(updateMUser, { musercode: 'M_CHENGUANG', shortname: '晨光' })).toBe(false);
  expect(needsStepUp(updateMUser, newPassword)).toBe(true);
  expect(needsStepUp(updateMUser, { ...newPassword, oldpwd: newPassword.pwd })).toBe(false);
  expect(isClosedToActing(updateMUser, newPassword)).toBe(true);
});

test('reading a report, a trend or a case leaves an audit row and asks for no password', () => {
  const reveals = staffActions.filter((action) => action.kind === 'reveal' && !needsStepUp(action, example(action)));
  expect(names(reveals)).toEqual([
    'as.m.assess.comments.testComment',
    'as.m.audit.getPersonTrail',
    'as.m.consult.getConsultDetail',
    'as.m.consult.getConsultNote',
    'as.m.cuser.getCUserArchive',
    'as.m.cuser.getSignaturePicture',
    'as.m.exam.getCUserReport',
    'as.m.exam.getExamForms',
    'as.m.exam.getPHQ9ChartsData',
    'as.m.exam.getReportHistory',
    'as.m.interfere.getInterfereList',
    'as.m.report.previewTemplateOnReport',
    'as.m.warning.getSafetyPlan',
    'as.m.warning.getWarningDetail',
    'as.m.warning.openCaseFile',
  ]);
});

test('sixteen minutes after the last use exactly these actions answer 110007', async () => {
  const server = await startServer();
  const tokens = Object.values(await createOwnAccounts(server));
  await server.sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes'");
  const wrong: string[] = [];
  for (const action of staffActions) {
    const isSensitive = needsStepUp(action, example(action));
    if (!isSensitive && action.kind !== 'read' && action.kind !== 'reveal') continue;
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

/** Lets minutes pass since the last step-up of an account. */
const wait = ({ sqlAsOwner }: TestServer, accountid: string, minutes: number) =>
  sqlAsOwner('update auth.session set stepuptime = least(stepuptime, now()) - make_interval(mins => $2) where accountid = $1', [
    accountid,
    minutes,
  ]);

test('a client that knows only the specification works all day: while it is in use nothing asks for a password', async () => {
  const server = await startServer();
  const school = (await createOwnAccounts(server))['005'];
  const specified = new Set(JSON.parse(await readFile('docs/spec-calls.json', 'utf8')) as string[]);
  const calls = staffActions.filter((action) => specified.has(action.name));
  expect(calls.length).toBeGreaterThan(80);
  const refused: string[] = [];
  for (const action of calls) {
    await wait(server, 'M_CHENGUANG', 8);
    await server.withToken(school)(selectUserList, {});
    await wait(server, 'M_CHENGUANG', 6);
    const { errorCode } = await server.raw(action.name, school, example(action));
    if (errorCode === 110007 || errorCode === 110000) refused.push(`${action.name} ${errorCode}`);
  }
  expect(refused).toEqual([]);
});

test('after a pause of 16 minutes an export asks, and ordinary work does not', async () => {
  const server = await startServer();
  await wait(server, 'U_MA', 16);
  await server.as('ma')(selectUserList, {});
  await server.as('ma')(insertDept, { deptname: '德育处', parentid: 0 });
  expect((await server.raw('as.m.system.user.exportUserList', 'ma', {})).errorCode).toBe(110007);
});

test('a screen that renews itself does not prolong a step-up', async () => {
  const server = await startServer();
  const poll = () =>
    server.dispatch({
      name: selectUserList.name,
      token: 'ma',
      body: {},
      isUnattended: true,
      requestId: 'poll',
      ip: '127.0.0.1',
      useragent: 'test',
    });
  for (let minute = 0; minute < 16; minute += 4) {
    await wait(server, 'U_MA', 4);
    expect((await poll()).errorCode).toBe(0);
  }
  expect((await server.raw('as.m.system.user.exportUserList', 'ma', {})).errorCode).toBe(110007);
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
