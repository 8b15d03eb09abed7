import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, enter, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';

/** 晨光中学 screens 初三(1)班 this week: 林小雨 and 张小北 are asked PHQ-9 and GAD-7. */
async function school(more: Parameters<typeof screening>[1] & { birthday?: string } = {}) {
  const server = await startServer();
  const { birthday, ...how } = more;
  const { teamcode, pupils } = await addClass(server, {
    teamname: '初三1班',
    names: ['林小雨', '张小北'],
    ...(birthday && { birthday }),
  });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode], how));
  const [lin, zhang] = pupils as [Pupil, Pupil];
  return { ...server, server, teamcode, taskcode, lin, zhang };
}
type School = Awaited<ReturnType<typeof school>>;

/** The pupil's sheet, opened. */
async function open({ server }: School, pupil: Pupil) {
  const own = await enter(server, pupil);
  const [first] = await own(respond.getTasks, {});
  const exam = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  const [phq, gad] = exam.sheets.map((sheet) => sheet.examformid) as [number, number];
  return { own, exam, phq, gad, examcode: exam.examcode, cuserplanid: first?.cuserplanid as number };
}

/** Answers to both forms by option codes in item order, numbered from `from` on. */
const whole = ({ phq, gad }: { phq: number; gad: number }, phqCodes: string, gadCodes: string, from = 1) =>
  [phqCodes, gadCodes].flatMap((codes, index) =>
    [...codes].map((value, i) => ({
      examformid: index === 0 ? phq : gad,
      c: `q${i + 1}`,
      value,
      clientseq: from + i + index * 20,
    })),
  );
const calm = ['0000000000', '0000000'] as const;

test('the entry names its institution and the consent text; an unknown link is refused', async () => {
  const { nobody } = await startServer();
  expect(await nobody(respond.getEntry, { clientcode })).toMatchObject({
    insname: '云栖市晨光中学',
    loginmode: '03',
    hotline: '12356',
    consent: { version: '1' },
  });
  await expect(nobody(respond.getEntry, { clientcode: 'entry_nobody' })).rejects.toMatchObject({ code: 130001 });
});

test('a wrong name, a wrong number and another student’s number get the same error message', async () => {
  const { nobody, lin, zhang } = await school();
  const tries = [
    { username: '林小雪', key: lin.studentno },
    { username: lin.username, key: '99999999' },
    { username: lin.username, key: zhang.studentno },
    { username: '没有这个人', key: '0' },
  ];
  const answers = await Promise.all(
    tries.map((tryItem) => nobody(respond.loginRespondent, { clientcode, ...tryItem }).catch((error: unknown) => error)),
  );
  expect(answers.map((error) => error as object)).toEqual(
    answers.map(() => expect.objectContaining({ code: 120005, message: '未找到对应的信息，请核对后重试', data: undefined })),
  );
});

test('five wrong numbers lock one name for a while, also for the right number, and no other name', async () => {
  const { nobody, lin, zhang } = await school();
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
  const { nobody, withToken, lin } = await school();
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
  await expect(own(respond.submitConsent, { consentversion: '1', scopes: ['01'], agreed: 1 })).rejects.toMatchObject({
    code: 150005,
    data: { field: 'scopes' },
  });
  await own(respond.submitConsent, { consentversion: '1', scopes: ['01', '02'], agreed: 1 });
  expect((await start()).sheets).toHaveLength(2);
  await own(respond.withdrawConsent, {});
  await expect(start()).rejects.toMatchObject({ code: 150005 });
});

test('a respondent under fourteen also needs the consent of a guardian', async () => {
  const { nobody, withToken, lin, sqlAsOwner } = await school({ birthday: '2012-03-04' });
  const { token, needguardian } = await nobody(respond.loginRespondent, {
    clientcode,
    username: lin.username,
    key: lin.studentno,
  });
  expect(needguardian).toBe(true);
  const own = withToken(token);
  const [first] = await own(respond.getTasks, {});
  const agree = { consentversion: '1', scopes: ['01' as const, '02' as const], agreed: 1 as const };
  await expect(own(respond.submitConsent, agree)).rejects.toMatchObject({ code: 150005, data: { field: 'guardian' } });
  await own(respond.submitConsent, { ...agree, guardian: { name: '林建国', relation: '01', phonenumber: '13800000001' } });
  expect(await own(respond.startExam, { cuserplanid: first?.cuserplanid as number })).toMatchObject({
    taskname: '2025 秋季普测',
  });
  expect(await sqlAsOwner("select count(*)::int as n from consent where subject = '02'")).toEqual([{ n: 2 }]);
});

