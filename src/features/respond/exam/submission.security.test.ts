import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#server/dispatch/caller.ts';
import { asRole, type ServerRole } from '#server/db/roles.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, signInPupil, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/**
 * Tests of the functions of db/schema/86_submission.sql, with a client that sends SQL as the respondents' role. 林小雨 and 周明 each
 * have an open exam. The client uses the session of 林小雨 against the rows of 周明 and against her own submitted exam.
 */
async function startTwoExams() {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨', '周明'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const startExam = async (pupil: Pupil) => {
    const own = await signInPupil(server, pupil);
    const { token } = await server.nobody(respond.loginRespondent, {
      clientcode: 'entry_chenguang',
      username: pupil.username,
      key: pupil.studentno,
    });
    const [first] = await own(respond.getTasks, {});
    const { examcode, sheets } = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
    const answers = sheets.flatMap(({ examformid, items }) =>
      items.map((item, index) => ({ examformid, c: item.c, value: '0', clientseq: index + 1 })),
    );
    const form = sheets[0] as (typeof sheets)[number];
    return { own, token, examcode, answers, examformid: form.examformid, item: form.items[0]?.c as string };
  };
  const lin = await startExam(pupils[0] as Pupil);
  const zhou = await startExam(pupils[1] as Pupil);
  server.clock.now = new Date(server.clock.now.getTime() + 240_000);
  /** Opens a connection as a role, within the session of a token. */
  const connectAs = async (token: string, role: ServerRole = 'xinli_respondent') => {
    const client = new pg.Client(asRole(server.target, role));
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("select set_config('app.session', $1, false)", [hashToken(token)]);
    return {
      query: async (sql: string, values: readonly unknown[] = []) =>
        (await client.query<Record<string, unknown>>(sql, [...values])).rows,
    };
  };
  /** The arguments of `submission.submit_exam` for a forged submission. */
  const submitArguments = (code: string, forms: object[] = []) => [
    code,
    JSON.stringify({
      submitkey: randomUUID(),
      duration: 1,
      valid: 1,
      overalllevel: 0,
      mentalstate: 0,
      hasalert: 0,
      alertlevel: 0,
      isabnormal: 0,
    }),
    JSON.stringify(forms),
    JSON.stringify({ title: '伪造', isshow: 1, basis: {} }),
    new Date().toISOString(),
  ];
  /** The arguments of `submission.save_answers` for one forged answer. */
  const saveArguments = (code: string, examformid: number, c: string, value: string) => [
    code,
    JSON.stringify([forgedForm(examformid, c, value)]),
    new Date().toISOString(),
  ];
  const formOf = async (examformid: number) =>
    (await server.sqlAsOwner('select status, answers, raw from examform where examformid = $1', [examformid]))[0];
  const historyOf = (examformid: number) =>
    server.sqlAsOwner('select questionc, value, seq::int as seq from examalertanswer where examformid = $1 order by id', [
      examformid,
    ]);
  return { ...server, taskcode, lin, zhou, connectAs, submitArguments, saveArguments, formOf, historyOf };
}

const forgedForm = (examformid: number, c: string, value: string) => ({
  examformid,
  answers: { [c]: value },
  seqs: { [c]: 9999 },
  alertanswers: [{ c, value, seq: 9999 }],
  valid: 1,
  overalllevel: 3,
  raw: {},
  results: [{ quotacode: 'PHQ9.total', score: 27, level: 3, levelname: '重度', missing: 0, domain: 'depression', isprimary: 1 }],
});

const load = 'select examcode from submission.load_exam($1, now())';
const save = 'select submission.save_answers($1, $2, $3, 0::smallint, false) as done';
const submit = 'select submission.submit_exam($1, $2, $3, $4, $5) as reportcode';
const emptyForm = { status: 0, answers: {}, raw: null };

test('only the respondents’ role calls the submission functions, and nobody signs in as their owner', async () => {
  const { lin, connectAs } = await startTwoExams();
  const allowedCalls = [
    "load_exam('', now())",
    "save_answers('', '[]', now(), 0::smallint, false)",
    "add_late_answers('', '[]', now(), 0::smallint, false)",
    "add_forms('', '{}', 12, now())",
    "submit_exam('', '{}', '[]', '{}', now())",
  ];
  const forbiddenCalls = ['bind_respondent()', "add_alert_answers('', '[]', now())", "mark_alert('', 3::smallint, false)"];
  // Staff type in sheets of persons within their reach (docs/decisions/0056).
  const staffCalls = ["load_exam('', now())", "submit_exam('', '{}', '[]', '{}', now())", "finish_entry('', '{}', '[]', false)"];
  for (const role of ['xinli_app', 'xinli_stats', 'xinli_authn', 'xinli_sealer'] as const) {
    const { query } = await connectAs(lin.token, role);
    const open = role === 'xinli_app' ? staffCalls : [];
    for (const call of [...allowedCalls, ...staffCalls, ...forbiddenCalls].filter((one) => !open.includes(one)))
      await expect(query(`select submission.${call}`)).rejects.toThrow(/permission denied/);
    await expect(query('set role xinli_submission')).rejects.toThrow(/permission denied/);
  }
  const { query } = await connectAs(lin.token);
  for (const call of forbiddenCalls) await expect(query(`select submission.${call}`)).rejects.toThrow(/permission denied/);
  await expect(query('set role xinli_submission')).rejects.toThrow(/permission denied/);
});

