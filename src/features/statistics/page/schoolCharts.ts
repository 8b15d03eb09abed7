import { Gender } from '#domain/base/enums.ts';
import type { Chart } from '#domain/chart/chart.ts';
import { placeOf } from '#domain/statistics/funnel.ts';
import { wilsonInterval, type Share } from '#domain/statistics/interval.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { shortTermWords } from '#blocks/statistics/TermFilter.tsx';
import type { getTermTrend } from '#features/statistics/compare/compare.contract.ts';
import type * as statistics from '#features/statistics/statistics.contract.ts';

/** The charts of 数据分析 as data; each begins with one answer of the server. */

const oneDecimal = (fraction: number): string => (fraction * 100).toFixed(1);
/** A rate of the server as text. */
export const rateText = (rate: number | null): string => (rate === null ? '—' : `${rate.toFixed(1)}%`);

/** Below this number of persons a group is not placed: one person more or less would move it. */
const SMALLEST_TO_PLACE = 10;

/** The 95 % interval of a share. */
export function intervalText(share: Share): string {
  if (share.total === 0) return '—';
  const { low, high } = wilsonInterval(share);
  return `${oneDecimal(low)}%–${oneDecimal(high)}%`;
}

/** A group against the whole, in words instead of a rank. */
const placeText = (share: Share, whole: Share): string =>
  share.total < SMALLEST_TO_PLACE || whole.total === 0 ? '人数少' : placeOf(share, whole.count / whole.total);

const NOTE_HEADS = ['需关注率', '95% 区间', '与总体相比'];
const notesOf = (share: Share, whole: Share): string[] => [
  share.total === 0 ? '—' : `${oneDecimal(share.count / share.total)}%`,
  intervalText(share),
  placeText(share, whole),
];

type Attention = statistics.OwnFigures<typeof statistics.getAssessAbnormalCount>;
/** All valid results in the five colours. */
export const levelsChart = ({ valid, levels }: Attention): Chart | undefined =>
  valid === 0
    ? undefined
    : { kind: 'stack', title: '总体程度分布（人数）', levels: OVERALL_LEVELS, groups: [{ name: '有效结果', counts: levels }] };

type Grades = statistics.OwnFigures<typeof statistics.getAssessGradeCountTrend>;
/** 应测 and 有效 by grade with the rate. */
export const completionChart = (grades: Grades): Chart | undefined =>
  grades.length === 0
    ? undefined
    : {
        kind: 'bars',
        title: '各年级完成情况（人数）',
        head: '年级',
        unit: '人',
        labels: grades.map(({ gradename }) => gradename),
        series: [
          { name: '应测', values: grades.map(({ total }) => total) },
          { name: '有效', values: grades.map(({ complete }) => complete) },
        ],
        rates: [{ name: '完成率', values: grades.map(({ rate }) => rate) }],
      };

type GradeLevels = statistics.OwnFigures<typeof statistics.getGradeReportCountRatio>;
/** Levels by grade in school order, with rate, interval and place in the funnel. */
export function gradeLevelsChart(rows: GradeLevels, grades: Grades, whole: Share): Chart | undefined {
  if (rows.length === 0) return undefined;
  const abnormalOf = new Map(grades.map(({ gradecode, abnormal }) => [gradecode, abnormal]));
  return {
    kind: 'stack',
    title: '各年级程度分布（人数）',
    levels: OVERALL_LEVELS,
    noteHeads: NOTE_HEADS,
    groups: rows.map(({ gradecode, gradename, n, levels }) => ({
      name: gradename,
      counts: levels.map(({ count }) => count),
      notes: notesOf({ count: abnormalOf.get(gradecode) ?? 0, total: n }, whole),
    })),
  };
}

type Classes = statistics.OwnFigures<typeof statistics.getClassReportCountRatio>;
/** Levels by class of one grade, in the order of their numbers. */
export function classLevelsChart(rows: Classes, gradename: string, whole: Share): Chart | undefined {
  if (rows.every(({ complete }) => complete === 0)) return undefined;
  return {
    kind: 'stack',
    title: `${gradename}各班程度分布（人数）`,
    levels: OVERALL_LEVELS,
    noteHeads: NOTE_HEADS,
    groups: rows.map(({ classname, complete, levels, abnormalrate }) => ({
      name: classname,
      counts: levels,
      // A class is small enough for the rate with one decimal to give back the count.
      notes: notesOf({ count: Math.round((complete * (abnormalrate ?? 0)) / 100), total: complete }, whole),
    })),
  };
}

