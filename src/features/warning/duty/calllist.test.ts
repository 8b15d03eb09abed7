import { expect, test } from 'vitest';
import { deliverMessages } from '#features/warning/alerts/deliver.ts';
import * as callList from '#features/warning/duty/calllist.contract.ts';
import * as duty from '#features/warning/duty/duty.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import { aClassOf, aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 with a case that its provider has reported and whose messages the job has delivered. */
async function school(level: number, deliver = true) {
  const server = await startServer();
  const student = await aStudent(server);
  await aClassOf(server, [student.cuserid], { owneruserid: 'U_WANG' });
  const report = () =>
    server.as('fang')(handling.insertWarning, { cuserid: student.cuserid, level, content: '同学反映其多次说不想活了' });
  const { warningcode } = await report();
  if (deliver) await deliverMessages(server.services);
  return { ...server, student, warningcode, report };
}

test('a crisis puts a call to every handler, leader and class teacher on the call list, and no text names the student', async () => {
  const { as, warningcode, sqlAsOwner } = await school(4);
  const calls = await as('chen')(callList.getCallList, {});
  expect(calls.map((call) => [call.realname, call.kind])).toEqual([
    ['陈静怡', 'call'],
    ['值班员', 'call'],
    ['陆远', 'call'],
    ['马主任', 'call'],
    ['王班主任', 'call'],
  ]);
  expect(calls.every((call) => call.text === '有预警待处理，请登录' && call.warningcode === warningcode)).toBe(true);
  expect(JSON.stringify(calls)).not.toContain('林小雨');
  expect((await as('lu')(duty.getDutyList, {})).calls).toBe(5);
  expect((await as('wang')(duty.getDutyList, {})).calls).toBe(0);
  expect((await as('qiao')(callList.getCallList, {})).length).toBe(0);
  expect(await sqlAsOwner('select count(*)::int as n from outbox where donetime is null')).toEqual([{ n: 0 }]);
});

test('a case of level 3 asks for short messages, and an ordinary case of level 2 for none', async () => {
  const alert = await school(3);
  const calls = await alert.as('chen')(callList.getCallList, {});
  expect(calls.map((call) => [call.realname, call.kind])).toEqual([
    ['陈静怡', 'sms'],
    ['值班员', 'sms'],
    ['陆远', 'sms'],
  ]);
  const focus = await school(2);
  expect(await focus.as('chen')(callList.getCallList, {})).toEqual([]);
});

test('an entry ends when somebody acknowledges it, once, or when the colleague reads the notice or works on the case', async () => {
  const { as, clock, warningcode } = await school(4);
  clock.now = new Date(clock.now.getTime() + 60_000);
  const [first] = await as('chen')(callList.getCallList, {});
  await as('lu')(callList.ackCall, { callid: first!.callid });
  await expect(as('ma')(callList.ackCall, { callid: first!.callid })).rejects.toThrow('待拨记录');
  await expect(as('qiao')(callList.ackCall, { callid: first!.callid + 1 })).rejects.toThrow('待拨记录');
  await as('duty')(notice.readNotice, { warningcode });
  await as('lu')(handling.acceptWarning, { warningcode });
  expect((await as('chen')(callList.getCallList, {})).map((call) => call.realname)).toEqual(['马主任', '王班主任']);
});

test('a second piece of news before the first call does not double the entry, and one after it asks for a new call', async () => {
  const { as, clock, services, report } = await school(4);
  const later = async () => {
    clock.now = new Date(clock.now.getTime() + 60_000);
    await report();
    await deliverMessages(services);
    return as('chen')(callList.getCallList, {});
  };
  const calls = await later();
  expect(calls).toHaveLength(5);
  await as('lu')(callList.ackCall, { callid: calls[0]!.callid });
  await as('duty')(notice.readNotice, {});
  expect(await as('chen')(callList.getCallList, {})).toHaveLength(3);
  expect(await later()).toHaveLength(5);
});

test('a gateway gets each message once, and what it refuses goes to the call list', async () => {
  const { as, services } = await school(4, false);
  const sent: string[] = [];
  const messages = {
    send: (_: unknown, message: { userid: string; text: string }) => {
      if (message.userid === 'U_LU') return Promise.reject(new Error('no credit'));
      sent.push(`${message.userid} ${message.text}`);
      return Promise.resolve();
    },
  };
  await Promise.all([deliverMessages({ ...services, messages }), deliverMessages({ ...services, messages })]);
  expect(sent.sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_MA', 'U_WANG'].map((userid) => `${userid} 有预警待处理，请登录`));
  expect((await as('chen')(callList.getCallList, {})).map((call) => call.realname)).toEqual(['陆远']);
});
