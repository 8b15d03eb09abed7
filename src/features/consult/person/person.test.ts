import { expect, test } from 'vitest';
import * as booking from '#features/consult/booking/booking.contract.ts';
import * as forms from '#features/consult/forms/forms.contract.ts';
import * as person from '#features/consult/person/person.contract.ts';
import * as register from '#features/consult/register/register.contract.ts';
import * as schedule from '#features/consult/schedule/schedule.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { adaptation } from '#testing/forms/ownForm.ts';
import { addClass, type Pupil } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const answers = { consultdate: '2025-10-08 10:00', topics: ['02'], duration: 2, before: '0', detail: '最近睡不好' };
const application = { formcode: 'CONSULTREG', answers };

/** 林小雨 and 周明 of 初二3班, twelve years old, and 陈静怡 with hours on Monday morning. Nobody has consented. */
async function school(selfbook: 0 | 1 = 1) {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2013-07-08' });
  const chen = server.as('chen');
  await chen(forms.updateConsultForm, { selfbook });
  await chen(schedule.insertCounsellorTime, {
    userid: 'U_CHEN',
    begintime: '09:00',
    endtime: '11:00',
    validfrom: '2025-09-01',
    room: '心语室',
    weekdays: [1],
  });
  const signIn = async ({ username, studentno }: Pupil) => {
    const { token } = await server.nobody(respond.loginRespondent, {
      clientcode: 'entry_chenguang',
      username,
      key: studentno,
    });
    return server.withToken(token);
  };
  const [lin, zhou] = pupils as [Pupil, Pupil];
  return { server, chen, lin, zhou, own: await signIn(lin), other: await signIn(zhou) };
}

/** A registration form of 晨光中学 that alarms on one answer, published and enabled as rows. */
async function addAlarmingForm({ sqlAsOwner }: TestServer): Promise<void> {
  const scale = adaptation({
    formcode: 'F000009',
    formtype: '03',
    title: '悄悄话登记',
    items: [{ c: 'q1', t: '最近有没有不想活的念头', o: 'often' }],
    scores: [],
    bands: {},
    alerts: [{ c: 'SI', when: { item: 'q1', gte: 1 }, level: 3, msg: '登记时提到不想活，须当日了解情况' }],
  });
  await sqlAsOwner(
    `insert into form (formcode, musercode, formname, formtype, tier, itemcount, minutes, currentversion)
     values ('F000009', 'M_CHENGUANG', '悄悄话登记', '03', 'S', 1, 1, '1.0.0')`,
  );
  await sqlAsOwner(
    `insert into formversion (formcode, version, musercode, definition, definitionhash, publishtime)
     values ('F000009', '1.0.0', 'M_CHENGUANG', $1, '', '2025-10-01')`,
    [JSON.stringify(scale)],
  );
}

test('a pupil applies without the consent of a guardian, chooses a free time, and sees where and with whom', async () => {
  const { chen, own, lin } = await school();
  const { forms: offered, selfbook } = await own(person.getApplyForms, {});
  expect(selfbook).toBe(true);
  expect(offered.map(({ formcode }) => formcode)).toEqual(['CONSULTREG']);
  expect(JSON.stringify(offered)).not.toContain('alerts');
  const { consultid, support } = await own(person.applyConsult, application);
  expect(support.show).toBe(false);
  const slots = await own(person.getFreeSlots, {});
  expect(slots.map(({ slotbegin }) => slotbegin)).toEqual([
    '2025-10-13 09:00',
    '2025-10-13 10:00',
    '2025-10-20 09:00',
    '2025-10-20 10:00',
  ]);
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 10:00' });
  expect(await own(person.getOwnConsults, {})).toEqual([
    expect.objectContaining({
      consultid,
      status: '02',
      slotbegin: '2025-10-13 10:00',
      slotend: '2025-10-13 10:50',
      counsellorname: '陈静怡',
      room: '心语室',
      cancancel: true,
      canbook: true,
    }),
  ]);
  const { rows } = await chen(register.getConsultPageList, {});
  expect(rows).toMatchObject([{ cuserid: lin.cuserid, source: '01', guardianopen: 1, status: '02', topics: ['02'] }]);
  const message = (await chen(notice.getNoticePageList, {})).rows.find(({ title }) => title.includes('选定了时间'));
  expect(message?.content).not.toContain('林小雨');
});

