import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { startServer } from '#testing/server.ts';

test('a respondent goes from the entry to the submission, and a red answer opens a case on the way', async () => {
  const { as, nobody, withToken, sqlAsOwner, errors, clock } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, {
    appid: '000000002',
    username: '林小雨',
    gender: '02',
    birthday: '2011-07-08',
    archive: { studentno: '20230301', classname: '3班' },
  });
  await sqlAsOwner("update assesscount set frozen = 1 where musercode = 'M_CHENGUANG'");
  const [grant] = await sqlAsOwner<{ cuserplanid: number }>(
    `insert into cuserplan (cuserid, musercode, plancode, appid)
     values ($1, 'M_CHENGUANG', 'P900002', '000000002')
     returning cuserplanid`,
    [cuserid],
  );
  const entry = await nobody(respond.getEntry, { clientcode: 'entry_chenguang' });
  expect(entry).toMatchObject({ insname: '云栖市晨光中学', loginmode: '03' });
  await expect(
    nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', username: '林小雨', key: 'wrong' }),
  ).rejects.toMatchObject({ code: 120005 });
  const login = await nobody(respond.loginRespondent, { clientcode: 'entry_chenguang', username: '林小雨', key: '20230301' });
  expect(login).toMatchObject({ maskedname: '林**', needconsent: true, needguardian: false });
  const asRespondent = withToken(login.token);
  await expect(asRespondent(respond.startExam, { cuserplanid: grant?.cuserplanid as number })).rejects.toMatchObject({
    code: 150005,
  });
  await asRespondent(respond.submitConsent, { consentversion: login.consentversion, scopes: ['01', '02'], agreed: 1 });
  const exam = await asRespondent(respond.startExam, { cuserplanid: grant?.cuserplanid as number });
  expect(exam.sheets.map((sheet) => sheet.formcode)).toEqual(['PHQ9', 'GAD7']);
  const [phq, gad] = exam.sheets.map((sheet) => sheet.examformid) as [number, number];
  await asRespondent(respond.saveAnswer, {
    examcode: exam.examcode,
    answers: [{ examformid: phq, c: 'q9', value: '1', clientseq: 1 }],
  });
  const earlyCases = await sqlAsOwner('select level, state, owneruserid, itemtrigger from warning');
  expect(earlyCases).toMatchObject([{ level: 2, state: '01', itemtrigger: 1 }]);
  const values = ['2', '2', '2', '2', '2', '2', '2', '1', '1'];
  const answers = [
    ...values.map((value, index) => ({ examformid: phq, c: `q${index + 1}`, value, clientseq: 10 + index })),
    { examformid: phq, c: 'q10', value: '1', clientseq: 20 },
    ...['2', '1', '1', '1', '1', '1', '1'].map((value, index) => ({
      examformid: gad,
      c: `q${index + 1}`,
      value,
      clientseq: 30 + index,
    })),
  ];
  clock.now = new Date(clock.now.getTime() + 120_000);
  const submitkey = randomUUID();
  const incomplete = await asRespondent(respond.submitExam, { examcode: exam.examcode, submitkey, answers: answers.slice(0, 5) });
  expect(incomplete.done).toBe(false);
  const done = await asRespondent(respond.submitExam, { examcode: exam.examcode, submitkey, answers });
  expect(errors).toEqual([]);
  expect(done).toMatchObject({ done: true, showreport: false, support: { show: true, hotline: '12356' } });
  expect(await asRespondent(respond.submitExam, { examcode: exam.examcode, submitkey, answers })).toEqual(done);
  await expect(
    asRespondent(respond.submitExam, { examcode: exam.examcode, submitkey: randomUUID(), answers }),
  ).rejects.toMatchObject({
    code: 150004,
  });
  expect(await sqlAsOwner('select level, state, rulecodes from warning')).toMatchObject([
    { level: 3, state: '01', rulecodes: ['R01', 'R02', 'R03', 'R04'] },
  ]);
  expect(await sqlAsOwner('select overalllevel, hasalert, isabnormal, mentalstate, valid from examrecord')).toEqual([
    { overalllevel: 3, hasalert: 1, isabnormal: 1, mentalstate: 4, valid: 1 },
  ]);
  expect(await sqlAsOwner("select used, frozen from assesscount where musercode = 'M_CHENGUANG'")).toEqual([
    { used: 1, frozen: 0 },
  ]);
  expect(await sqlAsOwner('select quotacode, score::int as score, level from examresult order by 1')).toMatchObject([
    { quotacode: 'GAD7.total', score: 8, level: 1 },
    { quotacode: 'PHQ9.nsym' },
    { quotacode: 'PHQ9.total', score: 16, level: 3 },
  ]);
});
