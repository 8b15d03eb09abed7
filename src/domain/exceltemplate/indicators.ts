import type { GroupKind, Outcome } from '#domain/release/measures.ts';
import { DOMAIN_LEVELS, OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';

/** What a cell of an authority's form can show. Its source is the nightly release (decision 0069), never a live count. */
export interface Indicator {
  code: string;
  title: string;
  /** in which part of the list it stands */
  part: '基本信息' | '参测' | '结果' | '程度' | '个案';
  /** how it is counted, for the screen and for the sheet 数据来源 */
  definition: string;
  unit: 'count' | 'rate' | 'text';
  /** effort: counted every night; outcome: published once */
  of: 'effort' | 'outcome' | 'form';
  /** the groups for which it is published */
  groups: readonly GroupKind[];
}

const ROUNDED = '每校每年级向下取整到 5 的倍数后相加，每晚更新';
const effort = (code: string, title: string, definition: string, unit: 'count' | 'rate' = 'count'): Indicator => ({
  ...{ code, title, part: '参测', unit, of: 'effort', groups: ['all', 'grade'] },
  definition: `${definition}；${ROUNDED}`,
});
const outcome = (code: string, title: string, part: Indicator['part'], definition: string, more: Partial<Indicator> = {}) =>
  ({ code, title, part, definition, unit: 'count', of: 'outcome', groups: ['all'], ...more }) satisfies Indicator;
const text = (code: string, title: string, definition: string, unit: 'text' | 'count' = 'text'): Indicator => ({
  ...{ code, title, definition, unit, part: '基本信息', of: 'form', groups: ['all'] },
});

const everyGroup: Partial<Indicator> = { groups: ['all', 'grade', 'gender'] };
const spread = (key: 'levels' | 'depressed' | 'anxious', title: string, words: readonly string[]): Indicator[] =>
  words.map((word, level) => outcome(`${key}.${level}`, `${title}：${word}`, '程度', `有效结果中${title}为“${word}”的人数`));

export const indicators: readonly Indicator[] = [
  text('insname', '填报单位', '本机构的名称'),
  text('period', '统计时段', '填表时选择的学年学期或季度'),
  text('datatime', '数据截至', '结果的发布日期；尚未发布时为参测数据的统计日期'),
  text('schoolcount', '学校（机构）数', '所选时段里有数据的机构数', 'count'),
  effort('total', '应测', '名册中的应测人数'),
  effort('exempt', '免测', '因长期原因免于测评的人数'),
  effort('tested', '实测', '已提交问卷的人数'),
  effort('rate', '完成率', '实测 ÷ 应测', 'rate'),
  outcome('valid', '有效', '结果', '有有效结果的人数', everyGroup),
  outcome('abnormal', '需关注', '结果', '结果达到中度及以上或触发预警的人数；筛查结果不等于医学诊断', everyGroup),
  outcome('abnormalrate', '需关注率', '结果', '需关注 ÷ 有效', { ...everyGroup, unit: 'rate' }),
  outcome('alert', '触发预警', '结果', '有效结果中触发预警的人数'),
  ...spread('levels', '总体程度', OVERALL_LEVELS),
  ...spread('depressed', '抑郁程度', DOMAIN_LEVELS['01']),
  ...spread('anxious', '焦虑程度', DOMAIN_LEVELS['02']),
  outcome('opened', '新建个案', '个案', '时段内新建的预警个案数'),
  outcome('settled', '已处置个案', '个案', '新建个案中已结案，或未结案而没有超时事项的个案数'),
  outcome('closed', '已结案个案', '个案', '新建个案中已结案的个案数'),
  outcome('closedrate', '结案率', '个案', '已结案个案 ÷ 新建个案', { unit: 'rate' }),
];

const byCode = new Map(indicators.map((indicator) => [indicator.code, indicator]));
/** The indicator with this code, if there is one. */
export const indicatorOf = (code: string): Indicator | undefined => byCode.get(code);

/** The numbers of a group of persons: effort as a sum of rounded counts, outcome with hidden counts as null. */
export interface Figures {
  effort: { total: number; exempt: number; tested: number };
  /** undefined: not published yet */
  outcome: Outcome | undefined;
}

/**
 * What a cell shows. `hidden`: a count from which a reader could tell single persons; `waiting`: the outcome is not published yet;
 * `none`: a share of nobody, or a share with a hidden part.
 */
export type Value = { is: 'count' | 'rate'; value: number } | { is: 'hidden' | 'waiting' | 'none' };

const shareOf = (part: number | null, whole: number | null): Value =>
  part === null || whole === null || whole === 0
    ? { is: 'none' }
    : // Percent with one decimal, half up, like all rates of the product.
      { is: 'rate', value: Math.round((part / whole) * 1000) / 1000 };

/** Returns the value of an indicator; not of the texts about the form. */
export function valueOf(code: string, { effort: { total, exempt, tested }, outcome: found }: Figures): Value {
  const indicator = indicatorOf(code);
  if (!indicator || indicator.of === 'form') throw new RangeError(code);
  if (indicator.of === 'effort')
    return code === 'rate' ? shareOf(tested, total) : { is: 'count', value: { total, exempt, tested }[code as 'total'] };
  if (!found) return { is: 'waiting' };
  if (code === 'abnormalrate') return shareOf(found.abnormal, found.valid);
  if (code === 'closedrate') return shareOf(found.closed, found.opened);
  const [key = '', level] = code.split('.');
  const counts = found[key as keyof Outcome];
  const count = Array.isArray(counts) ? (counts[Number(level)] ?? null) : counts;
  return count === null ? { is: 'hidden' } : { is: 'count', value: count };
}

/** Stands for a hidden count. Not “<5”: a count is also hidden to protect another one, and may then be large. */
const HIDDEN_COUNT = '不公布';

/**
 * Returns what stands in the cell: a number, or the text for a value that is not public. A cell with a percent format gets the
 * fraction, another cell the number of percent.
 */
export function cellValue(value: Value, isPercent: boolean): number | string {
  if (value.is === 'count') return value.value;
  if (value.is === 'rate') return isPercent ? value.value : Math.round(value.value * 1000) / 10;
  return value.is === 'hidden' ? HIDDEN_COUNT : '—';
}
