import { z } from 'zod';
import { anyone, defineAction } from '#contract/action.ts';
import { clientCode, loginRespondent } from '#features/respond/respond.contract.ts';

/** Sign-in of a respondent with a link or a code that staff made for this person (立即测评). */

const byLink = loginRespondent.response.extend({
  /** the plan that the link or code is for */
  cuserplanid: z.number(),
  /** 01 this device · 02 link · 03 code of a kiosk */
  way: z.enum(['01', '02', '03']),
});

/**
 * Signs in with a link of `insertTestLink`. On a telephone the page asks for month and day of birth where the file knows them (120001
 * with the field); five wrong ones end the link.
 */
export const loginByLink = defineAction({
  name: 'as.c.user.loginByLink',
  title: '受测者用链接进入测评',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    clientcode: clientCode,
    secret: z.string().regex(/^[0-9A-Za-z_-]{32}$/, '链接不完整，请重新打开'),
    birthday: z
      .string()
      .regex(/^\d{2}-\d{2}$/, '请选择出生月日')
      .optional()
      .describe('出生月日'),
  }),
  response: byLink,
  cost: 5,
});

/** Signs in with a code of four digits at a paired device. Five wrong codes in ten minutes stop the device. */
export const loginByKioskCode = defineAction({
  name: 'as.c.user.loginByKioskCode',
  title: '受测者在自助机输入测评码',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    clientcode: clientCode,
    /** the secret of the device */
    kiosk: z.string().regex(/^[0-9A-Za-z_-]{32}$/, '请工作人员重新配对这台设备'),
    code: z
      .string()
      .regex(/^\d{4}$/, '请输入 4 位数字')
      .describe('测评码'),
  }),
  response: byLink,
  cost: 5,
});
