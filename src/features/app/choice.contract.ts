import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** An application in the application switch of the console. */
export const appRow = z.object({ appid: z.string(), appname: z.string(), scenecode: z.string(), iconurl: z.string() });

/** Lists the applications an institution may use today. Without `musercode` it is the caller's institution. */
export const getMUserAppList = defineAction({
  name: 'as.m.app.muser.getMUserAppList',
  title: '查询机构应用',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).optional(), appid: z.string().max(9).optional() }),
  response: z.array(appRow.extend({ begindate: z.string().nullable(), enddate: z.string().nullable(), enabled: z.number() })),
});

/** Lists the applications of the platform. */
export const getAppList = defineAction({
  name: 'as.m.app.getAppList',
  title: '查询应用',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional() }),
  response: z.array(appRow),
});
