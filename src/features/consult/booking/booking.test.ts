import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { updateAbsence } from '#features/warning/handover/handover.contract.ts';
import { aConsult } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 on Wednesday, 8 October 2025, 10:00, with waiting registrations of 林小雨 and 周明. */
async function counsellingRoom() {
  const server = await startServer({ now: '2025-10-08T02:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const [lin, zhou] = pupils.map(({ cuserid }) => cuserid) as [string, string];
  const row = async (consultid: number) =>
    (await server.sqlAsOwner<Record<string, unknown>>('select * from consult where consultid = $1', [consultid]))[0]!;
  const logOf = async (consultid: number) =>
    (
      await server.sqlAsOwner<{ musercode: string; action: string; content: string | null }>(
        'select musercode, action, content from consultlog where consultid = $1 order by logid',
        [consultid],
      )
    ).map(({ musercode, action, content }) =>
      content === null ? action : `${action} ${server.services.cipher.decrypt(musercode, 'consultlog.content', content)}`,
    );
  const at = (time: string) => {
    server.clock.now = fromShanghai(time);
  };
  const chen = server.as('chen');
  return {
    ...server,
    chen,
    at,
    lin,
    zhou,
    row,
    logOf,
    consultid: await aConsult(server, lin),
    other: await aConsult(server, zhou),
  };
}

/** A booking with chen from that time on, 50 minutes. */
const withChen = (slotbegin: string, more: { room?: string; weeks?: number; consulttype?: '01' | '02' | '03' | '04' } = {}) => ({
  counsellor: 'U_CHEN',
  slotbegin,
  slotend: `${slotbegin.slice(0, 11)}${slotbegin.slice(11, 13)}:50`,
  ...more,
});

test('a waiting registration is booked, moved and cancelled, and its log says each step', async () => {
  const { chen, consultid, row, logOf } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00', { room: '咨询室1', consulttype: '02' }) });
  expect(await row(consultid)).toMatchObject({
    status: '02',
    counsellor: 'U_CHEN',
    slotbegin: fromShanghai('2025-10-09 14:00'),
    slotend: fromShanghai('2025-10-09 14:50'),
    room: '咨询室1',
    consulttype: '02',
    bookedby: '02',
  });
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 15:00') });
  expect(await row(consultid)).toMatchObject({ slotbegin: fromShanghai('2025-10-10 15:00'), room: '' });
  await chen(booking.cancelConsult, { consultid, reason: '学生请假' });
  expect(await row(consultid)).toMatchObject({ status: '04', cancelby: '02', cancelreason: '学生请假' });
  expect(await logOf(consultid)).toEqual([
    '预约 2025-10-09 14:00–14:50 · 陈静怡 · 咨询室1 · 电话',
    '改期 2025-10-09 14:00–14:50 → 2025-10-10 15:00–15:50 · 陈静怡 · 电话',
    '取消 学生请假',
  ]);
  await expect(chen(booking.appointConsult, { consultid, ...withChen('2025-10-11 14:00') })).rejects.toMatchObject({
    code: 140001,
  });
  await expect(chen(booking.cancelConsult, { consultid, reason: '再次' })).rejects.toMatchObject({ code: 140001 });
});

test('a moved booking is reminded of anew', async () => {
  const { chen, consultid, row, sqlAsOwner } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00') });
  await sqlAsOwner('update consult set remindedday = 1, remindedhour = 1 where consultid = $1', [consultid]);
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  expect(await row(consultid)).toMatchObject({ remindedday: 0, remindedhour: 0 });
});

test('counsellor, person and room have one booking at a time, and the refusal names which', async () => {
  const server = await counsellingRoom();
  const { chen, as, lin, consultid, other } = server;
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00', { room: '咨询室1' }) });
  const overlapping = { slotbegin: '2025-10-09 14:30', slotend: '2025-10-09 15:20' };
  await expect(chen(booking.appointConsult, { consultid: other, counsellor: 'U_CHEN', ...overlapping })).rejects.toMatchObject({
    code: 140001,
    message: '该咨询师在这个时间已有预约',
  });
  await expect(
    chen(booking.appointConsult, { consultid: other, counsellor: 'U_LU', room: '咨询室1', ...overlapping }),
  ).rejects.toMatchObject({ code: 140001, message: '该咨询室在这个时间已有预约' });
  const second = await aConsult(server, lin);
  await expect(chen(booking.appointConsult, { consultid: second, counsellor: 'U_LU', ...overlapping })).rejects.toMatchObject({
    code: 140001,
    message: '该受测者在这个时间已有预约',
  });
  await as('lu')(booking.appointConsult, { consultid: other, counsellor: 'U_LU', room: '咨询室2', ...overlapping });
  // The next booking may begin when the first one ends.
  const third = await aConsult(server, lin);
  await chen(booking.appointConsult, {
    consultid: third,
    counsellor: 'U_CHEN',
    slotbegin: '2025-10-09 14:50',
    slotend: '2025-10-09 15:30',
  });
});

test('a weekly series is booked as a whole or not at all, and the refusal names the week', async () => {
  const { chen, consultid, other, row, sqlAsOwner } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid: other, ...withChen('2025-10-23 14:00') });
  await expect(chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00', { weeks: 4 }) })).rejects.toMatchObject({
    code: 140001,
    message: '第 3 周（2025-10-23 14:00–14:50）：该咨询师在这个时间已有预约',
  });
  expect(await row(consultid)).toMatchObject({ status: '01', slotbegin: null });
  expect(await sqlAsOwner('select count(*)::int as n from consult')).toEqual([{ n: 2 }]);
  const { consultids } = await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 16:00', { weeks: 4 }) });
  expect(consultids).toHaveLength(4);
  expect(
    await sqlAsOwner(
      `select to_char(slotbegin at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') as at, status, source, seriesid::int
       from consult where consultid = any ($1) order by slotbegin`,
      [consultids],
    ),
  ).toEqual(
    ['10-09 16:00', '10-16 16:00', '10-23 16:00', '10-30 16:00'].map((at) => ({
      at,
      status: '02',
      source: '02',
      seriesid: consultid,
    })),
  );
  await expect(chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00', { weeks: 2 }) })).rejects.toMatchObject({
    code: 120002,
  });
  expect(await chen(booking.cancelConsult, { consultid: consultids[1]!, reason: '学期安排变化', series: 1 })).toEqual({
    cancelled: 3,
  });
  expect(await row(consultid)).toMatchObject({ status: '02' });
  expect(await row(consultids[3]!)).toMatchObject({ status: '04', cancelreason: '学期安排变化' });
});

