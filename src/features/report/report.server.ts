import { shanghaiTime } from '#domain/base/calendar.ts';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { withCase } from '#domain/report/report.case.ts';
import { showObstacle } from '#domain/report/obstacles.ts';
import { withMaskedName, withReview, type Review } from '#domain/report/report.review.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { canReadNames } from '#server/security/privacy.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { assertNotRestricted, isMinor, toFilters, toReportRow, withColour } from '#features/report/reportRow.ts';
import { findReportCase } from '#features/report/reportCase.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import { lockReports, refusalsOf } from '#features/report/review/lockReports.ts';
import { findVersion } from '#features/report/review/versions.ts';

const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));

const getCUserReportPageList = handle(contract.getCUserReportPageList, async (filters, ctx) => {
  assertNotRestricted(ctx.caller);
  const { total, rows } = await queries.findReports(ctx.scope, toFilters(filters, ctx));
  return { total, rows: rows.map((row) => toReportRow(ctx.caller, row)) };
});

const getCUserReport = handle(contract.getCUserReport, async ({ version: earlier, ...identifier }, ctx) => {
  const { scope, caller } = ctx;
  assertNotRestricted(caller);
  const report = await queries.findReport(scope, identifier);
  // The words about safety at home would warn a member of staff who is suspected of harm.
  if (!report || (await queries.isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  const { conclusion, advice, reviewby, reviewtime, reviewername, version, ...row } = report;
  const present: Review = {
    conclusion: conclusion ?? '',
    advice: advice ?? '',
    reviewer: reviewername ?? reviewby ?? '',
    reviewtime: reviewtime && shanghaiTime(reviewtime),
  };
  const former = earlier === undefined || earlier === version ? undefined : await findVersion(scope, row.reportcode, earlier);
  if (former && former.cuserid !== row.cuserid && (await queries.isSuspectedBy(scope, former.cuserid)))
    throw problems.notFound({ what: '报告' });
  const text = former?.text ?? (await findReportTexts(scope, row.reportcode));
  const review = former?.review ?? present;
  ctx.audit({
    cuserids: [former?.cuserid ?? row.cuserid],
    objectid: row.reportcode,
    minors: isMinor(row.age),
    detail: { version: former?.version ?? version },
  });
  const maskName = (content: ReportContent) => (canReadNames(caller) ? content : withMaskedName(content));
  const reviewedContent = withReview(text.staff, review);
  const staffContent = former
    ? reviewedContent
    : withCase(reviewedContent, await findReportCase(scope, row.cuserid, ctx.now), shanghaiTime(ctx.now));
  return {
    report: toReportRow(caller, row),
    staff: maskName(canReadAnswers(caller) ? staffContent : withoutAnswers(staffContent)),
    self: maskName(text.self),
    ...review,
    version: former?.version ?? version,
    correctedtime: former?.correctedtime ?? null,
  };
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
  return { maxtime: maxtime && shanghaiTime(maxtime), newcount };
});

const updateReport = handle(contract.updateReport, async ({ reportcode, version, status, ...texts }, ctx) => {
  const { scope, caller, now } = ctx;
  assertNotRestricted(caller);
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
