import { z } from 'zod';
import { defineAction, only, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';

const editors = only(['001', '002', '004', '005'], staffOf('organization.users'));

const checkedRow = z.object({
  row: z.number(),
  ok: z.boolean(),
  /** what was read, by column */
  texts: z.record(z.string(), z.string()),
  errors: z.array(z.object({ key: z.string(), message: z.string() })),
  warnings: z.array(z.object({ key: z.string(), message: z.string() })),
});
/** Checks a sheet of staff and changes nothing. */
export const checkUserSheet = defineAction({
  name: 'as.m.system.user.checkUserSheet',
  title: '预检用户名单',
  allow: editors,
  kind: 'import',
  request: z.strictObject({}),
  response: z.object({
    filename: z.string(),
    columns: z.array(z.object({ head: z.string(), state: z.enum(['matched', 'ignored', 'repeated', 'missing', 'absent']) })),
    rows: z.array(checkedRow),
    good: z.number(),
    bad: z.number(),
  }),
  cost: 5,
});
export type UserSheetCheck = z.infer<typeof checkUserSheet.response>;

/** Creates all or, with `skiperror` '1', the rows without errors; each with a one-time password that is answered once. */
export const importUser = defineAction({
  name: 'as.m.system.user.importUser',
  title: '批量新增用户',
  allow: editors,
  kind: 'import',
  sensitive: true,
  request: z.strictObject({ skiperror: z.enum(['0', '1']).default('0') }),
  response: z.object({
    created: z.array(z.object({ row: z.number(), realname: z.string(), sysusername: z.string(), onetime: z.string() })),
    failed: z.number(),
    validuntil: z.string(),
  }),
  cost: 10,
});
export const exportUserTemplate = defineAction({
  name: 'as.m.system.user.exportUserTemplate',
  title: '下载用户名单模板',
  allow: editors,
  kind: 'export',
  blank: true,
  request: z.strictObject({}),
  response: file,
});