test('staff load and submit no exam of a person out of their reach, nor without naming the person', async () => {
  const { lin, connectAs, submitArguments, sqlAsOwner } = await startTwoExams();
  const persons = await sqlAsOwner<{ cuserid: string }>('select cuserid from cuser order by username = $1 desc', ['林小雨']);
  const [own = '', other = ''] = persons.map(({ cuserid }) => cuserid);
  const loadedBy = async (token: string, person: string) => {
    const { query } = await connectAs(token, 'xinli_app');
    await query("select set_config('app.person', $1, false)", [person]);
    const rows = await query(load, [lin.examcode]);
    if (rows.length === 0) expect(await query(submit, submitArguments(lin.examcode))).toEqual([{ reportcode: null }]);
    return rows.length;
  };
  expect(await loadedBy('chen', own)).toBe(1);
  expect(await loadedBy('chen', other)).toBe(0);
  expect(await loadedBy('chen', '')).toBe(0);
  expect(await loadedBy('qiao', own)).toBe(0);
  expect(await loadedBy('wang', own)).toBe(0);
  expect(await sqlAsOwner('select 1 from examrecord where status = 2')).toEqual([]);
});

test('staff complete a typed sheet only of a person within their reach, and no sheet that the person filled in', async () => {
  const { lin, connectAs, submitArguments, sqlAsOwner } = await startTwoExams();
  const persons = await sqlAsOwner<{ cuserid: string }>('select cuserid from cuser order by username = $1 desc', ['林小雨']);
  const [own = '', other = ''] = persons.map(({ cuserid }) => cuserid);
  const respondent = await connectAs(lin.token);
  await respondent.query(submit, submitArguments(lin.examcode));
  const isCompletedBy = async (token: string, person: string) => {
    const { query } = await connectAs(token, 'xinli_app');
    await query("select set_config('app.person', $1, false)", [person]);
    const facts = {
      testtime: '2025-01-02T03:00:00Z',
      entryby: 'us1',
      entryname: '陈静',
      entrytime: '2025-01-03T03:00:00Z',
      isdouble: 0,
    };
    await query('select submission.finish_entry($1, $2, $3, false)', [lin.examcode, JSON.stringify(facts), '[]']);
    const stored = "select 1 from examrecord where examcode = $1 and submittime = '2025-01-02T03:00:00Z'";
    return (await sqlAsOwner(stored, [lin.examcode])).length === 1;
  };
  expect(await isCompletedBy('chen', own)).toBe(false);
  await sqlAsOwner("update examrecord set entryway = '03' where examcode = $1", [lin.examcode]);
  for (const [token, person] of [
    ['chen', other],
    ['chen', ''],
    ['qiao', own],
    ['wang', own],
  ] as const)
    expect(await isCompletedBy(token, person), `${token} ${person}`).toBe(false);
  expect(await isCompletedBy('chen', own)).toBe(true);
});

test('a respondent can write answers, results, reports and counts only through the submission functions', async () => {
  const { lin, connectAs } = await startTwoExams();
  const { query } = await connectAs(lin.token);
  for (const statement of [
    "update examform set answers = '{}'",
    'update examform set raw = null',
    `insert into examalertanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq, answertime)
     select examformid, 'q9', musercode, orgpath, cuserid, '0', 1, now()
     from examform`,
    `insert into examlateanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq, answertime)
     select examformid, 'q9', musercode, orgpath, cuserid, '0', 1, now()
     from examform`,
    'delete from examreview',
    'update examalertanswer set seq = 0',
    'delete from examalertanswer',
    'update examresult set score = 0',
    'update report set isshow = 1',
    'update assesscount set used = 0',
  ])
    await expect(query(statement), statement).rejects.toThrow(/permission denied/);
});

test('a respondent cannot read, write or submit another student’s exam, also when the connection claims to be that student', async () => {
  const { lin, zhou, connectAs, submitArguments, saveArguments, formOf, historyOf, sqlAsOwner } = await startTwoExams();
  const owner = (await sqlAsOwner('select cuserid, musercode from examrecord where examcode = $1', [zhou.examcode]))[0] as {
    cuserid: string;
    musercode: string;
  };
  const { query } = await connectAs(lin.token);
  await query("select set_config('app.cuserid', $1, false), set_config('app.musercode', $2, false)", [
    owner.cuserid,
    owner.musercode,
  ]);
  expect(await query(load, [zhou.examcode])).toEqual([]);
  expect(await query(save, saveArguments(zhou.examcode, zhou.examformid, zhou.item, '3'))).toEqual([{ done: false }]);
  // The call names her own exam and a form of his.
  await query(save, saveArguments(lin.examcode, zhou.examformid, zhou.item, '3'));
  expect(await query(submit, submitArguments(zhou.examcode, [forgedForm(zhou.examformid, zhou.item, '3')]))).toEqual([
    { reportcode: null },
  ]);
  expect(await formOf(zhou.examformid)).toEqual(emptyForm);
  expect(await historyOf(zhou.examformid)).toEqual([]);
  expect(await sqlAsOwner('select status from examrecord where examcode = $1', [zhou.examcode])).toEqual([{ status: 1 }]);
});

