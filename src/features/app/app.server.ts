import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import * as contract from '#features/app/app.contract.ts';
import * as queries from '#features/app/app.queries.ts';
import * as choice from '#features/app/choice.contract.ts';
import { requireAppsToGrant, grantApps } from '#features/app/appGrants.ts';
import { requireBelow, requireReach } from '#features/access/institutionAccess.ts';

const insertMUserApp = handle(
  contract.insertMUserApp,
  async ({ musercode, appids, begindate, enddate }, ctx) => {
    await requireBelow(ctx.scope, ctx.caller, musercode);
    await requireAppsToGrant(ctx.scope, ctx.caller, appids);
    if (begindate && enddate && enddate < begindate)
      throw problems.invalid({ message: '结束日期不能早于开始日期' }, { field: 'enddate' });
    await grantApps(
      ctx.scope,
      musercode,
      [...new Set(appids)].map((appid) => ({ appid, stagecodes: undefined })),
      { begindate, enddate },
    );
    ctx.audit({ objectid: musercode, detail: { appids } });
    return {};
  },
  {
    current: async ({ musercode }, scope) => ({
      appids: (await queries.findAppsAndStages(scope, musercode)).map(({ appid }) => appid),
    }),
  },
);

const addAppsAndStages = handle(
  contract.addAppsAndStages,
  async ({ musercode, items }, ctx) => {
    await requireBelow(ctx.scope, ctx.caller, musercode);
    const appids = items.map((item) => item.appid);
    if (new Set(appids).size < appids.length) throw problems.invalid({ message: '同一应用只能选择一次' }, { field: 'items' });
    await requireAppsToGrant(ctx.scope, ctx.caller, appids);
    const stages = await queries.findStages(ctx.scope, musercode, {});
    for (const { appid, stagecodes } of items)
      if (stagecodes.some((stagecode) => !stages.some((stage) => stage.appid === appid && stage.stagecode === stagecode)))
        throw problems.notFound({ what: '所选阶段' });
    await grantApps(ctx.scope, musercode, items, {});
    ctx.audit({ objectid: musercode, detail: { items } });
    return {};
  },
  {
    current: async ({ musercode }, scope) => ({
      items: (await queries.findAppsAndStages(scope, musercode)).map(({ appid, stagecodes }) => ({ appid, stagecodes })),
    }),
  },
);

const getAppsAndStages = handle(contract.getAppsAndStages, async ({ musercode }, { scope }) => {
  await requireReach(scope, musercode);
  return queries.findAppsAndStages(scope, musercode);
});

const getExamCategoryList = handle(contract.getExamCategoryList, async ({ appid }, { scope }) =>
  queries.findCategories(scope, appid || undefined),
);

type StageQueryRow = Awaited<ReturnType<typeof queries.findStages>>[number];
const toStageRow = ({ total: _, ...row }: StageQueryRow) => ({ ...row, autorule: row.autorule as contract.AutoRule | null });

const getExamStageList = handle(contract.getExamStageList, async (filters, { scope, caller }) => {
  const rows = await queries.findStages(scope, caller.musercode, filters);
  return filters.page === undefined ? rows.map(toStageRow) : { total: rows[0]?.total ?? 0, rows: rows.map(toStageRow) };
});

const getExamStageListGroupByAppidCategoryid = handle(
  contract.getExamStageListGroupByAppidCategoryid,
  async ({ appid }, { scope, caller }) => {
    const apps = await queries.findAllApps(scope, appid || undefined);
    const categories = await queries.findCategories(scope, appid || undefined);
    const stages = (await queries.findStages(scope, caller.musercode, { appid, enabled: 1 })).map(toStageRow);
    return apps.map((app) => {
      const own = stages.filter((stage) => stage.appid === app.appid && stage.chosen);
      const general = own.filter((stage) => stage.categoryid === null);
      return {
        appid: app.appid,
        appname: app.appname,
        categories: [
          ...(general.length ? [{ categoryid: '', categoryname: '不分类别', stages: general }] : []),
          ...categories
            .filter((category) => category.appid === app.appid)
            .map(({ categoryid, categoryname }) => ({
              categoryid,
              categoryname,
              stages: own.filter((stage) => stage.categoryid === categoryid),
            })),
        ],
      };
    });
  },
);

/** Returns a stage that the caller's institution made; refuses platform stages with 110004 for all but the platform. */
async function requireOwnStage(scope: Scope, caller: Staff, stageid: number) {
  const stage = await queries.findStage(scope, caller.musercode, stageid);
  if (!stage) throw problems.notFound({ what: '阶段' });
  if (stage.musercode !== caller.musercode) throw problems.notAllowed();
  return stage;
}

/** Refuses a category of another application with 120002. */
async function requireCategory(scope: Scope, appid: string, categoryid: string | null | undefined) {
  if (categoryid && !(await queries.isCategoryOfApp(scope, appid, categoryid)))
    throw problems.invalid({ message: '类别不属于该应用' }, { field: 'categoryid' });
}

/** Refuses a range of days that ends before it starts with 120002. */
function requireRule(rule: contract.AutoRule | null | undefined) {
  if (rule && rule.kind !== 'months' && rule.to < rule.from)
    throw problems.invalid({ message: '自动阶段的结束天数不能早于开始天数' }, { field: 'autorule' });
}

