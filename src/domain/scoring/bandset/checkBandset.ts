import { mergeBands, toBands } from '#domain/scoring/bandset/applyBandsets.ts';
import { bandText } from '#domain/scoring/scoringText.ts';
import type { Band, BandOption, BandSet, Scale } from '#domain/scoring/scale.ts';

/** What is wrong with a set of bands: gaps, overlaps, limits outside the range, and every score with too low a level. */

/** The part of a definition that the checks read. */
export type BandScale = Pick<Scale, 'bands' | 'bandmode'>;

/** A fault of a set. `index` is the row in the order of the request; absent for the set as a whole. */
export interface BandFault {
  index?: number;
  field: 'minscore' | 'maxscore' | 'level' | 'levelname' | 'options';
  message: string;
}

/** A set above that applies to some of the same persons, with the name of its institution. */
export interface SetAbove {
  insname: string;
  options: readonly BandOption[];
}

const isHalfOpen = (scale: BandScale, code: string) => scale.bandmode?.[code] === 'halfopen';
const round = (value: number) => Math.round(value * 10_000) / 10_000;

/** The distance of two neighbouring values in closed bands: that of the definition, mostly 1. Half-open bands touch: 0. */
export function stepOf(scale: BandScale, code: string): number {
  if (isHalfOpen(scale, code)) return 0;
  const bands = [...(scale.bands[code] ?? [])].sort((a, b) => (a[0] ?? -Infinity) - (b[0] ?? -Infinity));
  const steps = bands.flatMap(([low], index) => {
    const before = bands[index - 1]?.[1];
    return low !== null && before !== null && before !== undefined && low > before ? [round(low - before)] : [];
  });
  return steps.length > 0 ? Math.min(...steps) : 1;
}

/** The limits that the bands must cover: those of the definition. null: the definition is open at that end, and a set too. */
export function rangeOf(scale: BandScale, code: string): [low: number | null, high: number | null] {
  const bands = scale.bands[code] ?? [];
  const lows = bands.flatMap(([low]) => low ?? []);
  const highs = bands.flatMap(([, high]) => high ?? []);
  return [lows.length < bands.length ? null : Math.min(...lows), highs.length < bands.length ? null : Math.max(...highs)];
}

/** The level at a score; undefined where no band has it. */
export function levelAt(bands: readonly Band[], value: number, halfOpen: boolean): number | undefined {
  return bands.find(
    ([low, high]) => (low === null || value >= low) && (high === null || (halfOpen ? value < high : value <= high)),
  )?.[2];
}

interface Row extends BandOption {
  index: number;
}

/** Gaps, overlaps and limits outside the range. */
function findShapeFaults(scale: BandScale, code: string, rows: readonly Row[]): BandFault[] {
  const [low, high] = rangeOf(scale, code);
  const step = stepOf(scale, code);
  const faults: BandFault[] = [];
  rows.forEach(({ index, minscore, maxscore }, place) => {
    const [before, isLast] = [rows[place - 1], place === rows.length - 1];
    const add = (field: BandFault['field'], message: string) => faults.push({ index, field, message });
    if (minscore !== null && maxscore !== null && (step === 0 ? minscore >= maxscore : minscore > maxscore))
      return add('maxscore', `上限 ${maxscore} 应${step === 0 ? '大于' : '不小于'}下限 ${minscore}`);
    if (minscore === null && place > 0) add('minscore', '只有最低的一级可以没有下限');
    if (maxscore === null && !isLast) add('maxscore', '只有最高的一级可以没有上限');
    for (const [field, limit] of [
      ['minscore', minscore],
      ['maxscore', maxscore],
    ] as const)
      if (step > 0 && limit !== null && Math.abs(round((limit - (low ?? 0)) / step) % 1) > 1e-9)
        add(field, `界值应为 ${step} 的整数倍`);
    if (place === 0 && minscore !== null && low !== null && minscore > low)
      add('minscore', `${low} 分没有等级，请从 ${low} 分开始`);
    if (place === 0 && minscore !== null && low !== null && minscore < low) add('minscore', `得分最低为 ${low} 分`);
    if (isLast && maxscore !== null && high !== null && maxscore < high)
      add('maxscore', `${high} 分没有等级，请到 ${high} 分为止`);
    if (isLast && maxscore !== null && high !== null && maxscore > high) add('maxscore', `得分最高为 ${high} 分`);
    if (isLast && maxscore !== null && high === null) add('maxscore', '最高的一级不设上限');
    if (place === 0 && minscore !== null && low === null) add('minscore', '最低的一级不设下限');
    if (!before || before.maxscore === null || minscore === null) return undefined;
    const next = round(before.maxscore + step);
    if (minscore > next) add('minscore', `${next} 分没有等级，请从 ${next} 分开始`);
    if (minscore < next) add('minscore', `${minscore} 分有两个等级，请从 ${next} 分开始`);
    return undefined;
  });
  return faults;
}

