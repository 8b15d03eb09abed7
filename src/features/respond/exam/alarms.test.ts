import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as notice from '#features/notice/notice.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { aHomeForm } from '#testing/factories.ts';
import { addClass, screening, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** Returns a function that creates a plan of these forms. */
const planOf = (planname: string, formcodes: string[]) => (server: Server) =>
  server.as('chen')(plan.insertMUserExamPlan, {
    appid: '000000002',
    planname,
    forms: formcodes.map((formcode) => ({ formcode })),
  });

/**
 * 晨光中学 screens 林小雨 until 2025-10-10 17:00 with PHQ-9 and GAD-7, or with the plan of `addPlan`. She has begun. `answer` builds answers
 * by option codes in item order.
 */
async function startSitting(addPlan: (server: Server) => Promise<{ plancode: string }> = async () => ({ plancode: 'P900002' })) {
  const server = await startServer();
  const { teamcode, pupil } = await addClass(server, { teamname: '初三1班', names: ['林小雨'] });
  const request = screening([teamcode], await addPlan(server));
  const { taskcode } = await server.as('chen')(task.insertAssessTask, request);
  const lin = pupil('林小雨');
  const own = await signInPupil(server, lin);
  const [first] = await own(respond.getTasks, {});
  const cuserplanid = first?.cuserplanid as number;
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid });
  let clientseq = 0;
  const answer = (sheet: (typeof sheets)[0] | undefined, codes: string) =>
    [...codes].map((value, index) => ({
      examformid: sheet?.examformid as number,
      c: `q${index + 1}`,
      value,
      clientseq: ++clientseq,
    }));
  const submit = (answers: ReturnType<typeof answer>, submitkey = randomUUID()) =>
    own(respond.submitExam, { examcode, submitkey, answers });
  const save = (answers: ReturnType<typeof answer>) => own(respond.saveAnswer, { examcode, answers });
  const at = (time: string) => (server.clock.now = new Date(`${time}:00+08:00`));
  const findCases = () => server.sqlAsOwner('select level, itemtrigger from warning');
  const findLog = () =>
    server.sqlAsOwner<{ action: string; content: string }>('select action, content from warninglog order by logid');
  return { ...server, lin, own, taskcode, cuserplanid, examcode, sheets, answer, submit, save, at, findCases, findLog };
}

test('a hand-in half an hour after the task was closed is kept and judged by its total, and the person sees the support card', async () => {
  const sitting = await startSitting();
  const { sheets, answer, submit, at, as, findCases, sqlAsOwner } = sitting;
  at('2025-10-10 12:00');
  await as('chen')(task.closeTask, { taskcode: sitting.taskcode });
  at('2025-10-10 12:30');
  const answers = [...answer(sheets[0], '3333332203'), ...answer(sheets[1], '0000000')];
  await expect(submit(answers)).rejects.toMatchObject({
    code: 150003,
    message: expect.stringContaining('刚才的作答已经保存') as string,
    data: { saved: 17, support: { show: true, hotline: '12356' } },
  });
  expect(await findCases()).toEqual([{ level: 3, itemtrigger: 0 }]);
  expect(await sqlAsOwner("select answers->>'q1' as q1 from examform where formcode = 'PHQ9'")).toEqual([{ q1: '3' }]);
  expect(await sqlAsOwner('select status from examrecord')).toEqual([{ status: 1 }]);
});

test('an answer after the end of the window is kept and its item alert is heard', async () => {
  const { sheets, answer, save, at, findCases } = await startSitting();
  at('2025-10-10 17:01');
  await expect(save(answer(sheets[0], '0000000010'))).rejects.toMatchObject({
    code: 150003,
    data: { saved: 10, support: { show: true } },
  });
  expect(await findCases()).toEqual([{ level: 2, itemtrigger: 1 }]);
});

test('answers after the submission are added, never replace the result, and open a case; a repeat adds nothing', async () => {
  const { sheets, answer, submit, save, at, findCases, sqlAsOwner } = await startSitting();
  at('2025-10-08 10:20');
  await submit([...answer(sheets[0], '0000000000'), ...answer(sheets[1], '0000000')]);
  const late = answer(sheets[0], '3333333300');
  for (let times = 0; times < 2; times += 1)
    await expect(save(late)).rejects.toMatchObject({ code: 150004, data: { saved: 10, support: { show: true } } });
  expect(await findCases()).toEqual([{ level: 3, itemtrigger: 0 }]);
  expect(await sqlAsOwner("select score::int as score from examresult where quotacode = 'PHQ9.total'")).toEqual([{ score: 0 }]);
  expect(await sqlAsOwner('select count(*)::int as n from examlateanswer')).toEqual([{ n: 8 }]);
});

