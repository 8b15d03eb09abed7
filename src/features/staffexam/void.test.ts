import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { getCUserExamDataPageList } from '#features/examdata/examdata.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import { getCUserReport, getCUserReportPageList } from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { aStudent } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass, answerTask, screening, signInPupil } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const selfHarm = { PHQ9: '1 1 1 1 1 1 1 1 2 1', GAD7: '0 0 0 0 0 0 0' };
const reason = '监考记录显示由同桌代答，本人未参加';

const walletOf = async ({ sqlAsOwner }: TestServer) =>
  (
    await sqlAsOwner<{ used: number; frozen: number; free: number }>(
      `select used::int, frozen::int, (granted - used - frozen - expired)::int as free
       from assesscount where musercode = 'M_CHENGUANG' and plancode = '*'`,
    )
  )[0] ?? { used: 0, frozen: 0, free: 0 };

/** 林小雨 has answered the running task of her class. */
async function answeredTask() {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初三3班', names: ['林小雨'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const { examcode } = await answerTask(server, pupil('林小雨'));
  const statusOf = async () =>
    (await server.sqlAsOwner<{ status: number; reason: string | null }>('select status, reason from taskroster'))[0];
  return { server, as, taskcode, examcode, lin: pupil('林小雨'), statusOf };
}

test('a void sheet leaves reports, data and trend, its unit comes back once and the pupil answers the running task again', async () => {
  const { server, as, examcode, lin, statusOf } = await answeredTask();
  const before = await walletOf(server);
  const { rows } = await as('chen')(getCUserReportPageList, {});
  expect(await as('chen')(voidExam, { examcode, reason })).toEqual({ returned: 1, canretest: 1, opencases: 0 });
  expect((await as('chen')(getCUserReportPageList, {})).total).toBe(0);
  expect((await as('chen')(getCUserExamDataPageList, {})).total).toBe(0);
  await expect(as('chen')(getCUserReport, { reportcode: rows[0]?.reportcode ?? '' })).rejects.toMatchObject({ code: 130001 });
  const file = await as('chen')(getCUserArchive, { cuserid: lin.cuserid });
  const { forms } = await as('chen')(getPHQ9ChartsData, { cuserid: lin.cuserid });
  expect([file.examcount, forms]).toEqual([0, []]);
  expect(file.timeline.map(({ title }) => title).join()).toContain('答卷已作废：');
  expect(await statusOf()).toEqual({ status: 0, reason: null });
  expect(await walletOf(server)).toEqual({ ...before, used: before.used - 1, frozen: before.frozen + 1 });
  await expect(as('chen')(voidExam, { examcode, reason })).rejects.toMatchObject({ code: 140001 });
  expect((await walletOf(server)).used).toBe(before.used - 1);
  const again = await answerTask(server, lin);
  expect(again.examcode).not.toBe(examcode);
  expect(await walletOf(server)).toEqual(before);
  expect(await findDisagreements(server)).toEqual([]);
});

test('the pupil reads a void report no more', async () => {
  const { server, as, taskcode, examcode, lin } = await answeredTask();
  await server.sqlAsOwner('update report set isshow = 1');
  const call = await signInPupil(server, lin);
  expect(await call(respond.getOwnReports, {})).toHaveLength(1);
  await as('chen')(voidExam, { examcode, reason });
  expect(await call(respond.getOwnReports, {})).toEqual([]);
  expect(taskcode).not.toBe('');
});

test('after the task ended the unit becomes free, and the roster says why the pupil has no sheet', async () => {
  const { server, as, examcode, statusOf } = await answeredTask();
  const before = await walletOf(server);
  server.clock.now = addDays(server.clock.now, 10);
  expect(await as('chen')(voidExam, { examcode, reason })).toMatchObject({ returned: 1, canretest: 0 });
  expect(await statusOf()).toEqual({ status: 3, reason: '答卷已作废' });
  expect(await walletOf(server)).toEqual({ ...before, used: before.used - 1, free: before.free + 1 });
  expect(await findDisagreements(server)).toEqual([]);
});

