import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, signInPupil, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const names = Array.from({ length: 40 }, (_, index) => `学生${index + 1}`);
const fourMinutes = 240_000;

test('a class of forty signs in at the same moment through fewer connections than there are students', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初三1班', names });
  const usernames = await Promise.all(pupils.map((pupil) => signInPupil(server, pupil).then(() => pupil.username)));
  expect(usernames).toEqual(names);
  expect(server.errors).toEqual([]);
});

test('a class of forty submits at the same moment: each exam is stored and charged once, and each red answer opens a case', async () => {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names });
  await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const exams = await Promise.all(
    pupils.map(async (pupil, index) => {
      const own = await signInPupil(server, pupil);
      const [first] = await own(respond.getTasks, {});
      const { examcode, sheets } = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
      const hasRedAnswer = index % 13 === 0;
      const answers = sheets.flatMap(({ examformid, items }) =>
        items.map((item, itemIndex) => ({
          examformid,
          c: item.c,
          value: item.c === 'q9' ? (hasRedAnswer ? '1' : '0') : String((index + itemIndex) % 2),
          clientseq: itemIndex + 1,
        })),
      );
      return { own, examcode, answers };
    }),
  );
  server.clock.now = new Date(server.clock.now.getTime() + fourMinutes);
  await Promise.all(
    exams.flatMap(({ own, examcode, answers }) =>
      answers.slice(0, 3).map((answer) => own(respond.saveAnswer, { examcode, answers: [answer] })),
    ),
  );
  const responses = await Promise.all(
    exams.map(({ own, examcode, answers }) => own(respond.submitExam, { examcode, submitkey: randomUUID(), answers })),
  );
  expect(responses.every((response) => response.done)).toBe(true);
  expect(server.errors).toEqual([]);
  const [totals] = await server.sqlAsOwner(`select (select count(*)::int from examrecord where status = 2) as records,
    (select count(*)::int from examform, jsonb_object_keys(answers)) as answers,
    (select count(*)::int from report) as reports,
    (select count(*)::int from warning where itemtrigger = 1) as red,
    (select used from assesscount where musercode = 'M_CHENGUANG') as used,
    (select frozen from assesscount where musercode = 'M_CHENGUANG') as frozen,
    (select count(*)::int from assesscountlog where kind = '04') as spent,
    (select count(*)::int from cuser where examcount = 1) as persons,
    (select count(*)::int from audit.log where action = 'as.c.exam.submitExam') as submissions,
    (select count(*)::int from audit.log where action = 'as.c.exam.saveAnswer') as saves`);
  const itemCount = exams.reduce((sum, { answers }) => sum + answers.length, 0);
  expect(totals).toEqual({
    records: 40,
    answers: itemCount,
    reports: 40,
    red: 4,
    used: 40,
    frozen: 0,
    spent: 40,
    persons: 40,
    submissions: 40,
    saves: 120,
  });
});
