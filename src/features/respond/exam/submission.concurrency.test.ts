import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, signInPupil, screening, type Pupil } from '#testing/school.ts';
import { startServer, type CallError } from '#testing/server.ts';

/** 林小雨 has answered an exam and can submit it. Her school has 10000 counts; one of them is frozen for her. */
async function startReadyExam(q9: '0' | '2') {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode], { resultshow: 1 }));
  const own = await signInPupil(server, pupils[0] as Pupil);
  const [first] = await own(respond.getTasks, {});
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  server.clock.now = new Date(server.clock.now.getTime() + 240_000);
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((item, index) => ({ examformid, c: item.c, value: item.c === 'q9' ? String(q9) : '0', clientseq: index + 1 })),
  );
  const submit = (submitkey: string, sentAnswers = answers) =>
    own(respond.submitExam, { examcode, submitkey, answers: sentAnswers }).then(
      (response) => JSON.stringify(response),
      (error: CallError) => error.code,
    );
  const counts = () =>
    server.sqlAsOwner(`select (select count(*)::int from examrecord where status = 2) as records,
      (select count(*)::int from report) as reports,
      (select count(*)::int from examresult where quotacode = 'PHQ9.total') as results,
      (select count(*)::int from warning) as warnings,
      (select used from assesscount where musercode = 'M_CHENGUANG') as used,
      (select frozen from assesscount where musercode = 'M_CHENGUANG') as frozen,
      (select count(*)::int from assesscountlog where kind = '04') as spent,
      (select examcount from cuser) as examcount`);
  const oneSubmission = [
    { records: 1, reports: 1, results: 1, warnings: q9 === '2' ? 1 : 0, used: 1, frozen: 0, spent: 1, examcount: 1 },
  ];
  return { ...server, own, examcode, answers, submit, counts, oneSubmission, taskcode };
}

describe.each([
  ['no red answer', '0'],
  ['a red answer', '2'],
] as const)('an exam with %s', (_, q9) => {
  test('R-02: a repeated submission with the same key and answers gets the same response', async () => {
    const { submit, counts, oneSubmission } = await startReadyExam(q9);
    const key = randomUUID();
    const first = await submit(key);
    expect(first).toContain('"done":true');
    expect(await submit(key)).toBe(first);
    expect(await submit(key, [])).toBe(first);
    expect(await counts()).toEqual(oneSubmission);
  });

  test('R-02: a submission with other answers under the same key is refused with 150006, under another key with 150004', async () => {
    const { submit, answers, counts, oneSubmission } = await startReadyExam(q9);
    const key = randomUUID();
    await submit(key);
    expect(
      await submit(
        key,
        answers.map((answer) => ({ ...answer, value: '1', clientseq: answer.clientseq + 100 })),
      ),
    ).toBe(150006);
    expect(
      await submit(
        key,
        answers.map((answer) => ({ ...answer, value: '1' })),
      ),
    ).toBe(150006);
    expect(await submit(randomUUID())).toBe(150004);
    // The refused answers were kept and judged: item 9 = 1 opens a case.
    expect(await counts()).toEqual(oneSubmission.map((row) => ({ ...row, warnings: 1 })));
  });

  test('fifty concurrent submissions with one key make one submission, use one count and all get the same response', async () => {
    const { submit, counts, oneSubmission, errors } = await startReadyExam(q9);
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 50 }, () => submit(key)));
    expect(errors).toEqual([]);
    expect(new Set(responses).size).toBe(1);
    expect(responses[0]).toContain('"done":true');
    expect(await counts()).toEqual(oneSubmission);
  });

  test('of fifty concurrent submissions with different keys one is accepted and forty-nine get 150004', async () => {
    const { submit, counts, oneSubmission } = await startReadyExam(q9);
    const responses = await Promise.all(Array.from({ length: 50 }, () => submit(randomUUID())));
    expect(responses.filter((response) => response === 150004)).toHaveLength(49);
    expect(await counts()).toEqual(oneSubmission);
  });

  test('a submission includes the answer that another device saved just before it', async () => {
    const { own, examcode, answers, submit, sqlAsOwner } = await startReadyExam(q9);
    const q1 = answers[0] as (typeof answers)[0];
    await own(respond.saveAnswer, { examcode, answers });
    for (let seq = 100; seq < 106; seq += 1) {
      const value = String(seq % 4);
      const [response] = await Promise.all([
        seq === 105 ? submit(randomUUID(), []) : '',
        own(respond.saveAnswer, { examcode, answers: [{ ...q1, value, clientseq: seq }] }).catch(() => undefined),
      ]);
      if (seq === 105) expect(response).toContain('"done":true');
    }
    const [stored] = await sqlAsOwner<{ value: string }>("select answers->>'q1' as value from examform where examformid = $1", [
      q1.examformid,
    ]);
    const [result] = await sqlAsOwner<{ score: number }>(
      "select score::int as score from examresult where quotacode = 'PHQ9.total'",
    );
    expect(result?.score).toBe(Number(stored?.value) + Number(q9));
  });

  test('closing a task during submissions charges exactly the accepted submissions', async () => {
    const { as, submit, counts, taskcode } = await startReadyExam(q9);
    const [response] = await Promise.all([submit(randomUUID()), as('chen')(task.closeTask, { taskcode })]);
    const [now] = await counts();
    const isAccepted = typeof response === 'string';
    expect(now).toMatchObject({
      records: isAccepted ? 1 : 0,
      reports: isAccepted ? 1 : 0,
      used: isAccepted ? 1 : 0,
      frozen: 0,
      spent: isAccepted ? 1 : 0,
    });
    if (!isAccepted) expect([150003, 150004]).toContain(response);
  });
});
