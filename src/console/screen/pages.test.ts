import { expect, test } from 'vitest';
import { pagesOf } from '#console/screen/pages.ts';

const place = (key: string, parent = '') => ({
  key,
  parent,
  kind: parent ? ('institution' as const) : ('region' as const),
  name: key,
  institutions: 1,
  total: 10,
  tested: 5,
  rate: 50,
  hasoverdue: false,
});
const names = (size: number, ...places: Parameters<typeof pagesOf>[0]) =>
  pagesOf(places, size).map((page) =>
    page.map((line) => `${'-'.repeat(line.depth)}${line.place.key}${line.isContinued ? '…' : ''}`),
  );

test('a page of places that begins within a region names the region again, and no place is lost', () => {
  const schools = ['1', '2', '3', '4', '5'].map((key) => place(key, '西湖区'));
  expect(names(4, place('西湖区'), ...schools, place('余杭区'))).toEqual([
    ['西湖区', '-1', '-2', '-3'],
    ['西湖区…', '-4', '-5', '余杭区'],
  ]);
});

test('a few places stand on one page, and no place makes no page', () => {
  expect(names(10, place('西湖区'), place('余杭区'))).toEqual([['西湖区', '余杭区']]);
  expect(names(10)).toEqual([]);
});
