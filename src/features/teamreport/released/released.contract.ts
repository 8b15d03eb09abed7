import { z } from 'zod';
import type { TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';

/**
 * Group reports as authorities read them (decisions 0069 and 0074): about their region, and about institutions that show a report to them.
 * Every figure comes from the release; nothing of an institution's own snapshot.
 */

const readers = forTypes(['003'], staffOf('statistics.reports'));
const subject = {
  appid: z.string(),
  /** a school term or a quarter */
  year: z.string(),
  term: z.string(),
  /** the period in words */
  periodname: z.string(),
  /** '': the region of the authority */
  teamreportcode: z.string(),
  /** the region or the institution */
  insname: z.string(),
  /** when the outcome was released; '' before */
  datatime: z.string(),
};

/** The reports that the authority may read: of its region for each period, and of institutions, the newest period first. */
export const getReleasedReportList = defineAction({
  name: 'as.m.report.getReleasedReportList',
  title: '查询区域团体报告',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).default('000000002').describe('人群') }),
  response: z.array(z.object(subject)),
  cost: 3,
});

const chosen = z.strictObject({
  appid: z.string().max(9).describe('人群'),
  year: z.string().min(1).max(20).describe('学年'),
  term: z.string().min(1).max(2).describe('学期'),
  /** absent: the region of the authority */
  teamreportcode: z.string().max(20).optional().describe('团体报告'),
});

/** Returns a released report. Answers 130001 for a report that its institution does not show to the authority. */
export const getReleasedReport = defineAction({
  name: 'as.m.report.getReleasedReport',
  title: '查看区域团体报告',
  allow: readers,
  kind: 'read',
  request: chosen,
  response: z.object({ ...subject, content: z.custom<TeamReportContent>() }),
  cost: 3,
});

/** Returns a released report as PDF or Word. */
export const exportReleasedReport = defineAction({
  name: 'as.m.report.exportReleasedReport',
  title: '下载区域团体报告',
  columns: exportFields('区域团体报告'),
  allow: readers,
  kind: 'export',
  request: z.strictObject({ ...chosen.shape, format: z.enum(['docx', 'pdf']).default('pdf').describe('文件格式') }),
  response: file,
  cost: 10,
});
