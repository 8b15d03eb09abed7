import type { ChartBand } from '#domain/chart/bands.ts';
import { bandAreas, bandRoom } from '#domain/chart/bands.ts';
import type { ChartLevel, ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import {
  commonOption,
  FONT_SIZE,
  isNarrow,
  levelColour,
  levelShape,
  scoreAxis,
  textWidth,
  tooltipOf,
} from '#domain/chart/chartLook.ts';

/** One score of a person over time. Times are `YYYY-MM-DD HH:mm:ss` or begin with the day. */
export interface TrendChart {
  /** name of the score */
  title: string;
  min: number | null;
  max: number | null;
  bands: readonly ChartBand[];
  points: readonly TrendChartPoint[];
  /** interventions and referrals: a dashed line each */
  events?: readonly { time: string; label: string }[];
}

export interface TrendChartPoint {
  time: string;
  score: number | null;
  level: ChartLevel;
  /** words of the level */
  levelname: string;
  /** false: drawn hollow, off the line */
  valid: boolean;
  /** an alert of the form fired: drawn with a ring */
  ring: boolean;
  /** stage, plan or task of the exam */
  occasion?: string;
  /** the point before has another version of the form: the line stops between them */
  isBreak?: boolean;
}

/** The rows of the picture: every exam, then every event. */
export function trendTable({ title, points, events = [] }: TrendChart): ChartTable {
  return {
    heads: ['时间', title, '等级', '提示', '说明'],
    rows: [
      ...points.map((point) => [
        point.time.slice(0, 16),
        point.score === null ? '—' : String(point.score),
        point.levelname || '—',
        [point.ring && '条目提示', !point.valid && '无效作答'].filter(Boolean).join('，'),
        point.occasion ?? '',
      ]),
      ...events.map((event) => [event.time.slice(0, 16), '—', '—', '', event.label]),
    ],
  };
}

const toMilliseconds = (time: string): number =>
  Date.parse(`${time.slice(0, 19).replace(' ', 'T')}${time.length > 10 ? '+08:00' : ''}`);

/** The height of the picture in px. */
export const trendHeight = ({ events = [] }: TrendChart): number => (events.length > 0 ? 330 : 300);

/**
 * The picture of one score over time (design/reports.md 5.4): bands with their words, points with value, shape and colour of their level,
 * a ring for an alert, hollow points for invalid sheets, dashed lines for events. It has the same form on screen and on paper.
 */
export function trendOption(chart: TrendChart, look: ChartLook): ChartOption {
  const { points, bands, events = [] } = chart;
  const scoredPoints = points.filter((point) => point.score !== null);
  const bottom = chart.min ?? Math.min(0, ...scoredPoints.map(({ score }) => score ?? 0));
  const top = Math.max(bottom + 1, chart.max ?? 0, ...scoredPoints.map(({ score }) => score ?? 0));
  const times = [...points, ...events].map(({ time }) => toMilliseconds(time));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const [left, right] = [textWidth(String(top)) + 18, bandRoom(look, bands)];
  const plot = Math.max(80, look.width - left - right);
  // The outermost points stay away from the edges, so that their labels have room.
  const inset = Math.min(52, plot * 0.14);
  const day = 86_400_000;
  const span = Math.max(last - first, day);
  const padding = (span * inset) / (plot - 2 * inset);
  const [from, to] = last > first ? [first - padding, last + padding] : [first - day, first + day];
  const x = (time: number) => left + (plot * (time - from)) / (to - from);
  const places = placeLabels(
    look,
    events.map(({ time, label }) => ({ x: x(toMilliseconds(time)), width: textWidth(label) + 8 })),
  );
  const dates = spacedDates(scoredPoints, x);
  const series = {
    type: 'line',
    symbolSize: 12,
    cursor: 'default',
    emphasis: { scale: 1.4 },
  };
  const datum = (point: TrendChartPoint) => ({
    row: points.indexOf(point),
    name: describe(chart.title, point),
    value: [toMilliseconds(point.time), point.score],
    symbol: levelShape(point.valid ? point.level : null),
    itemStyle: {
      color: point.valid ? levelColour(look, point.level) : look.surface,
      borderColor: point.valid ? look.surface : look.inkSoft,
      borderWidth: 1.5,
    },
    label: {
      show: true,
      position: 'top',
      distance: point.ring ? 9 : 6,
      color: look.ink,
      fontSize: FONT_SIZE,
      formatter: `${point.score}${!point.valid ? ' 无效' : isNarrow(look) || scoredPoints.length > 12 ? '' : ` ${point.levelname}`}`,
    },
  });
  return {
    ...commonOption(look, describeTrend(chart)),
    grid: { left, right, top: 22 + Math.max(0, ...places.map(({ row }) => row)) * 16 + (events.length > 0 ? 16 : 0), bottom: 30 },
    tooltip: { ...tooltipOf(look), trigger: 'item', formatter: '{b}' },
    xAxis: {
      type: 'value',
      min: from,
      max: to,
      splitLine: { show: false },
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { customValues: scoredPoints.map(({ time }) => toMilliseconds(time)), lineStyle: { color: look.line } },
      axisLabel: {
        color: look.inkSoft,
        fontSize: FONT_SIZE,
        customValues: [...dates.keys()],
        formatter: (value: number) => dates.get(value) ?? '',
      },
    },
    yAxis: scoreAxis(look, bottom, top),
    series: [
      {
        ...series,
        name: chart.title,
        lineStyle: { color: look.inkSoft, width: 2 },
        data: scoredPoints
          .filter(({ valid }) => valid)
          .flatMap((point) => (point.isBreak ? [gapBefore(point), datum(point)] : [datum(point)])),
        markArea: bandAreas(look, bands, bottom, top),
        markLine: {
          silent: true,
          symbol: 'none',
          animation: false,
          data: events.map((event, index) => ({
            xAxis: toMilliseconds(event.time),
            lineStyle: { type: [4, 3], color: look.inkSoft, width: 1 },
            label: {
              show: (places[index]?.row ?? -1) >= 0,
              align: places[index]?.align,
              position: 'end',
              distance: 4 + Math.max(0, places[index]?.row ?? 0) * 16,
              color: look.ink,
              fontSize: FONT_SIZE,
              formatter: event.label,
            },
          })),
        },
      },
      {
        ...series,
        name: '无效作答',
        lineStyle: { opacity: 0 },
        data: scoredPoints.filter(({ valid }) => !valid).map(datum),
      },
      {
        ...series,
        name: '条目提示',
        silent: true,
        symbol: 'circle',
        symbolSize: 22,
        lineStyle: { opacity: 0 },
        itemStyle: { color: 'transparent', borderColor: look.levels[4], borderWidth: 2 },
        data: scoredPoints.filter(({ ring }) => ring).map(({ time, score }) => [toMilliseconds(time), score]),
      },
    ],
  };
}

/** A point without a value: the line stops here. */
const gapBefore = ({ time }: TrendChartPoint) => ({ value: [toMilliseconds(time), null] });

/** One point in words, for the tooltip and for screen readers. */
const describe = (title: string, { time, score, valid, levelname, ring, occasion }: TrendChartPoint): string =>
  [
    `${time.slice(0, 16)}${occasion ? ` ${occasion}` : ''}`,
    `${title} ${score === null ? '无总分' : `${score} 分`}${valid ? (levelname ? `，${levelname}` : '') : '，无效作答'}${ring ? '，有条目提示' : ''}`,
  ].join('\n');

/** The whole picture in words. */
function describeTrend(chart: TrendChart): string {
  const parts = chart.points.map((point) => describe(chart.title, point).replace('\n', '：'));
  return [
    `${chart.title}随时间的变化，共 ${chart.points.length} 次测评。`,
    ...parts,
    ...(chart.events ?? []).map(({ time, label }) => `${time.slice(0, 10)} ${label}`),
  ].join('；');
}

/**
 * The places of labels above the picture, so that no two meet and none leaves it: the row, 0 the lowest and at most 2, or −1 where no
 * row has room.
 */
function placeLabels({ width }: ChartLook, labels: readonly { x: number; width: number }[]) {
  const ends: number[] = [];
  return labels.map((label) => {
    const align = label.x < label.width / 2 ? 'left' : label.x + label.width / 2 > width ? 'right' : 'center';
    const begin = label.x - { left: 0, center: label.width / 2, right: label.width }[align];
    const row = [0, 1, 2].findIndex((at) => (ends[at] ?? -Infinity) <= begin);
    if (row >= 0) ends[row] = begin + label.width;
    return { row, align };
  });
}

/** The dates that have room below the picture, from the last backwards. */
function spacedDates(points: readonly TrendChartPoint[], x: (time: number) => number): Map<number, string> {
  const dates = new Map<number, string>();
  let next = Infinity;
  for (const { time } of [...points].reverse()) {
    const at = toMilliseconds(time);
    if (next - x(at) < 64) continue;
    dates.set(at, time.slice(2, 10));
    next = x(at);
  }
  return dates;
}
