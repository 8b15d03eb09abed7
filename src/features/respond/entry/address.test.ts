import { expect, test } from 'vitest';
import { supportText } from '#domain/exam/support.ts';
import { loginRespondent } from '#features/respond/respond.contract.ts';
import { addStudent } from '#testing/exam.ts';
import { startServer } from '#testing/server.ts';

test('the pages say 你 to a student of any age and to a minor, and 您 to an adult of another population', async () => {
  const server = await startServer();
  const { cuserid, username, studentno } = await addStudent(server);
  const addressAs = async (appid: string, birthday: string) => {
    await server.sqlAsOwner('update cuser set appid = $2, birthday = $3 where cuserid = $1', [cuserid, appid, birthday]);
    await server.sqlAsOwner('update cuserarchive set appid = $2 where cuserid = $1', [cuserid, appid]);
    return (await server.nobody(loginRespondent, { clientcode: 'entry_chenguang', username, key: studentno })).you;
  };
  expect(await addressAs('000000002', '2010-07-08')).toBe('你');
  expect(await addressAs('000000002', '1999-07-08')).toBe('你');
  expect(await addressAs('000000001', '2009-07-08')).toBe('你');
  expect(await addressAs('000000001', '1995-07-08')).toBe('您');
});

test('the support card addresses the person by age and names the helper of the place', () => {
  const facts = { now: new Date('2025-10-08T02:00:00Z'), lines: [], acceptBy: null };
  expect(supportText({ ...facts, sector: 'health', you: '你' })).toMatch(/^谢谢你愿意说出自己的感受。.*工作人员/);
  expect(supportText({ ...facts, sector: 'edu', you: '您' })).toMatch(/^谢谢您愿意说出自己的感受。.*老师/);
});
