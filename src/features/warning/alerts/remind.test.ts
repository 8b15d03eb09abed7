import { expect, test } from 'vitest';
import { addHours, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { updateDuty } from '#features/warning/duty/duty.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 with a case that Chen has reported; the job runs at any time. */
async function school(level: number, now: string) {
  const server = await startServer({ now: fromShanghai(now).toISOString() });
  const { as, clock, services, sqlAsOwner } = server;
  const student = await aStudent(server);
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid: student.cuserid,
    level,
    content: '同学反映其多次说不想活了',
  });
  const opened = clock.now;
  /** Runs the job some hours after the report. Returns who was reminded. */
  const remindedAfter = async (hours: number) => {
    clock.now = addHours(opened, hours);
    const { failed } = await escalateOverdue(services, clock.now);
    expect(failed).toEqual([]);
    const rows = await sqlAsOwner<{ userid: string }>('select userid from notification where remindtime = $1 order by 1', [
      clock.now,
    ]);
    return rows.map((row) => row.userid);
  };
  const recipientsOf = (title: string) =>
    sqlAsOwner<{ userid: string | null }>('select userid from notification where title like $1 order by id', [`%${title}%`]);
  return { ...server, warningcode, remindedAfter, recipientsOf };
}
const handlers = ['U_CHEN', 'U_DUTY', 'U_LU'];
const withProvider = ['U_CHEN', 'U_DUTY', 'U_FANG', 'U_LU'];

test('an unread crisis is repeated every 15 minutes to those who have not read it, in the night too', async () => {
  const { as, remindedAfter } = await school(4, '2025-10-10 23:30');
  expect(await remindedAfter(0.24)).toEqual([]);
  expect(await remindedAfter(0.25)).toEqual(withProvider);
  expect(await remindedAfter(0.3)).toEqual([]);
  await as('lu')(notice.readNotice, {});
  await as('fang')(notice.readNotice, {});
  expect(await remindedAfter(0.5)).toEqual(['U_CHEN', 'U_DUTY']);
  expect((await as('duty')(notice.getNoticePageList, {})).rows[0]).toMatchObject({ remindcount: 2, readtime: null });
});

test('two servers at once remind once', async () => {
  const { services, clock, sqlAsOwner } = await school(4, '2025-10-10 23:30');
  const later = addHours(clock.now, 0.25);
  await Promise.all([escalateOverdue(services, later), escalateOverdue(services, later)]);
  expect(await sqlAsOwner('select max(remindcount)::int as n from notification')).toEqual([{ n: 1 }]);
});

test('half an hour after a crisis that nobody has read, the next able person gets it in full', async () => {
  const { remindedAfter, recipientsOf, sqlAsOwner } = await school(4, '2025-10-10 23:30');
  await remindedAfter(0.49);
  expect(await recipientsOf('半小时无人查看')).toEqual([]);
  await remindedAfter(0.5);
  expect(await recipientsOf('半小时无人查看')).toEqual([{ userid: 'U_MA' }]);
  await remindedAfter(1);
  expect(await recipientsOf('半小时无人查看')).toEqual([{ userid: 'U_MA' }]);
  const [log] = await sqlAsOwner<{ content: string }>("select content from warninglog where action = '未读提醒'");
  expect(log?.content).toBe('半小时无人查看，已通知马主任');
});

test('without a next able person the provider, the bureau and the platform hear of the unread crisis', async () => {
  const server = await school(4, '2025-10-10 23:30');
  await server.sqlAsOwner("update sysuser set absentuntil = '2025-11-01' where userid = 'U_MA'");
  await server.remindedAfter(0.5);
  expect(await server.recipientsOf('半小时无人查看')).toEqual([{ userid: 'U_FANG' }, { userid: 'U_ZHOU' }, { userid: null }]);
});

test('a crisis that somebody has read, or that is accepted, is passed on to nobody', async () => {
  const read = await school(4, '2025-10-10 23:30');
  await read.as('duty')(notice.readNotice, { warningcode: read.warningcode });
  await read.remindedAfter(0.5);
  expect(await read.recipientsOf('半小时无人查看')).toEqual([]);
  const accepted = await school(4, '2025-10-10 23:30');
  await accepted.as('chen')(handling.acceptWarning, { warningcode: accepted.warningcode });
  expect(await accepted.remindedAfter(0.5)).toEqual([]);
  expect(await accepted.recipientsOf('半小时无人查看')).toEqual([]);
});

test('an unread case of level 3 is repeated every two hours, of level 2 daily and never in the night', async () => {
  const alert = await school(3, '2025-10-10 21:30');
  expect(await alert.remindedAfter(1.9)).toEqual([]);
  expect(await alert.remindedAfter(2)).toEqual(handlers);
  const focus = await school(2, '2025-10-10 22:30');
  expect(await focus.remindedAfter(24)).toEqual([]);
  expect(shanghaiTime(focus.clock.now)).toBe('2025-10-11 22:30:00');
  expect(await focus.remindedAfter(32.4)).toEqual([]);
  expect(await focus.remindedAfter(32.5)).toEqual(['U_CHEN', 'U_LU']);
  const attention = await school(1, '2025-10-10 10:00');
  expect(await attention.remindedAfter(72)).toEqual([]);
});

test('an absent colleague is not reminded', async () => {
  const { remindedAfter, sqlAsOwner } = await school(4, '2025-10-10 23:30');
  await sqlAsOwner("update sysuser set absentuntil = '2025-11-01' where userid = 'U_LU'");
  expect(await remindedAfter(0.25)).toEqual(['U_CHEN', 'U_DUTY', 'U_FANG']);
});

test('without anybody on duty the provider is reminded of an unread case until it is accepted', async () => {
  const server = await startServer({ now: fromShanghai('2025-10-10 21:30').toISOString() });
  const { as, clock, services, sqlAsOwner } = server;
  await as('ma')(updateDuty, { duty: [] });
  const { cuserid } = await aStudent(server);
  const { warningcode } = await as('chen')(handling.insertWarning, { cuserid, level: 3, content: '同学反映其多次说不想活了' });
  const reminders = async () => {
    const [row] = await sqlAsOwner<{ n: number }>("select remindcount as n from notification where userid = 'U_FANG'");
    return row?.n;
  };
  clock.now = addHours(clock.now, 2);
  await escalateOverdue(services, clock.now);
  expect(await reminders()).toBe(1);
  await as('chen')(handling.acceptWarning, { warningcode });
  clock.now = addHours(clock.now, 2);
  await escalateOverdue(services, clock.now);
  expect(await reminders()).toBe(1);
});
