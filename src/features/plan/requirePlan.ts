import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findPlan, findPlanForms } from '#features/plan/plan.queries.ts';
import { requireUsable } from '#features/plan/formLicence.ts';

/** Returns the required questionnaires of a plan. Their age ranges decide about eligibility; optional ones do not. */
export const requiredForms = (forms: Awaited<ReturnType<typeof findPlanForms>>) =>
  forms.filter((form) => form.required === 1).map((form) => ({ ...form, ok: true, reasons: [] }));

/**
 * Returns a plan that an institution can use today, with the questionnaires of a stage. Refuses 130001, 140001, 150002 or 150003.
 * It accepts the institution's own plan or a common plan of an institution above. The caller may see more plans than the respondents.
 */
export async function requirePlan(
  scope: Scope,
  options: { musercode: string; orgpath: string; plancode: string; stagecode: string | null; appid?: string; now: Date },
) {
  const plan = await findPlan(scope, options.plancode);
  const isUsable =
    plan &&
    (plan.musercode === options.musercode || (plan.iscommon === 1 && options.orgpath.split('.').includes(plan.musercode)));
  if (!isUsable || plan.formcode !== null || (options.appid !== undefined && plan.appid !== options.appid))
    throw problems.notFound({ what: '方案' });
  if (plan.supersededby !== null) throw problems.wrongState({ why: '方案已有新版本，请重新选择' }, { field: 'plancode' });
  const today = shanghaiDate(options.now);
  if (plan.status !== 1) throw problems.wrongState({ why: '方案已停用，请选择其他方案' }, { field: 'plancode' });
  if ((plan.validbegin && today < plan.validbegin) || (plan.validend && today > plan.validend))
    throw problems.outsideWindow({ why: '方案不在启用期内' }, { field: 'plancode' });
  const forms = (await findPlanForms(scope, options.plancode)).filter(
    (form) => form.stagecode === '' || form.stagecode === options.stagecode,
  );
  if (forms.length === 0) throw problems.invalid({ message: '该方案按阶段作答，请选择阶段' }, { field: 'stagecode' });
  await requireUsable(scope, [...new Set(forms.map((form) => form.formcode))], options.musercode, options.now);
  return { plan, forms };
}
