import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import { startServer } from '#testing/server.ts';

test('a phone gets the regions level by level without a session', async () => {
  const { nobody } = await startServer();
  const provinces = await nobody(respond.getRegions, {});
  expect(provinces).toHaveLength(34);
  expect(provinces).toContainEqual({ districtcode: '320000', districtname: '江苏省', level: 1, haschild: 1 });
  expect(await nobody(respond.getRegions, { parentcode: '320000' })).toContainEqual({
    districtcode: '320100',
    districtname: '南京市',
    level: 2,
    haschild: 1,
  });
  expect((await nobody(respond.getRegions, { parentcode: '320100' })).map(({ districtname }) => districtname)).toContain(
    '鼓楼区',
  );
  expect(await nobody(respond.getRegions, { parentcode: '320106' })).toEqual([]);
});