test('a task is closed before its begin and after its end, and the message names the time', async () => {
  const of = await school();
  const own = await enter(of.server, of.lin);
  const [first] = await own(respond.getTasks, {});
  const start = () => own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  of.clock.now = new Date('2025-10-05T02:00:00Z');
  await expect(start()).rejects.toMatchObject({ code: 150003, message: '测评将于 2025-10-06 08:00 开始' });
  of.clock.now = new Date('2025-10-11T02:00:00Z');
  await expect(start()).rejects.toMatchObject({ code: 150003, message: '本次测评已结束，如需补测请联系老师' });
});

test('a respondent who returns finds the saved answers in the same exam', async () => {
  const of = await school();
  const { own, phq, examcode, cuserplanid } = await open(of, of.lin);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q1', value: '2', clientseq: 7 }] });
  const again = await enter(of.server, of.lin);
  const resumed = await again(respond.startExam, { cuserplanid });
  expect(resumed.examcode).toBe(examcode);
  expect(resumed.sheets[0]).toMatchObject({ answers: { q1: '2' }, seqs: { q1: 7 } });
  expect(await again(respond.getTasks, {})).toMatchObject([{ status: 1, answered: 1 }]);
});

test('an exam form holds no scores, and an answer outside its options is refused and not stored', async () => {
  const of = await school();
  const { own, exam, phq, examcode, cuserplanid } = await open(of, of.lin);
  expect(JSON.stringify(exam)).not.toMatch(/"(score|points|level|alerts)"/);
  await expect(
    own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q1', value: '9', clientseq: 1 }] }),
  ).rejects.toMatchObject({ code: 120002 });
  expect((await own(respond.startExam, { cuserplanid })).sheets[0]?.answers).toEqual({});
});

test('the newest answer wins, however saves are delayed, repeated and shuffled', async () => {
  const of = await school();
  const { own, phq, examcode, cuserplanid } = await open(of, of.lin);
  let base = 0;
  const write = fc.record({
    item: fc.integer({ min: 1, max: 4 }),
    value: fc.constantFrom('0', '1', '2', '3'),
    seq: fc.integer({ min: 0, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(write, { selector: (each) => each.seq, minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      async (writes, repeats) => {
        base += 100;
        const sent = [...writes, ...repeats.map((at) => writes[at % writes.length] as (typeof writes)[0])];
        for (let at = 0; at < sent.length; at += 3)
          await own(respond.saveAnswer, {
            examcode,
            answers: sent
              .slice(at, at + 3)
              .map((item) => ({ examformid: phq, c: `q${item.item}`, value: item.value, clientseq: base + item.seq })),
          });
        const { sheets } = await own(respond.startExam, { cuserplanid });
        for (const item of new Set(writes.map((part) => part.item))) {
          const newest = writes.filter((part) => part.item === item).sort((a, b) => b.seq - a.seq)[0];
          expect(sheets[0]?.answers[`q${item}`]).toBe(newest?.value);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('a red answer opens a case when it is saved, even if the exam is never submitted', async () => {
  const of = await school();
  const { own, phq, examcode } = await open(of, of.lin);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 1 }] });
  expect(await of.sqlAsOwner('select level from warning')).toEqual([]);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '1', clientseq: 2 }] });
  expect(await of.sqlAsOwner('select cuserid, level, state, itemtrigger from warning')).toEqual([
    { cuserid: of.lin.cuserid, level: 2, state: '01', itemtrigger: 1 },
  ]);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 3 }] });
  expect(await of.sqlAsOwner('select level from warning')).toHaveLength(1);
});

test('a red answer that arrives after a newer answer is not stored and opens no case', async () => {
  const of = await school();
  const { own, phq, examcode } = await open(of, of.lin);
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '0', clientseq: 2 }] });
  await own(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q9', value: '3', clientseq: 1 }] });
  expect(await of.sqlAsOwner('select level from warning')).toEqual([]);
});

