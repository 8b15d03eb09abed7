import { expect, test } from 'vitest';
import { entryOfKey } from '#contract/menuTree.ts';
import { insertRole, selectRoleList, updateRole } from '#features/access/role/role.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import { startServer } from '#testing/server.ts';

test('a role that the list does not offer cannot be given; a user keeps one that was disabled later', async () => {
  const server = await startServer();
  const ma = server.as('ma');
  const { roleid } = await ma(insertRole, {
    rolename: '心理委员',
    rolekey: 'helper',
    datascope: 1,
    menuids: [entryOfKey('group.teams')?.menuid as number],
  });
  const { userid } = await ma(user.insertUser, { sysusername: 'wumin', realname: '吴敏', roleids: [roleid] });
  await ma(updateRole, { roleid, enabled: 0 });
  await expect(ma(user.insertUser, { sysusername: 'zhouli', realname: '周丽', roleids: [roleid] })).rejects.toMatchObject({
    code: 140001,
    data: { field: 'roleids' },
  });
  const { rows } = await ma(selectRoleList, { pageSize: 200 });
  const psychologist = rows.find((role) => role.rolekey === 'psychologist')?.roleid as number;
  await ma(user.updateUser, { userid, roleids: [roleid, psychologist] });
  await ma(user.updateUser, { userid, roleids: [psychologist] });
  await expect(ma(user.updateUser, { userid, roleids: [roleid, psychologist] })).rejects.toMatchObject({ code: 140001 });
});
