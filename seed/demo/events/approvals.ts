import type { RequestOf } from '#contract/action.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import * as approval from '#features/approval/approval.contract.ts';
import type { Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minutesLater, type DemoDates } from '#seed/demo/content/dates.ts';

type Application = RequestOf<typeof approval.insertAccessApproval>;
type Decision = Omit<RequestOf<typeof approval.decideAccessApproval>, 'approvalid'>;

/** Applies for exports of minors' data at 云栖市晨光中学. Two applications wait, one of them for demo_psych; the others are decided. */
export async function requestExportApprovals(calls: Calls, { day, now }: DemoDates): Promise<void> {
  const apply = async (by: StaffLogin, time: Date, application: Application) =>
    (await calls.as(by, time))(approval.insertAccessApproval, application);
  const decide = async (by: StaffLogin, time: Date, { approvalid }: { approvalid: number }, decision: Decision) =>
    (await calls.as(by, time))(approval.decideAccessApproval, { approvalid, ...decision });
  const cases = 'as.m.warning.exportWarningList';
  const followups = 'as.m.followup.exportFollowUpList';
  const spring = { begindate: shanghaiDate(day(-190)), enddate: shanghaiDate(day(-120)) };

  const summary = await apply('demo_psych', day(-40, '14:20'), {
    call: cases,
    filter: spring,
    purpose: '汇总春季学期预警处置情况，供校心理健康工作小组会议使用，会后删除。',
  });
  await decide('demo_school', day(-40, '16:05'), summary, { agreed: 1, reason: '仅限会议使用，会后删除。' });

  const handover = await apply('demo_psych2', day(-3, '11:15'), {
    call: followups,
    filter: {},
    purpose: '发给各班班主任了解情况。',
  });
  await decide('demo_psych', day(-3, '13:40'), handover, {
    agreed: 0,
    reason: '随访记录不发给班主任；需要配合的事项请逐人当面沟通。',
  });

  const archive = await apply('demo_psych', minutesLater(now, -300), {
    call: followups,
    filter: { status: '02' },
    purpose: '已完成随访整理归档，存入个案纸质档案柜。',
  });
  await decide('demo_psych2', minutesLater(now, -260), archive, { agreed: 1, reason: '' });

  await apply('demo_psych2', minutesLater(now, -140), {
    call: cases,
    filter: { levels: [3, 4] },
    purpose: '本周个案督导会讨论用，打印一份，会后销毁。',
  });
  await apply('demo_psych', minutesLater(now, -45), {
    call: 'as.m.exam.exportCUserWarningDetailData',
    filter: {},
    purpose: '与德育处核对本学期复查的后续安排。',
  });
}
