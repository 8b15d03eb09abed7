import { expect, test } from 'vitest';
import * as care from '#features/care/care.contract.ts';
import { enableCUser } from '#features/cuser/leaving/leaving.contract.ts';
import { updateCUser } from '#features/cuser/cuser.contract.ts';
import { enableMuser } from '#features/muser/muser.contract.ts';
import { enableUser } from '#features/org/user/user.contract.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { anonymizeLin, aStudent } from '#testing/factories.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';

// Unusual turns of a case: letters to two hospitals, worse findings in a follow-up, nobody left to take a case, the dead.

/** A case of the level that Chen has accepted, talked about, interviewed and told the guardian of. */
async function handledCase(level: number) {
  const school = await crisisSchool('2026-11-18 09:00');
  const code = await school.report(level);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, level >= 3 ? level : 1, level >= 3 ? { ideation: level - 1 } : {});
  await school.tellGuardian(code);
  const since = (time: string) =>
    school.notices(code).then((rows) => rows.filter(({ createtime }) => createtime >= new Date(`${time}+08:00`)));
  return { ...school, code, since };
}

test('a refusal at one hospital leaves the visit at the other due, and observation does not end it', async () => {
  const { code, as, at, clocks } = await handledCase(4);
  await as('chen')(insertSafetyPlan, { warningcode: code, ...aSafetyPlan() });
  await as('chen')(handling.startIntervene, { warningcode: code });
  const letter = (tohospital: string) =>
    as('chen')(handling.insertReferral, { warningcode: code, tohospital, reason: '自杀风险高，请评估住院' });
  const feedback = (referralid: number, status: '02' | '03') =>
    as('chen')(handling.updateReferral, { warningcode: code, referralid, status, feedback: '电话核实' });
  const first = await letter('市第七医院');
  const second = await letter('市第一医院');
  await feedback(first.referralid, '03');
  expect(await clocks(code)).toMatchObject({ visit: '11-19 09:00' });
  await feedback(second.referralid, '03');
  expect((await clocks(code))['visit']).toBeUndefined();
  at('2026-11-18 12:00');
  const third = await letter('省立医院');
  expect(await clocks(code)).toMatchObject({ visit: '11-19 12:00' });
  await as('chen')(handling.observe, { warningcode: code });
  expect(await clocks(code)).toMatchObject({ visit: '11-19 12:00' });
  await feedback(third.referralid, '02');
  expect((await clocks(code))['visit']).toBeUndefined();
});

test('a contact from before the discharge does not count as the contact after it', async () => {
  const { code, as, at, detail } = await handledCase(4);
  at('2026-11-25 10:00');
  const discharge = { hospital: '市第七医院', content: '今日出院', time: '2026-11-25 09:00' };
  await as('chen')(special.dischargeWarning, { warningcode: code, ...discharge });
  const duty = (await detail(code)).full?.duties.find(({ kind }) => kind === 'discharge');
  const contact = { warningcode: code, dutyid: duty!.dutyid, unit: '本人', content: '电话联系，情绪平稳' };
  await expect(as('chen')(special.finishDuty, { ...contact, time: '2026-11-24 09:00' })).rejects.toMatchObject({
    code: 120002,
    message: '联系时间早于出院时间，请登记出院后的联系',
  });
  await as('chen')(special.finishDuty, { ...contact, time: '2026-11-25 09:30' });
});

test('a follow-up that finds a crisis raises the case and is told like a new one', async () => {
  const { code, as, at, pupil, detail, since, clocks } = await handledCase(2);
  await as('chen')(handling.observe, { warningcode: code });
  at('2026-12-02 10:00');
  const plan = { cuserid: pupil.cuserid, warningcode: code, duetime: '2026-12-02 11:00' };
  const { followupids } = await as('lu')(care.insertFollowUp, plan);
  await as('lu')(care.finishFollowUp, { followupid: followupids[0]!, content: '她说昨晚准备了药', currentlevel: 4 });
  expect(await detail(code)).toMatchObject({ level: 4, state: '03', pending: 1 });
  expect(await clocks(code)).toMatchObject({ accept: '12-02 12:00', guardian: '12-02 12:00' });
  expect((await since('2026-12-02T10:00')).map(({ userid }) => userid)).toEqual(
    expect.arrayContaining(['U_CHEN', 'U_LU', 'U_DUTY', 'U_MA', 'U_FANG']),
  );
});

