import { isTrue } from '#domain/scoring/condition.ts';
import type { CompiledItem, CompiledScale, CompiledScore } from '#domain/scoring/compiledScale.ts';
import { compileScale, isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, Band, Cond, FormResult, Outcome, PersonFacts, PostStep, Scale } from '#domain/scoring/scale.ts';
import { bandOf, postStep, rawScore, score } from '#domain/scoring/scoring.ts';

/** One step of the explanation of a result, for the trial-scoring screen of staff. */
export interface ExplainStep {
  kind: 'answer' | 'item' | 'score' | 'band' | 'validity' | 'alert' | 'overall';
  text: string;
}

/** The name of an item: `第9题` for q9, else the code. */
const itemName = (code: string) => code.replace(/^q(\d+)$/, '第$1题');
const itemNames = (codes: readonly string[]) => codes.map(itemName).join('、');
const formatNumber = (value: number) => String(Math.round(value * 1e6) / 1e6);
const quote = (text: string) => (text ? `“${text}”` : '');

/**
 * The explanation of a result, in the order of evaluation: invalid answers, skipped and not applicable questions, reversed items,
 * every score with its missing-rule, conversions and band, validity, alerts with their items, overall level.
 */
export function explainScore(scale: Scale, answers: Answers, person: PersonFacts = {}): ExplainStep[] {
  const form = compileScale(scale);
  const outcome = score(scale, answers, person);
  if (outcome.kind === 'invalid') {
    return [
      ...outcome.items.map((code): ExplainStep => ({
        kind: 'answer',
        text: explainInvalidAnswer(form.byCode.get(code), code, answers[code]),
      })),
      { kind: 'overall', text: '存在量表未提供的答案，整份不计分' },
    ];
  }
  return [
    ...answerSteps(scale, form, answers, outcome),
    ...reverseSteps(scale, form, answers, outcome),
    ...form.scores.flatMap((item) => scoreSteps(scale, item, outcome, person)),
    ...verdictSteps(scale, form, outcome, person),
    { kind: 'overall', text: overallText(scale, outcome) },
  ];
}

function explainInvalidAnswer(item: CompiledItem | undefined, code: string, answer: Answer | undefined): string {
  const answerText = Array.isArray(answer) ? answer.join('、') : String(answer);
  if (!item) return `${itemName(code)}：量表中没有这道题`;
  return `${itemName(code)}${quote(item.item.t)}：答案“${answerText}”${item.type === 0 ? '超出填写要求' : '不在选项之内'}`;
}

function answerSteps(
  scale: Scale,
  form: CompiledScale,
  answers: Answers,
  outcome: Exclude<Outcome, { kind: 'invalid' }>,
): ExplainStep[] {
  const steps: ExplainStep[] = [];
  for (const rule of scale.derive ?? []) {
    for (const [code, option] of Object.entries(rule.set)) {
      const item = form.byCode.get(code);
      if (!isUnanswered(answers[code]) || outcome.itemscores[code] == null || !item) continue;
      const label = scale.optionsets[item.item.o ?? '']?.find((row) => row[0] === option)?.[1] ?? option;
      steps.push({ kind: 'answer', text: `${itemName(code)}按跳转规则未询问，计为“${label}”（${outcome.itemscores[code]}分）` });
    }
  }
  if (outcome.notapplicable.length) {
    steps.push({ kind: 'item', text: `${itemNames(outcome.notapplicable)}对该受测者不适用，不计入任何得分` });
  }
  if (outcome.kind === 'incomplete') {
    steps.push({ kind: 'answer', text: `必答题未作答：${itemNames(outcome.unanswered)}` });
  }
  return steps;
}

function reverseSteps(scale: Scale, form: CompiledScale, answers: Answers, outcome: FormResult): ExplainStep[] {
  const reversedItems = form.items.filter((item) => item.reversed && outcome.itemscores[item.item.c] !== null && item.type === 1);
  return reversedItems.map((item) => {
    const now = outcome.itemscores[item.item.c] ?? 0;
    const code = String(answers[item.item.c] ?? '');
    const chosen = scale.optionsets[item.item.o ?? '']?.find((row) => row[0] === code)?.[1] || code;
    const [flip, printed] = [formatNumber(item.flip), formatNumber(item.flip - now)];
    return {
      kind: 'item',
      text: `${itemName(item.item.c)}反向计分：选“${chosen}”原为${printed}分，计${flip}−${printed}＝${formatNumber(now)}分`,
    };
  });
}

