import { shanghaiTime } from '#domain/base/calendar.ts';
import { showObstacle } from '#domain/report/review/obstacles.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { assertNotRestricted, isMinor, toFilters, toReportRow, withColour } from '#features/report/reportRow.ts';
import { readReport } from '#features/report/readReport.ts';
import { lockReports, refusalsOf } from '#features/report/review/lockReports.ts';

const getCUserReportPageList = handle(contract.getCUserReportPageList, async (filters, ctx) => {
  assertNotRestricted(ctx.caller);
  const { total, rows } = await queries.findReports(ctx.scope, toFilters(filters, ctx));
  return { total, rows: rows.map((row) => toReportRow(ctx.caller, row)) };
});

const getCUserReport = handle(contract.getCUserReport, async (identifier, ctx) => {
  assertNotRestricted(ctx.caller);
  const { row, cuserid, staff, self, review, version, correctedtime } = await readReport(ctx, identifier);
  ctx.audit({ cuserids: [cuserid], objectid: row.reportcode, minors: isMinor(row.age), detail: { version } });
  return { report: toReportRow(ctx.caller, row), staff, self, ...review, version, correctedtime };
});

const getExamForms = handle(contract.getExamForms, async ({ examcode }, ctx) => {
  assertNotRestricted(ctx.caller);
  const rows = await queries.findExamForms(ctx.scope, examcode);
  const first = rows[0];
  if (!first) throw problems.notFound({ what: '测评记录' });
  ctx.audit({ cuserids: [first.cuserid], objectid: examcode, minors: isMinor(first.age) });
  return rows.map((row) => ({ ...row, scores: row.scores.map(withColour) }));
});

const getReportMaxTime = handle(contract.getReportMaxTime, async (filters, { scope }) => {
  const { maxtime, newcount } = await queries.findMaxTime(scope, filters);
  const withheldcount = await queries.countWithheldSheets(scope, filters);
  return { maxtime: maxtime && shanghaiTime(maxtime), newcount, withheldcount };
});

const updateReport = handle(contract.updateReport, async ({ reportcode, version, status, ...texts }, ctx) => {
  const { scope, caller, now } = ctx;
  assertNotRestricted(caller);
  if (await queries.isErasedReport(scope, reportcode)) throw problems.wrongState({ why: '报告内容已删除，不能修改' });
  const changes = {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ...(status === 2
      ? { status, reviewby: caller.accountid, reviewtime: now }
      : // A reviewer answers for the words below the name, so changed words need a new review.
        { status: 1, reviewby: null, reviewtime: null }),
    updatetime: now,
  };
  const updated = await queries.updateReport(scope, reportcode, version, changes);
  if (!updated) {
    const report = await queries.findReport(scope, { reportcode });
    if (!report) throw problems.notFound({ what: '报告' });
    // The error carries the other person's texts, so that the caller can compare them.
    throw problems.changedMeanwhile(undefined, {
      data: { version: report.version, conclusion: report.conclusion ?? '', advice: report.advice ?? '' },
    });
  }
  ctx.audit({
    cuserids: [updated.cuserid],
    objectid: reportcode,
    detail: { changed: Object.keys(texts), ...(status ? { status } : {}) },
  });
  return updated;
});

const showOrHiddenReport = handle(contract.showOrHiddenReport, async ({ reportcodes, isshow }, { scope, caller, audit, now }) => {
  assertNotRestricted(caller);
  const rows = await lockReports(scope, reportcodes);
  const refused = refusalsOf(rows, caller, isshow === 1 ? showObstacle : () => '');
  const codes = rows.flatMap((row) => (refused.some(({ reportcode }) => reportcode === row.reportcode) ? [] : [row.reportcode]));
  const updated = await queries.updateVisibility(scope, codes, isshow, now);
  audit({ cuserids: [...new Set(updated.map((row) => row.cuserid))], detail: { reportcodes: codes, isshow } });
  return { updated: updated.length, refused };
});

const getReportCount = handle(contract.getReportCount, async ({ cuserid, cuserids = [] }, { scope }) => {
  const uniqueIds = [...new Set([...cuserids, ...(cuserid ? [cuserid] : [])])];
  const rows = uniqueIds.length ? await queries.countReports(scope, uniqueIds) : [];
  return uniqueIds.map((id) => rows.find((row) => row.cuserid === id) ?? { cuserid: id, reportcount: 0, showcount: 0 });
});

export const reportHandlers = [
  getCUserReportPageList,
  getCUserReport,
  getExamForms,
  getReportMaxTime,
  updateReport,
  showOrHiddenReport,
  getReportCount,
];
