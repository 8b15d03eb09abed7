import { expect, test } from 'vitest';
import * as plan from '#features/plan/plan.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

interface Counts {
  granted: number;
  used: number;
  frozen: number;
  free: number;
  ledgerused: number;
  ledgerfrozen: number;
  grants: number;
  lastbalance: number;
}

/** Reads the wallet of 晨光中学 and the sums of its ledger and its grants. */
async function readCounts({ sqlAsOwner }: Server): Promise<Counts> {
  const [row] = await sqlAsOwner<Counts>(`
    select w.granted, w.used, w.frozen, w.granted - w.used - w.frozen - w.expired as free,
      (select coalesce(-sum(qty), 0)::int from assesscountlog where musercode = w.musercode and kind = '04') as ledgerused,
      (select coalesce(-sum(qty) filter (where kind = '03'), 0)::int - coalesce(sum(qty)
      filter (where kind = '05'), 0)::int - coalesce(-sum(qty) filter (where kind = '04'), 0)::int
        from assesscountlog where musercode = w.musercode) as ledgerfrozen,
      (select coalesce(sum(frozen), 0)::int from cuserplan where musercode = w.musercode) as grants,
      (select balance from assesscountlog where musercode = w.musercode order by logid desc limit 1) as lastbalance
    from assesscount w where w.musercode = 'M_CHENGUANG' and w.plancode = '*'`);
  return row as Counts;
}

/** Checks that granted = used + frozen + free, and that wallet, ledger and grants agree. */
async function expectCounts(server: Server, expected: Partial<Counts>) {
  const counts = await readCounts(server);
  expect(counts).toMatchObject({
    ...expected,
    granted: counts.used + counts.frozen + counts.free,
    ledgerused: counts.used,
    ledgerfrozen: counts.frozen,
    grants: counts.frozen,
    lastbalance: counts.free,
  });
}

test('a task freezes one count per student, a submission uses it, removal and closing return it', async () => {
  const server = await startServer();
  const { as } = server;
  const class3 = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周子涵', '吴思远', '郑一诺'],
    owneruserid: 'U_WANG',
  });
  const class4 = await addClass(server, { teamname: '初二4班', names: ['孙可欣', '李沐阳'] });
  const { taskcode, rostercount, frozen } = await as('chen')(
    task.insertAssessTask,
    screening([class3.teamcode, class4.teamcode]),
  );
  expect({ rostercount, frozen }).toEqual({ rostercount: 6, frozen: 6 });
  await expectCounts(server, { granted: 10_000, used: 0, frozen: 6, free: 9994 });

  const [lin, zhou, wu, zheng] = [class3.pupil('林小雨'), class3.pupil('周子涵'), class3.pupil('吴思远'), class3.pupil('郑一诺')];
  await answerTask(server, lin);
  await expectCounts(server, { used: 1, frozen: 5, free: 9994 });
  await answerTask(server, zhou, { begin: true });

  const class5 = await addClass(server, { teamname: '初二5班', names: ['赵明轩'] });
  expect(
    await as('chen')(task.insertAssessTeamRosterTask, { taskcode, teamcodes: [class5.teamcode, class3.teamcode] }),
  ).toMatchObject({ added: 1, frozen: 1 });
  await expectCounts(server, { used: 1, frozen: 6 });
  expect(
    await as('chen')(task.deleteAssessTaskCUser, { taskcode, cuserids: [class4.pupil('孙可欣').cuserid, lin.cuserid] }),
  ).toEqual({ removed: 1, released: 1 });
  await expectCounts(server, { used: 1, frozen: 5 });
  await as('chen')(task.setRosterReason, { taskcode, cuserids: [wu.cuserid, zheng.cuserid], reason: '请假' });
  await as('chen')(task.setRosterReason, { taskcode, cuserids: [zheng.cuserid], reason: null });

  const { statement } = await as('chen')(task.closeTask, { taskcode });
  expect(statement).toMatchObject({
    total: 6,
    finished: 1,
    doing: 1,
    absent: 1,
    notstarted: 3,
    dubious: 0,
    released: 5,
    rate: 16.7,
    reasons: [{ reason: '请假', count: 1 }],
  });
  expect(statement.text).toBe(
    '应测 6 人，完成 1 人，免测 0 人，缺测 1 人（请假 1），作答未交 1 人，未测 3 人，完成率 16.7%（完成/应测）。退回未使用的测评次数 5 次。',
  );
  expect(statement.total).toBe(statement.finished + statement.absent + statement.doing + statement.notstarted);
  await expectCounts(server, { used: 1, frozen: 0, free: 9999 });
  expect((await as('chen')(task.getCloseStatement, { taskcode })).statement).toEqual(statement);
  await expect(as('chen')(task.setRosterReason, { taskcode, cuserids: [wu.cuserid], reason: '拒绝参加' })).rejects.toMatchObject({
    code: 140001,
  });
});