test('a session that has ended, that another browser owns or that belongs to staff cannot read or submit an exam', async () => {
  const { lin, connectAs, submitArguments, sqlAsOwner } = await startTwoExams();
  const { query } = await connectAs(lin.token);
  expect(await query(load, [lin.examcode])).toEqual([{ examcode: lin.examcode }]);
  for (const change of [
    "boundhash = 'another'",
    'boundhash = null, expiretime = now()',
    "expiretime = now() + interval '1 day', revoked = now()",
  ]) {
    await sqlAsOwner(`update auth.session set ${change} where tokenhash = $1`, [hashToken(lin.token)]);
    expect(await query(load, [lin.examcode]), change).toEqual([]);
    expect(await query(submit, submitArguments(lin.examcode)), change).toEqual([{ reportcode: null }]);
  }
  const { query: queryAsChen } = await connectAs('chen');
  expect(await queryAsChen(load, [lin.examcode])).toEqual([]);
});

test('an exam is submitted with its own forms: another exam’s form takes no answers and no results', async () => {
  const { lin, zhou, connectAs, submitArguments, formOf, sqlAsOwner } = await startTwoExams();
  const { query } = await connectAs(lin.token);
  const forms = [forgedForm(zhou.examformid, zhou.item, '3'), forgedForm(lin.examformid, lin.item, '0')];
  expect(await query(submit, submitArguments(lin.examcode, forms))).toEqual([{ reportcode: expect.stringMatching(/^R/) }]);
  expect(await sqlAsOwner('select examformid::int as examformid from examresult')).toEqual([{ examformid: lin.examformid }]);
  expect(await formOf(zhou.examformid)).toEqual(emptyForm);
});

test('later answers do not change a submitted exam, and nobody can submit it again', async () => {
  const { lin, connectAs, submitArguments, saveArguments, formOf, historyOf } = await startTwoExams();
  expect(
    await lin.own(respond.submitExam, { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers }),
  ).toMatchObject({ done: true });
  const before = [await formOf(lin.examformid), await historyOf(lin.examformid)];
  const { query } = await connectAs(lin.token);
  expect(await query(save, saveArguments(lin.examcode, lin.examformid, lin.item, '3'))).toEqual([{ done: false }]);
  expect(await query(submit, submitArguments(lin.examcode, [forgedForm(lin.examformid, lin.item, '3')]))).toEqual([
    { reportcode: null },
  ]);
  expect([await formOf(lin.examformid), await historyOf(lin.examformid)]).toEqual(before);
});

test('the exam of a closed task cannot be submitted, neither through the product nor by SQL', async () => {
  const { as, taskcode, lin, connectAs, submitArguments, sqlAsOwner } = await startTwoExams();
  await as('chen')(task.closeTask, { taskcode });
  const { query } = await connectAs(lin.token);
  expect(await query(submit, submitArguments(lin.examcode))).toEqual([{ reportcode: null }]);
  const sent = { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers };
  await expect(lin.own(respond.submitExam, sent)).rejects.toMatchObject({ code: 150003 });
  expect(await sqlAsOwner('select count(*)::int as n from report')).toEqual([{ n: 0 }]);
});

test('answers to a form of another sitting are refused, and nothing is called saved that is not', async () => {
  const { lin, zhou, sqlAsOwner } = await startTwoExams();
  const foreign = { examformid: zhou.examformid, c: zhou.item, value: '0', clientseq: 1 };
  const own = { examformid: lin.examformid, c: lin.item, value: '0', clientseq: 1 };
  await expect(lin.own(respond.saveAnswer, { examcode: lin.examcode, answers: [own, foreign] })).rejects.toMatchObject({
    code: 120002,
    message: '有作答不属于本次测评，请刷新页面',
  });
  await expect(lin.own(respond.saveAnswer, { examcode: zhou.examcode, answers: [foreign] })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(
    lin.own(respond.submitExam, { examcode: lin.examcode, submitkey: randomUUID(), answers: [...lin.answers, foreign] }),
  ).rejects.toMatchObject({ code: 120002 });
  const rows = await sqlAsOwner<{ answers: object }>('select answers from examform where examformid = any ($1)', [
    [lin.examformid, zhou.examformid],
  ]);
  expect(rows.map((row) => row.answers)).toEqual([{}, {}]);
});
