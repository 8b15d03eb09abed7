import { shanghaiTime } from '#domain/base/calendar.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { withCase } from '#domain/report/report.case.ts';
import { withMaskedName, withReview } from '#domain/report/report.review.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName, canReadNames } from '#server/security/privacy.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { assertNotRestricted, canReadAnswers, isMinor } from '#features/report/readResults.ts';
import { findReportCase } from '#features/report/reportCase.ts';
import { findReportTexts } from '#features/report/renderReport.ts';

const withColour = <Q extends { level: number | null; levelname: string | null }>(quota: Q) => ({
  ...quota,
  levelname: quota.levelname ?? '',
  colour: colourOf(quota.level as Level | null).hex,
});

/** A report row for the caller. */
function toReportRow(caller: Staff, row: queries.ReportRecord) {
  return {
    ...row,
    username: displayName(caller, row.username),
    gender: row.gender as '01' | '02',
    planname: row.planname ?? '',
    stagecode: row.stagecode ?? '',
    stagename: row.stagename ?? '',
    taskname: row.taskname ?? '',
    submittime: row.submittime ? shanghaiTime(row.submittime) : '',
    valid: row.valid ?? 0,
    mentalstate: row.mentalstate ?? 0,
    warningcode: row.warningcode ?? '',
    quotas: row.quotas.map(withColour),
  };
}

const getCUserReportPageList = handle(contract.getCUserReportPageList, async (filters, { scope, caller, cipher }) => {
  assertNotRestricted(caller);
  const phonehash =
    filters.keyword && /^1\d{10}$/.test(filters.keyword)
      ? cipher.blindIndex(filters.musercode ?? caller.musercode, 'cuser.phone', filters.keyword)
      : undefined;
  const { total, rows } = await queries.findReports(scope, {
    ...filters,
    appids: permittedPopulations(caller, filters.appid),
    phonehash,
  });
  return { total, rows: rows.map((row) => toReportRow(caller, row)) };
});

const getCUserReport = handle(contract.getCUserReport, async (identifier, ctx) => {
  const { scope, caller } = ctx;
  assertNotRestricted(caller);
  const report = await queries.findReport(scope, identifier);
  // The words about safety at home would warn a member of staff who is suspected of harm.
  if (!report || (await queries.isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  const text = await findReportTexts(scope, report.reportcode);
  const { conclusion, advice, reviewby, reviewtime, reviewername, version, ...row } = report;
  ctx.audit({ cuserids: [row.cuserid], objectid: row.reportcode, minors: isMinor(row.age) });
  const review = {
    conclusion: conclusion ?? '',
    advice: advice ?? '',
    reviewer: reviewername ?? reviewby ?? '',
    reviewtime: reviewtime && shanghaiTime(reviewtime),
  };
  const maskName = (content: ReportContent) => (canReadNames(caller) ? content : withMaskedName(content));
  const openCase = await findReportCase(scope, row.cuserid, ctx.now);
  const staffContent = withCase(withReview(text.staff, review), openCase, shanghaiTime(ctx.now));
  return {
    report: toReportRow(caller, row),
    staff: maskName(canReadAnswers(caller) ? staffContent : withoutAnswers(staffContent)),
    self: maskName(text.self),
    ...review,
    version,
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
    ...(status === 2 ? { status, reviewby: caller.accountid, reviewtime: now } : {}),
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

const showOrHiddenReport = handle(contract.showOrHiddenReport, async ({ reportcodes, isshow }, ctx) => {
  assertNotRestricted(ctx.caller);
  const uniqueCodes = [...new Set(reportcodes)];
  const rows = await queries.updateVisibility(ctx.scope, uniqueCodes, isshow, ctx.now);
  if (rows.length !== uniqueCodes.length) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [...new Set(rows.map((row) => row.cuserid))], detail: { reportcodes: uniqueCodes, isshow } });
  return { updated: rows.length };
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
