import { expect, test } from 'vitest';
import { contentWords, priceWords, stockWords, validityWords } from '#features/goods/goodsWords.ts';

const counts = { goodstype: '01', planname: '中学生心理普查', qty: 5000, coursename: '', validdays: 365 } as const;
const course = { goodstype: '02', planname: '', qty: null, coursename: '睡个好觉', validdays: null } as const;
const thing = { goodstype: '04', planname: '', qty: null, coursename: '', validdays: null } as const;

test('a buyer reads what goods contain and for how long', () => {
  expect([contentWords(counts), validityWords(counts)]).toEqual(['中学生心理普查 × 5,000 次', '付款后 365 天内有效']);
  expect([contentWords(course), validityWords(course)]).toEqual(['睡个好觉', '长期有效']);
  expect([contentWords(thing), validityWords(thing)]).toEqual(['实物', '']);
});

test('a seller sees what a draft still lacks', () => {
  expect(contentWords({ ...counts, planname: '', qty: null })).toBe('还没有选方案 × ？ 次');
  expect(contentWords({ ...course, coursename: '' })).toBe('还没有选课程');
});

test('prices show 元 with two decimals, and stock without limit says so', () => {
  expect([priceWords(0), priceWords(1990), priceWords(128_000)]).toEqual(['免费', '19.90 元', '1,280.00 元']);
  expect([null, 0, 1200].map(stockWords)).toEqual(['不限', '已售完', '1,200']);
});
