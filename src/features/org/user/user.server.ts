import type { z } from 'zod';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Gender } from '#domain/base/enums.ts';
import { maskPhone } from '#domain/base/mask.ts';
import { xlsxMime } from '#contract/file.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { allPages } from '#server/export/allPages.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import { writeWorksheet, type ExportColumn } from '#server/workbook/write.ts';
import { createUser, requireAssignableRoles, requireOwnDept, validUntil } from '#features/org/user/createUser.ts';
import { endSessions, findActiveSessions } from '#features/account/account.queries.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import * as contract from '#features/org/user/user.contract.ts';
import { changeRoles, handOverAll, handOverReason, requireManageable, resetPassword } from '#features/org/user/changeUser.ts';
import * as queries from '#features/org/user/user.queries.ts';
import { resetFactor } from '#features/account/factor.queries.ts';
import { requireBelow } from '#features/access/institutionAccess.ts';
import { passWork } from '#features/handover/passWork.ts';
import { passCases } from '#features/warning/handover/handOver.ts';

type Input = z.output<(typeof contract.selectUserList)['request']>;
/** Whether the caller reads the telephones of staff of other institutions in full. */
const readsPhones = (caller: Staff) => !caller.loginasby && caller.codes.has(codeOf('person.unmasked'));
/** Returns the users to list. Only types 001 and 002 may choose an institution below or all of them; all others read their own. */
function reachOf(caller: Staff, { musercode, reach }: Pick<Input, 'musercode' | 'reach'>): queries.UserReach {
  const hasBelow = caller.musertype === '001' || caller.musertype === '002';
  const chosen = hasBelow ? (musercode ?? (reach === 'all' ? undefined : caller.musercode)) : caller.musercode;
  return { musercode: chosen, hasPhones: chosen === caller.musercode || readsPhones(caller) };
}
/** Returns a telephone of staff: in full for the own institution or with the right person.unmasked, else masked. */
const phoneOf = (caller: Staff, musercode: string, phone: string | null) =>
  !phone || musercode === caller.musercode || readsPhones(caller) ? (phone ?? '') : maskPhone(phone);
const formatRoles = (roles: readonly { rolename: string; enabled: number }[]) =>
  roles.map((role) => (role.enabled ? role.rolename : `${role.rolename}（停用）`));
const stateOf = (account: { mustchangepwd: number; lapsed: boolean } | null) =>
  account?.lapsed ? ('lapsed' as const) : account?.mustchangepwd ? ('waiting' as const) : ('active' as const);

const selectUserList = handle(contract.selectUserList, async ({ musercode, reach, ...filters }, ctx) => {
  const { scope, caller, authn } = ctx;
  const { total, rows } = await queries.findUsers(scope, reachOf(caller, { musercode, reach }), filters);
  const logins = await queries.lastLogins(
    authn,
    rows.map((row) => row.userid),
  );
  const institution = ctx.caller.institutioncodes;
  return {
    total,
    rows: rows.map(({ roles, rolecodes, grants, account, createtime, ...row }) => ({
      ...row,
      gender: row.gender ?? '',
      phonenumber: phoneOf(caller, row.musercode, row.phonenumber),
      email: row.email ?? '',
      deptname: row.deptname ?? '',
      post: row.post ?? '',
      titles: row.titles ?? '',
      remark: row.remark ?? '',
      roleids: roles.map((role) => role.roleid),
      rolenames: formatRoles(roles),
      state: stateOf(account),
      absentuntil: row.absentuntil && row.absentuntil > ctx.now ? shanghaiTime(row.absentuntil).slice(0, 16) : '',
      lastlogintime: logins.has(row.userid) ? shanghaiTime(logins.get(row.userid) as Date) : '',
      createtime: shanghaiTime(createtime),
      manageable:
        row.musercode === caller.musercode &&
        row.userid !== caller.userid &&
        !caller.hasDataScope &&
        [...rolecodes.flat(), ...grants].every((code) => !institution.has(code) || caller.codes.has(code)),
    })),
  };
});

const heads: readonly ExportColumn[] = [
  { head: '机构', width: 24 },
  { head: '姓名' },
  { head: '登录账号', width: 18 },
  { head: '部门', width: 18 },
  { head: '角色', width: 28 },
  { head: '职务', width: 14 },
  { head: '性别' },
  { head: '联系电话', width: 16 },
  { head: '邮箱', width: 24 },
  { head: '资质', width: 20 },
  { head: '接收预警' },
  { head: '状态', width: 18 },
  { head: '二次验证' },
  { head: '最近登录', width: 20 },
  { head: '创建时间', width: 20 },
  { head: '备注', width: 30 },
];
const STATES = { active: '启用', waiting: '待首次登录', lapsed: '初始密码已用或过期' } as const;
/** Rows of one page of the export. */
const exportPageSize = 500;

