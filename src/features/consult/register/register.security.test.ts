import { expect, test } from 'vitest';
import { codeOf } from '#contract/menu.ts';
import * as forms from '#features/consult/forms/forms.contract.ts';
import * as register from '#features/consult/register/register.contract.ts';
import { getConsultCalendar } from '#features/consult/schedule/schedule.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { aColleague, setPermission } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** A word that stands only in the answers. */
const secret = '晚上睡不着';
const answers = { consultdate: '2025-10-10 14:00', topics: ['02'], duration: 1, before: '0', detail: secret };

/** A registration of 林小雨, a pupil of 王班主任. */
async function registered() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], owneruserid: 'U_WANG' });
  const cuserid = pupils[0]!.cuserid;
  const chen = server.as('chen');
  const { consultid } = await chen(register.insertConsult, { cuserid, formcode: 'CONSULTREG', answers });
  return { ...server, chen, cuserid, consultid };
}

test('another school and a hospital find no registration, and a provider above finds it', async () => {
  const { as, cuserid, consultid } = await registered();
  for (const who of ['qiao', 'lin'] as const) {
    expect((await as(who)(register.getConsultPageList, { view: 'all' })).total).toBe(0);
    expect(await as(who)(register.getConsultCount, {})).toEqual({ open: 0, overdue: 0, today: 0, mine: 0 });
    for (const call of [
      () => as(who)(register.getConsultDetail, { consultid }),
      () => as(who)(register.updateConsult, { consultid, topics: ['01'] }),
      () => as(who)(register.deleteConsult, { consultid }),
      () => as(who)(register.insertConsult, { cuserid }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 130001 });
  }
  expect((await as('fang')(register.getConsultPageList, {})).total).toBe(1);
});

test('accounts without the screen are refused: a class teacher, a bureau, staff without a role, a person', async () => {
  const { as, withToken, cuserid, consultid, sqlAsOwner } = await registered();
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, expiretime, idle)
     values (encode(sha256('pupil'), 'hex'), 'respondent', 'M_CHENGUANG', $1, now() + interval '1 day', '1 day')`,
    [cuserid],
  );
  for (const call of [as('wang'), as('zhou'), as('nobody'), withToken('pupil')]) {
    for (const attempt of [
      () => call(register.getConsultPageList, {}),
      () => call(register.getConsultDetail, { consultid }),
      () => call(register.insertConsult, { cuserid }),
      () => call(forms.getConsultFormList, {}),
      () => call(register.exportConsultList, {}),
    ])
      await expect(attempt()).rejects.toSatisfy(({ code }: { code: number }) => code === 110004 || code === 110000);
  }
});

test('a class teacher with the screen reads who comes and when, no word of it, and writes nothing', async () => {
  const server = await registered();
  const { as, chen, cuserid, consultid } = server;
  await setPermission(server, 'U_WANG', codeOf('consult.forms'), 'grant');
  await setPermission(server, 'U_WANG', codeOf('care.edit'), 'grant');
  await chen(handling.insertWarning, { cuserid, level: 3, content: '同学反映他说过不想活' });
  const [row] = (await as('wang')(register.getConsultPageList, {})).rows;
  expect(row).toMatchObject({ username: '林小雨', topics: [], warningcode: null, warninglevel: null, outcome: null });
  // The time until which it waits does not tell the level of a case either.
  expect(row?.duetime).toBe('2025-10-15 14:00:00');
  const detail = await as('wang')(register.getConsultDetail, { consultid });
  expect(detail).toMatchObject({ answers: [], summary: '', cancelreason: '', steps: [] });
  expect(JSON.stringify(detail)).not.toContain(secret);
  expect(detail.log.map(({ content }) => content)).toEqual(['']);
  await expect(as('wang')(register.getConsultPageList, { topic: '02' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(register.getConsultPageList, { warningcode: 'W' })).rejects.toMatchObject({ code: 110004 });
  for (const call of [
    () => as('wang')(register.updateConsult, { consultid, topics: ['01'] }),
    () => as('wang')(register.deleteConsult, { consultid }),
    () => as('wang')(register.insertConsult, { cuserid }),
    () => as('wang')(forms.updateConsultForm, { selfbook: 1 }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 110004 });
});

test('a reader without 00047 sees the booking and neither answers nor topics; the log has no words', async () => {
  const server = await registered();
  const { as, consultid } = server;
  await setPermission(server, 'U_LU', codeOf('care.edit'), 'deny');
  const detail = await as('lu')(register.getConsultDetail, { consultid });
  expect(detail).toMatchObject({ formname: '心理咨询登记表', topics: [], answers: [], summary: '', outcome: null });
  expect(JSON.stringify(detail)).not.toContain(secret);
  await expect(as('lu')(register.updateConsult, { consultid, topics: ['01'] })).rejects.toMatchObject({ code: 110004 });
});

test('a colleague whom a case suspects finds nothing of it, also under a second account', async () => {
  const server = await registered();
  const { as, chen, cuserid, consultid, sqlAsOwner } = server;
  await aColleague(server, {
    userid: 'U_LU2',
    musercode: 'M_CHENGUANG',
    realname: '陆远（二）',
    rolekey: 'psychologist',
  });
  await sqlAsOwner("update sysuser set phonenumber = '13900001111' where userid in ('U_LU', 'U_LU2')");
  expect((await as('lu')(register.getConsultPageList, {})).total).toBe(1);
  const { warningcode } = await chen(handling.insertWarning, {
    cuserid,
    level: 3,
    content: '本人说老师伤害了他',
    suspectuserid: 'U_LU2',
  });
  expect(warningcode).toBeTruthy();
  expect((await as('lu')(register.getConsultPageList, { view: 'all' })).total).toBe(0);
  expect(await as('lu')(register.getConsultCount, {})).toMatchObject({ open: 0 });
  for (const call of [
    () => as('lu')(register.getConsultDetail, { consultid }),
    () => as('lu')(register.updateConsult, { consultid, topics: ['01'] }),
    () => as('lu')(register.deleteConsult, { consultid }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 130001 });
  expect((await chen(register.getConsultPageList, {})).total).toBe(1);
  // The calendar of the institution does not show the time of the person either.
  await sqlAsOwner(
    `update consult set status = '02', counsellor = 'U_CHEN', slotbegin = timestamptz '2025-10-13 09:00+08',
       slotend = timestamptz '2025-10-13 09:50+08'`,
  );
  const week = { begindate: '2025-10-13', enddate: '2025-10-17' };
  expect((await as('lu')(getConsultCalendar, week)).bookings).toEqual([]);
  expect((await chen(getConsultCalendar, week)).bookings).toHaveLength(1);
});

test('while somebody acts in an account, no answer is revealed and no list exported', async () => {
  const { as, withToken, consultid } = await registered();
  const { token } = await as('super')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助排查问题' });
  const acting = withToken(token);
  const { rows } = await acting(register.getConsultPageList, {});
  expect(rows.map(({ username }) => username)).toEqual(['林**']);
  await expect(acting(register.getConsultDetail, { consultid })).rejects.toMatchObject({ code: 110011 });
  await expect(acting(register.exportConsultList, {})).rejects.toMatchObject({ code: 110011 });
});
