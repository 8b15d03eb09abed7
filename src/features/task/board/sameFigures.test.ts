import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sumRosterCounts } from '#domain/task/taskprogress.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { getMyDay } from '#features/workbench/workbench.contract.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { approveExport } from '#testing/files/approveExport.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('every place that shows the progress of a task shows the same figures', async () => {
  const server = await startServer();
  const { pupil, teamcode } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周子涵', '吴思远', '孙可欣', '李沐阳'],
  });
  const chen = server.as('chen');
  const { taskcode } = await chen(task.insertAssessTask, screening([teamcode]));
  await answerTask(server, pupil('林小雨'));
  await answerTask(server, pupil('孙可欣'), { begin: true });
  await chen(task.setRosterReason, { taskcode, cuserids: [pupil('李沐阳').cuserid], reason: '家长不同意' });
  await chen(task.setRosterReason, { taskcode, cuserids: [pupil('吴思远').cuserid], reason: '请假' });

  const expected = { total: 5, finished: 1, doing: 1, notstarted: 1, absent: 2, exempt: 1, dubious: 0 };
  const text = '完成 1 / 应测 5（20.0%），作答中 1，未开始 1，免测 1，缺测 1，扣除免测后完成率 25.0%';
  const { blocks } = await chen(getMyDay, {});
  expect(blocks.find((block) => block.key === 'tasks')).toMatchObject({ note: '未完成 2 人', rows: [{ detail: text }] });
  const liveBoard = await chen(board.getTaskBoard, { taskcode });
  expect([liveBoard.totals, sumRosterCounts(liveBoard.classes)]).toMatchObject([expected, expected]);
  const { total, finished, doing, notstarted, absent, exempt, dubious } = expected;
  const [row] = (await chen(board.getAssessTaskProgress, {})).rows;
  expect(row).toMatchObject({
    rostercount: total,
    finishedcount: finished,
    doingcount: doing,
    notstartedcount: notstarted,
    absentcount: absent,
    exemptcount: exempt,
    dubiouscount: dubious,
    finishrate: 20,
    duerate: 25,
  });
  expect(finished + doing + notstarted + absent).toBe(total);
  const groups = await chen(board.getAssessTaskRosterProgress, { taskcode, groupby: 'team' });
  expect([groups, ...groups.groups]).toMatchObject(
    Array(2).fill({ total, finished, doing, notstarted, absent, exempt, duerate: 25 }),
  );
  expect((await chen(task.getCloseStatement, { taskcode })).statement).toMatchObject({ ...expected, rate: 20, duerate: 25 });
  expect((await chen(board.getTaskChaseList, { taskcode })).classes).toMatchObject([{ total, unfinished: doing + notstarted }]);
  const listed = async (filter: { status?: number; exempt?: '0' | '1' }) =>
    (await chen(board.getAssessTaskRoster, { taskcode, ...filter })).total;
  expect(
    await Promise.all(
      [{}, { status: 2 }, { status: 1 }, { status: 0 }, { exempt: '1' as const }, { exempt: '0' as const }].map(listed),
    ),
  ).toEqual([total, finished, doing, notstarted, exempt, absent - exempt]);
  const approvalid = await approveExport(server, 'as.m.assess.exportAssessTaskRosterProgress', { taskcode });
  const sheet = (await chen(task.exportAssessTaskRosterProgress, { taskcode, approvalid })) as {
    filename: string;
    body: Readable;
  };
  const bytes = Buffer.concat(await Readable.from(sheet.body).toArray());
  expect(JSON.stringify(await readWorkbook(bytes, sheet.filename))).toContain(text);
});
