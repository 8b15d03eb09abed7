import { expect, test } from 'vitest';
import { shiftDate } from '#domain/base/calendar.ts';
import { proposeStage, type StageFacts, type ValidSheet } from '#domain/person/stage.ts';
import { insertCUser, revealCUser } from '#features/cuser/cuser.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { getCUserArchiveHeadList } from '#features/archivefield/archivefield.contract.ts';
import * as archive from '#features/archive/archive.contract.ts';
import { insertFollowUp } from '#features/care/care.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { aConsult, aStudent, aWoman, giveRole, setPermission } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Sets the clock to ten o'clock of a day. */
const goTo = (server: TestServer, date: string) => {
  server.clock.now = new Date(`${date}T10:00:00+08:00`);
};

test('档案管理 lists a pregnant woman with her week and the stage of today, and filters by it', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-10-08');
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', checkupno: 'RA77001' } });
  const list = await as('lin')(archive.getCUserArchivePageList, { appid: '000000001', stagecode: 'YC03' });
  expect(list.rows.find((row) => row.cuserid === cuserid)).toMatchObject({
    username: '苏晓',
    gestation: '孕 28周+0天',
    edcdate: '2025-12-31',
    stagecode: 'YC03',
    stagename: '孕晚期',
    status: 1,
    fields: { checkupno: 'RA77001' },
  });
  const early = await as('lin')(archive.getCUserArchivePageList, { appid: '000000001', stagecode: 'YC01' });
  expect(early.rows.map((row) => row.cuserid)).not.toContain(cuserid);
});

test('sensitive fields are on no list; the page names them, and a reveal shows them', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-10-08');
  const { cuserid } = await aWoman(server, { username: '何静', archive: { lmpdate: '2025-03-26', domesticviolence: '2' } });
  const { rows } = await as('lin')(archive.getCUserArchivePageList, { keyword: '何静' });
  expect(rows[0]?.fields).not.toHaveProperty('domesticviolence');
  const page = await as('lin')(archive.getCUserArchive, { cuserid });
  expect(page.archives[0]?.fields).not.toHaveProperty('domesticviolence');
  expect(page.archives[0]?.hidden).toEqual(['domesticviolence']);
  expect((await as('lin')(revealCUser, { cuserid })).archive).toMatchObject({ domesticviolence: '2' });
  const heads = await as('lin')(getCUserArchiveHeadList, { appid: '000000001' });
  expect(heads.find((head) => head.fieldcode === 'domesticviolence')).toMatchObject({ sensitive: 1, inlist: 0, insearch: 0 });
});

test('a second pregnancy is a new archive: the first one stays, and every list shows the person once', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-01-10');
  const { cuserid } = await aWoman(server, { username: '郑悦', archive: { lmpdate: '2024-03-26', deliverydate: '2025-01-02' } });
  const first = (await as('lin')(archive.getCUserArchive, { cuserid })).archives[0];
  goTo(server, '2025-07-01');
  await as('lin')(archive.deleteCUserArchive, { archiveid: first?.archiveid as number, closereason: '03' });
  goTo(server, '2025-10-08');
  const opened = await as('lin')(archive.openCUserArchive, { cuserid, appid: '000000001' });
  expect(opened).toMatchObject({ isnew: 1 });
  expect(opened.archiveno).not.toBe(first?.archiveno);
  const page = await as('lin')(archive.getCUserArchive, { cuserid });
  expect(page.archives.map(({ archiveno, status, iscurrent }) => [archiveno, status, iscurrent])).toEqual([
    [opened.archiveno, 1, 1],
    [first?.archiveno, 2, 0],
  ]);
  expect(page.timeline.map((entry) => entry.title)).toContain(`档案结束 ${first?.archiveno}：孕产期结束`);
  for (const list of [
    await as('lin')(archive.getCUserArchivePageList, { keyword: '郑悦' }),
    await as('lin')(getCUserPageList, { keyword: '郑悦' }),
  ])
    expect(list.total).toBe(1);
});

test('a closed archive is reopened within 30 days, and replaced by a new one afterwards', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-10-01');
  const { cuserid, archiveid } = await aWoman(server, { username: '方岚', archive: { lmpdate: '2025-03-26' } });
  await as('lin')(archive.deleteCUserArchive, { archiveid, closereason: '02' });
  await expect(as('lin')(archive.deleteCUserArchive, { archiveid, closereason: '02' })).rejects.toMatchObject({ code: 140001 });
  goTo(server, '2025-10-31');
  expect(await as('lin')(archive.openCUserArchive, { cuserid, appid: '000000001' })).toMatchObject({ archiveid, isnew: 0 });
  await expect(as('lin')(archive.openCUserArchive, { cuserid, appid: '000000001' })).rejects.toMatchObject({ code: 130002 });
  await as('lin')(archive.deleteCUserArchive, { archiveid, closereason: '07', closenote: '搬到外地生活' });
  goTo(server, '2025-12-01');
  expect(await as('lin')(archive.openCUserArchive, { cuserid, appid: '000000001' })).toMatchObject({ isnew: 1 });
  await expect(as('lin')(archive.deleteCUserArchive, { archiveid, closereason: '07', closenote: '搬家' })).rejects.toMatchObject({
    code: 120002,
  });
});