test('a student removed from a task and added again costs one count, not two', async () => {
  const server = await startServer();
  const { teamcode, pupil } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const cuserids = [pupil('林小雨').cuserid];
  await server.as('chen')(task.deleteAssessTaskCUser, { taskcode, cuserids });
  expect(await server.as('chen')(task.insertAssessTeamRosterTask, { taskcode, cuserids })).toMatchObject({ added: 1 });
  await expectCounts(server, { frozen: 2 });
  await answerTask(server, pupil('林小雨'));
  await expectCounts(server, { used: 1, frozen: 1 });
});

const { tasks, granted } = sizeOf({ tasks: 40, granted: 21 }, { tasks: 200, granted: 61 });

test(`of ${tasks} tasks created at once only those that ${granted} free counts can pay are created`, async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  await sqlAsOwner("update assesscount set granted = $1 where musercode = 'M_CHENGUANG'", [granted]);
  const answers = await Promise.allSettled(
    Array.from({ length: tasks }, (_, n) => as('chen')(task.insertAssessTask, screening([teamcode], { taskname: `并发 ${n}` }))),
  );
  const createdCount = answers.filter((result) => result.status === 'fulfilled').length;
  const refused = answers.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: number }).code] : []));
  const payable = Math.floor(granted / 2);
  expect(createdCount).toBe(payable);
  expect(new Set(refused)).toEqual(new Set([150001]));
  const [remaining] = await sqlAsOwner<{ n: number }>('select count(*)::int as n from assesstask');
  expect(remaining?.n).toBe(payable);
  expect(await readCounts(server)).toMatchObject({
    granted,
    frozen: 2 * payable,
    free: 1,
    grants: 2 * payable,
    ledgerfrozen: 2 * payable,
  });
});

test('a task without enough counts is refused with the needed and free numbers and leaves no rows', async () => {
  const { as, sqlAsOwner, ...rest } = await startServer();
  const { teamcode } = await addClass({ as, sqlAsOwner, ...rest }, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  await sqlAsOwner("update assesscount set granted = 1 where musercode = 'M_CHENGUANG'");
  await expect(as('chen')(task.insertAssessTask, screening([teamcode]))).rejects.toMatchObject({
    code: 150001,
    message: '测评次数不足：需要 2 次，剩余 1 次',
    data: { free: 1, need: 2 },
  });
  expect(
    await sqlAsOwner('select 1 from assesstask union all select 1 from taskroster union all select 1 from cuserplan'),
  ).toEqual([]);
});

test('two people close a task at once: one succeeds, the other is refused, and counts return once', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const results = await Promise.allSettled([as('chen')(task.closeTask, { taskcode }), as('ma')(task.closeTask, { taskcode })]);
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: { code: 140001 } });
  await expectCounts(server, { frozen: 0, free: 10_000 });
});

test('a submission during closing is either in the statement or refused, never both', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周子涵', '吴思远', '郑一诺', '孙可欣', '李沐阳'],
  });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const startedExams = [];
  for (const pupil of pupils) startedExams.push(await answerTask(server, pupil, { begin: true }));
  server.clock.now = new Date(server.clock.now.getTime() + 300_000);
  const [closed, ...submissions] = await Promise.allSettled([
    as('chen')(task.closeTask, { taskcode }),
    ...startedExams.map(({ handIn }) => handIn()),
  ]);
  const submittedCount = submissions.filter((handIn) => handIn.status === 'fulfilled').length;
  expect(closed).toMatchObject({
    status: 'fulfilled',
    value: { statement: { total: 6, finished: submittedCount, doing: 6 - submittedCount, released: 6 - submittedCount } },
  });
  await expectCounts(server, { used: submittedCount, frozen: 0 });
});

test('a task ends automatically once at its end time', async () => {
  const { endDueTasks } = await import('#features/task/closing.server.ts');
  const { runAsSystem } = await import('#server/db/systemSession.ts');
  const server = await startServer();
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const endTasksAt = (now: string) =>
    runAsSystem(server.services.pools, 'AS000001', (scope) => endDueTasks(scope, new Date(now)));
  expect(await endTasksAt('2025-10-10T08:59:59Z')).toEqual([]);
  expect(await endTasksAt('2025-10-10T09:00:00Z')).toEqual([taskcode]);
  expect(await endTasksAt('2025-10-10T09:00:01Z')).toEqual([]);
  const { rows } = await server.as('chen')(board.getAssessTaskProgress, { taskcode });
  expect(rows[0]).toMatchObject({ status: 2 });
  await expectCounts(server, { frozen: 0 });
});