test('a changed answer to item 9 stays in the case, the owner is told, and the sitting keeps its support card', async () => {
  const { sheets, answer, submit, save, at, as, findCases, findLog, sqlAsOwner } = await startSitting();
  const q9 = (value: string) => [{ ...answer(sheets[0], '0')[0]!, c: 'q9', value }];
  at('2025-10-09 09:10');
  await save(q9('2'));
  at('2025-10-09 09:11');
  await save(q9('0'));
  expect((await findLog()).at(-1)).toEqual({
    action: '改答',
    content: '本人于 09:11 改答为“完全不会”（PHQ-9 第9题，原答“一半以上的天数”），仍须面谈',
  });
  const [owner] = await sqlAsOwner<{ owneruserid: string }>('select owneruserid from warning');
  expect(owner?.owneruserid).toBe('U_CHEN');
  const { rows } = await as('chen')(notice.getNoticePageList, {});
  expect(rows.map((row) => row.title)).toContainEqual(expect.stringContaining('本人改答，仍须面谈'));
  at('2025-10-09 09:14');
  const done = await submit([...answer(sheets[0], '0000000000'), ...answer(sheets[1], '0000000')]);
  expect(done).toMatchObject({ done: true, support: { show: true } });
  expect(await findCases()).toEqual([{ level: 3, itemtrigger: 1 }]);
  expect(await sqlAsOwner('select hasalert, alertlevel, alertchanged, overalllevel from examrecord')).toEqual([
    { hasalert: 1, alertlevel: 3, alertchanged: 1, overalllevel: 0 },
  ]);
});

test('a red answer that one call brings together with its change is heard', async () => {
  const { sheets, answer, save, findCases } = await startSitting();
  const [first, second] = answer(sheets[0], '00');
  await save([
    { ...first!, c: 'q9', value: '1' },
    { ...second!, c: 'q9', value: '0' },
  ]);
  expect(await findCases()).toEqual([{ level: 2, itemtrigger: 1 }]);
});

test('a PHQ-2 of 6 goes on to the PHQ-9 in the same sitting, and the exam uses one count', async () => {
  const { sheets, answer, submit, at, own, cuserplanid, findCases, sqlAsOwner } = await startSitting(
    planOf('快筛', ['PHQ2', 'GAD2']),
  );
  expect(sheets.map((sheet) => sheet.formcode)).toEqual(['PHQ2', 'GAD2']);
  at('2025-10-08 10:05');
  const next = await submit([...answer(sheets[0], '33'), ...answer(sheets[1], '00')]);
  expect(next).toMatchObject({ done: false, missing: [], reportcode: null });
  expect(next.sheets.map((sheet) => sheet.formcode)).toEqual(['PHQ9']);
  expect(next.sheets[0]?.items).toHaveLength(10);
  // A reload continues with the same forms.
  expect((await own(respond.startExam, { cuserplanid })).sheets.map((sheet) => sheet.formcode)).toEqual(['PHQ2', 'GAD2', 'PHQ9']);
  // The page lost that response and submits again: the missing answers come with their form.
  const again = await submit([]);
  expect(again.sheets.map((sheet) => sheet.formcode)).toEqual(['PHQ9']);
  expect(again.missing).toHaveLength(9);
  at('2025-10-08 10:10');
  expect(await submit(answer(next.sheets[0], '3333332200'))).toMatchObject({ done: true, sheets: [] });
  expect(await findCases()).toEqual([{ level: 3, itemtrigger: 0 }]);
  expect(await sqlAsOwner("select used::int as used from assesscount where musercode = 'M_CHENGUANG'")).toEqual([{ used: 1 }]);
});

test('a form that the school made raises a case by the floor rule alone', async () => {
  const sitting = await startSitting(async (server) => {
    await aHomeForm(server, { formcode: 'ZFYL', formname: '压力自评（校本）' });
    const acknowledgement = '压力课前后对比用，结果由心理老师逐份查看';
    const forms = [{ formcode: 'ZFYL' }];
    return server.as('chen')(plan.insertMUserExamPlan, { appid: '000000002', planname: '压力', forms, acknowledgement });
  });
  sitting.at('2025-10-08 10:05');
  await sitting.submit(sitting.answer(sitting.sheets[0], '33'));
  expect(await sitting.findCases()).toEqual([{ level: 3, itemtrigger: 0 }]);
  expect(await sitting.sqlAsOwner('select rulecodes from warning')).toEqual([{ rulecodes: ['R00'] }]);
});

test('a negative short form asks nothing more, and a form of the plan is not asked twice', async () => {
  const short = await startSitting(planOf('快筛', ['PHQ2', 'GAD2']));
  short.at('2025-10-08 10:05');
  expect(await short.submit([...short.answer(short.sheets[0], '11'), ...short.answer(short.sheets[1], '20')])).toMatchObject({
    done: true,
  });
  const both = await startSitting(planOf('快筛', ['PHQ2', 'PHQ9']));
  both.at('2025-10-08 10:05');
  expect(await both.submit([...both.answer(both.sheets[0], '33'), ...both.answer(both.sheets[1], '3300000000')])).toMatchObject({
    done: true,
  });
});

test('an answer about suicide that was taken back and is given again after the case was closed is heard again, once', async () => {
  const { sheets, answer, save, at, sqlAsOwner } = await startSitting();
  const [, , , , , , , , ninth] = answer(sheets[0], '000000002');
  let clientseq = 100;
  const give = (value: string) => save([{ ...ninth!, value, clientseq: ++clientseq }]);
  await give('2');
  await sqlAsOwner("update warning set state = '08', nextdue = null, nextduekind = null, closetime = now()");
  at('2025-10-09 10:00');
  await give('0');
  expect(await sqlAsOwner("select warningcode from warning where state = '01'")).toEqual([]);
  at('2025-10-09 10:05');
  await give('2');
  const open = "select level, newstime from warning where state = '01'";
  const first = await sqlAsOwner<{ level: number; newstime: Date }>(open);
  expect(first).toMatchObject([{ level: 3 }]);
  at('2025-10-09 10:06');
  await save([{ ...ninth!, value: '2', clientseq }]);
  expect(await sqlAsOwner(open)).toEqual(first);
});