type Shares = statistics.OwnFigures<typeof statistics.getDepressedQuotaCountRatio>;
/** Persons by the level of one topic. A level that no form of it knows and nobody has is left out. */
export function topicChart(title: string, { n, items }: Shares): Chart | undefined {
  if (n === 0) return undefined;
  const visible = items.filter(({ level, count }) => level < 4 || count > 0);
  return {
    kind: 'bars',
    title: `${title}（人数）`,
    head: '程度',
    unit: '人',
    isByLevel: true,
    labels: visible.map(({ levelname }) => levelname),
    series: [{ name: '人数', values: visible.map(({ count }) => count) }],
    rates: [{ name: '占比', values: visible.map(({ ratio }) => ratio) }],
    isRateInLabel: true,
  };
}

type Genders = statistics.OwnFigures<typeof statistics.getManAndWomanAbnormalCountRatio>;
/** Men and women with a valid result, those who need attention, and their share. */
export const genderChart = (rows: Genders): Chart | undefined =>
  rows.length === 0
    ? undefined
    : {
        kind: 'bars',
        title: '男女需关注情况（人数）',
        head: '性别',
        unit: '人',
        labels: rows.map(({ gender }) => Gender.label(gender)),
        series: [
          { name: '有效', values: rows.map(({ valid }) => valid) },
          { name: '需关注', values: rows.map(({ abnormal }) => abnormal) },
        ],
        rates: [{ name: '需关注率', values: rows.map(({ rate }) => rate) }],
        isRateInLabel: true,
      };

type Days = statistics.OwnFigures<typeof statistics.getAssessDayCountTrend>;
/** Sheets by day, and those of them that need attention. */
export const daysChart = (days: Days): Chart | undefined =>
  days.every(({ examcount }) => examcount === 0)
    ? undefined
    : {
        kind: 'line',
        title: '每日提交（人次）',
        labels: days.map(({ date }) => date),
        series: [
          { name: '提交', values: days.map(({ examcount }) => examcount) },
          { name: '需关注', values: days.map(({ abnormal }) => abnormal) },
        ],
      };

type Scenes = statistics.OwnFigures<typeof statistics.getSceneCountTrend>;
/** The scenes of all periods, each once, in the order of the chart's series. */
export const scenesOf = (periods: Scenes): { scenecode: string; scenename: string }[] => [
  ...new Map(periods.flatMap(({ items }) => items.map((item) => [item.scenecode, item] as const))).values(),
];

/** Sheets by month, stacked by scene. */
export function scenesChart(periods: Scenes): Chart | undefined {
  if (periods.length === 0) return undefined;
  return {
    kind: 'bars',
    title: '各月测评场景（人次）',
    head: '月份',
    unit: '人次',
    isStacked: true,
    labels: periods.map(({ period }) => period),
    series: scenesOf(periods).map(({ scenecode, scenename }) => ({
      name: scenename,
      values: periods.map(({ items }) => items.find((item) => item.scenecode === scenecode)?.count ?? 0),
    })),
  };
}

type Terms = statistics.OwnFigures<typeof getTermTrend>;
/** The share who need attention in the last terms, with its interval. One term alone is no trend. */
export const attentionTermsChart = (terms: Terms): Chart | undefined =>
  terms.length < 2
    ? undefined
    : {
        kind: 'line',
        title: '各学期需关注率（%）',
        labels: terms.map(shortTermWords),
        series: [
          { name: '需关注率', values: terms.map(({ abnormalrate }) => abnormalrate) },
          { name: '95% 区间下限', values: terms.map(({ low }) => low) },
          { name: '95% 区间上限', values: terms.map(({ high }) => high) },
        ],
      };

/** 应测 and 有效 of the last terms with the rate. */
export const completionTermsChart = (terms: Terms): Chart | undefined =>
  terms.length < 2
    ? undefined
    : {
        kind: 'bars',
        title: '各学期完成情况（人数）',
        head: '学期',
        unit: '人',
        labels: terms.map(shortTermWords),
        series: [
          { name: '应测', values: terms.map(({ total }) => total) },
          { name: '有效', values: terms.map(({ complete }) => complete) },
        ],
        rates: [{ name: '完成率', values: terms.map(({ rate }) => rate) }],
        height: 240,
      };
