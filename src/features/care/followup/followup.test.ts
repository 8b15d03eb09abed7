import { expect, test } from 'vitest';
import { addDays, addHours } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as work from '#features/care/followup/work.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A school with two pupils; 林小雨 has one follow-up on 16 October without a case. */
async function followed() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'] });
  const chen = server.as('chen');
  const cuserid = pupils[0]!.cuserid;
  const other = pupils[1]!.cuserid;
  const { followupids } = await chen(care.insertFollowUp, { cuserid, planname: '返校随访', duetime: '2025-10-16 17:00' });
  const row = async (followupid: number) =>
    (await chen(care.getFollowUpPageList, { pageSize: 200 })).rows.find((item) => item.followupid === followupid)!;
  return { ...server, chen, cuserid, other, pupils, followupid: followupids[0]!, row };
}

test('without a case a follow-up cannot be finished before there is a next date or an end with a reason', async () => {
  const { chen, followupid, row } = await followed();
  const record = { followupid, content: '电话联系，情绪平稳' };
  await expect(chen(care.finishFollowUp, record)).rejects.toMatchObject({
    code: 120002,
    message: expect.stringMatching('下次随访时间'),
  });
  await expect(chen(care.finishFollowUp, { ...record, status: '04' })).rejects.toMatchObject({ code: 120002 });
  await expect(chen(care.finishFollowUp, { ...record, outcome: '02' })).rejects.toMatchObject({
    message: expect.stringMatching('结束原因'),
  });
  await expect(
    chen(care.finishFollowUp, { ...record, outcome: '02', endreason: '已恢复', nextduetime: '2025-10-30 17:00' }),
  ).rejects.toMatchObject({ code: 120002 });
  expect(await row(followupid)).toMatchObject({ status: '01', content: '' });
  await chen(care.finishFollowUp, { ...record, outcome: '02', endreason: '连续两次平稳，本人同意结束' });
  expect(await row(followupid)).toMatchObject({
    status: '02',
    outcome: '02',
    content: '电话联系，情绪平稳（结束随访：连续两次平稳，本人同意结束）',
  });
});

test('a person who could not be reached gets another attempt on the next date', async () => {
  const { chen, followupid, row, cuserid } = await followed();
  await chen(care.finishFollowUp, { followupid, status: '04', content: '三次未接', nextduetime: '2025-10-20 09:00' });
  expect(await row(followupid)).toMatchObject({ status: '04', outcome: '01' });
  const { rows } = await chen(care.getFollowUpPageList, { cuserid, status: '01' });
  expect(rows).toMatchObject([{ duetime: '2025-10-20 09:00:00', ownername: '陈静怡', planname: '返校随访' }]);
});

test('within a series the next planned date is enough, and the end cancels the rest of the series', async () => {
  const { chen, cuserid } = await followed();
  const { followupids } = await chen(care.insertFollowUp, {
    cuserid,
    planname: '每周随访',
    duetime: '2025-10-13 17:00',
    repeat: { everydays: 7, times: 3 },
  });
  await chen(care.finishFollowUp, { followupid: followupids[0]!, content: '睡眠改善' });
  await chen(care.finishFollowUp, { followupid: followupids[1]!, content: '已恢复', outcome: '02', endreason: '已恢复' });
  const { rows } = await chen(care.getFollowUpPageList, { cuserid });
  expect(rows.map(({ planname, status }) => `${planname} ${status}`).sort()).toEqual([
    '每周随访 02',
    '每周随访 02',
    '每周随访 05',
    '返校随访 01',
  ]);
});