test('students outside the age range of the forms are excluded, and the response gives the reason', async () => {
  const server = await startServer();
  const { as } = server;
  const small = await addClass(server, { teamname: '小学3班', names: ['小豆'], birthday: '2014-10-07' });
  const big = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2013-10-06' });
  const twelve = '12 岁及以上';
  const request = { plancode: 'P900002', teamcodes: [small.teamcode, big.teamcode], begintime: '2025-10-06 08:00' };
  expect(await as('chen')(task.checkAssessTask, request)).toMatchObject({
    rostercount: 1,
    excludedcount: 1,
    need: 1,
    free: 10_000,
    licenceok: true,
    consented: 0,
    planname: '学生心理健康标准方案（PHQ-9 + GAD-7）',
    forms: [{ itemcount: 10 }, { itemcount: 7 }],
    classes: [{ teamname: '初二3班', count: 1 }],
    guardian: { needed: 1, agreed: 0, refused: 0 },
  });
  const created = await as('chen')(task.insertAssessTask, screening(request.teamcodes));
  expect(created).toMatchObject({ rostercount: 1, frozen: 1, exclusions: [{ username: '小豆', teamname: '小学3班' }] });
  expect(created.exclusions[0]?.reason).toContain(twelve);
  await expect(as('chen')(task.insertAssessTask, screening([small.teamcode]))).rejects.toThrow('所选人员均不能参加');
});

test('a draft task reserves counts and is hidden from students; a task with submissions can be cancelled, not deleted', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode], { status: 0 }));
  await expect(answerTask(server, pupil('林小雨'))).rejects.toThrow('has nothing to answer');
  await as('chen')(task.updateAssessTask, { taskcode, status: 1 });
  await answerTask(server, pupil('林小雨'));
  await expect(as('chen')(task.deleteAssessTask, { taskcode })).rejects.toMatchObject({
    code: 130003,
    message: '已有 1 人交卷，不能删除，可改为取消任务',
  });
  await expectCounts(server, { used: 1, frozen: 1 });
  await as('chen')(task.updateAssessTask, { taskcode, status: 3 });
  await expectCounts(server, { used: 1, frozen: 0 });
  const second = await as('chen')(task.insertAssessTask, screening([teamcode]));
  expect(await as('chen')(task.deleteAssessTask, { taskcode: second.taskcode })).toEqual({ released: 2 });
  await expectCounts(server, { used: 1, frozen: 0 });
});

test('a make-up task invites absent students, and a re-test task invites the named persons', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远', '郑一诺'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  await answerTask(server, pupil('林小雨'));
  await as('chen')(task.setRosterReason, { taskcode, cuserids: [pupil('周子涵').cuserid], reason: '转出' });
  await as('chen')(task.setRosterReason, { taskcode, cuserids: [pupil('吴思远').cuserid], reason: '请假' });
  await as('chen')(task.closeTask, { taskcode });
  const makeup = await as('chen')(task.createRetestTask, { taskcode, round: '02' });
  expect(makeup.rostercount).toBe(2);
  const { rows } = await as('chen')(board.getAssessTaskProgress, { parenttaskcode: taskcode });
  expect(rows).toMatchObject([
    { taskcode: makeup.taskcode, taskname: '2025 秋季普测·补测', round: '02', endtime: expect.stringContaining('2025-10-15') },
  ]);
  const retest = await as('chen')(task.createRetestTask, { cuserids: [pupil('林小雨').cuserid] });
  expect((await as('chen')(board.getAssessTaskProgress, { taskcode: retest.taskcode })).rows[0]).toMatchObject({
    round: '03',
    plancode: 'P900002',
    rostercount: 1,
    taskname: '个案·复测',
  });
  await answerTask(server, pupil('林小雨'));
});

test('a task is refused when its plan has a form whose licence was not accepted, and the message names the form', async () => {
  const { as } = await startServer();
  const forms = [{ formcode: 'PHQ9' }, { formcode: 'EPDS' }];
  await expect(as('lin')(plan.insertMUserExamPlan, { planname: '孕期', appid: '000000001', forms })).rejects.toMatchObject({
    code: 150002,
    data: { forms: [{ formcode: 'EPDS' }] },
  });
});
