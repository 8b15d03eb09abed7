import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import * as person from '#features/consult/person/person.contract.ts';
import { sendConsultReminders } from '#features/consult/remind/remind.ts';
import { deliverNotices } from '#features/notice/channel/deliver.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { aConsult } from '#testing/factories.ts';
import type { Person } from '#testing/people.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 on Wednesday, 8 October 2025, 10:00, with waiting registrations of 林小雨 and 周明. */
async function counsellingRoom() {
  const server = await startServer({ now: '2025-10-08T02:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const [lin, zhou] = pupils.map(({ cuserid }) => cuserid) as [string, string];
  const at = async (time: string) => {
    server.clock.now = fromShanghai(time);
    expect(await sendConsultReminders(server.services, server.clock.now)).toEqual([]);
  };
  const notices = async (who: Person = 'chen') => (await server.as(who)(getNoticePageList, { pageSize: 100 })).rows;
  const reminders = async (who: Person = 'chen') =>
    (await notices(who))
      .map(({ title }) => title)
      .filter((title) => title.endsWith('有一次咨询'))
      .reverse();
  return {
    ...server,
    pupils,
    chen: server.as('chen'),
    lin,
    zhou,
    at,
    notices,
    reminders,
    consultid: await aConsult(server, lin),
    other: await aConsult(server, zhou),
  };
}

/** A booking with chen from that time on, 50 minutes. */
const withChen = (slotbegin: string, more: { room?: string; consulttype?: '04' } = {}) => ({
  counsellor: 'U_CHEN',
  slotbegin,
  slotend: `${slotbegin.slice(0, 14)}50`,
  ...more,
});

test('a counsellor is reminded once a day before and once two hours before, without the name of the person', async () => {
  const { chen, at, consultid, notices, reminders } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00', { room: '心语室' }) });
  await at('2025-10-09 13:59');
  expect(await reminders()).toEqual([]);
  await at('2025-10-09 14:00');
  await at('2025-10-09 14:01');
  await at('2025-10-10 11:59');
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询']);
  await at('2025-10-10 12:00');
  await at('2025-10-10 12:01');
  await at('2025-10-10 14:10');
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询', '今天 14:00 有一次咨询']);
  const [last] = (await notices()).filter(({ title }) => title.startsWith('今天'));
  expect(last).toMatchObject({
    content: '地点：心语室；方式：面谈。请提醒对方。',
    link: `/registration/registrationForm?open=${consultid}`,
  });
  expect(JSON.stringify(await notices())).not.toContain('林小雨');
});

test('two servers that run the job at once send one reminder', async () => {
  const { chen, services, consultid, reminders } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  const now = fromShanghai('2025-10-09 15:00');
  await Promise.all([sendConsultReminders(services, now), sendConsultReminders(services, now)]);
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询']);
});

test('a moved booking is reminded of at its new time, also when it returns to the first one', async () => {
  const { chen, at, consultid, reminders } = await counsellingRoom();
  const first = withChen('2025-10-11 14:00');
  await chen(booking.appointConsult, { consultid, ...first });
  await at('2025-10-10 14:00');
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-13 09:00') });
  await at('2025-10-11 12:30');
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询']);
  await at('2025-10-12 09:30');
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询', '明天 09:00 有一次咨询']);
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-14 16:00') });
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-13 09:00') });
  await at('2025-10-13 07:00');
  expect(await reminders()).toHaveLength(3);
});

test('a cancelled booking, and one made less than two hours before, have no reminder', async () => {
  const { chen, at, consultid, other, reminders } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  await chen(booking.cancelConsult, { consultid, reason: '学生请假' });
  await chen(booking.appointConsult, { consultid: other, ...withChen('2025-10-08 11:00') });
  for (const time of ['2025-10-08 10:05', '2025-10-08 10:50', '2025-10-09 14:00', '2025-10-10 12:00']) await at(time);
  expect(await reminders()).toEqual([]);
});

test('a group session has one reminder for all its persons', async () => {
  const { chen, at, consultid, other, reminders } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00', { consulttype: '04' }) });
  await chen(booking.appointConsult, {
    consultid: other,
    groupid: consultid,
    ...withChen('2025-10-10 14:00', { consulttype: '04' }),
  });
  await at('2025-10-09 14:00');
  expect(await reminders()).toEqual(['明天 14:00 有一次咨询']);
});

test('a counsellor whom the person’s open case suspects gets no reminder and no notice of a change', async () => {
  const { as, at, consultid, lin, notices } = await counsellingRoom();
  await as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  await as('lu')(handling.insertWarning, { cuserid: lin, level: 2, content: '同学反映常常独自哭泣', suspectuserid: 'U_CHEN' });
  const before = (await notices()).length;
  await at('2025-10-09 14:00');
  await as('ma')(booking.cancelConsult, { consultid, reason: '改由他人接待' });
  expect(await notices()).toHaveLength(before);
});

test('a colleague who books, moves or cancels for a counsellor tells that counsellor, and nobody hears of own bookings', async () => {
  const { chen, as, consultid, other, notices } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid: other, ...withChen('2025-10-09 09:00') });
  expect(await notices()).toEqual([]);
  await as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  await as('ma')(booking.appointConsult, { consultid, ...withChen('2025-10-10 15:00') });
  await as('ma')(booking.cancelConsult, { consultid, reason: '学生请假' });
  const titles = (await notices()).map(({ title }) => title);
  expect(titles.sort()).toEqual(['同事为您预约了咨询', '您的一次咨询预约由同事取消', '您的一次咨询预约由同事改期'].sort());
  expect(await notices('lu')).toEqual([]);
  expect(JSON.stringify(await notices())).not.toMatch(/林小雨|学生请假/);
});

