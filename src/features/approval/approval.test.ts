import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as care from '#features/care/care.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const call = 'as.m.warning.exportWarningList';

/** A school with one case of a pupil of 14 years. */
async function school() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' });
  const chen = server.as('chen');
  const { cuserid } = pupils[0]!;
  const { warningcode } = await chen(handling.insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  return { ...server, chen, lu: server.as('lu'), cuserid, warningcode };
}

test('an export of minors’ data needs an approval, which holds for its filters and one day', async () => {
  const { chen, lu, as, clock, sqlAsOwner } = await school();
  const filter = { levels: [2] };
  await expect(chen(warning.exportWarningList, filter)).rejects.toMatchObject({
    code: 140003,
    data: { call, persons: 1, minors: 1 },
  });
  const { approvalid } = await chen(approval.insertAccessApproval, { call, filter, purpose: '向区教研室汇报本月处置情况' });
  const requestNotice = (await lu(notice.getNoticePageList, {})).rows.find(({ link }) => link === '/approvals');
  expect(requestNotice).toMatchObject({
    title: expect.stringContaining('申请导出危机预警'),
    content: expect.stringContaining('未成年人 1 人'),
  });
  await expect(chen(warning.exportWarningList, { ...filter, approvalid })).rejects.toMatchObject({
    code: 140001,
    message: '导出申请尚未审批',
  });
  await expect(chen(approval.decideAccessApproval, { approvalid, agreed: 1 })).rejects.toMatchObject({ code: 140001 });
  await expect(as('qiao')(approval.decideAccessApproval, { approvalid, agreed: 1 })).rejects.toMatchObject({ code: 130001 });
  await lu(approval.decideAccessApproval, { approvalid, agreed: 1 });
  await expect(lu(approval.decideAccessApproval, { approvalid, agreed: 0, reason: '改主意' })).rejects.toMatchObject({
    code: 140001,
  });

  expect(await chen(warning.exportWarningList, { ...filter, approvalid })).toMatchObject({
    filename: '危机预警_2025-10-10.xlsx',
  });
  expect(
    (await sqlAsOwner("select minors, detail from audit.log where action = 'as.m.warning.exportWarningList'"))[0],
  ).toMatchObject({ minors: 1, detail: { rows: 1, approvalid } });
  // Not for other filters, not for somebody else, not after a day.
  await expect(chen(warning.exportWarningList, { approvalid })).rejects.toMatchObject({
    message: '筛选条件与审批的不一致，请按审批的条件导出',
  });
  await expect(lu(warning.exportWarningList, { ...filter, approvalid })).rejects.toMatchObject({ code: 130001 });
  clock.now = addHours(clock.now, 24);
  await expect(chen(warning.exportWarningList, { ...filter, approvalid })).rejects.toMatchObject({
    message: '审批已过期，请重新申请',
  });
});

test('an approval holds for one call, a rejection gives a reason, and the applicant can withdraw the request', async () => {
  const { chen, lu, cuserid, warningcode } = await school();
  await chen(care.insertFollowUp, { cuserid, warningcode, duetime: '2025-10-20 09:00' });
  await expect(chen(care.exportFollowUpList, {})).rejects.toMatchObject({ code: 140003 });
  const { approvalid } = await chen(approval.insertAccessApproval, {
    call: 'as.m.followup.exportFollowUpList',
    purpose: '学期随访归档',
  });
  await lu(approval.decideAccessApproval, { approvalid, agreed: 1 });
  await expect(chen(warning.exportWarningList, { approvalid })).rejects.toMatchObject({ code: 130001 });
  expect(await chen(care.exportFollowUpList, { approvalid })).toMatchObject({ filename: '随访记录_2025-10-10.xlsx' });
  const second = await chen(approval.insertAccessApproval, { call, purpose: '用途说明待补充' });
  await expect(lu(approval.decideAccessApproval, { approvalid: second.approvalid, agreed: 0 })).rejects.toMatchObject({
    code: 120002,
  });
  await lu(approval.decideAccessApproval, { approvalid: second.approvalid, agreed: 0, reason: '请写明用途' });
  const { rows } = await chen(approval.getAccessApprovalPageList, { mine: 1 });
  expect(rows.map(({ status, reason, open }) => [status, reason, open])).toEqual([
    [2, '请写明用途', 0],
    [1, '', 1],
  ]);
  const third = await chen(approval.insertAccessApproval, { call, purpose: '重新申请，供月报使用' });
  await expect(lu(approval.withdrawAccessApproval, { approvalid: third.approvalid })).rejects.toMatchObject({ code: 130001 });
  await chen(approval.withdrawAccessApproval, { approvalid: third.approvalid });
  await expect(lu(approval.decideAccessApproval, { approvalid: third.approvalid, agreed: 1 })).rejects.toMatchObject({
    code: 140001,
  });
});

test('an export without minors needs no approval', async () => {
  const { as, sqlAsOwner, cuserid } = await school();
  await sqlAsOwner("update cuser set birthday = '2000-01-01' where cuserid = $1", [cuserid]);
  expect(await as('chen')(warning.exportWarningList, {})).toMatchObject({ filename: '危机预警_2025-10-10.xlsx' });
  await expect(as('duty')(warning.exportWarningList, {})).rejects.toMatchObject({ code: 110004 });
});