test('the unit of a void sheet outside tasks becomes free', async () => {
  const server = await startServer();
  const { as } = server;
  const lin = await aStudent(server);
  const before = await walletOf(server);
  await as('chen')(authorizeCUserPlan, { cuserids: [lin.cuserid], plancode: 'P900002' });
  const { examcode } = await answerTask(server, lin);
  expect(await walletOf(server)).toEqual({ ...before, used: before.used + 1, free: before.free - 1 });
  expect(await as('chen')(voidExam, { examcode, reason })).toMatchObject({ returned: 1, canretest: 0 });
  expect(await walletOf(server)).toEqual(before);
  expect(await findDisagreements(server)).toEqual([]);
});

test('the case of a void sheet stays open, its owner is told, and 对账 neither raises it again nor loses it', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const lin = await aStudent(server);
  const { examcode } = await takeExam(server, lin, selfHarm);
  const compare = async (kind: 'hourly' | 'nightly') =>
    (await reconcile(server.services, kind, server.clock.now)).reports['M_CHENGUANG']?.difflist;
  expect(await as('chen')(voidExam, { examcode, reason })).toMatchObject({ opencases: 1 });
  const { rows } = await as('chen')(getWarningPageList, { keyword: '林小雨' });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ state: '01' });
  const notices = await sqlAsOwner<{ userid: string }>("select userid from notification where title = '触发答卷已作废'");
  expect(notices).toHaveLength(1);
  const [line] = await sqlAsOwner<{ content: string }>("select content from warninglog where action = '答卷作废'");
  expect(line?.content).toContain(reason);
  expect(await compare('hourly')).toEqual([]);
  expect(await compare('nightly')).toEqual([]);
  // A case that disappears without a decision is still found.
  await sqlAsOwner('update warning set isdeleted = 1');
  expect((await compare('nightly'))?.join()).toContain(rows[0]?.warningcode);
});

test('a later sheet is judged again without the void one', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const lin = await aStudent(server);
  await takeExam(server, lin, calm);
  clock.now = addDays(clock.now, 20);
  // The middle sheet hides the rise of 6 points from the first to the last one.
  const middle = await takeExam(server, lin, { PHQ9: '1 1 1 1 0 0 0 0 0 0', GAD7: calm.GAD7 });
  clock.now = addDays(clock.now, 20);
  await takeExam(server, lin, { PHQ9: '1 1 1 1 1 1 0 0 0 1', GAD7: calm.GAD7 });
  expect((await as('chen')(getWarningPageList, {})).total).toBe(0);
  await as('chen')(voidExam, { examcode: middle.examcode, reason });
  const { rows } = await as('chen')(getWarningPageList, {});
  expect(rows.map(({ username }) => username)).toEqual(['林小雨']);
  expect((await reconcile(server.services, 'nightly', clock.now)).reports['M_CHENGUANG']?.difflist).toEqual([]);
});

test('an open sheet, a sheet of another institution and a reason of two characters are refused', async () => {
  const { server, as, examcode } = await answeredTask();
  await expect(as('chen')(voidExam, { examcode, reason: '代答' })).rejects.toMatchObject({ code: 120002 });
  await expect(as('qiao')(voidExam, { examcode, reason })).rejects.toMatchObject({ code: 130001 });
  await as('chen')(voidExam, { examcode, reason });
  const { pupil, teamcode } = await addClass(server, { teamname: '初三4班', names: ['周明'] });
  await as('chen')(task.insertAssessTask, screening([teamcode]));
  const open = await answerTask(server, pupil('周明'), { begin: true });
  await expect(as('chen')(voidExam, { examcode: open.examcode, reason: `${reason}${randomUUID()}` })).rejects.toMatchObject({
    code: 140001,
  });
});
