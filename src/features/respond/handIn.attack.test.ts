import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf } from '#server/caller.ts';
import { asRole, type ServerRole } from '#server/db/roles.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, enter, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/**
 * What the three functions of db/schema/86_submission.sql do for whoever speaks SQL as the respondents' role: 林小雨 and 周明 have a sheet
 * before them each, and 林小雨's session is used against 周明's rows and against her own past.
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
      items.map((item, at) => ({ examformid, c: item.c, value: '0', clientseq: at + 1 })),
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
    await client.query("select set_config('app.session', $1, false)", [hashOf(token)]);
    return {
      ask: async (sql: string, values: readonly unknown[] = []) =>
        (await client.query<Record<string, unknown>>(sql, [...values])).rows,
    };
  };
  /** An entry of a forged bundle, in somebody's session. */
  const forged = (token: string, code: string, of: { forms?: object[]; results?: object[]; answers?: object[] } = {}) => ({
    session: hashOf(token),
    code,
    answered: 0,
    seqsum: 0,
    at: new Date().toISOString(),
    answers: of.answers ?? [],
    record: {
      submitkey: randomUUID(),
      duration: 1,
      valid: 1,
      overalllevel: 0,
      mentalstate: 0,
      hasalert: 0,
      alertlevel: 0,
      isabnormal: 0,
    },
    forms: of.forms ?? [],
    results: of.results ?? [],
    report: { title: '伪造', isshow: 1, basis: {} },
  });
  const saving = (token: string, code: string, examformid: number, c: string, value: string) => ({
    session: hashOf(token),
    code,
    at: new Date().toISOString(),
    answers: [{ examformid, c, value, clientseq: 9999 }],
  });
  const bundle = (...entries: object[]) => [JSON.stringify(entries.map((entry, n) => ({ ...entry, n })))];
  const answersOf = (examformid: number) =>
    server.behind('select questionc, value from examanswer where examformid = $1 order by 1', [examformid]);
  return { ...server, taskcode, lin, zhou, speak, forged, saving, bundle, answersOf };
}

test('nobody but the respondents’ role may load, save or hand in, and nobody signs in as the functions’ owner', async () => {
  const { lin, speak } = await twoAtWork();
  for (const role of ['xinli_app', 'xinli_stats', 'xinli_authn', 'xinli_sealer'] as const) {
    const { ask } = await speak(lin.token, role);
    for (const call of [
      "submission.bind_respondents('[]')",
      "submission.load_exams('[]', false)",
      "submission.save_answers('[]', true)",
      "submission.write_answers('[]', '[]')",
      "submission.submit_exams('[]', true)",
    ])
      await expect(ask(`select ${call}`)).rejects.toThrow(/permission denied/);
    await expect(ask('set role xinli_submission')).rejects.toThrow(/permission denied/);
  }
  const { ask } = await speak(lin.token);
  for (const call of ["submission.bind_respondents('[]')", "submission.write_answers('[]', '[]')"])
    await expect(ask(`select ${call}`)).rejects.toThrow(/permission denied/);
  await expect(ask('set role xinli_submission')).rejects.toThrow(/permission denied/);
});

const load = 'select n from submission.load_exams($1, true)';
const save = 'select * from submission.save_answers($1, true) as n';
const handIn = 'select n from submission.submit_exams($1, true)';
const handInTogether = 'select n from submission.submit_exams($1, false)';

test('another pupil’s sheet is neither read, written nor handed in, whatever the connection claims to be beforehand', async () => {
  const { lin, zhou, speak, forged, saving, bundle, answersOf, behind } = await twoAtWork();
  const whose = (await behind('select cuserid, musercode from examrecord where examcode = $1', [zhou.examcode]))[0] as { cuserid: string; musercode: string };
  const { ask } = await speak(lin.token);
  await ask("select set_config('app.cuserids', $1, false), set_config('app.musercodes', $2, false)", [whose.cuserid, whose.musercode]);
  expect(await ask(load, bundle(forged(lin.token, zhou.examcode)))).toEqual([]);
  expect(await ask(save, bundle(saving(lin.token, zhou.examcode, zhou.examformid, zhou.item, '3')))).toEqual([]);
  // Her own record named, his form inside.
  await ask(save, bundle(saving(lin.token, lin.examcode, zhou.examformid, zhou.item, '3')));
  const answers = [{ examformid: zhou.examformid, c: zhou.item, value: '3', clientseq: 1 }];
  for (const call of [handIn, handInTogether]) expect(await ask(call, bundle(forged(lin.token, zhou.examcode, { answers })))).toEqual([]);
  expect(await answersOf(zhou.examformid)).toEqual([]);
  expect(await behind('select status from examrecord where examcode = $1', [zhou.examcode])).toEqual([{ status: 1 }]);
}); // prettier-ignore

