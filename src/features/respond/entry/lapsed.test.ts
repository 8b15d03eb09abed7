import { expect, test } from 'vitest';
import { addClass, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import { updateMUserClient } from '#features/muser/entry/entry.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { enableMuser } from '#features/muser/muser.contract.ts';
import { getEntry, loginRespondent, getTasks } from '#features/respond/respond.contract.ts';

const clientcode = 'entry_chenguang';
const musercode = 'M_CHENGUANG';

test('a pupil of a school whose service has ended is told so, also on signing in, and is not blamed', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const [lin] = pupils;
  const own = await signInPupil(server, lin as (typeof pupils)[0]);
  await as('fang')(updateMUser, { musercode, expiredate: '2025-01-01' });
  const reason =
    '云栖市晨光中学的测评服务已经到期，现在不能作答。以前提交的答卷都还在，不受影响。如有疑问，请联系发二维码的老师或工作人员。';
  await expect(nobody(getEntry, { clientcode })).rejects.toMatchObject({ code: 140001, message: reason });
  await expect(nobody(loginRespondent, { clientcode, username: '林小雨', key: lin?.studentno })).rejects.toMatchObject({
    code: 140001,
    message: reason,
  });
  await expect(own(getTasks, {})).rejects.toMatchObject({ code: 110000 });
  await as('fang')(updateMUser, { musercode, expiredate: null });
  expect(await nobody(getEntry, { clientcode })).toMatchObject({ insname: '云栖市晨光中学' });
});

test('a closed entry and a disabled school say so; an unknown link tells nothing', async () => {
  const { as, nobody } = await startServer();
  await as('fang')(updateMUserClient, { clientcode, enabled: 0 });
  await expect(nobody(getEntry, { clientcode })).rejects.toThrow('云栖市晨光中学的测评入口现在没有开放');
  await as('fang')(enableMuser, { musercode, enabled: 0, reason: '合同终止' });
  await expect(nobody(getEntry, { clientcode })).rejects.toThrow('云栖市晨光中学的测评服务已经停用');
  await expect(nobody(getEntry, { clientcode: 'entry_unknown' })).rejects.toMatchObject({
    code: 130001,
    message: '该作答入口不存在或已删除',
  });
});
