import { expect, test } from 'vitest';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { updateCUser, revealCUser } from '#features/cuser/cuser.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { getTransferTargets } from '#features/warning/transfer/transfer.contract.ts';
import { carryOutTransfers } from '#features/warning/transfer/transferJob.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';

const hospital = '云栖市仁爱妇幼保健院';
const entry = { receiver: hospital, person: '林医生', phone: '0571-88880000', content: '近两周情绪低落加重，家长已同意转诊' };

/** A case of level 3 that Chen has handed to the hospital, and the job of one minute later. */
async function transferToHospital() {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, at } = school;
  const code = await school.report(3);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, 3);
  await school.tellGuardian(code);
  await school.confirm(code, 'transfer', 'lu');
  at('2026-11-18 10:00');
  await as('chen')(special.transferWarning, { warningcode: code, ...entry });
  const runJob = async (time: string) => {
    at(time);
    expect(await carryOutTransfers(school.services, school.clock.now)).toEqual([]);
  };
  await runJob('2026-11-18 10:01');
  const [linked] = (await as('lin')(getWarningPageList, {})).rows;
  return { ...school, code, runJob, linked: linked!.warningcode };
}

test('a transfer to an institution of the platform opens a linked case there, told and clocked like a new one', async () => {
  const { as, code, linked, pupil } = await transferToHospital();
  const received = await as('lin')(getWarningDetail, { warningcode: linked });
  expect(received).toMatchObject({ state: '01', level: 3, username: '林小雨', source: '06' });
  expect(received.full?.origin).toMatchObject({ insname: '云栖市晨光中学', warningcode: code, time: '2026-11-18 10:00:00' });
  expect(received.full?.clocks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'accept', at: '2026-11-19 10:01:00' }),
      expect.objectContaining({ kind: 'assess', at: '2026-11-20 10:01:00' }),
      expect.objectContaining({ kind: 'guardian', at: '2026-11-19 10:01:00' }),
    ]),
  );
  expect((await as('lin')(getNoticePageList, {})).rows.map(({ title }) => title)).toContain('新预警，高危，待受理');
  const sent = await as('chen')(getWarningDetail, { warningcode: code });
  expect(sent.full?.transfer).toMatchObject({ islinked: 1, linkedcode: linked, receipttime: null });
  expect(sent.full?.logs[0]?.content).toContain(linked);
  // The person at the hospital is another record, and the school does not see the case there.
  const [patient] = (await as('lin')(getCUserPageList, {})).rows;
  expect(patient?.cuserid).not.toBe(pupil.cuserid);
  await expect(as('chen')(getWarningDetail, { warningcode: linked })).rejects.toMatchObject({ code: 130001 });
});

test('the receiver reads who the person is and why, but no file, answer or log of the sender', async () => {
  const { as, code, linked } = await transferToHospital();
  await expect(as('lin')(getWarningDetail, { warningcode: code })).rejects.toMatchObject({ code: 130001 });
  const { full } = await as('lin')(getWarningDetail, { warningcode: linked });
  expect(full?.triggers.join()).toContain('家长已同意转诊');
  expect(full).toMatchObject({ assesses: [], results: [], reports: [], files: [], safetyplan: null });
  expect(full?.logs.map(({ action }) => action).sort()).toEqual(['新建', '转入']);
  await expect(as('qiao')(getWarningDetail, { warningcode: linked })).rejects.toMatchObject({ code: 130001 });
});

test("the sender's duty ends only when the receiver accepts: no receipt by hand, and the case stays open until then", async () => {
  const { as, code, linked, runJob, detail } = await transferToHospital();
  const close = { warningcode: code, closereason: '03' as const, closenote: '已转至仁爱医院，由林医生接手' };
  await expect(as('chen')(special.receiveWarning, { warningcode: code, content: '电话确认' })).rejects.toMatchObject({
    code: 140001,
  });
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({ code: 140001 });
  await runJob('2026-11-18 11:00');
  expect((await detail(code)).full?.clocks.map(({ kind }) => kind)).toContain('transfer');
  await as('lin')(handling.acceptWarning, { warningcode: linked });
  await runJob('2026-11-18 11:30');
  const after = await detail(code);
  expect(after.full?.transfer).toMatchObject({ receipttime: '2026-11-18 11:00:00', linkedcode: linked });
  expect(after.full?.clocks.map(({ kind }) => kind)).not.toContain('transfer');
  expect((await as('chen')(getNoticePageList, {})).rows[0]?.title).toBe('移交已被受理');
  expect(await as('chen')(handling.closeWarning, close)).toMatchObject({ state: '07' });
});

test('news after the acceptance asks for another transfer, which the receiver accepts anew', async () => {
  const { as, code, linked, runJob, report, at, detail, confirm } = await transferToHospital();
  await as('lin')(handling.acceptWarning, { warningcode: linked });
  await runJob('2026-11-18 11:00');
  at('2026-11-18 12:00');
  await report(3, '学生在班级群里发了告别的话', 'ma');
  const receipt = (await detail(code)).full?.criteria['03']?.find(({ key }) => key === 'receipt');
  expect(receipt).toMatchObject({ met: false, detail: '移交回执之后又有新情况，请重新移交并取得回执' });
  await confirm(code, 'transfer', 'lu');
  await as('chen')(special.transferWarning, { warningcode: code, ...entry });
  await runJob('2026-11-18 12:05');
  expect(await as('lin')(getWarningDetail, { warningcode: linked })).toMatchObject({ pending: 1 });
  await as('lin')(handling.acceptWarning, { warningcode: linked });
  await runJob('2026-11-18 12:10');
  expect((await detail(code)).full?.criteria['03']?.find(({ key }) => key === 'receipt')).toMatchObject({ met: true });
});

test('a receiver outside the platform confirms as before, and the list offers only institutions that may handle cases', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as } = school;
  const code = await school.report(2);
  await school.accept(code);
  await as('chen')(special.transferWarning, { warningcode: code, ...entry, receiver: '云栖市第七人民医院' });
  expect((await school.detail(code)).full?.transfer).toMatchObject({ islinked: 0, linkedcode: '' });
  await as('chen')(special.receiveWarning, { warningcode: code, content: '林医生 11:00 电话确认' });
  const names = async (keyword: string) => (await as('chen')(getTransferTargets, { keyword })).map(({ insname }) => insname);
  expect(await names('仁爱')).toEqual([hospital]);
  expect(await names('云栖市')).toEqual(['云栖市东山中学', hospital]);
});

test('a suspected guardian is not handed on as a contact', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, pupil } = school;
  await as('chen')(updateCUser, {
    cuserid: pupil.cuserid,
    version: 1,
    guardian: [
      { name: '林建国', relation: '01', phonenumber: '13900000001' },
      { name: '周敏', relation: '02', phonenumber: '13900000002' },
    ],
  });
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid: pupil.cuserid,
    level: 3,
    content: '她说在家里挨打',
    suspectname: '林建国',
  });
  await school.accept(warningcode);
  await school.talk(warningcode);
  await school.confirm(warningcode, 'transfer', 'lu');
  await as('chen')(special.transferWarning, { warningcode, ...entry });
  await carryOutTransfers(school.services, school.clock.now);
  const [patient] = (await as('lin')(getCUserPageList, {})).rows;
  const revealed = await as('lin')(revealCUser, { cuserid: patient!.cuserid });
  expect(JSON.stringify(revealed)).toContain('13900000002');
  expect(JSON.stringify(revealed)).not.toContain('林建国');
});