test('an archive with an open case is not closed, and closing it returns the unused counts', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  goTo(server, '2025-10-08');
  const student = await aStudent(server, { username: '沈一诺', studentno: '20239001' });
  const [row] = await sqlAsOwner<{ archiveid: number }>('select archiveid::int from cuserarchive where cuserid = $1', [
    student.cuserid,
  ]);
  await takeExam(server, student, { PHQ9: '3 3 3 3 3 3 3 3 3' });
  await expect(
    as('chen')(archive.deleteCUserArchive, { archiveid: row?.archiveid as number, closereason: '01' }),
  ).rejects.toMatchObject({ code: 130003, message: expect.stringContaining('未结案') as string });
});

test('the page of a person has one timeline; class teachers do not open it', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-10-08');
  const student = await aStudent(server, { username: '林小雨', studentno: '20239002' });
  await takeExam(server, student, { PHQ9: '1 1 1 1 1 1 1 1 0' });
  const page = await as('chen')(archive.getCUserArchive, { cuserid: student.cuserid });
  expect(page.timeline.map((entry) => entry.type)).toEqual(expect.arrayContaining(['report', 'archive']));
  expect(page.consents[0]).toMatchObject({ scope: expect.stringMatching(/0[12]/) as string, agreed: 1 });
  await expect(as('wang')(archive.getCUserArchive, { cuserid: student.cuserid })).rejects.toMatchObject({ code: 110004 });
});

test('the timeline shows the date and kind of consultations, with a link for staff of 登记表管理, and nothing to a suspect', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid } = await aStudent(server);
  const met = await aConsult(server, cuserid, { counsellor: 'U_LU', status: '03' });
  await aConsult(server, cuserid);
  await aConsult(server, cuserid, { status: '04' });
  const consults = async () =>
    (await as('chen')(archive.getCUserArchive, { cuserid })).timeline.filter(({ type }) => type === 'consult');
  expect(await consults()).toMatchObject([
    { title: '心理咨询（面谈）', time: '2025-10-08 09:00:00', refcode: String(met), level: null },
    { title: '咨询登记（面谈）', time: '2025-10-07 09:00:00' },
  ]);
  await setPermission(server, 'U_CHEN', '00016', 'deny');
  expect((await consults()).map(({ refcode }) => refcode)).toEqual(['', '']);
  const { warningcode } = await as('lu')(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await sqlAsOwner("update warning set suspectuserids = '{U_CHEN}' where warningcode = $1", [warningcode]);
  expect(await consults()).toEqual([]);
});

test('the timeline shows a follow-up without a case, but not to a colleague whom the person’s open case suspects', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid } = await aStudent(server);
  await as('lu')(insertFollowUp, { cuserid, duetime: '2025-10-20 10:00' });
  const followUps = async (who: 'chen' | 'lu') =>
    (await as(who)(archive.getCUserArchive, { cuserid })).timeline.filter(({ type }) => type === 'followup');
  expect(await followUps('chen')).toHaveLength(1);
  const { warningcode } = await as('lu')(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await sqlAsOwner("update warning set suspectuserids = '{U_CHEN}' where warningcode = $1", [warningcode]);
  expect([await followUps('chen'), (await followUps('lu')).length]).toEqual([[], 1]);
});

