import { maskPhone } from '#domain/base/mask.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { SessionHash } from '#server/db/scope.ts';
import { deviceOf } from '#features/account/describeDevice.ts';
import { endSessions, liveSessions } from '#features/account/account.queries.ts';
import { placeOf } from '#features/account/ipRegion.ts';
import * as contract from '#features/account/profile.contract.ts';
import * as queries from '#features/account/profile.queries.ts';

const getProfile = handle(contract.getProfile, async (_, { scope, caller, authn }) => {
  const row = await queries.findProfile(scope);
  if (!row) throw problems.identityInvalid();
  const pwdtime = await queries.passwordTime(authn, caller.accountid);
  return {
    account: row.account,
    realname: row.realname ?? '',
    phonenumber: row.phonenumber ? maskPhone(row.phonenumber) : '',
    email: row.email ?? '',
    deptname: row.deptname ?? '',
    rolenames: row.rolenames,
    pwdtime: pwdtime ? shanghaiTime(pwdtime) : '',
  };
});

const updateProfile = handle(contract.updateProfile, async ({ phonenumber, email }, { scope, caller, audit }) => {
  const given = {
    ...(phonenumber === undefined ? {} : { phonenumber: phonenumber || null }),
    ...(email === undefined ? {} : { email: email || null }),
  };
  if (Object.keys(given).length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  if (caller.userid === null && email !== undefined)
    throw problems.invalid({ message: '机构账号没有邮箱，请填写联系电话' }, { field: 'email' });
  await queries.changeContact(scope, caller, given);
  audit({ objectid: caller.accountid, detail: { changed: Object.keys(given) } });
  return {};
});

const seen = (one: { ip: string | null; useragent: string | null }) => ({
  device: deviceOf(one.useragent ?? ''),
  ip: one.ip ?? '',
  place: placeOf(one.ip ?? ''),
});

const getMySessions = handle(contract.getMySessions, async (_, { caller, authn, session }) => ({
  sessions: (await liveSessions(authn, caller.accountid)).map((liveSession) => ({
    sessionid: liveSession.sessionid,
    ...seen(liveSession),
    createtime: shanghaiTime(liveSession.createtime),
    lastseen: shanghaiTime(liveSession.lastseen),
    current: liveSession.tokenhash === session,
    loginas: liveSession.loginasby !== null,
  })),
  logins: (await queries.recentLogins(authn, caller.accountid)).map((recentLogin) => ({
    id: Number(recentLogin.id),
    time: shanghaiTime(recentLogin.time),
    ok: recentLogin.ok === 1,
    reason: recentLogin.reason,
    ...seen(recentLogin),
  })),
}));

const endMySession = handle(contract.endMySession, async ({ sessionid }, { caller, pools, session, audit }) => {
  const ended =
    sessionid === undefined
      ? await queries.endOthers(pools.authn, caller.accountid, session as SessionHash)
      : await endSessions(pools.authn, caller.accountid, sessionid);
  if (sessionid !== undefined && ended === 0) throw problems.notFound({ what: '登录会话' });
  audit({ objectid: caller.accountid, detail: { ended } });
  return { ended };
});

export const profileHandlers = [getProfile, updateProfile, getMySessions, endMySession];
