import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCondition, printCondition } from '#domain/scoring/exchange/conditionGrammar.ts';
import { readSheets } from '#domain/scoring/exchange/readSheets.ts';
import type { Sheet } from '#domain/scoring/exchange/sheets.ts';
import { writeSheets } from '#domain/scoring/exchange/writeSheets.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { library } from '#domain/scoring/scales/library.ts';

const roundTrip = (scale: Scale) => readSheets(writeSheets(scale));
/** A row of a sheet by its heads. */
const cellsOf = (sheets: readonly Sheet[], name: string, row: number): Record<string, string> => {
  const rows = sheets.find((sheet) => sheet.name === name)?.rows ?? [];
  return Object.fromEntries((rows[0] ?? []).map((head, index) => [head, rows[row - 1]?.[index] ?? '']));
};

test.each(library.map((scale) => [scale.title, scale] as const))('%s comes back unchanged from its worksheets', (_, scale) => {
  const { scale: back, faults } = roundTrip(scale);
  expect(faults).toEqual([]);
  expect(back).toEqual(scale);
});

test('no shipped form needs a whole part of its definition in 其他', () => {
  for (const scale of library) {
    const other = cellsOf(writeSheets(scale), '量表', 2)['其他'] ?? '';
    expect(Object.keys(JSON.parse(other || '{}') as object)).toEqual(
      expect.not.arrayContaining(['items', 'scores', 'optionsets', 'bands', 'alerts', 'norms']),
    );
  }
});

/** Texts that cells change: blanks at the ends, JSON, signs of lists, formulas, words of the grammar. */
const awkward = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    ' 首尾空格 ',
    '{"a":1}',
    '=1+1',
    'a；b=1',
    '无',
    '且',
    'x\ny',
    '否',
    '0',
    '选项1',
    '总分',
    '总分且焦虑',
  ),
  fc.string({ maxLength: 20 }),
);
const comparison = fc.oneof(
  fc.record({ gte: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }) }),
  fc.record({ eq: fc.constantFrom<string | number | boolean>(1, '01', true) }),
  fc.record({ gt: fc.integer(), lte: fc.integer() }),
  fc.record({ in: fc.array(fc.integer(), { maxLength: 3 }) }),
  fc.constant({}),
);
const anyCond: fc.Arbitrary<Cond> = fc.letrec<{ cond: Cond }>((tie) => ({
  cond: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.tuple(fc.constantFrom('q1', 'total', '总分', 'x'), comparison).map(([item, cmp]) => ({ item, ...cmp }) as Cond),
    fc.tuple(fc.constantFrom('total', 'q1', 'f1'), comparison).map(([score, cmp]) => ({ score, ...cmp }) as Cond),
    fc.tuple(fc.constantFrom('total', 'f1'), comparison).map(([level, cmp]) => ({ level, ...cmp }) as Cond),
    fc.tuple(fc.constantFrom('age', 'gender', 'grade'), comparison).map(([person, cmp]) => ({ person, ...cmp }) as Cond),
    fc.constant<Cond>({ valid: true }),
    fc.record({ all: fc.array(tie('cond'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('cond'), { maxLength: 3 }) }),
    fc.record({ not: tie('cond') }),
  ),
})).cond;
const names = {
  items: [{ c: 'q1' }, { c: 'q3' }],
  scores: [
    { c: 'total', n: '总分' },
    { c: 'f1', n: '焦虑且抑郁' },
    { c: 'f2', n: 'q1' },
  ],
};

test('every condition comes back unchanged from its cell', () => {
  fc.assert(
    fc.property(anyCond, (cond) => {
      expect(parseCondition(printCondition(cond, names), names)).toEqual({ cond: JSON.parse(JSON.stringify(cond)) as Cond });
    }),
    { numRuns: 1500 },
  );
});

test.each<[string, Cond]>([
  [
    'q3>=2 且 总分<10',
    {
      all: [
        { item: 'q3', gte: 2 },
        { score: 'total', lt: 10 },
      ],
    },
  ],
  [
    'ｑ３＞＝２或总分等级≥３',
    {
      any: [
        { item: 'q3', gte: 2 },
        { level: 'total', gte: 3 },
      ],
    },
  ],
  [
    '第3题得分 ≥ 2 并且 性别=女 并且 年龄<18岁',
    {
      all: [
        { item: 'q3', gte: 2 },
        { person: 'gender', eq: '02' },
        { person: 'age', lt: 18 },
      ],
    },
  ],
  ['焦虑且抑郁>5', { score: 'f1', gt: 5 }],
  ['{"not":{"item":"q1","eq":1}}', { not: { item: 'q1', eq: 1 } }],
])('the condition %s is understood', (text, cond) => {
  expect(parseCondition(text, names)).toEqual({ cond });
});

test.each([
  ['q9>=2', '没有题目或得分“q9”'],
  ['q1>=2 且 q3>=1 或 总分>3', '一个条件里只能用一种连接词：且，或者 或'],
  ['q1 大于 2', '看不懂“q1 大于 2”，请写成 q3>=2'],
  ['q1>=多', '“多”不是数字'],
  ['{"item":', '花括号里的条件写得不完整'],
])('the condition %s is refused with a reason', (text, message) => {
  expect(parseCondition(text, names)).toEqual({ message });
});

