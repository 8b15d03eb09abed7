import type { ReportFacts, ReportForm } from '#domain/report/report.facts.ts';
import { isTrue } from '#domain/scoring/condition.ts';
import { bandOf } from '#domain/scoring/scoring.ts';
import type { FormResult, Level, Scale } from '#domain/scoring/scale.ts';

/** A result that somebody invents to try texts with it. */
export interface InventedResult {
  appid: string;
  gender?: '01' | '02' | null;
  age?: number | null;
  forms: readonly { scale: Scale; scores: Readonly<Record<string, number>>; items?: Readonly<Record<string, number>> }[];
}

const highest = (levels: readonly (Level | null | undefined)[]): Level | null =>
  levels.reduce<Level | null>((top, level) => (level != null && (top === null || level > top) ? level : top), null);

function resultOf(scale: Scale, scores: Readonly<Record<string, number>>, items: Readonly<Record<string, number>>): FormResult {
  const bands = scale.scores.map(({ c }) => {
    const value = scores[c];
    return [c, value === undefined ? undefined : bandOf(scale, c, value)] as const;
  });
  const levels = Object.fromEntries(bands.map(([c, band]) => [c, band?.[2] ?? null]));
  const itemscores = Object.fromEntries(scale.items.map(({ c }) => [c, items[c] ?? null]));
  const facts = { items: scale.items, itemscores, scores, levels, flags: [], valid: true, person: {} };
  const alerts = (scale.alerts ?? []).filter(({ when }) => isTrue(when, facts));
  const alertlevel = highest(alerts.map(({ level }) => level as Level)) ?? 0;
  const primary = highest(scale.scores.filter((score) => score.primary).map(({ c }) => levels[c]));
  return {
    itemscores,
    scores: Object.fromEntries(scale.scores.map(({ c }) => [c, scores[c] ?? null])),
    levels,
    labels: Object.fromEntries(bands.map(([c, band]) => [c, band?.[3] ?? null])),
    missing: {},
    notapplicable: [],
    flags: [],
    alerts: alerts.map(({ c }) => c),
    alertlevel,
    valid: true,
    overalllevel: highest([primary, alertlevel || null]),
  };
}

/** The facts of a report about an invented result. The person has no archive and no earlier exam. */
export const inventedFacts = ({ appid, gender = null, age = null, forms }: InventedResult): ReportFacts => ({
  reportcode: '',
  generatedat: '2026-01-01 09:00:00',
  institution: { insname: '' },
  person: { name: '', gender, age },
  exam: { examcode: '', appid, planname: '', submittime: '2026-01-01 09:00:00', valid: true },
  forms: forms.map(({ scale, scores, items = {} }): ReportForm => ({ scale, result: resultOf(scale, scores, items) })),
});
