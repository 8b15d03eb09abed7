import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { effectiveRules, findRuleFaults, describeRule, type CustomCond, type CustomRule } from '#domain/warning/customRule.ts';
import { runRules, platformRules, type WarningRule } from '#domain/warning/platformRules.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { levelName } from '#domain/warning/warning.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/warning/rules/rule.contract.ts';
import * as queries from '#features/warning/rules/rule.queries.ts';
import type { StaffContext } from '#features/warning/handling/transition.ts';

const levelText = (caller: StaffContext['caller'], level: number) => levelName(level as WarningLevelCode, caller.sector as 'edu');

const getWarningRuleList = handle(contract.getWarningRuleList, async (_, { scope, caller }) => [
  ...platformRules.map((rule) => ({
    rulecode: rule.c,
    name: rule.n ?? rule.c,
    warninglevel: rule.warninglevel,
    levelname: levelText(caller, rule.warninglevel),
    builtin: 1,
    enabled: 1,
    appid: null,
    words: '',
    cond: null,
    remark: '',
    updatetime: null,
    version: 0,
  })),
  ...(await queries.findRules(scope, caller.musercode)).map((row) => ({
    ...row,
    levelname: levelText(caller, row.warninglevel),
    builtin: 0,
    words: describeRule(row.cond as CustomCond, scaleOf),
    cond: row.cond as never,
    updatetime: shanghaiTime(row.updatetime),
  })),
]);

const getWarningRuleForms = handle(contract.getWarningRuleForms, async () =>
  library
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

/** Refuses a condition that could never hold, before somebody relies on it. */
function assertRuleValid(cond: CustomCond): string {
  const [fault] = findRuleFaults(cond, scaleOf);
  if (fault) throw problems.invalid({ message: fault }, { field: 'cond' });
  return JSON.stringify(cond);
}

const insertWarningRule = handle(contract.insertWarningRule, async ({ cond, appid, ...fields }, ctx) => {
  const { musercode, accountid } = ctx.caller;
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const { rulecode } = await queries.addRule(ctx.scope, {
    ...fields,
    cond: assertRuleValid(cond),
    appid: appid ?? null,
    musercode,
    updateby: accountid,
    createtime: ctx.now,
  });
  ctx.audit({ objectid: rulecode, detail: { name: fields.name, warninglevel: fields.warninglevel } });
  return { rulecode };
});

/** The platform's rules are no rows, so that there is nothing to change: naming one says why. */
function assertNotPlatformRule(rulecode: string) {
  if (platformRules.some((rule) => rule.c === rulecode))
    throw problems.inUse({ why: '平台规则是所有机构的底线，不能修改、停用或删除' });
}

const updateWarningRule = handle(contract.updateWarningRule, async ({ rulecode, version, cond, appid, ...fields }, ctx) => {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  assertNotPlatformRule(rulecode);
  const { scope, caller, now } = ctx;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const changes = { ...given, ...(cond && { cond: assertRuleValid(cond) }), ...(appid !== undefined && { appid }) };
  const row = await queries.changeRule(scope, caller.musercode, rulecode, version, {
    ...changes,
    updateby: caller.accountid,
    updatetime: now,
  });
  if (!row) {
    if (await queries.isRule(scope, caller.musercode, rulecode)) throw problems.changedMeanwhile();
    throw problems.notFound({ what: '预警规则' });
  }
  ctx.audit({ objectid: rulecode, detail: { changed: Object.keys(changes) } });
  return row;
});

const deleteWarningRule = handle(contract.deleteWarningRule, async ({ rulecode }, ctx) => {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  assertNotPlatformRule(rulecode);
  const row = await queries.changeRule(ctx.scope, ctx.caller.musercode, rulecode, undefined, {
    isdeleted: 1,
    enabled: 0,
    updateby: ctx.caller.accountid,
    updatetime: ctx.now,
  });
  if (!row) throw problems.notFound({ what: '预警规则' });
  ctx.audit({ objectid: rulecode });
  return {};
});

/** Level a sheet calls for by these rules, its own alerts included. */
function levelOf(rules: readonly WarningRule[], sheet: queries.PastSheet) {
  const forms = Object.fromEntries(sheet.forms.map(({ formcode, raw }) => [formcode, raw]));
  const person = { gender: sheet.gender as '01', age: sheet.age, grade: sheet.gradecode };
  return runRules(rules, forms, { history: sheet.history, person });
}
const SAMPLES = 20;

const testWarningRule = handle(contract.testWarningRule, async ({ cond, warninglevel, appid, examcode, days }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const { musercode } = caller;
  const sheets = await queries.findPastSheets(scope, { musercode, appid: appid ?? null, since: addDays(now, -days), examcode });
  if (examcode && sheets.length === 0) throw problems.notFound({ what: '答卷' });
  const own = await queries.findCustomRules(scope, musercode);
  const tried: CustomRule = { rulecode: 'TEST', name: '', cond, warninglevel: warninglevel as 1 | 2 | 3, appid: null };
  const hits = sheets.flatMap((sheet) => {
    if (!levelOf(effectiveRules([tried], sheet.appid), sheet).hits.includes('TEST')) return [];
    return [{ sheet, before: levelOf(effectiveRules(own, sheet.appid), sheet).warninglevel }];
  });
  const persons = (of: typeof hits) => new Set(of.map(({ sheet }) => sheet.cuserid)).size;
  const covered = new Set(hits.filter(({ before }) => before >= warninglevel).map(({ sheet }) => sheet.cuserid));
  const samples = hits.slice(0, SAMPLES);
  audit({ cuserids: [...new Set(samples.map(({ sheet }) => sheet.cuserid))] });
  return {
    hit: hits.length > 0,
    warninglevel: hits.length > 0 ? warninglevel : 0,
    checked: sheets.length,
    hits: hits.length,
    persons: persons(hits),
    more: persons(hits.filter(({ sheet }) => !covered.has(sheet.cuserid))),
    samples: samples.map(({ sheet, before }) => ({
      examcode: sheet.examcode,
      username: displayName(caller, sheet.username),
      belongs: sheet.belongs,
      submittime: shanghaiTime(sheet.submittime),
      scores: sheet.forms.map(({ formcode, raw }) => `${formcode} ${raw.scores?.['total'] ?? '—'}`).join('，'),
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