test('any text in a condition is read or refused, and never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseCondition(text, names)));
});

test('a form with awkward texts, codes and sets comes back unchanged', () => {
  const code = fc.oneof(
    fc.constantFrom('q1', 'q2', 'q3', 'total', 'A1', 'name'),
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,6}$/),
  );
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const setname = fc.constantFrom('yn', '选项1', ' a', '无', '0', '从不=0；偶尔=1');
  const item = fc.record(
    {
      ...{ c: code, t: awkward, type: optional(fc.constantFrom(0, 1, 2)), input: optional(fc.constantFrom(0, 3, 7)) },
      ...{ o: optional(setname), required: optional(fc.boolean()), scored: optional(fc.boolean()), head: optional(awkward) },
      ...{
        showif: optional(anyCond),
        sensitive: optional(fc.boolean()),
        min: optional(fc.integer()),
        page: optional(fc.boolean()),
      },
      ...{ excl: optional(fc.array(awkward, { maxLength: 2 })), pattern: optional(awkward) },
    },
    { noNullPrototype: true },
  );
  const score = fc.record(
    {
      ...{
        c: code,
        n: awkward,
        op: fc.constantFrom('sum', 'count', 'weighted', 'ref', 'ratio'),
        of: optional(fc.constantFrom('q1..q3', 'q1', ['q1'], '')),
      },
      ...{ ref: optional(code), num: optional(code), den: optional(code), w: optional(fc.array(fc.integer(), { maxLength: 3 })) },
      miss: optional(fc.record({ max: fc.nat(9), how: fc.constantFrom('prorate', 'zero') }, { noNullPrototype: true })),
      post: optional(
        fc.array(fc.constantFrom(['mul', 1.25], ['floor'], ['clamp', -5, 10], ['tscore', '常模；一'], ['round', 2]), {
          maxLength: 3,
        }),
      ),
      ...{ where: optional(comparison), primary: optional(fc.boolean()), better: optional(fc.constantFrom('low', 'high')) },
      domain: optional(fc.constantFrom('01', '08')),
    },
    { noNullPrototype: true },
  );
  const band = fc.tuple(
    optional(fc.integer()).map((value) => value ?? null),
    fc.constant(null),
    fc.nat(4),
    awkward,
  );
  const options = fc.array(fc.tuple(awkward, awkward, fc.oneof(fc.constant(null), fc.integer())), { maxLength: 4 });
  const norm = fc.record(
    { where: optional(anyCond), mean: fc.integer(), sd: fc.integer(), source: awkward },
    { noNullPrototype: true },
  );
  const rule = fc.record({ c: code, when: anyCond, level: fc.constantFrom(1, 2, 3, 4), msg: awkward }, { noNullPrototype: true });
  const anyScale = fc.record(
    {
      ...{ schema: fc.constant('asds/1'), formcode: fc.constantFrom('', 'F000001'), version: fc.constantFrom('draft', '1.0.0') },
      ...{ formtype: fc.constantFrom('01', '02', '03', '04'), title: awkward, tier: fc.constantFrom('A', 'B', 'C', 'S') },
      ...{
        instruction: optional(awkward),
        minutes: optional(fc.nat(99)),
        appids: optional(fc.constantFrom([], ['000000002'], ['X'])),
      },
      ...{ optionsets: fc.dictionary(setname, options), items: fc.array(item, { maxLength: 5 }) },
      ...{ reverse: optional(fc.array(code, { maxLength: 3 })), scores: fc.array(score, { maxLength: 4 }) },
      bands: fc.dictionary(fc.constantFrom('total', 'q1', 'A1'), fc.array(band, { maxLength: 3 })),
      bandmode: optional(fc.dictionary(fc.constantFrom('total', 'q1'), fc.constantFrom('closed', 'halfopen'))),
      norms: optional(fc.dictionary(setname, fc.array(norm, { maxLength: 2 }))),
      ...{ alerts: optional(fc.array(rule, { maxLength: 3 })), citation: optional(awkward) },
      derive: optional(
        fc.array(fc.record({ if: anyCond, set: fc.dictionary(code, awkward) }, { noNullPrototype: true }), { maxLength: 2 }),
      ),
      nextform: optional(fc.array(fc.record({ when: anyCond, formcode: awkward }, { noNullPrototype: true }), { maxLength: 2 })),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(anyScale, (drawn) => {
      const scale = JSON.parse(JSON.stringify(drawn)) as Scale;
      const { scale: back, faults } = roundTrip(scale);
      expect(back).toEqual(scale);
      expect(faults.filter(({ kind }) => kind === 'error')).toEqual([]);
    }),
    { numRuns: 600 },
  );
});

test('worksheets with any content are read or refused, and never throw', () => {
  const heads = [...writeSheets(library[0] as Scale).flatMap(({ rows }) => rows[0] ?? [])];
  const cell = fc.oneof(fc.constantFrom(...heads, '1', 'q1', '单选', '求和', 'q1>=1', '{', '{}', '[]'), fc.string());
  const sheet = fc.record({
    name: fc.constantFrom('量表', '题目', '选项组', '得分', '等级', '常模', '规则', '别的'),
    rows: fc.array(fc.array(cell, { maxLength: 16 }), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(sheet, { maxLength: 8 }), (sheets) => void readSheets(sheets)),
    { numRuns: 500 },
  );
});
