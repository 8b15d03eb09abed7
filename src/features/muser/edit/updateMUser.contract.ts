import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { contactFields, ruledFields } from '#features/muser/edit/fields.contract.ts';
import { pwdHash } from '#features/session/session.contract.ts';

/**
 * Either the caller's own password (`pwd`, with `oldpwd` or freshly proven), or a first password for an institution below (`pwd`
 * alone), or facts of an institution. Type, sector, place in the tree and rights cannot be named here at all.
 */
export const updateMUser = defineAction({
  name: 'as.m.user.updateMUser',
  title: '修改机构或密码',
  allow: anyStaff,
  kind: 'write',
  // A password that does not prove itself; who needs a second factor; who sees names.
  sensitive: ({ pwd, oldpwd, mustfactor, seedetail }) =>
    (pwd !== undefined && oldpwd === undefined) || mustfactor !== undefined || seedetail !== undefined,
  request: z.strictObject({
    musercode: z.string().max(20).describe('账号编号'),
    pwd: pwdHash.optional(),
    oldpwd: pwdHash.optional(),
    ...contactFields,
    ...ruledFields,
    /** of the row that was read; absent: whatever it is now */
    version: z.number().int().optional(),
  }),
  response: z.object({}),
  cost: 5,
});
