import { expect, test } from 'vitest';
import { loginAs } from '#features/session/acting.contract.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { enableUser, updateUser } from '#features/org/user/user.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { anInstitutionAccount } from '#testing/factories.ts';

// Adverse turns of a case: a step that was right once and no longer is, because something has happened since.

const transferTo = { receiver: '云栖市第二中学', person: '李老师', phone: '0571-88880000', content: '学生转学，移交后续随访' };

/** A case of the level that Chen has accepted, talked about and told the guardian of. */
async function handledCase(level: number) {
  const school = await crisisSchool('2026-11-18 09:00');
  const code = await school.report(level);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, 1);
  await school.tellGuardian(code);
  return { ...school, code };
}

test('a receipt from before the last news does not close the case as transferred', async () => {
  const { code, as, at, version, report, accept } = await handledCase(2);
  await as('chen')(special.transferWarning, { warningcode: code, version: await version(code), ...transferTo });
  await as('chen')(special.receiveWarning, { warningcode: code, version: await version(code), content: '李老师确认接收' });
  at('2026-11-19 08:00');
  await report(2, '她给同学留下遗书', 'lu');
  await accept(code);
  const close = { warningcode: code, closereason: '03' as const, closenote: '已转入第二中学继续随访' };
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('接收方') as string,
  });
  await as('chen')(special.transferWarning, { warningcode: code, version: await version(code), ...transferTo });
  await as('chen')(special.receiveWarning, { warningcode: code, version: await version(code), content: '李老师已知新情况' });
  expect(await as('chen')(handling.closeWarning, close)).toMatchObject({ state: '07' });
});

test('what the guardian heard weeks ago does not settle telling them of the news', async () => {
  const { code, as, at, report, clocks } = await handledCase(2);
  at('2026-12-10 14:00');
  await report(4, '在天台边缘被拦下', 'lu');
  const tell = { warningcode: code, guardianname: '林建国', method: '01' as const, content: '已告知，家长配合陪伴' };
  await expect(as('chen')(handling.notifyGuardian, { ...tell, time: '2026-11-18 09:00' })).rejects.toMatchObject({
    code: 120002,
    message: '此后又有新情况，请再次告知并登记这次的时间',
  });
  expect(await clocks(code)).toMatchObject({ guardian: '12-10 16:00' });
  await as('chen')(handling.notifyGuardian, { ...tell, time: '2026-12-10 13:50' });
  expect((await clocks(code))['guardian']).toBeUndefined();
});

test('the owner of a case with a reported death may leave, and the case has a new owner', async () => {
  const { code, as, version, sqlAsOwner } = await handledCase(3);
  await as('chen')(special.reportDeath, { warningcode: code, version: await version(code), source: '派出所电话告知' });
  const handovers = [{ warningcode: code, owneruserid: 'U_LU' }];
  await as('ma')(enableUser, { userid: 'U_CHEN', enabled: 0, handovers });
  expect(await sqlAsOwner('select owneruserid, nextduekind from warning')).toEqual([
    { owneruserid: 'U_LU', nextduekind: expect.any(String) as string },
  ]);
});

test('a second person cannot agree to correct a death that nobody has reported yet', async () => {
  const { code, as, at, version, confirm } = await handledCase(3);
  await confirm(code, 'death', 'lu').catch(() => undefined);
  at('2026-11-18 12:00');
  await as('chen')(special.reportDeath, { warningcode: code, version: await version(code), source: '同学转述' });
  const correct = { warningcode: code, reason: '家属确认平安，前述消息不实' };
  await expect(as('chen')(special.correctDeath, correct)).rejects.toMatchObject({ code: 140001 });
});

test('a discharge belongs to the open case of a person, not to an earlier closed one', async () => {
  const { code, as, report, sqlAsOwner } = await handledCase(2);
  await sqlAsOwner("update warning set state = '07', nextdue = null, nextduekind = null");
  const second = await report(3);
  const discharge = { hospital: '云栖市第七医院', content: '今日出院，医嘱继续服药' };
  await expect(as('chen')(special.dischargeWarning, { warningcode: code, ...discharge })).rejects.toMatchObject({ code: 140001 });
  expect(await as('chen')(special.dischargeWarning, { warningcode: second, ...discharge })).toMatchObject({ state: '01' });
});

