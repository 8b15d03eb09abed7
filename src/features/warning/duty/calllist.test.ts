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
  const calls = await as('fang')(callList.getCallList, {});
  expect(calls.map((call) => [call.realname, call.kind])).toEqual([
    ['陈静怡', 'call'],
    ['值班员', 'call'],
    ['陆远', 'call'],
    ['马主任', 'call'],
    ['王班主任', 'call'],
  ]);
  expect(calls.every((call) => call.warningcodes.join() === warningcode)).toBe(true);
  expect(await sqlAsOwner('select distinct text from calllist')).toEqual([{ text: '有预警待处理，请登录' }]);
  expect(JSON.stringify(calls)).not.toContain('林小雨');
  // Lu is at work and need not be called.
  expect((await as('lu')(duty.getDutyList, {})).calls).toBe(4);
  expect((await as('wang')(duty.getDutyList, {})).calls).toBe(0);
  expect((await as('qiao')(callList.getCallList, {})).length).toBe(0);
  expect(await sqlAsOwner('select count(*)::int as n from outbox where donetime is null')).toEqual([{ n: 0 }]);
});

test('a case of level 3 asks for short messages, and an ordinary case of level 2 for none', async () => {
  const alert = await school(3);
  const calls = await alert.as('fang')(callList.getCallList, {});
  expect(calls.map((call) => [call.realname, call.kind])).toEqual([
    ['陈静怡', 'sms'],
    ['值班员', 'sms'],
    ['陆远', 'sms'],
  ]);
  const focus = await school(2);
  expect(await focus.as('chen')(callList.getCallList, {})).toEqual([]);
});

test('an entry ends when somebody acknowledges it, once, or when the colleague reads the notice', async () => {
  const { as, clock, warningcode } = await school(4);
  clock.now = new Date(clock.now.getTime() + 60_000);
  const calls = await as('fang')(callList.getCallList, {});
  const callidsOf = (realname: string) => calls.find((call) => call.realname === realname)?.callids ?? [];
  await as('lu')(callList.ackCall, { callids: callidsOf('陈静怡') });
  await expect(as('ma')(callList.ackCall, { callids: callidsOf('陈静怡') })).rejects.toThrow('待拨记录');
  await expect(as('qiao')(callList.ackCall, { callids: callidsOf('陆远') })).rejects.toThrow('待拨记录');
  await as('duty')(notice.readNotice, { warningcode });
  expect((await as('fang')(callList.getCallList, {})).map((call) => call.realname)).toEqual(['陆远', '马主任', '王班主任']);
});

test('after the case is accepted handlers need no call, but leaders and the class teacher do', async () => {
  const { as, clock, warningcode } = await school(4);
  clock.now = new Date(clock.now.getTime() + 60_000);
  await as('lu')(handling.acceptWarning, { warningcode });
  expect((await as('fang')(callList.getCallList, {})).map((call) => call.realname)).toEqual(['马主任', '王班主任']);
});

test('a colleague with two cases is called once, and news after the call asks for another', async () => {
  const server = await school(4);
  const { as, clock, services, report, sqlAsOwner } = server;
  const later = async () => {
    clock.now = new Date(clock.now.getTime() + 60_000);
    await report();
    await deliverMessages(services);
    return as('fang')(callList.getCallList, {});
  };
  await later();
  expect(await sqlAsOwner('select count(*)::int as n from calllist')).toEqual([{ n: 5 }]);
  const other = await aStudent(server, { username: '周明', studentno: 'Z1' });
  await as('fang')(handling.insertWarning, { cuserid: other.cuserid, level: 3, content: '同学反映其多次说不想活了' });
  await deliverMessages(services);
  const calls = await as('fang')(callList.getCallList, {});
  expect(calls.map((call) => [call.realname, call.kind, call.warningcodes.length])).toEqual([
    ['陈静怡', 'call', 2],
    ['值班员', 'call', 2],
    ['陆远', 'call', 2],
    ['马主任', 'call', 1],
    ['王班主任', 'call', 1],
  ]);
  await as('lu')(callList.ackCall, { callids: calls[0]!.callids });
  await as('duty')(notice.readNotice, {});
  expect(await as('fang')(callList.getCallList, {})).toHaveLength(3);
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
  expect((await as('fang')(callList.getCallList, {})).map((call) => call.realname)).toEqual(['陆远']);
});
