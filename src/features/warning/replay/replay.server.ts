import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { mapInOrder } from '#domain/base/inOrder.ts';
import { applyBandsets } from '#domain/scoring/bandset/applyBandsets.ts';
import type { BandSet, Level, Scale } from '#domain/scoring/scale.ts';
import {
  judgeChange,
  sumVerdicts,
  type Change,
  type PastSitting,
  type ReplayFigures,
  type ReplayRule,
  type Verdict,
} from '#domain/warning/replay/replay.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { findDefinition } from '#features/form/form.queries.ts';
import * as contract from '#features/warning/replay/replay.contract.ts';
import * as queries from '#features/warning/replay/replay.queries.ts';
import { addTrial } from '#features/replaytrial/trial.queries.ts';
import { hashOf, type Tried } from '#features/replaytrial/trial.ts';
import { findCustomRules, findOwnRule } from '#features/warning/rules/rule.queries.ts';

type StaffContext = Context<'staff'>;

/** The version of a stored draft. */
const DRAFT = 'draft';
const PAGE = 1000;
const MOST_SITTINGS = 20_000;
const MOST_PERSONS = 100;

/** A changed or new rule beside the own rules of today. */
function changeRules(rules: readonly ReplayRule[], content: contract.RuleContent): Change {
  const changed: ReplayRule = {
    rulecode: content.rulecode ?? 'TRIAL',
    name: '',
    cond: content.cond,
    warninglevel: content.warninglevel as 1 | 2 | 3,
    appid: content.appid ?? null,
    plancode: content.plancode ?? null,
  };
  return { kind: 'rule', rules: [...rules.filter(({ rulecode }) => rulecode !== content.rulecode), changed] };
}

/** What the request asks to try, and the content of its trial. Refuses a content that does not fit its kind. */
async function readChange(
  { kind, content }: { kind: 'rule' | 'bands' | 'version'; content: unknown },
  rules: readonly ReplayRule[],
  { scope, caller }: StaffContext,
): Promise<{ change: Change; tried: Tried; formcode: string | undefined }> {
  const fail = () => problems.invalid({ message: '内容与改动的种类不符' }, { field: 'content' });
  const needed = kind === 'rule' ? 'warning.rules' : 'form.edit';
  if (!caller.codes.has(codeOf(needed))) throw problems.notAllowed();
  if (kind === 'rule') {
    const parsed = contract.contents.rule.safeParse(content);
    if (!parsed.success) throw fail();
    const { rulecode, cond, warninglevel, appid = null, plancode = null } = parsed.data;
    if (rulecode && !(await findOwnRule(scope, caller.musercode, rulecode))) throw problems.notFound({ what: '预警规则' });
    return {
      change: changeRules(rules, parsed.data),
      tried: { kind, cond, warninglevel, appid, plancode },
      formcode: undefined,
    };
  }
  if (kind === 'bands') {
    const parsed = contract.contents.bands.safeParse(content);
    if (!parsed.success) throw fail();
    const { options, ...key } = parsed.data;
    const orgpath = await queries.findOrgpath(scope, caller.musercode);
    const set: BandSet = {
      ...key,
      bandsetid: 0,
      orgpath,
      options: options.map((option) => ({ ...option, level: option.level as Level })),
    };
    const levels = options.map(({ minscore, maxscore, level }) => ({ minscore, maxscore, level }));
    return {
      change: { kind, set },
      tried: { kind, ...key, options: levels },
      formcode: key.quotacode.split('.')[0],
    };
  }
  const parsed = contract.contents.version.safeParse(content);
  if (!parsed.success) throw fail();
  const { formcode } = parsed.data;
  const draft = await queries.findDraft(scope, formcode, caller.musercode);
  const definition = draft && (await findDefinition(scope, formcode, DRAFT));
  if (!definition) throw problems.notFound({ what: '量表草稿' });
  return {
    change: { kind, scale: definition },
    tried: { kind, formcode, definitionhash: draft.definitionhash },
    formcode,
  };
}