test('within one bundle nobody reaches another’s sheet, though both are in it', async () => {
  const { lin, zhou, speak, forged, saving, bundle, answersOf, behind } = await twoAtWork();
  const { ask } = await speak(lin.token);
  const theirs = [{ examformid: zhou.examformid, c: zhou.item, value: '3', clientseq: 9 }];
  const forms = [{ examformid: zhou.examformid, valid: 1, overalllevel: 3, raw: {} }];
  expect(
    await ask(save, bundle(saving(lin.token, lin.examcode, zhou.examformid, zhou.item, '3'), saving(zhou.token, zhou.examcode, lin.examformid, lin.item, '3'))),
  ).toEqual([{ n: 0 }, { n: 1 }]);
  expect([...(await answersOf(zhou.examformid)), ...(await answersOf(lin.examformid))]).toEqual([]);
  expect(await ask(handInTogether, bundle(forged(lin.token, lin.examcode, { answers: theirs, forms }), forged(zhou.token, lin.examcode)))).toEqual([{ n: 0 }]);
  expect(await answersOf(zhou.examformid)).toEqual([]);
  expect(await behind('select status, raw from examform where examformid = $1', [zhou.examformid])).toEqual([{ status: 0, raw: null }]);
  expect(await behind('select status from examrecord where examcode = $1', [zhou.examcode])).toEqual([{ status: 1 }]);
}); // prettier-ignore

test('a session that is over, bound to another browser or not a pupil’s carries nothing', async () => {
  const { lin, speak, forged, bundle, behind } = await twoAtWork();
  const { ask } = await speak(lin.token);
  expect(await ask(load, bundle(forged(lin.token, lin.examcode)))).toEqual([{ n: 0 }]);
  for (const dead of ["boundhash = 'another'", "boundhash = null, expiretime = now()", "expiretime = now() + interval '1 day', revoked = now()"]) {
    await behind(`update auth.session set ${dead} where tokenhash = $1`, [hashOf(lin.token)]);
    for (const call of [load, handIn, handInTogether]) expect(await ask(call, bundle(forged(lin.token, lin.examcode))), dead).toEqual([]);
  }
  expect(await ask(load, bundle(forged('chen', lin.examcode)))).toEqual([]);
}); // prettier-ignore

test('results handed in under one record are of that record’s own forms: another’s form takes none', async () => {
  const { lin, zhou, speak, forged, bundle, behind } = await twoAtWork();
  const { ask } = await speak(lin.token);
  const score = { quotacode: 'PHQ9.total', score: 27, level: 3, levelname: '重度', missing: 0, domain: 'depression', isprimary: 1 };
  expect(
    await ask(handIn, bundle(
      forged(lin.token, lin.examcode, {
        forms: [{ examformid: zhou.examformid, valid: 1, overalllevel: 3, raw: {} }],
        results: [{ examformid: zhou.examformid, ...score }, { examformid: lin.examformid, ...score, score: 0 }],
      }),
    )),
  ).toEqual([{ n: 0 }]);
  expect(await behind('select examformid::int, score::int from examresult')).toEqual([{ examformid: lin.examformid, score: 0 }]);
  expect(await behind('select status, raw from examform where examformid = $1', [zhou.examformid])).toEqual([{ status: 0, raw: null }]);
}); // prettier-ignore

test('what was handed in stays: later answers change nothing, and it is not handed in again', async () => {
  const { lin, speak, forged, saving, bundle, answersOf } = await twoAtWork();
  expect(await lin.own(respond.submitExam, { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers })).toMatchObject({ done: true });
  const before = await answersOf(lin.examformid);
  const { ask } = await speak(lin.token);
  expect(await ask(save, bundle(saving(lin.token, lin.examcode, lin.examformid, lin.item, '3')))).toEqual([]);
  const answers = [{ examformid: lin.examformid, c: lin.item, value: '3', clientseq: 9999 }];
  for (const call of [handIn, handInTogether]) expect(await ask(call, bundle(forged(lin.token, lin.examcode, { answers })))).toEqual([]);
  expect(await answersOf(lin.examformid)).toEqual(before);
}); // prettier-ignore

test('a sheet judged from other answers than are stored by now is not handed in with a bundle', async () => {
  const { lin, speak, forged, bundle, behind } = await twoAtWork();
  await lin.own(respond.saveAnswer, { examcode: lin.examcode, answers: lin.answers.slice(0, 1) });
  const { ask } = await speak(lin.token);
  expect(await ask(handInTogether, bundle(forged(lin.token, lin.examcode)))).toEqual([]);
  expect(await behind('select status from examrecord where examcode = $1', [lin.examcode])).toEqual([{ status: 1 }]);
});

test('the sheet of a task that was closed is not handed in, neither through the product nor beside it', async () => {
  const { as, taskcode, lin, speak, forged, bundle, behind } = await twoAtWork();
  await as('chen')(task.closeTask, { taskcode });
  const { ask } = await speak(lin.token);
  for (const call of [handIn, handInTogether]) expect(await ask(call, bundle(forged(lin.token, lin.examcode)))).toEqual([]);
  const sent = { examcode: lin.examcode, submitkey: randomUUID(), answers: lin.answers };
  await expect(lin.own(respond.submitExam, sent)).rejects.toMatchObject({ code: 150003 });
  expect(await behind('select count(*)::int as n from report')).toEqual([{ n: 0 }]);
});
