import { compileScale } from '#domain/scoring/compiledScale.ts';
import { postStep } from '#domain/scoring/scoring.ts';
import type { QuotaDomain, Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { asq } from '#domain/scoring/scales/asq.ts';
import { careobs } from '#domain/scoring/scales/careobs.ts';
import { cbi } from '#domain/scoring/scales/cbi.ts';
import { cesd } from '#domain/scoring/scales/cesd.ts';
import { consultreg } from '#domain/scoring/scales/consultreg.ts';
import { dass21 } from '#domain/scoring/scales/dass21.ts';
import { epds } from '#domain/scoring/scales/epds.ts';
import { followreg } from '#domain/scoring/scales/followreg.ts';
import { gad2 } from '#domain/scoring/scales/gad2.ts';
import { gad7 } from '#domain/scoring/scales/gad7.ts';
import { gds15 } from '#domain/scoring/scales/gds15.ts';
import { interview } from '#domain/scoring/scales/interview.ts';
import { k10 } from '#domain/scoring/scales/k10.ts';
import { k6 } from '#domain/scoring/scales/k6.ts';
import { matreg } from '#domain/scoring/scales/matreg.ts';
import { mht } from '#domain/scoring/scales/mht.ts';
import { oldreg } from '#domain/scoring/scales/oldreg.ts';
import { pcptsd5 } from '#domain/scoring/scales/pcptsd5.ts';
import { phq15 } from '#domain/scoring/scales/phq15.ts';
import { phq2 } from '#domain/scoring/scales/phq2.ts';
import { phq4 } from '#domain/scoring/scales/phq4.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { pss10 } from '#domain/scoring/scales/pss10.ts';
import { sas } from '#domain/scoring/scales/sas.ts';
import { scl90 } from '#domain/scoring/scales/scl90.ts';
import { sds } from '#domain/scoring/scales/sds.ts';
import { stureg } from '#domain/scoring/scales/stureg.ts';
import { teachobs } from '#domain/scoring/scales/teachobs.ts';
import { who5 } from '#domain/scoring/scales/who5.ts';
import { workreg } from '#domain/scoring/scales/workreg.ts';

/** All shipped forms, in the order of the catalogue. */
export const library: readonly Scale[] = [
  ...[phq9, gad7, phq4, phq2, gad2, phq15, gds15, cesd, k10, k6, asq, pcptsd5, dass21, who5, pss10, cbi],
  ...[epds, sds, sas, scl90, mht],
  ...[teachobs, careobs, matreg, stureg, workreg, oldreg, consultreg, followreg, interview],
];

const byCode = new Map(library.map((scale) => [scale.formcode, scale]));

/** The shipped form with this code; undefined when it is not part of the library. */
export const scaleOf = (formcode: string): Scale | undefined => byCode.get(formcode);

/** One indicator (指标): a score of a form for lists, norms and statistics. */
export interface Quota {
  /** `PHQ9.total` */
  quotacode: string;
  formcode: string;
  scorecode: string;
  quotaname: string;
  /** 01 total, 02 factor, 03 validity, 04 count */
  kind: '01' | '02' | '03' | '04';
  domain: QuotaDomain;
  isprimary: 0 | 1;
  /** null for a score without fixed limits */
  minscore: number | null;
  maxscore: number | null;
  better: 'low' | 'high';
}

/** The indicators of a form, in the order of its scores. */
export function quotasOf(scale: Scale): Quota[] {
  const validity = JSON.stringify(scale.validity ?? []);
  const main = scale.scores.filter((def) => def.primary && def.op !== 'count');
  return scale.scores.map((def) => {
    const [minscore, maxscore] = scoreRange(scale, def);
    const total = ['total', 'raw', 'std', 'avg'].includes(def.c) || (main.length === 1 && main[0] === def);
    return {
      quotacode: `${scale.formcode}.${def.c}`,
      formcode: scale.formcode,
      scorecode: def.c,
      quotaname: def.n,
      kind: validity.includes(`"score":"${def.c}"`) ? '03' : def.op === 'count' ? '04' : total ? '01' : '02',
      domain: def.domain ?? '08',
      isprimary: def.primary ? 1 : 0,
      minscore,
      maxscore,
      better: def.better ?? 'low',
    };
  });
}

/** The lowest and highest value of a score: as declared, else from its item options; null without a limit. */
export function scoreRange(scale: Scale, def: ScoreDef): [number | null, number | null] {
  if (def.min !== undefined && def.max !== undefined) return [def.min, def.max];
  const raw = rawRange(scale, def);
  if (!raw || def.post?.some((step) => step[0] === 'tscore')) return [def.min ?? null, def.max ?? null];
  const facts = { items: scale.items, itemscores: {}, scores: {}, levels: {}, flags: [], valid: true, person: {} };
  const ends = raw.map((end) =>
    (def.post ?? []).reduce((value, step) => postStep(scale, step, value, facts, def.c) ?? value, end),
  );
  return [def.min ?? Math.min(...ends), def.max ?? Math.max(...ends)];
}

function rawRange(scale: Scale, def: ScoreDef): [number, number] | null {
  if (def.op === 'ref') {
    const from = scale.scores.find((score) => score.c === def.ref);
    const [low, high] = from ? scoreRange(scale, from) : [null, null];
    return low === null || high === null ? null : [low, high];
  }
  const form = compileScale(scale);
  const codes = form.scores.find((score) => score.def === def)?.codes ?? [];
  if (def.op === 'count') return [0, codes.length];
  const ranges = codes.map((code) => {
    const numbers = [...(form.byCode.get(code)?.options.values() ?? [])].filter((option) => option !== null);
    return [Math.min(...numbers), Math.max(...numbers)] as const;
  });
  if (def.op === 'ratio' || !ranges.length || !ranges.flat().every(Number.isFinite)) return null;
  const lows = ranges.map(([low]) => low);
  const highs = ranges.map(([, high]) => high);
  if (def.op === 'sum') return [lows.reduce((a, b) => a + b, 0), highs.reduce((a, b) => a + b, 0)];
  if (def.op !== 'weighted') return [Math.min(...lows), Math.max(...highs)];
  const weighted = (side: readonly number[], other: readonly number[]) =>
    side.reduce((sum, end, index) => {
      const weight = def.w?.[index] ?? 0;
      return sum + weight * (weight < 0 ? (other[index] ?? 0) : end);
    }, def.b ?? 0);
  return [weighted(lows, highs), weighted(highs, lows)];
}
