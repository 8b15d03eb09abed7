import { expect, test } from 'vitest';
import { withScope, type SessionHash } from '#server/db/scope.ts';
import { updateAbsence } from '#features/warning/handover/handover.contract.ts';
import * as schedule from '#features/consult/schedule/schedule.contract.ts';
import { findFreeSlots } from '#features/consult/schedule/slots.queries.ts';
import { aRespondentSession } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Monday 13 October 2025 and the Sunday after it; the clock of the tests stands at Wednesday 8 October, 10:00. */
const week = { begindate: '2025-10-13', enddate: '2025-10-19' };
const mornings = { userid: 'U_CHEN', begintime: '09:00', endtime: '11:00', validfrom: '2025-09-01', room: '心语室' };

const timesOf = (slots: readonly { slotbegin: string }[]) => slots.map(({ slotbegin }) => slotbegin.slice(5));

/** Adds a booked consultation with chen. */
async function addBooking(
  { sqlAsOwner }: TestServer,
  booking: { cuserid: string; begin: string; end: string; room?: string; counsellor?: string },
): Promise<number> {
  const { cuserid, begin, end, room = '', counsellor = 'U_CHEN' } = booking;
  const [row] = await sqlAsOwner<{ consultid: number }>(
    `insert into consult (musercode, cuserid, source, status, duetime, counsellor, slotbegin, slotend, room)
     values ('M_CHENGUANG', $1, '02', '02', now(), $2, $3, $4, $5) returning consultid`,
    [cuserid, counsellor, `${begin}+08`, `${end}+08`, room],
  );
  return row!.consultid;
}

test('a counsellor enters hours for several weekdays at once, and free times follow from them', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const { timeids } = await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1, 3] });
  expect(timeids).toHaveLength(2);
  expect(timesOf(await chen(schedule.getSlotList, week))).toEqual(['10-13 09:00', '10-13 10:00', '10-15 09:00', '10-15 10:00']);
  expect((await chen(schedule.getSlotList, week))[0]).toEqual({
    counsellor: 'U_CHEN',
    counsellorname: '陈静怡',
    slotbegin: '2025-10-13 09:00',
    slotend: '2025-10-13 09:50',
    room: '心语室',
  });
  const list = await chen(schedule.getCounsellorList, {});
  expect(list.find(({ userid }) => userid === 'U_CHEN')).toMatchObject({ realname: '陈静怡', hours: 4, isown: 1, iseditable: 1 });
  expect(list.find(({ userid }) => userid === 'U_LU')).toMatchObject({ hours: 0, isown: 0, iseditable: 0 });
  expect(list.map(({ userid }) => userid)).not.toContain('U_WANG');
});

test('a person’s session finds the same free times as the staff, without the persons who booked', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const chen = server.as('chen');
  await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1] });
  await chen(schedule.insertCounsellorTime, { ...mornings, begintime: '14:00', endtime: '16:00', weekdays: [1, 2] });
  await chen(schedule.insertCounsellorOff, { userid: 'U_CHEN', begintime: '2025-10-14 00:00', endtime: '2025-10-15 00:00' });
  await addBooking(server, { cuserid: pupils[1]!.cuserid, begin: '2025-10-13 10:00', end: '2025-10-13 10:50' });
  const free = ['10-13 09:00', '10-13 14:00', '10-13 15:00'];
  expect(timesOf(await chen(schedule.getSlotList, week))).toEqual(free);
  const session = (await aRespondentSession(server, pupils[0]!.cuserid, 'linxiaoyu')) as SessionHash;
  const slots = await withScope(server.services.pools.respondent, { session }, (scope) =>
    findFreeSlots(scope, 'M_CHENGUANG', { ...week, now: server.clock.now }),
  );
  expect(slots.map(({ begin, counsellorname }) => [begin.toISOString(), counsellorname])).toEqual([
    ['2025-10-13T01:00:00.000Z', '陈静怡'],
    ['2025-10-13T06:00:00.000Z', '陈静怡'],
    ['2025-10-13T07:00:00.000Z', '陈静怡'],
  ]);
});

test('an absent counsellor and a day off of the institution have no free times', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const chen = as('chen');
  await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1, 2, 3, 4] });
  await sqlAsOwner("insert into setting (musercode, key, value) values ('M_CHENGUANG', 'workcalendar', $1)", [
    JSON.stringify({ holidays: ['2025-10-14'] }),
  ]);
  await chen(updateAbsence, { absentuntil: '2025-10-13 09:30' });
  expect(timesOf(await chen(schedule.getSlotList, week))).toEqual([
    '10-13 10:00',
    '10-15 09:00',
    '10-15 10:00',
    '10-16 09:00',
    '10-16 10:00',
  ]);
});

