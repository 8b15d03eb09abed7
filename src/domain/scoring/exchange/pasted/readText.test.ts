import fc from 'fast-check';
import { expect, test } from 'vitest';
import { samples } from '#domain/scoring/exchange/pasted/questionnaires.fixture.ts';
import { readText } from '#domain/scoring/exchange/pasted/readText.ts';

test.each(samples)('pasted text with $name becomes a form', ({ text, title, items, options, reverse, types = {} }) => {
  const { scale } = readText(text);
  const first = scale.optionsets[scale.items.find(({ o }) => o !== undefined)?.o ?? ''] ?? [];
  expect({
    title: scale.title,
    items: scale.items.map(({ t }) => t),
    options: first.map(([, label, points]) => (points === null ? label : `${label}=${points}`)),
    reverse: scale.reverse,
    types: Object.fromEntries(scale.items.filter(({ type }) => type !== undefined).map(({ c, type }) => [c, type])),
  }).toEqual({ title, items, options, reverse, types });
});

test('every line of the source that has text is named with its use', () => {
  for (const { text } of samples) {
    const named = new Set(readText(text).lines.map(({ line }) => line));
    const written = text.split('\n').flatMap((line, index) => (line.trim() ? [index + 1] : []));
    expect([...named]).toEqual(written);
  }
});

test('an author hears of a gap in the numbers, of missing points and of notes that were not imported', () => {
  const { doubts } = readText('问卷\n1. 甲\nA. 是\nB. 否\n3. 乙\nA. 是\nB. 否\n计分方法：相加');
  expect(doubts).toEqual([
    { line: 2, message: '选项没有写分值，导入后不计分；需要计分请在“选项组”里填写' },
    { line: 5, message: '题号从 1 跳到 3，请核对是否漏了题' },
    { line: 8, message: '计分或解释的说明没有导入，请在“得分”和“等级”里填写' },
  ]);
});

test('a scored form gets 总分, sections become headings', () => {
  const { scale } = readText('问卷\n选项：否=0；是=1\n一、心情\n1. 甲\n2. 乙');
  expect(scale.scores).toEqual([{ c: 'total', n: '总分', op: 'sum', of: 'q1,q2', primary: true, better: 'low' }]);
  expect(scale.items[0]?.head).toBe('心情');
});

test('text without questions says how to write them', () => {
  expect(readText('这里没有题目').doubts).toContainEqual({
    line: 0,
    message: '没有找到题目：每题请另起一行，以题号开头，例如 1. 感到紧张',
  });
});

test('any text is read without an error, also long and repeated signs', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '1. ',
      '2、',
      'A. ',
      '①',
      '□',
      '（反向）',
      '\n',
      '选项：',
      '=0',
      '；',
      ' ',
      '第3题',
      '一、',
      '感到紧张',
      '\t0\t1',
      '1 ',
      '-',
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { scale, doubts } = readText(pieces.join(''));
      expect(scale.items.length).toBeLessThanOrEqual(500);
      expect(doubts.every(({ message }) => message.length <= 60)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  for (const sign of ['1. ', '(', ' ', 'A', '1 ', '=0', '、', '一', '□', '0=', '（1）'])
    expect(readText(sign.repeat(60_000)).scale.items.length).toBeLessThanOrEqual(500);
});
