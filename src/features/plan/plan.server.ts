import { shanghaiTime } from '#domain/base/calendar.ts';
import { withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import * as contract from '#features/plan/plan.contract.ts';
import * as queries from '#features/plan/plan.queries.ts';
import { checkContent, checkDates, checkTemplate } from '#features/plan/content.ts';
import { assertFree, checkFormLicences } from '#features/plan/formLicence.ts';
import * as lineage from '#features/plan/lineage/lineage.queries.ts';

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

const toCodes = (forms: readonly { formcode: string }[]) => forms.map(({ formcode }) => formcode);

const insertMUserExamPlan = handle(
  contract.insertMUserExamPlan,
  async ({ forms, stagecodes, musercode, copyfrom, acknowledgement, ...input }, ctx) => {
    const { scope, caller } = ctx;
    const owner = musercode ?? caller.musercode;
    checkDates(input.validbegin, input.validend);
    const checked = { appid: input.appid, musercode: owner, planroot: '', acknowledgement };
    const floorForms = await checkContent(ctx, checked, forms, stagecodes);
    await assertFree(scope, toCodes(forms), owner, input.price);
    const reporttemplatecode = (input.reportmode === '03' && input.reporttemplatecode) || null;
    await checkTemplate(scope, { musercode: owner, reportmode: input.reportmode, reporttemplatecode });
    const plancode = await queries.addPlan(scope, {
      ...input,
      categoryid: input.categoryid || null,
      retestdays: input.retestdays ?? null,
      introduce: input.introduce || null,
      validbegin: input.validbegin ?? null,
      validend: input.validend ?? null,
      reporttemplatecode,
      musercode: owner,
      iscommon: input.iscommon ?? 0,
      copyfrom: copyfrom ?? null,
      authorid: caller.accountid,
      authorname: caller.name,
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

type PlanOfCaller = Awaited<ReturnType<typeof requirePlanRow>>;

const signatureOf = (forms: readonly { formcode: string; required: number; stagecode: string }[]) =>
  JSON.stringify(forms.map(({ formcode, required, stagecode }) => [formcode, required, stagecode]));

/** Adds the next version of a plan and returns its code. Refuses when somebody else has added one meanwhile. */
async function addVersion(
  { scope, caller }: { scope: Scope; caller: Staff },
  version: {
    before: PlanOfCaller;
    after: PlanOfCaller;
    forms: readonly queries.PlanFormInput[];
    stagecodes: readonly string[];
  },
): Promise<string> {
  const { planname, appid, categoryid, retestdays, reportmode, reporttemplatecode, price, introduce } = version.after;
  const { validbegin, validend, status } = version.after;
  const { plancode, musercode, planroot, lineageno, iscommon } = version.before;
  const newPlancode = await queries.addPlan(scope, {
    ...{
      planname,
      appid,
      categoryid,
      retestdays,
      reportmode,
      reporttemplatecode,
      price,
      introduce,
      validbegin,
      validend,
      status,
    },
    ...{ musercode, planroot, iscommon, copyfrom: plancode },
    lineageno: lineageno + 1,
    authorid: caller.accountid,
    authorname: caller.name,
  });
  if (!(await lineage.supersede(scope, plancode, newPlancode)))
    throw await createConflictProblem(scope, plancode, musercode, caller);
  await queries.setPlanContent(scope, { plancode: newPlancode, musercode }, version.forms, version.stagecodes);
  await queries.syncNames(scope, newPlancode);
  return newPlancode;
}

/** The columns of a version; with its forms and stages they are its content. */
const contentColumns = ['retestdays', 'reportmode', 'reporttemplatecode'] as const;

const updateMUserExamPlan = handle(
  contract.updateMUserExamPlan,
  async ({ plancode, version: _, forms, stagecodes, acknowledgement, movegrants, iscommon, ...input }, ctx) => {
    const { scope, caller } = ctx;
    const before = await requirePlanRow(scope, plancode);
    const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const after = { ...before, ...(changes as Partial<typeof before>) };
    checkDates(after.validbegin, after.validend);
    if (after.reportmode !== '03') after.reporttemplatecode = null;
    if (after.reporttemplatecode !== before.reporttemplatecode) changes['reporttemplatecode'] = after.reporttemplatecode;
    const oldForms = await queries.findPlanForms(scope, plancode);
    const oldStages = (await queries.findPlanStages(scope, plancode)).map((stage) => stage.stagecode);
    const newForms = forms ?? oldForms;
    const newStages = stagecodes ?? oldStages;
    const hasNewReport = contentColumns.some((column) => after[column] !== before[column]);
    const hasNewForms = signatureOf(newForms) !== signatureOf(oldForms) || newStages.join() !== oldStages.join();
    const floorForms = hasNewForms ? await checkContent(ctx, { ...before, acknowledgement }, newForms, newStages) : [];
    await assertFree(scope, toCodes(newForms), before.musercode, after.price);
    if (hasNewReport) await checkTemplate(scope, after);
    if (before.supersededby !== null) throw problems.wrongState({ why: '方案已有新版本，请修改最新版本' });
    if (iscommon !== undefined && iscommon !== before.iscommon) {
      if (!(await queries.setCommon(scope, plancode, caller.musercode, iscommon)))
        throw problems.wrongState({ why: '只有方案的所属机构可以设置公共方案' }, { field: 'iscommon' });
      before.iscommon = iscommon;
    }
    if ((hasNewForms || hasNewReport) && before.locked) {
      const newPlancode = await addVersion(ctx, { before, after, forms: newForms, stagecodes: newStages });
      await acknowledge(ctx, { plancode: newPlancode, musercode: before.musercode }, floorForms, acknowledgement);
      const moved = movegrants ? await lineage.moveGrants(scope, plancode, newPlancode) : 0;
      ctx.audit({ objectid: newPlancode, detail: { copyfrom: plancode, moved } });
      return { plancode: newPlancode, copied: true };
    }
    if (!(await queries.changePlan(scope, plancode, changes)))
      throw await createConflictProblem(scope, plancode, before.musercode, caller);
    if (hasNewForms) await queries.setPlanContent(scope, { plancode, musercode: before.musercode }, newForms, newStages);
    if (signatureOf(newForms) !== signatureOf(oldForms)) await markEdit(scope, 'plan', 'plancode', plancode, 'forms');
    if (newStages.join() !== oldStages.join()) await markEdit(scope, 'plan', 'plancode', plancode, 'stagecodes');
    await queries.syncNames(scope, plancode);
    await acknowledge(ctx, { plancode, musercode: before.musercode }, floorForms, acknowledgement);
    ctx.audit({ objectid: plancode, detail: { changed: [...Object.keys(changes), ...(hasNewForms ? ['forms'] : [])] } });
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
  await lineage.restoreVersionBefore(ctx.scope, plancode);
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
