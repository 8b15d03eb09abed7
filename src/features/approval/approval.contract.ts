import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * The export of minors' data needs the approval of a second person (未成年人网络保护条例 第36条), and so do many persons and single
 * answers. The applicant gives a purpose, and another holder of the export right decides. The applicant can then download for one
 * day, with the same filters only. An export calls `requireApproval.ts`.
 */

const exporters = forTypes(CARE_TYPES, staffOf('exam.export', 'archive.export'));
/** The staff with a right to any of these exports: the readers of tasks export rosters. The server checks the right to the one. */
const applicants = forTypes(CARE_TYPES, staffOf('exam.export', 'archive.export', 'group.tasks'));

/** The exports that need an approval, with their names for staff. */
export const gatedCalls = {
  'as.m.warning.exportWarningList': '危机预警',
  'as.m.exam.exportCUserWarningDetailData': '预警明细',
  'as.m.followup.exportFollowUpList': '随访记录',
  'as.m.consult.exportConsultList': '咨询登记',
  'as.m.cuser.exportCuserList': '受测者',
  'as.m.exam.exportCUserExamData': '测评数据',
  'as.m.exam.exportCUserDetailData': '测评明细',
  'as.m.report.exportReportZip': '报告 PDF',
  'as.m.report.exportTeamReportAnnex': '团体报告名单附件',
  'as.m.assess.exportAssessTeamRoster': '团体名单',
  'as.m.assess.exportAssessTaskRosterProgress': '任务名单进度',
  'as.m.fhir.exportBundle': 'FHIR 数据',
} as const;
export type GatedCall = keyof typeof gatedCalls;
const call = z.enum(Object.keys(gatedCalls) as [GatedCall, ...GatedCall[]]).describe('导出内容');

/** The states of a request. */
export const ApprovalStatus = { 0: '待审批', 1: '已同意', 2: '未同意', 3: '已撤回' } as const;

/** A request as a row of the list. */
export const approvalRow = z.object({
  approvalid: z.number(),
  call: z.string(),
  title: z.string(),
  /** the filters, with the field names of the export's request */
  filter: z.record(z.string(), z.unknown()),
  purpose: z.string(),
  persons: z.number(),
  minors: z.number(),
  status: z.number(),
  applicantname: z.string(),
  approvername: z.string(),
  reason: z.string(),
  createtime: z.string(),
  decidetime: z.string().nullable(),
  validuntil: z.string().nullable(),
  downloads: z.number(),
  /** 1: the caller is the applicant */
  mine: z.number(),
  /** 1: the caller may decide it now */
  decidable: z.number(),
  /** 1: the caller may download now */
  open: z.number(),
});
export type ApprovalRow = z.infer<typeof approvalRow>;

/** A page of the requests of the caller's institution; for staff who may not decide, of their own requests. */
export const getAccessApprovalPageList = defineAction({
  name: 'as.m.approval.getAccessApprovalPageList',
  title: '查询数据导出审批',
  allow: applicants,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('createtime'),
    status: z.coerce.number().int().min(0).max(3).optional().describe('状态'),
    mine: flag.optional().describe('我申请的'),
  }),
  response: pageOf(approvalRow),
});

/** Requests an approval for an export with these filters. */
export const insertAccessApproval = defineAction({
  name: 'as.m.approval.insertAccessApproval',
  title: '申请数据导出',
  allow: applicants,
  kind: 'write',
  request: z.strictObject({
    call,
    filter: z.record(z.string().max(40), z.unknown()).default({}).describe('筛选条件'),
    purpose: z.string().trim().min(5, '请写明用途，不少于 5 个字').max(500, '用途不超过 500 个字').describe('用途'),
  }),
  response: z.object({ approvalid: z.number(), persons: z.number(), minors: z.number() }),
});

/** Agrees to or refuses a request of another person. */
export const decideAccessApproval = defineAction({
  name: 'as.m.approval.decideAccessApproval',
  title: '审批导出申请',
  allow: exporters,
  kind: 'write',
  request: z
    .strictObject({
      approvalid: z.number().int(),
      agreed: flag.describe('审批意见'),
      reason: z.string().trim().max(500).default('').describe('说明'),
    })
    .refine((value) => value.agreed === 1 || value.reason !== '', { message: '请填写不同意的原因', path: ['reason'] }),
  response: z.object({ validuntil: z.string().nullable() }),
});

/** Withdraws a waiting request of the caller. */
export const withdrawAccessApproval = defineAction({
  name: 'as.m.approval.withdrawAccessApproval',
  title: '撤回导出申请',
  allow: applicants,
  kind: 'write',
  request: z.strictObject({ approvalid: z.number().int() }),
  response: z.object({}),
});
