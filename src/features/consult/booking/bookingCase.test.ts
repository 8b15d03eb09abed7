import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { getConsultPageList } from '#features/consult/register/register.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { aConsult } from '#testing/factories.ts';

/** 林小雨 of 晨光中学 and the rows of her consultations. */
async function school() {
  const server = await crisisSchool('2025-10-08 10:00');
  const chen = server.as('chen');
  const rows = () =>
    server.sqlAsOwner<{ consultid: number; status: string; warningcode: string | null }>(
      'select consultid::int, source, status, warningcode, slotbegin from consult order by consultid',
    );
  const caseOf = async () => (await server.sqlAsOwner('select * from warning order by createtime'))[0]!;
  return { ...server, chen, rows, caseOf, cuserid: server.pupil.cuserid };
}

const slot = { counsellor: 'U_CHEN', slotbegin: '2025-10-09 14:00', slotend: '2025-10-09 14:50' };
const calm = { currentlevel: 1, outcome: '02' as const, summary: '情绪平稳，睡眠好转' };

test('a case is booked in one step, and its waiting application is used instead of a second registration', async () => {
  const { chen, report, rows, server, cuserid, detail } = await school().then((all) => ({ ...all, server: all }));
  const warningcode = await report(2);
  const { consultids } = await chen(booking.appointConsult, { warningcode, ...slot });
  expect(await rows()).toEqual([expect.objectContaining({ consultid: consultids[0], source: '03', status: '02', warningcode })]);
  const waiting = await aConsult(server, cuserid);
  await chen(booking.appointConsult, { warningcode, ...slot, slotbegin: '2025-10-10 14:00', slotend: '2025-10-10 14:50' });
  expect(await rows()).toHaveLength(2);
  expect((await rows())[1]).toMatchObject({ consultid: waiting, status: '02', warningcode });
  const { rows: listed } = await chen(getConsultPageList, { warningcode, view: 'all' });
  expect(listed.map(({ consultid }) => consultid).sort()).toEqual([consultids[0], waiting].sort());
  // A booking changes neither the clocks nor the log of the case.
  expect((await detail(warningcode)).full?.logs.map(({ action }) => action)).toEqual(['新建']);
  await expect(chen(booking.appointConsult, { ...slot })).rejects.toMatchObject({ code: 120002 });
});

test('a consultation is an intervention and a contact in the open case, and a worse state raises the case', async () => {
  const { chen, report, accept, at, detail, caseOf } = await school();
  const warningcode = await report(2);
  await accept(warningcode);
  const { consultids } = await chen(booking.appointConsult, { warningcode, ...slot });
  at('2025-10-09 14:50');
  const first = await chen(booking.finishConsult, {
    consultid: consultids[0]!,
    currentlevel: 2,
    outcome: '01',
    nextdate: '2025-10-10',
    summary: '建立关系，约定继续',
  });
  expect(first).toMatchObject({ warningcode, needsreferral: 0, nextconsultid: expect.any(Number) });
  expect(await caseOf()).toMatchObject({ contacttime: fromShanghai('2025-10-09 14:50'), contactcount: 1, state: '02' });
  await chen(booking.appointConsult, { warningcode, ...slot, slotbegin: '2025-10-10 14:00', slotend: '2025-10-10 14:50' });
  at('2025-10-10 14:50');
  const answer = await chen(booking.finishConsult, {
    consultid: first.nextconsultid!,
    currentlevel: 3,
    outcome: '03',
    summary: '近一周出现轻生念头，没有计划',
  });
  expect(answer).toMatchObject({ warningcode, needsreferral: 1, nextconsultid: null });
  const { full, level } = await detail(warningcode);
  expect(level).toBe(3);
  expect(full?.interferes.map(({ kind, minutes, content }) => [kind, minutes, content])).toEqual([
    ['02', 50, '近一周出现轻生念头，没有计划'],
    ['02', 50, '建立关系，约定继续'],
  ]);
  expect(full?.logs[0]).toMatchObject({
    action: '干预',
    content: '心理咨询 50 分钟：近一周出现轻生念头，没有计划（当前状态：一级预警；结果：转介）',
  });
});

test('a missed consultation is a failed contact in a grave case, and only a line in the log of a milder one', async () => {
  for (const level of [2, 3]) {
    const { chen, report, accept, at, logs, caseOf } = await school();
    const warningcode = await report(level);
    await accept(warningcode);
    const { consultids } = await chen(booking.appointConsult, { warningcode, ...slot });
    at('2025-10-09 14:20');
    await chen(booking.missConsult, { consultid: consultids[0]!, content: '班主任称未到校' });
    expect((await logs(warningcode))[0]).toMatchObject({
      action: '预约未到',
      content: '2025-10-09 14:00–14:50 的咨询预约未到。班主任称未到校',
    });
    expect((await caseOf())['contacttries']).toHaveLength(level >= 3 ? 1 : 0);
  }
});

