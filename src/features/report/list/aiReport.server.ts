import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findReports } from '#features/report/report.queries.ts';
import { assertNotRestricted, toFilters, toReportRow } from '#features/report/reportRow.ts';
import * as contract from '#features/report/list/aiReport.contract.ts';

const getAsai1UserReportPageList = handle(contract.getAsai1UserReportPageList, async ({ reporttype, ...filters }, ctx) => {
  const { caller, scope } = ctx;
  assertNotRestricted(caller);
  // The right to 孕产妇1.0 opens its own list only.
  const isAll = caller.codes.has(codeOf('individual.ai'));
  const list = reporttype ?? (isAll ? '02' : '03');
  if (list === '02' && !isAll) throw problems.notAllowed();
  const { total, rows } = await findReports(scope, { ...toFilters(filters, ctx), list });
  return { total, rows: rows.map((row) => toReportRow(caller, row)) };
});

export const aiReportHandlers = [getAsai1UserReportPageList];
