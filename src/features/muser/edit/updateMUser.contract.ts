import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { contactFields, ruledFields } from '#features/muser/edit/fields.contract.ts';
import { pwdHash } from '#features/session/session.contract.ts';

/**
 * Changes one of three things. Own password: `pwd` with `oldpwd` or a recent step-up. First password of an institution below: `pwd`
 * alone. Fields of an institution: without `pwd`. Refuses type, sector, place in the tree and rights.
 */
export const updateMUser = defineAction({
  name: 'as.m.user.updateMUser',
  title: '修改机构或密码',
  allow: anyStaff,
  kind: 'write',
  edits: { table: 'muser', key: 'musercode', marks: { logofileid: 'logo' } },
  // A password without the old one and the rules of the second factor require a step-up.
  sensitive: ({ pwd, oldpwd, mustfactor, trustdevice }) =>
    (pwd !== undefined && oldpwd === undefined) || mustfactor !== undefined || trustdevice !== undefined,
  request: z.strictObject({
    musercode: z.string().max(20).describe('账号编号'),
    pwd: pwdHash.optional(),
    oldpwd: pwdHash.optional(),
    ...contactFields,
    ...ruledFields,
    version: editVersion,
  }),
  response: z.object(newVersion),
  cost: 5,
});
