import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

const accountFields = {
  musercode: z.string().max(20).optional().describe('机构'),
  userid: z.string().max(20).optional().describe('用户'),
};
const one = (options: { musercode?: string | undefined; userid?: string | undefined }) =>
  (options.musercode === undefined) !== (options.userid === undefined);
const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('authority.roles', 'authority.menus'));

/** Every right there is, and those an institution or a member of staff has in effect. */
export const getAllPermissions = defineAction({
  name: 'as.m.permissions.getAllPermissions',
  title: '查询权限',
  allow: readers,
  kind: 'read',
  request: z.strictObject(accountFields),
  response: z.object({
    all: z.array(
      z.object({
        code: z.string(),
        title: z.string(),
        menutype: z.enum(['M', 'C', 'F']),
        parentcode: z.string(),
        menuid: z.number(),
        held: z.boolean(),
      }),
    ),
    granted: z.array(z.string()),
    /** of a member of staff: what the roles give, before single grants and denials */
    byroles: z.array(z.string()),
  }),
});

/**
 * Sets the rights an institution below or a member of staff has. Refused with 110004 for codes the caller lacks, for an account
 * that holds more than the caller, and for the own account. 'admin' is no code.
 */
export const updateUserPermissions = defineAction({
  name: 'as.m.permissions.updateUserPermissions',
  title: '修改权限',
  allow: readers,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({ ...accountFields, codes: z.array(z.string().max(20)).max(200).describe('权限') })
    .refine(one, '请指定一个机构或一个用户'),
  response: z.object({ granted: z.array(z.string()) }),
});

export const explainSteps = ['institution', 'account', 'bought', 'menu', 'role', 'granted', 'type', 'scope'] as const;
/** Why an account sees a screen or does not, step by step in the order in which the server asks. */
export const explain = defineAction({
  name: 'as.m.permissions.explain',
  title: '查询可见原因',
  allow: staffOf('authority.roles', 'authority.menus'),
  kind: 'read',
  request: z.strictObject({
    /** a member of staff (userid) or an institution's own account (musercode) */
    accountid: z.string().trim().min(1, '请选择账号').max(20).describe('账号'),
    guard: z.string().trim().min(1, '请选择功能').max(40).describe('功能'),
  }),
  response: z.object({
    name: z.string(),
    insname: z.string(),
    title: z.string(),
    path: z.string(),
    visible: z.boolean(),
    conclusion: z.string(),
    steps: z.array(
      z.object({
        key: z.enum(explainSteps),
        title: z.string(),
        /** null: informs, decides nothing */
        ok: z.boolean().nullable(),
        text: z.string(),
        /** what to do about it */
        hint: z.string(),
      }),
    ),
  }),
});
export type Explanation = z.infer<typeof explain.response>;

/** Accounts one can ask about: staff and institutions within reach, by name. */
export const findAccounts = defineAction({
  name: 'as.m.permissions.findAccounts',
  title: '查找账号',
  allow: staffOf('authority.roles', 'authority.menus'),
  kind: 'read',
  request: z.strictObject({
    keyword: z.string().trim().max(50).optional().describe('姓名或账号'),
    accountid: z.string().max(20).optional(),
    kind: z.enum(['staff', 'institution']).optional(),
  }),
  response: z.array(z.object({ accountid: z.string(), name: z.string(), loginname: z.string(), insname: z.string() })),
});
