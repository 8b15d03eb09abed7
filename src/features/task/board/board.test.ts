import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { approveExport } from '#testing/files/approveExport.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** Creates a task of 晨光中学 for 初二3班 (王班主任) and 初二4班: one submitted, one is answering, one is excused. */
async function createScreening() {
  const server = await startServer();
  const class3 = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'], owneruserid: 'U_WANG' });
  const class4 = await addClass(server, { teamname: '初二4班', names: ['孙可欣', '李沐阳', '赵明轩', '钱多多'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([class3.teamcode, class4.teamcode]));
  await answerTask(server, class3.pupil('林小雨'));
  await answerTask(server, class4.pupil('孙可欣'), { begin: true });
  await server.as('chen')(task.setRosterReason, { taskcode, cuserids: [class4.pupil('李沐阳').cuserid], reason: '家长不同意' });
  return { server, taskcode, class3, class4 };
}

test('the board, list, groups, roster and statement of a task show the same numbers', async () => {
  const { server, taskcode } = await createScreening();
  const chen = server.as('chen');
  const liveBoard = await chen(board.getTaskBoard, { taskcode });
  const expected = { total: 7, finished: 1, doing: 1, notstarted: 4, absent: 1, exempt: 1, dubious: 0 };
  expect(liveBoard.totals).toEqual(expected);
  expect(liveBoard.classes.map(({ name, total, finished, word }) => [name, total, finished, word])).toEqual([
    ['初二3班', 3, 1, '刚起步'],
    ['初二4班', 4, 0, '未开始'],
  ]);
  expect(liveBoard.task).toMatchObject({ rostercount: 7, finishedcount: 1, finishrate: 14.3, duerate: 16.7, abnormalcount: 0 });
  expect(liveBoard.hours).toEqual([{ at: '2025-10-08 10:00:00', count: 1, total: 1 }]);
  expect(liveBoard).toMatchObject({
    clientcode: 'entry_chenguang',
    entryurl: 'http://127.0.0.1:8080/c/entry_chenguang',
    warnings: 0,
    closed: false,
  });
  const { rows } = await chen(board.getAssessTaskProgress, { status: 1 });
  expect(rows).toMatchObject([
    {
      taskcode,
      rostercount: 7,
      finishedcount: 1,
      doingcount: 1,
      notstartedcount: 4,
      absentcount: 1,
      exemptcount: 1,
      finishrate: 14.3,
      duerate: 16.7,
      teamcount: 2,
    },
  ]);
  for (const groupby of ['team', 'grade', 'class'] as const) {
    const groups = await chen(board.getAssessTaskRosterProgress, { taskcode, groupby });
    expect(groups).toMatchObject({
      total: 7,
      finished: 1,
      doing: 1,
      notstarted: 4,
      absent: 1,
      exempt: 1,
      finishrate: 14.3,
      duerate: 16.7,
    });
    expect(groups.groups.reduce((sum, group) => sum + (group.total ?? 0), 0)).toBe(7);
  }
  for (const [status, n] of [
    [0, 4],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 0],
  ] as const)
    expect([status, (await chen(board.getAssessTaskRoster, { taskcode, status })).total]).toEqual([status, n]);
  expect((await chen(task.getCloseStatement, { taskcode })).statement).toMatchObject({
    ...expected,
    reasons: [{ reason: '家长不同意', count: 1 }],
    released: 6,
  });
});

test('a class teacher sees only her own class of a task, without results, and cannot change it', async () => {
  const { server, taskcode, class3, class4 } = await createScreening();
  const wang = server.as('wang');
  const { rows } = await wang(board.getAssessTaskProgress, {});
  expect(rows).toMatchObject([{ taskcode, rostercount: 3, finishedcount: 1, abnormalcount: null }]);
  const liveBoard = await wang(board.getTaskBoard, { taskcode });
  expect(liveBoard.classes.map((schoolClass) => schoolClass.name)).toEqual(['初二3班']);
  const roster = await wang(board.getAssessTaskRoster, { taskcode });
  expect(roster.rows.map((row) => row.username).sort()).toEqual(['吴思远', '周子涵', '林小雨'].sort());
  expect(roster.rows.every((row) => row.overalllevel === null && row.examcode === '')).toBe(true);
  expect((await wang(board.getTaskChaseList, { taskcode })).classes.map((schoolClass) => schoolClass.name)).toEqual(['初二3班']);
  for (const write of [
    () => wang(task.setRosterReason, { taskcode, cuserids: [class3.pupil('周子涵').cuserid], reason: '请假' }),
    () => wang(task.closeTask, { taskcode }),
    () => wang(task.remindTask, { taskcode }),
    () => wang(task.deleteAssessTaskCUser, { taskcode, cuserids: [class4.pupil('孙可欣').cuserid] }),
  ])
    await expect(write()).rejects.toMatchObject({ code: 110004 });
  const other = await server.as('chen')(task.insertAssessTask, screening([class4.teamcode], { taskname: '只有4班' }));
  expect((await wang(board.getAssessTaskProgress, {})).total).toBe(1);
  await expect(wang(board.getTaskBoard, { taskcode: other.taskcode })).rejects.toMatchObject({ code: 130001 });
});

test('a task does not exist for other institutions, and staff without rights are refused', async () => {
  const { server, taskcode, class3 } = await createScreening();
  for (const person of ['qiao', 'lin'] as const) {
    const stranger = server.as(person);
    expect((await stranger(board.getAssessTaskProgress, {})).total).toBe(0);
    expect((await stranger(board.getAssessTaskRoster, { taskcode })).total).toBe(0);
    for (const call of [
      () => stranger(board.getTaskBoard, { taskcode }),
      () => stranger(board.getTaskChaseList, { taskcode }),
      () => stranger(board.getAssessTaskRosterProgress, { taskcode }),
      () => stranger(task.getCloseStatement, { taskcode }),
      () => stranger(task.closeTask, { taskcode }),
      () => stranger(task.deleteAssessTask, { taskcode }),
      () => stranger(task.updateAssessTask, { taskcode, taskname: '改名' }),
      () => stranger(task.insertAssessTask, screening([class3.teamcode])),
      () => stranger(task.createRetestTask, { cuserids: [class3.pupil('林小雨').cuserid] }),
      () => stranger(task.remindTask, { taskcode }),
      () => stranger(task.exportAssessTaskRosterProgress, { taskcode }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 130001 });
  }
  await expect(server.as('nobody')(board.getAssessTaskProgress, {})).rejects.toMatchObject({ code: 110004 });
  expect((await server.as('chen')(board.getTaskBoard, { taskcode })).task.status).toBe(1);
});

test('the education bureau reads no count of a task', async () => {
  const { server, taskcode } = await createScreening();
  const zhou = server.as('zhou');
  await expect(zhou(board.getAssessTaskProgress, {})).rejects.toMatchObject({ code: 110004 });
  for (const call of [board.getAssessTaskRosterProgress, board.getAssessTaskRoster, board.getTaskChaseList, board.getTaskBoard])
    await expect(zhou(call, { taskcode })).rejects.toMatchObject({ code: 110004 });
});

test('a reminder lists the unfinished students of each class, is audited and notifies the class teacher', async () => {
  const { server, taskcode, class3 } = await createScreening();
  const chen = server.as('chen');
  const [first] = (await chen(board.getTaskChaseList, { taskcode, teamcode: class3.teamcode })).classes;
  expect(first).toMatchObject({
    name: '初二3班',
    ownername: '王班主任',
    total: 3,
    unfinished: 2,
    remindcount: 0,
    lastremind: null,
  });
  expect(first?.text).toContain('初二3班：应测 3 人，还有 2 人未完成。');
  expect(first?.namedtext).toContain('初二3班：应测 3 人，还有 2 人未完成：吴思远、周子涵。');
  expect(first?.text).toContain('10月10日 17:00 前完成');
  expect(first?.text).toContain('http://127.0.0.1:8080/c/entry_chenguang');
  expect(await chen(task.remindTask, { taskcode })).toEqual({ sent: 5, notified: 1 });
  expect(
    await chen(task.remindTask, { taskcode, cuserids: [class3.pupil('周子涵').cuserid, class3.pupil('林小雨').cuserid] }),
  ).toEqual({ sent: 1, notified: 1 });
  const [again] = (await chen(board.getTaskChaseList, { taskcode, teamcode: class3.teamcode })).classes;
  expect(again).toMatchObject({ remindcount: 2, lastremind: expect.stringMatching(/^2025-10-08/) });
  const notifications = await server.sqlAsOwner<{ title: string; userid: string }>(
    "select title, userid from notification where kind = 'task' order by id",
  );
  expect(notifications).toEqual([
    { title: '初二3班还有 2 人未完成测评', userid: 'U_WANG' },
    { title: '初二3班还有 1 人未完成测评', userid: 'U_WANG' },
  ]);
});

test('the roster export is audited with the persons in it', async () => {
  const { server, taskcode } = await createScreening();
  const approvalid = await approveExport(server, 'as.m.assess.exportAssessTaskRosterProgress', { taskcode });
  const answer = (await server.as('chen')(task.exportAssessTaskRosterProgress, { taskcode, approvalid })) as {
    filename: string;
    body: Readable;
  };
  expect(answer.filename).toMatch(/^2025 秋季普测-名单进度-\d{4}-\d{2}-\d{2}\.xlsx$/);
  const bytes = Buffer.concat(await Readable.from(answer.body).toArray());
  const text = JSON.stringify(await readWorkbook(bytes, answer.filename));
  for (const word of ['林小雨', '已完成', '家长不同意', '作答中']) expect(text).toContain(word);
  const auditRows = await server.sqlAsOwner<{ n: number }>(
    "select cardinality(cuserids) as n from audit.log where action = 'as.m.assess.exportAssessTaskRosterProgress'",
  );
  expect(auditRows).toEqual([{ n: 7 }]);
});
