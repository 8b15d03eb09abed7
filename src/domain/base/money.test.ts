import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatYuan, parseYuan } from '#domain/base/money.ts';

test('an amount is shown in 元 with two decimals and separators', () => {
  expect([0, 5, 990, 123_450, 100_000_000].map(formatYuan)).toEqual(['0.00', '0.05', '9.90', '1,234.50', '1,000,000.00']);
});

test('an amount in 元 is read in every usual spelling', () => {
  const spellings = {
    0: ['0', '0.00', '￥0'],
    29: ['0.29', '¥0.29', '０．２９'],
    123_450: ['1234.5', '1234.50', '1,234.50', ' 1234.5 元', '￥1,234.5'],
    9900: ['99', '99元', '99.0'],
  };
  for (const [fen, texts] of Object.entries(spellings))
    for (const text of texts) expect([text, parseYuan(text)]).toEqual([text, Number(fen)]);
});

test('a text that is no exact amount is refused and never rounded', () => {
  for (const text of ['', '元', '1.234', '12,5', '1,23', '-3', '1e3', '12.', '.5', '九十九', '1 2 3.4.5'])
    expect([text, parseYuan(text)]).toEqual([text, undefined]);
});

test('every amount that is shown is read back as the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(parseYuan(formatYuan(fen))).toBe(fen);
      expect(parseYuan((fen / 100).toFixed(2))).toBe(fen);
    }),
  );
});
