import { expect, test } from 'vitest';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { startServer } from '#testing/server.ts';

test('an institution is found by a part of its name in any case or by its whole code, and by no other field', async () => {
  const { as } = await startServer();
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', shortname: '晨光CG', address: '人民路 8 号' });
  const [school] = (await as('fang')(getMUserPageList, { keyword: 'M_CHENGUANG' })).rows;
  const { username = '', insname = '' } = school ?? {};
  const isFound = async (person: 'fang' | 'super', keyword: string) =>
    (await as(person)(getMUserPageList, { keyword })).rows.some(({ musercode }) => musercode === 'M_CHENGUANG');
  for (const person of ['fang', 'super'] as const) {
    for (const keyword of [insname, '晨光', '光cg', 'CG', username.toUpperCase(), username.slice(1), 'M_CHENGUANG'])
      expect([person, keyword, await isFound(person, keyword)]).toEqual([person, keyword, true]);
    for (const keyword of ['M_CHENGUAN', '人民路', '%', '_', '\\', `${insname}晨光`, insname + username])
      expect([person, keyword, await isFound(person, keyword)]).toEqual([person, keyword, false]);
  }
});

test('the platform never appears in a list of institutions', async () => {
  const { as } = await startServer();
  const listedTypes = async (filters: object) =>
    (await as('super')(getMUserPageList, { ...filters, pageSize: 200 })).rows.map((row) => row.musertype);
  expect(await listedTypes({})).not.toContain('001');
  expect(await listedTypes({ musertype: '001' })).toEqual([]);
  expect(await listedTypes({ musertypes: ['001'] })).toEqual([]);
  expect(new Set(await listedTypes({ musertypes: ['001', '002'] }))).toEqual(new Set(['002']));
  expect(await listedTypes({ musertype: '004', musertypes: ['002', '003'] })).toEqual([]);
});
