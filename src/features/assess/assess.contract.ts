import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

/** 立即测评: links and codes with which one person answers one plan now, and the devices that take codes. */

const testers = forTypes(CARE_TYPES, staffOf('grant.persons'));
const target = {
  cuserid: z.string().min(1).max(20).describe('受测者'),
  plancode: z.string().min(1, '请选择方案').max(20).describe('方案'),
  stagecode: z.string().max(20).nullable().optional().describe('阶段'),
};
const prepared = {
  planname: z.string(),
  /** 1: this call authorised the person and froze one count; 0: a live authorization was there */
  isgranted: z.number(),
  expiretime: z.string(),
};

/**
 * Makes the link with which a person answers a plan at a stage: 02 on a telephone, for seven days or until the hand-in; 01 on this
 * device, for ten minutes and one use. A new link ends the earlier ones of the same authorization.
 */
export const insertTestLink = defineAction({
  name: 'as.m.exam.insertTestLink',
  title: '生成测评链接',
  allow: testers,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject({ ...target, way: z.enum(['01', '02']).default('02').describe('方式') }),
  response: z.object({
    ...prepared,
    /** shown once: the server stores only a hash of the secret after `#` */
    link: z.string(),
    /** PNG as a data URL; '' for this device */
    picture: z.string(),
    /** 1: the person's page asks for month and day of birth */
    asksbirthday: z.number(),
  }),
});

/** Makes a code of four digits for a paired device: for 15 minutes and one use. At most 50 are live at an institution. */
export const insertKioskCode = defineAction({
  name: 'as.m.exam.insertKioskCode',
  title: '生成自助机测评码',
  allow: testers,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject(target),
  response: z.object({ ...prepared, code: z.string() }),
});

/** Pairs this device as a kiosk for 30 days. */
export const insertKiosk = defineAction({
  name: 'as.m.exam.insertKiosk',
  title: '配对自助机',
  allow: testers,
  kind: 'write',
  request: z.strictObject({ kioskname: z.string().trim().min(1, '请填写设备名称').max(30).describe('设备名称') }),
  /** the address that this device opens; it holds the secret of the device and is shown once */
  response: z.object({ link: z.string() }),
});

/** Lists the paired devices of the caller's institution that still take codes. */
export const getKioskList = defineAction({
  name: 'as.m.exam.getKioskList',
  title: '查询自助机',
  allow: testers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(
    z.object({
      kioskid: z.number(),
      kioskname: z.string(),
      pairedby: z.string(),
      createtime: z.string(),
      expiretime: z.string(),
      lasttime: z.string().nullable(),
      /** 1: too many wrong codes; it takes none until the ten minutes are over or staff release it */
      isstopped: z.number(),
    }),
  ),
});

/** Ends the pairing of a device: it takes no further code. */
export const deleteKiosk = defineAction({
  name: 'as.m.exam.deleteKiosk',
  title: '解除自助机配对',
  allow: testers,
  kind: 'write',
  request: z.strictObject({ kioskid: z.number().int() }),
  response: z.object({}),
});

/** Releases a device that stopped after too many wrong codes, so that it takes codes at once. */
export const releaseKiosk = defineAction({
  name: 'as.m.exam.releaseKiosk',
  title: '恢复自助机',
  allow: testers,
  kind: 'write',
  request: z.strictObject({ kioskid: z.number().int() }),
  response: z.object({}),
});
