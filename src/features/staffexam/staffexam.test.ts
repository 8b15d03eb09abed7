import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { codeOf } from '#contract/menu.ts';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import { getCUserReport, getCUserReportPageList } from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as staffExam from '#features/staffexam/staffexam.contract.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { aStudent, aWoman, setPermission } from '#testing/factories.ts';
import { addClass, screening, signInPupil } from '#testing/school.ts';
import type { Person } from '#testing/people.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Answers of a questionnaire by the codes of its options, in the order of its items. */
const answersTo = (formcode: string, codes: string) => {
  const given = codes.split(' ');
  return Object.fromEntries((scaleOf(formcode)?.items ?? []).map(({ c }, index) => [c, given[index] ?? given.at(-1) ?? '']));
};
const OBSERVED = answersTo('TEACHOBS', '2 0 2 2 1 0 0 0 0 0 0 0');
/** EPDS: 12 points without question 10, whose first option means "quite often" (3 points). */
const EPDS_SELF_HARM = answersTo('EPDS', '1 1 1 1 2 2 2 4 4 1');

type Target = Parameters<ReturnType<TestServer['as']>>[1] & object;
/** Opens a sheet and hands it in. */
async function enter(
  server: TestServer,
  who: Person,
  target: { cuserid: string; way: '01' | '02' | '03'; formcode?: string; plancode?: string; taskcode?: string },
  sheets: { formcode: string; answers?: Record<string, string>; scores?: Record<string, number> }[],
  more: Record<string, unknown> = {},
) {
  const { as } = server;
  const { examcode } = await as(who)(staffExam.insertStaffExam, target);
  const request = { examcode, submitkey: randomUUID(), testdate: '2025-10-08', sheets, ...more } as Target;
  return { examcode, request, ...(await as(who)(staffExam.submitStaffExam, request as never)) };
}
const walletOf = async ({ sqlAsOwner }: TestServer, musercode = 'M_CHENGUANG') =>
  (
    await sqlAsOwner<{ used: number; frozen: number }>(
      "select used::int, frozen::int from assesscount where musercode = $1 and plancode = '*'",
      [musercode],
    )
  )[0] ?? { used: 0, frozen: 0 };
const compare = async (server: TestServer, musercode = 'M_CHENGUANG') =>
  (await reconcile(server.services, 'nightly', server.clock.now)).reports[musercode]?.difflist;

/** 苏梅 of 仁爱妇幼保健院, whose doctor is lin. */
async function hospital() {
  const server = await startServer();
  const { cuserid } = await aWoman({ ...server, as: () => server.as('lin') } as never, {
    username: '苏梅',
    archive: { lmpdate: '2025-03-01' },
  });
  return { server, as: server.as, cuserid };
}

test('the psychologist observes a pupil: level, report, count and history are those of a handed-in sheet', async () => {
  const server = await startServer();
  const { as } = server;
  const lin = await aStudent(server);
  const before = await walletOf(server);
  const { options } = await as('chen')(staffExam.getStaffExamOptions, { cuserid: lin.cuserid });
  expect(options.filter(({ way }) => way === '01').map(({ formcode }) => formcode)).toEqual(['TEACHOBS']);
  const { sheets } = await as('chen')(staffExam.getStaffExam, { cuserid: lin.cuserid, way: '01', formcode: 'TEACHOBS' });
  expect(sheets[0]?.questionnaire.items).toHaveLength(12);
  const target = { cuserid: lin.cuserid, way: '01', formcode: 'TEACHOBS' } as const;
  const done = await enter(server, 'chen', target, [{ formcode: 'TEACHOBS', answers: OBSERVED }]);
  expect(done).toMatchObject({ done: 1, missing: [], waits: 1, result: null });
  expect(await walletOf(server)).toEqual({ ...before, used: before.used + 1 });
  expect(await findDisagreements(server)).toEqual([]);
  expect((await as('chen')(getMUserExamPlanPage, { pageSize: 200 })).rows.map(({ planname }) => planname)).not.toContain(
    '教师观察清单（自编）',
  );
  // The pupil agrees: the report that waited appears.
  const call = await signInPupil(server, lin);
  expect(await call(respond.getTasks, {})).toEqual([]);
  const { rows } = await as('chen')(getCUserReportPageList, {});
  expect(rows).toMatchObject([{ username: '林小雨', overalllevel: 2 }]);
  const report = await as('chen')(getCUserReport, { reportcode: rows[0]?.reportcode ?? '' });
  expect(JSON.stringify(report)).toContain('情绪低落或容易哭泣');
  const again = await as('chen')(staffExam.submitStaffExam, done.request as never);
  expect(again).toMatchObject({ done: 1, waits: 0, result: { overalllevel: 2 } });
  expect((await walletOf(server)).used).toBe(before.used + 1);
});