test('of two pupils who choose the same time at once, one gets it and the other is asked for another', async () => {
  const { own, other } = await school();
  const first = await own(person.applyConsult, application);
  const second = await other(person.applyConsult, application);
  const slot = { counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' };
  const results = await Promise.allSettled([
    own(person.bookSlot, { consultid: first.consultid, ...slot }),
    other(person.bookSlot, { consultid: second.consultid, ...slot }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 140001, message: '这个时间刚被约走，请另选一个' });
  expect((await other(person.getFreeSlots, {})).map(({ slotbegin }) => slotbegin)).not.toContain('2025-10-13 09:00');
});

test('one application at a time; after cancelling it another one is possible', async () => {
  const { own } = await school();
  const { consultid } = await own(person.applyConsult, application);
  await expect(own(person.applyConsult, application)).rejects.toMatchObject({ code: 140001 });
  await own(person.cancelOwnConsult, { consultid, reason: '好多了' });
  expect(await own(person.getOwnConsults, {})).toMatchObject([{ status: '04', cancancel: false, canbook: false }]);
  await own(person.applyConsult, application);
});

test('a booking can be cancelled and moved by the person until two hours before it begins', async () => {
  const { server, own, chen } = await school();
  const { consultid } = await own(person.applyConsult, application);
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' });
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 10:00' });
  server.clock.now = new Date('2025-10-13T00:01:00Z');
  await expect(own(person.cancelOwnConsult, { consultid })).rejects.toMatchObject({ code: 140001 });
  await expect(own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-20 10:00' })).rejects.toMatchObject({
    code: 140001,
  });
  server.clock.now = new Date('2025-10-12T23:59:00Z');
  await own(person.cancelOwnConsult, { consultid });
  const { log } = await chen(register.getConsultDetail, { consultid });
  expect(log.map(({ action }) => action).sort()).toEqual(['取消', '改期', '登记', '预约'].sort());
});

test('a time that begins in less than two hours can be taken, and says before that it can be neither moved nor cancelled', async () => {
  const { server, own } = await school();
  const { consultid } = await own(person.applyConsult, application);
  server.clock.now = new Date('2025-10-13T00:00:00Z');
  const shown = (await own(person.getFreeSlots, {})).map(({ slotbegin, cancancel }) => [slotbegin, cancancel]);
  expect(shown.slice(0, 3)).toEqual([
    ['2025-10-13 09:00', false],
    ['2025-10-13 10:00', true],
    ['2025-10-20 09:00', true],
  ]);
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' });
  expect(await own(person.getOwnConsults, {})).toMatchObject([{ status: '02', cancancel: false, canbook: false }]);
});

test('a person takes no time beyond fourteen days, none that has begun, and none that the counsellor does not offer', async () => {
  const { server, own } = await school();
  const { consultid } = await own(person.applyConsult, application);
  server.clock.now = new Date('2025-10-13T01:30:00Z');
  const take = (slotbegin: string, counsellor = 'U_CHEN') => own(person.bookSlot, { consultid, counsellor, slotbegin });
  for (const slotbegin of ['2025-10-13 09:00', '2025-11-03 09:00', '2025-10-14 09:00', '2025-10-20 09:30'])
    await expect(take(slotbegin)).rejects.toMatchObject({ code: 140001 });
  await expect(take('2025-10-20 09:00', 'U_LU')).rejects.toMatchObject({ code: 140001 });
  await take('2025-10-27 09:00');
});

test('an alarming answer opens a case at once, shows the support card, and never says 预警 to the person', async () => {
  const { server, own, chen, lin } = await school();
  await addAlarmingForm(server);
  await chen(forms.updateConsultForm, { formcode: 'F000009', enabled: 1 });
  const { consultid, support } = await own(person.applyConsult, { formcode: 'F000009', answers: { q1: '2' } });
  expect(support.show).toBe(true);
  expect(support.text).not.toContain('预警');
  const { rows } = await chen(warning.getWarningPageList, {});
  expect(rows).toMatchObject([{ cuserid: lin.cuserid, level: 3, source: '05' }]);
  // A second alarm joins the open case.
  await own(person.cancelOwnConsult, { consultid });
  await own(person.applyConsult, { formcode: 'F000009', answers: { q1: '3' } });
  expect((await chen(warning.getWarningPageList, {})).total).toBe(1);
});

test('without self-booking a person sees no free times and cannot take one', async () => {
  const { own } = await school(0);
  const { consultid } = await own(person.applyConsult, application);
  expect(await own(person.getFreeSlots, {})).toEqual([]);
  expect(await own(person.getOwnConsults, {})).toMatchObject([{ canbook: false, cancancel: true }]);
  await expect(own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' })).rejects.toMatchObject({
    code: 110004,
  });
});

test('a person neither sees nor changes the registration of another one, and never reads the summary', async () => {
  const { own, other, chen, server } = await school();
  const { consultid } = await own(person.applyConsult, application);
  expect(await other(person.getOwnConsults, {})).toEqual([]);
  await expect(other(person.cancelOwnConsult, { consultid })).rejects.toMatchObject({ code: 130001 });
  await expect(other(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' })).rejects.toMatchObject({
    code: 130001,
  });
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' });
  server.clock.now = new Date('2025-10-13T02:00:00Z');
  await chen(booking.finishConsult, { consultid, currentlevel: 1, outcome: '02', summary: '谈了睡眠和作息' });
  const seen = await own(person.getOwnConsults, {});
  expect(seen).toMatchObject([{ status: '03' }]);
  expect(JSON.stringify(seen)).not.toContain('睡眠');
});

test('a person who entered without a name cannot apply', async () => {
  const { server, own, lin } = await school();
  await server.sqlAsOwner("update cuser set source = '04' where cuserid = $1", [lin.cuserid]);
  await expect(own(person.getApplyForms, {})).rejects.toMatchObject({ code: 110004 });
  await expect(own(person.applyConsult, application)).rejects.toMatchObject({ code: 110004 });
  await expect(own(person.getOwnConsults, {})).rejects.toMatchObject({ code: 110004 });
});

test('a missing answer is named at its question, and nothing is saved', async () => {
  const { own } = await school();
  await expect(own(person.applyConsult, { formcode: 'CONSULTREG', answers: { ...answers, detail: '' } })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'answers.detail' },
  });
  expect(await own(person.getOwnConsults, {})).toEqual([]);
});

test('after a missed consultation the person applies anew; only staff book the missed one again', async () => {
  const { server, own, chen } = await school();
  await chen(forms.updateConsultForm, { formcode: 'CONSULTREG', title: '悄悄话小屋' });
  const { consultid } = await own(person.applyConsult, application);
  await own(person.bookSlot, { consultid, counsellor: 'U_CHEN', slotbegin: '2025-10-13 09:00' });
  server.clock.now = new Date('2025-10-13T01:20:00Z');
  await chen(booking.missConsult, { consultid });
  expect(await own(person.getOwnConsults, {})).toMatchObject([
    { title: '悄悄话小屋', status: '05', canbook: false, cancancel: false },
  ]);
  await own(person.applyConsult, application);
});