test('hours that overlap, end before they begin or are too short are refused at their field', async () => {
  const { as } = await startServer();
  const chen = as('chen');
  await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1] });
  const add = (more: object) => chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1], ...more });
  await expect(add({ weekdays: [2, 1], begintime: '10:59', endtime: '12:00' })).rejects.toMatchObject({
    code: 120002,
    message: '与已有排班重叠：周一 09:00–11:00',
  });
  await expect(add({ begintime: '12:00', endtime: '11:00' })).rejects.toMatchObject({ message: '结束时间应晚于开始时间' });
  await expect(add({ begintime: '12:00', endtime: '12:30' })).rejects.toMatchObject({
    message: '这段时间放不下一次 50 分钟的咨询',
  });
  await expect(add({ begintime: '12:00', endtime: '13:00', validto: '2025-09-30' })).rejects.toMatchObject({
    message: '截止日期不能早于今天',
  });
  // The refused request added none of its weekdays.
  expect((await chen(schedule.getCounsellorTimeList, {})).times).toHaveLength(1);
});

test('two colleagues who add overlapping hours at once do not both succeed', async () => {
  const { as } = await startServer();
  const add = (who: 'chen' | 'ma') => as(who)(schedule.insertCounsellorTime, { ...mornings, weekdays: [1] });
  const results = await Promise.allSettled([add('chen'), add('ma'), add('chen')]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await as('chen')(schedule.getCounsellorTimeList, {})).times).toHaveLength(1);
});

test('changing or deleting hours names the bookings that lie outside now, and keeps them', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const chen = server.as('chen');
  const [timeid] = (await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1] })).timeids as [number];
  const early = await addBooking(server, { cuserid: pupils[0]!.cuserid, begin: '2025-10-13 09:00', end: '2025-10-13 09:50' });
  const late = await addBooking(server, { cuserid: pupils[1]!.cuserid, begin: '2025-10-13 10:00', end: '2025-10-13 10:50' });
  const [row] = (await chen(schedule.getCounsellorTimeList, {})).times;
  expect(row).toMatchObject({ booked: 2, iseditable: 1 });
  const { booked } = await chen(schedule.updateCounsellorTime, { timeid, version: row!.version, begintime: '10:00' });
  expect(booked).toEqual([{ consultid: early, slotbegin: '2025-10-13 09:00' }]);
  expect((await chen(schedule.deleteCounsellorTime, { timeid })).booked).toEqual([
    { consultid: late, slotbegin: '2025-10-13 10:00' },
  ]);
  const calendar = await chen(schedule.getConsultCalendar, week);
  expect(calendar.free).toEqual([]);
  expect(calendar.bookings.map(({ username, slotbegin, status }) => [username, slotbegin, status])).toEqual([
    ['林小雨', '2025-10-13 09:00', '02'],
    ['周明', '2025-10-13 10:00', '02'],
  ]);
});

test('a time off names its bookings, and its deletion gives the times back', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' });
  const chen = server.as('chen');
  await chen(schedule.insertCounsellorTime, { ...mornings, weekdays: [1] });
  const consultid = await addBooking(server, { cuserid: pupils[0]!.cuserid, begin: '2025-10-13 09:00', end: '2025-10-13 09:50' });
  const off = { userid: 'U_CHEN', begintime: '2025-10-13 08:00', endtime: '2025-10-13 18:00', reason: '外出培训' };
  const { offid, booked } = await chen(schedule.insertCounsellorOff, off);
  expect(booked).toEqual([{ consultid, slotbegin: '2025-10-13 09:00' }]);
  const calendar = await chen(schedule.getConsultCalendar, week);
  expect(calendar).toMatchObject({ free: [], offs: [{ realname: '陈静怡', begintime: '2025-10-13 08:00' }] });
  expect(calendar.bookings).toHaveLength(1);
  await expect(chen(schedule.insertCounsellorOff, { ...off, endtime: '2025-10-13 08:00' })).rejects.toMatchObject({
    message: '结束时间应晚于开始时间',
  });
  await chen(schedule.deleteCounsellorOff, { offid });
  expect(timesOf(await chen(schedule.getSlotList, week))).toEqual(['10-13 10:00']);
});

test('a counsellor copies the week of a colleague without the room, and keeps own hours', async () => {
  const { as } = await startServer();
  await as('chen')(schedule.insertCounsellorTime, { ...mornings, weekdays: [1, 2] });
  const lu = as('lu');
  await lu(schedule.insertCounsellorTime, { ...mornings, userid: 'U_LU', begintime: '10:00', endtime: '12:00', weekdays: [2] });
  const copy = { userid: 'U_LU', colleague: 'U_CHEN', validfrom: '2025-10-13', validto: '2026-01-31' };
  const { timeids, skipped } = await lu(schedule.copyCounsellorTime, copy);
  expect([timeids.length, skipped]).toEqual([1, 1]);
  const { times } = await lu(schedule.getCounsellorTimeList, { userid: 'U_LU' });
  expect(times[0]).toMatchObject({ weekday: 1, begintime: '09:00', room: '', validfrom: '2025-10-13', validto: '2026-01-31' });
  await expect(lu(schedule.copyCounsellorTime, { ...copy, colleague: 'U_MA' })).rejects.toMatchObject({
    message: '这位同事还没有排班',
  });
});
