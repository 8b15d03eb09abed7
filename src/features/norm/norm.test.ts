import { expect, test } from 'vitest';
import * as norm from '#features/norm/norm.contract.ts';
import { startServer } from '#testing/server.ts';

const girls = {
  quotacode: 'PHQ9.total',
  normname: '初中女生',
  gender: '02',
  agemin: 12,
  agemax: 15,
  mean: 5.2,
  sd: 4.1,
  n: 1200,
  source: '云栖市 2024 年普查',
  year: 2024,
} as const;

test('the norms of an institution are on the shelves of those below it; only the owner changes them', async () => {
  const { as } = await startServer();
  const { normid } = await as('fang')(norm.insertNorm, girls);
  const shelf = async (who: 'chen' | 'fang') => (await as(who)(norm.getNormPageList, { quotacode: 'PHQ9.total' })).rows;
  expect(await shelf('chen')).toMatchObject([
    { normid, owner: 'above', normname: '初中女生', mean: 5.2, sd: 4.1, quotaname: expect.any(String) as string },
  ]);
  const { quotacode: _, ...fields } = girls;
  await expect(as('chen')(norm.updateNorm, { normid, ...fields })).rejects.toMatchObject({ code: 130001 });
  await as('fang')(norm.updateNorm, { normid, version: 1, ...fields, sd: 4.3, agemax: null });
  expect(await shelf('fang')).toMatchObject([{ owner: 'own', sd: 4.3, agemax: null, version: 2 }]);
  await as('chen')(norm.insertNorm, girls);
  expect(await shelf('fang')).toHaveLength(1);
  await as('fang')(norm.deleteNorm, { normid });
  expect((await shelf('chen')).map(({ owner }) => owner)).toEqual(['own']);
});

test.each([
  [{ sd: 0 }, 'sd', '标准差应大于 0'],
  [{ source: '' }, 'source', '请写明来源'],
  [{ agemin: 16 }, 'agemax', '最大年龄不能小于最小年龄'],
  [{ year: 24 }, 'year', '年份应为四位数'],
  [{ quotacode: 'PHQ9.none' }, 'quotacode', '没有这个得分'],
])('a norm that nobody could use is refused at its field: %j', async (more, field, message) => {
  const { as } = await startServer();
  await expect(as('chen')(norm.insertNorm, { ...girls, ...more })).rejects.toMatchObject({ message, data: { field } });
});
