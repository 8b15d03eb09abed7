import { expect, test } from 'vitest';
import { getFollowUpPageList } from '#features/care/care.contract.ts';
import { insertMUserExamPlan } from '#features/plan/plan.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Option codes of an EPDS with this total and item 10 negative. Items 1, 2 and 4 print the best answer first, the others last. */
function epdsOf(total: number): string {
  let left = total;
  return Array.from({ length: 10 }, (_, index) => {
    const points = index === 9 ? 0 : Math.min(3, left);
    left -= points;
    return [0, 1, 3].includes(index) ? points + 1 : 4 - points;
  }).join(' ');
}

/** 仁爱妇幼保健院 uses a licensed EPDS. The product cannot take the wording of a licensed form yet, so the row is written. */
async function aLicensedPlan({ as, sqlAsOwner }: TestServer): Promise<string> {
  const request = { planname: '孕产期筛查', appid: '000000001', forms: [{ formcode: 'PHQ9' }] };
  const { plancode } = await as('lin')(insertMUserExamPlan, request);
  await sqlAsOwner(
    `update planform set formcode = 'EPDS', formversion = (select currentversion from form where formcode = 'EPDS')
     where plancode = $1`,
    [plancode],
  );
  await sqlAsOwner("update muserclient set loginmode = '02' where clientcode = 'entry_renai'");
  return plancode;
}

let womenCount = 0;
async function aWomanWithEpds(server: TestServer, plancode: string, username: string, total: number) {
  const studentno = `1390000${String(++womenCount).padStart(4, '0')}`;
  const { cuserid } = await server.as('lin')(insertCUser, {
    appid: '000000001',
    gender: '02',
    birthday: '1995-03-02',
    username,
    phonenumber: studentno,
    archive: { lmpdate: '2025-05-01' },
    guardian: [],
  });
  const woman = { cuserid, username, studentno };
  const takeEpds = (points: number) => takeExam(server, woman, { EPDS: epdsOf(points) }, { plancode, clientcode: 'entry_renai' });
  await takeEpds(total);
  return { cuserid, takeEpds };
}

const retestsOf = async ({ as }: TestServer, cuserid: string) =>
  (await as('lin')(getFollowUpPageList, { cuserid })).rows.map(
    ({ planname, method, status, duetime, isoverdue, warningcode }) => ({
      planname,
      method,
      status,
      duetime,
      isoverdue,
      warningcode,
    }),
  );

test('an EPDS of 10 to 12 plans its re-test from day 14; 9 plans none, and 13 opens a case instead', async () => {
  const server = await startServer();
  const plancode = await aLicensedPlan(server);
  const planned = [{ planname: 'EPDS 复测', method: '05', status: '01', isoverdue: 0, warningcode: null }];
  for (const [username, total, expected] of [
    ['苏晓', 9, []],
    ['周敏', 10, planned],
    ['何静', 11, planned],
    ['陈静', 12, planned],
    ['孙慧', 13, []],
  ] as const) {
    const { cuserid } = await aWomanWithEpds(server, plancode, username, total);
    const rows = await retestsOf(server, cuserid);
    expect([total, rows]).toEqual([total, expected.map((item) => ({ ...item, duetime: '2025-10-22 17:00:00' }))]);
    const cases = await server.sqlAsOwner('select level from warning where cuserid = $1', [cuserid]);
    expect([total, cases]).toEqual([total, total === 13 ? [{ level: 2 }] : []]);
  }
});

test('the planned EPDS re-test is overdue only after day 28, and the next EPDS completes it', async () => {
  const server = await startServer();
  const plancode = await aLicensedPlan(server);
  const { cuserid, takeEpds } = await aWomanWithEpds(server, plancode, '周敏', 11);
  const at = (time: string) => (server.clock.now = new Date(`${time}:00+08:00`));
  at('2025-10-12 10:00');
  await takeEpds(12);
  expect(await retestsOf(server, cuserid)).toMatchObject([{ status: '01', duetime: '2025-10-22 17:00:00' }]);
  at('2025-11-05 23:00');
  expect(await retestsOf(server, cuserid)).toMatchObject([{ status: '01', isoverdue: 0 }]);
  at('2025-11-06 08:00');
  expect(await retestsOf(server, cuserid)).toMatchObject([{ status: '01', isoverdue: 1 }]);
  await takeEpds(8);
  expect(await retestsOf(server, cuserid)).toMatchObject([{ status: '02', isoverdue: 0 }]);
});
