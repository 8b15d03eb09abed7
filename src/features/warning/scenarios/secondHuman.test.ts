import { expect, test } from 'vitest';
import { loginAs } from '#features/session/acting.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { anInstitutionAccount, giveRole } from '#testing/factories.ts';

// The worked scenarios of clinical-rules.md section L that need two humans, a record or a receipt. The numbers are those of the section.

/** A case of the level, accepted, talked and interviewed by Chen, with the guardian told. */
async function handledCase(level: number, now = '2026-11-18 09:00') {
  const school = await crisisSchool(now);
  const code = await school.report(level);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, level >= 3 ? level : 1, level >= 3 ? { ideation: level - 1 } : {});
  await school.tellGuardian(code);
  return { ...school, code };
}

test('10: a person at a peak of 4 is not closed as lost without a police record', async () => {
  const { code, at, as, confirm } = await handledCase(4);
  for (const [time, channel] of [
    ['2026-11-19 09:00', '01'],
    ['2026-11-20 09:00', '02'],
    ['2026-11-21 09:00', '01'],
  ] as const) {
    at(time);
    await as('chen')(handling.verifyWarning, { warningcode: code, contactresult: '03', channel, content: '未联系到本人' });
  }
  await confirm(code, 'lost', 'lu');
  const close = { warningcode: code, closereason: '04' as const, closenote: '多次多种方式联系未果，按失访结案' };
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('公安查找记录'),
  });
  const record = { policerecord: '云栖市公安局城东派出所，11月21日10时，编号 2026-1121' };
  // The duty to report to the authority stays open after the case is closed.
  expect(await as('chen')(handling.closeWarning, { ...close, ...record })).toMatchObject({ state: '07' });
});

test('11: nobody confirms, excludes, exempts, concludes, lowers or closes while acting in another account', async () => {
  const { code, as, withToken, version, sqlAsOwner } = await handledCase(3);
  await anInstitutionAccount({ sqlAsOwner }, 'M_CHENGUANG', 'chenguang');
  await sqlAsOwner("update muser set codes = codes || '{}'::text[] where musercode = 'M_CHENGUANG'");
  const { token } = await as('fang')(loginAs, { musercode: 'M_CHENGUANG', reason: '协助处理个案' });
  const acting = withToken(token);
  const target = { warningcode: code, version: await version(code) };
  const refused = { code: 110011 };
  await expect(
    acting(special.confirmWarning, { ...target, subject: 'close', content: '已核对记录，同意结案处理' }),
  ).rejects.toMatchObject(refused);
  await expect(
    acting(handling.verifyWarning, { ...target, contactresult: '02', falsealarm: 1, content: '核实为误答，予以排除' }),
  ).rejects.toMatchObject(refused);
  await expect(
    acting(handling.exemptGuardian, { ...target, ground: 2, reason: '告知可能招致家庭暴力', alternate: '姑姑 林芳' }),
  ).rejects.toMatchObject(refused);
  await expect(
    acting(handling.insertRiskAssess, { ...target, ideation: 0, attempthistory: 0, support: 2, conclusionlevel: 1 }),
  ).rejects.toMatchObject(refused);
  await expect(acting(handling.updateWarningLevel, { ...target, level: 2, reason: '情况好转' })).rejects.toMatchObject(refused);
  await expect(
    acting(handling.closeWarning, { ...target, closereason: '02', closenote: '核实为误答，予以结案' }),
  ).rejects.toMatchObject(refused);
});

test('12: in a school with one psychologist the named duty of the provider is the second person', async () => {
  const { code, as, confirm, sqlAsOwner } = await handledCase(3);
  await giveRole({ sqlAsOwner }, 'U_FANG', 'warningduty');
  expect(await confirm(code, 'exclude', 'fang')).toMatchObject({ state: '03' });
  expect(
    await as('chen')(handling.verifyWarning, {
      warningcode: code,
      contactresult: '02',
      falsealarm: 1,
      content: '面谈核实为误答，予以排除',
    }),
  ).toMatchObject({ state: '08' });
});

test('two accounts with one telephone number are one human', async () => {
  const { code, confirm, sqlAsOwner } = await handledCase(3);
  await sqlAsOwner("update sysuser set phonenumber = '138-0000-1111' where userid = 'U_CHEN'");
  await sqlAsOwner("update sysuser set phonenumber = '13800001111' where userid = 'U_LU'");
  await expect(confirm(code, 'exclude', 'lu')).rejects.toMatchObject({ code: 140001, message: '复核人不能是责任人' });
  await sqlAsOwner("update sysuser set phonenumber = null, isshared = 1 where userid = 'U_LU'");
  await expect(confirm(code, 'exclude', 'lu')).rejects.toMatchObject({
    code: 140001,
    message: '机构主账号和共用账号不能复核，请由具名人员复核',
  });
});

