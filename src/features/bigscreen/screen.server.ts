import { randomBytes, randomInt } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { SCREEN_TOKEN } from '#server/security/tokenStart.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import { ipRegionOf } from '#features/account/ipRegion.ts';
import { createLockedProblem, maxFailuresByName } from '#features/account/proof.ts';
import { clearFailures, countFailure, findWaitMinutes } from '#features/account/throttle.queries.ts';
import * as contract from '#features/bigscreen/screen.contract.ts';
import * as queries from '#features/bigscreen/screen.queries.ts';

const insertScreenCode = handle(contract.insertScreenCode, async ({ screenname }, { caller, authn, cipher, audit }) => {
  const code = String(randomInt(1e10)).padStart(10, '0');
  await queries.insertCode(authn, { codehash: cipher.storedHash('screen', code), accountid: caller.accountid, screenname });
  audit({ objectid: caller.accountid, detail: { screenname } });
  return { code, minutes: contract.SCREEN_CODE_MINUTES };
});

const openScreen = handle(contract.openScreen, async ({ code }, ctx) => {
  const { authn, cipher, origin } = ctx;
  const key = cipher.hmac('throttle', `screen ip:${origin.ip}`);
  const minutes = await findWaitMinutes(authn, [key]);
  if (minutes > 0) throw problems.tooManyTries({ minutes });
  // The attempt is counted before the check and cleared when it is right. Otherwise concurrent attempts could all be checked.
  const failures = await countFailure(authn, key, maxFailuresByName);
  if (failures === undefined) throw await createLockedProblem(ctx, key);
  const used = await queries.consumeCode(authn, cipher.storedHashes('screen', code));
  if (!used) throw problems.wrongCode({ left: Math.max(0, maxFailuresByName - failures) }, { field: 'code' });
  await clearFailures(authn, key);
  const token = `${SCREEN_TOKEN}${randomBytes(32).toString('base64url')}`;
  await queries.openScreenSession(authn, { ...used, tokenhash: hashToken(token), ...origin });
  ctx.audit({ objectid: used.accountid, detail: { screenname: used.screenname } });
  return { token };
});

const getScreenList = handle(contract.getScreenList, async (_, { caller, authn }) =>
  (await queries.findScreens(authn, caller.accountid)).map((row) => ({
    sessionid: row.sessionid,
    screenname: row.screenname,
    device: describeDevice(row.useragent ?? ''),
    ip: row.ip ?? '',
    place: ipRegionOf(row.ip ?? ''),
    createtime: shanghaiTime(row.createtime),
    lastseen: shanghaiTime(row.lastseen),
    expiretime: shanghaiTime(row.expiretime),
  })),
);

export const screenHandlers = [insertScreenCode, openScreen, getScreenList];
