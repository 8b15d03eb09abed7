import * as echarts from 'echarts/core';
import { BarChart, LineChart, RadarChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
} from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChartOption } from '#domain/chart/chartLook.ts';
import { barOption, barTable, type BarChart as Bars } from '#domain/chart/barOption.ts';
import { heightOf, optionOf, tableOf, type Chart } from '#domain/chart/chart.ts';
import { axisSteps, paperLook } from '#domain/chart/chartLook.ts';
import { chartOfLine } from '#domain/chart/chartOfLine.ts';
import { closeBands } from '#domain/chart/bands.ts';
import { factorHeight, factorOption, factorTable, isRadar } from '#domain/chart/factorOption.ts';
import { lineOption, lineTable } from '#domain/chart/lineOption.ts';
import { stackHeight, stackOption, stackTable, type StackChart } from '#domain/chart/stackOption.ts';
import { trendHeight, trendOption, trendTable, type TrendChart } from '#domain/chart/trendOption.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { bandsOf } from '#domain/report/trend.ts';

echarts.use([
  BarChart,
  LineChart,
  RadarChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
  SVGRenderer,
]);

/** Draws on a server, without a browser, as the PDF does. */
function draw(option: ChartOption, width: number, height: number): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '');

const trend: TrendChart = {
  title: '抑郁总分',
  min: 0,
  max: 27,
  bands: bandsOf(phq9, 'total'),
  points: [
    { time: '2026-03-02 09:10:00', score: 16, level: 3, levelname: '中重度', valid: true, ring: true, occasion: '春季普测' },
    { time: '2026-03-20 10:00:00', score: 12, level: 2, levelname: '中度', valid: true, ring: false },
    { time: '2026-03-21 10:00:00', score: 3, level: null, levelname: '无效问卷', valid: false, ring: false },
    { time: '2026-05-20 10:00:00', score: 6, level: 1, levelname: '轻度', valid: true, ring: false, occasion: '<b>复测</b>' },
  ],
  events: [
    { time: '2026-03-05 10:00:00', label: '心理辅导' },
    { time: '2026-03-07 10:00:00', label: '转介（市第一医院）' },
  ],
};

test.each([300, 560, 1000])('a trend of %i px draws its bands, points, events and dates in words', (width) => {
  const words = textsOf(draw(trendOption(trend, paperLook(width)), width, trendHeight(trend)));
  for (const { label } of trend.bands) expect(words.join(' ')).toContain(label.slice(0, 3));
  for (const score of [16, 12, 6]) expect(words.some((word) => word.startsWith(`${score}`))).toBe(true);
  expect(words).toContain('3 无效');
  expect(words).toContain('心理辅导');
  expect(words).toContain('26-05-20');
  expect(words.includes('6 轻度')).toBe(width >= 560);
});

test('a trend rings alerts, draws invalid sheets hollow and off the line, and gives each level its shape', () => {
  const { series } = trendOption(trend, paperLook(800)) as { series: { data: { symbol: string; value: unknown[] }[] }[] };
  expect(series[0]?.data.map(({ symbol }) => symbol)).toEqual(['diamond', 'triangle', 'rect']);
  expect(series[1]?.data).toHaveLength(1);
  expect(series[2]?.data).toHaveLength(1);
});

test('a name with HTML is drawn as text', () => {
  const option = trendOption(trend, paperLook(800)) as { tooltip: { renderMode: string } };
  expect(option.tooltip.renderMode).toBe('richText');
  expect(draw(option, 800, 300)).not.toContain('<b>');
});

test('labels of events that stand close take different rows, and the table has every event', () => {
  const events = Array.from({ length: 6 }, (_, index) => ({ time: `2026-03-0${index + 3} 10:00:00`, label: `随访干预${index}` }));
  const crowded = { ...trend, events };
  const option = trendOption(crowded, paperLook(560)) as {
    series: { markLine?: { data: { label: { show: boolean; distance: number } }[] } }[];
  };
  const labels = option.series[0]?.markLine?.data.map(({ label }) => label) ?? [];
  expect(labels).toHaveLength(6);
  expect(new Set(labels.filter(({ show }) => show).map(({ distance }) => distance)).size).toBe(3);
  expect(trendTable(crowded).rows).toHaveLength(10);
});

