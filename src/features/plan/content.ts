import type { Scale } from '#domain/scoring/scale.ts';
import { findReader } from '#domain/warning/screening.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { requireUsable } from '#features/plan/formLicence.ts';
import * as queries from '#features/plan/plan.queries.ts';

/** The plan whose content is checked. `planroot` is empty for a new plan. */
export interface CheckedPlan {
  appid: string;
  musercode: string;
  planroot: string;
  acknowledgement: string | undefined;
}

/** Refuses forms that are chosen twice or for a stage that the plan does not have. */
function checkChoice(forms: readonly queries.PlanFormInput[], stagecodes: readonly string[]) {
  const keys = forms.map((form) => `${form.formcode} ${form.stagecode}`);
  const everywhere = new Set(forms.filter((form) => form.stagecode === '').map((form) => form.formcode));
  const twice = forms.find((form, index) => {
    const isRepeated = keys.indexOf(`${form.formcode} ${form.stagecode}`) < index;
    return isRepeated || (form.stagecode !== '' && everywhere.has(form.formcode));
  });
  if (twice)
    throw problems.invalid({ message: '同一量表重复选择' }, { field: 'forms', data: { forms: [{ formcode: twice.formcode }] } });
  const formWithoutStage = forms.find((form) => form.stagecode && !stagecodes.includes(form.stagecode));
  if (formWithoutStage)
    throw problems.invalid(
      { message: '量表所属阶段不在方案阶段内' },
      { field: 'forms', data: { forms: [{ formcode: formWithoutStage.formcode }] } },
    );
}

/**
 * Refuses forms that a plan must not contain. Returns the codes of the forms that only R00 reads; without `acknowledgement` it refuses
 * them too (120002, `data.forms` names them).
 */
export async function checkContent(
  { scope, now }: { scope: Scope; now: Date },
  plan: CheckedPlan,
  forms: readonly queries.PlanFormInput[],
  stagecodes: readonly string[],
): Promise<string[]> {
  checkChoice(forms, stagecodes);
  const formcodes = [...new Set(forms.map((form) => form.formcode))];
  await requireUsable(scope, formcodes, plan.musercode, now);
  const definitions = await queries.findFormsForUse(scope, formcodes, plan.musercode);
  const refuse = (formcode: string, formname: string, message: string) =>
    problems.invalid({ message }, { field: 'forms', data: { forms: [{ formcode, formname }] } });
  for (const { formcode, formname, formtype, definition } of definitions) {
    const scale = definition as Scale;
    if ((formtype !== '01' && formtype !== '02') || scale.capturemode === 'staff')
      throw refuse(formcode, formname, `“${formname}”须由工作人员填写，不能放入自助作答的方案`);
    if (scale.appids?.length && !scale.appids.includes(plan.appid))
      throw refuse(formcode, formname, `“${formname}”不适用于所选人群`);
  }
  const rules = await queries.findOwnRules(scope, plan.musercode, plan.planroot);
  const readers = definitions.map(({ formcode, formname, definition }) => ({
    formcode,
    formname,
    reader: findReader(definition as Scale, rules, plan.appid),
  }));
  const silentForm = readers.find(({ reader }) => reader === 'nothing');
  if (silentForm)
    throw refuse(
      silentForm.formcode,
      silentForm.formname,
      `“${silentForm.formname}”没有带分级的主要得分，也没有红线条目，出现高风险时无法提示，不能用于筛查`,
    );
  if (readers.every(({ reader }) => reader === 'register'))
    throw problems.invalid({ message: '方案里只有登记表，不能用于筛查，请至少加入一份量表' }, { field: 'forms' });
  const scored = new Set(readers.filter(({ reader }) => reader !== 'register').map(({ formcode }) => formcode));
  const emptyStage = stagecodes.find(
    (stage) => !forms.some((form) => scored.has(form.formcode) && (form.stagecode === '' || form.stagecode === stage)),
  );
  if (emptyStage !== undefined) {
    const name = await queries.findStageName(scope, plan.appid, emptyStage);
    throw problems.invalid(
      { message: `阶段“${name}”没有计分量表，请加入一份，或取消这个阶段` },
      { field: 'stagecodes', data: { stagecode: emptyStage } },
    );
  }
  const floorForms = readers.filter(({ reader }) => reader === 'floor').map(({ formcode, formname }) => ({ formcode, formname }));
  if (floorForms.length && !plan.acknowledgement) {
    const names = floorForms.map((form) => `“${form.formname}”`).join('、');
    throw problems.invalid(
      {
        message: `${names}没有专门的预警规则，只有底线规则（重度及以上才提示）。如仍要使用，请写明理由，系统会记下您的姓名和时间`,
      },
      { field: 'acknowledgement', data: { forms: floorForms } },
    );
  }
  return floorForms.map((form) => form.formcode);
}

/** Refuses a custom report without a template that the owner of the plan may use. */
export async function checkTemplate(
  scope: Scope,
  { musercode, reportmode, reporttemplatecode }: { musercode: string; reportmode: string; reporttemplatecode: string | null },
) {
  if (reportmode !== '03') return;
  const refuse = (message: string) => problems.invalid({ message }, { field: 'reporttemplatecode' });
  if (!reporttemplatecode) throw refuse('自定义报告须选择报告模板');
  if (!(await queries.isTemplateUsable(scope, musercode, reporttemplatecode))) throw refuse('报告模板不存在或已停用，请重新选择');
}

/** Refuses a last day before the first one. */
export function checkDates(begin: string | null | undefined, end: string | null | undefined) {
  if (begin && end && end < begin) throw problems.invalid({ message: '停用日期不能早于启用日期' }, { field: 'validend' });
}
