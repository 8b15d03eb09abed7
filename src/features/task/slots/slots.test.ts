import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { fromShanghai } from '#domain/base/calendar.ts';
import { addClass, answerTask, screening, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const SLOT = { begintime: '2025-10-08 10:00', endtime: '2025-10-08 10:45' };

/** Creates a task of 晨光中学 in which 初二3班 has a slot and 初二4班 has none. The clock is at 9:30. */
async function createSlottedTask() {
  const server = await startServer({ now: fromShanghai('2025-10-08 09:30').toISOString() });
  const class3 = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  const class4 = await addClass(server, { teamname: '初二4班', names: ['孙可欣'] });
  const chen = server.as('chen');
  const { taskcode } = await chen(
    task.insertAssessTask,
    screening([class3.teamcode, class4.teamcode], { slots: [{ teamcode: class3.teamcode, ...SLOT }] }),
  );
  const at = (time: string) => (server.clock.now = fromShanghai(`2025-10-08 ${time}`));
  const update = (slots: { teamcode: string; begintime: string; endtime: string }[]) =>
    chen(task.updateAssessTask, { taskcode, slots });
  return { server, chen, taskcode, class3, class4, at, update };
}

test('a student begins within the slot of the class and reads its time before and after it; other classes begin at once', async () => {
  const { server, class3, class4, at } = await createSlottedTask();
  const call = await signInPupil(server, class3.pupil('林小雨'));
  const [open] = await call(respond.getTasks, {});
  expect(open?.slot).toEqual({ begintime: '2025-10-08 10:00:00', endtime: '2025-10-08 10:45:00' });
  const start = () => call(respond.startExam, { cuserplanid: open?.cuserplanid ?? 0 });
  await expect(start()).rejects.toMatchObject({
    code: 150003,
    message: expect.stringContaining('初二3班的作答时间是 10月8日 10:00–10:45，现在还没有到'),
  });
  await answerTask(server, class4.pupil('孙可欣'));
  at('10:50');
  await expect(start()).rejects.toMatchObject({ code: 150003, message: expect.stringContaining('已经过了') });
  at('10:10');
  expect((await start()).sheets.length).toBeGreaterThan(0);
});

test('a student who began in the slot finishes after it, and an answer that asks for help raises a case at any time', async () => {
  const { server, class3, at } = await createSlottedTask();
  const call = await signInPupil(server, class3.pupil('林小雨'));
  const [open] = await call(respond.getTasks, {});
  const cuserplanid = open?.cuserplanid ?? 0;
  at('10:40');
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid });
  at('10:50');
  const phq = sheets.find(({ formcode }) => formcode === 'PHQ9');
  const item = phq?.items[8];
  const redAnswer = { examformid: phq?.examformid ?? 0, c: item?.c ?? '', value: item?.options?.at(-1)?.[0] ?? '', clientseq: 1 };
  await call(respond.saveAnswer, { examcode, answers: [redAnswer] });
  expect((await server.as('chen')(getWarningPageList, {})).rows.map(({ username }) => username)).toEqual(['林小雨']);
  // A reload after the slot goes on with the same exam.
  expect((await call(respond.startExam, { cuserplanid })).examcode).toBe(examcode);
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((each) => ({ examformid, c: each.c, value: each.options?.at(-1)?.[0] ?? '', clientseq: 2 })),
  );
  expect(await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).toMatchObject({ done: true });
  // Who has submitted reads that, and not that the slot is over.
  await expect(call(respond.startExam, { cuserplanid })).rejects.toMatchObject({ code: 150004 });
});

test('the board shows the slot of each class, and staff move and remove slots while the task runs', async () => {
  const { server, chen, taskcode, class3, class4, at, update } = await createSlottedTask();
  const slots = async () => (await chen(board.getTaskBoard, { taskcode })).classes.map(({ name, slot }) => [name, slot]);
  const times = { begintime: '2025-10-08 10:00:00', endtime: '2025-10-08 10:45:00' };
  expect(await slots()).toEqual([
    ['初二3班', times],
    ['初二4班', null],
  ]);
  await update([{ teamcode: class4.teamcode, begintime: '2025-10-09 10:00', endtime: '2025-10-09 10:45' }]);
  expect(await slots()).toEqual([
    ['初二3班', null],
    ['初二4班', { begintime: '2025-10-09 10:00:00', endtime: '2025-10-09 10:45:00' }],
  ]);
  at('09:40');
  await answerTask(server, class3.pupil('周子涵'), { begin: true });
  await update([]);
  expect((await slots()).every(([, slot]) => slot === null)).toBe(true);
});

test('a slot outside the task, of another class or before its begin is refused at its field and names the class', async () => {
  const { server, chen, taskcode, class3, class4, update } = await createSlottedTask();
  const refusals = [
    [{ teamcode: class3.teamcode, begintime: '2025-10-08 11:00', endtime: '2025-10-08 10:00' }, /初二3班：.*晚于/],
    [{ teamcode: class4.teamcode, begintime: '2025-10-10 16:30', endtime: '2025-10-10 17:30' }, /初二4班：.*之内/],
  ] as const;
  for (const [slot, message] of refusals)
    await expect(update([slot])).rejects.toMatchObject({
      code: 120002,
      message: expect.stringMatching(message),
      data: { field: 'slots', teamcode: slot.teamcode },
    });
  const other = await addClass(server, { teamname: '初三1班', names: ['赵明轩'] });
  await expect(update([{ teamcode: other.teamcode, ...SLOT }])).rejects.toMatchObject({ data: { field: 'slots' } });
  await expect(chen(task.updateAssessTask, { taskcode, endtime: '2025-10-08 10:30' })).rejects.toMatchObject({
    message: expect.stringContaining('初二3班的时段不在新的起止时间之内'),
    data: { field: 'endtime' },
  });
  const faulty = screening([class3.teamcode], { slots: [{ ...SLOT, teamcode: class3.teamcode, endtime: '2025-11-01 10:00' }] });
  await expect(chen(task.insertAssessTask, faulty)).rejects.toMatchObject({ data: { field: 'slots' } });
  expect((await chen(board.getAssessTaskProgress, {})).total, 'the refused task does not exist').toBe(1);
});

test('two members of staff who move slots at the same time hear of each other', async () => {
  const { server, chen, taskcode, class3 } = await createSlottedTask();
  const { version } = (await chen(board.getTaskBoard, { taskcode })).task;
  const move = (minute: string) => [
    { teamcode: class3.teamcode, begintime: `2025-10-08 11:${minute}`, endtime: '2025-10-08 12:00' },
  ];
  await server.as('ma')(task.updateAssessTask, { taskcode, version, slots: move('00') });
  await expect(chen(task.updateAssessTask, { taskcode, version, slots: move('15') })).rejects.toMatchObject({ code: 140002 });
});
