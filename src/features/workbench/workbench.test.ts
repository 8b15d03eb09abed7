import { expect, test } from 'vitest';
import * as report from '#features/report/report.contract.ts';
import * as workbench from '#features/workbench/workbench.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { addMUser } from '#features/muser/muser.contract.ts';
import { updateWebhookChannel } from '#features/notice/channel/channel.contract.ts';
import { deliverNotices } from '#features/notice/channel/deliver.ts';
import { acceptWarning, assignWarning, insertWarning, verifyWarning } from '#features/warning/handling/handling.contract.ts';
import { getWarningCount, getWarningPageList } from '#features/warning/warning.contract.ts';
import { runJob } from '#server/jobs.ts';
import { aClassOf, aConsult, aFollowUp, aWoman } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import type { Person } from '#testing/people.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const findBlocks = async ({ as }: Server, who: Person) =>
  Object.fromEntries((await as(who)(workbench.getMyDay, {})).blocks.map((block) => [block.key, block]));
const counts = async (server: Server, who: Person) =>
  Object.fromEntries(Object.entries(await findBlocks(server, who)).map(([key, block]) => [key, block.count]));

const monthFromNow = '2025-10-30';

/** PHQ-9 18 with item 9 at 2. */
const SEVERE_ANSWERS = { PHQ9: '2 2 2 2 2 2 2 2 2 1', GAD7: '1 1 1 1 1 1 1' };

test('a workbench without work shows every block empty', async () => {
  const server = await startServer();
  expect(await counts(server, 'chen')).toEqual({
    overdue: 0,
    second: 0,
    waiting: 0,
    consults: 0,
    bookings: 0,
    followups: 0,
    tasks: 0,
    reports: 0,
  });
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

test('a case that is handed to a colleague waits on the workbench and in 待受理 until she accepts it', async () => {
  const server = await startServer();
  const { as } = server;
  await takeExam(server, await addStudent(server), SEVERE_ANSWERS);
  const waiting = async () => {
    const { rows } = await as('lu')(getWarningPageList, { pending: 1 });
    return [(await counts(server, 'lu'))['waiting'], rows.length, (await as('lu')(getWarningCount, {})).pending];
  };
  const [row] = (await as('chen')(getWarningPageList, {})).rows;
  const warningcode = row?.warningcode ?? '';
  await as('chen')(acceptWarning, { warningcode });
  await as('chen')(verifyWarning, { warningcode, contactresult: '01', content: '已面谈' });
  expect(await waiting()).toEqual([0, 0, 0]);
  await as('chen')(assignWarning, { warningcode, owneruserid: 'U_LU' });
  expect(await waiting()).toEqual([1, 1, 1]);
  await as('lu')(acceptWarning, { warningcode });
  expect(await waiting()).toEqual([0, 0, 0]);
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

test('each account sees the blocks of its rights: a class teacher her own students', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, SEVERE_ANSWERS);
  expect(await counts(server, 'wang')).toEqual({ waiting: 0, tasks: 0 });
  await aClassOf(server, [student.cuserid], { teamname: '初三(3)班', owneruserid: 'U_WANG' });
  expect(await counts(server, 'wang')).toEqual({ waiting: 1, tasks: 0 });
  expect(await counts(server, 'qiao')).toMatchObject({ waiting: 0, reports: 0 });
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
});

test('the operator’s day shows institutions being opened, contracts that end and low counts, and names no respondent', async () => {
  const server = await startServer();
  const { as } = server;
  await takeExam(server, await addStudent(server), SEVERE_ANSWERS);
  const { musercode } = await as('super')(addMUser, {
    insname: '云栖市新桥小学',
    musertype: '005',
    sector: 'edu',
    username: 'xinqiao',
  });
  await as('super')(updateMUser, { musercode: 'M_DONGSHAN', expiredate: monthFromNow });
  await as('super')(grantMUserAssessCount, { musercode, qty: 100, enddate: '2025-10-20' });
  server.clock.now = new Date('2025-10-21T02:00:00Z');
  await expireCounts(server.services.pools, server.clock.now);
  const day = await findBlocks(server, 'super');
  expect(Object.keys(day)).toEqual(['overdue', 'waiting', 'openings', 'contracts', 'lowcounts', 'channels', 'jobs', 'grants']);
  expect(day['openings']).toMatchObject({
    count: 1,
    path: '/Service/terminal?opening=1',
    rows: [{ title: '云栖市新桥小学', path: `/Service/opening/institutions/${musercode}` }],
  });
  expect(day['contracts']).toMatchObject({ count: 1, rows: [{ title: '云栖市东山中学', time: monthFromNow, late: false }] });
  expect(day['lowcounts']).toMatchObject({ count: 1, note: '其中已用完 1 项', rows: [{ title: '云栖市新桥小学' }] });
  expect([day['waiting']?.count, day['waiting']?.rows]).toEqual([1, []]);
  expect(JSON.stringify(day)).not.toContain('林小雨');
  // The provider handles cases and sees both.
  expect(Object.keys(await findBlocks(server, 'fang'))).toEqual(expect.arrayContaining(['waiting', 'openings', 'followups']));
});

test('a channel that fails stands on the workbench of the institutions above until a message gets through', async () => {
  const server = await startServer();
  const { as, services, clock } = server;
  services.isPrivateTargetAllowed = true;
  await as('ma')(updateWebhookChannel, { enabled: 1, url: 'http://127.0.0.1:1/', secret: 'a-secret-of-16-characters' });
  await takeExam(server, await addStudent(server), SEVERE_ANSWERS);
  await deliverNotices(services, clock.now);
  for (const who of ['super', 'fang'] as const)
    expect((await findBlocks(server, who))['channels']).toMatchObject({
      count: 1,
      rows: [{ title: '云栖市晨光中学', detail: '系统推送 · 连接被拒绝，请核对地址和端口' }],
    });
  await as('ma')(updateWebhookChannel, { enabled: 0, url: 'http://127.0.0.1:1/' });
  expect((await findBlocks(server, 'super'))['channels']?.count).toBe(0);
});

test('a background job that fails stands on the platform’s workbench until it succeeds', async () => {
  const server = await startServer();
  const { services } = server;
  const logged: unknown[] = [];
  let isBroken = true;
  const job = {
    name: 'write the texts of new reports',
    title: '报告生成',
    run: () => (isBroken ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
  };
  const tools = { log: (line: Record<string, unknown>) => void logged.push(line['job']) };
  await runJob(job, services, tools);
  await runJob(job, services, tools);
  expect((await findBlocks(server, 'super'))['jobs']).toMatchObject({
    count: 1,
    path: '',
    rows: [{ title: '报告生成', detail: '失败 2 次 · the disk is full' }],
  });
  expect((await findBlocks(server, 'fang'))['jobs']).toBeUndefined();
  isBroken = false;
  await runJob(job, services, tools);
  expect((await findBlocks(server, 'super'))['jobs']?.count).toBe(0);
  expect(logged).toEqual([job.name, job.name]);
});

test('a hospital reads the week of pregnancy and the stage on its workbench and in its list of persons', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26' } });
  await as('lin')(insertWarning, { cuserid, level: 2, content: '产检时情绪低落，反复哭泣' });
  expect((await findBlocks(server, 'lin'))['waiting']?.rows).toMatchObject([
    { title: '苏晓', detail: '待受理 · 孕 28周+0天 · 孕晚期' },
  ]);
  expect((await as('lin')(getCUserPageList, {})).rows).toMatchObject([
    { username: '苏晓', gestation: '孕 28周+0天', edcdate: '2025-12-31', stage: '孕晚期' },
  ]);
});

test('a hospital sees on its first page which women are due today, the overdue first; a school tests in tasks', async () => {
  const server = await startServer({ now: '2025-10-21T10:00:00+08:00' });
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { edcdate: '2026-01-20' } });
  await aWoman(server, { username: '何静', archive: { edcdate: '2025-12-31' } });
  const { blocks } = await server.as('lin')(workbench.getMyDay, {});
  const due = blocks.find((block) => block.key === 'due');
  expect(due).toMatchObject({ title: '待测孕产妇', count: 2, note: '逾期 1 人', path: '/empower/maternity' });
  expect(due?.rows).toMatchObject([
    {
      title: '苏晓',
      detail: expect.stringContaining('逾期') as string,
      late: true,
      path: `/archives/archivesyh1?cuserid=${cuserid}`,
    },
    { title: '何静', late: false },
  ]);
  expect((await server.as('chen')(workbench.getMyDay, {})).blocks.map((block) => block.key)).not.toContain('due');
});

