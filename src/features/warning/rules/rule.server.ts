import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { effectiveRules, findRuleFaults, describeRule, type CustomCond, type CustomRule } from '#domain/warning/customRule.ts';
import { runRules, platformRules, type WarningRule } from '#domain/warning/platformRules.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { levelName } from '#domain/warning/levels.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { displayName } from '#server/security/privacy.ts';
import { findScales, findUsableScales } from '#features/form/scaleCache.ts';
import * as contract from '#features/warning/rules/rule.contract.ts';
import * as queries from '#features/warning/rules/rule.queries.ts';

type FindScale = (formcode: string) => Scale | undefined;

/** Finds the forms that the caller's institution may use: the platform's, its own, and those of institutions above. */
async function loadScales({ scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>): Promise<FindScale> {
  const scales = await findUsableScales(scope, caller.musercode);
  return (formcode) => scales.get(formcode);
}

const getWarningRuleList = handle(contract.getWarningRuleList, async ({ plancode }, { scope, caller }) => {
  const scaleOf = await loadScales({ scope, caller });
  return [
    ...(plancode === undefined ? platformRules : []).map((rule) => ({
      rulecode: rule.c,
      name: rule.n ?? rule.c,
      warninglevel: rule.warninglevel,
      levelname: levelName(rule.warninglevel, caller.sector),
      builtin: 1,
      enabled: 1,
      appid: null,
      plancode: null,
      planname: '',
      own: 0,
      words: '',
      cond: null,
      remark: '',
      updatetime: null,
      version: 0,
    })),
    ...(await queries.findRules(scope, { musercode: caller.musercode, plancode })).map(({ musercode, planname, ...row }) => ({
      ...row,
      planname: planname ?? '',
      own: musercode === caller.musercode ? 1 : 0,
      levelname: levelName(row.warninglevel, caller.sector),
      builtin: 0,
      words: describeRule(row.cond as CustomCond, scaleOf),
      cond: row.cond as never,
      updatetime: shanghaiTime(row.updatetime),
    })),
  ];
});

const getWarningRuleForms = handle(contract.getWarningRuleForms, async (_, { scope, caller }) =>
  [...(await findUsableScales(scope, caller.musercode)).values()]
    .filter((scale) => scale.formtype === '01' && scale.scores.length > 0)
    .map((scale) => ({
      form: scale.formcode,
      title: scale.title,
      scores: scale.scores.map(({ c, n }) => ({
        c,
        n: c === 'total' ? '总分' : n,
        levels: (scale.bands[c] ?? []).map(([, , level, label]) => ({ level, label })),
      })),
      items: scale.items.map((item, index) => ({ c: item.c, t: `第 ${index + 1} 题${item.t ? ` ${item.t}` : ''}` })),
      alerts: (scale.alerts ?? []).map(({ c, msg }) => ({ c, msg })),
    })),
);

/** The condition as JSON for its column. Refuses (120002) a condition that can never be true. */
function assertRuleValid(cond: CustomCond, scaleOf: FindScale): string {
  const [fault] = findRuleFaults(cond, scaleOf);
  if (fault) throw problems.invalid({ message: fault }, { field: 'cond' });
  return JSON.stringify(cond);
}

/** The lineage of the plan of a rule. Refuses a plan of another institution. */
async function requireOwnPlan(scope: Scope, musercode: string, plancode: string | null | undefined): Promise<string | null> {
  if (!plancode) return null;
  const planroot = await queries.findOwnPlanRoot(scope, musercode, plancode);
  if (planroot === undefined) throw problems.invalid({ message: '只能为本机构的方案设置规则' }, { field: 'plancode' });
  return planroot;
}

const insertWarningRule = handle(contract.insertWarningRule, async ({ cond, appid, plancode, ...fields }, ctx) => {
  const { musercode, accountid } = ctx.caller;
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const { rulecode } = await queries.addRule(ctx.scope, {
    ...fields,
    cond: assertRuleValid(cond, await loadScales(ctx)),
    appid: appid ?? null,
    plancode: await requireOwnPlan(ctx.scope, musercode, plancode),
    musercode,
    updateby: accountid,
    createtime: ctx.now,
  });
  ctx.audit({ objectid: rulecode, detail: { name: fields.name, warninglevel: fields.warninglevel } });
  return { rulecode };
});

/** Refuses (130003) to change a platform rule. Platform rules are code and have no row. */
function assertNotPlatformRule(rulecode: string) {
  if (platformRules.some((rule) => rule.c === rulecode))
    throw problems.inUse({ why: '平台规则是所有机构的底线，不能修改、停用或删除' });
}

const updateWarningRule = handle(
  contract.updateWarningRule,
  async ({ rulecode, version: _, cond, appid, plancode, ...fields }, ctx) => {
    if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
    assertNotPlatformRule(rulecode);
    const { scope, caller, now } = ctx;
    const definedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const changes = {
      ...definedFields,
      ...(cond && { cond: assertRuleValid(cond, await loadScales(ctx)) }),
      ...(appid !== undefined && { appid }),
      ...(plancode !== undefined && { plancode: await requireOwnPlan(scope, caller.musercode, plancode) }),
    };
    const row = await queries.updateRule(scope, caller.musercode, rulecode, {
      ...changes,
      updateby: caller.accountid,
      updatetime: now,
    });
    if (!row) throw problems.notFound({ what: '预警规则' });
    ctx.audit({ objectid: rulecode, detail: { changed: Object.keys(changes) } });
    return row;
  },
);

const deleteWarningRule = handle(contract.deleteWarningRule, async ({ rulecode }, ctx) => {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  assertNotPlatformRule(rulecode);
  const row = await queries.updateRule(ctx.scope, ctx.caller.musercode, rulecode, {
    isdeleted: 1,
    enabled: 0,
    updateby: ctx.caller.accountid,
    updatetime: ctx.now,
  });
  if (!row) throw problems.notFound({ what: '预警规则' });
  ctx.audit({ objectid: rulecode });
  return {};
});

/** The level of an exam by these rules and by its own alerts, and the rules that hit. */
function runRulesOn(rules: readonly WarningRule[], exam: queries.PastExam) {
  const forms = Object.fromEntries(exam.forms.map(({ formcode, raw }) => [formcode, raw]));
  const person = { gender: exam.gender as '01', age: exam.age, grade: exam.gradecode };
  return runRules(rules, forms, { history: exam.history, person });
}
const SAMPLES = 20;

/** The total of a form in words; the first primary score of a form without a total. */
function describeScore(scale: Scale | undefined, formcode: string, { scores }: queries.PastExam['forms'][number]['raw']): string {
  const main = scale?.scores.find(({ c }) => c === 'total') ?? scale?.scores.find(({ primary }) => primary);
  return `${shortTitle(scale?.title ?? formcode)} ${scores?.[main?.c ?? 'total'] ?? '—'}`;
}

const testWarningRule = handle(contract.testWarningRule, async ({ cond, warninglevel, appid, examcode, days }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const { musercode } = caller;
  const exams = await queries.findPastExams(scope, { musercode, appid: appid ?? null, since: addDays(now, -days), examcode });
  if (examcode && exams.length === 0) throw problems.notFound({ what: '答卷' });
  const customRules = await queries.findCustomRules(scope, musercode);
  const trialRule: CustomRule = { rulecode: 'TEST', name: '', cond, warninglevel: warninglevel as 1 | 2 | 3, appid: null };
  const hits = exams.flatMap((exam) => {
    if (!runRulesOn(effectiveRules([trialRule], exam.appid), exam).hits.includes('TEST')) return [];
    const presentRules = customRules.filter((rule) => rule.plancode === null || rule.plancode === exam.planroot);
    return [{ exam, before: runRulesOn(effectiveRules(presentRules, exam.appid), exam).warninglevel }];
  });
  const countPersons = (matches: typeof hits) => new Set(matches.map(({ exam }) => exam.cuserid)).size;
  const coveredCuserids = new Set(hits.filter(({ before }) => before >= warninglevel).map(({ exam }) => exam.cuserid));
  const samples = hits.slice(0, SAMPLES);
  const scales = await findScales(scope, [...new Set(samples.flatMap(({ exam }) => exam.forms.map(({ formcode }) => formcode)))]);
  audit({ cuserids: [...new Set(samples.map(({ exam }) => exam.cuserid))] });
  return {
    hit: hits.length > 0,
    warninglevel: hits.length > 0 ? warninglevel : 0,
    checked: exams.length,
    hits: hits.length,
    persons: countPersons(hits),
    more: countPersons(hits.filter(({ exam }) => !coveredCuserids.has(exam.cuserid))),
    samples: samples.map(({ exam, before }) => ({
      examcode: exam.examcode,
      username: displayName(caller, exam.username),
      belongs: exam.belongs,
      submittime: shanghaiTime(exam.submittime),
      scores: exam.forms.map(({ formcode, raw }) => describeScore(scales.get(formcode), formcode, raw)).join('，'),
      before,
    })),
  };
});

export const ruleHandlers = [
  getWarningRuleList,
  getWarningRuleForms,
  insertWarningRule,
  updateWarningRule,
  deleteWarningRule,
  testWarningRule,
];
