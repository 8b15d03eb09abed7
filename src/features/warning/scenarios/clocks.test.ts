import { expect, test } from 'vitest';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { takeExam } from '#testing/exam.ts';

// The worked scenarios of clinical-rules.md section L that concern the clocks of a case. The numbers are those of the section.

test('1: in the summer break a level-2 case is accepted within three working days and assessed within seven', async () => {
  const { report, clocks } = await crisisSchool('2026-06-30 10:00');
  const code = await report(2);
  expect(await clocks(code)).toMatchObject({ accept: '07-03 10:00', assess: '07-09 10:00' });
});

test('2: before a week of public holidays a level-2 case is accepted within seven calendar days', async () => {
  const { report, clocks, sqlAsOwner } = await crisisSchool('2026-09-30 10:00');
  const holidays = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-10-${day}`);
  await sqlAsOwner("insert into setting (musercode, key, value) values ('M_CHENGUANG', 'workcalendar', $1)", [
    JSON.stringify({ holidays }),
  ]);
  expect(await clocks(await report(2))).toMatchObject({ accept: '10-07 10:00' });
});

test('3: a level-3 case of a minor on Friday evening runs over the weekend', async () => {
  const { report, clocks } = await crisisSchool('2026-11-20 17:00');
  expect(await clocks(await report(3))).toEqual({
    accept: '11-21 17:00',
    guardian: '11-21 17:00',
    assess: '11-22 17:00',
  });
});

test('4: a self-harm answer on Saturday night is told at once and accepted within 24 hours', async () => {
  const school = await crisisSchool('2026-11-21 23:36');
  // The hand-in is four minutes later, at 23:40.
  await takeExam(school, school.pupil, { PHQ9: '0 0 0 0 0 0 0 0 1 0', GAD7: '0 0 0 0 0 0 0' });
  const [row] = await school.sqlAsOwner<{ warningcode: string; level: number }>('select warningcode, level from warning');
  expect(row?.level).toBe(2);
  expect(await school.clocks(row!.warningcode)).toMatchObject({ accept: '11-22 23:40', assess: '11-23 23:40' });
  const sentNotices = await school.notices(row!.warningcode);
  expect(sentNotices.map(({ userid }) => userid)).toEqual(expect.arrayContaining(['U_CHEN', 'U_LU']));
  for (const { createtime } of sentNotices) expect(createtime).toEqual(school.clock.now);
});

test('5: news voids the confirmation of ten minutes ago, is told at once and starts acceptance anew', async () => {
  const { report, at, clocks, accept, talk, interview, confirm, notices, as, logs } = await crisisSchool('2026-11-18 10:00');
  const code = await report(3);
  await accept(code);
  await talk(code);
  await interview(code, 1);
  at('2026-11-19 07:50');
  await confirm(code, 'exclude', 'lu');
  at('2026-11-19 08:00');
  await report(3, '班主任收到她写给同学的告别信', 'wang');
  expect(await clocks(code)).toMatchObject({ accept: '11-20 08:00', assess: '11-21 08:00' });
  const fresh = (await notices(code)).filter(({ title }) => title.includes('新情况'));
  expect(fresh.map(({ userid }) => userid)).toEqual(expect.arrayContaining(['U_CHEN', 'U_LU', 'U_DUTY']));
  expect((await logs(code))[0]).toMatchObject({ action: '新情况' });
  at('2026-11-19 08:01');
  await expect(
    as('chen')(handling.verifyWarning, {
      warningcode: code,
      contactresult: '02',
      falsealarm: 1,
      content: '复核过，按误答排除个案',
    }),
  ).rejects.toMatchObject({ code: 140001 });
});

test('6: a planned re-test below level 3 without a self-harm answer is only logged', async () => {
  const school = await crisisSchool('2026-11-02 10:00');
  const code = await school.report(2);
  await school.observeCase(code);
  const before = await school.detail(code);
  school.at('2026-11-16 10:00');
  await takeExam(school, school.pupil, { PHQ9: '1 1 1 1 1 1 1 1 0 0', GAD7: '0 0 0 0 0 0 0' });
  const after = await school.detail(code);
  expect(after).toMatchObject({ state: '06', level: before.level });
  expect(after.full?.newstime).toBe(before.full?.newstime);
  expect(after.full?.logs[0]).toMatchObject({ action: '复测' });
});

test('7: a self-harm answer during observation brings the case back to assessment', async () => {
  const school = await crisisSchool('2026-11-02 10:00');
  const code = await school.report(2);
  await school.observeCase(code);
  school.at('2026-11-16 09:56');
  await takeExam(school, school.pupil, { PHQ9: '0 0 0 0 0 0 0 0 1 0', GAD7: '0 0 0 0 0 0 0' });
  expect(await school.detail(code)).toMatchObject({ state: '03', pending: 1 });
  expect(await school.clocks(code)).toMatchObject({ accept: '11-17 10:00', assess: '11-18 10:00' });
});

test('8: a level-4 case in intervention is contacted every day', async () => {
  const { report, at, clocks, accept, talk, interview, tellGuardian, as, detail } = await crisisSchool('2026-11-18 08:00');
  const code = await report(4);
  await accept(code);
  await talk(code);
  await interview(code, 4, { ideation: 3 });
  await tellGuardian(code);
  at('2026-11-18 10:00');
  await as('chen')(insertSafetyPlan, { warningcode: code, ...aSafetyPlan() });
  await as('chen')(handling.startIntervene, { warningcode: code });
  expect(await clocks(code)).toMatchObject({ follow: '11-19 10:00' });
  at('2026-11-19 10:01');
  const follow = (await detail(code)).full?.clocks.find(({ kind }) => kind === 'follow');
  expect(follow).toMatchObject({ isoverdue: true });
  await talk(code);
  expect(await clocks(code)).toMatchObject({ follow: '11-20 10:01' });
});

test('9: a level-4 person who cannot be reached must be reached within two hours, and nothing else is settled', async () => {
  const { report, at, clocks, accept, as, notices } = await crisisSchool('2026-11-18 14:00');
  const code = await report(4);
  await accept(code);
  at('2026-11-18 15:00');
  await as('chen')(handling.verifyWarning, {
    warningcode: code,
    contactresult: '03',
    channel: '01',
    content: '电话无人接听，宿舍无人',
  });
  expect(await clocks(code)).toMatchObject({ contact: '11-18 17:00', assess: '11-18 16:00' });
  expect((await notices(code)).some(({ title }) => title.includes('联系不上'))).toBe(true);
});

test('16: a guardian told in September is told anew when the level rises to 4', async () => {
  const { report, at, clocks, accept, talk, interview, tellGuardian, as } = await crisisSchool('2026-09-14 09:00');
  const code = await report(2);
  await accept(code);
  await talk(code);
  await interview(code, 1);
  await tellGuardian(code);
  at('2026-11-18 14:00');
  await as('chen')(handling.updateWarningLevel, { warningcode: code, level: 4, reason: '出现自杀准备行为' });
  expect(await clocks(code)).toMatchObject({ guardian: '11-18 16:00', assess: '11-18 16:00' });
});

test('23: a reopened level-4 case is told and clocked like a new one', async () => {
  const { report, at, clocks, accept, talk, as, sqlAsOwner, notices, detail } = await crisisSchool('2026-11-10 08:00');
  const code = await report(4);
  await accept(code);
  await talk(code);
  await sqlAsOwner("update warning set state = '07', closetime = now() where warningcode = $1", [code]);
  at('2026-11-18 08:00');
  await as('chen')(handling.reopenWarning, { warningcode: code, reason: '家长来电，孩子再次流露轻生念头' });
  expect(await clocks(code)).toMatchObject({ accept: '11-18 10:00', guardian: '11-18 10:00' });
  expect(await detail(code)).toMatchObject({ state: '03', pending: 1 });
  const sentNotices = (await notices(code)).filter(({ title }) => title.includes('已重开'));
  expect(sentNotices.map(({ userid }) => userid)).toEqual(expect.arrayContaining(['U_CHEN', 'U_LU', 'U_DUTY']));
});

test('27: a short report of self-harm is accepted, and the injury has its reports', async () => {
  const { report, detail } = await crisisSchool('2026-11-18 09:00');
  const code = await report(4, '学生割腕被发现送医', 'wang');
  const { full } = await detail(code);
  expect(full?.duties.map(({ title, duetime }) => [title, duetime.slice(5, 16)])).toEqual([
    ['专人陪伴（危机）', '11-18 11:00'],
    ['事故口头报告', '11-18 11:00'],
    ['向主管部门报告（危机）', '11-19 09:00'],
    ['事故书面报告', '11-19 09:00'],
  ]);
});

test('in danger the case records who accompanies the student, from when until when', async () => {
  const { report, detail, at, as, version } = await crisisSchool('2026-11-18 09:00');
  expect((await detail(await report(3))).full?.duties).toEqual([]);
  at('2026-11-18 09:30');
  const code = await report(4, '同学说她准备了药');
  const findDuty = async () => (await detail(code)).full?.duties.find(({ kind }) => kind === 'danger');
  const duty = await findDuty();
  expect(duty).toMatchObject({ title: '专人陪伴（危机）', duetime: '2026-11-18 11:30:00', companion: '' });
  const record = async (more: object) =>
    as('chen')(special.finishDuty, {
      warningcode: code,
      version: await version(code),
      dutyid: duty?.dutyid ?? 0,
      content: '一直在心理辅导室',
      ...more,
    });
  await expect(record({ unit: '心理辅导室' })).rejects.toMatchObject({ message: '请填写陪伴人的姓名或身份' });
  const companion = { companion: '王老师', companionrole: '班主任', companionfrom: '2026-11-18 09:40' };
  at('2026-11-18 10:30');
  await expect(record({ ...companion, companionuntil: '2026-11-18 09:35' })).rejects.toMatchObject({
    message: '陪伴结束时间须晚于开始时间',
  });
  await record({ ...companion, companionuntil: '2026-11-18 10:20' });
  const line = '王老师（班主任） · 2026-11-18 09:40 至 2026-11-18 10:20';
  expect(await findDuty()).toMatchObject({ donetime: '2026-11-18 09:40:00', companion: line, operatorname: '陈静怡' });
  expect((await detail(code)).full?.logs).toContainEqual(
    expect.objectContaining({ action: '专人陪伴（危机）', content: `${line} · 一直在心理辅导室` }),
  );
});

test('28: after a discharge the person is contacted within 24 and 72 hours, also when the case was closed', async () => {
  const { report, at, detail, as, sqlAsOwner, version } = await crisisSchool('2026-11-10 08:00');
  const code = await report(3);
  await sqlAsOwner("update warning set state = '07', closetime = now() where warningcode = $1", [code]);
  at('2026-11-18 15:00');
  await as('chen')(special.dischargeWarning, {
    warningcode: code,
    version: await version(code),
    hospital: '市精神卫生中心',
    afterattempt: 1,
    content: '病情平稳出院，带药',
  });
  const { full, state } = await detail(code);
  expect(state).toBe('03');
  expect(full?.duties.map(({ title, duetime }) => [title, duetime.slice(5, 16)])).toEqual([
    ['出院后24小时内联系', '11-19 15:00'],
    ['出院后72小时内联系', '11-21 15:00'],
    ['复学（复工）评估', '11-25 15:00'],
  ]);
});
