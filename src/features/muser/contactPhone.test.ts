import { expect, test } from 'vitest';
import { openInstitution } from '#testing/institution.ts';
import { sharedServer } from '#testing/server.ts';
import { insertCUser, revealCUser } from '#features/cuser/cuser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { insertDept, selectDeptList } from '#features/org/dept/dept.contract.ts';

const server = sharedServer();

test('an institution, a department and a guardian can be reached by a landline with an extension', async () => {
  const { as } = server();
  const { musercode } = await openInstitution(server(), 'super', 'lanxi', { phonenumber: '（010）12345678' });
  const phoneOf = async () =>
    (await as('super')(getMUserPageList, { keyword: 'lanxi' })).rows.map(({ phonenumber }) => phonenumber);
  expect(await phoneOf()).toEqual(['010-12345678']);
  await as('super')(updateMUser, { musercode, phonenumber: '0571-87654321 转 801' });
  expect(await phoneOf()).toEqual(['0571-87654321-801']);
  await expect(as('super')(updateMUser, { musercode, phonenumber: '12345678' })).rejects.toMatchObject({
    code: 120002,
    message: '请填写 11 位手机号，或带区号的固定电话，如 010-12345678 转 801',
    data: { field: 'phonenumber' },
  });
  await as('ma')(insertDept, { deptname: '总务处', parentid: 0, phonenumber: '0571-87654321转8' });
  await as('ma')(insertDept, { deptname: '传达室', parentid: 0, phonenumber: '8001' });
  const depts = await as('ma')(selectDeptList, {});
  expect(depts.filter(({ phonenumber }) => phonenumber).map(({ phonenumber }) => phonenumber)).toEqual([
    '8001',
    '0571-87654321-8',
  ]);
  const { cuserid } = await as('chen')(insertCUser, {
    appid: '000000002',
    username: '林小雨',
    gender: '02',
    guardian: [{ name: '林父', relation: '01', phonenumber: '0571 87654321' }],
    archive: { studentno: '20259001' },
  });
  expect((await as('chen')(revealCUser, { cuserid })).guardian).toMatchObject([{ phonenumber: '0571-87654321' }]);
});
