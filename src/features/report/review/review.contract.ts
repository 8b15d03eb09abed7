import { z } from 'zod';
import { defineAction } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { getCUserReportPageList, reportEditors, reportReaders } from '#features/report/report.contract.ts';

/** Reviewing reports one after the other and in bulk, and the versions of a report with their readers. */

const code = z.string().max(20);
/** The reports that one step handles at most. */
export const batchLimit = 2000;

export const getReportBatch = defineAction({
  name: 'as.m.exam.getReportBatch',
  title: '查询待处理的报告',
  allow: reportReaders,
  kind: 'read',
  request: getCUserReportPageList.request.omit({ page: true, pageSize: true }).extend({
    reportcodes: z.array(code).max(batchLimit).optional().describe('报告'),
    /** the reports of AI个体报告 (02) or 孕产妇1.0 (03) only */
    list: z.enum(['02', '03']).optional(),
    aistatus: z.coerce.number().int().min(0).max(9).optional().describe('AI状态'),
  }),
  response: z.object({
    /** the number of reports that the filters find; the rows end at the limit */
    total: z.number(),
    rows: z.array(
      z.object({
        reportcode: z.string(),
        appid: z.string(),
        username: personName(),
        version: z.number(),
        status: z.number(),
        isshow: z.number(),
        /** why a bulk review leaves the report out; '' when it does not */
        reviewobstacle: readableBy('results', z.string(), ''),
        /** why the person may not read the report yet; '' when the person may */
        showobstacle: z.string(),
      }),
    ),
  }),
});

export const reviewReports = defineAction({
  name: 'as.m.exam.reviewReports',
  title: '批量审核报告',
  allow: reportEditors,
  kind: 'write',
  person: () => [],
  request: z.strictObject({
    /** each with the version that the reviewer saw */
    reports: z
      .array(z.strictObject({ reportcode: code, version: z.number().int() }))
      .min(1)
      .max(batchLimit)
      .describe('报告'),
  }),
  response: z.object({
    reviewed: z.number(),
    refused: z.array(z.object({ reportcode: z.string(), username: personName(), why: z.string() })),
  }),
});

export const getReportHistory = defineAction({
  name: 'as.m.exam.getReportHistory',
  title: '查看报告的版本与查看记录',
  allow: reportReaders,
  kind: 'reveal',
  person: () => [],
  request: z.strictObject({ reportcode: code }),
  response: z.object({
    /** the newest first */
    versions: z.array(
      z.object({
        version: z.number(),
        /** made: as it was made · written: words of staff · ai: an AI text · corrected: the sheet moved to another person */
        kind: z.enum(['made', 'written', 'reviewed', 'ai', 'corrected']),
        /** '' for the server itself */
        username: z.string(),
        time: z.string(),
        conclusion: z.string(),
        advice: z.string(),
        /** the version was about another person */
        isformer: z.number(),
      }),
    ),
    /** who read which version, the newest first */
    views: z.array(
      z.object({
        who: z.string(),
        isrespondent: z.number(),
        /** null where the log has no version */
        version: z.number().nullable(),
        action: z.string(),
        times: z.number(),
        lasttime: z.string(),
      }),
    ),
  }),
});
