import { expect, test } from 'vitest';
import { defaultScores } from '#domain/scoring/exchange/defaultScores.ts';
import { toItemList } from '#domain/scoring/exchange/itemList.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';

const optionsets: Scale['optionsets'] = {
  yn: [
    ['1', '是', 1],
    ['0', '否', 0],
  ],
  plain: [['1', '是', null]],
};
const items: Item[] = [
  { c: 'q1', t: '一', o: 'yn' },
  { c: 'q2', t: '二', o: 'yn' },
  { c: 'q3', t: '三', o: 'yn' },
  { c: 'name', t: '称呼', type: 0 },
  { c: 'q4', t: '四', o: 'yn', scored: false },
  { c: 'q5', t: '五', o: 'plain' },
  { c: 'hours', t: '睡眠小时', type: 0, input: 2, scored: true },
];

test('a form without scores gets 总分 over all scored items and one score a factor', () => {
  const scores = defaultScores({ items, optionsets }, [
    { name: '情绪', items: ['q1', 'q3', 'q5'] },
    { name: '背景', items: ['name'] },
    { name: '睡眠', items: ['hours'] },
  ]);
  expect(scores).toEqual([
    { c: 'total', n: '总分', op: 'sum', of: 'q1..q3,hours', primary: true, better: 'low' },
    { c: 'f1', n: '情绪', op: 'sum', of: 'q1,q3' },
    { c: 'f2', n: '睡眠', op: 'sum', of: 'hours' },
  ]);
});

test('a form without scored items gets no score', () => {
  expect(defaultScores({ items: items.slice(3, 6), optionsets })).toEqual([]);
});

test('a list of items keeps its order, and a very long one becomes an array', () => {
  expect(toItemList(['q2', 'q1', 'q3'], items)).toBe('q2,q1,q3');
  const many = Array.from({ length: 500 }, (_, index): Item => ({ c: `question_number_${index}`, t: '' }));
  const odd = many.map((item) => item.c).filter((_, index) => index % 2);
  expect(toItemList(odd, many)).toEqual(odd);
});
