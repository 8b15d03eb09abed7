import { expect, test } from 'vitest';
import * as report from '#features/report/report.contract.ts';
import * as workbench from '#features/workbench/workbench.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { aClassOf, aFollowUp } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import type { Person } from '#testing/people.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const findBlocks = async ({ as }: Server, who: Person) =>
  Object.fromEntries((await as(who)(workbench.getMyDay, {})).blocks.map((block) => [block.key, block]));
const counts = async (server: Server, who: Person) =>
  Object.fromEntries(Object.entries(await findBlocks(server, who)).map(([key, block]) => [key, block.count]));

/** PHQ-9 18 with item 9 at 2. */
const SEVERE_ANSWERS = { PHQ9: '2 2 2 2 2 2 2 2 2 1', GAD7: '1 1 1 1 1 1 1' };

test('a workbench without work shows every block empty', async () => {
  const server = await startServer();
  expect(await counts(server, 'chen')).toEqual({ overdue: 0, waiting: 0, followups: 0, tasks: 0, reports: 0 });
});

test('a new case stays on the workbench until it is accepted, and becomes overdue without acceptance', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, SEVERE_ANSWERS);
  const firstDay = await findBlocks(server, 'chen');
  expect([firstDay['waiting']?.count, firstDay['overdue']?.count, firstDay['reports']?.count]).toEqual([1, 0, 1]);
  expect(firstDay['waiting']?.rows).toMatchObject([
    { title: '林小雨', late: false, path: expect.stringMatching(/^\/earlyWarning\/case\/W\d{10}$/) as string },
  ]);
  expect(firstDay['reports']).toMatchObject({ note: '其中中度及以上 1 份', rows: [{ title: '林小雨', level: 3 }] });
  server.clock.now = new Date(server.clock.now.getTime() + 25 * 3_600_000);
  const overdueDay = await findBlocks(server, 'chen');
  expect(overdueDay['overdue']).toMatchObject({ count: 1, rows: [{ title: '林小雨', late: true }] });
});

test('a reviewed report leaves the workbench', async () => {
  const server = await startServer();
  await takeExam(server, await addStudent(server), { PHQ9: '1 1 1 1 1 1 0 0 0 0' });
  const [row] = (await findBlocks(server, 'chen'))['reports']?.rows ?? [];
  const reportcode = row?.path.split('/').at(-1) ?? '';
  await server.as('chen')(report.updateReport, { reportcode, version: 1, status: 2 });
  expect((await findBlocks(server, 'chen'))['reports']?.count).toBe(0);
});

test('the workbench counts follow-ups due until the end of today, overdue ones first', async () => {
  const server = await startServer({ now: '2025-10-08T02:00:00Z' });
  const { cuserid } = await addStudent(server);
  for (const [duetime, status] of [
    ['2025-10-06T01:00:00Z', '03'],
    ['2025-10-08T15:30:00Z', '01'],
    ['2025-10-08T16:30:00Z', '01'],
    ['2025-10-07T01:00:00Z', '02'],
  ])
    await aFollowUp(server, cuserid, { duetime: duetime as string, status: status as string });
  expect((await findBlocks(server, 'chen'))['followups']).toMatchObject({
    count: 2,
    note: '其中逾期 1 项',
    rows: [
      { title: '林小雨', late: true, time: '2025-10-06 09:00:00' },
      { late: false, time: '2025-10-08 23:30:00' },
    ],
  });
});

test('each account sees the blocks of its rights: a class teacher her own students, the bureau only numbers without names', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, SEVERE_ANSWERS);
  expect(await counts(server, 'wang')).toEqual({ waiting: 0, tasks: 0 });
  await aClassOf(server, [student.cuserid], { teamname: '初三(3)班', owneruserid: 'U_WANG' });
  expect(await counts(server, 'wang')).toEqual({ waiting: 1, tasks: 0 });
  expect(await counts(server, 'qiao')).toMatchObject({ waiting: 0, reports: 0 });
  const bureau = await findBlocks(server, 'zhou');
  expect([bureau['waiting']?.count, bureau['waiting']?.rows, bureau['overdue']?.count, bureau['reports']]).toEqual([
    null,
    [],
    0,
    undefined,
  ]);
  expect(JSON.stringify(bureau)).not.toContain('林');
  server.clock.now = new Date(server.clock.now.getTime() + 25 * 3_600_000);
  expect((await findBlocks(server, 'zhou'))['overdue']?.count).toBeNull();
  await server.as('super')(updateMUser, { musercode: 'JYJ00001', seedetail: 1 });
  expect((await findBlocks(server, 'zhou'))['overdue']?.count).toBe(1);
  expect(await counts(server, 'nobody')).toEqual({});
});

test('the workbench announces grants that expire within thirty days with their free counts', async () => {
  const server = await startServer();
  const grantUntil = (musercode: string, enddate: string) =>
    server.as('super')(grantMUserAssessCount, { musercode, qty: 100, enddate });
  await grantUntil('M_CHENGUANG', '2025-11-01');
  await grantUntil('M_DONGSHAN', '2025-12-01');
  expect((await findBlocks(server, 'ma'))['grants']).toMatchObject({
    count: 1,
    note: '剩余 100 次',
    rows: [{ title: '云栖市晨光中学', detail: '通用次数 · 剩余 100 次', time: '2025-11-01' }],
  });
  expect((await findBlocks(server, 'fang'))['grants']?.count).toBe(1);
  expect((await findBlocks(server, 'zhou'))['grants']).toMatchObject({ count: 1, rows: [] });
});
