import { expect, test } from 'vitest';
import { startServer } from '#testing/server.ts';
import * as muser from '#features/muser/muser.contract.ts';

test('regions are listed level by level: 杭州 has counties, 东莞 has none', async () => {
  const { as } = await startServer();
  const list = (parentcode: string) => as('chen')(muser.getDistrictList, { parentcode });
  expect((await list('')).find((candidate) => candidate.districtcode === '330000')).toMatchObject({
    districtname: '浙江省',
    level: 1,
    haschild: 1,
  });
  expect((await list('440000')).find((candidate) => candidate.districtcode === '441900')).toMatchObject({
    districtname: '东莞市',
    haschild: 0,
  });
});
