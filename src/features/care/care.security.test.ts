import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A case of 林小雨 in counselling with chen. chen has recorded the first follow-up; the second is waiting. */
async function counselled() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], owneruserid: 'U_WANG' });
  const { cuserid } = pupils[0]!;
  const chen = server.as('chen');
  const { warningcode } = await chen(handling.insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '面谈核实' });
  const { interfereid } = await chen(care.insertInterfere, { cuserid, warningcode, kind: '01', content: '首次辅导' });
  await chen(handling.startIntervene, { warningcode });
  const { followupids } = await chen(care.insertFollowUp, {
    cuserid,
    warningcode,
    duetime: '2025-10-16 17:00',
    repeat: { everydays: 7, times: 2 },
  });
  const [followupid, waiting] = followupids as [number, number];
  server.clock.now = addHours(server.clock.now, 1);
  await chen(care.finishFollowUp, { followupid, content: '情绪平稳', currentlevel: 1 });
  return { ...server, chen, cuserid, other: pupils[1]!.cuserid, warningcode, interfereid, followupid, waiting };
}

test('a follow-up record can be corrected by its author and by the school’s own account, not by a colleague or a provider', async () => {
  const server = await counselled();
  const { as, chen, withToken, followupid, interfereid, waiting, sqlAsOwner } = server;
  await expect(as('lu')(care.updateFollowUp, { followupid, content: '无任何异常' })).rejects.toMatchObject({ code: 140001 });
  const tokens = await createOwnAccounts(server);
  const provider = withToken(tokens['002']);
  for (const call of [
    () => provider(care.updateFollowUp, { followupid, content: '无任何异常' }),
    () => provider(care.updateInterfere, { interfereid, content: '无任何异常' }),
    () => provider(care.deleteInterfere, { interfereid, reason: '清理记录' }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 140001 });
  expect(await sqlAsOwner('select content from followup where followupid = $1', [followupid])).toEqual([{ content: '情绪平稳' }]);
  await chen(care.updateFollowUp, { followupid, content: '情绪基本平稳' });
  // Any handler may change a waiting follow-up.
  await as('lu')(care.updateFollowUp, { followupid: waiting, method: '04' });
});

test('care records cannot be opened by number from another school or by a class teacher, nor moved to another student’s case', async () => {
  const { as, chen, cuserid, other, warningcode, interfereid, followupid, waiting } = await counselled();
  for (const who of ['qiao', 'wang', 'lin'] as const)
    for (const call of [
      () => as(who)(care.updateFollowUp, { followupid: waiting, method: '01' as const }),
      () => as(who)(care.deleteFollowUp, { followupid: waiting }),
      () => as(who)(care.finishFollowUp, { followupid: waiting, content: '已见面' }),
      () => as(who)(care.updateInterfere, { interfereid, content: '别人的话' }),
      () => as(who)(care.deleteInterfere, { interfereid, reason: '清理记录' }),
      () => as(who)(care.updateFollowUp, { followupid, content: '别人的话' }),
    ])
      await expect(call()).rejects.toSatisfy(({ code }: { code: number }) => code === 130001 || code === 110004);
  await expect(chen(care.insertInterfere, { cuserid: other, warningcode, kind: '01', content: '串号' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(chen(care.insertFollowUp, { cuserid: other, warningcode, duetime: '2025-10-20 09:00' })).rejects.toMatchObject({
    code: 130001,
  });
  expect((await chen(warning.getWarningDetail, { warningcode })).cuserid).toBe(cuserid);
});

test('a closed case accepts no follow-up, intervention or letter until it is reopened', async () => {
  const { chen, cuserid, warningcode, sqlAsOwner } = await counselled();
  const receiver = { receiver: '云栖市第二中学', person: '何老师', phone: '0571-88880000' };
  await chen(special.transferWarning, { warningcode, ...receiver, content: '已转学，材料移交对方学校' });
  await expect(
    chen(handling.closeWarning, { warningcode, closereason: '03', closenote: '已转学，材料移交对方学校' }),
  ).rejects.toMatchObject({
    message: '接收方已确认接收',
  });
  await chen(special.receiveWarning, { warningcode, content: '何老师 10月10日 电话确认收到' });
  await chen(handling.closeWarning, { warningcode, closereason: '03', closenote: '已转学，材料移交对方学校' });
  const before = await sqlAsOwner('select state, nextdue, referred, version from warning');
  for (const call of [
    () => chen(care.insertFollowUp, { cuserid, warningcode, duetime: '2025-11-20 09:00' }),
    () => chen(care.insertInterfere, { cuserid, warningcode, kind: '01', content: '事后补记' }),
    () => chen(handling.insertReferral, { warningcode, tohospital: '云栖市第七人民医院', reason: '事后补开' }),
    () => chen(handling.updateWarningLevel, { warningcode, level: 1, reason: '降级' }),
    () => chen(handling.observe, { warningcode }),
    () => chen(handling.startIntervene, { warningcode }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 140001 });
  expect(await sqlAsOwner('select state, nextdue, referred, version from warning')).toEqual(before);
});

test('a colleague whom the open case suspects cannot change an intervention of the person that belongs to no case', async () => {
  const { as, chen, other, clock } = await counselled();
  const { interfereid } = await as('lu')(care.insertInterfere, { cuserid: other, kind: '01', content: '课后谈话' });
  clock.now = addHours(clock.now, 1);
  await chen(handling.insertWarning, { cuserid: other, level: 2, content: '家长反映有人欺负', suspectuserid: 'U_LU' });
  for (const call of [
    () => as('lu')(care.updateInterfere, { interfereid, content: '没有异常' }),
    () => as('lu')(care.deleteInterfere, { interfereid, reason: '填错' }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 130001 });
});