test('a group session shares counsellor, room and time, moves together, and a person may leave it', async () => {
  const server = await counsellingRoom();
  const { chen, consultid, other, row } = server;
  const group = withChen('2025-10-09 14:00', { room: '团体室', consulttype: '04', weeks: 2 });
  const { consultids } = await chen(booking.appointConsult, { consultid, ...group });
  await expect(chen(booking.appointConsult, { consultid: other, ...group, weeks: 3, groupid: consultid })).rejects.toMatchObject({
    code: 140001,
    message: '第 3 周没有该团体的场次',
  });
  const joined = await chen(booking.appointConsult, { consultid: other, ...group, groupid: consultid });
  expect(await row(joined.consultids[1]!)).toMatchObject({
    groupid: consultids[1],
    room: '团体室',
    consulttype: '04',
    slotbegin: fromShanghai('2025-10-16 14:00'),
  });
  await chen(booking.appointConsult, {
    consultid: other,
    ...withChen('2025-10-10 10:00', { room: '团体室', consulttype: '04' }),
  });
  for (const id of [consultid, other])
    expect(await row(id)).toMatchObject({ slotbegin: fromShanghai('2025-10-10 10:00'), groupid: consultid });
  await chen(booking.appointConsult, { consultid: other, ...withChen('2025-10-10 14:00', { consulttype: '01' }) });
  expect(await row(other)).toMatchObject({ groupid: null, slotbegin: fromShanghai('2025-10-10 14:00') });
  expect(await row(consultid)).toMatchObject({ slotbegin: fromShanghai('2025-10-10 10:00') });
});

test('a booking has a sensible time and a counsellor of the institution who is present', async () => {
  const { chen, as, consultid } = await counsellingRoom();
  const refusal = (request: Partial<ReturnType<typeof withChen>>) =>
    chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00'), ...request }).then(
      () => 'booked',
      ({ message }: Error) => message,
    );
  expect(await refusal({ slotend: '2025-10-09 14:00' })).toBe('结束时间须晚于开始时间');
  expect(await refusal({ slotend: '2025-10-09 18:10' })).toBe('一次咨询最长 4 小时');
  expect(await refusal({ slotbegin: '2025-10-07 09:00', slotend: '2025-10-07 09:50' })).toBe('这个时间已经过去');
  expect(await refusal({ slotbegin: '2026-12-07 09:00', slotend: '2026-12-07 09:50' })).toBe('只能预约一年以内的时间');
  for (const counsellor of ['U_QIAO', 'U_DUTY', 'U_NOBODY', 'unknown'])
    expect(await refusal({ counsellor })).toBe('请选择本机构有咨询权限的人员');
  await as('ma')(updateAbsence, { userid: 'U_CHEN', absentuntil: '2025-10-10 08:00' });
  expect(await refusal({})).toBe('陈静怡外出至 2025-10-10 08:00，请另选时间或咨询师');
  expect(await refusal(withChen('2025-10-10 09:00'))).toBe('booked');
});

