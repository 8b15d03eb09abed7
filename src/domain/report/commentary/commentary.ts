import type { Facts } from '#domain/scoring/condition.ts';
import { compare, isTrue } from '#domain/scoring/condition.ts';
import type { Cmp, Cond } from '#domain/scoring/scale.ts';
import type { Audience } from '#domain/report/forbiddenWording.ts';
import { mentionsFamily } from '#domain/report/reader.ts';
import type { ViolenceScreen } from '#domain/report/violence.ts';

/**
 * The narrative engine (design/reports.md 5.5). Rules choose the paragraphs; no model writes them.
 * The same facts and the same library always give the same text, and every sentence names its rule.
 */

export type CommentarySection =
  | 'overall'
  | 'form'
  /** used only when no row of section `form` matches, e.g. for an institution's own questionnaire */
  | 'formdefault'
  | 'highlight'
  | 'compare'
  | 'riskfactors'
  | 'suggestion'
  | 'conclusion';

/** The most paragraphs of each section; `form`, `formdefault`, `highlight` and `compare` count per form. */
export const sectionLimit: Readonly<Record<CommentarySection, number>> = {
  overall: 1,
  form: 1,
  formdefault: 1,
  highlight: 3,
  compare: 1,
  riskfactors: 5,
  suggestion: 5,
  conclusion: 3,
};

/** A condition of a commentary row: the grammar of a scale plus the short forms of design/reports.md 5.5. */
export type CommentaryCond =
  | { all: readonly CommentaryCond[] }
  | { any: readonly CommentaryCond[] }
  | { not: CommentaryCond }
  /** a field of the archive; `"2"` and `2` are the same value, `"01"` is a code */
  | ({ archive: string } & Cmp)
  | { overall: number }
  | { overallgte: number }
  | { hasalert: 0 | 1 }
  | { maxscorelevel: Cmp }
  /** change since the previous valid exam, `"PHQ9.total"` */
  | ({ delta: string } & Cmp)
  | Cond;

export interface Commentary {
  id: string;
  section: CommentarySection;
  audience: Audience;
  /** the level of its institution in the tree, from 1; absent: the platform. The deepest precedes the others. */
  depth?: number;
  /** the row above that this one was copied from; a section uses only the first of both that matches */
  origin?: string;
  appid?: string;
  /** among rows of equal specificity the highest comes first; default 0 */
  priority?: number;
  /** absent: the other fields decide alone */
  cond?: CommentaryCond;
  /** a section uses only the first row with the same key; `calm` marks the invitations of section `overall` */
  excl?: string;
  form?: string;
  /** `PHQ9.total`: the person must have this score */
  quotacode?: string;
  /** level of the score, without `quotacode` of the form, without both of the whole exam */
  level?: number;
  gender?: '01' | '02';
  agemin?: number;
  agemax?: number;
  /** row for a pupil of primary school; this reader gets no other row of the person's own version */
  reader?: 'child';
  /** order of suggestions: 1 自我照顾, 2 身边的支持, 3 专业帮助; default 1 */
  tier?: 1 | 2 | 3;
  /** text with placeholders `{{score.PHQ9.total}}`; a row does not match when the facts lack a placeholder */
  t: string;
}

/** The facts for the engine. `person` also has `archive.<field>`, `overall`, `hasalert` and `maxscorelevel`. */
export interface NarrativeFacts extends Facts {
  appid: string;
  call: '您' | '你';
  /** the person's own version has the words of primary school */
  isChild?: boolean;
  /** absent: nobody asked about violence */
  violence?: ViolenceScreen;
  /** placeholder name without braces → text */
  placeholders: Readonly<Record<string, string>>;
  /** Chinese names for the explanation: form code, `form.item`, `form.score` and `archive.field` */
  names?: Readonly<Record<string, string>>;
  /** words of coded values for the explanation: fact, such as `archive.livewith`, → code → word */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** One chosen paragraph. */
export interface Sentence {
  commentid: string;
  text: string;
  /** the rule and the values that chose the paragraph; for staff only, because it quotes scores */
  because: string;
  tier: 1 | 2 | 3;
}

/** The days that `delta` looks back: all earlier valid exams count. */
const WHOLE_HISTORY_DAYS = 36_500;

/** An archive value in one spelling for comparisons: `true`→1, `"2"`→2, but `"04"` stays a code. */
export function canonical(value: string | number | boolean | null | undefined): string | number | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : value;
}

