import { expect, test } from 'vitest';
import { filterTree } from '#ui/tree/filterTree.ts';

interface Dept {
  label: string;
  children: Dept[];
}
const dept = (label: string, ...children: Dept[]): Dept => ({ label, children });
const tree = [dept('教学部', dept('初一年级', dept('初一语文组')), dept('初二年级')), dept('德育处')];

test('a search keeps what it finds with the departments above and below it', () => {
  expect(filterTree(tree, '初一年级')).toEqual([dept('教学部', dept('初一年级', dept('初一语文组')))]);
  expect(filterTree(tree, ' 语文 ')).toEqual([dept('教学部', dept('初一年级', dept('初一语文组')))]);
  expect(filterTree(tree, '后勤')).toEqual([]);
  expect(filterTree(tree, '')).toEqual(tree);
});
