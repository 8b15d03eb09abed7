import { shanghaiTime } from '#domain/base/calendar.ts';
import { withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import * as contract from '#features/plan/plan.contract.ts';
import * as queries from '#features/plan/plan.queries.ts';
import { requireUsable, formsForUse } from '#features/plan/formLicence.ts';

async function planPage(scope: Scope, caller: Staff, filters: queries.PlanFilters) {
  const { total, rows } = await queries.findPlans(scope, filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      categoryname: row.categoryname ?? '',
      introduce: row.introduce ?? '',
      minutes: countQuestions(row.forms, 'minutes'),
      itemcount: countQuestions(row.forms, 'itemcount'),
      own: row.musercode === caller.musercode,
      createtime: shanghaiTime(row.createtime),
    })),
  };
}

const countQuestions = (
  forms: readonly { formcode: string; minutes: number; itemcount: number }[],
  key: 'minutes' | 'itemcount',
) => [...new Map(forms.map((form) => [form.formcode, form[key]])).values()].reduce((sum, value) => sum + value, 0);

const getMUserExamPlanPage = handle(contract.getMUserExamPlanPage, ({ musercode, ...filters }, { scope, caller }) =>
  planPage(scope, caller, { ...filters, musercodes: [musercode ?? caller.musercode] }),
);

const getMultipleMUserExamPlanPage = handle(contract.getMultipleMUserExamPlanPage, (filters, { scope, caller }) =>
  planPage(scope, caller, filters),
);

async function checkContent(
  scope: Scope,
  plan: { appid: string; musercode: string },
  forms: readonly queries.PlanFormInput[],
  stagecodes: readonly string[],
) {
  const keys = forms.map((form) => `${form.formcode} ${form.stagecode}`);
  if (new Set(keys).size < keys.length) throw problems.invalid({ message: '同一量表重复选择' }, { field: 'forms' });
  const stray = forms.find((form) => form.stagecode && !stagecodes.includes(form.stagecode));
  if (stray) throw problems.invalid({ message: '量表所属阶段不在方案阶段内' }, { field: 'forms' });
  const formcodes = [...new Set(forms.map((form) => form.formcode))];
  await requireUsable(scope, formcodes, plan.musercode);
  const definitions = await queries.findFormsForUse(scope, formcodes, plan.musercode);
  for (const { formname, formtype, definition } of definitions) {
    const scale = definition as Scale;
    if ((formtype !== '01' && formtype !== '02') || scale.capturemode === 'staff')
      throw problems.invalid({ message: `“${formname}”须由工作人员填写，不能放入自助作答的方案` }, { field: 'forms' });
    if (scale.appids?.length && !scale.appids.includes(plan.appid))
      throw problems.invalid({ message: `“${formname}”不适用于所选人群` }, { field: 'forms' });
  }
}

function checkDates(begin: string | null | undefined, end: string | null | undefined) {
  if (begin && end && end < begin) throw problems.invalid({ message: '停用日期不能早于启用日期' }, { field: 'validend' });
}

const insertMUserExamPlan = handle(
  contract.insertMUserExamPlan,
  async ({ forms, stagecodes, musercode, copyfrom, ...input }, ctx) => {
    const { scope, caller } = ctx;
    const owner = musercode ?? caller.musercode;
    checkDates(input.validbegin, input.validend);
    await checkContent(scope, { appid: input.appid, musercode: owner }, forms, stagecodes);
    const plancode = await queries.addPlan(scope, {
      ...input,
      categoryid: input.categoryid || null,
      retestdays: input.retestdays ?? null,
      introduce: input.introduce || null,
      validbegin: input.validbegin ?? null,
      validend: input.validend ?? null,
      musercode: owner,
      copyfrom: copyfrom ?? null,
    });
    await queries.setPlanContent(scope, { plancode, musercode: owner }, forms, stagecodes);
    ctx.audit({ objectid: plancode });
    return { plancode };
  },
);

/** A plan the caller can see, or 130001. */
async function requirePlanRow(scope: Scope, plancode: string) {
  const plan = await queries.findPlan(scope, plancode);
  if (!plan) throw problems.notFound({ what: '方案' });
  return plan;
}

const signature = (forms: readonly { formcode: string; required: number; stagecode: string }[]) =>
  JSON.stringify(forms.map(({ formcode, required, stagecode }) => [formcode, required, stagecode]));