test('an account that nobody stands behind owns no case: neither in 代登录 nor by its own account number', async () => {
  const { as, withToken, report, sqlAsOwner } = await crisisSchool('2026-11-18 09:00');
  const code = await report(3);
  await anInstitutionAccount({ sqlAsOwner }, 'M_CHENGUANG', 'chenguang');
  const { token } = await as('fang')(loginAs, { musercode: 'M_CHENGUANG', reason: '协助处理个案' });
  const acting = withToken(token);
  await expect(acting(handling.acceptWarning, { warningcode: code })).rejects.toMatchObject({ code: 120002 });
  await expect(acting(handling.acceptWarning, { warningcode: code, owneruserid: 'M_CHENGUANG' })).rejects.toMatchObject({
    code: 130001,
  });
  expect(await acting(handling.acceptWarning, { warningcode: code, owneruserid: 'U_LU' })).toMatchObject({ state: '02' });
});

test('the owner of an open case keeps 预警处置 until somebody else owns the case', async () => {
  const { code, as, sqlAsOwner } = await handledCase(2);
  const roleids = async (rolekey: string) =>
    (await sqlAsOwner<{ roleid: number }>('select roleid::int from role where rolekey = $1', [rolekey])).map((row) => row.roleid);
  const change = { userid: 'U_CHEN', roleids: await roleids('classteacher') };
  await expect(as('ma')(updateUser, change)).rejects.toMatchObject({ code: 130003 });
  await as('chen')(handling.assignWarning, { warningcode: code, owneruserid: 'U_LU' });
  await as('ma')(updateUser, change);
});

test('the card for a person who cannot be reached names no guardian who is suspected of harm', async () => {
  const { as, report, accept, pupil, notices, sqlAsOwner } = await crisisSchool('2026-11-18 09:00');
  for (const name of ['林建国', '周敏'])
    await sqlAsOwner("insert into guardian (cuserid, musercode, name) values ($1, 'M_CHENGUANG', $2)", [pupil.cuserid, name]);
  const code = await report(4);
  await accept(code);
  await as('lu')(handling.insertWarning, { cuserid: pupil.cuserid, level: 4, content: '她说父亲打她', suspectname: '林建国' });
  await as('chen')(handling.verifyWarning, { warningcode: code, contactresult: '03', content: '电话无人接听，宿舍无人' });
  const cards = (await notices(code)).filter(({ content }) => content.includes('110'));
  expect(cards.length).toBeGreaterThan(0);
  for (const { content } of cards) {
    expect(content).toContain('监护人疑似侵害人，勿联系；其他监护人 周敏');
    expect(content).not.toContain('林建国');
  }
});

test('a crisis that was handed over and that the new owner has not opened is repeated after 15 minutes', async () => {
  const { code, as, at, services, clock, sqlAsOwner, report } = await handledCase(2);
  at('2026-11-18 09:05');
  await report(4, '在天台边缘被拦下', 'lu');
  await as('chen')(handling.acceptWarning, { warningcode: code });
  at('2026-11-18 09:10');
  await as('fang')(enableUser, { userid: 'U_CHEN', enabled: 0 });
  at('2026-11-18 09:26');
  await escalateOverdue(services, clock.now);
  const [owner] = await sqlAsOwner<{ owneruserid: string }>('select owneruserid from warning');
  expect(
    await sqlAsOwner("select remindcount from notification where dedupekey like 'handover:%' and userid = $1", [
      owner?.owneruserid,
    ]),
  ).toEqual([{ remindcount: 1 }]);
});

test('an owner who loses 预警处置 by a change of role keeps no case: the next able colleague gets it within a minute', async () => {
  const { report, accept, sqlAsOwner, services, clock, detail } = await crisisSchool('2026-11-18 09:00');
  const code = await report(3);
  await accept(code);
  await sqlAsOwner(
    "insert into sysuserpermission (userid, musercode, code, effect) values ('U_CHEN', 'M_CHENGUANG', '00014', 'deny')",
  );
  expect((await escalateOverdue(services, clock.now)).failed).toEqual([]);
  const after = await detail(code, 'lu');
  expect(after.owneruserid).not.toBe('U_CHEN');
  expect(after).toMatchObject({ owneruserid: expect.any(String), pending: 1 });
});