test('a follow-up outside any case that finds a risk opens a case', async () => {
  const { as, pupil, sqlAsOwner } = await crisisSchool('2026-11-18 09:00');
  const plan = { cuserid: pupil.cuserid, duetime: '2026-11-18 09:30' };
  const { followupids } = await as('chen')(care.insertFollowUp, plan);
  const record = { followupid: followupids[0]!, content: '近来常说活着没意思', currentlevel: 3 };
  await as('chen')(care.finishFollowUp, { ...record, nextduetime: '2026-11-19 09:00' });
  expect(await sqlAsOwner('select level, state from warning')).toEqual([{ level: 3, state: '01' }]);
});

test('when nobody is able to take a case over, the platform hears of it at once', async () => {
  const { as, at, sqlAsOwner, since } = await handledCase(4);
  await sqlAsOwner("update sysuser set absentuntil = '2027-01-01' where userid in ('U_LU', 'U_DUTY', 'U_MA', 'U_FANG')");
  at('2026-11-18 12:00');
  await as('fang')(enableUser, { userid: 'U_CHEN', enabled: 0 });
  expect((await since('2026-11-18T12:00')).length).toBeGreaterThan(0);
  const rows = await sqlAsOwner("select musercode from notification where createtime >= '2026-11-18 12:00+08' order by id");
  expect(rows).toEqual([{ musercode: 'M_ANLAN' }, { musercode: 'JYJ00001' }, { musercode: 'AS000001' }]);
});

test('the new owner of a case that changes hands at night gets a short message', async () => {
  const { as, at, sqlAsOwner } = await handledCase(4);
  at('2026-11-19 02:00');
  await as('fang')(enableUser, { userid: 'U_CHEN', enabled: 0 });
  expect(await sqlAsOwner("select payload->'messages' as messages from outbox order by id desc limit 1")).toEqual([
    { messages: [{ userid: 'U_DUTY', channel: 'sms' }] },
  ]);
});

test('a report that is due from a closed case is chased in a disabled institution too', async () => {
  const { code, as, at, sqlAsOwner, services, clock } = await handledCase(4);
  await sqlAsOwner("update warning set state = '07', closetime = now() where warningcode = $1", [code]);
  await as('fang')(enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '欠费' });
  at('2026-11-19 10:00');
  expect(await escalateOverdue(services, clock.now)).toMatchObject({ overdue: 1, failed: [] });
});

test('the provider tells the guardian of a case that it owns, and of no other', async () => {
  const { as, report, detail } = await crisisSchool('2026-11-18 09:00');
  const code = await report(3);
  const tell = { warningcode: code, guardianname: '林建国', method: '01' as const, content: '已告知，家长今天来接' };
  await expect(as('fang')(handling.notifyGuardian, tell)).rejects.toMatchObject({ code: 110004 });
  await as('fang')(enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '欠费' });
  await as('fang')(handling.notifyGuardian, tell);
  expect((await detail(code, 'fang')).full?.guardiantime).toBe('2026-11-18 09:00:00');
});

test('a case that the job cannot read does not silence the other cases, and the platform is told', async () => {
  const server = await crisisSchool('2026-11-18 09:00');
  const { as, at, report, sqlAsOwner, services, clock } = server;
  const { cuserid } = await aStudent(server, { username: '周明', studentno: '20230302' });
  const broken = await report(4);
  const other = await as('chen')(handling.insertWarning, { cuserid, level: 4, content: '在天台边缘被拦下' });
  await sqlAsOwner(`update warning set contacttries = '{"lost": 1}' where warningcode = $1`, [broken]);
  at('2026-11-18 13:00');
  const result = await escalateOverdue(services, clock.now);
  expect(result.failed).toMatchObject([{ musercode: 'M_CHENGUANG', code: broken }]);
  const notes = await sqlAsOwner<{ title: string; warningcode: string | null }>(
    "select title, warningcode from notification where kind = 'overdue'",
  );
  expect(notes.map((note) => note.warningcode)).toContain(other.warningcode);
  expect(notes.map((note) => note.title)).toContain('云栖市晨光中学：超时提醒没有运行成功');
});

