import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as approval from '#features/approval/approval.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { approveExport } from '#testing/files/approveExport.ts';
import { addClass, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const progressCall = 'as.m.assess.exportAssessTaskRosterProgress';
const teamCall = 'as.m.assess.exportAssessTeamRoster';
const purpose = '家长会前核对名单';

/** A screening of 初二3班 (王班主任, two pupils) and 初二4班 (one pupil). */
async function school() {
  const server = await startServer();
  const class3 = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'], owneruserid: 'U_WANG' });
  const class4 = await addClass(server, { teamname: '初二4班', names: ['孙可欣'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([class3.teamcode, class4.teamcode]));
  return { ...server, chen: server.as('chen'), wang: server.as('wang'), lu: server.as('lu'), class3, class4, taskcode };
}
/** The text of an exported worksheet. */
async function textOf(answer: unknown) {
  const { filename, body } = answer as { filename: string; body: Readable };
  return JSON.stringify(await readWorkbook(await buffer(body), filename));
}

test('the list of a class needs the approval of a second person, and one pupil or a class of adults does not', async () => {
  const server = await school();
  const { chen, class3, class4, sqlAsOwner } = server;
  const filter = { teamcode: class3.teamcode };
  await expect(chen(team.exportAssessTeamRoster, filter)).rejects.toMatchObject({
    code: 140003,
    data: { call: teamCall, persons: 2, minors: 2 },
  });
  const approvalid = await approveExport(server, teamCall, filter);
  const text = await textOf(await chen(team.exportAssessTeamRoster, { ...filter, approvalid }));
  for (const name of ['林小雨', '周子涵']) expect(text).toContain(name);
  expect(await sqlAsOwner(`select minors, detail from audit.log where action = '${teamCall}'`)).toMatchObject([
    { minors: 1, detail: { rows: 2, approvalid } },
  ]);
  await expect(server.as('qiao')(team.exportAssessTeamRoster, { ...filter, approvalid })).rejects.toMatchObject({ code: 130001 });
  await expect(chen(team.exportAssessTeamRoster, { teamcode: class4.teamcode, approvalid })).resolves.toBeDefined();
  await sqlAsOwner("update cuser set birthday = '1990-01-01' where username = '林小雨'");
  await expect(chen(team.exportAssessTeamRoster, filter)).rejects.toMatchObject({ data: { persons: 2, minors: 1 } });
  await sqlAsOwner("update cuser set birthday = '1990-01-01'");
  expect(await textOf(await chen(team.exportAssessTeamRoster, filter))).toContain('林小雨');
});

test('the roster of a task needs an approval, which holds for its filters', async () => {
  const server = await school();
  const { chen, class3, class4, taskcode } = server;
  await expect(chen(task.exportAssessTaskRosterProgress, { taskcode })).rejects.toMatchObject({
    code: 140003,
    data: { call: progressCall, persons: 3, minors: 3 },
  });
  const one = await textOf(await chen(task.exportAssessTaskRosterProgress, { taskcode, teamcode: class4.teamcode }));
  expect(one).toContain('孙可欣');
  const filter = { taskcode, teamcode: class3.teamcode, status: 0 };
  const approvalid = await approveExport(server, progressCall, filter);
  expect(await textOf(await chen(task.exportAssessTaskRosterProgress, { ...filter, approvalid }))).toContain('周子涵');
  await expect(chen(task.exportAssessTaskRosterProgress, { taskcode, approvalid })).rejects.toMatchObject({
    message: '筛选条件与审批的不一致，请按审批的条件导出',
  });
  await expect(chen(approval.insertAccessApproval, { call: teamCall, filter, purpose })).rejects.toMatchObject({ code: 120002 });
});

test('a class teacher applies for the roster of the own class, and another person decides', async () => {
  const { wang, lu, chen, taskcode } = await school();
  const filter = { taskcode };
  await expect(wang(task.exportAssessTaskRosterProgress, filter)).rejects.toMatchObject({ data: { persons: 2, minors: 2 } });
  const request = await wang(approval.insertAccessApproval, { call: progressCall, filter, purpose });
  expect(request).toMatchObject({ persons: 2, minors: 2 });
  const { approvalid } = request;
  expect((await lu(notice.getNoticePageList, {})).rows.map(({ link }) => link)).toContain('/approvals');
  await expect(wang(approval.decideAccessApproval, { approvalid, agreed: 1 })).rejects.toMatchObject({ code: 110004 });
  await lu(approval.decideAccessApproval, { approvalid, agreed: 1 });
  const text = await textOf(await wang(task.exportAssessTaskRosterProgress, { ...filter, approvalid }));
  expect(text).toContain('林小雨');
  expect(text).not.toContain('孙可欣');
  // The approval of the class teacher is no approval of a colleague.
  await expect(chen(task.exportAssessTaskRosterProgress, { ...filter, approvalid })).rejects.toMatchObject({ code: 130001 });
});

test('a class teacher reads and withdraws only the own requests, and applies for no export without its right', async () => {
  const { wang, chen, as, taskcode, class3 } = await school();
  await chen(approval.insertAccessApproval, { call: teamCall, filter: { teamcode: class3.teamcode }, purpose });
  const { approvalid } = await wang(approval.insertAccessApproval, { call: progressCall, filter: { taskcode }, purpose });
  for (const mine of [undefined, 0, 1] as const)
    expect((await wang(approval.getAccessApprovalPageList, { mine })).rows.map((row) => row.approvalid)).toEqual(
      mine === 0 ? [] : [approvalid],
    );
  expect((await chen(approval.getAccessApprovalPageList, {})).total).toBe(2);
  await wang(approval.withdrawAccessApproval, { approvalid });
  for (const call of [teamCall, 'as.m.cuser.exportCuserList', 'as.m.warning.exportWarningList'] as const)
    await expect(
      wang(approval.insertAccessApproval, { call, filter: call === teamCall ? { teamcode: class3.teamcode } : {}, purpose }),
    ).rejects.toMatchObject({ code: 110004 });
  const strange = { call: progressCall, filter: { taskcode }, purpose } as const;
  await expect(as('qiao')(approval.insertAccessApproval, strange)).rejects.toMatchObject({ code: 130001 });
  await expect(as('duty')(approval.insertAccessApproval, strange)).rejects.toMatchObject({ code: 110004 });
});

test('an approved roster still asks for the password after a pause', async () => {
  const server = await school();
  const filter = { taskcode: server.taskcode };
  const approvalid = await approveExport(server, progressCall, filter, 'wang');
  await server.sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes' where accountid = 'U_WANG'");
  await expect(server.wang(task.exportAssessTaskRosterProgress, { ...filter, approvalid })).rejects.toMatchObject({
    code: 110007,
  });
});