const updateMUserExamPlan = handle(
  contract.updateMUserExamPlan,
  async ({ plancode, version, forms, stagecodes, ...input }, ctx) => {
    const { scope, caller } = ctx;
    const before = await requirePlanRow(scope, plancode);
    const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    checkDates(
      input.validbegin === undefined ? before.validbegin : input.validbegin,
      input.validend === undefined ? before.validend : input.validend,
    );
    const oldForms = await queries.findPlanForms(scope, plancode);
    const oldStages = (await queries.findPlanStages(scope, plancode)).map((stage) => stage.stagecode);
    const newForms = forms ?? oldForms;
    const newStages = stagecodes ?? oldStages;
    const changed = signature(newForms) !== signature(oldForms) || newStages.join() !== oldStages.join();
    if (changed) await checkContent(scope, before, newForms, newStages);
    if (changed && before.locked) {
      const retired = await queries.changePlan(scope, plancode, version, { status: 0 });
      if (!retired) throw await lockReason(scope, plancode, before.musercode, caller);
      const { planname, appid, categoryid, retestdays, reportmode, price, introduce, validbegin, validend, musercode } = before;
      const old = { planname, appid, categoryid, retestdays, reportmode, price, introduce, validbegin, validend };
      const { status: _status, ...fields } = changes;
      const copy = await queries.addPlan(scope, { ...old, ...(fields as Partial<typeof old>), musercode, copyfrom: plancode });
      await queries.setPlanContent(scope, { plancode: copy, musercode }, newForms, newStages);
      ctx.audit({ objectid: copy, detail: { copyfrom: plancode } });
      return { plancode: copy, copied: true };
    }
    if (!(await queries.changePlan(scope, plancode, version, changes)))
      throw await lockReason(scope, plancode, before.musercode, caller);
    if (changed) await queries.setPlanContent(scope, { plancode, musercode: before.musercode }, newForms, newStages);
    ctx.audit({ objectid: plancode, detail: { changed: [...Object.keys(changes), ...(changed ? ['forms'] : [])] } });
    return { plancode, copied: false };
  },
);

/** Nothing was written: a common plan of somebody above can be read but not changed; else somebody was quicker. */
async function lockReason(scope: Scope, plancode: string, owner: string, caller: Staff) {
  const writable = owner === caller.musercode || (await queries.holdsPlan(scope, plancode));
  return writable ? problems.changedMeanwhile() : problems.wrongState({ why: '公共方案只能由所属机构修改，可复制后再改' });
}

const deleteMUserExamPlan = handle(contract.deleteMUserExamPlan, async ({ plancode }, ctx) => {
  const plan = await requirePlanRow(ctx.scope, plancode);
  if (plan.locked) throw problems.inUse({ why: '方案已被使用，不能删除，可改为停用' });
  if (!(await queries.removePlan(ctx.scope, plancode))) throw await lockReason(ctx.scope, plancode, plan.musercode, ctx.caller);
  ctx.audit({ objectid: plancode });
  return {};
});

const updatePlanIsCommon = handle(contract.updatePlanIsCommon, async ({ plancode, iscommon }, { scope, caller, audit }) => {
  await requirePlanRow(scope, plancode);
  if (!(await queries.setCommon(scope, plancode, caller.musercode, iscommon)))
    throw problems.wrongState({ why: '只有方案的所属机构可以设置公共方案' });
  audit({ objectid: plancode, detail: { iscommon } });
  return {};
});

const getPlanForm = handle(contract.getPlanForm, async ({ plancode, stagecode }, { scope }) => {
  await requirePlanRow(scope, plancode);
  return queries.findPlanForms(scope, plancode, stagecode);
});

const getPlanStage = handle(contract.getPlanStage, async ({ plancode }, { scope }) => {
  await requirePlanRow(scope, plancode);
  return queries.findPlanStages(scope, plancode);
});

const getPlanFormDetails = handle(contract.getPlanFormDetails, async ({ plancode, formcode }, { scope, caller }) => {
  await requirePlanRow(scope, plancode);
  const form = (await queries.findPlanForms(scope, plancode)).find((planForm) => planForm.formcode === formcode);
  const found = form && (await queries.findDefinition(scope, formcode, form.formversion ?? form.currentversion));
  if (!form || !found) throw problems.notFound({ what: '量表' });
  const wording = (await queries.findWording(scope, formcode, caller.musercode))?.wording as FormWording | null | undefined;
  const scale = wording ? withWording(found.definition as Scale, wording) : (found.definition as Scale);
  const scores = caller.codes.has(codeOf('form.edit'));
  return {
    form: { ...form, recall: form.recall ?? '', introduce: form.introduce ?? '', citation: form.citation ?? '' },
    version: found.version,
    questions: scale.items.map((item, index) => ({
      no: index + 1,
      title: item.t,
      questiontype: item.type ?? 1,
      inputtype: item.input ?? null,
      required: item.required === false ? 0 : 1,
      options: (item.o === undefined ? [] : (scale.optionsets[item.o] ?? [])).map(([optioncode, label, score]) => ({
        optioncode,
        label,
        ...(scores ? { score } : {}),
      })),
    })),
    quotas: await queries.findQuotas(scope, formcode),
    licencetext: form.licencetext ?? '',
  };
});

const getFormInfoByPlanCode = handle(
  contract.getFormInfoByPlanCode,
  async ({ plancode, stagecode, musercode }, { scope, caller }) => {
    await requirePlanRow(scope, plancode);
    const forms = await queries.findPlanForms(scope, plancode, stagecode);
    const use = await formsForUse(
      scope,
      forms.map((form) => form.formcode),
      musercode ?? caller.musercode,
    );
    return forms.map((form) => {
      const { ok, reasons } = use.get(form.formcode) ?? { ok: false, reasons: ['该量表已删除'] };
      return { ...form, licenceok: ok, reasons };
    });
  },
);

export const planHandlers = [
  getMUserExamPlanPage,
  getMultipleMUserExamPlanPage,
  insertMUserExamPlan,
  updateMUserExamPlan,
  deleteMUserExamPlan,
  updatePlanIsCommon,
  getPlanForm,
  getPlanStage,
  getPlanFormDetails,
  getFormInfoByPlanCode,
];