test('the stage filter and the rule of the domain agree for every day of a pregnancy, a school year and a year of work', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  goTo(server, '2025-08-01');
  const people = [
    { who: 'lin', appid: '000000001', archive: { edcdate: '2026-01-01' } },
    { who: 'lin', appid: '000000001', archive: { deliverydate: '2025-09-10', edcdate: '2025-09-12' } },
    { who: 'chen', appid: '000000002', archive: { studentno: '20239101', gradecode: 'J1', gradename: '初一' } },
    { who: 'chen', appid: '000000002', archive: { studentno: '20239102', gradecode: 'J2', gradename: '初二' } },
    { who: 'lin', appid: '000000003', archive: { employeeno: 'G9101' } },
    { who: 'lin', appid: '000000004', archive: {} },
  ] as const;
  const made = [];
  for (const { who, appid, archive: values } of people) {
    const { cuserid } = await as(who)(insertCUser, { appid, username: '阶段', gender: '02', archive: values, guardian: [] });
    made.push({ who, cuserid, facts: { appid, opendate: '2025-08-01', sheets: [] as ValidSheet[], ...values } as StageFacts });
  }
  const worker = made[4]!;
  await sqlAsOwner(
    `insert into examrecord (musercode, cuserid, appid, plancode, stagecode, status, submittime, valid, overalllevel)
     select musercode, cuserid, appid, 'P900002', 'ZY02', 2, '2025-08-20 10:00+08', 1, 0 from cuser where cuserid = $1`,
    [worker.cuserid],
  );
  worker.facts = { ...worker.facts, sheets: [{ stagecode: 'ZY02', date: '2025-08-20', level: 0 }] };
  const pupil = made[3]!;
  await sqlAsOwner(
    `insert into examrecord (musercode, cuserid, appid, plancode, stagecode, status, submittime, valid, overalllevel)
     select musercode, cuserid, appid, 'P900002', 'XS01', 2, '2025-10-09 10:00+08', 1, 2 from cuser where cuserid = $1`,
    [pupil.cuserid],
  );
  const [plan] = await sqlAsOwner<{ retestdays: number }>("select retestdays from plan where plancode = 'P900002'");
  const retestdays = plan?.retestdays ?? 0;
  expect(retestdays).toBeGreaterThan(0);
  pupil.facts = { ...pupil.facts, sheets: [{ stagecode: 'XS01', date: '2025-10-09', level: 2, retestdays }] };
  for (let day = '2025-08-01'; day < '2026-09-30'; day = shiftDate(day, 9)) {
    goTo(server, day);
    for (const who of ['lin', 'chen'] as const) {
      const { rows } = await as(who)(archive.getCUserArchivePageList, { keyword: '阶段', pageSize: 200 });
      for (const { cuserid, facts } of made.filter((one) => one.who === who))
        expect([day, cuserid, rows.find((row) => row.cuserid === cuserid)?.stagecode]).toEqual([
          day,
          cuserid,
          proposeStage(facts, day).stagecode ?? '',
        ]);
    }
  }
});

test('the due list counts 应测, 逾期, 复测 and 漏测, the overdue first', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-03-01');
  const names = { '2025-10-20': '逾期者', '2025-11-20': '应测者' };
  for (const [edcdate, username] of Object.entries(names)) await aWoman(server, { username, archive: { edcdate } });
  goTo(server, '2025-10-21');
  const due = await as('lin')(archive.getDuePageList, { appid: '000000001', pageSize: 200 });
  const mine = due.rows.filter((row) => Object.values(names).includes(row.username));
  expect(mine.map(({ username, due: state, stagename }) => [username, state, stagename])).toEqual([
    ['逾期者', 'overdue', '孕晚期'],
    ['应测者', 'due', '孕晚期'],
  ]);
  expect(mine[0]?.missed).toEqual(['孕早期', '孕中期']);
  expect(due.counts.overdue).toBeGreaterThanOrEqual(1);
});

test('the reader sorts the due list by name, stage, state or last day; who has no value comes last', async () => {
  const server = await startServer();
  const { as } = server;
  goTo(server, '2025-03-01');
  const dates = { 赵丹: '2025-10-20', 安宁: '2025-11-20', 林夏: '2026-03-20' };
  for (const [username, edcdate] of Object.entries(dates)) await aWoman(server, { username, archive: { edcdate } });
  goTo(server, '2025-10-21');
  const sorted = async (orderby: 'username' | 'due' | 'until' | 'stagename', isasc: '0' | '1') =>
    (await as('lin')(archive.getDuePageList, { appid: '000000001', pageSize: 200, orderby, isasc })).rows
      .map(({ username }) => username)
      .filter((username) => username in dates);
  expect(await sorted('username', '1')).toEqual(['安宁', '林夏', '赵丹']);
  expect(await sorted('username', '0')).toEqual(['赵丹', '林夏', '安宁']);
  expect((await sorted('until', '0')).at(-1)).toBe('赵丹');
  expect((await sorted('due', '1'))[0]).toBe('赵丹');
  expect((await sorted('stagename', '1'))[0]).toBe('林夏');
});

test('a nurse sees pregnant women and elders; pupils are on none of her lists, and asking for them is refused', async () => {
  const server = await startServer();
  const { as } = server;
  await giveRole(server, 'U_NOBODY', 'nurse');
  await aStudent(server, { username: '沈一诺', studentno: '20239301' });
  const elder = await as('chen')(insertCUser, {
    appid: '000000004',
    username: '沈伯年',
    gender: '01',
    archive: {},
    guardian: [],
  });
  const { rows } = await as('nobody')(archive.getCUserArchivePageList, { keyword: '沈' });
  expect(rows.map((row) => row.cuserid)).toEqual([elder.cuserid]);
  expect((await as('nobody')(getCUserPageList, { keyword: '沈' })).rows.map((row) => row.cuserid)).toEqual([elder.cuserid]);
  for (const list of [archive.getCUserArchivePageList, getCUserPageList, archive.getDuePageList])
    await expect(as('nobody')(list, { appid: '000000002' })).rejects.toMatchObject({ code: 110004 });
});
