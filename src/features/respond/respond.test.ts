import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, signInPupil, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';
const device = '0d6f1c1e-6f0f-4f6c-9a55-1c6d9e0a7b01';

/** 晨光中学 screens 初三(1)班 this week: 林小雨 and 张小北 answer PHQ-9 and GAD-7. */
async function startSchool(options: Parameters<typeof screening>[1] & { birthday?: string } = {}) {
  const server = await startServer();
  const { birthday, ...taskOptions } = options;
  const { teamcode, pupils } = await addClass(server, {
    teamname: '初三1班',
    names: ['林小雨', '张小北'],
    ...(birthday && { birthday }),
  });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode], taskOptions));
  const [lin, zhang] = pupils as [Pupil, Pupil];
  return { ...server, server, teamcode, taskcode, lin, zhang };
}
type School = Awaited<ReturnType<typeof startSchool>>;

/** Signs in as the pupil and starts the exam. */
async function startExam({ server }: School, pupil: Pupil) {
  const own = await signInPupil(server, pupil);
  const [first] = await own(respond.getTasks, {});
  const exam = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  const [phq, gad] = exam.sheets.map((sheet) => sheet.examformid) as [number, number];
  return { own, exam, phq, gad, examcode: exam.examcode, cuserplanid: first?.cuserplanid as number };
}

/** Answers to both forms by option codes in item order; the sequence numbers start at `from`. */
const allAnswers = ({ phq, gad }: { phq: number; gad: number }, phqCodes: string, gadCodes: string, from = 1) =>
  [phqCodes, gadCodes].flatMap((codes, formIndex) =>
    [...codes].map((value, index) => ({
      examformid: formIndex === 0 ? phq : gad,
      c: `q${index + 1}`,
      value,
      clientseq: from + index + formIndex * 20,
    })),
  );
const lowestCodes = ['0000000000', '0000000'] as const;

test('the entry names its institution and the consent text; an unknown link is refused', async () => {
  const { nobody } = await startServer();
  expect(await nobody(respond.getEntry, { clientcode })).toMatchObject({
    insname: '云栖市晨光中学',
    loginmode: '03',
    hotline: '12356',
    consent: { version: expect.stringMatching(/^[0-9a-f]{10}$/) as string },
  });
  await expect(nobody(respond.getEntry, { clientcode: 'entry_nobody' })).rejects.toMatchObject({ code: 130001 });
});

test('a sign-in with a wrong name, a wrong number or another student’s number gets the same error message', async () => {
  const { nobody, lin, zhang } = await startSchool();
  const attempts = [
    { username: '林小雪', key: lin.studentno },
    { username: lin.username, key: '99999999' },
    { username: lin.username, key: zhang.studentno },
    { username: '没有这个人', key: '0' },
  ];
  const errors = await Promise.all(
    attempts.map((attempt) => nobody(respond.loginRespondent, { clientcode, ...attempt }).catch((error: unknown) => error)),
  );
  expect(errors.map((error) => error as object)).toEqual(
    errors.map(() => expect.objectContaining({ code: 120005, message: '未找到对应的信息，请核对后重试', data: undefined })),
  );
});

test('five wrong numbers lock the sign-in of that name also with the right number, and lock no other name', async () => {
  const { nobody, lin, zhang } = await startSchool();
  for (let i = 0; i < 5; i += 1)
    await nobody(respond.loginRespondent, { clientcode, username: lin.username, key: `0${i}` }).catch(() => undefined);
  await expect(nobody(respond.loginRespondent, { clientcode, username: lin.username, key: lin.studentno })).rejects.toMatchObject(
    { code: 110003 },
  );
  expect(await nobody(respond.loginRespondent, { clientcode, username: zhang.username, key: zhang.studentno })).toMatchObject({
    maskedname: '张**',
  });
});