test('every version of an answer to an alert item is kept with its time, also when it is changed back', async () => {
  const of = await school();
  const { own, phq, gad, examcode } = await open(of, of.lin);
  const start = of.clock.now.getTime();
  const save = async (minute: number, ...answers: [c: string, value: string | null, clientseq: number][]) => {
    of.clock.now = new Date(start + minute * 60_000);
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
  of.clock.now = new Date(start + 6 * 60_000);
  const answers = whole({ phq, gad }, ...calm, 20);
  expect(await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).toMatchObject({ done: true });
  expect(
    await of.sqlAsOwner(
      'select questionc, value, seq::int as seq, extract(epoch from answertime - $1)::int / 60 as minute from examalertanswer order by id',
      [new Date(start)],
    ),
  ).toEqual([
    { questionc: 'q9', value: '2', seq: 2, minute: 1 },
    { questionc: 'q9', value: '0', seq: 4, minute: 2 },
    { questionc: 'q9', value: null, seq: 7, minute: 5 },
    { questionc: 'q9', value: '0', seq: 28, minute: 6 },
  ]);
  expect(await of.sqlAsOwner('select level from warning')).toHaveLength(1);
});

test('an incomplete submission names the missing answers, submits nothing and still opens a case for a red answer', async () => {
  const of = await school();
  const { own, phq, gad, examcode } = await open(of, of.lin);
  const answers = whole({ phq, gad }, '111111111', '000000');
  const partial = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
  expect(partial).toMatchObject({ done: false, reportcode: null, support: { show: false } });
  expect(partial.missing).toEqual([{ examformid: gad, c: 'q7' }]);
  expect(await of.sqlAsOwner('select status from examrecord')).toEqual([{ status: 1 }]);
  expect(await of.sqlAsOwner('select count(*)::int as n from examform, jsonb_object_keys(answers)')).toEqual([{ n: 15 }]);
  expect(await of.sqlAsOwner('select level, itemtrigger from warning')).toEqual([{ level: 2, itemtrigger: 1 }]);
});

test.each([
  ['a calm sheet', calm[0], calm[1], false],
  ['one red answer', '0000000011', calm[1], true],
  ['a severe result without a red answer', '3333333300', calm[1], true],
  ['a mild result', '1111110000', calm[1], false],
])('after %s the support card shows: %s %s → %s; a score never does', async (_, phqCodes, gadCodes, show) => {
  const of = await school({ resultshow: 1 });
  const { own, phq, gad, examcode } = await open(of, of.lin);
  of.clock.now = new Date(of.clock.now.getTime() + 240_000);
  const done = await own(respond.submitExam, {
    examcode,
    submitkey: randomUUID(),
    answers: whole({ phq, gad }, phqCodes, gadCodes),
  });
  expect(done).toMatchObject({ done: true, missing: [], support: { show, hotline: '12356' } });
  expect(JSON.stringify(done)).not.toMatch(/score|level|预警|抑郁|异常/);
});

test('two devices that answer one exam submit the newest answer of each question', async () => {
  const of = await school();
  const phone = await open(of, of.lin);
  const { own: pad } = await open(of, of.lin);
  const { examcode, phq, gad } = phone;
  await pad(respond.saveAnswer, { examcode, answers: [{ examformid: phq, c: 'q1', value: '3', clientseq: 500 }] });
  of.clock.now = new Date(of.clock.now.getTime() + 240_000);
  const submitkey = randomUUID();
  const answers = whole({ phq, gad }, ...calm);
  const done = await phone.own(respond.submitExam, { examcode, submitkey, answers });
  expect(done.done).toBe(true);
  expect(await of.sqlAsOwner("select answers->>'q1' as value from examform where examformid = $1", [phq])).toEqual([
    { value: '3' },
  ]);
  expect(await of.sqlAsOwner("select score::int as score from examresult where quotacode = 'PHQ9.total'")).toEqual([
    { score: 3 },
  ]);
  // The phone did not hear the answer and sends the very same again.
  expect(await phone.own(respond.submitExam, { examcode, submitkey, answers })).toEqual(done);
  await expect(pad(respond.submitExam, { examcode, submitkey: randomUUID(), answers })).rejects.toMatchObject({ code: 150004 });
  await expect(pad(respond.saveAnswer, { examcode, answers: answers.slice(0, 1) })).rejects.toMatchObject({ code: 150004 });
});