/** The scores at which some of the bands begin: a level changes nowhere else. */
function findTurningPoints(sets: readonly (readonly Band[])[]): number[] {
  const limits = sets.flatMap((bands) => bands.flatMap(([low, high]) => [low, high])).filter((limit) => limit !== null);
  // A lowest band without a limit is looked at below all limits.
  const bottom = Math.min(...limits) - 1;
  const begins = sets.flatMap((bands) => bands.map(([low]) => low ?? bottom));
  return [...new Set(begins)].sort((a, b) => a - b);
}

/** Every stretch of scores at which the set has a lower level than the definition or than a set above. */
function findLowLevels(scale: BandScale, code: string, rows: readonly Row[], above: readonly SetAbove[]): BandFault[] {
  const halfOpen = isHalfOpen(scale, code);
  const own = toBands(rows);
  const definition = scale.bands[code] ?? [];
  const rivals = [
    { name: '定义', bands: definition },
    // A set above keeps at least the levels of the definition, also where a new version has made these higher.
    ...above.map(({ insname, options }) => ({
      name: `上级“${insname}”`,
      bands: mergeBands(toBands(options), definition, halfOpen),
    })),
  ];
  const points = findTurningPoints([own, ...rivals.map(({ bands }) => bands)]);
  const faults: BandFault[] = [];
  for (const value of points) {
    const level = levelAt(own, value, halfOpen);
    if (level === undefined) continue;
    const higher = rivals.find(({ bands }) => (levelAt(bands, value, halfOpen) ?? 0) > level);
    if (!higher) continue;
    const index = rows.find((row) => levelAt(toBands([row]), value, halfOpen) !== undefined)?.index;
    faults.push({
      ...(index !== undefined ? { index } : {}),
      field: 'level',
      message: `${value} 分：本机构 ${level} 级，低于${higher.name}的 ${levelAt(higher.bands, value, halfOpen)} 级`,
    });
  }
  return faults;
}

/** The faults of a set of rows for a score; empty when it may be switched on. */
export function findBandFaults(
  scale: BandScale,
  code: string,
  options: readonly BandOption[],
  above: readonly SetAbove[] = [],
): BandFault[] {
  if (!scale.bands[code]?.length) return [{ field: 'options', message: '该得分没有分级，不能设置等级' }];
  if (options.length === 0) return [{ field: 'options', message: '请至少填写一个等级' }];
  const rows = options
    .map((option, index): Row => ({ ...option, index }))
    .sort((a, b) => (a.minscore ?? -Infinity) - (b.minscore ?? -Infinity));
  const shape = findShapeFaults(scale, code, rows);
  return shape.length > 0 ? shape : findLowLevels(scale, code, rows, above);
}

/** Whether two sets can apply to one person. */
export const isOverlapping = (
  a: Pick<BandSet, 'appid' | 'gender' | 'agemin' | 'agemax'>,
  b: Pick<BandSet, 'appid' | 'gender' | 'agemin' | 'agemax'>,
): boolean =>
  (a.appid === null || b.appid === null || a.appid === b.appid) &&
  (a.gender === null || b.gender === null || a.gender === b.gender) &&
  (a.agemin ?? 0) <= (b.agemax ?? Infinity) &&
  (b.agemin ?? 0) <= (a.agemax ?? Infinity);

/** The limits of a row in words: `10–14`, `≥15`. */
export const limitsText = ({ minscore, maxscore, level, levelname }: BandOption, mode?: 'closed' | 'halfopen'): string =>
  bandText([minscore, maxscore, level, levelname], mode);