test('one exam alone stands in the middle', () => {
  const single = { ...trend, points: trend.points.slice(0, 1), events: [] };
  const words = textsOf(draw(trendOption(single, paperLook(600)), 600, trendHeight(single)));
  expect(words).toContain('16 中重度');
  expect(words).toContain('26-03-02');
});

test('the table of a trend tells alerts and invalid sheets in words', () => {
  const { heads, rows } = trendTable(trend);
  expect(heads).toEqual(['时间', '抑郁总分', '等级', '提示', '说明']);
  expect(rows[0]).toEqual(['2026-03-02 09:10', '16', '中重度', '条目提示', '春季普测']);
  expect(rows[2]).toEqual(['2026-03-21 10:00', '3', '无效问卷', '无效作答', '']);
  expect(rows.at(-1)).toEqual(['2026-03-07 10:00', '—', '—', '', '转介（市第一医院）']);
});

test('bands of whole numbers touch each other, and the outer ones reach the ends of the scale', () => {
  expect(closeBands(bandsOf(phq9, 'total'), 0, 27).map(({ from, to }) => [from, to])).toEqual([
    [0, 5],
    [5, 10],
    [10, 15],
    [15, 20],
    [20, 27],
  ]);
});

const axes = ['躯体化', '强迫', '人际敏感', '抑郁', '焦虑'].map((name, index) => ({
  name,
  value: 1 + index / 2,
  min: 1,
  max: 5,
}));

test('the line of a report names the band of each score', () => {
  const chart = chartOfLine({
    type: 'line',
    formcode: 'PHQ9',
    title: 'PHQ-9变化',
    min: 0,
    max: 27,
    bands: bandsOf(phq9, 'total'),
    points: [
      { time: '2026-03-02', label: '入学', score: 4, level: 0, ring: false },
      { time: '2026-05-02', label: '', score: 20, level: 4, ring: true },
    ],
  });
  expect(chart.points.map(({ levelname, occasion }) => [levelname, occasion])).toEqual([
    [bandsOf(phq9, 'total')[0]?.label, '入学'],
    [bandsOf(phq9, 'total').at(-1)?.label, ''],
  ]);
});

test('three to twelve factors stand on a radar, others on bars; both name each factor with its value', () => {
  for (const chart of [
    { title: '因子得分', axes },
    { title: '因子得分', axes: axes.slice(0, 2) },
    { title: '因子得分', axes: Array.from({ length: 15 }, (_, index) => ({ name: `因子${index}`, value: 2, min: 0, max: 4 })) },
  ]) {
    const words = textsOf(draw(factorOption(chart, paperLook(520)), 520, factorHeight(chart))).join(' ');
    for (const { name, value } of chart.axes) {
      expect(words).toContain(name);
      expect(words).toContain(String(value));
    }
    expect(isRadar(chart)).toBe(chart.axes.length === 5);
    expect(factorTable(chart).rows).toHaveLength(chart.axes.length);
  }
});

test('several lines have a legend and differ by dashes and shapes', () => {
  const chart = {
    title: '累计完成人数',
    labels: ['08:00', '09:00', '10:00'],
    series: [
      { name: '已完成', values: [1, 5, null] },
      { name: '预计', values: [null, 5, 9] },
    ],
  };
  const option = lineOption(chart, paperLook(600)) as { series: { symbol: string; lineStyle: { type: unknown } }[] };
  expect(new Set(option.series.map(({ symbol }) => symbol)).size).toBe(2);
  expect(option.series.map(({ lineStyle }) => lineStyle.type)).toEqual(['solid', [6, 3]]);
  const words = textsOf(draw(option, 600, 240));
  for (const word of ['已完成', '预计', '08:00', '10:00', '0', '10']) expect(words).toContain(word);
  expect(lineTable(chart).rows[2]).toEqual(['10:00', '—', '9']);
});