test('applications of persons are announced to the counsellors once an hour, without a name', async () => {
  const { pupils, ...server } = await counsellingRoom();
  const answers = { consultdate: '2025-10-08 10:00', topics: ['02'], duration: 2, before: '0', detail: '最近睡不好' };
  for (const { username, studentno } of pupils) {
    const { token } = await server.nobody(respond.loginRespondent, {
      clientcode: 'entry_chenguang',
      username,
      key: studentno,
    });
    await server.withToken(token)(person.applyConsult, { formcode: 'CONSULTREG', answers });
  }
  for (const who of ['chen', 'lu'] as const)
    expect((await server.notices(who)).map(({ title }) => title)).toEqual(['有新的咨询申请']);
  expect(JSON.stringify(await server.notices())).not.toMatch(/林小雨|周明|睡不好/);
});

test('overdue registrations are announced once a day with their number, from eight in the morning', async () => {
  const { at, notices } = await counsellingRoom();
  const overdue = async () => (await notices()).filter(({ title }) => title.includes('逾期')).map(({ title }) => title);
  await at('2025-10-10 08:30');
  expect(await overdue()).toEqual([]);
  await at('2025-10-11 07:59');
  expect(await overdue()).toEqual([]);
  await at('2025-10-11 08:00');
  await at('2025-10-11 15:00');
  expect(await overdue()).toEqual(['2 个咨询登记已逾期未受理']);
  await at('2025-10-12 08:00');
  expect(await overdue()).toHaveLength(2);
});

test('the reminder two hours before a conversation after midnight leaves in quiet hours', async () => {
  const { as, at, clock, services, consultid, reminders, sqlAsOwner } = await counsellingRoom();
  await as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-11 00:00') });
  await at('2025-10-10 22:30');
  expect(await reminders()).toEqual(['明天 00:00 有一次咨询']);
  await deliverNotices(services, clock.now);
  expect(await sqlAsOwner("select title from notification where title like '%有一次咨询' and sendtime is not null")).toEqual([]);
});

test('a reminder of the same day leaves in quiet hours; that of the day before waits', async () => {
  const { chen, as, at, clock, services, consultid, other, sqlAsOwner } = await counsellingRoom();
  await as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-10 06:30') });
  await chen(booking.appointConsult, { consultid: other, ...withChen('2025-10-11 06:00') });
  const waiting = async () => {
    await deliverNotices(services, clock.now);
    return (
      await sqlAsOwner<{ title: string }>(
        "select title from notification where title like '%有一次咨询' and sendtime is not null order by id",
      )
    ).map(({ title }) => title);
  };
  await at('2025-10-10 04:30');
  expect(await waiting()).toEqual([]);
  await at('2025-10-10 06:00');
  expect(await waiting()).toEqual(['明天 06:00 有一次咨询']);
});
