import { expand } from '#domain/scoring/condition.ts';
import type { Band, Cmp, Cond, PostStep, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** The rules of a form in words, as staff read them before any answer is given; `explain` tells what they made of one sheet. */

const signs: Readonly<Record<keyof Cmp, string>> = { eq: '＝', ne: '≠', gte: '≥', gt: '＞', lte: '≤', lt: '＜', in: '属于' };
const compared = (cmp: Cmp) =>
  (Object.keys(signs) as (keyof Cmp)[])
    .filter((key) => cmp[key] !== undefined)
    .map((key) => `${signs[key]}${Array.isArray(cmp[key]) ? (cmp[key] as readonly unknown[]).join('/') : String(cmp[key])}`)
    .join('且');

const itemName = (code: string) => code.replace(/^q(\d+)$/, '第$1题');

/** `第1—7题、第9题`: runs of neighbouring questions are drawn together. */
export function itemsWords(scale: Scale, codes: readonly string[]): string {
  const at = codes.map((code) => scale.items.findIndex((item) => item.c === code));
  const runs: [number, number][] = [];
  for (const index of at) {
    const last = runs.at(-1);
    if (last && index === last[1] + 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `第${from + 1}题` : `第${from + 1}—${to + 1}题`)).join('、');
}

const facts: Readonly<Record<string, string>> = { gender: '性别', age: '年龄', grade: '年级' };
const value = (key: string, cmp: Cmp) => (key === 'gender' && cmp.eq ? `为${cmp.eq === '01' ? '男' : '女'}` : compared(cmp));

/** A condition in words: `第9题得分≥2`, `总分≥10且年龄＜18`. */
export function condWords(scale: Scale, cond: Cond): string {
  const nameOf = (code: string) => scale.scores.find((score) => score.c === code)?.n ?? code;
  if ('all' in cond) return cond.all.map((item) => condWords(scale, item)).join('，且');
  if ('any' in cond) return cond.any.map((item) => condWords(scale, item)).join('，或');
  if ('not' in cond) return `不满足“${condWords(scale, cond.not)}”`;
  if ('flag' in cond) return `出现标记${cond.flag}`;
  if ('valid' in cond) return cond.valid ? '答卷有效' : '答卷无效';
  if ('person' in cond) return `${facts[cond.person] ?? cond.person}${value(cond.person, cond)}`;
  if ('count' in cond)
    return `${itemsWords(scale, expand(cond.count, scale.items))}中得分${compared(cond.where)}的题数${compared(cond)}`;
  if ('delta' in cond) return `${cond.delta.form}与${cond.delta.days}天内上次相比变化${compared(cond)}`;
  if ('alert' in cond) return `${cond.form}出现提示${cond.alert}`;
  const of = 'form' in cond ? `${cond.form}的` : '';
  if ('item' in cond) return `${of}${itemName(cond.item)}得分${compared(cond)}`;
  return 'score' in cond ? `${of}${nameOf(cond.score)}${compared(cond)}` : `${of}${nameOf(cond.level)}等级${compared(cond)}`;
}

function postWords(step: PostStep): string {
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

/** How a score comes about: `第1—9题得分相加；最多缺答2题，按已答题目换算；四舍五入取整`. */
export function scoreWords(scale: Scale, def: ScoreDef): string {
  const nameOf = (code: string | undefined) => `“${scale.scores.find((score) => score.c === code)?.n ?? code ?? ''}”`;
  const items = def.of === undefined ? '' : itemsWords(scale, expand(def.of, scale.items));
  const raw = {
    sum: `${items}得分相加`,
    mean: `${items}得分的平均`,
    max: `${items}中最高的得分`,
    min: `${items}中最低的得分`,
    count: `${items}中得分${compared(def.where ?? {})}的题数`,
    weighted: `${items}得分加权相加`,
    ref: `取${nameOf(def.ref)}`,
    ratio: `${nameOf(def.num)}除以${nameOf(def.den)}`,
  }[def.op];
  const substitute = def.op !== 'sum' ? '只用已答题目' : def.miss?.how === 'prorate' ? '按已答题目换算' : '缺答题按0分计';
  const missing =
    def.of === undefined ? [] : [def.miss?.max ? `最多缺答${def.miss.max}题，${substitute}` : '缺答任何一题即不计分'];
  return [raw, ...missing, ...(def.post ?? []).map(postWords)].join('；');
}

/** What a score counts in. */
export const unitOf = (def: ScoreDef): '题' | '分' => (def.op === 'count' ? '题' : '分');

/** A band's range: `10—14`, `≥20`, `53（含）至63（不含）`. */
export function rangeWords([lo, hi]: Band, mode: 'closed' | 'halfopen' = 'closed'): string {
  if (lo === null && hi === null) return '全部';
  if (hi === null) return `≥${lo}`;
  if (lo === null) return `${mode === 'halfopen' ? '＜' : '≤'}${hi}`;
  if (lo === hi) return String(lo);
  return mode === 'halfopen' ? `${lo}（含）至${hi}（不含）` : `${lo}—${hi}`;
}
