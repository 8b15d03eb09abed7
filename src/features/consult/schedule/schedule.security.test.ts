import { expect, test } from 'vitest';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as schedule from '#features/consult/schedule/schedule.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const week = { begindate: '2025-10-13', enddate: '2025-10-19' };
const mornings = { userid: 'U_CHEN', begintime: '09:00', endtime: '11:00', validfrom: '2025-09-01', weekdays: [1] };
const off = { userid: 'U_CHEN', begintime: '2025-10-20 08:00', endtime: '2025-10-20 18:00' };

test('a counsellor changes the own hours only; with 用户管理 also those of colleagues', async () => {
  const { as } = await startServer();
  const [chen, lu, ma] = [as('chen'), as('lu'), as('ma')];
  await expect(lu(schedule.insertCounsellorTime, mornings)).rejects.toMatchObject({ code: 110004 });
  const [timeid] = (await ma(schedule.insertCounsellorTime, mornings)).timeids as [number];
  const { offid } = await chen(schedule.insertCounsellorOff, off);
  const { times, offs } = await lu(schedule.getCounsellorTimeList, {});
  expect([times[0]?.iseditable, offs[0]?.iseditable]).toEqual([0, 0]);
  await expect(lu(schedule.updateCounsellorTime, { timeid, endtime: '12:00' })).rejects.toMatchObject({ code: 110004 });
  await expect(lu(schedule.deleteCounsellorTime, { timeid })).rejects.toMatchObject({ code: 110004 });
  await expect(lu(schedule.insertCounsellorOff, off)).rejects.toMatchObject({ code: 110004 });
  await expect(lu(schedule.deleteCounsellorOff, { offid })).rejects.toMatchObject({ code: 110004 });
  await expect(
    lu(schedule.copyCounsellorTime, { userid: 'U_CHEN', colleague: 'U_LU', validfrom: '2025-10-13' }),
  ).rejects.toMatchObject({ code: 110004 });
  await chen(schedule.updateCounsellorTime, { timeid, endtime: '12:00' });
  await ma(schedule.deleteCounsellorOff, { offid });
});

test('staff without the rights of a counsellor cannot get hours', async () => {
  const { as } = await startServer();
  await expect(as('ma')(schedule.insertCounsellorTime, { ...mornings, userid: 'U_WANG' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(as('wang')(schedule.insertCounsellorTime, { ...mornings, userid: 'U_WANG' })).rejects.toMatchObject({
    code: 110004,
  });
});

test('another institution sees neither hours nor free times; the provider above names the institution', async () => {
  const { as } = await startServer();
  const [timeid] = (await as('chen')(schedule.insertCounsellorTime, mornings)).timeids as [number];
  const school = { musercode: 'M_CHENGUANG' };
  const qiao = as('qiao');
  expect(await qiao(schedule.getSlotList, { ...week, ...school })).toEqual([]);
  expect(await qiao(schedule.getCounsellorList, school)).toEqual([]);
  expect(await qiao(schedule.getCounsellorTimeList, school)).toEqual({ times: [], offs: [] });
  expect(await qiao(schedule.getConsultCalendar, { ...week, ...school })).toEqual({ bookings: [], free: [], offs: [] });
  await expect(qiao(schedule.deleteCounsellorTime, { timeid })).rejects.toMatchObject({ code: 130001 });
  await expect(qiao(schedule.insertCounsellorTime, mornings)).rejects.toMatchObject({ code: 130001 });
  expect(await as('fang')(schedule.getSlotList, { ...week, ...school })).toHaveLength(2);
  expect(await as('fang')(schedule.getSlotList, week)).toEqual([]);
});

test('staff whom a case suspects see the time as taken and nothing of the booking', async () => {
  const { as, sqlAsOwner, ...server } = await startServer();
  const { pupils } = await addClass(
    { ...server, as, sqlAsOwner },
    { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' },
  );
  const { cuserid } = pupils[0]!;
  const chen = as('chen');
  await chen(schedule.insertCounsellorTime, mornings);
  const { warningcode } = await chen(handling.insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await sqlAsOwner("update warning set suspectuserids = '{U_LU}' where warningcode = $1", [warningcode]);
  await sqlAsOwner(
    `insert into consult (musercode, cuserid, source, status, duetime, counsellor, slotbegin, slotend, warningcode)
     values ('M_CHENGUANG', $1, '03', '02', now(), 'U_CHEN', '2025-10-13 09:00+08', '2025-10-13 09:50+08', $2)`,
    [cuserid, warningcode],
  );
  const seenBy = async (who: 'chen' | 'lu') => {
    const { bookings, free } = await as(who)(schedule.getConsultCalendar, week);
    const [row] = (await as(who)(schedule.getCounsellorTimeList, {})).times;
    return {
      persons: bookings.map(({ username }) => username),
      free: free.map(({ slotbegin }) => slotbegin),
      booked: row?.booked,
    };
  };
  expect(await seenBy('chen')).toEqual({ persons: ['林小雨'], free: ['2025-10-13 10:00'], booked: 1 });
  expect(await seenBy('lu')).toEqual({ persons: [], free: ['2025-10-13 10:00'], booked: 0 });
});
