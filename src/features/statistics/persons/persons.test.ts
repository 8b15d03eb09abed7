import { beforeAll, expect, test } from 'vitest';
import { getAssessPeopleCompleteCount, toOwnFigures } from '#features/statistics/statistics.contract.ts';
import { getStatisticPersonPageList } from '#features/statistics/persons/persons.contract.ts';
import { aStudent, giveRole, setPermission } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { insertRosterRow, insertTask } from '#testing/statistics/sheets.ts';
import { sharedServer } from '#testing/server.ts';

/** A task of 晨光中学: 林小雨 needs attention, 苏晴 has no symptoms, 何子墨 is exempt, 吴桐 has not begun. */
const server = sharedServer();
const ids: Record<string, string> = {};
const trail = () =>
  server().sqlAsOwner<{ cuserids: string[]; measure: string }>(
    `select cuserids, detail -> 'filters' ->> 'measure' as measure from audit.log
     where action = 'as.m.assess.getStatisticPersonPageList' order by id`,
  );

beforeAll(async () => {
  await insertTask(server(), { taskcode: 'T1', begin: '2025-10-01', end: '2025-10-31' }, [
    { teamcode: 'J3-3', gradecode: 'J3', classname: '3班' },
  ]);
  for (const [index, username] of ['林小雨', '苏晴', '何子墨', '吴桐'].entries()) {
    const student = await aStudent(server(), { username, studentno: `2025090${index}` });
    ids[username] = student.cuserid;
    const [status, reason] = index < 2 ? [2] : index === 2 ? [3, '休学'] : [0];
    await insertRosterRow(server(), {
      ...{ taskcode: 'T1', cuserid: student.cuserid, teamcode: 'J3-3', status: status as number },
      ...(reason ? { reason: reason as string } : {}),
    });
    if (index > 1) continue;
    const { examcode } = await takeExam(server(), student, { PHQ9: index === 0 ? '2 2 2 2 2 1 0 0 0' : '0 0 0 0 0 0 0 0 0' });
    await server().sqlAsOwner("update examrecord set taskcode = 'T1' where examcode = $1", [examcode]);
  }
});

test('the list says who has not been tested and why, and its total is the number', async () => {
  const as = server().as('chen');
  const { rows, total } = await as(getStatisticPersonPageList, { taskcode: 'T1', measure: 'untested', orderby: 'username' });
  const { tested, total: all } = toOwnFigures(await as(getAssessPeopleCompleteCount, { taskcode: 'T1' }));
  expect(total).toBe(all - tested);
  expect(rows.map((row) => [row.username, row.teststate, row.reason, row.belongs, row.reportcode])).toEqual([
    ['吴桐', 'none', '', '初三 3班', null],
    ['何子墨', 'exempt', '休学', '初三 3班', null],
  ]);
});

test('the list of those who need attention has the result in words and the report, and reading it leaves a trace', async () => {
  const before = (await trail()).length;
  const { rows } = await server().as('chen')(getStatisticPersonPageList, { taskcode: 'T1', measure: 'abnormal' });
  expect(rows).toMatchObject([
    { username: '林小雨', teststate: 'valid', overalllevel: 2, resultstate: 3, studentno: '20250900' },
  ]);
  expect(rows[0]?.reportcode).toMatch(/^R\d+$/);
  expect((await trail()).slice(before)).toEqual([{ cuserids: [ids['林小雨']], measure: 'abnormal' }]);
});

test('pages, order and a page after the last keep the total', async () => {
  const as = server().as('chen');
  const page = await as(getStatisticPersonPageList, { taskcode: 'T1', pageSize: 3, page: 2, orderby: 'overalllevel' });
  expect([page.total, page.rows.length]).toEqual([4, 1]);
  expect(await as(getStatisticPersonPageList, { taskcode: 'T1', pageSize: 3, page: 9 })).toEqual({ total: 4, rows: [] });
  const first = await as(getStatisticPersonPageList, { taskcode: 'T1', orderby: 'overalllevel' });
  expect(first.rows.slice(0, 2).map(({ username }) => username)).toEqual(['林小雨', '苏晴']);
});

test('another school sees none of the persons, an authority is refused, and both rights are needed', async () => {
  const request = { taskcode: 'T1' };
  expect(await server().as('qiao')(getStatisticPersonPageList, request)).toEqual({ total: 0, rows: [] });
  await expect(server().as('zhou')(getStatisticPersonPageList, request)).rejects.toMatchObject({ code: 110004 });
  await expect(server().as('duty')(getStatisticPersonPageList, request)).rejects.toMatchObject({ code: 110004 });
  await setPermission(server(), 'U_DUTY', '00011', 'grant');
  const { rows } = await server().as('duty')(getStatisticPersonPageList, request);
  expect(rows).toHaveLength(4);
});

test('a class teacher with the statistics page reads who was tested, and is refused lists by result', async () => {
  await giveRole(server(), 'U_NOBODY', 'classteacher');
  for (const code of ['00011', '001801']) await setPermission(server(), 'U_NOBODY', code, 'grant');
  const as = server().as('nobody');
  expect(await as(getStatisticPersonPageList, { taskcode: 'T1', measure: 'untested' })).toMatchObject({ total: 0 });
  for (const measure of ['abnormal', 'alert', 'level', 'depressed', 'anxious'] as const)
    await expect(as(getStatisticPersonPageList, { taskcode: 'T1', measure })).rejects.toMatchObject({ code: 110004 });
  await expect(as(getStatisticPersonPageList, { orderby: 'overalllevel' })).rejects.toMatchObject({ code: 110004 });
});

test('a level belongs to a measure with levels', async () => {
  await expect(server().as('chen')(getStatisticPersonPageList, { measure: 'abnormal', value: 2 })).rejects.toMatchObject({
    code: 120002,
  });
});
