import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import * as contract from '#features/account/device/device.contract.ts';
import * as queries from '#features/account/device/device.queries.ts';
import { ipRegionOf } from '#features/account/ipRegion.ts';

const getTrustedDeviceList = handle(contract.getTrustedDeviceList, async (_, { caller, authn, origin }) => ({
  allowed: await queries.mayTrust(authn, caller.accountid),
  devices: (await queries.findTrustedDevices(authn, caller.accountid)).map((row) => ({
    deviceid: row.deviceid,
    device: describeDevice(row.useragent ?? ''),
    ip: row.ip ?? '',
    place: ipRegionOf(row.ip ?? ''),
    createtime: shanghaiTime(row.createtime),
    lasttime: shanghaiTime(row.lasttime),
    until: shanghaiTime(row.until),
    current: row.cookiehash === origin.cookieHash,
  })),
}));

const deleteTrustedDevice = handle(contract.deleteTrustedDevice, async ({ deviceid }, { caller, pools, audit }) => {
  const removed = await queries.distrust(pools.authn, caller.accountid, deviceid);
  if (deviceid !== undefined && removed === 0) throw problems.notFound({ what: '设备' });
  audit({ objectid: caller.accountid, detail: { removed } });
  return { removed };
});

export const deviceHandlers = [getTrustedDeviceList, deleteTrustedDevice];
