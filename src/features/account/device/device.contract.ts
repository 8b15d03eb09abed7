import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** Trusted devices: browsers in which the password alone signs an account in, where the institution allows it. */

/** For so many days after a second factor. */
export const TRUST_DAYS = 30;

/**
 * Returns the caller's trusted devices, the last used first. `allowed`: the institution allows them; otherwise there are none.
 * `until`: last moment of the trust.
 */
export const getTrustedDeviceList = defineAction({
  name: 'as.m.user.getTrustedDeviceList',
  title: '查询免二次验证的设备',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.object({
    allowed: z.boolean(),
    devices: z.array(
      z.object({
        deviceid: z.string(),
        device: z.string(),
        ip: z.string(),
        place: z.string(),
        createtime: z.string(),
        lasttime: z.string(),
        until: z.string(),
        /** the browser of this call */
        current: z.boolean(),
      }),
    ),
  }),
});

/** Ends the trust in one device, or without `deviceid` in all. The next sign-in there asks for the second factor. */
export const deleteTrustedDevice = defineAction({
  name: 'as.m.user.deleteTrustedDevice',
  title: '移除免二次验证的设备',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ deviceid: z.string().max(20).optional().describe('设备编号') }),
  response: z.object({ removed: z.number() }),
});