test('a person who does not come is registered as missing from a quarter of an hour on, and can be booked again', async () => {
  const { chen, at, consultid, row, logOf } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00') });
  at('2025-10-09 14:10');
  await expect(chen(booking.missConsult, { consultid })).rejects.toMatchObject({ code: 140001 });
  at('2025-10-09 14:15');
  await chen(booking.missConsult, { consultid, content: '电话未接' });
  expect(await row(consultid)).toMatchObject({ status: '05' });
  expect((await logOf(consultid)).at(-1)).toBe('爽约 电话未接');
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') });
  expect(await row(consultid)).toMatchObject({ status: '02', slotbegin: fromShanghai('2025-10-10 14:00') });
});

test('only the counsellor or the head of the school moves, misses, finishes and cancels a booking', async () => {
  const { chen, as, at, consultid } = await counsellingRoom();
  await as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00') });
  at('2025-10-09 15:00');
  const finish = { consultid, currentlevel: 1, outcome: '02' as const, summary: '情绪平稳' };
  for (const call of [
    () => as('lu')(booking.appointConsult, { consultid, ...withChen('2025-10-10 14:00') }),
    () => as('lu')(booking.missConsult, { consultid }),
    () => as('lu')(booking.finishConsult, finish),
    () => as('lu')(booking.cancelConsult, { consultid, reason: '换人' }),
    () => as('wang')(booking.finishConsult, finish),
    () => as('duty')(booking.finishConsult, finish),
  ])
    await expect(call()).rejects.toMatchObject({ code: 110004 });
  await expect(as('qiao')(booking.finishConsult, finish)).rejects.toMatchObject({ code: 130001 });
  await as('ma')(booking.finishConsult, finish);
  await expect(chen(booking.finishConsult, finish)).rejects.toMatchObject({ code: 140001 });
  await expect(as('ma')(booking.appendConsult, { consultid, content: '补充' })).rejects.toMatchObject({ code: 110004 });
  await chen(booking.appendConsult, { consultid, content: '补充：家长来电致谢' });
});

test('finishing seals the summary, and an ended consultation leaves nothing open', async () => {
  const { chen, at, consultid, row, sqlAsOwner, services } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00', { weeks: 3 }) });
  await expect(chen(booking.finishConsult, { consultid, currentlevel: 1, outcome: '02', summary: '提前' })).rejects.toMatchObject(
    { code: 140001 },
  );
  at('2025-10-09 14:50');
  const answer = await chen(booking.finishConsult, {
    consultid,
    attendance: '02',
    currentlevel: 1,
    outcome: '02',
    summary: '学业压力已缓解',
  });
  expect(answer).toEqual({ consultid, warningcode: null, nextconsultid: null, cancelled: 2, needsreferral: 0 });
  const finished = await row(consultid);
  expect(finished).toMatchObject({
    status: '03',
    attendance: '02',
    currentlevel: 1,
    outcome: '02',
    donetime: fromShanghai('2025-10-09 14:50'),
  });
  expect(finished.summary).not.toContain('学业');
  expect(services.cipher.decrypt('M_CHENGUANG', 'consult.summary', finished.summary as string)).toBe('学业压力已缓解');
  expect(
    await sqlAsOwner("select count(*)::int as n from consult where status in ('01', '02') and cuserid = $1", [finished.cuserid]),
  ).toEqual([{ n: 0 }]);
});

test('a continued consultation needs a next date and waits for its booking until after that day', async () => {
  const { chen, at, consultid, row, sqlAsOwner } = await counsellingRoom();
  await sqlAsOwner("update consult set topics = '{02,06}' where consultid = $1", [consultid]);
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00') });
  at('2025-10-09 14:50');
  const finish = { consultid, currentlevel: 1, outcome: '01' as const, summary: '睡眠仍差，继续' };
  await expect(chen(booking.finishConsult, finish)).rejects.toMatchObject({ code: 120002, message: '继续咨询时请填写下次日期' });
  await expect(chen(booking.finishConsult, { ...finish, nextdate: '2025-10-09' })).rejects.toMatchObject({
    message: '下次日期须晚于今天',
  });
  const { nextconsultid } = await chen(booking.finishConsult, { ...finish, nextdate: '2025-10-16' });
  expect(await row(nextconsultid!)).toMatchObject({
    status: '01',
    source: '02',
    topics: ['02', '06'],
    counsellor: 'U_CHEN',
    duetime: fromShanghai('2025-10-17 00:00'),
    answers: null,
  });
});

test('a continued consultation makes no second registration when the next booking of its series exists', async () => {
  const { chen, at, consultid } = await counsellingRoom();
  await chen(booking.appointConsult, { consultid, ...withChen('2025-10-09 14:00', { weeks: 2 }) });
  at('2025-10-09 14:50');
  const finish = { consultid, currentlevel: 1, outcome: '01' as const, nextdate: '2025-10-16', summary: '继续' };
  expect(await chen(booking.finishConsult, finish)).toMatchObject({ nextconsultid: null, cancelled: 0 });
});
