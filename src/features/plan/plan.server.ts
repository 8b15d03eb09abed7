import { shanghaiTime } from '#domain/base/calendar.ts';
import { withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { findReader } from '#domain/warning/screening.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import * as contract from '#features/plan/plan.contract.ts';
import * as queries from '#features/plan/plan.queries.ts';
import { assertFree, requireUsable, checkFormLicences } from '#features/plan/formLicence.ts';

async function loadPlanPage(scope: Scope, caller: Staff, filters: queries.PlanFilters) {
  const { total, rows } = await queries.findPlans(scope, filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      categoryname: row.categoryname ?? '',
      introduce: row.introduce ?? '',
      acknowledgement: row.acknowledgement && {
        ...row.acknowledgement,
        time: shanghaiTime(new Date(row.acknowledgement.time)),
      },
      minutes: sumOverForms(row.forms, 'minutes'),
      itemcount: sumOverForms(row.forms, 'itemcount'),
      own: row.musercode === caller.musercode,
      createtime: shanghaiTime(row.createtime),
    })),
  };
}

/** Sums a number over the questionnaires, each counted once. */
const sumOverForms = (forms: readonly { formcode: string; minutes: number; itemcount: number }[], key: 'minutes' | 'itemcount') =>
  [...new Map(forms.map((form) => [form.formcode, form[key]])).values()].reduce((sum, value) => sum + value, 0);

const getMUserExamPlanPage = handle(contract.getMUserExamPlanPage, ({ musercode, ...filters }, { scope, caller }) =>
  loadPlanPage(scope, caller, { ...filters, musercodes: [musercode ?? caller.musercode] }),
);

const getMultipleMUserExamPlanPage = handle(contract.getMultipleMUserExamPlanPage, (filters, { scope, caller }) =>
  loadPlanPage(scope, caller, filters),
);

/**
 * Refuses forms that a plan must not contain. Returns the codes of the forms that only R00 reads; without `acknowledgement` it refuses
 * them too (120002, `data.forms` names them).
 */
