import { expect, test } from 'vitest';
import { KEY_SCOPES } from '#contract/apikey/openToKeys.ts';
import { exampleOf, isForKeys, isShown, keyFilters } from '#console/openapi/calls.ts';

const progress = { name: 'as.m.assess.getAssessTaskProgress', title: '任务进度' };
const warnings = { name: 'as.m.warning.getWarningPageList', title: '查询危机预警' };
const reveal = { name: 'as.m.cuser.revealCUser', title: '查看未脱敏信息' };

test('the programmer of a campus system finds the calls that a key may make, and those of one group', () => {
  const shown = (keyword: string, filter: Parameters<typeof isShown>[2]) =>
    [progress, warnings, reveal].filter((call) => isShown(call, keyword, filter)).map(({ title }) => title);
  expect(shown('', 'all')).toEqual(['任务进度', '查询危机预警', '查看未脱敏信息']);
  expect(shown('', 'keys')).toEqual(['任务进度', '查询危机预警']);
  expect(shown('', 'cases')).toEqual(['查询危机预警']);
  expect(shown('TASKPROGRESS ', 'keys')).toEqual(['任务进度']);
  expect(shown('脱敏', 'keys')).toEqual([]);
});

test('the filter offers every group of calls under its title', () => {
  const labels = keyFilters.map(({ label }) => label);
  for (const { title } of Object.values(KEY_SCOPES)) expect(labels).toContain(`对接密钥可用：${title}`);
});

test('the example calls something that a key may call, with the key in its header', () => {
  const example = exampleOf('https://xinli.example');
  const [, name = ''] = /https:\/\/xinli\.example\/api\/([\w.]+)\/1\.0\.0\/action/.exec(example) ?? [];
  expect(isForKeys(name)).toBe(true);
  expect(example).toContain(`-H 'token: xlk_`);
});
