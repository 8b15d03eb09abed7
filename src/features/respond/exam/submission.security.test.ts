import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#server/dispatch/caller.ts';
import { asRole, type ServerRole } from '#server/db/roles.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, enter, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/**
 * What the functions of db/schema/86_submission.sql do for a client that speaks SQL as the respondents' role. 林小雨 and 周明 each have an
 * open exam. The session of 林小雨 is used against the rows of 周明 and against her own submitted exam.
 */
async function twoAtWork() {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨', '周明'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const begin = async (pupil: Pupil) => {
    const own = await enter(server, pupil);
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
  const lin = await begin(pupils[0] as Pupil);
  const zhou = await begin(pupils[1] as Pupil);
  server.clock.now = new Date(server.clock.now.getTime() + 240_000);
  /** Statements of one connection as a role, within somebody's session. */
  const speak = async (token: string, role: ServerRole = 'xinli_respondent') => {
    const client = new pg.Client(asRole(server.target, role));
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("select set_config('app.session', $1, false)", [hashToken(token)]);
    return {
      ask: async (sql: string, values: readonly unknown[] = []) =>
        (await client.query<Record<string, unknown>>(sql, [...values])).rows,
    };
  };
  /** The arguments of `submission.submit_exam` for a forged submission. */
  const forged = (code: string, forms: object[] = []) => [
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
  const saving = (code: string, examformid: number, c: string, value: string) => [
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
  return { ...server, taskcode, lin, zhou, speak, forged, saving, formOf, historyOf };
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

const load = 'select examcode from submission.load_exam($1)';
const save = 'select submission.save_answers($1, $2, $3) as done';
const submit = 'select submission.submit_exam($1, $2, $3, $4, $5) as reportcode';
const untouched = { status: 0, answers: {}, raw: null };

test('only the respondents’ role calls the submission functions, and nobody signs in as their owner', async () => {
  const { lin, speak } = await twoAtWork();
  const open = ["load_exam('')", "save_answers('', '[]', now())", "submit_exam('', '{}', '[]', '{}', now())"];
  const closed = ['bind_respondent()', "add_alert_answers('', '[]', now())"];
  for (const role of ['xinli_app', 'xinli_stats', 'xinli_authn', 'xinli_sealer'] as const) {
    const { ask } = await speak(lin.token, role);
    for (const call of [...open, ...closed]) await expect(ask(`select submission.${call}`)).rejects.toThrow(/permission denied/);
    await expect(ask('set role xinli_submission')).rejects.toThrow(/permission denied/);
  }
  const { ask } = await speak(lin.token);
  for (const call of closed) await expect(ask(`select submission.${call}`)).rejects.toThrow(/permission denied/);
  await expect(ask('set role xinli_submission')).rejects.toThrow(/permission denied/);
});

test('a respondent writes answers, results, reports and counts through the functions only', async () => {
  const { lin, speak } = await twoAtWork();
  const { ask } = await speak(lin.token);
  for (const statement of [
    "update examform set answers = '{}'",
    'update examform set raw = null',
    `insert into examalertanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq,
      answertime) select examformid, 'q9', musercode, orgpath, cuserid, '0', 1, now() from examform`,
    'update examalertanswer set seq = 0',
    'delete from examalertanswer',
    'update examresult set score = 0',
    'update report set isshow = 1',
    'update assesscount set used = 0',
  ])
    await expect(ask(statement), statement).rejects.toThrow(/permission denied/);
});

test('another student’s exam is neither read, written nor submitted, whatever the connection claims to be', async () => {
  const { lin, zhou, speak, forged, saving, formOf, historyOf, sqlAsOwner } = await twoAtWork();
  const owner = (await sqlAsOwner('select cuserid, musercode from examrecord where examcode = $1', [zhou.examcode]))[0] as {
    cuserid: string;
    musercode: string;
  };
  const { ask } = await speak(lin.token);
  await ask("select set_config('app.cuserid', $1, false), set_config('app.musercode', $2, false)", [
    owner.cuserid,
    owner.musercode,
  ]);
  expect(await ask(load, [zhou.examcode])).toEqual([]);
  expect(await ask(save, saving(zhou.examcode, zhou.examformid, zhou.item, '3'))).toEqual([{ done: false }]);
  // Her own exam is named, with a form of his.
  await ask(save, saving(lin.examcode, zhou.examformid, zhou.item, '3'));
  expect(await ask(submit, forged(zhou.examcode, [forgedForm(zhou.examformid, zhou.item, '3')]))).toEqual([{ reportcode: null }]);
  expect(await formOf(zhou.examformid)).toEqual(untouched);
  expect(await historyOf(zhou.examformid)).toEqual([]);
  expect(await sqlAsOwner('select status from examrecord where examcode = $1', [zhou.examcode])).toEqual([{ status: 1 }]);
});

test('a session that has ended, is bound to another browser or belongs to staff reaches no exam', async () => {
  const { lin, speak, forged, sqlAsOwner } = await twoAtWork();
  const { ask } = await speak(lin.token);
  expect(await ask(load, [lin.examcode])).toEqual([{ examcode: lin.examcode }]);
  for (const dead of [
    "boundhash = 'another'",
    'boundhash = null, expiretime = now()',
    "expiretime = now() + interval '1 day', revoked = now()",
  ]) {
    await sqlAsOwner(`update auth.session set ${dead} where tokenhash = $1`, [hashToken(lin.token)]);
    expect(await ask(load, [lin.examcode]), dead).toEqual([]);
    expect(await ask(submit, forged(lin.examcode)), dead).toEqual([{ reportcode: null }]);
  }
  const { ask: asChen } = await speak('chen');
  expect(await asChen(load, [lin.examcode])).toEqual([]);
});

test('an exam is submitted with its own forms: another exam’s form takes no answers and no results', async () => {
  const { lin, zhou, speak, forged, formOf, sqlAsOwner } = await twoAtWork();
  const { ask } = await speak(lin.token);
  const forms = [forgedForm(zhou.examformid, zhou.item, '3'), forgedForm(lin.examformid, lin.item, '0')];
  expect(await ask(submit, forged(lin.examcode, forms))).toEqual([{ reportcode: expect.stringMatching(/^R/) }]);
  expect(await sqlAsOwner('select examformid::int as examformid from examresult')).toEqual([{ examformid: lin.examformid }]);
  expect(await formOf(zhou.examformid)).toEqual(untouched);
});

test('a submitted exam stays as it is: later answers change nothing, and it is not submitted again', async () => {
  const { lin, speak, forged, saving, formOf, historyOf } = await twoAtWork();
  expect(
    await lin.own(respond.submitExam, { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers }),
  ).toMatchObject({ done: true });
  const before = [await formOf(lin.examformid), await historyOf(lin.examformid)];
  const { ask } = await speak(lin.token);
  expect(await ask(save, saving(lin.examcode, lin.examformid, lin.item, '3'))).toEqual([{ done: false }]);
  expect(await ask(submit, forged(lin.examcode, [forgedForm(lin.examformid, lin.item, '3')]))).toEqual([{ reportcode: null }]);
  expect([await formOf(lin.examformid), await historyOf(lin.examformid)]).toEqual(before);
});

test('the exam of a closed task is not submitted, neither through the product nor beside it', async () => {
  const { as, taskcode, lin, speak, forged, sqlAsOwner } = await twoAtWork();
  await as('chen')(task.closeTask, { taskcode });
  const { ask } = await speak(lin.token);
  expect(await ask(submit, forged(lin.examcode))).toEqual([{ reportcode: null }]);
  const sent = { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers };
  await expect(lin.own(respond.submitExam, sent)).rejects.toMatchObject({ code: 150003 });
  expect(await sqlAsOwner('select count(*)::int as n from report')).toEqual([{ n: 0 }]);
});