function scoreSteps(scale: Scale, compiled: CompiledScore, outcome: FormResult, person: PersonFacts): ExplainStep[] {
  const { def } = compiled;
  const notApplicable = new Set(outcome.notapplicable);
  const raw = rawScore(compiled, outcome, (code) => notApplicable.has(code));
  const steps: ExplainStep[] = [{ kind: 'score', text: `${def.n}：${rawText(scale, compiled, raw, outcome)}` }];
  let value = raw.value;
  const facts = { ...outcome, flags: [], items: scale.items, person };
  for (const step of def.post ?? []) {
    if (value === null) break;
    const next: number | null = postStep(scale, step, value, facts, def.c);
    // The rounding of a whole number needs no explanation.
    if (next !== value) steps.push({ kind: 'score', text: `${def.n}：${postText(step, value, next)}` });
    value = next;
  }
  if (value === null || !scale.bands[def.c]) return steps;
  const band = bandOf(scale, def.c, value);
  const text = band
    ? `在${bandRange(band, scale.bandmode?.[def.c])}内，等级${band[2]}（${band[3]}）`
    : '不在任何分级区间内，无等级';
  return [...steps, { kind: 'band', text: `${def.n}：${formatNumber(value)}分${text}` }];
}

function rawText(
  scale: Scale,
  { def, codes, weights }: CompiledScore,
  raw: ReturnType<typeof rawScore>,
  outcome: FormResult,
): string {
  const nameOf = (code: string | undefined) => scale.scores.find((candidate) => candidate.c === code)?.n ?? String(code);
  const result = raw.value === null ? '无法计算' : formatNumber(raw.value);
  if (def.op === 'ref') return `取“${nameOf(def.ref)}”的结果，${result}`;
  if (def.op === 'ratio') return `“${nameOf(def.num)}”÷“${nameOf(def.den)}”＝${result}`;
  if (raw.applicable.length === 0) return '没有适用的题目，不计分';
  const values = raw.applicable.flatMap((code) => outcome.itemscores[code] ?? []);
  const absent = raw.applicable.filter((code) => outcome.itemscores[code] == null);
  const max = def.miss?.max ?? 0;
  const counted = `计入${raw.applicable.length}题`;
  if (raw.value === null) {
    const gap = values.length === 0 ? '没有一题作答' : `超过允许的${max}题`;
    return `${counted}，缺答${absent.length}题（${itemNames(absent)}），${gap}，不计分`;
  }
  const sum = formatNumber(values.reduce((a, b) => a + b, 0));
  // A list of up to ninety terms is too long, so the text gives only their sum.
  const list = values.length > 30 ? `各题合计${sum}` : values.map(formatNumber).join('+');
  const formula = (() => {
    switch (def.op) {
      case 'sum':
        return list.endsWith(`合计${sum}`) ? list : `${list}＝${sum}`;
      case 'mean':
        return `(${list})÷${values.length}＝${result}`;
      case 'max':
        return `最高一题${result}`;
      case 'min':
        return `最低一题${result}`;
      case 'count':
        return `${whereText(def.where ?? {})}的有${result}题`;
      case 'weighted': {
        const terms = codes.flatMap((code, index) => {
          const item = raw.applicable.includes(code) ? outcome.itemscores[code] : null;
          return item == null ? [] : [`${formatNumber(item)}×${weights[index] ?? 0}`];
        });
        return `${[...terms, ...(def.b ? [formatNumber(def.b)] : [])].join('+')}＝${result}`;
      }
    }
  })();
  if (absent.length === 0) return `${counted}，${formula}`;
  const gap = `缺答${absent.length}题（${itemNames(absent)}，允许${max}题）`;
  if (def.op === 'sum' && def.miss?.how === 'prorate') {
    return `${counted}，${gap}，${formula}，按已答题目换算：${sum}×${raw.applicable.length}÷${values.length}＝${result}`;
  }
  return `${counted}，${gap}，${def.op === 'sum' ? '缺答题按0分计' : '只用已答题目'}，${formula}`;
}

