import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as notice from '#features/notice/notice.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import * as review from '#features/respond/review/review.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass, screening, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** 林小雨 begins the screening of 晨光中学, which ends on 2025-10-10 at 18:00. `answer` saves option codes in item order; a dash is blank. */
async function startSitting(formcodes?: string[]) {
  const server = await startServer();
  const { teamcode, pupil } = await addClass(server, { teamname: '初三1班', names: ['林小雨'], owneruserid: 'U_WANG' });
  const chen = server.as('chen');
  const forms = formcodes?.map((formcode) => ({ formcode }));
  const plancode = forms
    ? (await chen(plan.insertMUserExamPlan, { appid: '000000002', planname: '快筛', forms })).plancode
    : 'P900002';
  await chen(task.insertAssessTask, screening([teamcode], { plancode, endtime: '2025-10-10 18:00' }));
  const lin = pupil('林小雨');
  const own = await signInPupil(server, lin);
  const [first] = await own(respond.getTasks, {});
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  let clientseq = 0;
  const answersTo = (formcode: string, codes: string) => {
    const examformid = sheets.find((sheet) => sheet.formcode === formcode)?.examformid as number;
    return [...codes].flatMap((value, index) =>
      value === '-' ? [] : [{ examformid, c: `q${index + 1}`, value, clientseq: ++clientseq }],
    );
  };
  const answer = (formcode: string, codes: string) => own(respond.saveAnswer, { examcode, answers: answersTo(formcode, codes) });
  const empty = (formcode: string, c: string) => {
    const answers = [{ ...answersTo(formcode, '0')[0]!, c, value: null }];
    return own(respond.saveAnswer, { examcode, answers });
  };
  const submit = (answers: ReturnType<typeof answersTo>) =>
    own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
  const at = (time: string) => (server.clock.now = new Date(`${time}:00+08:00`));
  /** Runs the job at a time and returns the number of exams that it judged. */
  const judgeAt = async (time: string) => {
    const { failed, judged } = await judgeAllOpenSheets(server.services, at(time));
    expect(failed).toEqual([]);
    return judged;
  };
  const findCases = () => server.sqlAsOwner('select level, itemtrigger, rulecodes from warning');
  const listReviews = async () => (await chen(review.getExamReviewPageList, {})).rows;
  return { ...server, chen, lin, examcode, answersTo, answer, empty, submit, at, judgeAt, findCases, listReviews };
}

test('eight answers of 3 before a blank item 9 are prorated to 27 when the task ends, raise level 3 and are listed', async () => {
  const { answer, judgeAt, findCases, listReviews, chen, sqlAsOwner } = await startSitting();
  await answer('PHQ9', '33333333');
  expect(await judgeAt('2025-10-08 17:59')).toBe(0);
  expect(await judgeAt('2025-10-10 18:00')).toBe(1);
  expect(await findCases()).toEqual([{ level: 3, itemtrigger: 1, rulecodes: ['R02', 'R03', 'R13'] }]);
  expect(await sqlAsOwner("select content from warninglog where action = '新建'")).toEqual([
    { content: expect.stringContaining('未交卷') as string },
  ]);
  expect(await listReviews()).toMatchObject([
    { kindname: '停在安全相关题目', username: '林小雨', duetime: '2025-10-15 18:00:00', isoverdue: 0 },
    { kindname: '未交卷高分', warningcode: expect.stringMatching(/^W/) as string },
  ]);
  const { rows } = await chen(notice.getNoticePageList, {});
  expect(rows.map((row) => row.title)).toContain('新增 2 份待核对答卷');
  // Nothing is judged, listed or told twice.
  expect(await judgeAt('2025-10-10 18:01')).toBe(0);
  expect(await listReviews()).toHaveLength(2);
});

test('a sheet is judged 24 hours after its last answer while the task goes on, and again after a later answer', async () => {
  const { answer, at, judgeAt, findCases } = await startSitting();
  at('2025-10-08 10:00');
  await answer('PHQ9', '1111');
  expect(await judgeAt('2025-10-09 09:59')).toBe(0);
  expect(await judgeAt('2025-10-09 10:00')).toBe(1);
  expect(await findCases()).toEqual([]);
  await answer('PHQ9', '22222222');
  expect(await judgeAt('2025-10-10 10:00')).toBe(1);
  expect(await findCases()).toMatchObject([{ level: 3 }]);
});