async function checkContent(
  { scope, now }: { scope: Scope; now: Date },
  plan: { appid: string; musercode: string; acknowledgement: string | undefined },
  forms: readonly queries.PlanFormInput[],
  stagecodes: readonly string[],
): Promise<string[]> {
  const keys = forms.map((form) => `${form.formcode} ${form.stagecode}`);
  if (new Set(keys).size < keys.length) throw problems.invalid({ message: '同一量表重复选择' }, { field: 'forms' });
  const formWithoutStage = forms.find((form) => form.stagecode && !stagecodes.includes(form.stagecode));
  if (formWithoutStage) throw problems.invalid({ message: '量表所属阶段不在方案阶段内' }, { field: 'forms' });
  const formcodes = [...new Set(forms.map((form) => form.formcode))];
  await requireUsable(scope, formcodes, plan.musercode, now);
  const definitions = await queries.findFormsForUse(scope, formcodes, plan.musercode);
  for (const { formname, formtype, definition } of definitions) {
    const scale = definition as Scale;
    if ((formtype !== '01' && formtype !== '02') || scale.capturemode === 'staff')
      throw problems.invalid({ message: `“${formname}”须由工作人员填写，不能放入自助作答的方案` }, { field: 'forms' });
    if (scale.appids?.length && !scale.appids.includes(plan.appid))
      throw problems.invalid({ message: `“${formname}”不适用于所选人群` }, { field: 'forms' });
  }
  const rules = await queries.findOwnRules(scope, plan.musercode);
  const readers = definitions.map(({ formcode, formname, definition }) => ({
    formcode,
    formname,
    reader: findReader(definition as Scale, rules, plan.appid),
  }));
  const silentForm = readers.find(({ reader }) => reader === 'nothing');
  if (silentForm)
    throw problems.invalid(
      { message: `“${silentForm.formname}”没有带分级的主要得分，也没有红线条目，出现高风险时无法提示，不能用于筛查` },
      { field: 'forms' },
    );
  if (readers.every(({ reader }) => reader === 'register'))
    throw problems.invalid({ message: '方案里只有登记表，不能用于筛查，请至少加入一份量表' }, { field: 'forms' });
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

/** Stores the acknowledgement of a plan with the name and the words of the caller. */
async function acknowledge(
  { scope, caller, now }: { scope: Scope; caller: Staff; now: Date },
  plan: { plancode: string; musercode: string },
  formcodes: string[],
  content: string | undefined,
) {
  if (!formcodes.length || !content) return;
  const { accountid, name } = caller;
  await queries.addAcknowledgement(scope, { ...plan, formcodes, content, accountid, name, createtime: now });
}

function checkDates(begin: string | null | undefined, end: string | null | undefined) {
  if (begin && end && end < begin) throw problems.invalid({ message: '停用日期不能早于启用日期' }, { field: 'validend' });
}

const toCodes = (forms: readonly { formcode: string }[]) => forms.map(({ formcode }) => formcode);

const insertMUserExamPlan = handle(
  contract.insertMUserExamPlan,
  async ({ forms, stagecodes, musercode, copyfrom, acknowledgement, ...input }, ctx) => {
    const { scope, caller } = ctx;
    const owner = musercode ?? caller.musercode;
    checkDates(input.validbegin, input.validend);
    const floorForms = await checkContent(ctx, { appid: input.appid, musercode: owner, acknowledgement }, forms, stagecodes);
    await assertFree(scope, toCodes(forms), owner, input.price);
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
    await acknowledge(ctx, { plancode, musercode: owner }, floorForms, acknowledgement);
    ctx.audit({ objectid: plancode, ...(floorForms.length && { detail: { acknowledged: floorForms } }) });
    return { plancode };
  },
);

/** Returns a plan that the caller may see, or refuses (130001). */
async function requirePlanRow(scope: Scope, plancode: string) {
  const plan = await queries.findPlan(scope, plancode);
  if (!plan) throw problems.notFound({ what: '方案' });
  return plan;
}

const signatureOf = (forms: readonly { formcode: string; required: number; stagecode: string }[]) =>
  JSON.stringify(forms.map(({ formcode, required, stagecode }) => [formcode, required, stagecode]));

const updateMUserExamPlan = handle(
  contract.updateMUserExamPlan,
  async ({ plancode, version: _, forms, stagecodes, acknowledgement, ...input }, ctx) => {
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
    const hasNewContent = signatureOf(newForms) !== signatureOf(oldForms) || newStages.join() !== oldStages.join();
    const floorForms = hasNewContent ? await checkContent(ctx, { ...before, acknowledgement }, newForms, newStages) : [];
    await assertFree(scope, toCodes(newForms), before.musercode, input.price ?? before.price);
    if (hasNewContent && before.locked) {
      const disabledRow = await queries.changePlan(scope, plancode, { status: 0 });
      if (!disabledRow) throw await createConflictProblem(scope, plancode, before.musercode, caller);
      const { planname, appid, categoryid, retestdays, reportmode, price, introduce, validbegin, validend, musercode } = before;
      const oldFields = { planname, appid, categoryid, retestdays, reportmode, price, introduce, validbegin, validend };
      const { status: _status, ...fields } = changes;
      const newPlancode = await queries.addPlan(scope, {
        ...oldFields,
        ...(fields as Partial<typeof oldFields>),
        musercode,
        copyfrom: plancode,
      });
      await queries.setPlanContent(scope, { plancode: newPlancode, musercode }, newForms, newStages);
      await acknowledge(ctx, { plancode: newPlancode, musercode }, floorForms, acknowledgement);
      ctx.audit({ objectid: newPlancode, detail: { copyfrom: plancode } });
      return { plancode: newPlancode, copied: true };
    }
    if (!(await queries.changePlan(scope, plancode, changes)))
      throw await createConflictProblem(scope, plancode, before.musercode, caller);
    if (hasNewContent) await queries.setPlanContent(scope, { plancode, musercode: before.musercode }, newForms, newStages);
    if (signatureOf(newForms) !== signatureOf(oldForms)) await markEdit(scope, 'plan', 'plancode', plancode, 'forms');
    if (newStages.join() !== oldStages.join()) await markEdit(scope, 'plan', 'plancode', plancode, 'stagecodes');
    await acknowledge(ctx, { plancode, musercode: before.musercode }, floorForms, acknowledgement);
    ctx.audit({ objectid: plancode, detail: { changed: [...Object.keys(changes), ...(hasNewContent ? ['forms'] : [])] } });
    return { plancode, copied: false };
  },
  {
    current: async ({ plancode }, scope) => ({
      forms: (await queries.findPlanForms(scope, plancode)).map(({ formcode, required, stagecode }) => ({
        formcode,
        required,
        stagecode,
      })),
      stagecodes: (await queries.findPlanStages(scope, plancode)).map((stage) => stage.stagecode),
    }),
  },
);

/** Returns why a change was not written: the plan is a common plan of an institution above, or somebody else has deleted it. */
async function createConflictProblem(scope: Scope, plancode: string, owner: string, caller: Staff) {
  const isWritable = owner === caller.musercode || (await queries.canWritePlan(scope, plancode));
  return isWritable ? problems.changedMeanwhile() : problems.wrongState({ why: '公共方案只能由所属机构修改，可复制后再改' });
}

const deleteMUserExamPlan = handle(contract.deleteMUserExamPlan, async ({ plancode }, ctx) => {
  const plan = await requirePlanRow(ctx.scope, plancode);
  if (plan.locked) throw problems.inUse({ why: '方案已被使用，不能删除，可改为停用' });
  if (!(await queries.removePlan(ctx.scope, plancode)))
    throw await createConflictProblem(ctx.scope, plancode, plan.musercode, ctx.caller);
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
  const formVersion = form && (await queries.findDefinition(scope, formcode, form.formversion ?? form.currentversion));
  if (!form || !formVersion) throw problems.notFound({ what: '量表' });
  const wording = (await queries.findWording(scope, formcode, caller.musercode))?.wording as FormWording | null | undefined;
  const scale = wording ? withWording(formVersion.definition as Scale, wording) : (formVersion.definition as Scale);
  const canReadScores = caller.codes.has(codeOf('form.edit'));
  return {
    form: { ...form, recall: form.recall ?? '', introduce: form.introduce ?? '', citation: form.citation ?? '' },
    version: formVersion.version,
    questions: scale.items.map((item, index) => ({
      no: index + 1,
      title: item.t,
      questiontype: item.type ?? 1,
      inputtype: item.input ?? null,
      required: item.required === false ? 0 : 1,
      options: (item.o === undefined ? [] : (scale.optionsets[item.o] ?? [])).map(([optioncode, label, score]) => ({
        optioncode,
        label,
        ...(canReadScores ? { score } : {}),
      })),
    })),
    quotas: await queries.findQuotas(scope, formcode),
    licencetext: form.licencetext ?? '',
  };
});

const getFormInfoByPlanCode = handle(
  contract.getFormInfoByPlanCode,
  async ({ plancode, stagecode, musercode }, { scope, caller, now }) => {
    await requirePlanRow(scope, plancode);
    const forms = await queries.findPlanForms(scope, plancode, stagecode);
    const licences = await checkFormLicences(
      scope,
      forms.map((form) => form.formcode),
      musercode ?? caller.musercode,
      now,
    );
    return forms.map((form) => {
      const { ok, reasons } = licences.get(form.formcode) ?? { ok: false, reasons: ['该量表已删除'] };
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
