import { Gender } from '#domain/base/enums.ts';
import type { Chart } from '#domain/chart/chart.ts';
import { formatNumber } from '#domain/base/number.ts';
import { wilsonInterval } from '#domain/statistics/interval.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import type { ResponseOf } from '#contract/action.ts';
import { shortTermWords } from '#blocks/statistics/TermFilter.tsx';
import type { getSchoolComparison } from '#features/bureau/bureau.contract.ts';
import type { getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import type * as statistics from '#features/statistics/statistics.contract.ts';

/** The charts of the authority's page as data. A hidden count is null: a gap in the picture, — in the table. */

export type Comparison = ResponseOf<typeof getSchoolComparison>;
export type District = Comparison['districts'][number];

/** 应测 and 实测 by district. */
export const districtsChart = ({ districts }: Comparison): Chart | undefined =>
  districts.length < 2
    ? undefined
    : effortChart(
        '各区县完成情况（约，人数）',
        '区县',
        districts.map((row) => ({ ...row, name: row.regionname || '市直属' })),
      );

type Grades = ResponseOf<typeof statistics.getAssessGradeCountTrend>;
/** The share who need attention by grade. */
export const gradeResultsChart = (grades: Grades): Chart | undefined => {
  const rows = grades.filter(({ complete }) => complete !== 0);
  return rows.length === 0 || rows.every(({ complete }) => complete === null)
    ? undefined
    : {
        kind: 'bars',
        title: '各年级需关注情况（人数）',
        head: '年级',
        unit: '人',
        labels: rows.map(({ gradename }) => gradename),
        series: [
          { name: '有效', values: rows.map(({ complete }) => complete) },
          { name: '需关注', values: rows.map(({ abnormal }) => abnormal) },
        ],
        rates: [{ name: '需关注率', values: rows.map(({ abnormalrate }) => abnormalrate) }],
      };
};

interface Effort {
  name: string;
  total: number | null;
  tested: number | null;
  rate: number | null;
}
const effortChart = (title: string, head: string, rows: readonly Effort[]): Chart => ({
  ...{ kind: 'bars', title, head, unit: '人' },
  labels: rows.map(({ name }) => name),
  series: [
    { name: '应测', values: rows.map(({ total }) => total) },
    { name: '实测', values: rows.map(({ tested }) => tested) },
  ],
  rates: [{ name: '完成率', values: rows.map(({ rate }) => rate) }],
});

type Attention = ResponseOf<typeof statistics.getAssessAbnormalCount>;
/** All valid results in the five colours; undefined when the levels are hidden. */
export const levelsChart = ({ levels }: Attention): Chart | undefined => {
  const counts = levels.flatMap((count) => (count === null ? [] : [count]));
  return counts.length < levels.length || counts.every((count) => count === 0)
    ? undefined
    : { kind: 'stack', title: '总体程度分布（人数）', levels: OVERALL_LEVELS, groups: [{ name: '有效结果', counts }] };
};

type Shares = ResponseOf<typeof statistics.getDepressedQuotaCountRatio>;
const topicChart = (title: string, { n, items }: Shares): Chart | undefined => {
  if (!n) return undefined;
  const visible = items.filter(({ level, count }) => level < 4 || count !== 0);
  return {
    ...{ kind: 'bars', title: `${title}（人数）`, head: '程度', unit: '人', isByLevel: true, isRateInLabel: true },
    labels: visible.map(({ levelname }) => levelname),
    series: [{ name: '人数', values: visible.map(({ count }) => count) }],
    rates: [{ name: '占比', values: visible.map(({ ratio }) => ratio) }],
  };
};
export const depressedChart = (shares: Shares) => topicChart('抑郁相关程度', shares);
export const anxiousChart = (shares: Shares) => topicChart('焦虑相关程度', shares);

type Genders = ResponseOf<typeof statistics.getManAndWomanAbnormalCountRatio>;
/** Men and women with a valid result, and those who need attention. */
export const genderChart = (genders: Genders): Chart | undefined => {
  const rows = genders.filter(({ valid }) => valid !== 0);
  return rows.length === 0
    ? undefined
    : {
        ...{ kind: 'bars', title: '男女需关注情况（人数）', head: '性别', unit: '人', isRateInLabel: true },
        labels: rows.map(({ gender }) => Gender.label(gender)),
        series: [
          { name: '有效', values: rows.map(({ valid }) => valid) },
          { name: '需关注', values: rows.map(({ abnormal }) => abnormal) },
        ],
        rates: [{ name: '需关注率', values: rows.map(({ rate }) => rate) }],
      };
};

export type Terms = ResponseOf<typeof getTermTrend>;
/** The share who need attention in the released terms, with its interval. One term alone is no trend. */
export function attentionTermsChart(terms: Terms): Chart | undefined {
  const shown = terms.filter(({ abnormalrate }) => abnormalrate !== null);
  return shown.length < 2
    ? undefined
    : {
        ...{ kind: 'line', title: '各学期需关注率（%）' },
        labels: shown.map(shortTermWords),
        series: [
          { name: '需关注率', values: shown.map(({ abnormalrate }) => abnormalrate) },
          { name: '95% 区间下限', values: shown.map(({ low }) => low) },
          { name: '95% 区间上限', values: shown.map(({ high }) => high) },
        ],
      };
}

/** 应测 and 实测 of the last terms. */
export const completionTermsChart = (terms: Terms): Chart | undefined =>
  terms.length < 2
    ? undefined
    : {
        ...{ kind: 'bars', title: '各学期完成情况（约，人数）', head: '学期', unit: '人', height: 240 },
        labels: terms.map(shortTermWords),
        series: [
          { name: '应测', values: terms.map(({ total }) => total) },
          { name: '实测', values: terms.map((row) => ('tested' in row ? row.tested : null)) },
        ],
        rates: [{ name: '完成率', values: terms.map(({ rate }) => rate) }],
      };
/** 应测 and 实测 by grade. */
export const gradeEffortChart = (grades: Grades): Chart | undefined =>
  grades.length === 0
    ? undefined
    : effortChart(
        '各年级完成情况（约，人数）',
        '年级',
        grades.map((row) => ({ ...row, name: row.gradename, tested: 'tested' in row ? row.tested : null })),
      );

/** A rate of the server as text. */
export const rateText = (rate: number | null): string => (rate === null ? '—' : `${rate.toFixed(1)}%`);
/** A count as text; — for a hidden one. */
export const countText = (count: number | null): string => (count === null ? '—' : formatNumber(count));

const oneDecimal = (fraction: number): string => (fraction * 100).toFixed(1);
/** The 95 % interval of a share. The total is above 0. */
export function intervalOf(count: number, total: number): string {
  const { low, high } = wilsonInterval({ count, total });
  return `${oneDecimal(low)}%–${oneDecimal(high)}%`;
}
