import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';

test('a pupil without a number signs in with name, class and birthday; a pupil with a number does not', async () => {
  const { as, nobody } = await startServer();
  const heads = ['年级', '班级', '姓名', '性别', '出生日期', '学号'];
  await as('chen')(
    roster.importAssessTeamRoster,
    {},
    csv([heads, ['初一', '3班', '林小雨', '女', '20130908', ''], ['初一', '3班', '张小北', '男', '20130102', '0002']]),
  );
  const signIn = (username: string, classname: string, birthday: string) =>
    nobody(respond.loginRespondent, { clientcode, username, classname, birthday });
  for (const classname of ['初一（3）班', '七(3)班', '703', '七年级3班'])
    expect(await signIn('林小雨', classname, '2013-09-08')).toMatchObject({ maskedname: '林**', belongs: '初一 3班' });
  for (const [username, classname, birthday] of [
    ['林小雨', '初一4班', '2013-09-08'],
    ['林小雨', '初一3班', '2013-09-09'],
    ['张小北', '初一3班', '2013-01-02'],
  ] as const)
    await expect(signIn(username, classname, birthday)).rejects.toMatchObject({ code: 120005 });
  await expect(nobody(respond.loginRespondent, { clientcode, username: '林小雨', classname: '初一3班' })).rejects.toThrow('学号');
});
