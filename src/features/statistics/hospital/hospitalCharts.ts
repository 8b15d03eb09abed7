import { Scene } from '#domain/base/enums.ts';
import type { Chart } from '#domain/chart/chart.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getCompleteAssessCount, getInterfereRecord } from '#features/statistics/hospital.contract.ts';
import type { getStageCoverage } from '#features/statistics/stages/stages.contract.ts';
import type {
  getAssessDayCountTrend,
  getDepressedQuotaCountRatio,
  getSceneCountTrend,
} from '#features/statistics/statistics.contract.ts';

/** The charts of statisticsN as data; undefined when there is nothing to draw. */

/** Persons due and tested by stage. */
export const coverageChart = (stages: ResponseOf<typeof getStageCoverage>): Chart | undefined =>
  stages.length === 0
    ? undefined
    : {
        kind: 'bars',
        title: '各阶段覆盖',
        head: '阶段',
        unit: '人',
        labels: stages.map(({ stagename }) => stagename),
        series: [
          { name: '应测', values: stages.map(({ due }) => due) },
          { name: '已测', values: stages.map(({ tested }) => tested) },
          { name: '未测', values: stages.map(({ untested }) => untested) },
        ],
        rates: [{ name: '覆盖率', values: stages.map(({ rate }) => rate) }],
      };

/** The funnel by stage. */
export const funnelChart = ({ stages }: ResponseOf<typeof getCompleteAssessCount>): Chart | undefined =>
  stages.length === 0
    ? undefined
    : {
        kind: 'bars',
        title: '授权 → 完成 → 需关注',
        head: '阶段',
        unit: '人次',
        labels: stages.map(({ stagename }) => stagename),
        series: [
          { name: '授权', values: stages.map(({ authorised }) => authorised) },
          { name: '完成', values: stages.map(({ complete }) => complete) },
          { name: '需关注', values: stages.map(({ abnormal }) => abnormal) },
        ],
        rates: [{ name: '完成率', values: stages.map(({ rate }) => rate) }],
      };

/** Persons by the level of a domain. */
export const domainChart = (title: string, { n, items }: ResponseOf<typeof getDepressedQuotaCountRatio>): Chart | undefined =>
  n === 0
    ? undefined
    : {
        kind: 'bars',
        title,
        head: '程度',
        unit: '人',
        labels: items.map(({ levelname }) => levelname),
        series: [{ name: '人数', values: items.map(({ count }) => count) }],
        isByLevel: true,
      };

/** Interventions by kind. */
export const interfereChart = ({ summary }: ResponseOf<typeof getInterfereRecord>): Chart | undefined =>
  summary.total === 0
    ? undefined
    : {
        kind: 'bars',
        title: '按干预方式',
        head: '方式',
        unit: '人次',
        labels: summary.kinds.map(({ kindname }) => kindname),
        series: [{ name: '干预', values: summary.kinds.map(({ count }) => count) }],
      };

type Days = ResponseOf<typeof getAssessDayCountTrend>;
const SPAN_OF_DAYS = 62;

/** Days of a short range; weeks of a long one, because a ward tests few women a day. */
export function dayChart(days: Days): Chart | undefined {
  if (days.every(({ examcount }) => examcount === 0)) return undefined;
  const isByWeek = days.length > SPAN_OF_DAYS;
  const groups = isByWeek
    ? Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7))
    : days.map((day) => [day]);
  const sum = (group: Days, key: 'examcount' | 'abnormal') => group.reduce((all, day) => all + day[key], 0);
  return {
    kind: 'line',
    title: isByWeek ? '每周提交（人次，按起始日）' : '每日提交（人次）',
    labels: groups.map((group) => (group[0] as Days[number]).date.slice(5)),
    series: [
      { name: '提交', values: groups.map((group) => sum(group, 'examcount')) },
      { name: '需关注', values: groups.map((group) => sum(group, 'abnormal')) },
    ],
  };
}

/** Sheets of each month by the way they were answered. */
export function sceneChart(periods: ResponseOf<typeof getSceneCountTrend>): Chart | undefined {
  if (periods.length === 0) return undefined;
  const scenes = [...new Set(periods.flatMap(({ items }) => items.map(({ scenecode }) => scenecode)))].sort();
  return {
    kind: 'bars',
    title: '每月提交，按测评方式',
    head: '月份',
    unit: '人次',
    isStacked: true,
    labels: periods.map(({ period }) => period),
    series: scenes.map((code) => ({
      name: Scene.label(code),
      values: periods.map(({ items }) => items.find(({ scenecode }) => scenecode === code)?.count ?? 0),
    })),
  };
}
