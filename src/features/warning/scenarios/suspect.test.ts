import { expect, test } from 'vitest';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getHandover } from '#features/warning/handover/handover.contract.ts';
import { getWarningCount, getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { deleteCUser, getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { takeExam } from '#testing/exam.ts';

// A member of staff who is suspected of harm owns no case of the person, and hears, sees and changes nothing of it.

const harm = { level: 3, content: '她说心理老师在咨询室触碰她的身体', signs: ['abuse'] as const };

/** A case that Chen owns and has worked on, until Lu reports that Chen is the suspect. */
async function caseAgainstItsOwner() {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, pupil, at } = school;
  const code = await school.report(2);
  await school.accept(code);
  await school.talk(code);
  await as('chen')(care.insertFollowUp, { cuserid: pupil.cuserid, warningcode: code, duetime: '2026-11-25 09:00' });
  at('2026-11-19 10:00');
  const report = (suspectuserid: string) =>
    as('lu')(handling.insertWarning, { cuserid: pupil.cuserid, ...harm, signs: ['abuse'], suspectuserid });
  return { ...school, code, report };
}

test('a case leaves its owner at once when a report suspects the owner, and the next able person has two hours to accept it', async () => {
  const { code, report, as, sqlAsOwner, clocks } = await caseAgainstItsOwner();
  expect(await report('U_CHEN')).toMatchObject({ warningcode: code, joined: true });
  const [row] = await sqlAsOwner<{ owneruserid: string }>('select owneruserid from warning where warningcode = $1', [code]);
  expect(['U_DUTY', 'U_LU']).toContain(row?.owneruserid);
  expect((await as('lu')(getWarningDetail, { warningcode: code })).full?.clocks).toContainEqual(
    expect.objectContaining({ kind: 'accept', at: '2026-11-19 12:00:00' }),
  );
  const after = await sqlAsOwner(
    "select title from notification where userid = 'U_CHEN' and createtime >= '2026-11-19 10:00+08'",
  );
  expect(after).toEqual([]);
  await expect(clocks(code)).rejects.toMatchObject({ code: 130001 });
  expect((await as('chen')(getWarningPageList, {})).rows).toEqual([]);
  expect((await as('chen')(care.getFollowUpPageList, {})).rows).toEqual([]);
  expect((await as('chen')(getHandover, {})).cases).toEqual([]);
});

test('nobody gives the case to the suspect, and a second account of the suspect sees nothing either', async () => {
  const { code, report, as, sqlAsOwner } = await caseAgainstItsOwner();
  await report('U_CHEN');
  const assign = { warningcode: code, owneruserid: 'U_CHEN' };
  await expect(as('lu')(handling.assignWarning, assign)).rejects.toMatchObject({ code: 130001 });
  await expect(as('lu')(handling.acceptWarning, assign)).rejects.toMatchObject({ code: 130001 });
  await sqlAsOwner("update sysuser set phonenumber = '13800001111' where userid in ('U_CHEN', 'U_DUTY')");
  await expect(as('duty')(getWarningDetail, { warningcode: code })).rejects.toMatchObject({ code: 130001 });
});

test('a later report with a name only does not let the suspect back in', async () => {
  const { code, report, as, pupil } = await caseAgainstItsOwner();
  await report('U_CHEN');
  await as('lu')(handling.insertWarning, { cuserid: pupil.cuserid, ...harm, signs: ['abuse'], suspectname: '校外人员' });
  await expect(as('chen')(getWarningDetail, { warningcode: code })).rejects.toMatchObject({ code: 130001 });
});

test('a suspect of another institution does not exist for the reporter', async () => {
  const { report, as, pupil } = await caseAgainstItsOwner();
  await expect(report('U_LIN')).rejects.toMatchObject({ code: 130001 });
  await expect(report('U_MISSING')).rejects.toMatchObject({ code: 130001 });
  // The alarm itself is heard without the name.
  expect(await as('lu')(handling.insertWarning, { cuserid: pupil.cuserid, ...harm, signs: ['abuse'] })).toMatchObject({
    joined: true,
  });
});

test('a second named colleague does not let the first suspect back in', async () => {
  const { code, report, as, notices } = await caseAgainstItsOwner();
  await report('U_CHEN');
  await report('U_WANG');
  for (const suspect of ['chen', 'wang'] as const)
    await expect(as(suspect)(getWarningDetail, { warningcode: code })).rejects.toMatchObject({ code: 130001 });
  const later = (await notices(code)).filter(({ createtime }) => createtime.toISOString() >= '2026-11-19T02:00');
  expect(later.map(({ userid }) => userid)).not.toContain('U_CHEN');
  expect(later.length).toBeGreaterThan(0);
});

test('the suspect reads no report of the person, and a colleague does', async () => {
  const school = await caseAgainstItsOwner();
  const { examcode } = await takeExam(school, school.pupil, { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' });
  expect((await school.as('chen')(getCUserReport, { examcode })).report).toMatchObject({ examcode });
  await school.report('U_CHEN');
  await expect(school.as('chen')(getCUserReport, { examcode })).rejects.toMatchObject({ code: 130001 });
  expect((await school.as('lu')(getCUserReport, { examcode })).report).toMatchObject({ examcode });
});

test('a suspect who acts in the account of a colleague sees and counts nothing of the case', async () => {
  const { code, report, as, sqlAsOwner, withToken, pupil } = await caseAgainstItsOwner();
  await report('U_CHEN');
  // Chen also works for the provider, where she may act in accounts of the school.
  await sqlAsOwner("update sysuser set phonenumber = '13800001111' where userid in ('U_CHEN', 'U_FANG')");
  const { token } = await as('fang')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_LU', reason: '协助老师处理系统问题' });
  const acting = withToken(token);
  await expect(acting(getWarningDetail, { warningcode: code })).rejects.toMatchObject({ code: 110011 });
  expect((await acting(getWarningPageList, {})).rows).toEqual([]);
  expect((await acting(care.getFollowUpPageList, {})).rows).toEqual([]);
  expect(await acting(getWarningCount, {})).toMatchObject({ open: 0, pending: 0 });
  expect((await acting(getCUserPageList, {})).rows).toMatchObject([{ cuserid: pupil.cuserid, riskflag: 0 }]);
  expect((await acting(getCUserPageList, { riskflag: 3 })).rows).toEqual([]);
  expect((await as('lu')(getCUserPageList, { riskflag: 3 })).rows).toMatchObject([{ cuserid: pupil.cuserid, riskflag: 3 }]);
  expect(await as('lu')(getWarningCount, {})).toMatchObject({ open: 1 });
  // An own report of hers is heard in the case that she cannot see.
  expect(
    await as('chen')(handling.insertWarning, { cuserid: pupil.cuserid, level: 3, content: '学生今天没有到校，联系不上' }),
  ).toMatchObject({ joined: true });
});

test('the refusal to delete the person does not tell the suspect of the case', async () => {
  const { code, report, as, pupil } = await caseAgainstItsOwner();
  await report('U_CHEN');
  const refusal = await as('chen')(deleteCUser, { cuserids: [pupil.cuserid] }).then(
    String,
    (error: { message: string }) => error.message,
  );
  expect(refusal).toContain('尚有未办结的事项');
  expect(refusal).not.toContain(code);
});

test('a second account of the suspect, with the same certificate, gets no notice and sees no case', async () => {
  const { as, pupil, sqlAsOwner, notices } = await crisisSchool('2026-11-18 09:00');
  await sqlAsOwner("update sysuser set certno = '33010219800101123x' where userid = 'U_WANG'");
  await sqlAsOwner("update sysuser set certno = '33010219800101123X' where userid = 'U_LU'");
  const report = { cuserid: pupil.cuserid, ...harm, signs: [...harm.signs], suspectuserid: 'U_WANG' };
  const { warningcode } = await as('chen')(handling.insertWarning, report);
  const recipients = (await notices(warningcode)).map(({ userid }) => userid);
  expect(recipients).toContain('U_CHEN');
  expect(recipients).not.toContain('U_LU');
  await expect(as('lu')(getWarningDetail, { warningcode })).rejects.toMatchObject({ code: 130001 });
});

test('every suspected guardian stays suspected, also when named by relation or with words around the name', async () => {
  const { as, report, accept, pupil, notices, sqlAsOwner, detail } = await crisisSchool('2026-11-18 09:00');
  for (const [name, relation] of [
    ['林建国', '01'],
    ['周敏', '02'],
  ])
    await sqlAsOwner("insert into guardian (cuserid, musercode, name, relation) values ($1, 'M_CHENGUANG', $2, $3)", [
      pupil.cuserid,
      name,
      relation,
    ]);
  const code = await report(4);
  await accept(code);
  const accuse = (suspectname: string) =>
    as('lu')(handling.insertWarning, { cuserid: pupil.cuserid, level: 4, content: '她说在家里出事了', suspectname });
  await accuse('她父亲');
  expect((await detail(code)).full?.duties.map(({ kind }) => kind)).toContain('abuse');
  await accuse('周敏（母亲）');
  await as('chen')(handling.verifyWarning, { warningcode: code, contactresult: '03', content: '电话无人接听，宿舍无人' });
  const cards = (await notices(code)).filter(({ content }) => content.includes('110'));
  expect(cards.length).toBeGreaterThan(0);
  for (const { content } of cards) {
    expect(content).toContain('监护人疑似侵害人，勿联系');
    expect(content).not.toMatch(/林建国|周敏/);
  }
  expect((await detail(code)).full?.guardians.map(({ issuspect }) => issuspect)).toEqual([true, true]);
  const tell = { warningcode: code, guardianname: '周敏', method: '01' as const, content: '已告知' };
  await expect(as('chen')(handling.notifyGuardian, tell)).rejects.toMatchObject({ code: 120002 });
});

test('the numbers above the list leave out the cases that suspect their reader', async () => {
  const { as, code, report } = await caseAgainstItsOwner();
  const open = async (who: 'chen' | 'lu') => (await as(who)(getWarningCount, {})).open;
  expect(await open('chen')).toBe(1);
  await report('U_CHEN');
  expect([await open('chen'), await open('lu')]).toEqual([0, 1]);
  expect((await as('lu')(getWarningDetail, { warningcode: code })).state).toBe('03');
});
