import { z } from 'zod';
import { anyone, anyStaff, defineAction, forTypes, staffOf, type Allow } from '#contract/action.ts';

/**
 * The sessions of screens (数据大屏). A member of staff makes a code, and the browser of a display opens its session with it. The
 * session reads `as.m.statistic.getBigScreenData` and nothing else, for 30 days, until somebody ends it.
 */

/** The minutes in which a code opens a screen. */
export const SCREEN_CODE_MINUTES = 10;
/** The days for which a screen stays open. */
export const SCREEN_DAYS = 30;

/** Those who read statistics above the institutions, and the accounts for which the specification names the button. */
export const screenOwners: Allow<'staff'> = {
  ...forTypes(['001', '002', '003'], staffOf('statistics.school', 'statistics.hospital')),
  orNavextra: true,
};

/** Makes a code that opens one screen of the caller's account. */
export const insertScreenCode = defineAction({
  name: 'as.m.user.insertScreenCode',
  title: '打开大屏',
  allow: screenOwners,
  kind: 'write',
  personal: true,
  sensitive: true,
  request: z.strictObject({ screenname: z.string().trim().min(1, '请填写大屏名称').max(30).describe('大屏名称') }),
  response: z.object({ code: z.string(), minutes: z.number() }),
});

/** Opens the screen of a code in this browser. The code is then used up. */
export const openScreen = defineAction({
  name: 'as.m.user.openScreen',
  title: '大屏接入',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    code: z
      .string()
      .regex(/^\d{10}$/, '请输入 10 位数字')
      .describe('大屏码'),
  }),
  response: z.object({ token: z.string() }),
  cost: 5,
});

/** Returns the open screens of the caller's account. `endMySession` ends one by its number. */
export const getScreenList = defineAction({
  name: 'as.m.user.getScreenList',
  title: '查询本人打开的大屏',
  allow: anyStaff,
  kind: 'read',
  personal: true,
  request: z.strictObject({}),
  response: z.array(
    z.object({
      sessionid: z.string(),
      screenname: z.string(),
      device: z.string(),
      ip: z.string(),
      /** by the range of the address: 本机, 内网, 外网 */
      place: z.string(),
      createtime: z.string(),
      lastseen: z.string(),
      expiretime: z.string(),
    }),
  ),
});
