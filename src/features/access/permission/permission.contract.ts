import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';

const target = {
  musercode: z.string().max(20).optional().describe('机构'),
  userid: z.string().max(20).optional().describe('用户'),
};
const hasOneTarget = ({ musercode, userid }: { musercode?: string | undefined; userid?: string | undefined }) =>
  (musercode === undefined) !== (userid === undefined);
const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('authority.roles', 'authority.menus'));

/** Lists all rights of the product, and those that an institution or a member of staff has in effect. */
export const getAllPermissions = defineAction({
  name: 'as.m.permissions.getAllPermissions',
  title: '查询权限',
  allow: readers,
  kind: 'read',
  request: z.strictObject(target),
  response: z.object({
    all: z.array(
      z.object({
        code: z.string(),
        title: z.string(),
        menutype: z.enum(['M', 'C', 'F']),
        parentcode: z.string(),
        menuid: z.number(),
        /** the caller holds this right and may grant it */
        held: z.boolean(),
      }),
    ),
    granted: z.array(z.string()),
    version: z.number(),
    /** of a member of staff: the codes of the roles, before single grants and denials */
    byroles: z.array(z.string()),
  }),
});

/**
 * Sets the rights of an institution below the caller or of a member of staff. Answers 110004 for codes the caller lacks and for the
 * caller's own account. Also answers 110004 for an account with more rights than the caller. 'admin' is not a code.
 */
export const updateUserPermissions = defineAction({
  name: 'as.m.permissions.updateUserPermissions',
  title: '修改权限',
  allow: readers,
  kind: 'write',
  edits: {
    table: 'sysuser',
    key: 'userid',
    marks: { codes: 'permissions' },
    or: { table: 'muser', key: 'musercode' },
  },
  sensitive: true,
  request: z
    .strictObject({ ...target, version: editVersion, codes: z.array(z.string().max(20)).max(200).describe('权限') })
    .refine(hasOneTarget, '请指定一个机构或一个用户'),
  response: z.object({ granted: z.array(z.string()), ...newVersion }),
});

/** The checks of `explain`, in the order of the server. */
export const explainSteps = ['institution', 'account', 'bought', 'menu', 'role', 'granted', 'type', 'scope'] as const;
/** Explains why an account sees a screen or does not. The steps have the order of the server's checks. */
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
        /** null: the step only informs */
        ok: z.boolean().nullable(),
        text: z.string(),
        /** the advice in Chinese; '' when the step passed */
        hint: z.string(),
      }),
    ),
  }),
});
export type Explanation = z.infer<typeof explain.response>;

/** Finds staff and institutions within the caller's reach by name. */
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