test('转预警 opens a case of source 咨询中发现 with the chosen level and joins an open one', async () => {
  const all = await school();
  const { chen, at, detail, caseOf, cuserid, rows } = all;
  const consultid = await aConsult(all, cuserid);
  await chen(booking.appointConsult, { consultid, ...slot });
  at('2025-10-09 14:50');
  const report = { consultid, currentlevel: 2, outcome: '04' as const, summary: '反复提到活着没意思' };
  await expect(chen(booking.finishConsult, report)).rejects.toMatchObject({ message: '请选择预警等级' });
  await expect(chen(booking.finishConsult, { ...report, warninglevel: 1 })).rejects.toMatchObject({
    message: '预警等级不能低于当前状态',
  });
  const { warningcode } = await chen(booking.finishConsult, { ...report, warninglevel: 3 });
  expect(await caseOf()).toMatchObject({ warningcode, source: '04', level: 3, state: '01', cuserid });
  expect((await rows())[0]).toMatchObject({ warningcode, status: '03' });
  expect((await detail(warningcode!)).full?.interferes).toMatchObject([{ kind: '02', content: '反复提到活着没意思' }]);

  const second = await aConsult(all, cuserid);
  await chen(booking.appointConsult, {
    consultid: second,
    ...slot,
    slotbegin: '2025-10-10 14:00',
    slotend: '2025-10-10 14:50',
  });
  at('2025-10-10 14:50');
  const joined = await chen(booking.finishConsult, { ...report, consultid: second, warninglevel: 4 });
  expect(joined.warningcode).toBe(warningcode);
  expect(await caseOf()).toMatchObject({ level: 4 });
});

test('a grave state of a person without a case opens one, a calm end leaves nothing open', async () => {
  const all = await school();
  const { chen, at, caseOf, cuserid, sqlAsOwner } = all;
  const calmly = await aConsult(all, cuserid);
  await chen(booking.appointConsult, { consultid: calmly, ...slot });
  at('2025-10-09 14:50');
  expect(await chen(booking.finishConsult, { consultid: calmly, ...calm })).toMatchObject({ warningcode: null });
  expect(await sqlAsOwner('select warningcode from warning')).toEqual([]);
  expect(await sqlAsOwner('select interfereid from interfere')).toEqual([]);
  const gravely = await aConsult(all, cuserid);
  await chen(booking.appointConsult, { consultid: gravely, ...slot, slotbegin: '2025-10-10 14:00', slotend: '2025-10-10 14:50' });
  at('2025-10-10 14:50');
  const { warningcode } = await chen(booking.finishConsult, { ...calm, consultid: gravely, currentlevel: 3 });
  expect(await caseOf()).toMatchObject({ warningcode, level: 3, source: '04' });
});

test('a colleague under suspicion in the case of a student sees and does nothing with her registrations, and is not booked', async () => {
  const all = await school();
  const { as, chen, cuserid, rows } = all;
  const consultid = await aConsult(all, cuserid);
  await chen(insertWarning, {
    cuserid,
    level: 4,
    content: '学生反映被老师威胁',
    signs: ['abuse'],
    suspectuserid: 'U_LU',
  });
  await expect(as('lu')(booking.appointConsult, { consultid, ...slot, counsellor: 'U_LU' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(chen(booking.appointConsult, { consultid, ...slot, counsellor: 'U_LU' })).rejects.toMatchObject({
    code: 120002,
    message: '请为该受测者选择其他咨询师',
  });
  expect(await rows()).toMatchObject([{ status: '01' }]);
});

test('nobody books for a closed case or a person who died', async () => {
  const { chen, report, accept, sqlAsOwner, cuserid } = await school();
  const warningcode = await report(2);
  await accept(warningcode);
  await sqlAsOwner('update cuser set deathtime = now() where cuserid = $1', [cuserid]);
  await expect(chen(booking.appointConsult, { warningcode, ...slot })).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('已登记死亡'),
  });
  await sqlAsOwner('update cuser set deathtime = null where cuserid = $1', [cuserid]);
  await sqlAsOwner("update warning set state = '07', closetime = now() where warningcode = $1", [warningcode]);
  await expect(chen(booking.appointConsult, { warningcode, ...slot })).rejects.toMatchObject({
    code: 140001,
    message: '个案已结束，不能再预约；需要时请先重开',
  });
});
