import { expect, test } from 'vitest';
import { addHours, shanghaiTime } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { contactChannels } from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A case of 林小雨, level 2, in counselling with chen, with one follow-up on 16 October. */
async function counselled() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const { cuserid } = pupils[0]!;
  const chen = server.as('chen');
  const { warningcode } = await chen(handling.insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '面谈核实' });
  const { interfereid } = await chen(care.insertInterfere, {
    cuserid,
    warningcode,
    kind: '01',
    minutes: 40,
    content: '首次辅导',
  });
  await chen(handling.startIntervene, { warningcode });
  const { followupids } = await chen(care.insertFollowUp, { cuserid, warningcode, duetime: '2025-10-16 17:00' });
  const logs = async () => (await chen(warning.getWarningDetail, { warningcode })).full!.logs;
  return { ...server, chen, cuserid, other: pupils[1]!.cuserid, warningcode, interfereid, followupid: followupids[0]!, logs };
}

test('a waiting follow-up can be rescheduled, and the case shows the new due time', async () => {
  const { chen, clock, logs, followupid, warningcode } = await counselled();
  await chen(care.updateFollowUp, { followupid, duetime: '2025-10-20 09:00', method: '04' });
  expect((await logs())[0]).toMatchObject({ action: '随访改期', content: '2025-10-16 17:00 → 2025-10-20 09:00；方式改为家访' });
  expect((await chen(warning.getWarningPageList, {})).rows[0]).toMatchObject({
    warningcode,
    due: { kind: 'followup', at: '2025-10-20 09:00:00' },
  });
  await expect(chen(care.updateFollowUp, { followupid, duetime: '2025-10-01 09:00' })).rejects.toMatchObject({ code: 120002 });
  await expect(chen(care.updateFollowUp, { followupid, content: '尚未见面' })).rejects.toMatchObject({ code: 140001 });
  clock.now = addHours(clock.now, 24);
  await chen(care.finishFollowUp, { followupid, content: '睡眠改善', currentlevel: 2 });
  await expect(chen(care.updateFollowUp, { followupid, duetime: '2025-10-30 09:00' })).rejects.toMatchObject({ code: 140001 });
  await chen(care.updateFollowUp, { followupid, content: '睡眠略有改善' });
  expect((await logs())[0]).toMatchObject({ action: '更正随访', content: '睡眠略有改善（原记录：睡眠改善）' });
});

test('a failed contact in a follow-up counts in the case with the way that was tried', async () => {
  const { chen, clock, sqlAsOwner, cuserid, warningcode } = await counselled();
  for (const method of ['01', '02', '03', '04'] as const) {
    clock.now = addHours(clock.now, 24);
    const inAnHour = shanghaiTime(addHours(clock.now, 1)).slice(0, 16);
    const { followupids } = await chen(care.insertFollowUp, { cuserid, warningcode, duetime: inAnHour });
    await chen(care.finishFollowUp, { followupid: followupids[0]!, status: '04', method, content: '没有联系上' });
  }
  const [row] = await sqlAsOwner<{ contacttries: { channel: string }[] }>(
    'select contacttries from warning where warningcode = $1',
    [warningcode],
  );
  expect(row!.contacttries.map(({ channel }) => contactChannels[channel as keyof typeof contactChannels])).toEqual([
    '当面',
    '电话',
    '短信或即时消息',
    '当面',
  ]);
});

test('a waiting follow-up can be deleted; a completed one cannot, and an observed case keeps its next follow-up', async () => {
  const { chen, followupid, warningcode, cuserid } = await counselled();
  const { followupids } = await chen(care.insertFollowUp, { cuserid, warningcode, duetime: '2025-10-23 17:00' });
  await expect(chen(handling.observe, { warningcode })).rejects.toMatchObject({ message: '须先完成访谈评估' });
  await chen(handling.insertRiskAssess, { warningcode, ideation: 0, attempthistory: 0, support: 2, conclusionlevel: 1 });
  await chen(handling.observe, { warningcode });
  await chen(care.deleteFollowUp, { followupid });
  await expect(chen(care.deleteFollowUp, { followupid: followupids[0]! })).rejects.toMatchObject({ code: 130003 });
  await chen(care.finishFollowUp, { followupid: followupids[0]!, content: '已见面' });
  await expect(chen(care.deleteFollowUp, { followupid: followupids[0]! })).rejects.toMatchObject({
    code: 130003,
    message: '已登记的随访是处置记录，不能删除；填错的请修改',
  });
});

test('an intervention can be edited by its author only, and the history keeps the old text', async () => {
  const { chen, as, interfereid, logs, warningcode } = await counselled();
  await expect(as('lu')(care.updateInterfere, { interfereid, content: '别人的话' })).rejects.toMatchObject({ code: 140001 });
  await chen(care.updateInterfere, { interfereid, minutes: 50 });
  expect((await logs())[0]).toMatchObject({
    action: '更正干预',
    content: '心理辅导 50 分钟：首次辅导（原记录：心理辅导 40 分钟：首次辅导）',
  });
  await expect(chen(care.deleteInterfere, { interfereid, reason: '重复登记' })).rejects.toMatchObject({
    message: '干预中的个案须至少保留一条干预记录或安全计划',
  });
  const { cuserid } = await chen(warning.getWarningDetail, { warningcode });
  await chen(care.insertInterfere, { cuserid, warningcode, kind: '05', content: '与家长沟通', begintime: '2025-10-09 09:00' });
  await chen(care.deleteInterfere, { interfereid, reason: '重复登记' });
  expect((await logs())[0]).toMatchObject({ action: '删除干预', content: expect.stringContaining('重复登记') });
  expect((await chen(warning.getWarningDetail, { warningcode })).full!.interferes.map(({ kind }) => kind)).toEqual(['05']);
});

test('the care records of a closed case cannot be changed', async () => {
  const { chen, interfereid, followupid, warningcode } = await counselled();
  const receiver = { receiver: '云栖市第二中学', person: '何老师', phone: '0571-88880000' };
  await chen(special.transferWarning, { warningcode, ...receiver, content: '已转学，材料移交对方学校' });
  await chen(special.receiveWarning, { warningcode, content: '何老师 10月10日 电话确认收到' });
  await chen(handling.closeWarning, { warningcode, closereason: '03', closenote: '已转学，材料移交对方学校' });
  for (const work of [
    () => chen(care.updateInterfere, { interfereid, content: '事后' }),
    () => chen(care.deleteFollowUp, { followupid }),
    () => chen(care.updateFollowUp, { followupid, method: '01' as const }),
  ])
    await expect(work()).rejects.toMatchObject({ code: 140001 });
});
