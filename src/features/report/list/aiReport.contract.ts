import { z } from 'zod';
import { defineAction, staffOf } from '#contract/action.ts';
import { pageOf } from '#contract/page.ts';
import { getCUserReportPageList, reportRow } from '#features/report/report.contract.ts';

/** The lists AI个体报告 (001802) and 孕产妇1.0 (000032). */

export const getAsai1UserReportPageList = defineAction({
  name: 'as.m.report.getAsai1UserReportPageList',
  title: '查询AI个体报告',
  allow: staffOf('individual.ai', 'individual.maternity1'),
  kind: 'read',
  request: getCUserReportPageList.request.extend({
    /** 02 AI reports and every other report with an AI text · 03 孕产妇1.0 */
    reporttype: z.enum(['02', '03']).optional().describe('报告类型'),
    /** a code of AiStatus */
    aistatus: z.coerce.number().int().min(0).max(9).optional().describe('AI状态'),
  }),
  response: pageOf(
    reportRow.extend({
      /** when the AI text was written; '' without one */
      aitime: z.string(),
    }),
  ),
});
