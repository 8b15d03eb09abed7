import { isScored } from '#domain/scoring/exchange/defaultScores.ts';
import type { Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { itemsOfScore, joinCodes } from '#features/scaleeditor/page/edits/itemEdits.ts';
import { nextCode, put } from '#features/scaleeditor/page/edits/put.ts';

/** Changes of the scores. */

const usedCodes = (scale: Scale) => [...scale.items.map((item) => item.c), ...scale.scores.map((score) => score.c)];

/** Adds 总分 over all questions with points. It is the primary score. */
export function addTotal(scale: Scale): Scale {
  const codes = scale.items.filter((item) => isScored(item, scale.optionsets)).map((item) => item.c);
  const c = usedCodes(scale).includes('total') ? nextCode('total', usedCodes(scale)) : 'total';
  const total: ScoreDef = { c, n: '总分', op: 'sum', of: joinCodes(codes, scale.items), primary: true, better: 'low' };
  return { ...scale, scores: [total, ...scale.scores] };
}

/** Adds a factor over some questions. */
export function addFactor(scale: Scale, name: string, codes: readonly string[]): { scale: Scale; code: string } {
  const code = nextCode('f', usedCodes(scale));
  const factor: ScoreDef = { c: code, n: name, op: 'sum', of: joinCodes(codes, scale.items), better: 'low' };
  return { scale: { ...scale, scores: [...scale.scores, factor] }, code };
}

/** Changes fields of one score. */
export const updateScore = (scale: Scale, code: string, changes: { [K in keyof ScoreDef]?: ScoreDef[K] | undefined }): Scale => ({
  ...scale,
  scores: scale.scores.map((score) => (score.c === code ? put(score, changes) : score)),
});

/** Chooses how a score is computed. Only the keys that the way needs stay. */
export function setOperation(scale: Scale, code: string, op: ScoreDef['op']): Scale {
  const score = scale.scores.find((candidate) => candidate.c === code);
  if (!score) return scale;
  const others = scale.scores.slice(0, scale.scores.indexOf(score)).map((other) => other.c);
  const readsItems = op !== 'ref' && op !== 'ratio';
  return updateScore(scale, code, {
    op,
    of: readsItems ? (score.of ?? []) : undefined,
    miss: readsItems ? score.miss : undefined,
    where: op === 'count' ? (score.where ?? { gte: 1 }) : undefined,
    w: op === 'weighted' ? (score.w ?? itemsOfScore(scale, score).map(() => 1)) : undefined,
    b: op === 'weighted' ? score.b : undefined,
    ref: op === 'ref' ? (score.ref ?? others[0] ?? '') : undefined,
    num: op === 'ratio' ? (score.num ?? others[0] ?? '') : undefined,
    den: op === 'ratio' ? (score.den ?? others[1] ?? '') : undefined,
    min: undefined,
    max: undefined,
  });
}

/** Removes a score with its bands. Rules that name it stay and become faults. */
export function removeScore(scale: Scale, code: string): Scale {
  const { [code]: _bands, ...bands } = scale.bands;
  const { [code]: _mode, ...modes } = scale.bandmode ?? {};
  const bandmode = Object.keys(modes).length ? modes : undefined;
  return put({ ...scale, scores: scale.scores.filter((score) => score.c !== code), bands }, { bandmode });
}

/** Moves a score by one place. */
export function moveScore(scale: Scale, index: number, by: -1 | 1): Scale {
  const scores = [...scale.scores];
  const [score] = scores.splice(index, 1);
  if (!score || index + by < 0 || index + by > scores.length) return scale;
  scores.splice(index + by, 0, score);
  return { ...scale, scores };
}
