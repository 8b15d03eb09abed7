import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import { concludeForm, bandOf, score } from '#domain/scoring/scoring.ts';
import { withBandsets } from '#domain/scoring/bandset/applyBandsets.ts';
import type { EarlierResult } from '#domain/scoring/condition.ts';
import type { Answers, BandSet, FormResult, Level, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { effectiveRules, type CustomRule } from '#domain/warning/customRule.ts';
import { runRules, type RuleFacts } from '#domain/warning/platformRules.ts';

/**
 * The past, judged once more with one change: a rule, a set of bands or a version of a form (supplement-scales-operations.md 3). Every
 * sitting keeps its own answers, version, person and history of its day; all other rules are those of today. Pure.
 */

/** A form of a past sitting. */
export interface PastForm {
  formcode: string;
  /** the version that the person answered, with the bands that judged it */
  scale: Scale;
  /** null: staff entered scores from a paper scale */
  answers: Answers | null;
  result: FormResult;
}

/** A past sitting of one person. */
export interface PastSitting {
  examcode: string;
  cuserid: string;
  appid: string;
  /** the lineage of its plan */
  planroot: string;
  person: PersonFacts;
  forms: readonly PastForm[];
  history: readonly EarlierResult[];
  /** the lowest level that opens a case at its institution */
  minlevel: number;
}

/** An own rule with the only lineage of plans that it judges. */
export type ReplayRule = CustomRule & { plancode: string | null };

/** The change that is tried. */
export type Change =
  { kind: 'rule'; rules: readonly ReplayRule[] } | { kind: 'bands'; set: BandSet } | { kind: 'version'; scale: Scale };

/** What the change would mean for one sitting. Levels that open no case are 0. */
export interface Verdict {
  before: Level;
  after: Level;
  /** false: the new version cannot judge the sheet, because the sheet lacks answers that it needs */
  isJudged: boolean;
}

/** The result of a form that another definition judges: its scores stay, levels, alerts and validity follow the definition. */
function judgeScores(scale: Scale, result: FormResult, person: PersonFacts): FormResult {
  const levels: Record<string, Level | null> = {};
  for (const { c } of scale.scores) {
    const value = result.scores[c] ?? null;
    levels[c] = value === null ? null : (bandOf(scale, c, value)?.[2] ?? null);
  }
  const facts = { ...result, levels, items: scale.items, flags: [], valid: true, person };
  const conclusion = concludeForm(scale, facts);
  return { ...result, levels, flags: facts.flags, valid: facts.valid, ...conclusion };
}

/** The result of a sheet by a new version; undefined when the version cannot judge it. */
function judgeByVersion(scale: Scale, { answers }: PastForm, person: PersonFacts): FormResult | undefined {
  if (!answers) return undefined;
  const known = new Set(scale.items.map((item) => item.c));
  if (Object.entries(answers).some(([code, answer]) => !isUnanswered(answer) && !known.has(code))) return undefined;
  const outcome = score(scale, answers, person);
  return outcome.kind === 'scored' ? outcome : undefined;
}

/** The result of a form after the change; undefined when the change cannot judge it. */
function changedResult(form: PastForm, sitting: PastSitting, change: Change): FormResult | undefined {
  const { person, appid } = sitting;
  if (change.kind === 'bands' && change.set.quotacode.startsWith(`${form.formcode}.`)) {
    const { inforce, ...scale } = form.scale;
    const judged: Scale = { ...scale, bands: inforce?.definition ?? scale.bands };
    const others = Object.values(inforce?.sets ?? {})
      .flat()
      .filter((set) => !(set.quotacode === change.set.quotacode && set.orgpath === change.set.orgpath));
    return judgeScores(withBandsets(judged, [...others, change.set], { appid, person }), form.result, person);
  }
  if (change.kind === 'version' && change.scale.formcode === form.formcode) return judgeByVersion(change.scale, form, person);
  return form.result;
}

/** The warning level of a sitting: 0 when it opens no case. */
function levelOf(sitting: PastSitting, results: readonly FormResult[], rules: readonly ReplayRule[]): Level {
  const forms: Record<string, RuleFacts> = {};
  sitting.forms.forEach(({ formcode }, index) => {
    const result = results[index];
    // An invalid form raises its alerts only.
    if (result) forms[formcode] = result.valid ? result : { ...result, levels: {}, scores: {}, overalllevel: null };
  });
  const judging = rules.filter((rule) => rule.plancode === null || rule.plancode === sitting.planroot);
  const { history, person } = sitting;
  const { warninglevel } = runRules(effectiveRules(judging, sitting.appid), forms, { history, person });
  return warninglevel >= sitting.minlevel ? warninglevel : 0;
}

/** What a change would have meant for one sitting; `rules` are the own rules of today. */
export function judgeChange(sitting: PastSitting, rules: readonly ReplayRule[], change: Change): Verdict {
  const results = sitting.forms.map((form) => form.result);
  const before = levelOf(sitting, results, rules);
  const changed = sitting.forms.map((form) => changedResult(form, sitting, change));
  if (changed.some((result) => result === undefined)) return { before, after: before, isJudged: false };
  return {
    before,
    after: levelOf(sitting, changed as FormResult[], change.kind === 'rule' ? change.rules : rules),
    isJudged: true,
  };
}

/** Hours of work for a case by its level 1–4 (supplement-scales-operations.md 3). */
const HOURS: Readonly<Record<number, number>> = { 1: 0.5, 2: 1, 3: 2, 4: 4 };

/** Sums over the persons of a replay. */
export interface ReplayFigures {
  sittings: number;
  /** sittings that the new version cannot judge (无法判断) */
  unjudged: number;
  /** persons with at least one sitting that opens a case */
  before: number;
  after: number;
  added: number;
  removed: number;
  raised: number;
  lowered: number;
  /** persons by their highest level, before and after: index 0 is level 1 */
  levels: { before: number; after: number }[];
  casesperweek: { before: number; after: number };
  hoursperweek: { before: number; after: number };
}

/** A person with another level after the change: the highest level before and after. */
export interface TouchedPerson {
  cuserid: string;
  examcode: string;
  before: Level;
  after: Level;
}

const perWeek = (sum: number, days: number) => Math.round((sum / days) * 7 * 10) / 10;

/** Sums verdicts by person. Every person counts once, with the highest level of their sittings. */
export function sumVerdicts(
  verdicts: readonly (Verdict & { cuserid: string; examcode: string })[],
  days: number,
): { figures: ReplayFigures; touched: TouchedPerson[] } {
  const persons = new Map<string, TouchedPerson>();
  for (const { cuserid, examcode, before, after } of verdicts) {
    const person = persons.get(cuserid);
    if (!person) persons.set(cuserid, { cuserid, examcode, before, after });
    else {
      if (after !== before && person.after === person.before) person.examcode = examcode;
      person.before = Math.max(person.before, before) as Level;
      person.after = Math.max(person.after, after) as Level;
    }
  }
  const list = [...persons.values()];
  const count = (test: (person: TouchedPerson) => boolean) => list.filter(test).length;
  const hours = (side: 'before' | 'after') => list.reduce((sum, person) => sum + (HOURS[person[side]] ?? 0), 0);
  const before = count((person) => person.before > 0);
  const after = count((person) => person.after > 0);
  return {
    figures: {
      sittings: verdicts.length,
      unjudged: verdicts.filter(({ isJudged }) => !isJudged).length,
      before,
      after,
      added: count((person) => person.before === 0 && person.after > 0),
      removed: count((person) => person.before > 0 && person.after === 0),
      raised: count((person) => person.before > 0 && person.after > person.before),
      lowered: count((person) => person.after > 0 && person.after < person.before),
      levels: [1, 2, 3, 4].map((level) => ({
        before: count((person) => person.before === level),
        after: count((person) => person.after === level),
      })),
      casesperweek: { before: perWeek(before, days), after: perWeek(after, days) },
      hoursperweek: { before: perWeek(hours('before'), days), after: perWeek(hours('after'), days) },
    },
    touched: list
      .filter((person) => person.before !== person.after)
      .sort((a, b) => b.after - a.after || b.before - a.before || (a.cuserid < b.cuserid ? -1 : 1)),
  };
}
