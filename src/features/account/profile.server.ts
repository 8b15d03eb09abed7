import { maskPhone } from '#domain/base/mask.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import { endSessions, findActiveSessions } from '#features/account/account.queries.ts';
import { ipRegionOf } from '#features/account/ipRegion.ts';
import * as contract from '#features/account/profile.contract.ts';
import * as queries from '#features/account/profile.queries.ts';

const getProfile = handle(contract.getProfile, async (_, { scope, caller, authn }) => {
  const row = await queries.findProfile(scope);
  if (!row) throw problems.identityInvalid();
  const pwdtime = await queries.findPasswordTime(authn, caller.accountid);
  return {
    version: row.version,
    account: row.account,
    realname: row.realname ?? '',
    phonenumber: row.phonenumber ? maskPhone(row.phonenumber) : '',
    email: row.email ?? '',
    deptname: row.deptname ?? '',
    rolenames: row.rolenames,
    pwdtime: pwdtime ? shanghaiTime(pwdtime) : '',
  };
});

const getAdministratorList = handle(contract.getAdministratorList, (_, { scope, caller }) =>
  queries.findAdministrators(scope, caller.musercode, codeOf('organization.users')),
);

const updateProfile = handle(contract.updateProfile, async ({ phonenumber, email }, { scope, caller, audit }) => {
  const contact = {
    ...(phonenumber === undefined ? {} : { phonenumber: phonenumber || null }),
    ...(email === undefined ? {} : { email: email || null }),
  };
  if (Object.keys(contact).length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  if (caller.userid === null && email !== undefined)
    throw problems.invalid({ message: '机构账号没有邮箱，请填写联系电话' }, { field: 'email' });
  await queries.updateContact(scope, caller, contact);
  audit({ objectid: caller.accountid, detail: { changed: Object.keys(contact) } });
  return {};
});

const toOrigin = (row: { ip: string | null; useragent: string | null }) => ({
  device: describeDevice(row.useragent ?? ''),
  ip: row.ip ?? '',
  place: ipRegionOf(row.ip ?? ''),
});

const getMySessions = handle(contract.getMySessions, async (_, { caller, authn, session }) => ({
  sessions: (await findActiveSessions(authn, caller.accountid)).map((row) => ({
    sessionid: row.sessionid,
    ...toOrigin(row),
    createtime: shanghaiTime(row.createtime),
    lastseen: shanghaiTime(row.lastseen),
    current: row.tokenhash === session,
    loginas: row.loginasby !== null,
  })),
  logins: (await queries.findRecentLogins(authn, caller.accountid)).map((login) => ({
    id: Number(login.id),
    time: shanghaiTime(login.time),
    ok: login.ok === 1,
    reason: login.reason,
    ...toOrigin(login),
  })),
}));

const endMySession = handle(contract.endMySession, async ({ sessionid }, { caller, pools, session, audit }) => {
  const ended =
    sessionid === undefined
      ? await queries.endOtherSessions(pools.authn, caller.accountid, session as SessionHash)
      : await endSessions(pools.authn, caller.accountid, sessionid);
  if (sessionid !== undefined && ended === 0) throw problems.notFound({ what: '登录设备' });
  audit({ objectid: caller.accountid, detail: { ended } });
  return { ended };
});

export const profileHandlers = [getProfile, getAdministratorList, updateProfile, getMySessions, endMySession];
