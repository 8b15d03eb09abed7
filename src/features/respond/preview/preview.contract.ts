import { z } from 'zod';
import { CARE_TYPES, anyone, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { formcode } from '#features/form/form.contract.ts';
import { sheet } from '#features/respond/respond.contract.ts';

/**
 * Returns what the respondent's page needs to show a plan or chosen forms to staff: the entry and the questionnaires, without scores.
 * It creates no exam. The page answers all other calls itself (src/respondent/preview).
 */
export const previewTask = defineAction({
  name: 'as.m.assess.previewAssessTask',
  title: '预览作答',
  allow: forTypes(CARE_TYPES, staffOf('task.edit', 'plan.edit')),
  kind: 'read',
  request: z.strictObject({
    plancode: z.string().min(1, '请选择方案').max(20).optional().describe('方案'),
    /** without a plan: the forms of a plan that is not saved yet, in their order */
    formcodes: z.array(z.string().max(20)).min(1, '请选择量表').max(20).optional().describe('量表'),
    stagecode: z.string().max(10).optional().describe('阶段'),
    /** the institution whose entry the page shows; the caller's own when absent */
    musercode: z.string().max(20).optional().describe('机构'),
  }),
  response: z.object({
    clientcode: z.string(),
    planname: z.string(),
    minutes: z.number(),
    sheets: z.array(sheet),
  }),
});

/**
 * Returns a link that opens one version of a form on a phone for 30 minutes, without signing in. `draft` is the draft of the caller's own
 * institution. It stores nothing.
 */
export const getFormPreviewLink = defineAction({
  name: 'as.m.assess.forms.getFormPreviewLink',
  title: '手机预览',
  allow: staffOf('plans.scales'),
  kind: 'read',
  request: z.strictObject({ formcode, version: z.string().min(1).max(20) }),
  response: z.object({
    url: z.string(),
    /** the link as a QR code: a PNG as `data:` address */
    qr: z.string(),
    expiretime: z.string(),
  }),
});

/** Returns the questions of the form version that the token of `getFormPreviewLink` names: no scores, no levels, no alerts. */
export const getFormPreview = defineAction({
  name: 'as.c.exam.getFormPreview',
  title: '读取手机预览的题目',
  allow: anyone,
  kind: 'read',
  request: z.strictObject({ token: z.string().max(400) }),
  response: z.object({ sheet }),
});