const comparisonOf = (cmp: Cmp): Cmp => {
  const out: Cmp = {};
  for (const key of ['gte', 'gt', 'lte', 'lt'] as const) if (cmp[key] !== undefined) out[key] = cmp[key];
  for (const key of ['eq', 'ne'] as const) if (cmp[key] !== undefined) out[key] = cmp[key];
  if (cmp.in !== undefined) out.in = cmp.in;
  return out;
};

const archiveComparisonOf = (cmp: Cmp): Cmp => {
  const out = comparisonOf(cmp);
  if (out.eq !== undefined) out.eq = canonical(out.eq) ?? '';
  if (out.ne !== undefined) out.ne = canonical(out.ne) ?? '';
  if (out.in !== undefined) out.in = out.in.map((item) => canonical(item) ?? '');
  return out;
};

/** The form and the code of `"PHQ9.total"`; null for a plain code. */
const splitCode = (code: string): [form: string, code: string] | null => {
  const index = code.indexOf('.');
  return index < 0 ? null : [code.slice(0, index), code.slice(index + 1)];
};

/** The condition in the plain grammar of scales, so that `isTrue` is the only evaluator. */
export function normaliseCondition(cond: CommentaryCond): Cond {
  if ('all' in cond) return { all: cond.all.map(normaliseCondition) };
  if ('any' in cond) return { any: cond.any.map(normaliseCondition) };
  if ('not' in cond) return { not: normaliseCondition(cond.not) };
  if ('archive' in cond) return { person: `archive.${cond.archive}`, ...archiveComparisonOf(cond) };
  if ('overall' in cond) return { person: 'overall', eq: cond.overall };
  if ('overallgte' in cond) return { person: 'overall', gte: cond.overallgte };
  if ('hasalert' in cond) return { person: 'hasalert', eq: cond.hasalert };
  if ('maxscorelevel' in cond) return { person: 'maxscorelevel', ...comparisonOf(cond.maxscorelevel) };
  if ('delta' in cond) {
    if (typeof cond.delta !== 'string') return { delta: cond.delta, ...comparisonOf(cond as Cmp) };
    const [form, score] = splitCode(cond.delta) ?? [cond.delta, 'total'];
    return { delta: { form, score, days: WHOLE_HISTORY_DAYS }, ...comparisonOf(cond as Cmp) };
  }
  if ('form' in cond || 'count' in cond || 'person' in cond || 'flag' in cond || 'valid' in cond) return cond;
  if ('item' in cond) {
    const parts = splitCode(cond.item);
    return parts ? { form: parts[0], item: parts[1], ...comparisonOf(cond) } : cond;
  }
  if ('score' in cond) {
    const parts = splitCode(cond.score);
    return parts ? { form: parts[0], score: parts[1], ...comparisonOf(cond) } : cond;
  }
  const parts = splitCode(cond.level);
  return parts ? { form: parts[0], level: parts[1], ...comparisonOf(cond) } : cond;
}

/** The fields of a row that a condition can say: score, level, gender and ages. */
function keyConditions(row: Commentary): Cond[] {
  const conds: Cond[] = [];
  const [form, score] = (row.quotacode === undefined ? undefined : splitCode(row.quotacode)) ?? [];
  if (form !== undefined && score !== undefined)
    conds.push(row.level === undefined ? { form, score } : { form, level: score, eq: row.level });
  else if (row.level !== undefined) conds.push({ person: row.form ? 'form.level' : 'overall', eq: row.level });
  if (row.gender !== undefined) conds.push({ person: 'gender', eq: row.gender });
  if (row.agemin !== undefined) conds.push({ person: 'age', gte: row.agemin });
  if (row.agemax !== undefined) conds.push({ person: 'age', lte: row.agemax });
  return conds;
}