const insertExamStage = handle(
  contract.insertExamStage,
  async ({ appid, categoryid, stagecode, stagename, ordernum, autorule }, ctx) => {
    const { scope, caller } = ctx;
    if ((await queries.findExistingApps(scope, [appid])).length === 0) throw problems.notFound({ what: '应用' });
    await requireCategory(scope, appid, categoryid);
    requireRule(autorule);
    const isplatform = caller.musertype === '001' ? 1 : 0;
    // Plans and statistics identify a stage by its code: they would count it as the platform's stage.
    if (isplatform === 0 && (await queries.isPlatformStage(scope, appid, stagecode)))
      throw problems.duplicate({ what: '相同的阶段编码' }, { field: 'stagecode' });
    const { stageid } = await queries.addStage(scope, {
      musercode: caller.musercode,
      isplatform,
      appid,
      categoryid: categoryid ?? null,
      stagecode,
      stagename,
      ordernum: ordernum ?? 99,
      autorule: autorule ? JSON.stringify(autorule) : null,
    });
    ctx.audit({ objectid: String(stageid), detail: { appid, stagecode } });
    return { stageid };
  },
);

const updateExamStage = handle(contract.updateExamStage, async ({ stageid, autorule, version: _, ...changes }, ctx) => {
  const { appid } = await requireOwnStage(ctx.scope, ctx.caller, stageid);
  await requireCategory(ctx.scope, appid, changes.categoryid);
  requireRule(autorule);
  const set = {
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    ...(autorule === undefined ? {} : { autorule: autorule && JSON.stringify(autorule) }),
  };
  if (Object.keys(set).length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  await queries.changeStage(ctx.scope, stageid, set);
  ctx.audit({ objectid: String(stageid), detail: { changed: Object.keys(set) } });
  return {};
});

const deleteExamStage = handle(contract.deleteExamStage, async ({ stageid }, ctx) => {
  const { stagename } = await requireOwnStage(ctx.scope, ctx.caller, stageid);
  if (!(await queries.removeStage(ctx.scope, stageid)))
    throw problems.inUse({ why: `阶段“${stagename}”已被方案或测评使用，不能删除，可改为停用` });
  ctx.audit({ objectid: String(stageid), detail: { stagename } });
  return {};
});

/** Returns a stage that the caller's institution can use, or throws 130001. */
async function requireStage(scope: Scope, caller: Staff, stageid: number) {
  const stage = await queries.findStage(scope, caller.musercode, stageid);
  if (!stage) throw problems.notFound({ what: '阶段' });
  return stage;
}
const getExamStageForms = handle(contract.getExamStageForms, async ({ stageid }, { scope, caller }) => {
  await requireStage(scope, caller, stageid);
  return queries.findStageForms(scope, caller.musercode, stageid);
});
const ownerOf = (caller: Staff, stageid: number) => ({
  stageid,
  musercode: caller.musercode,
  isplatform: caller.musertype === '001' ? 1 : 0,
});

const updateExamStageForms = handle(
  contract.updateExamStageForms,
  async ({ stageid, forms }, ctx) => {
    await requireStage(ctx.scope, ctx.caller, stageid);
    const codes = forms.map((form) => form.formcode);
    if (new Set(codes).size < codes.length) throw problems.invalid({ message: '同一量表只能选择一次' }, { field: 'forms' });
    const existing = await queries.findForms(ctx.scope, codes);
    const unknown = codes.find((code) => !existing.some(({ formcode }) => formcode === code));
    if (unknown) throw problems.notFound({ what: `量表 ${unknown} ` });
    // A retired questionnaire may stay where it was, but it enters no stage.
    const present = (await queries.findStageForms(ctx.scope, ctx.caller.musercode, stageid)).map(({ formcode }) => formcode);
    const retired = existing.find(({ formcode, isusable }) => !isusable && !present.includes(formcode));
    if (retired) throw problems.invalid({ message: `“${retired.formname}”已停用或尚未发布，不能加入阶段` }, { field: 'forms' });
    await queries.replaceStageForms(ctx.scope, ownerOf(ctx.caller, stageid), forms);
    ctx.audit({ objectid: String(stageid), detail: { forms: codes } });
    return {};
  },
  {
    current: async ({ stageid }, scope, { musercode }) => ({
      forms: (await queries.findStageForms(scope, musercode, stageid)).map(({ formcode, ordernum, required }) => ({
        formcode,
        ordernum,
        required,
      })),
    }),
  },
);
const deleteExamStageForms = handle(contract.deleteExamStageForms, async ({ stageid, formcodes }, ctx) => {
  await requireStage(ctx.scope, ctx.caller, stageid);
  // A platform list becomes the institution's own list without these questionnaires.
  const remainingForms = (await queries.findStageForms(ctx.scope, ctx.caller.musercode, stageid)).filter(
    (form) => !formcodes.includes(form.formcode),
  );
  await queries.replaceStageForms(
    ctx.scope,
    ownerOf(ctx.caller, stageid),
    remainingForms.map(({ formcode, required }, index) => ({ formcode, required, ordernum: index + 1 })),
  );
  ctx.audit({ objectid: String(stageid), detail: { removed: formcodes } });
  return {};
});

const getMUserAppList = handle(choice.getMUserAppList, async ({ musercode, appid }, { scope, caller }) =>
  queries.findApps(scope, musercode || caller.musercode, appid || undefined),
);
const getAppList = handle(choice.getAppList, async ({ appid }, { scope }) => queries.findAllApps(scope, appid || undefined));

export const appHandlers = [
  getMUserAppList,
  getAppList,
  insertMUserApp,
  addAppsAndStages,
  getAppsAndStages,
  getExamCategoryList,
  getExamStageList,
  getExamStageListGroupByAppidCategoryid,
  insertExamStage,
  updateExamStage,
  deleteExamStage,
  getExamStageForms,
  updateExamStageForms,
  deleteExamStageForms,
];