test('17: “无” is no reason to keep the guardian in the dark, and at level 3 a second person must confirm', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, clocks, confirm, detail } = school;
  const code = await school.report(3);
  await school.accept(code);
  const exempt = { warningcode: code, ground: 2 as const, alternate: '姑姑 林芳，11月18日当面' };
  await expect(as('chen')(handling.exemptGuardian, { ...exempt, reason: '无' })).rejects.toMatchObject({ code: 120002 });
  await as('chen')(handling.exemptGuardian, { ...exempt, reason: '母亲醉酒后有殴打史，告知会加重危险' });
  expect(await clocks(code)).toMatchObject({ guardian: '11-19 09:00', second: '11-19 09:00' });
  expect((await detail(code)).full?.exemption).toMatchObject({ isvalid: false, until: '2026-11-19 09:00:00' });
  school.at('2026-11-18 10:00');
  await confirm(code, 'exempt', 'lu');
  // The ground is temporary: it must be decided again within 24 hours of the application.
  expect(await clocks(code)).toMatchObject({ guardian: '11-19 09:00' });
  expect((await clocks(code))['second']).toBeUndefined();
  expect((await detail(code)).full?.exemption).toMatchObject({ isvalid: true, islapsed: false });
  school.at('2026-11-19 09:00');
  expect((await detail(code)).full?.exemption).toMatchObject({ isvalid: false, islapsed: true });
});

test('24: a dead student leaves the lists at once, and the human who reported it cannot close the case', async () => {
  const { code, as, at, pupil, version, sqlAsOwner, detail } = await handledCase(4);
  at('2026-11-18 12:00');
  await as('chen')(special.reportDeath, { warningcode: code, version: await version(code), source: '派出所电话告知，家属确认' });
  expect(await sqlAsOwner('select enabled, deathtime from cuser where cuserid = $1', [pupil.cuserid])).toEqual([
    { enabled: 0, deathtime: expect.any(Date) },
  ]);
  expect(await sqlAsOwner('select status from teamroster where cuserid = $1', [pupil.cuserid])).toEqual([{ status: 0 }]);
  const close = { warningcode: code, closereason: '05' as const, closenote: '已与家属核实，启动善后工作' };
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({ code: 140001 });
  const start = (await detail(code)).full?.duties.find(({ kind }) => kind === 'postvention');
  expect(start?.duetime).toBe('2026-11-18 14:00:00');
  await as('chen')(special.finishDuty, {
    warningcode: code,
    version: await version(code),
    dutyid: start!.dutyid,
    unit: '云栖市教育局',
    receipt: '值班室 周科长',
    content: '已核实并报告，由马主任联系家属',
  });
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('登记人与结案人不是同一人'),
  });
  expect(await as('lu')(handling.closeWarning, close)).toMatchObject({ state: '07' });
  // The postvention goes on after the case is closed.
  expect((await detail(code)).due).toMatchObject({ kind: 'duty' });
});

test('a death reported by mistake is corrected by two humans, and the student returns to the class', async () => {
  const { code, as, at, pupil, version, sqlAsOwner, confirm, detail } = await handledCase(3);
  at('2026-11-18 12:00');
  await as('chen')(special.reportDeath, { warningcode: code, version: await version(code), source: '同学转述' });
  const correct = { warningcode: code, reason: '家属确认平安，前述消息不实' };
  await expect(as('chen')(special.correctDeath, correct)).rejects.toMatchObject({ code: 140001 });
  await confirm(code, 'death', 'lu');
  await as('chen')(special.correctDeath, correct);
  expect(await detail(code)).toMatchObject({ state: '03', pending: 1 });
  expect(await sqlAsOwner('select status from teamroster where cuserid = $1', [pupil.cuserid])).toEqual([{ status: 1 }]);
});

test('25: a level-3 transfer without a receipt stays open and is overdue after 24 hours', async () => {
  const { code, as, at, confirm, detail, clocks, version } = await handledCase(3, '2026-11-18 09:00');
  await confirm(code, 'transfer', 'lu');
  await as('chen')(special.transferWarning, {
    warningcode: code,
    version: await version(code),
    receiver: '云栖市第二中学',
    person: '李老师',
    phone: '0571-88880000',
    content: '学生转学，移交后续随访',
  });
  expect(await clocks(code)).toMatchObject({ transfer: '11-19 09:00' });
  at('2026-11-19 09:01');
  expect(await detail(code)).toMatchObject({ isoverdue: 1, state: '03' });
  const close = { warningcode: code, closereason: '03' as const, closenote: '已转入第二中学继续随访' };
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({ message: expect.stringContaining('接收方') });
  await as('chen')(special.receiveWarning, {
    warningcode: code,
    version: await version(code),
    content: '李老师确认接收，11月19日',
  });
  expect(await as('chen')(handling.closeWarning, close)).toMatchObject({ state: '07' });
});

test('a member of staff who is suspected of harm is told nothing and sees nothing of the case', async () => {
  const { as, pupil, notices, sqlAsOwner } = await crisisSchool('2026-11-18 09:00');
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid: pupil.cuserid,
    level: 3,
    content: '她说班主任多次单独留下她并触碰身体',
    signs: ['abuse'],
    suspectuserid: 'U_WANG',
  });
  expect((await notices(warningcode)).map(({ userid }) => userid)).not.toContain('U_WANG');
  const rows = await sqlAsOwner("select userid from notification where userid = 'U_WANG'");
  expect(rows).toEqual([]);
  expect((await as('wang')(getWarningPageList, {})).rows).toEqual([]);
  await expect(as('wang')(getWarningDetail, { warningcode })).rejects.toMatchObject({ code: 130001 });
  expect((await as('chen')(getWarningPageList, {})).total).toBe(1);
});