test('stacked bars of levels have a pattern a level, their shares in words, and counts in the table', () => {
  const chart = {
    title: '班级等级',
    levels: ['平稳', '轻度', '中度', '较重', '重度'],
    groups: [
      { name: '七年级1班', counts: [30, 6, 3, 1, 0] },
      { name: '七年级2班', counts: [0, 0, 0, 0, 0] },
    ],
  };
  const svg = draw(stackOption(chart, paperLook(640)), 640, stackHeight(chart));
  expect(svg).toContain('<pattern');
  for (const word of ['平稳', '重度', '七年级1班', '75%', '15%']) expect(textsOf(svg)).toContain(word);
  expect(stackTable(chart).rows).toEqual([
    ['七年级1班', '30（75%）', '6（15%）', '3（7.5%）', '1（2.5%）', '0（0%）', '40'],
    ['七年级2班', '0（0%）', '0（0%）', '0（0%）', '0（0%）', '0（0%）', '0'],
  ]);
});

const grades: Bars = {
  title: '各年级完成情况',
  head: '年级',
  labels: ['初一', '初二', '未填年级'],
  series: [
    { name: '应测', values: [9, 4, 1] },
    { name: '有效', values: [6, 3, 0] },
  ],
  unit: '人',
  rates: [{ name: '完成率', values: [66.7, 75, null] }],
};

test('bars by grade have a pattern a series, a line of rates in percent, and a table with units', () => {
  const svg = draw(barOption(grades, paperLook(600)), 600, 260);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(['初一', '初二', '未填年级', '应测', '有效', '完成率（%）', '100%']));
  expect(svg).toContain('<pattern');
  expect(barTable(grades)).toEqual({
    heads: ['年级', '应测（人）', '有效（人）', '完成率'],
    rows: [
      ['初一', '9', '6', '66.7%'],
      ['初二', '4', '3', '75.0%'],
      ['未填年级', '1', '0', '—'],
    ],
  });
});

test('a number that is not public has — in the place of its bar, so that nobody reads 0', () => {
  const hidden: Bars = { ...grades, rates: [], series: [{ name: '需关注', values: [7, null, 0] }] };
  expect(textsOf(draw(barOption(hidden, paperLook(600)), 600, 260))).toEqual(expect.arrayContaining(['7', '—', '0']));
});

test('the notes of a group stand right of its bar and in the table', () => {
  const chart: StackChart = {
    title: '各班',
    levels: ['良好', '轻度'],
    noteHeads: ['需关注率', '与全校相比'],
    groups: [{ name: '1班', counts: [30, 10], notes: ['25.0%', '波动内'] }],
  };
  expect(stackTable(chart)).toEqual({
    heads: ['项目', '良好', '轻度', '合计', '需关注率', '与全校相比'],
    rows: [['1班', '30（75%）', '10（25%）', '40', '25.0%', '波动内']],
  });
  expect(textsOf(draw(stackOption(chart, paperLook(600)), 600, stackHeight(chart)))).toContain('波动内');
});

test('a chart of every kind survives a reload as text: its table and picture stay the same', () => {
  const all: Chart[] = [
    { kind: 'bars', ...grades },
    { kind: 'line', title: '每日', labels: ['09-01', '09-02'], series: [{ name: '提交', values: [1, 2] }] },
    { kind: 'trend', ...trend },
    { kind: 'stack', title: '各班', levels: ['良好'], groups: [{ name: '1班', counts: [3] }] },
    { kind: 'factors', title: '因子', axes: [{ name: '躯体化', value: 2, min: 1, max: 5 }] },
  ];
  for (const chart of all) {
    const copy = JSON.parse(JSON.stringify(chart)) as Chart;
    expect(tableOf(copy)).toEqual(tableOf(chart));
    const pictureOf = (one: Chart) => textsOf(draw(optionOf(one, paperLook(600)), 600, heightOf(one)));
    expect(pictureOf(copy)).toEqual(pictureOf(chart));
  }
});

test('an axis starts at zero, rises in even round steps and reaches the highest value', () => {
  expect(axisSteps(27)).toEqual([0, 10, 20, 30]);
  expect(axisSteps(3)).toEqual([0, 1, 2, 3]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (max) => {
      const axis = axisSteps(max);
      expect(axis[0]).toBe(0);
      expect(axis.at(-1)).toBeGreaterThanOrEqual(max);
      expect(axis.length).toBeLessThanOrEqual(6);
    }),
  );
});
