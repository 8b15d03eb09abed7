import { expect, test } from 'vitest';
import { startServer } from '#testing/server.ts';
import * as dept from '#features/org/dept/dept.contract.ts';
import * as user from '#features/org/user/user.contract.ts';

test('the telephone, e-mail, post, department and gender of a user can be cleared', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { deptid } = await ma(dept.insertDept, { parentid: 0, deptname: '德育处' });
  const facts = {
    realname: '吴敏',
    deptid,
    phonenumber: '13900000001',
    email: 'wu@example.com',
    gender: '02' as const,
    post: '德育干事',
  };
  const { userid } = await ma(user.insertUser, { sysusername: 'wumin', ...facts, roleids: [] });
  await ma(user.updateUser, { userid, deptid: null, phonenumber: '', email: '', gender: null, post: '' });
  expect((await ma(user.selectUserList, { keyword: '吴敏' })).rows).toMatchObject([
    { realname: '吴敏', deptid: null, deptname: '', phonenumber: '', email: '', gender: '', post: '' },
  ]);
});
