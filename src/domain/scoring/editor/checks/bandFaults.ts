import { errorAt, type Fault } from '#domain/scoring/editor/fault.ts';
import { isWhole, reachableScores, type Reach } from '#domain/scoring/editor/reachable.ts';
import { bandText } from '#domain/scoring/scoringText.ts';
import type { Band, Scale } from '#domain/scoring/scale.ts';

/** Errors in the bands of all scores: gaps, overlaps and limits against the values that the score can take. */
export function findBandFaults(scale: Scale): Fault[] {
  const reaches = reachableScores(scale);
  const faults: Fault[] = [];
  for (const [code, bands] of Object.entries(scale.bands)) {
    const score = scale.scores.find((def) => def.c === code);
    if (!score) {
      faults.push(errorAt('bands.unknown', { part: 'bands', code }, `得分 ${code} 不存在`));
      continue;
    }
    bands.forEach(([low, high, , label], index) => {
      const place = (field: string) => ({ part: 'bands', code, index, field }) as const;
      if (label.trim() === '') faults.push(errorAt('bands.label', place('label'), '请填写等级名称'));
      if (low !== null && high !== null && low > high) faults.push(errorAt('bands.limits', place('min'), '下限大于上限'));
    });
    const reach = reaches.get(code);
    if (!reach || bands.length === 0) continue;
    const isHalfOpen = scale.bandmode?.[code] === 'halfopen';
    faults.push(...(isHalfOpen || !isWhole(reach) ? findTouchFaults : findValueFaults)(code, bands, reach, isHalfOpen));
  }
  for (const { c, min, max } of scale.scores) {
    const reach = reaches.get(c);
    if (!reach || ((min ?? -Infinity) <= reach.min && (max ?? Infinity) >= reach.max)) continue;
    const message = `声明的范围小于实际可能的 ${text(reach.min)}—${text(reach.max)}`;
    faults.push(errorAt('scores.range', { part: 'scores', code: c, field: 'min' }, message));
  }
  return faults;
}

const text = (value: number) => String(Math.round(value * 10_000) / 10_000);

/** Closed bands over whole numbers: every value belongs to one band, and no band goes beyond the values. */
function findValueFaults(code: string, bands: readonly Band[], reach: Reach): Fault[] {
  const faults: Fault[] = [];
  const values = reach.values ?? [];
  const isIn = (value: number, [low, high]: Band) => (low === null || value >= low) && (high === null || value <= high);
  const gaps = values.filter((value) => !bands.some((band) => isIn(value, band)));
  if (gaps.length) faults.push(errorAt('bands.gap', { part: 'bands', code }, `分值 ${shorten(gaps)} 没有等级`));
  bands.forEach((band, index) => {
    const [low, high] = band;
    if (low !== null && high !== null && low > high) return;
    const place = { part: 'bands', code, index } as const;
    const shared = values.filter((value) => isIn(value, band) && bands.slice(0, index).some((before) => isIn(value, before)));
    if (shared.length) faults.push(errorAt('bands.overlap', place, `分值 ${shorten(shared)} 有两个等级`));
    if (!values.some((value) => isIn(value, band)))
      faults.push(errorAt('bands.unreachable', place, `没有任何作答能得到 ${bandText(band)} 分`));
    else if ((low !== null && low < reach.min) || (high !== null && high > reach.max))
      faults.push(errorAt('bands.excess', place, `${bandText(band)} 超出可能的分值 ${text(reach.min)}—${text(reach.max)}`));
  });
  return faults;
}

const shorten = (values: readonly number[]) => values.slice(0, 3).map(text).join('、') + (values.length > 3 ? '等' : '');

/** Half-open bands that touch one another and cover the values; any score with decimals needs them. */
function findTouchFaults(code: string, bands: readonly Band[], reach: Reach, isHalfOpen: boolean): Fault[] {
  const whole = { part: 'bands', code } as const;
  if (!isHalfOpen) {
    const isSingle = bands.length === 1 && bands[0]?.[0] === null && bands[0][1] === null;
    return isSingle ? [] : [errorAt('bands.mode', whole, '得分可能有小数，等级边界须用“半开”并首尾相接')];
  }
  const faults: Fault[] = [];
  const rows = bands
    .map((band, index) => ({ band, index, low: band[0] ?? -Infinity, high: band[1] ?? Infinity }))
    .sort((a, b) => a.low - b.low || a.high - b.high);
  rows.forEach(({ band, index, low, high }, position) => {
    const place = { part: 'bands', code, index } as const;
    const before = rows[position - 1];
    if (before && low > before.high)
      faults.push(errorAt('bands.gap', place, `${text(before.high)} 至 ${text(low)} 之间没有等级`));
    if (before && low < before.high) faults.push(errorAt('bands.overlap', place, `${bandText(band, 'halfopen')} 与另一等级重叠`));
    const isReached = reach.values
      ? reach.values.some((value) => value >= low && value < high)
      : low <= reach.max && high > reach.min;
    if (!isReached) faults.push(errorAt('bands.unreachable', place, `没有任何作答能得到 ${bandText(band, 'halfopen')} 分`));
    else if (Number.isFinite(low) && low < reach.min)
      faults.push(errorAt('bands.excess', place, `下限低于可能的最小分值 ${text(reach.min)}`));
  });
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && first.low > reach.min) faults.push(errorAt('bands.gap', whole, `分值 ${text(reach.min)} 没有等级`));
  if (last && last.high <= reach.max)
    faults.push(errorAt('bands.gap', whole, `分值 ${text(reach.max)} 没有等级（半开的上限不含在内）`));
  return faults;
}
