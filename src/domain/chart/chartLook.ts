/** The measures and colours of a picture. The screen reads them from its theme; paper has fixed ones. */
export interface ChartLook {
  /** width of the picture in px; it decides how many labels have room */
  width: number;
  font: string;
  ink: string;
  /** labels of axes */
  inkSoft: string;
  line: string;
  surface: string;
  /** the line of a person's scores */
  brand: string;
  /** colours of the levels 0–4 */
  levels: readonly [string, string, string, string, string];
  series: readonly string[];
}

/** The look on white paper, the same as the light theme of the console. */
export const paperLook = (width: number, font = 'Noto Sans SC'): ChartLook => ({
  width,
  font,
  ink: '#1d2421',
  inkSoft: '#56615c',
  line: '#e3e8e5',
  surface: '#ffffff',
  brand: '#2b7a52',
  levels: ['#2f8f5b', '#8aa51f', '#d99a0b', '#dd6a2a', '#a51d2d'],
  series: ['#43a777', '#4b7fb5', '#d99a0b', '#8a6bb0', '#c2577a', '#69746f'],
});

/** A level of a score, or null for an invalid sheet. */
export type ChartLevel = 0 | 1 | 2 | 3 | 4 | null;

/** The rows of a chart as text: for the table beside the picture, for screen readers and for the download. */
export interface ChartTable {
  heads: string[];
  rows: string[][];
}

/** A drawing instruction for ECharts. The domain knows its form only as data; the browser and the PDF hand it to the library. */
export type ChartOption = Readonly<Record<string, unknown>>;

/** Below this width a picture leaves words out that the table has. */
export const isNarrow = ({ width }: ChartLook): boolean => width < 560;

export const FONT_SIZE = 12;

/** The estimated width of a text in px: Chinese characters are square, others half as wide. */
export const textWidth = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e80 ? FONT_SIZE : FONT_SIZE * 0.58), 0);

/** The colour of a level; grey for none. */
export const levelColour = (look: ChartLook, level: ChartLevel): string => (level === null ? look.inkSoft : look.levels[level]);

/** The shapes of the levels 0–4, so that a point does not depend on its colour. */
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', 'pin'] as const;
/** The shape of a point by its level. */
export const levelShape = (level: ChartLevel): string => (level === null ? 'circle' : SHAPES[level]);

/** Round steps for an axis from `min` to at least `max`: about `count` of them. */
export function axisSteps(max: number, min = 0, count = 4): number[] {
  const span = Math.max(max - min, 1);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    [1, 2, 5, 10].map((value) => value * power).find((candidate) => candidate >= rough) ?? rough,
    Number.isInteger(max) && Number.isInteger(min) ? 1 : 0,
  );
  const marks: number[] = [];
  for (let index = 0; ; index += 1) {
    const value = Number((min + index * step).toPrecision(12));
    marks.push(value);
    if (value >= max) return marks;
  }
}

/** What all pictures share: no movement, the font, a text for screen readers, and patterns where colour alone would tell areas apart. */
export const commonOption = (look: ChartLook, description: string, hasPatterns = false) => ({
  animation: false,
  backgroundColor: 'transparent',
  textStyle: { fontFamily: look.font, fontSize: FONT_SIZE, color: look.inkSoft },
  aria: { enabled: true, label: { description }, decal: { show: hasPatterns } },
});

/** The box with the values of a point. It is drawn as text, so that no name is read as HTML. */
export const tooltipOf = (look: ChartLook) => ({
  renderMode: 'richText',
  confine: true,
  backgroundColor: look.surface,
  borderColor: look.line,
  textStyle: { color: look.ink, fontSize: FONT_SIZE + 1 },
});

/** The value axis of a score. */
export const scoreAxis = (look: ChartLook, min: number, max: number) => {
  const steps = axisSteps(max, min).filter((value) => value <= max);
  const step = (steps[1] ?? max) - min || 1;
  const hasRoomAtTop = max - (steps.at(-1) ?? min) >= step / 2;
  return {
    type: 'value',
    min,
    max,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: look.line } },
    axisLabel: { color: look.inkSoft, fontSize: FONT_SIZE, customValues: hasRoomAtTop ? [...steps, max] : steps },
    interval: step,
  };
};
