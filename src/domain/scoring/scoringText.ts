import { expand } from '#domain/scoring/condition.ts';
import type { Band, Cmp, Cond, PostStep, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** The rules of a form in words, which staff read without any answers; `explainScore` explains the result of one form. */

const signs: Readonly<Record<keyof Cmp, string>> = { eq: '＝', ne: '≠', gte: '≥', gt: '＞', lte: '≤', lt: '＜', in: '属于' };
const comparisonText = (cmp: Cmp) =>
  (Object.keys(signs) as (keyof Cmp)[])
    .filter((key) => cmp[key] !== undefined)
    .map((key) => `${signs[key]}${Array.isArray(cmp[key]) ? (cmp[key] as readonly unknown[]).join('/') : String(cmp[key])}`)
    .join('且');

const itemName = (code: string) => code.replace(/^q(\d+)$/, '第$1题');

/** The items as text, such as `第1—7题、第9题`: neighbouring questions become one range. */
export function itemsText(scale: Scale, codes: readonly string[]): string {
  const indexes = codes.map((code) => scale.items.findIndex((item) => item.c === code));
  const runs: [number, number][] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last && index === last[1] + 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `第${from + 1}题` : `第${from + 1}—${to + 1}题`)).join('、');
}

const personFactNames: Readonly<Record<string, string>> = { gender: '性别', age: '年龄', grade: '年级' };
const personText = (key: string, cmp: Cmp) =>
  key === 'gender' && cmp.eq ? `为${cmp.eq === '01' ? '男' : '女'}` : comparisonText(cmp);

/** The condition in words: `第9题得分≥2`, `总分≥10且年龄＜18`. */
export function conditionText(scale: Scale, cond: Cond): string {
  const nameOf = (code: string) => scale.scores.find((score) => score.c === code)?.n ?? code;
  if ('all' in cond) return cond.all.map((item) => conditionText(scale, item)).join('，且');
  if ('any' in cond) return cond.any.map((item) => conditionText(scale, item)).join('，或');
  if ('not' in cond) return `不满足“${conditionText(scale, cond.not)}”`;
  if ('flag' in cond) return `出现标记${cond.flag}`;
  if ('valid' in cond) return cond.valid ? '答卷有效' : '答卷无效';
  if ('person' in cond) return `${personFactNames[cond.person] ?? cond.person}${personText(cond.person, cond)}`;
  if ('count' in cond)
    return `${itemsText(scale, expand(cond.count, scale.items))}中得分${comparisonText(cond.where)}的题数${comparisonText(cond)}`;
  if ('delta' in cond) return `${cond.delta.form}与${cond.delta.days}天内上次相比变化${comparisonText(cond)}`;
  if ('alert' in cond) return `${cond.form}出现提示${cond.alert}`;
  const prefix = 'form' in cond ? `${cond.form}的` : '';
  if ('item' in cond) return `${prefix}${itemName(cond.item)}得分${comparisonText(cond)}`;
  return 'score' in cond
    ? `${prefix}${nameOf(cond.score)}${comparisonText(cond)}`
    : `${prefix}${nameOf(cond.level)}等级${comparisonText(cond)}`;
}

function postStepText(step: PostStep): string {
  switch (step[0]) {
    case 'mul':
      return `乘以${step[1]}`;
    case 'add':
      return step[1] < 0 ? `减去${-step[1]}` : `加上${step[1]}`;
    case 'floor':
      return '取整数部分';
    case 'round':
      return step[1] === 0 ? '四舍五入取整' : `四舍五入保留${step[1]}位小数`;
    case 'clamp':
      return `限制在${step[1]}—${step[2]}之间`;
    case 'tscore':
      return '按常模换算T分';
  }
}

/** The rule of a score in words: `第1—9题得分相加；最多缺答2题，按已答题目换算；四舍五入取整`. */
export function scoreText(scale: Scale, def: ScoreDef): string {
  const nameOf = (code: string | undefined) => `“${scale.scores.find((score) => score.c === code)?.n ?? code ?? ''}”`;
  const items = def.of === undefined ? '' : itemsText(scale, expand(def.of, scale.items));
  const raw = {
    sum: `${items}得分相加`,
    mean: `${items}得分的平均`,
    max: `${items}中最高的得分`,
    min: `${items}中最低的得分`,
    count: `${items}中得分${comparisonText(def.where ?? {})}的题数`,
    weighted: `${items}得分加权相加`,
    ref: `取${nameOf(def.ref)}`,
    ratio: `${nameOf(def.num)}除以${nameOf(def.den)}`,
  }[def.op];
  const substitute = def.op !== 'sum' ? '只用已答题目' : def.miss?.how === 'prorate' ? '按已答题目换算' : '缺答题按0分计';
  const missing =
    def.of === undefined ? [] : [def.miss?.max ? `最多缺答${def.miss.max}题，${substitute}` : '缺答任何一题即不计分'];
  return [raw, ...missing, ...(def.post ?? []).map(postStepText)].join('；');
}

/** The unit of a score. */
export const unitOf = (def: ScoreDef): '题' | '分' => (def.op === 'count' ? '题' : '分');

/** The range of a band as text: `10—14`, `≥20`, `53（含）至63（不含）`. */
export function bandText([lo, hi]: Band, mode: 'closed' | 'halfopen' = 'closed'): string {
  if (lo === null && hi === null) return '全部';
  if (hi === null) return `≥${lo}`;
  if (lo === null) return `${mode === 'halfopen' ? '＜' : '≤'}${hi}`;
  if (lo === hi) return String(lo);
  return mode === 'halfopen' ? `${lo}（含）至${hi}（不含）` : `${lo}—${hi}`;
}