test('no exam starts before both consents are given or after they are withdrawn', async () => {
  const { nobody, withToken, lin } = await startSchool();
  const { token, needconsent } = await nobody(respond.loginRespondent, {
    clientcode,
    username: lin.username,
    key: lin.studentno,
  });
  expect(needconsent).toBe(true);
  const own = withToken(token);
  const [first] = await own(respond.getTasks, {});
  const start = () => own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  await expect(start()).rejects.toMatchObject({ code: 150005 });
  const { consent } = await nobody(respond.getEntry, { clientcode });
  const consentversion = consent.version;
  await expect(own(respond.submitConsent, { consentversion, scopes: ['01'], agreed: 1 })).rejects.toMatchObject({
    code: 150005,
    data: { field: 'scopes' },
  });
  await own(respond.submitConsent, { consentversion, scopes: ['01', '02'], agreed: 1 });
  expect((await start()).sheets).toHaveLength(2);
  await own(respond.withdrawConsent, {});
  await expect(start()).rejects.toMatchObject({ code: 150005 });
});

test('an exam does not start before the task begins or after it ends, and the message names the time', async () => {
  const school = await startSchool();
  const own = await signInPupil(school.server, school.lin);
  const [first] = await own(respond.getTasks, {});
  const start = () => own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  school.clock.now = new Date('2025-10-05T02:00:00Z');
  await expect(start()).rejects.toMatchObject({ code: 150003, message: '测评将于 2025-10-06 08:00 开始' });
  school.clock.now = new Date('2025-10-11T02:00:00Z');
  await expect(start()).rejects.toMatchObject({ code: 150003, message: '本次测评已结束，如需补测请联系老师' });
});

test('a respondent who returns on the same device finds the saved answers in the same exam', async () => {
  const school = await startSchool();
  const { own, phq, examcode, cuserplanid } = await startExam(school, school.lin);
  await own(respond.saveAnswer, { examcode, device, answers: [{ examformid: phq, c: 'q1', value: '2', clientseq: 7 }] });
  const ownAgain = await signInPupil(school.server, school.lin);
  const resumed = await ownAgain(respond.startExam, { cuserplanid, device });
  expect(resumed.examcode).toBe(examcode);
  expect(resumed.sheets[0]).toMatchObject({ elsewhere: 0, answers: { q1: '2' }, seqs: { q1: 7 } });
  expect(await ownAgain(respond.getTasks, {})).toMatchObject([{ status: 1, answered: 1 }]);
});

test('another device gets the next questions and no earlier answer, and each device keeps its own answers', async () => {
  const school = await startSchool();
  const { own, phq, gad, examcode, cuserplanid } = await startExam(school, school.lin);
  const pad = '7c1fdc52-3ac1-4c8d-8e57-52a6f0c3be02';
  const save = (on: string, c: string, value: string, clientseq: number) =>
    own(respond.saveAnswer, { examcode, device: on, answers: [{ examformid: phq, c, value, clientseq }] });
  await save(device, 'q1', '3', 1);
  await save(device, 'q9', '2', 2);
  const ownAgain = await signInPupil(school.server, school.lin);
  const codesOf = (sheet: respond.RespondentForm | undefined) => sheet?.items.map((item) => item.c);
  for (const stranger of [pad, undefined]) {
    const { sheets } = await ownAgain(respond.startExam, { cuserplanid, device: stranger });
    expect(sheets[0]).toMatchObject({ elsewhere: 2, answers: {} });
    expect(codesOf(sheets[0])).toEqual(['q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q10']);
  }
  await save(pad, 'q2', '1', 3);
  const onPad = await ownAgain(respond.startExam, { cuserplanid, device: pad });
  expect(onPad.sheets[0]).toMatchObject({ elsewhere: 2, answers: { q2: '1' } });
  const onPhone = await own(respond.startExam, { cuserplanid, device });
  expect(onPhone.sheets[0]).toMatchObject({ elsewhere: 1, answers: { q1: '3', q9: '2' } });
  expect(codesOf(onPhone.sheets[0])).not.toContain('q2');
  // The exam is one: the last device submits the answers of both.
  school.clock.now = new Date(school.clock.now.getTime() + 240_000);
  const rest = allAnswers({ phq, gad }, ...lowestCodes, 10).filter(
    ({ examformid, c }) => examformid === gad || !['q1', 'q2', 'q9'].includes(c),
  );
  const done = await ownAgain(respond.submitExam, { examcode, device: pad, submitkey: randomUUID(), answers: rest });
  expect(done.done).toBe(true);
  expect(await school.sqlAsOwner("select score::int as score from examresult where quotacode = 'PHQ9.total'")).toEqual([
    { score: 6 },
  ]);
});