test('two staff cannot finish the last two follow-ups of a person at the same time without a next date', async () => {
  const { chen, as, cuserid, followupid } = await followed();
  const { followupids } = await chen(care.insertFollowUp, { cuserid, planname: '家访', duetime: '2025-10-17 17:00' });
  const results = await Promise.allSettled([
    chen(care.finishFollowUp, { followupid, content: '已见面' }),
    as('lu')(care.finishFollowUp, { followupid: followupids[0]!, content: '已家访' }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await chen(care.getFollowUpPageList, { cuserid, status: '01' })).total).toBe(1);
});

test('a follow-up of an open case cannot end the following, and its owner is the owner of the case', async () => {
  const { chen, as, other, row } = await followed();
  const { warningcode } = await chen(handling.insertWarning, { cuserid: other, level: 2, content: '同学反映常常独自哭泣' });
  await chen(handling.acceptWarning, { warningcode });
  const { followupids } = await chen(care.insertFollowUp, { cuserid: other, warningcode, duetime: '2025-10-16 17:00' });
  const followupid = followupids[0]!;
  expect(await row(followupid)).toMatchObject({ ownername: '陈静怡', iscaseopen: 1 });
  await expect(
    chen(care.finishFollowUp, { followupid, content: '平稳', outcome: '02', endreason: '已恢复' }),
  ).rejects.toMatchObject({ code: 120002, message: expect.stringMatching('个案尚未结束') });
  await chen(handling.assignWarning, { warningcode, owneruserid: 'U_LU' });
  expect(await row(followupid)).toMatchObject({ ownername: '陆远' });
  await as('lu')(care.updateFollowUp, { followupid, owneruserid: 'U_CHEN' });
  expect((await chen(warning.getWarningDetail, { warningcode })).full!.logs[0]).toMatchObject({
    action: '随访改期',
    content: '责任人改为陈静怡',
  });
  await chen(care.finishFollowUp, { followupid, content: '平稳' });
  expect((await chen(care.getFollowUpPageList, { warningcode, status: '01' })).rows).toMatchObject([{ ownername: '陈静怡' }]);
});

test('a new owner is told without the name of the person, and finds the follow-up under 我负责的', async () => {
  const { chen, as, followupid } = await followed();
  expect((await as('lu')(care.getFollowUpPageList, { mine: 1 })).total).toBe(0);
  await chen(care.updateFollowUp, { followupid, owneruserid: 'U_LU' });
  expect((await as('lu')(care.getFollowUpPageList, { mine: 1 })).rows).toMatchObject([{ followupid, ownername: '陆远' }]);
  const notices = (await as('lu')(getNoticePageList, {})).rows.filter(({ kind }) => kind === 'followup');
  expect(notices).toMatchObject([{ title: '有随访交给您负责' }]);
  expect(JSON.stringify(notices)).not.toContain('林小雨');
  for (const owneruserid of ['U_WANG', 'U_QIAO', 'U_NOBODY'])
    await expect(chen(care.updateFollowUp, { followupid, owneruserid })).rejects.toMatchObject({
      code: 120002,
      message: '该同事不能负责此次随访，请另选',
    });
});

test('overdue is computed: the quick views count what the list shows, also an old row with the stored status', async () => {
  const { chen, as, clock, cuserid, other, sqlAsOwner } = await followed();
  await chen(care.insertFollowUp, { cuserid: other, duetime: '2025-10-18 09:00', owneruserid: 'U_LU' });
  await chen(care.insertFollowUp, { cuserid: other, planname: '月度', duetime: '2025-11-18 09:00' });
  await sqlAsOwner("update followup set status = '03' where cuserid = $1", [cuserid]);
  clock.now = new Date('2025-10-18T00:30:00Z');
  const compare = async (who: 'chen' | 'lu', mine?: 1) => {
    const counts = await as(who)(work.getFollowUpCount, mine ? { mine } : {});
    for (const view of ['today', 'overdue', 'all'] as const)
      expect((await as(who)(care.getFollowUpPageList, { view, ...(mine && { mine }) })).total).toBe(counts[view]);
    return counts;
  };
  expect(await compare('chen')).toEqual({ today: 2, overdue: 1, all: 3 });
  expect(await compare('lu', 1)).toEqual({ today: 1, overdue: 0, all: 1 });
  clock.now = addHours(clock.now, 2);
  expect(await compare('chen')).toEqual({ today: 2, overdue: 2, all: 3 });
  const { rows } = await chen(care.getFollowUpPageList, { status: '03' });
  expect(rows.map(({ status, isoverdue }) => ({ status, isoverdue }))).toEqual([
    { status: '01', isoverdue: 1 },
    { status: '01', isoverdue: 1 },
  ]);
});

test('a series shows its dates before: a weekly one avoids days off, a daily one and the programme of level 4 do not', async () => {
  const { chen, cuserid, sqlAsOwner } = await followed();
  await sqlAsOwner("insert into setting (musercode, key, value) values ('M_CHENGUANG', 'workcalendar', $1)", [
    JSON.stringify({ holidays: ['2025-10-27'] }),
  ]);
  const dates = async (more: object) =>
    (await chen(work.getFollowUpDates, { cuserid, duetime: '2025-10-18 09:00', ...more })).map(({ duetime, movedfrom }) =>
      movedfrom ? `${duetime.slice(5, 10)}<${movedfrom.slice(5, 10)}` : duetime.slice(5, 10),
    );
  expect(await dates({ repeat: { everydays: 7, times: 3 } })).toEqual(['10-18', '10-28<10-25', '11-03<11-01']);
  expect(await dates({ repeat: { everydays: 1, times: 3 } })).toEqual(['10-18', '10-19', '10-20']);
  expect(await dates({ bylevel: 4 })).toHaveLength(15);
  expect((await dates({ bylevel: 4 })).some((text) => text.includes('<'))).toBe(false);
  expect(await dates({ bylevel: 1 })).toEqual(['10-18', '11-17<11-15']);
  await chen(care.insertFollowUp, { cuserid, duetime: '2025-10-18 09:00', repeat: { everydays: 7, times: 3 } });
  const { rows } = await chen(care.getFollowUpPageList, { cuserid, begindate: '2025-10-17' });
  expect(rows.map(({ duetime }) => duetime.slice(5, 10))).toEqual(['10-18', '10-28', '11-03']);
});

test('a person without a case has a next follow-up or an end with a reason after every record', async () => {
  const { chen, clock, cuserid, sqlAsOwner } = await followed();
  const steps: { nextduetime?: number; outcome?: '02'; endreason?: string; status?: '04' }[] = [
    {},
    { nextduetime: 7 },
    { outcome: '02', endreason: '已恢复' },
    { status: '04' },
  ];
  let seed = 7;
  const next = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 40; round += 1) {
    const { rows } = await chen(care.getFollowUpPageList, { cuserid, status: '01' });
    const due = (days: number) => `${addDays(clock.now, days).toISOString().slice(0, 10)} 23:00`;
    const row = rows[next(rows.length || 1)];
    const step = steps[next(steps.length)]!;
    if (!row) await chen(care.insertFollowUp, { cuserid, duetime: due(3), repeat: { everydays: 3, times: 1 + next(3) } });
    else {
      const nextduetime = step.nextduetime && { nextduetime: due(step.nextduetime) };
      await chen(care.finishFollowUp, { followupid: row.followupid, content: '已联系', ...step, ...nextduetime } as never).catch(
        () => undefined,
      );
    }
    const left = (await chen(care.getFollowUpPageList, { cuserid, status: '01' })).total;
    expect(left > 0 || step.outcome === '02').toBe(true);
    clock.now = addHours(clock.now, 12);
  }
  const open = await sqlAsOwner(`select followupid from followup where status in ('02', '04') and outcome is null`);
  expect(open).toEqual([]);
});