const conditions = new WeakMap<Commentary, Cond>();
/** All that a row asks of the facts, besides its population and its form. */
export function conditionOf(row: Commentary): Cond {
  let cond = conditions.get(row);
  if (!cond) {
    const keys = keyConditions(row);
    const own = row.cond && normaliseCondition(row.cond);
    cond = own && keys.length === 0 ? own : { all: [...keys, ...(own ? [own] : [])] };
    conditions.set(row, cond);
  }
  return cond;
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** The template with its placeholders filled; null when one of them is unknown or empty. */
export function fillTemplate(template: string, placeholders: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const text = template.replace(placeholder, (_, name: string) => {
    const value = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
    if (value === undefined || value === '') complete = false;
    return value ?? '';
  });
  return complete ? text : null;
}

const hasPersonKeys = (row: Commentary): boolean =>
  row.gender !== undefined || row.agemin !== undefined || row.agemax !== undefined;

/**
 * The rows in the order of evaluation: the nearest institution, the platform last; then rows of the app; then rows for a gender or
 * an age; then by priority; then by id.
 */
export const rankCommentary = (rows: readonly Commentary[]): Commentary[] =>
  [...rows].sort(
    (a, b) =>
      (b.depth ?? 0) - (a.depth ?? 0) ||
      Number(b.appid !== undefined) - Number(a.appid !== undefined) ||
      Number(hasPersonKeys(b)) - Number(hasPersonKeys(a)) ||
      (b.priority ?? 0) - (a.priority ?? 0) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );

/** Why a row cannot stand in a report at all; undefined when it can. */
function obstacleOf(row: Commentary, facts: NarrativeFacts, form: string | undefined): string | undefined {
  if (row.appid && row.appid !== facts.appid) return '适用人群不同';
  if ((row.reader === 'child') !== (facts.isChild ?? false))
    return row.reader === 'child' ? '只用于小学生版' : '小学生版不使用这一段';
  // Nobody is sent to the family unless the person denied violence, also by a row of an institution.
  if (facts.violence !== 'denied' && mentionsFamily(row.t)) return '提到家人，而对方没有否认过家暴与侵害';
  if (row.form && (form ? row.form !== form : facts.forms && !facts.forms[row.form])) return '量表不同';
  return undefined;
}

/** A row that was not chosen, with the reason in Chinese. */
export type OnLoss = (row: Commentary, why: string) => void;

/**
 * The paragraphs of one section for one audience. With `form`, only rows of that form and rows without a form match. Sections of
 * the whole report use every row. Rows of another app never match. `onLoss` gets each other row of the section with the reason.
 */
export function narrate(
  facts: NarrativeFacts,
  library: readonly Commentary[],
  audience: Audience,
  section: CommentarySection,
  options: { form?: string; limit?: number; onLoss?: OnLoss } = {},
): Sentence[] {
  const { form, onLoss, limit = sectionLimit[section] } = options;
  const used = new Set<string>();
  const chosen: Sentence[] = [];
  const candidates = library.filter((row) => {
    if (row.section !== section || row.audience !== audience) return false;
    const obstacle = obstacleOf(row, facts, form);
    if (obstacle !== undefined) onLoss?.(row, obstacle);
    return obstacle === undefined;
  });
  for (const row of rankCommentary(candidates)) {
    if (chosen.length >= limit && !onLoss) break;
    const origin = `origin:${row.origin ?? row.id}`;
    const cond = conditionOf(row);
    const filled = isTrue(cond, facts) ? fillTemplate(row.t, facts.placeholders) : undefined;
    if (filled === undefined) onLoss?.(row, explainMiss(cond, facts));
    else if (filled === null) onLoss?.(row, '占位符没有可填的内容');
    else if (chosen.length >= limit) onLoss?.(row, `这一部分最多 ${limit} 段，排在前面的已用完`);
    else if (used.has(origin)) onLoss?.(row, '已由修改过的副本代替');
    else if (row.excl && used.has(row.excl)) onLoss?.(row, `同组（${row.excl}）已有一段`);
    else {
      used.add(origin);
      if (row.excl) used.add(row.excl);
      const text = audience === 'self' ? filled.replaceAll('您', facts.call) : filled;
      const because = `规则${row.id}：${explainCommentary(cond, facts) || '没有另外的条件'}`;
      chosen.push({ commentid: row.id, text, because, tier: row.tier ?? 1 });
    }
  }
  return chosen;
}

/** The part of a false condition that fails. */
function explainMiss(cond: Cond, facts: NarrativeFacts): string {
  const failing = 'all' in cond ? cond.all.filter((part) => !isTrue(part, facts)) : [cond];
  return `条件不成立：${failing.map((part) => explainCommentary(part, facts)).join('，且')}`;
}

type Words = Readonly<Record<string, string>>;
const yesNo: Words = { '1': '是', '0': '否' };
/** The words of coded facts; numbers such as levels have none. */
const personWords: Readonly<Record<string, Words>> = {
  hasalert: yesNo,
  assessed: yesNo,
  'form.scored': yesNo,
  'form.withheld': yesNo,
  'form.notapplicable': yesNo,
  'form.changereached': yesNo,
  'form.meaning': { better: '好转', worse: '加重', same: '没有变化' },
  gender: { '01': '男', '02': '女' },
};
const wordIn = (words: Words | undefined, value: unknown): string => words?.[String(value)] ?? String(value);

const cmpText = (cmp: Cmp, words?: Words): string =>
  [
    cmp.eq !== undefined ? `=${wordIn(words, cmp.eq)}` : '',
    cmp.ne !== undefined ? `≠${wordIn(words, cmp.ne)}` : '',
    cmp.gte !== undefined ? `≥${cmp.gte}` : '',
    cmp.gt !== undefined ? `>${cmp.gt}` : '',
    cmp.lte !== undefined ? `≤${cmp.lte}` : '',
    cmp.lt !== undefined ? `<${cmp.lt}` : '',
    cmp.in !== undefined ? `属于${cmp.in.map((value) => wordIn(words, value)).join('/')}` : '',
  ]
    .filter(Boolean)
    .join('且');

const personNames: Readonly<Record<string, string>> = {
  overall: '综合等级',
  hasalert: '关键条目预警',
  maxscorelevel: '量表最高等级',
  assessed: '有可解释的等级',
  'form.level': '本量表等级',
  'form.scored': '本量表可计分',
  'form.withheld': '本量表不列分数',
  'form.notapplicable': '本量表无需作答',
  'form.delta': '与上次差值',
  'form.meaning': '变化方向',
  'form.changereached': '达到公布的变化界值',
  age: '年龄',
  gender: '性别',
};

/** A true condition in Chinese with its values, e.g. “PHQ-9抑郁总分16分，等级3（条件：等级≥3）”. */
export function explainCommentary(cond: Cond, facts: NarrativeFacts): string {
  const name = (key: string, fallback: string): string => facts.names?.[key] ?? fallback;
  if ('all' in cond) return cond.all.map((item) => explainCommentary(item, facts)).join('，且');
  if ('any' in cond) {
    const hits = cond.any.filter((item) => isTrue(item, facts));
    return (hits.length ? hits : cond.any).map((item) => explainCommentary(item, facts)).join('，或');
  }
  // A fact says itself that it misses the condition.
  if ('not' in cond)
    return 'person' in cond.not ? explainCommentary(cond.not, facts) : `不满足「${explainCommentary(cond.not, facts)}」`;
  if ('flag' in cond) return `标记${cond.flag}`;
  if ('valid' in cond) return cond.valid ? '作答有效' : '作答无效';
  if ('delta' in cond) {
    const { form, score } = cond.delta;
    const now = facts.forms?.[form]?.scores[score];
    return `${name(form, form)}与上次相比的变化${cmpText(cond)}（本次${now ?? '无'}分）`;
  }
  if ('form' in cond) {
    const form = facts.forms?.[cond.form];
    const title = name(cond.form, cond.form);
    if ('alert' in cond) return `${title}触发预警${cond.alert}`;
    if ('item' in cond) {
      const value = form?.itemscores[cond.item];
      return `${title}${name(`${cond.form}.${cond.item}`, cond.item)}${value ?? '未答'}分（条件：${cmpText(cond)}）`;
    }
    const code = 'score' in cond ? cond.score : cond.level;
    const score = form?.scores[code];
    const level = form?.levels[code];
    const kind = 'score' in cond ? '得分' : '等级';
    return `${title}${name(`${cond.form}.${code}`, code)}${score ?? '无'}${level == null ? '' : `，等级${level}`}（条件：${kind}${cmpText(cond)}）`;
  }
  if ('person' in cond) {
    const value = facts.person?.[cond.person];
    const label = personNames[cond.person] ?? name(cond.person, cond.person.replace(/^archive\./, '档案'));
    const words = personWords[cond.person] ?? facts.words?.[cond.person];
    return `${label}为${value === null || value === undefined ? '无记录' : wordIn(words, value)}（${compare(value, cond) ? '条件' : '不属于'}：${cmpText(cond, words)}）`;
  }
  if ('count' in cond) return `符合条件的条目数${cmpText(cond)}`;
  return `${'item' in cond ? cond.item : 'score' in cond ? cond.score : cond.level}${cmpText(cond)}`;
}