test('nobody calls, interviews or follows up the dead, and one person alone does not bring them back on the lists', async () => {
  const { code, as, at, version, pupil, since } = await handledCase(3);
  at('2026-12-10 10:00');
  await as('chen')(special.reportDeath, { warningcode: code, version: await version(code), source: '派出所电话告知' });
  const texts = (await since('2026-12-10T10:00')).map(({ content }) => content);
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) {
    expect(text).not.toContain('受理');
    expect(text).toContain('2026-12-10 12:00');
  }
  const refusal = { code: 140001 };
  const attempt = { warningcode: code, action: '联系尝试' as const, content: '电话无人接听' };
  await expect(as('chen')(handling.insertWarningLog, attempt)).rejects.toMatchObject(refusal);
  const interview = { warningcode: code, ideation: 0, attempthistory: 0, support: 2, conclusionlevel: 0 };
  await expect(as('chen')(handling.insertRiskAssess, interview)).rejects.toMatchObject(refusal);
  const followUp = { cuserid: pupil.cuserid, warningcode: code, duetime: '2026-12-12 11:00' };
  await expect(as('chen')(care.insertFollowUp, followUp)).rejects.toMatchObject(refusal);
  await expect(as('ma')(enableCUser, { cuserid: pupil.cuserid, enabled: 1 })).rejects.toMatchObject(refusal);
});

test('the case of a person whose data were made anonymous does not open again', async () => {
  const { code, as, sqlAsOwner, pupil } = await handledCase(1);
  await sqlAsOwner("update warning set state = '07', nextdue = null, nextduekind = null where warningcode = $1", [code]);
  await anonymizeLin({ as }, pupil.cuserid, { asker: 'ma', second: 'chen' });
  const reopen = as('chen')(handling.reopenWarning, { warningcode: code, reason: '又有新的消息' });
  await expect(reopen).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('匿名化') as string });
});

test('a trigger that is no news names no deadline that is long over', async () => {
  const { at, report, since } = await handledCase(3);
  at('2026-12-10 10:00');
  await report(1, '今天没有交作业', 'lu');
  const [note] = await since('2026-12-10T10:00');
  expect(note?.content).toBe('林小雨 · 初三 3班。 今天没有交作业');
});

test('when the roster corrects an adult to a minor during a case, telling the guardian becomes due', async () => {
  const { as, at, report, accept, pupil, clocks, sqlAsOwner, services, clock } = await crisisSchool('2026-11-18 09:00');
  await sqlAsOwner("update cuser set birthday = '2000-07-08' where cuserid = $1", [pupil.cuserid]);
  const code = await report(3);
  await accept(code);
  expect((await clocks(code))['guardian']).toBeUndefined();
  at('2026-11-18 15:00');
  const [person] = await sqlAsOwner<{ version: number }>('select version from cuser');
  await as('chen')(updateCUser, { cuserid: pupil.cuserid, birthday: '2010-07-08', version: person!.version });
  await escalateOverdue(services, clock.now);
  expect(await clocks(code)).toMatchObject({ guardian: '11-19 15:00' });
});

test('only a person of 16 or 17 lives on own income: a child of ten cannot be exempted on this ground', async () => {
  const { as, report, accept, pupil, sqlAsOwner } = await crisisSchool('2026-11-18 09:00');
  await sqlAsOwner("update cuser set birthday = '2016-07-08' where cuserid = $1", [pupil.cuserid]);
  const code = await report(2);
  await accept(code);
  const exempt = { warningcode: code, ground: 5, reason: '在外打工，以自己的收入生活', alternate: '表哥 林强，当面' };
  await expect(as('chen')(handling.exemptGuardian, exempt)).rejects.toMatchObject({ code: 120002 });
  await sqlAsOwner("update cuser set birthday = '2010-07-08' where cuserid = $1", [pupil.cuserid]);
  await as('chen')(handling.exemptGuardian, exempt);
});

test('a safety plan never counts or prints a guardian whom a report suspects', async () => {
  const { as, pupil, report, accept } = await crisisSchool('2026-11-18 09:00');
  const code = await report(3);
  await accept(code);
  const harm = { cuserid: pupil.cuserid, level: 3, content: '她说母亲常打她', suspectname: '母亲周敏' };
  await as('lu')(handling.insertWarning, harm);
  const { gaps } = await as('chen')(insertSafetyPlan, { warningcode: code, ...aSafetyPlan() });
  expect(gaps).toEqual(['我可以求助的人（姓名和电话）']);
});