test('a class teacher observes pupils of the own team and learns no level; a sign of death opens a case', async () => {
  const server = await startServer();
  const { as } = server;
  const { pupil } = await addClass(server, { teamname: '初二(3)班', names: ['周明'], owneruserid: 'U_WANG' });
  const { cuserid } = pupil('周明');
  const stranger = await aStudent(server);
  const { options } = await as('wang')(staffExam.getStaffExamOptions, { cuserid });
  expect(options.map(({ way, formcode }) => [way, formcode])).toEqual([['01', 'TEACHOBS']]);
  const target = { cuserid, way: '01', formcode: 'TEACHOBS' } as const;
  const answers = { ...OBSERVED, q10: '1' };
  const done = await enter(server, 'wang', target, [{ formcode: 'TEACHOBS', answers }]);
  expect(done).toMatchObject({ done: 1, result: null, warning: null });
  const { rows } = await as('chen')(getWarningPageList, { keyword: '周明' });
  expect(rows).toMatchObject([{ level: 3, state: '01' }]);
  expect(await compare(server)).toEqual([]);
  await expect(as('wang')(staffExam.insertStaffExam, { ...target, cuserid: stranger.cuserid })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(as('wang')(staffExam.insertStaffExam, { cuserid, way: '02', formcode: 'MHT' })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(as('wang')(getCUserReportPageList, {})).rejects.toMatchObject({ code: 110004 });
});

test('a nurse types a paper EPDS with question 10 positive: a case opens at once, and the sheet counts on its day', async () => {
  const { server, as, cuserid } = await hospital();
  const target = { cuserid, way: '03', formcode: 'EPDS' } as const;
  const { sheets } = await as('lin')(staffExam.getStaffExam, target);
  expect(sheets[0]?.questionnaire.items[9]).toMatchObject({ t: '第 10 题' });
  const done = await enter(server, 'lin', target, [{ formcode: 'EPDS', answers: EPDS_SELF_HARM }], { testdate: '2025-10-01' });
  expect(done).toMatchObject({ done: 1, waits: 1, warning: { level: 3, iscreated: 1 } });
  const file = await as('lin')(getCUserArchive, { cuserid });
  expect(file.examcount).toBe(1);
  const [exam] = await server.sqlAsOwner<{ day: string; scenecode: string; entryname: string; age: number | null }>(
    `select to_char(submittime at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, scenecode, entryname from examrecord`,
  );
  expect(exam).toMatchObject({ day: '2025-10-01', scenecode: '03', entryname: '林医生' });
  const [clock] = await server.sqlAsOwner<{ isfresh: boolean }>('select acceptduetime > $1 as isfresh from warning', [
    server.clock.now,
  ]);
  expect(clock?.isfresh).toBe(true);
  expect(await compare(server, 'M_RENAI')).toEqual([]);
});

test('two women of one name are told apart by age, booking number and institution before a result is typed in', async () => {
  const { as } = await startServer();
  const register = (birthday: string, checkupno: string) =>
    as('lin')(insertCUser, {
      appid: '000000001',
      username: '王芳',
      gender: '02',
      birthday,
      archive: { lmpdate: '2025-03-01', checkupno },
      guardian: [],
    });
  const first = await register('1995-03-02', 'JC2025001');
  const second = await register('1988-06-05', 'JC2025002');
  const findOptions = as('lin');
  const shared = { gender: '02', insname: '云栖市仁爱妇幼保健院', belongs: '', numbername: '建册号' };
  expect((await findOptions(staffExam.getStaffExamOptions, { cuserid: first.cuserid })).person).toEqual({
    ...shared,
    age: 30,
    number: 'JC2025001',
  });
  expect((await findOptions(staffExam.getStaffExamOptions, { cuserid: second.cuserid })).person).toEqual({
    ...shared,
    age: 37,
    number: 'JC2025002',
  });
});

test('scores of a licensed paper scale give the level of its bands, and question 10 is asked with them', async () => {
  const { server, as, cuserid } = await hospital();
  const target = { cuserid, way: '02', formcode: 'EPDS' } as const;
  const { sheets } = await as('lin')(staffExam.getStaffExam, target);
  expect(sheets[0]?.scores.map(({ c }) => c)).toEqual(['total', 'anx3']);
  expect(sheets[0]?.questionnaire.items.map(({ c }) => c)).toEqual(['q10']);
  const { examcode } = await as('lin')(staffExam.insertStaffExam, target);
  const submit = (scores: Record<string, number>, answers: Record<string, string> = { q10: '4' }, testdate = '2025-10-08') =>
    as('lin')(staffExam.submitStaffExam, {
      examcode,
      submitkey: randomUUID(),
      testdate,
      sheets: [{ formcode: 'EPDS', scores, answers }],
    });
  await expect(submit({ total: 31 })).rejects.toMatchObject({ code: 120002 });
  await expect(submit({ total: 11 }, {})).rejects.toMatchObject({ code: 120002 });
  await expect(submit({ total: 11 }, undefined, '2025-10-09')).rejects.toMatchObject({ code: 120002 });
  expect(await submit({ total: 11 })).toMatchObject({ done: 1, warning: null });
  const [stored] = await server.sqlAsOwner<{ entered: object; score: number; level: number; retests: number }>(
    `select x.entered, r.score::int, r.level, (select count(*)::int from followup) as retests
     from examform x join examresult r on r.examformid = x.examformid and r.quotacode = 'EPDS.total'`,
  );
  expect(stored).toEqual({ entered: { total: 11 }, score: 11, level: 1, retests: 1 });
  expect(await compare(server, 'M_RENAI')).toEqual([]);
});

test('对账 judges entered scores by its own table', async () => {
  const { server, cuserid } = await hospital();
  const target = { cuserid, way: '02', formcode: 'EPDS' } as const;
  await enter(server, 'lin', target, [{ formcode: 'EPDS', scores: { total: 13 }, answers: { q10: '4' } }]);
  expect(await compare(server, 'M_RENAI')).toEqual([]);
  await server.sqlAsOwner('update examform set entered = $1', ['{"total": 20}']);
  expect((await compare(server, 'M_RENAI'))?.join()).toContain('EPDS 总分达到界值');
});

test('a sheet typed in twice is compared item by item', async () => {
  const { server, as, cuserid } = await hospital();
  const target = { cuserid, way: '03', formcode: 'EPDS' } as const;
  const { examcode } = await as('lin')(staffExam.insertStaffExam, target);
  const answers: Record<string, string> = { ...EPDS_SELF_HARM, q10: '4' };
  const sheets = [{ formcode: 'EPDS', answers }];
  const submit = (second: typeof sheets) =>
    as('lin')(staffExam.submitStaffExam, { examcode, submitkey: randomUUID(), testdate: '2025-10-08', sheets, second });
  await expect(submit([{ formcode: 'EPDS', answers: { ...EPDS_SELF_HARM, q3: '2' } }])).rejects.toMatchObject({ code: 120002 });
  expect(await submit(sheets)).toMatchObject({ done: 1 });
  expect(await server.sqlAsOwner('select isdouble from examrecord')).toEqual([{ isdouble: 1 }]);
});

test('a paper sheet of a running task fills the roster row; gaps are named and must be confirmed', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初三3班', names: ['林小雨'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const { cuserid } = pupil('林小雨');
  const { options } = await as('chen')(staffExam.getStaffExamOptions, { cuserid });
  expect(options[0]).toMatchObject({ way: '03', taskcode, plancode: 'P900002' });
  const target = { cuserid, way: '03', plancode: 'P900002', taskcode } as const;
  const { sheets } = await as('chen')(staffExam.getStaffExam, target);
  const answers = sheets.map(({ formcode, questionnaire }) => ({
    formcode,
    answers: Object.fromEntries(
      questionnaire.items.map((item) => [item.c, questionnaire.optionsets[item.o ?? '']?.[0]?.[0] ?? '']),
    ),
  }));
  const [first] = answers;
  const gap = answers.map((sheet) => (sheet === first ? { ...sheet, answers: { ...sheet.answers, q1: '' } } : sheet));
  const open = await enter(server, 'chen', target, gap);
  expect(open).toMatchObject({ done: 0, missing: [{ formcode: first?.formcode, c: 'q1' }] });
  expect(await as('chen')(staffExam.submitStaffExam, { ...open.request, allowmissing: 1 } as never)).toMatchObject({ done: 1 });
  expect(await server.sqlAsOwner('select status, examcode from taskroster')).toEqual([{ status: 2, examcode: open.examcode }]);
  await expect(as('chen')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 140001 });
  expect(await as('chen')(voidExam, { examcode: open.examcode, reason: '录入到了另一个人名下' })).toMatchObject({ canretest: 1 });
  expect(await findDisagreements(server)).toEqual([]);
});