const signs: Readonly<Record<string, string>> = { eq: '＝', ne: '≠', gte: '≥', gt: '>', lte: '≤', lt: '<', in: '属于' };
const whereText = (where: object) =>
  Object.entries(where)
    .map(([key, limit]) => `得分${signs[key] ?? key}${String(limit)}`)
    .join('且');

function postText(step: PostStep, value: number, next: number | null): string {
  const [from, to] = [formatNumber(value), next === null ? '' : formatNumber(next)];
  switch (step[0]) {
    case 'mul':
      return `乘以${step[1]}：${from}×${step[1]}＝${to}`;
    case 'add':
      return step[1] < 0 ? `减去${-step[1]}：${from}−${-step[1]}＝${to}` : `加上${step[1]}：${from}+${step[1]}＝${to}`;
    case 'floor':
      return `取整数部分：${from}→${to}`;
    case 'round':
      return `四舍五入${step[1] === 0 ? '取整' : `保留${step[1]}位小数`}：${from}→${to}`;
    case 'clamp':
      return `限制在${step[1]}—${step[2]}之间：${from}→${to}`;
    case 'tscore':
      return next === null ? `没有适合该受测者的常模（${step[1]}），无法换算T分` : `按常模${step[1]}换算T分：${from}→${to}`;
  }
}

function bandRange([lo, hi]: Band, mode: 'closed' | 'halfopen' | undefined): string {
  if (lo === null && hi === null) return '全部范围';
  if (hi === null) return `≥${lo}的区间`;
  if (lo === null) return `${mode === 'halfopen' ? '<' : '≤'}${hi}的区间`;
  if (lo === hi) return `${lo}分`;
  return mode === 'halfopen' ? `${lo}（含）至${hi}（不含）` : `${lo}—${hi}分`;
}

function verdictSteps(scale: Scale, form: CompiledScale, outcome: FormResult, person: PersonFacts): ExplainStep[] {
  const facts = { ...outcome, items: scale.items, person };
  const validity = (scale.validity ?? []).filter((rule) => outcome.flags.includes(rule.c));
  const alerts = (scale.alerts ?? []).filter((alert) => outcome.alerts.includes(alert.c));
  return [
    ...validity.map(({ msg, action }): ExplainStep => ({
      kind: 'validity',
      text: `${msg}${action === 'invalid' ? '（答卷判为无效，不显示等级）' : ''}`,
    })),
    ...alerts.map((alert): ExplainStep => {
      const because = [...new Set(itemsOf(alert.when))]
        .filter((code) => outcome.itemscores[code] != null && holdsFor(alert.when, code, facts))
        .map((code) => `${itemName(code)}${quote(form.byCode.get(code)?.item.t ?? '')}得${outcome.itemscores[code]}分`);
      return {
        kind: 'alert',
        text: `提示（${alert.level}级）：${alert.msg}${because.length ? `；依据：${because.join('，')}` : ''}`,
      };
    }),
  ];
}

/** Codes of the items that a condition reads directly. */
function itemsOf(cond: Cond): string[] {
  if ('all' in cond) return cond.all.flatMap(itemsOf);
  if ('any' in cond) return cond.any.flatMap(itemsOf);
  if ('not' in cond) return itemsOf(cond.not);
  return 'item' in cond && !('form' in cond) ? [cond.item] : [];
}

/** Whether this item raised the alert: the part of the condition that reads it is true. */
function holdsFor(cond: Cond, code: string, facts: Parameters<typeof isTrue>[1]): boolean {
  if ('all' in cond) return cond.all.some((item) => holdsFor(item, code, facts));
  if ('any' in cond) return cond.any.some((item) => holdsFor(item, code, facts));
  if ('not' in cond) return itemsOf(cond.not).includes(code);
  return 'item' in cond && cond.item === code && isTrue(cond, facts);
}

function overallText(scale: Scale, outcome: FormResult): string {
  const { overalllevel, alertlevel, valid } = outcome;
  const parts = valid
    ? scale.scores.flatMap(({ c, n, primary }) => (primary && outcome.levels[c] != null ? [`${n}等级${outcome.levels[c]}`] : []))
    : [];
  if (alertlevel > 0) parts.push(`提示等级${alertlevel}`);
  if (overalllevel === null) return scale.scores.length ? '没有可用的等级，总体等级为空' : '登记表不计分，没有等级';
  return `总体等级＝max(${parts.join('，')})＝${overalllevel}`;
}