const exportUserList = handle(contract.exportUserList, async ({ musercode, reach, ...filters }, ctx) => {
  const { scope, caller, now, audit, pools, progress } = ctx;
  const listed = reachOf(caller, { musercode, reach });
  const exportRows: (string | number | null)[][] = [];
  const read = (page: number) => queries.findUsers(scope, listed, { ...filters, page, pageSize: exportPageSize });
  for await (const rows of allPages(read, progress)) {
    const logins = await queries.lastLogins(
      pools.authn,
      rows.map((row) => row.userid),
    );
    for (const row of rows) {
      const login = logins.get(row.userid);
      exportRows.push([
        row.insname,
        row.realname,
        row.sysusername,
        row.deptname,
        formatRoles(row.roles).join('、'),
        row.post,
        row.gender ? Gender.label(row.gender) : '',
        phoneOf(caller, row.musercode, row.phonenumber),
        row.email,
        row.titles,
        row.duty ? '是' : '否',
        row.enabled ? STATES[stateOf(row.account)] : '停用',
        row.secondfactor ? '已启用' : '未启用',
        login ? shanghaiTime(login) : '',
        shanghaiTime(row.createtime),
        row.remark,
      ]);
    }
  }
  const stamp = shanghaiTime(now);
  const isElsewhere = listed.musercode !== undefined && listed.musercode !== caller.musercode;
  audit({
    ...(isElsewhere ? { objectid: listed.musercode as string } : {}),
    detail: { filters: { ...filters, reach }, rows: exportRows.length },
  });
  return {
    filename: `用户_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '用户',
      heads,
      rows: exportRows,
      note: `${caller.name} 于 ${stamp} 导出，共 ${exportRows.length} 人。含个人信息，请妥善保管`,
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

const emptyToNull = (text: string | undefined) => text || null;

const insertUser = handle(contract.insertUser, async ({ roleids, validdays, ...fields }, ctx) => {
  assertMayManageRights(ctx.caller);
  const roles = await requireAssignableRoles(ctx, roleids);
  const { userid, onetime } = await createUser(
    ctx,
    {
      sysusername: fields.sysusername,
      realname: fields.realname,
      deptid: await requireOwnDept(ctx, fields.deptid),
      phonenumber: emptyToNull(fields.phonenumber),
      email: emptyToNull(fields.email),
      gender: fields.gender ?? null,
      post: emptyToNull(fields.post),
      titles: emptyToNull(fields.titles),
      remark: emptyToNull(fields.remark),
      duty: fields.duty ?? 0,
      isshared: fields.isshared ?? 0,
    },
    { roleids, validdays },
  );
  ctx.audit({
    objectid: userid,
    detail: { sysusername: fields.sysusername, realname: fields.realname, roles: roles.map((role) => role.rolename) },
  });
  return { userid, onetime, validuntil: validUntil(ctx.now, validdays) };
});

const updateUser = handle(
  contract.updateUser,
  async ({ userid, roleids, version: _, ...fields }, ctx) => {
    const { scope, caller, audit } = ctx;
    const isSelf = userid === caller.userid;
    const user = isSelf ? await queries.findUser(scope, caller.musercode, userid) : await requireManageable(ctx, userid);
    if (!user) throw problems.notFound({ what: '用户' });
    const roleidsBefore = await queries.roleidsOf(scope, userid);
    const hasNewRoles =
      roleids !== undefined && (roleids.length !== roleidsBefore.length || roleids.some((id) => !roleidsBefore.includes(id)));
    // Users cannot change their own rights; the department is part of them.
    if (
      isSelf &&
      (hasNewRoles ||
        (fields.deptid !== undefined && fields.deptid !== user.deptid) ||
        (fields.sysusername !== undefined && fields.sysusername !== user.sysusername))
    )
      throw problems.invalid({ message: '不能修改自己的账号、部门和角色' });
    // A shared account owns no case, follow-up or booking, because nobody could say which human handles it.
    if (fields.isshared === 1 && user.isshared === 0) await handOverAll(ctx, user, '改为共用');
    const text = (value: string | undefined, current: string | null) => (value === undefined ? current : emptyToNull(value));
    const deptid =
      fields.deptid === undefined || fields.deptid === user.deptid ? user.deptid : await requireOwnDept(ctx, fields.deptid);
    const remark = text(fields.remark, user.remark);
    await queries.changeUser(scope, userid, {
      sysusername: fields.sysusername ?? user.sysusername,
      realname: fields.realname ?? user.realname,
      deptid,
      phonenumber: text(fields.phonenumber, user.phonenumber),
      email: text(fields.email, user.email),
      gender: fields.gender === undefined ? user.gender : fields.gender,
      post: text(fields.post, user.post),
      titles: text(fields.titles, user.titles),
      // A new seal of the same text would count as an edit.
      ...(remark !== user.remark && { remark }),
      duty: fields.duty ?? user.duty,
      isshared: fields.isshared ?? user.isshared,
    });
    const detail: Record<string, unknown> = { fields: Object.keys(fields) };
    if (hasNewRoles) Object.assign(detail, await changeRoles(ctx, user, roleids));
    audit({ objectid: userid, detail });
    return {};
  },
  { current: async ({ userid }, scope) => ({ roleids: await queries.roleidsOf(scope, userid) }) },
);

const deleteUserById = handle(contract.deleteUserById, async ({ userid, ...choice }, ctx) => {
  const user = await requireManageable(ctx, userid);
  const { handedover, numbers } = await handOverAll(ctx, user, '删除', choice);
  if (!(await queries.removeUser(ctx.scope, userid)))
    throw problems.inUse({ why: `“${user.realname}”还负责未结案的预警，请先转交责任人` });
  ctx.audit({ objectid: userid, detail: { sysusername: user.sysusername, realname: user.realname, handedover, numbers } });
  return { handedover };
});

const resetPwd = handle(contract.resetPwd, async ({ userid, validdays }, ctx) => {
  const user = await requireManageable(ctx, userid);
  const onetime = await resetPassword(ctx, user, validdays);
  ctx.audit({ objectid: userid, detail: { realname: user.realname, validdays } });
  return { onetime, validuntil: validUntil(ctx.now, validdays) };
});

const resetSecondFactor = handle(contract.resetSecondFactor, async ({ userid }, ctx) => {
  const user = await requireManageable(ctx, userid);
  await resetFactor(ctx.scope, userid);
  await queries.notifyUser(
    ctx.scope,
    user,
    '二次验证已被重置',
    `${ctx.caller.name} 于 ${shanghaiTime(ctx.now)} 重置了您的二次验证，其他登录均已退出。如非您本人要求，请联系管理员。`,
    ctx.now,
  );
  ctx.audit({ objectid: userid, detail: { realname: user.realname } });
  return {};
});

/** Returns a user of an institution below that the caller manages, for emergencies; undefined for users of the own institution. */
async function findUserBelow({ scope, caller }: Context<'staff'>, userid: string) {
  if (caller.musertype !== '001' && caller.musertype !== '002') return undefined;
  const user = await queries.findUserBelow(scope, caller.musercode, userid);
  if (user) await requireBelow(scope, caller, user.musercode);
  return user;
}

const enableUser = handle(contract.enableUser, async ({ userid, enabled, ...choice }, ctx) => {
  const userBelow = await findUserBelow(ctx, userid);
  const user = userBelow ?? (await requireManageable(ctx, userid));
  await queries.setEnabled(ctx.scope, userid, enabled);
  const { handedover, numbers } =
    enabled === 1
      ? { handedover: 0, numbers: '' }
      : userBelow
        ? await passAll(ctx, userBelow)
        : await handOverAll(ctx, user, '停用', choice);
  ctx.audit({ objectid: userid, detail: { realname: user.realname, enabled, handedover, numbers } });
  return { handedover };
});

/** Passes the work of a disabled user of an institution below to the next able colleagues. */
async function passAll(ctx: Context<'staff'>, user: { userid: string; musercode: string; realname: string }) {
  const { scope, cipher } = ctx;
  const why = handOverReason(ctx, user, '停用');
  const handedover = await passCases(scope, { owneruserid: user.userid }, why);
  const count = await passWork({ scope, cipher, why }, user);
  return { handedover, numbers: count ? `${count} 项随访和预约` : '' };
}

const getSessionList = handle(contract.getSessionList, async ({ userid }, { scope, caller, authn, session }) => {
  if (!(await queries.findUser(scope, caller.musercode, userid))) throw problems.notFound({ what: '用户' });
  return (await findActiveSessions(authn, userid)).map((liveSession) => ({
    sessionid: liveSession.sessionid,
    ip: liveSession.ip ?? '',
    device: describeDevice(liveSession.useragent ?? ''),
    createtime: shanghaiTime(liveSession.createtime),
    lastseen: shanghaiTime(liveSession.lastseen),
    loginas: liveSession.loginasby !== null,
    current: liveSession.tokenhash === session,
  }));
});

const revokeSession = handle(contract.revokeSession, async ({ userid, sessionid }, ctx) => {
  // All callers may end their own sessions. For the sessions of others the caller must manage that user.
  if (userid !== ctx.caller.userid) await requireManageable(ctx, userid);
  const ended = await endSessions(ctx.pools.authn, userid, sessionid);
  if (sessionid !== undefined && ended === 0) throw problems.notFound({ what: '登录设备' });
  ctx.audit({ objectid: userid, detail: { ended } });
  return { ended };
});

export const userHandlers = [
  selectUserList,
  exportUserList,
  insertUser,
  updateUser,
  deleteUserById,
  resetPwd,
  resetSecondFactor,
  enableUser,
  getSessionList,
  revokeSession,
];
