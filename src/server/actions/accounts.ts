import type { Bound } from '#server/actions/bound.ts';
import * as listView from '#contract/listView.ts';
import * as apikey from '#features/apikey/apikey.contract.ts';
import { apiKeyHandlers } from '#features/apikey/apikey.server.ts';
import * as pin from '#features/pin/pin.contract.ts';
import { pinHandlers } from '#features/pin/pin.server.ts';
import * as guide from '#features/guide/guide.contract.ts';
import { guideHandlers } from '#features/guide/guide.server.ts';
import * as planner from '#features/planner/planner.contract.ts';
import { plannerHandlers } from '#features/planner/planner.server.ts';
import * as menu from '#features/access/menu/menu.contract.ts';
import { listViewHandlers } from '#features/listview/listview.server.ts';
import { menuHandlers } from '#features/access/menu/menu.server.ts';
import * as permission from '#features/access/permission/permission.contract.ts';
import { permissionHandlers } from '#features/access/permission/permission.server.ts';
import * as role from '#features/access/role/role.contract.ts';
import { roleHandlers } from '#features/access/role/role.server.ts';
import * as factor from '#features/account/factor.contract.ts';
import { factorHandlers } from '#features/account/factor.server.ts';
import * as device from '#features/account/device/device.contract.ts';
import { deviceHandlers } from '#features/account/device/device.server.ts';
import * as passkey from '#features/account/passkey/passkey.contract.ts';
import { passkeyHandlers } from '#features/account/passkey/passkey.server.ts';
import * as profile from '#features/account/profile.contract.ts';
import { profileHandlers } from '#features/account/profile.server.ts';
import * as app from '#features/app/app.contract.ts';
import * as appChoice from '#features/app/choice.contract.ts';
import { appHandlers } from '#features/app/app.server.ts';
import * as audit from '#features/audit/audit.contract.ts';
import { auditHandlers } from '#features/audit/audit.server.ts';
import * as login from '#features/audit/login/login.contract.ts';
import { loginHandlers } from '#features/audit/login/login.server.ts';
import * as file from '#features/file/file.contract.ts';
import { fileHandlers } from '#features/file/file.server.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { uploadHandlers } from '#features/file/upload/upload.server.ts';
import * as exportJob from '#contract/exportJob.ts';
import { jobHandlers } from '#features/job/job.server.ts';
import * as entryAdmin from '#features/muser/entry/entry.contract.ts';
import { entryAdminHandlers } from '#features/muser/entry/entry.server.ts';
import * as muser from '#features/muser/muser.contract.ts';
import { muserHandlers } from '#features/muser/muser.server.ts';
import * as muserUpdate from '#features/muser/edit/updateMUser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.server.ts';
import * as notice from '#features/notice/notice.contract.ts';
import { noticeHandlers } from '#features/notice/notice.server.ts';
import * as webhook from '#features/webhook/webhook.contract.ts';
import { webhookHandlers } from '#features/webhook/webhook.server.ts';
import * as noticeChannel from '#features/notice/channel/channel.contract.ts';
import { channelHandlers } from '#features/notice/channel/channel.server.ts';
import * as dept from '#features/org/dept/dept.contract.ts';
import { deptHandlers } from '#features/org/dept/dept.server.ts';
import * as user from '#features/org/user/user.contract.ts';
import { userHandlers } from '#features/org/user/user.server.ts';
import * as userBatch from '#features/org/batch/userBatch.contract.ts';
import { userBatchHandlers } from '#features/org/batch/userBatch.server.ts';
import * as userSheet from '#features/org/import/staffImport.contract.ts';
import { userSheetHandlers } from '#features/org/import/staffImport.server.ts';
import * as acting from '#features/session/acting.contract.ts';
import { actingHandlers } from '#features/session/acting.server.ts';
import * as demo from '#features/session/demo.contract.ts';
import { demoHandlers } from '#features/session/demo.server.ts';
import * as passkeySignIn from '#features/session/passkeySignIn.contract.ts';
import { passkeySignInHandlers } from '#features/session/passkeySignIn.server.ts';
import * as session from '#features/session/session.contract.ts';
import { sessionHandlers } from '#features/session/session.server.ts';
import * as workbench from '#features/workbench/workbench.contract.ts';
import { workbenchHandlers } from '#features/workbench/workbench.server.ts';

/** The contracts of accounts, roles, institutions, notices, files and the logs, each with its handlers. */
export const accounts: readonly Bound[] = [
  [menu, menuHandlers],
  [planner, plannerHandlers],
  [guide, guideHandlers],
  [pin, pinHandlers],
  [apikey, apiKeyHandlers],
  [listView, listViewHandlers],
  [permission, permissionHandlers],
  [role, roleHandlers],
  [factor, factorHandlers],
  [device, deviceHandlers],
  [passkey, passkeyHandlers],
  [profile, profileHandlers],
  [{ ...app, ...appChoice }, appHandlers],
  [audit, auditHandlers],
  [login, loginHandlers],
  [file, fileHandlers],
  [upload, uploadHandlers],
  [exportJob, jobHandlers],
  [entryAdmin, entryAdminHandlers],
  [muser, muserHandlers],
  [muserUpdate, [updateMUser]],
  [notice, noticeHandlers],
  [noticeChannel, channelHandlers],
  [webhook, webhookHandlers],
  [dept, deptHandlers],
  [user, userHandlers],
  [userBatch, userBatchHandlers],
  [userSheet, userSheetHandlers],
  [acting, actingHandlers],
  [demo, demoHandlers],
  [passkeySignIn, passkeySignInHandlers],
  [session, sessionHandlers],
  [workbench, workbenchHandlers],
];
