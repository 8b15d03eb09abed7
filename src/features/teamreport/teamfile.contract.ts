import { z } from 'zod';
import { andHolding, CARE_TYPES, defineAction, forTypes } from '#contract/action.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';
import { makers } from '#features/teamreport/teamreport.contract.ts';

/** Group reports as files, and their named annex. */

const code = z.string().max(20);
const exporters = forTypes(CARE_TYPES, andHolding(makers, 'exam.export'));

/** Returns a group report as PDF or Word. It names nobody. */
export const exportTeamReport = defineAction({
  name: 'as.m.report.exportTeamReport',
  title: '下载团体报告',
  columns: exportFields({ head: '团体报告', rule: 'resultcounts' }),
  allow: exporters,
  kind: 'export',
  request: z.strictObject({
    teamreportcode: code.describe('团体报告'),
    version: z.coerce.number().int().min(1).optional().describe('版本'),
    format: z.enum(['docx', 'pdf']).default('pdf').describe('文件格式'),
  }),
  response: file,
  cost: 10,
});

/** Returns the named annex of a group report: the persons with an open case. Several minors need an approval. */
export const exportTeamReportAnnex = defineAction({
  name: 'as.m.report.exportTeamReportAnnex',
  title: '下载团体报告名单附件',
  columns: exportFields(
    { head: '姓名', rule: 'names' },
    '班级/单位',
    { head: '预警级别', rule: 'cases' },
    { head: '预警状态', rule: 'cases' },
    { head: '负责人', rule: 'cases' },
    { head: '下一时限', rule: 'cases', width: 20 },
  ),
  allow: forTypes(CARE_TYPES, andHolding(makers, 'warning.crisis', 'exam.export')),
  kind: 'export',
  request: z.strictObject({
    teamreportcode: code.describe('团体报告'),
    approvalid: z.coerce.number().int().optional().describe('审批'),
  }),
  response: file,
  cost: 10,
});