test('waiting registrations stand on the workbench with the overdue first, and bookings until they have a result', async () => {
  const server = await startServer({ now: '2025-10-13T01:30:00Z' });
  const { sqlAsOwner } = server;
  const names = ['林小雨', '周明', '许诺', '高远'];
  const people = [];
  for (const [index, username] of names.entries())
    people.push(await addStudent(server, { username, studentno: `2025090${index}` }));
  const [lin, zhou, xu, gao] = people.map(({ cuserid }) => cuserid) as [string, string, string, string];
  const late = await aConsult(server, lin);
  const waiting = await aConsult(server, zhou);
  await sqlAsOwner("update consult set duetime = '2025-10-14 09:00+08' where consultid = $1", [waiting]);
  const open = await aConsult(server, xu, { counsellor: 'U_CHEN', status: '02', slotbegin: '2025-10-10 15:00+08' });
  const today = await aConsult(server, gao, { counsellor: 'U_CHEN', status: '02', slotbegin: '2025-10-13 16:00+08' });
  await aConsult(server, gao, { counsellor: 'U_CHEN', status: '02', slotbegin: '2025-10-14 16:00+08' });
  const { consults, bookings } = await findBlocks(server, 'chen');
  expect(consults).toMatchObject({ count: 2, note: '其中逾期 1 项' });
  expect(consults?.rows).toMatchObject([
    { title: '林小雨', late: true, path: `/registration/registrationForm?open=${late}` },
    { title: '周明', late: false, level: null },
  ]);
  expect(bookings).toMatchObject({ count: 2, note: '1 次待登记结果' });
  expect(bookings?.rows).toMatchObject([
    { title: '许诺', late: true, detail: '陈静怡 · 面谈', path: `/registration/registrationForm?open=${open}` },
    { title: '高远', late: false, time: '2025-10-13 16:00:00', path: `/registration/registrationForm?open=${today}` },
  ]);
  // Neither a class teacher nor the platform reads who asked for help.
  expect(Object.keys(await findBlocks(server, 'wang'))).not.toContain('consults');
  expect(Object.keys(await findBlocks(server, 'super'))).not.toContain('consults');
  // A case of level 3 makes the registration of its person due within a day of the case; a suspect sees neither.
  await server.as('lu')(insertWarning, { cuserid: zhou, level: 3, content: '同学反映近来常常独自哭泣' });
  expect((await findBlocks(server, 'chen'))['consults']?.rows[1]).toMatchObject({
    title: '周明',
    level: 3,
    time: '2025-10-14 09:00:00',
  });
  await sqlAsOwner("update warning set suspectuserids = '{U_CHEN}'");
  expect((await findBlocks(server, 'chen'))['consults']?.rows.map(({ title }) => title)).toEqual(['林小雨']);
});
