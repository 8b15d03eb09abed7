import fc from 'fast-check';
import { emptyScale } from '#domain/scoring/editor/emptyScale.ts';
import { findFaults } from '#domain/scoring/editor/findFaults.ts';
import { isWhole, reachableScores } from '#domain/scoring/editor/reachable.ts';
import type { Answer, Answers, Band, Cond, Item, OptionRow, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** Generated scales for property tests: finished forms of all question types, input types and kinds of score. */

type Draw = fc.GeneratorValue;

const subjects = ['入睡', '食欲', '心情', '学习', '同学关系', '家人', '体力', '注意力', '放松', '兴趣'];
const labels = ['从不', '偶尔', '有时', '经常', '总是'];

const pick = <T>(draw: Draw, list: readonly T[]): T => draw(fc.constantFrom, ...list);
const integer = (draw: Draw, min: number, max: number): number => draw(fc.integer, { min, max });
const isHit = (draw: Draw, percent: number): boolean => integer(draw, 1, 100) <= percent;

/** Any scale without errors. A draw that has errors is drawn again, because a filter would repeat the same draws. */
export const anyScale: fc.Arbitrary<Scale> = fc.gen().map((draw) => {
  for (;;) {
    const scale = drawScale(draw);
    if (findFaults(scale).every(({ kind }) => kind === 'notice')) return scale;
  }
});

function drawScale(draw: Draw): Scale {
  const optionsets = Object.fromEntries(
    Array.from({ length: integer(draw, 1, 3) }, (_, index) => [`s${index + 1}`, drawOptions(draw)]),
  );
  const items: Item[] = [];
  for (let index = 0, count = integer(draw, 2, 8); index < count; index++) items.push(drawItem(draw, index, optionsets, items));
  const choices = items.filter((item) => (item.type ?? 1) === 1).map(({ c }) => c);
  const base: Scale = {
    ...emptyScale('01', `${pick(draw, subjects)}自评`, isHit(draw, 50) ? ['000000002'] : []),
    agemin: integer(draw, 8, 18),
    minutes: integer(draw, 1, 15),
    optionsets,
    items,
  };
  if (choices.length === 0) return base;
  const reverse = choices.filter(() => isHit(draw, 20));
  const scored: Scale = { ...base, ...(reverse.length && { reverse }), scores: drawScores(draw, choices) };
  const scale = { ...scored, ...(isHit(draw, 20) && drawNorm(draw)) };
  const judged = { ...scale, ...drawBands(draw, scale) };
  return {
    ...judged,
    alerts: drawAlerts(draw, judged, choices),
    ...(isHit(draw, 30) && { validity: drawValidity(draw, judged) }),
  };
}

function drawOptions(draw: Draw): OptionRow[] {
  const first = integer(draw, 0, 1);
  const step = pick(draw, [1, 1, 1, 2, 0.5]);
  return Array.from(
    { length: integer(draw, 2, 5) },
    (_, index) => [`${index}`, labels[index] ?? '', first + index * step] as const,
  );
}

function drawItem(draw: Draw, index: number, sets: Readonly<Record<string, OptionRow[]>>, before: readonly Item[]): Item {
  const o = pick(draw, Object.keys(sets));
  const item: Item = {
    c: `q${index + 1}`,
    t: `${pick(draw, subjects)}方面的情况`,
    ...(isHit(draw, 20) && { required: false }),
    ...(isHit(draw, 15) && { head: '近两周' }),
    ...(isHit(draw, 15) && { page: true }),
    ...drawCondition(draw, sets, before),
  };
  const kind = integer(draw, 1, 100);
  if (kind <= 65) return { ...item, o };
  if (kind > 80) return { ...item, ...drawFill(draw) };
  const count = sets[o]?.length ?? 0;
  const excl = isHit(draw, 40) ? ['0'] : [];
  const maxsel = integer(draw, 1, count);
  return { ...item, type: 2, o, scored: false, maxsel, minsel: Math.min(maxsel, count - excl.length, integer(draw, 1, 2)), excl };
}

/** A display condition on one option of an earlier question that is always shown. */
function drawCondition(draw: Draw, sets: Readonly<Record<string, OptionRow[]>>, before: readonly Item[]): { showif?: Cond } {
  const earlier = before.filter((item) => (item.type ?? 1) === 1 && !item.showif);
  if (!earlier.length || !isHit(draw, 15)) return {};
  const { c, o } = pick(draw, earlier);
  return { showif: { item: c, gte: pick(draw, sets[o ?? ''] ?? [])[2] ?? 0 } };
}

function drawFill(draw: Draw): Partial<Item> {
  const input = integer(draw, 0, 8) as NonNullable<Item['input']>;
  if (input === 7) return { type: 0, input, min: 0, max: integer(draw, 5, 20), step: pick(draw, [1, 0.5, 2]) };
  if (input === 1 || input === 2) return { type: 0, input, min: integer(draw, -5, 0), max: integer(draw, 1, 50) };
  return { type: 0, input, ...(input === 0 && isHit(draw, 50) && { maxlen: integer(draw, 5, 200) }) };
}

function drawScores(draw: Draw, choices: readonly string[]): ScoreDef[] {
  const missing = isHit(draw, 30) && choices.length > 1 ? integer(draw, 1, choices.length - 1) : 0;
  const how = pick(draw, ['prorate', 'zero'] as const);
  const total: ScoreDef = {
    ...{ c: 'total', n: '总分', of: choices, primary: true, domain: pick(draw, ['01', '02', '05'] as const) },
    ...(missing && { miss: { max: missing, how } }),
    ...(isHit(draw, 30) && { post: [['round', pick(draw, [0, 1])] as const] }),
    ...drawOperation(draw, choices.length),
  };
  if (isHit(draw, 70)) return [total];
  const post = pick(draw, [[['mul', 1.25], ['floor']], [['add', -2]], [['clamp', 0, 8]]] as const);
  return [total, { c: 'std', n: '标准分', op: 'ref', ref: 'total', post, domain: '01' }];
}

function drawOperation(draw: Draw, count: number): Pick<ScoreDef, 'op' | 'w' | 'b' | 'where'> {
  const op = pick(draw, ['sum', 'sum', 'mean', 'max', 'min', 'count', 'weighted'] as const);
  if (op === 'count') return { op, where: { gte: 1 } };
  if (op !== 'weighted') return { op };
  return { op, w: Array.from({ length: count }, () => pick(draw, [1, 2, 0.5, -1])), b: integer(draw, 0, 3) };
}

function drawNorm(draw: Draw): Pick<Scale, 'norms'> {
  const row = { mean: integer(draw, 1, 10), sd: integer(draw, 1, 4), source: '本校 2025 年' };
  return { norms: { 常模: [{ where: { person: 'gender', eq: '01' }, ...row }, row] } };
}

/** Two or three bands over the values that each score can take. */
function drawBands(draw: Draw, scale: Scale): Pick<Scale, 'bands' | 'bandmode'> {
  const bands: Record<string, Band[]> = {};
  const bandmode: Record<string, 'halfopen'> = {};
  for (const [code, reach] of reachableScores(scale)) {
    const values = reach.values ?? [];
    const cut = values[integer(draw, 1, Math.max(1, values.length - 1))];
    if (cut === undefined) bands[code] = [[null, null, 0, '全部']];
    else if (isWhole(reach)) {
      bands[code] = [
        [reach.min, cut - 1, 0, '良好'],
        [cut, reach.max, integer(draw, 1, 4) as 1, '需要关注'],
      ];
    } else {
      bandmode[code] = 'halfopen';
      bands[code] = [
        [reach.min, cut, 0, '良好'],
        [cut, null, integer(draw, 1, 4) as 1, '需要关注'],
      ];
    }
  }
  return { bands, bandmode };
}

function drawAlerts(draw: Draw, scale: Scale, choices: readonly string[]): NonNullable<Scale['alerts']> {
  return Array.from({ length: integer(draw, 0, 2) }, (_, index) => {
    const code = pick(draw, choices);
    const rows = scale.optionsets[scale.items.find(({ c }) => c === code)?.o ?? ''] ?? [];
    return {
      c: `A${index + 1}`,
      when: { item: code, eq: pick(draw, rows)[2] ?? 0 },
      level: integer(draw, 1, 3) as 1,
      msg: '请面谈了解',
    };
  });
}

const drawValidity = (draw: Draw, scale: Scale): NonNullable<Scale['validity']> =>
  [...reachableScores(scale)].slice(0, 1).map(([code, reach]) => ({
    ...{ c: 'V1', when: { score: code, gte: reach.max - 0.001 }, msg: '请核对作答' },
    action: pick(draw, ['warn', 'invalid'] as const),
  }));

/** Any answers that the scale offers, to every question; with `hasGaps` some questions stay open. */
export function anyAnswers(scale: Scale, hasGaps = false): fc.Arbitrary<Answers> {
  const answers = scale.items.map((item): [string, fc.Arbitrary<Answer>] => {
    const answer = anyAnswerTo(scale, item);
    return [item.c, hasGaps ? fc.option(answer, { freq: 5 }) : answer];
  });
  return fc.record(Object.fromEntries(answers));
}

function anyAnswerTo(scale: Scale, item: Item): fc.Arbitrary<Answer> {
  const codes = (scale.optionsets[item.o ?? ''] ?? []).map(([code]) => code);
  const type = item.type ?? 1;
  if (type === 1) return fc.constantFrom(...codes);
  if (type === 2) {
    const excl = item.excl ?? [];
    const free = codes.filter((code) => !excl.includes(code));
    const several = fc.subarray(free, {
      minLength: Math.max(1, item.minsel ?? 1),
      maxLength: Math.min(free.length, item.maxsel ?? free.length),
    });
    return excl.length ? fc.oneof(several, fc.constantFrom(...excl.map((code) => [code]))) : several;
  }
  return anyFill(item);
}

/** Any value of an input type. */
function anyFill({ input = 0, min = -1000, max = 1000, step = 1, maxlen = 50 }: Item): fc.Arbitrary<Answer> {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = fc
    .integer({ min: 0, max: 36_500 })
    .map((days) => new Date(Date.UTC(1950, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));
  const minuteText = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  const minutes = fc.integer({ min: 0, max: 1439 });
  switch (input) {
    case 0:
      return fc.string({ minLength: 1, maxLength: Math.min(maxlen, 30) }).filter((text) => text.trim() !== '');
    case 1:
      return fc.integer({ min, max });
    case 2:
      return fc.integer({ min: min * 10_000, max: max * 10_000 }).map((value) => value / 10_000);
    case 3:
      return day;
    case 4:
      return minutes.map(minuteText);
    case 5:
      return fc.tuple(day, minutes).map(([date, minute]) => `${date} ${minuteText(minute)}`);
    case 6:
      return fc
        .tuple(minutes, minutes)
        .filter(([from, to]) => from !== to)
        .map(([from, to]) => `${minuteText(Math.min(from, to))}-${minuteText(Math.max(from, to))}`);
    case 7:
      return fc.integer({ min: 0, max: Math.floor((max - min) / step) }).map((index) => min + index * step);
    case 8:
      return fc.integer({ min: 110_000, max: 659_999 }).map(String);
  }
}