test('stopping at item 9 with few points is listed without a case; with points of the mild range a case is due in 24 hours', async () => {
  const few = await startSitting();
  await few.answer('PHQ9', '11100000');
  await few.judgeAt('2025-10-10 18:00');
  expect(await few.findCases()).toEqual([]);
  expect((await few.listReviews()).map((row) => row.kind)).toEqual(['01']);

  const mild = await startSitting();
  await mild.answer('PHQ9', '11111000');
  await mild.judgeAt('2025-10-10 18:00');
  expect(await mild.findCases()).toEqual([{ level: 2, itemtrigger: 1, rulecodes: ['R13'] }]);
  const [row] = (await mild.chen(warning.getWarningPageList, {})).rows;
  expect(row).toMatchObject({
    acceptduetime: '2025-10-11 18:00:00',
    triggers: expect.stringContaining('停在安全相关题目') as string,
  });
});

test('an emptied item 9 counts as stopping there, and answered points alone can reach the cut-off of level 2', async () => {
  const emptied = await startSitting();
  await emptied.answer('PHQ9', '0000000000');
  await emptied.empty('PHQ9', 'q9');
  await emptied.judgeAt('2025-10-10 18:00');
  expect((await emptied.listReviews()).map((row) => row.kind)).toEqual(['01']);

  const points = await startSitting();
  await points.answer('PHQ9', '3333');
  await points.judgeAt('2025-10-10 18:00');
  expect(await points.findCases()).toEqual([{ level: 2, itemtrigger: 0, rulecodes: ['R14'] }]);
});

test('a positive PHQ-2 whose PHQ-9 is not done after 24 hours raises level 2', async () => {
  const { answersTo, submit, at, judgeAt, findCases } = await startSitting(['PHQ2', 'GAD2']);
  at('2025-10-08 10:05');
  expect((await submit([...answersTo('PHQ2', '33'), ...answersTo('GAD2', '00')])).done).toBe(false);
  expect(await findCases()).toEqual([]);
  await judgeAt('2025-10-09 10:04');
  expect(await findCases()).toEqual([]);
  await judgeAt('2025-10-09 10:05');
  expect(await findCases()).toEqual([{ level: 2, itemtrigger: 0, rulecodes: ['R12'] }]);
});

test('a doubtful hand-in with a high level is listed with a clock of three working days', async () => {
  const { answersTo, submit, at, judgeAt, findCases, listReviews } = await startSitting();
  at('2025-10-08 10:00');
  await submit([...answersTo('PHQ9', '3333333300'), ...answersTo('GAD7', '0000000')]);
  expect(await findCases()).toEqual([]);
  expect(await listReviews()).toMatchObject([
    { kindname: '存疑高分', content: expect.stringContaining('作答过快') as string, duetime: '2025-10-13 10:00:00' },
  ]);
  await judgeAt('2025-10-14 10:00');
  expect(await listReviews()).toMatchObject([{ isoverdue: 1 }]);
});

test('the first person who writes down a finding finishes a row; class teachers and other schools cannot read the list', async () => {
  const { answer, judgeAt, listReviews, as, chen } = await startSitting();
  await answer('PHQ9', '11100000');
  await judgeAt('2025-10-10 18:00');
  const [row] = await listReviews();
  const request = { reviewid: row?.reviewid as number, note: '已当面谈过，孩子临时被叫走，无自伤想法' };
  await expect(chen(review.finishExamReview, { ...request, note: '好' })).rejects.toMatchObject({ data: { field: 'note' } });
  await expect(as('qiao')(review.finishExamReview, request)).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(review.getExamReviewPageList, {})).rejects.toMatchObject({ code: 110004 });
  await chen(review.finishExamReview, request);
  await expect(as('lu')(review.finishExamReview, request)).rejects.toMatchObject({ code: 140001 });
  expect(await listReviews()).toMatchObject([{ donename: '陈静怡', note: request.note }]);
  expect((await chen(review.getExamReviewPageList, { done: 0 })).total).toBe(0);
  expect((await as('qiao')(review.getExamReviewPageList, {})).total).toBe(0);
});

test('the crisis list and the flagged reports mark a case whose red answer was changed back, and filter by it', async () => {
  const { answer, answersTo, submit, at, chen } = await startSitting();
  await answer('PHQ9', '000000002');
  await answer('PHQ9', '000000000');
  expect((await chen(warning.getWarningPageList, { changed: 1 })).rows).toMatchObject([{ ischanged: 1, username: '林小雨' }]);
  expect((await chen(warning.getWarningPageList, { changed: 0 })).total).toBe(0);
  at('2025-10-08 10:20');
  await submit([...answersTo('PHQ9', '0000000000'), ...answersTo('GAD7', '0000000')]);
  expect((await chen(warning.getAnxiousDepressedReportPageList, { changed: 1 })).rows).toMatchObject([
    { hasalert: 1, alertchanged: 1, overalllevel: 0 },
  ]);
});