test('a sheet that the pupil is answering is not typed in, and an opened one that nobody typed in stays the pupil’s', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初三3班', names: ['林小雨'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const target = { cuserid: pupil('林小雨').cuserid, way: '03', plancode: 'P900002', taskcode } as const;
  const { examcode } = await as('chen')(staffExam.insertStaffExam, target);
  const call = await signInPupil(server, pupil('林小雨'));
  const [open] = await call(respond.getTasks, {});
  const begun = await call(respond.startExam, { cuserplanid: open?.cuserplanid as number });
  expect(begun.examcode).toBe(examcode);
  const [sheet] = begun.sheets;
  const [item] = sheet?.items ?? [];
  await call(respond.saveAnswer, {
    examcode,
    answers: [{ examformid: sheet?.examformid as number, c: item?.c ?? '', value: item?.options?.[0]?.[0] ?? '', clientseq: 1 }],
  });
  await expect(as('chen')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 140001 });
  const request = { examcode, submitkey: randomUUID(), testdate: '2025-10-08', sheets: [{ formcode: 'PHQ9' }] };
  await expect(as('chen')(staffExam.submitStaffExam, request)).rejects.toMatchObject({ code: 130001 });
});

test('a back-dated sheet lets later ones rise: the rules compare them anew', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const lin = await aStudent(server);
  const phq9 = (points: string) => ({ formcode: 'PHQ9', answers: answersTo('PHQ9', points) });
  const gad7 = { formcode: 'GAD7', answers: answersTo('GAD7', '0') };
  const others = async () => {
    const { sheets } = await as('chen')(staffExam.getStaffExam, { cuserid: lin.cuserid, way: '03', plancode: 'P900002' });
    return sheets
      .filter(({ formcode }) => formcode !== 'PHQ9' && formcode !== 'GAD7')
      .map(({ formcode, questionnaire }) => ({
        formcode,
        answers: Object.fromEntries(
          questionnaire.items.map((item) => [item.c, questionnaire.optionsets[item.o ?? '']?.[0]?.[0] ?? '']),
        ),
      }));
  };
  const target = { cuserid: lin.cuserid, way: '03', plancode: 'P900002' } as const;
  clock.now = addDays(clock.now, 30);
  await enter(server, 'chen', target, [phq9('1 1 1 1 1 1 0 0 0 1'), gad7, ...(await others())], { testdate: '2025-11-07' });
  expect((await as('chen')(getWarningPageList, {})).total).toBe(0);
  await enter(server, 'chen', target, [phq9('0 0 0 0 0 0 0 0 0 0'), gad7, ...(await others())], { testdate: '2025-10-20' });
  expect((await as('chen')(getWarningPageList, {})).total).toBe(1);
  const [person] = await server.sqlAsOwner<{ lastlevel: number }>('select lastlevel from cuser where cuserid = $1', [
    lin.cuserid,
  ]);
  expect(person?.lastlevel ?? 1).toBe(1);
  expect(await compare(server)).toEqual([]);
});

test('staff without the right, of another institution, or for a person who withdrew are refused', async () => {
  const server = await startServer();
  const { as } = server;
  const lin = await aStudent(server);
  const target = { cuserid: lin.cuserid, way: '01', formcode: 'TEACHOBS' } as const;
  await expect(as('nobody')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 110004 });
  await expect(as('qiao')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 130001 });
  await setPermission(server, 'U_NOBODY', codeOf('individual.maternity'), 'grant');
  await expect(as('nobody')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 110004 });
  const call = await signInPupil(server, lin);
  await call(respond.withdrawConsent, {});
  await expect(as('chen')(staffExam.insertStaffExam, target)).rejects.toMatchObject({ code: 150005 });
  expect((await as('chen')(staffExam.getStaffExamOptions, { cuserid: lin.cuserid })).refusal).toContain('撤回同意');
});
