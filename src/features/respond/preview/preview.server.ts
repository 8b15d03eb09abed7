import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { findPlan, findPlanForms } from '#features/plan/plan.queries.ts';
import { toSheet } from '#features/respond/exam/sitting.ts';
import { phoneHandlers } from '#features/respond/preview/phone.server.ts';
import * as contract from '#features/respond/preview/preview.contract.ts';
import { findEntryOf, findForms } from '#features/respond/preview/preview.queries.ts';

const previewTask = handle(contract.previewTask, async ({ plancode, formcodes, stagecode, musercode }, { scope, caller }) => {
  const plan = plancode === undefined ? undefined : await findPlan(scope, plancode);
  if (!plan && !formcodes) throw problems.notFound({ what: '方案' });
  const entry = await findEntryOf(scope, musercode ?? caller.musercode);
  if (!entry) throw problems.notFound({ what: '作答入口' });
  const forms = plan
    ? (await findPlanForms(scope, plan.plancode)).filter((form) => form.stagecode === '' || form.stagecode === stagecode)
    : await findForms(scope, formcodes ?? []);
  const sheets = await withScales(
    scope,
    forms.map((form, index) => ({
      examformid: index + 1,
      formcode: form.formcode,
      formversion: form.formversion ?? form.currentversion ?? '',
      answers: {},
      seqs: {},
    })),
  );
  return {
    clientcode: entry.clientcode,
    planname: plan?.planname ?? '',
    minutes: forms.reduce((sum, form) => sum + form.minutes, 0),
    sheets: sheets.map((form) => toSheet(form)),
  };
});

export const previewHandlers = [previewTask, ...phoneHandlers];