test('an exam form holds no scores, and an answer outside its options is refused and not stored', async () => {
  const school = await startSchool();
  const { own, exam, phq, examcode, cuserplanid } = await startExam(school, school.lin);
  expect(JSON.stringify(exam)).not.toMatch(/"(score|points|level|alerts)"/);
  await expect(
    own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q1', value: '9', clientseq: 1 }] }),
  ).rejects.toMatchObject({ code: 120002 });
  expect((await own(respond.startExam, { cuserplanid })).sheets[0]?.answers).toEqual({});
});

test('the newest answer wins when saves are delayed, repeated and shuffled', async () => {
  const school = await startSchool();
  const { own, phq, examcode, cuserplanid } = await startExam(school, school.lin);
  let base = 0;
  const answer = fc.record({
    item: fc.integer({ min: 1, max: 4 }),
    value: fc.constantFrom('0', '1', '2', '3'),
    seq: fc.integer({ min: 0, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(answer, { selector: ({ seq }) => seq, minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      async (writes, repeats) => {
        base += 100;
        const requests = [...writes, ...repeats.map((index) => writes[index % writes.length] as (typeof writes)[0])];
        for (let start = 0; start < requests.length; start += 3)
          await own(respond.saveAnswer, {
            examcode,
            device,
            answers: requests
              .slice(start, start + 3)
              .map(({ item, value, seq }) => ({ examformid: phq, c: `q${item}`, value, clientseq: base + seq })),
          });
        const { sheets } = await own(respond.startExam, { cuserplanid, device });
        for (const item of new Set(writes.map((write) => write.item))) {
          const newest = writes.filter((write) => write.item === item).sort((a, b) => b.seq - a.seq)[0];
          expect(sheets[0]?.answers[`q${item}`]).toBe(newest?.value);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('a red answer opens a case when it is saved, even if the exam is never submitted', async () => {
  const school = await startSchool();
  const { own, phq, examcode } = await startExam(school, school.lin);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 1 }] });
  expect(await school.sqlAsOwner('select level from warning')).toEqual([]);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '1', clientseq: 2 }] });
  expect(await school.sqlAsOwner('select cuserid, level, state, itemtrigger from warning')).toEqual([
    { cuserid: school.lin.cuserid, level: 2, state: '01', itemtrigger: 1 },
  ]);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 3 }] });
  expect(await school.sqlAsOwner('select level from warning')).toHaveLength(1);
});

test('a red answer that arrives after a newer answer does not replace it, but it is kept, opens a case and counts as changed', async () => {
  const school = await startSchool();
  const { own, phq, examcode, cuserplanid } = await startExam(school, school.lin);
  await own(respond.saveAnswer, { examcode, device, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 2 }] });
  const delayed = { examcode, device, answers: [{ examformid: phq, c: 'q9', value: '3', clientseq: 1 }] };
  await own(respond.saveAnswer, delayed);
  await own(respond.saveAnswer, delayed);
  expect((await own(respond.startExam, { cuserplanid, device })).sheets[0]?.answers).toEqual({ q9: '0' });
  expect(await school.sqlAsOwner('select level from warning')).toEqual([{ level: 3 }]);
  expect(await school.sqlAsOwner('select value, seq::int as seq from examalertanswer order by id')).toEqual([
    { value: '0', seq: 2 },
    { value: '3', seq: 1 },
  ]);
  expect(await school.sqlAsOwner('select hasalert, alertchanged from examrecord')).toEqual([{ hasalert: 1, alertchanged: 1 }]);
});

