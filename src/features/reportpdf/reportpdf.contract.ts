import { z } from 'zod';
import { andHolding, CARE_TYPES, defineAction, forTypes } from '#contract/action.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { getCUserReportPageList, reportReaders } from '#features/report/report.contract.ts';

/** Reports as PDF: one, and many in a ZIP file that is made in the background (supplement-people-statistics.md, section 7). */

const code = z.string().max(20);
const exporters = forTypes(CARE_TYPES, andHolding(reportReaders, 'exam.export'));
const audience = z.enum(['self', 'staff']).default('self').describe('版本');

/** 1: the two pages of 孕产妇1.0 */
const shortform = flag.default(0).describe('两页简版');

/** The most reports of one ZIP file. */
export const ZIP_PART = 2000;

const pdfColumns = exportFields(
  { head: '姓名', rule: 'names' },
  { head: '报告内容', rule: 'results' },
  { head: '作答明细', rule: 'answers' },
);

/** Returns one report as PDF. It needs a step-up and no approval. */
export const exportReportPdf = defineAction({
  name: 'as.m.report.exportReportPdf',
  title: '下载报告 PDF',
  columns: pdfColumns,
  allow: exporters,
  kind: 'export',
  request: z.strictObject({
    reportcode: code.describe('报告'),
    audience,
    /** 0 leaves the single answers out, also for those who may read them */
    answers: flag.default(1).describe('含作答明细'),
    shortform,
  }),
  response: file,
});

/** The filters of the report lists, or chosen reports. */
const batch = {
  ...getCUserReportPageList.request.omit({ page: true, pageSize: true, orderby: true, isasc: true }).shape,
  reportcodes: z.array(code).min(1).max(ZIP_PART).optional().describe('报告'),
  /** 02 AI reports and every other report with an AI text · 03 孕产妇1.0 */
  list: z.enum(['02', '03']).optional().describe('报告列表'),
  audience,
  answers: flag.default(0).describe('含作答明细'),
  shortform,
  /** person: a PDF a report · class: a print file a class, with a page before its reports */
  layout: z.enum(['person', 'class']).default('person').describe('文件'),
};

/** Returns what an export would contain: for the dialog before it, and for the number of its files. */
export const checkReportZip = defineAction({
  name: 'as.m.report.checkReportZip',
  title: '核对批量报告',
  allow: exporters,
  kind: 'read',
  request: z.strictObject(batch),
  response: z.object({
    reports: z.number(),
    persons: z.number(),
    minors: z.number(),
    /** the number of ZIP files */
    parts: z.number(),
    /** 1: a second person must approve it first */
    needsapproval: z.number(),
  }),
});

/** Returns reports as a ZIP of PDF files by class, unit or stage, with a list of the failures. Runs as a job, part by part. */
export const exportReportZip = defineAction({
  name: 'as.m.report.exportReportZip',
  title: '批量导出报告 PDF',
  columns: pdfColumns,
  allow: exporters,
  kind: 'export',
  request: z.strictObject({
    ...batch,
    part: z.coerce.number().int().min(1).max(1000).default(1).describe('第几个文件'),
    approvalid: z.coerce.number().int().optional().describe('审批'),
  }),
  response: file,
  cost: 20,
});
