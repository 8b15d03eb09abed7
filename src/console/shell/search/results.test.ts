import { expect, test } from 'vitest';
import { allCodes } from '#contract/menu.ts';
import { buildNavigation } from '#console/navigation.ts';
import { findPages } from '#console/shell/search/results.ts';

const school = buildNavigation({ loginas: '', without: 'statisticsN', musertype: '005' }, new Set(allCodes));
const authority = buildNavigation({ loginas: 'JYJ', without: 'statisticsN', musertype: '003' }, new Set(allCodes));

test.each([
  ['工作台', '/workbench'],
  ['我的日程', '/planner'],
  ['机构设置', '/settings'],
  ['对接密钥', '/apiKeys'],
  ['导出审批', '/approvals'],
  ['个人中心', '/profile'],
  ['危机预警', '/earlyWarning/earlyWarningLevel'],
])('the search finds %s', (title, path) => {
  expect(findPages(school, title).map((page) => page.path)).toContain(path);
});

test('the search offers no page that the account may not open, and none that needs a record', () => {
  expect(findPages(authority, '对接密钥')).toEqual([]);
  expect(findPages(school, '').filter(({ path }) => path.includes(':'))).toEqual([]);
});
