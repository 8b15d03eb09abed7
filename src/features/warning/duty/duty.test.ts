import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import * as duty from '#features/warning/duty/duty.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** 晨光中学 on a Friday. */
async function school() {
  const server = await startServer({ now: fromShanghai('2025-10-10 10:00').toISOString() });
  const { as, sqlAsOwner } = server;
  const onDuty = async () => (await as('ma')(duty.getDutyList, {})).today.map((person) => person.userid);
  const gaps = async () => (await as('ma')(duty.getDutyList, {})).roster?.gaps;
  const notified = async () =>
    (await sqlAsOwner<{ userid: string; infokind: number }>('select userid, infokind from notification order by id')).map(
      ({ userid, infokind }) => `${userid} ${infokind}`,
    );
  return { ...server, onDuty, gaps, notified };
}

test('weekends and holidays have the duty staff of every day unless the roster names others', async () => {
  const { as, clock, onDuty, gaps } = await school();
  await as('ma')(duty.updateDuty, { duty: ['U_DUTY'], weekdays: { 5: ['U_CHEN'] }, dates: { '2025-10-18': ['U_LU'] } });
  expect(await gaps()).toEqual([]);
  expect(await onDuty()).toEqual(['U_CHEN']);
  clock.now = fromShanghai('2025-10-11 05:59');
  expect(await onDuty()).toEqual(['U_CHEN']);
  clock.now = fromShanghai('2025-10-11 06:00');
  expect(await onDuty()).toEqual(['U_DUTY']);
  clock.now = fromShanghai('2025-10-18 12:00');
  expect(await onDuty()).toEqual(['U_LU']);
});

test('the drawer warns about the next 14 days without a person on duty', async () => {
  const { as, gaps } = await school();
  await as('ma')(duty.updateDuty, {
    duty: [],
    weekdays: { 1: ['U_CHEN'], 2: ['U_CHEN'], 3: ['U_CHEN'], 4: ['U_LU'], 5: ['U_LU'] },
    dates: { '2025-10-11': ['U_DUTY'] },
  });
  expect(await gaps()).toEqual(['2025-10-12', '2025-10-18', '2025-10-19']);
});

test('a person of the roster who is absent or disabled leaves a gap', async () => {
  const { as, gaps, onDuty, sqlAsOwner } = await school();
  await as('ma')(duty.updateDuty, { duty: ['U_LU'], dates: { '2025-10-10': ['U_CHEN'] } });
  await sqlAsOwner("update sysuser set absentuntil = '2025-10-12 08:00+08' where userid in ('U_CHEN', 'U_LU')");
  expect(await onDuty()).toEqual([]);
  expect(await gaps()).toEqual(['2025-10-10', '2025-10-11']);
});

test('while nobody is on duty the bar names the provider, and the provider’s duty gets what duty staff would get', async () => {
  const server = await school();
  const { as, notified } = server;
  await as('ma')(duty.updateDuty, { duty: [] });
  expect(await as('chen')(duty.getDutyList, {})).toMatchObject({ today: [], standin: '安澜心理' });
  const student = await aStudent(server);
  await as('chen')(handling.insertWarning, { cuserid: student.cuserid, level: 3, content: '同学反映其多次说不想活了' });
  expect(await notified()).toEqual(expect.arrayContaining(['U_CHEN 4', 'U_LU 4', 'U_MA 3', 'U_FANG 4']));
});

test('a new case passes over staff who are absent, who share an account or who may not handle cases', async () => {
  const server = await school();
  const { as, sqlAsOwner } = server;
  await as('ma')(duty.updateDuty, { duty: ['U_NOBODY', 'U_DUTY'] });
  await sqlAsOwner("update sysuser set absentuntil = '2025-11-01' where userid = 'U_CHEN'");
  await sqlAsOwner("update sysuser set isshared = 1 where userid = 'U_LU'");
  const student = await aStudent(server);
  await as('ma')(handling.insertWarning, { cuserid: student.cuserid, level: 2, content: '同学反映其多次说不想活了' });
  expect(await sqlAsOwner('select owneruserid from warning')).toEqual([{ owneruserid: 'U_DUTY' }]);
});

test('the drawer offers the staff who may handle cases, also absent ones, and marks others whom the roster names', async () => {
  const { as, sqlAsOwner } = await school();
  await sqlAsOwner("update sysuser set absentuntil = '2025-11-01' where userid = 'U_LU'");
  const offered = async () =>
    Object.fromEntries(((await as('ma')(duty.getDutyList, {})).roster?.staff ?? []).map((item) => [item.userid, item.canhandle]));
  expect(await offered()).toEqual({ U_CHEN: true, U_DUTY: true, U_LU: true, U_MA: true });
  await as('ma')(duty.updateDuty, { duty: ['U_DUTY'], weekdays: { 1: ['U_WANG'] } });
  expect(await offered()).toEqual({ U_CHEN: true, U_DUTY: true, U_LU: true, U_MA: true, U_WANG: false });
});
