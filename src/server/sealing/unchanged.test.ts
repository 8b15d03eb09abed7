import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('saving a form with the same sealed text is no edit of the text', async () => {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const chen = server.as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' });
  const { cuserid } = pupils[0]!;
  const marksOf = async (table: string) =>
    (await server.sqlAsOwner<{ fields: string[] }>(`select array(select jsonb_object_keys(edits)) as fields from ${table}`)).map(
      ({ fields }) => fields,
    );

  const { interfereid } = await chen(care.insertInterfere, { cuserid, kind: '01', minutes: 40, content: '首次辅导' });
  await chen(care.updateInterfere, { interfereid, content: '首次辅导', minutes: 45 });
  expect(await marksOf('interfere')).toEqual([['minutes']]);
  await chen(care.updateInterfere, { interfereid, content: '首次辅导，约定下周再谈' });
  expect((await marksOf('interfere'))[0]!.sort()).toEqual(['content', 'minutes']);

  const { followupids } = await chen(care.insertFollowUp, { cuserid, duetime: '2025-10-16 17:00' });
  const followupid = followupids[0]!;
  server.clock.now = addHours(server.clock.now, 1);
  await chen(care.finishFollowUp, { followupid, content: '睡眠改善', currentlevel: 2, nextduetime: '2025-10-23 17:00' });
  await server.sqlAsOwner(`update followup set edits = '{}' where followupid = ${followupid}`);
  await chen(care.updateFollowUp, { followupid, content: '睡眠改善', method: '04' });
  expect(await marksOf(`followup where followupid = ${followupid}`)).toEqual([['method']]);

  const ma = server.as('ma');
  const facts = { sysusername: 'wumin', realname: '吴敏', remark: '每周二下午值班' };
  const { userid } = await ma(user.insertUser, { ...facts, roleids: [] });
  await ma(user.updateUser, { userid, remark: '每周二下午值班', post: '德育干事' });
  expect(await marksOf(`sysuser where userid = '${userid}'`)).toEqual([['post', 'roleids']]);
});