test('the server stores every version of an answer to an alert item with its time, also when it is changed back', async () => {
  const school = await startSchool();
  const { own, phq, gad, examcode } = await startExam(school, school.lin);
  const start = school.clock.now.getTime();
  const save = async (minute: number, ...answers: [c: string, value: string | null, clientseq: number][]) => {
    school.clock.now = new Date(start + minute * 60_000);
    await own(respond.saveAnswer, {
      examcode,
      answers: answers.map(([c, value, clientseq]) => ({ examformid: phq, c, value, clientseq })),
    });
  };
  await save(1, ['q1', '2', 1], ['q9', '2', 2]);
  await save(2, ['q9', '0', 4]);
  await save(3, ['q9', '3', 3], ['q8', '1', 5]);
  await save(4, ['q9', '0', 6]);
  await save(5, ['q9', null, 7]);
  school.clock.now = new Date(start + 6 * 60_000);
  const answers = allAnswers({ phq, gad }, ...lowestCodes, 20);
  expect(await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).toMatchObject({ done: true });
  expect(
    await school.sqlAsOwner(
      `select questionc, value, seq::int as seq, extract(epoch from answertime - $1)::int / 60 as minute
       from examalertanswer
       order by id`,
      [new Date(start)],
    ),
  ).toEqual([
    { questionc: 'q9', value: '2', seq: 2, minute: 1 },
    { questionc: 'q9', value: '0', seq: 4, minute: 2 },
    { questionc: 'q9', value: '3', seq: 3, minute: 3 },
    { questionc: 'q9', value: null, seq: 7, minute: 5 },
    { questionc: 'q9', value: '0', seq: 28, minute: 6 },
  ]);
  expect(await school.sqlAsOwner('select level from warning')).toHaveLength(1);
});

test('an incomplete submission names the missing answers, submits nothing and still opens a case for a red answer', async () => {
  const school = await startSchool();
  const { own, phq, gad, examcode } = await startExam(school, school.lin);
  const answers = allAnswers({ phq, gad }, '111111111', '000000');
  const incomplete = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
  expect(incomplete).toMatchObject({ done: false, reportcode: null, support: { show: false } });
  expect(incomplete.missing).toEqual([{ examformid: gad, c: 'q7' }]);
  expect(await school.sqlAsOwner('select status from examrecord')).toEqual([{ status: 1 }]);
  expect(await school.sqlAsOwner('select count(*)::int as n from examform, jsonb_object_keys(answers)')).toEqual([{ n: 15 }]);
  expect(await school.sqlAsOwner('select level, itemtrigger from warning')).toEqual([{ level: 2, itemtrigger: 1 }]);
});

test.each([
  ['the lowest answers', lowestCodes[0], lowestCodes[1], false],
  ['one red answer', '0000000011', lowestCodes[1], true],
  ['a severe result without a red answer', '3333333300', lowestCodes[1], true],
  ['a mild result', '1111110000', lowestCodes[1], false],
])(
  'after %s (PHQ-9 %s, GAD-7 %s) the support card is shown: %s; the response holds no score',
  async (_, phqCodes, gadCodes, show) => {
    const school = await startSchool({ resultshow: 1 });
    const { own, phq, gad, examcode } = await startExam(school, school.lin);
    school.clock.now = new Date(school.clock.now.getTime() + 240_000);
    const done = await own(respond.submitExam, {
      examcode,
      submitkey: randomUUID(),
      answers: allAnswers({ phq, gad }, phqCodes, gadCodes),
    });
    expect(done).toMatchObject({ done: true, missing: [], support: { show, hotline: '12356' } });
    expect(JSON.stringify(done)).not.toMatch(/score|level|预警|抑郁|异常/);
  },
);

test('two devices that answer one exam submit the newest answer of each question', async () => {
  const school = await startSchool();
  const phone = await startExam(school, school.lin);
  const { own: pad } = await startExam(school, school.lin);
  const { examcode, phq, gad } = phone;
  await pad(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q1', value: '3', clientseq: 500 }] });
  school.clock.now = new Date(school.clock.now.getTime() + 240_000);
  const submitkey = randomUUID();
  const answers = allAnswers({ phq, gad }, ...lowestCodes);
  const done = await phone.own(respond.submitExam, { examcode, submitkey, answers });
  expect(done.done).toBe(true);
  expect(await school.sqlAsOwner("select answers->>'q1' as value from examform where examformid = $1", [phq])).toEqual([
    { value: '3' },
  ]);
  expect(await school.sqlAsOwner("select score::int as score from examresult where quotacode = 'PHQ9.total'")).toEqual([
    { score: 3 },
  ]);
  // The response did not reach the phone, so it sends the same submission again.
  expect(await phone.own(respond.submitExam, { examcode, submitkey, answers })).toEqual(done);
  await expect(pad(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).rejects.toMatchObject({ code: 150004 });
  await expect(pad(respond.saveAnswer, { examcode, answers: answers.slice(0, 1) })).rejects.toMatchObject({ code: 150004 });
});