/** The sittings of rows, with the version and the bands that judged each form. */
async function toSittings(scope: Scope, rows: readonly queries.SittingRow[]): Promise<PastSitting[]> {
  const ids = rows.flatMap(({ forms }) => forms.flatMap(({ bandsets }) => Object.values(bandsets ?? {}).flat()));
  const sets = await queries.findBandsets(scope, [...new Set(ids)]);
  return mapInOrder(rows, async (row) => ({
    examcode: row.examcode,
    cuserid: row.cuserid,
    appid: row.appid,
    planroot: row.planroot,
    person: { gender: row.gender, age: row.age, grade: row.gradecode },
    history: row.history,
    minlevel: row.minlevel,
    forms: await mapInOrder(row.forms, async ({ formcode, formversion, answers, raw, bandsets }) => {
      const judging = Object.fromEntries(
        Object.entries(bandsets ?? {}).map(([code, list]) => [code, list.flatMap((id) => sets.get(id) ?? [])]),
      );
      const scale: Scale = applyBandsets(await scaleFor(scope, formcode, formversion), judging);
      return { formcode, scale, answers, result: raw };
    }),
  }));
}

/** Hides cells below the least number: a count about several institutions must not point at one person. */
const hideSmall = (count: number): number | null => (count > 0 && count < contract.LEAST_CELL ? null : count);

/** The figures for a caller above the institutions. With one hidden cell the figures that would disclose it are hidden too. */
function hideCells({ sittings, unjudged, levels, casesperweek: _cases, hoursperweek: _hours, ...persons }: ReplayFigures) {
  const cells = Object.fromEntries(Object.entries(persons).map(([key, count]) => [key, hideSmall(count)])) as {
    [K in keyof typeof persons]: number | null;
  };
  return {
    sittings,
    unjudged,
    ...cells,
    levels: levels.map(({ before, after }) => ({ before: hideSmall(before), after: hideSmall(after) })),
    casesperweek: null,
    hoursperweek: null,
  };
}

const replayChange = handle(contract.replayChange, async ({ kind, content, days, appid, plancode }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const isOne = caller.musertype === '004' || caller.musertype === '005';
  const rules = isOne ? await findCustomRules(scope, caller.musercode) : [];
  const { change, tried, formcode } = await readChange({ kind, content }, rules, ctx);
  const planroot = plancode ? await queries.findPlanroot(scope, plancode) : undefined;
  if (plancode && !planroot) throw problems.notFound({ what: '方案' });
  const filters = {
    musercode: isOne ? caller.musercode : undefined,
    since: addDays(now, -days),
    appid: appid ?? undefined,
    planroot,
    formcode,
  };
  const verdicts: (Verdict & { cuserid: string; examcode: string })[] = [];
  const rowsByExam = new Map<string, queries.SittingRow>();
  let last: queries.SittingRow | undefined;
  do {
    const rows = await queries.findSittings(scope, filters, last, PAGE);
    for (const sitting of await toSittings(scope, rows))
      verdicts.push({ ...judgeChange(sitting, rules, change), cuserid: sitting.cuserid, examcode: sitting.examcode });
    for (const row of rows) rowsByExam.set(row.examcode, { ...row, forms: [], history: [] });
    last = rows.length === PAGE ? rows.at(-1) : undefined;
  } while (last && verdicts.length < MOST_SITTINGS);
  const { figures, touched } = sumVerdicts(verdicts, days);
  const mayReadNames = isOne && caller.codes.has(codeOf('warning.crisis'));
  const named = mayReadNames ? touched.slice(0, MOST_PERSONS) : [];
  const trialid = await addTrial(scope, {
    musercode: caller.musercode,
    kind,
    contenthash: hashOf(tried),
    content: tried,
    result: figures,
    createby: caller.accountid,
    createtime: now,
  });
  audit({ objectid: String(trialid), cuserids: named.map(({ cuserid }) => cuserid), detail: { kind, days } });
  return {
    trialid,
    iscut: last !== undefined,
    ...(isOne ? figures : hideCells(figures)),
    persons: named.map(({ cuserid, examcode, before, after }) => {
      const row = rowsByExam.get(examcode);
      return {
        cuserid,
        examcode,
        username: displayName(caller, row?.username ?? ''),
        belongs: row?.belongs ?? '',
        submittime: row ? shanghaiTime(row.submittime) : '',
        before,
        after,
      };
    }),
  };
});

export const replayHandlers = [replayChange];
