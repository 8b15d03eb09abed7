import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { retestDue } from '#domain/warning/deadline.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { withCase } from '#domain/report/report.case.ts';
import { withMaskedName, withReview } from '#domain/report/report.review.ts';
import type { Level, Scale } from '#domain/scoring/scale.ts';
import { changeText, cutoffNote, findingWords, referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import { comparable, trendSeries, type Change, type TrendTest } from '#domain/report/trend.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName, canReadNames } from '#server/security/privacy.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { findReportCase } from '#features/report/reportCase.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import * as trends from '#features/report/trend.queries.ts';

/** Refuses class teachers and ward nurses: they see the crisis screen of their own teams, never scores or answers. */
function assertNotRestricted(caller: Staff) {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
}
/** The audit log marks reads of minors' data. */
const isMinor = (age: number | null) => age !== null && age < 18;
const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));

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

/** The change between two exams with its published values. */
const toChange = ({ findings, ...change }: Change) => ({
  ...change,
  reliablechange: findings.length === 0 ? null : findings.some((finding) => finding.isReached) ? 1 : 0,
  changetext: changeText(findings),
  values: findings.map((finding) => ({
    kind: finding.kind,
    points: finding.points,
    isreached: finding.isReached ? 1 : 0,
    words: findingWords(finding),
    source: finding.source,
    reference: finding.reference,
  })),
});

/** The self-harm item of a form, when it has one. */
const harmItems: Readonly<Record<string, string>> = { PHQ9: 'q9', EPDS: 'q10' };

const getPHQ9ChartsData = handle(contract.getPHQ9ChartsData, async (filters, ctx) => {
  const { scope, caller, now } = ctx;
  assertNotRestricted(caller);
  const { cuserid, formcode } = filters;
  const person = await trends.findPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const age = person.birthday ? ageOn(person.birthday, now) : null;
  ctx.audit({ minors: isMinor(age) });
  const form = await trends.findScale(scope, formcode);
  if (!form) throw problems.notFound({ what: '量表' });
  const scale = form.definition as Scale;
  const rows = await trends.findTests(scope, filters);
  const tests = rows.map(({ raw, ...row }): TrendTest => ({
    examcode: row.examcode,
    submittime: shanghaiTime(row.submittime),
    planname: row.planname ?? '',
    stagename: row.stagename ?? '',
    valid: row.valid === 1,
    scores: raw.scores,
    levels: raw.levels,
    labels: raw.labels,
    itemscores: raw.itemscores,
    hasalert: raw.alerts.length > 0,
  }));
  const measures = await trends.findMeasures(scope, cuserid);
  const events = measures.map(({ time, kind, place }) => ({
    time: shanghaiTime(time),
    label: kind === null ? `转介${place ? `（${place}）` : ''}` : InterfereKind.label(kind),
  }));
  const series = trendSeries(scale, tests, { events });
  const plannedRetest = await trends.findPlannedRetest(scope, cuserid);
  const last = rows.find((row) => row.examcode === comparable(tests, series.scorecode).at(-1)?.examcode);
  const due = plannedRetest?.duetime ?? (last && retestDue(last.submittime, last.retestdays));
  const harmItem = harmItems[formcode];
  const { warningcode, warninglevel, warningstate, birthday: _birthday, ...personFields } = person;
  return {
    cuser: {
      ...personFields,
      username: displayName(caller, personFields.username),
      age,
      warning: warningcode ? { warningcode, level: warninglevel ?? 0, state: warningstate ?? '' } : null,
    },
    formcode,
    formname: form.formname,
    recall: referencePeriodOf(scale),
    cutoffnote: cutoffNote([formcode], age),
    scorename: series.scorename,
    min: series.min,
    max: series.max,
    better: series.better,
    forms: await trends.countTests(scope, cuserid, contract.trendForms),
    points: series.points.map((point, index) => ({
      examcode: point.examcode,
      reportcode: rows.find((row) => row.examcode === point.examcode)?.reportcode ?? '',
      date: point.submittime,
      score: point.score,
      level: point.level,
      levelname: point.label,
      colour: point.colour,
      valid: point.valid ? 1 : 0,
      ring: point.ring ? 1 : 0,
      item9:
        harmItem && canReadAnswers(caller) ? (series.items.find((item) => item.code === harmItem)?.values[index] ?? null) : null,
      stagename: point.stagename,
      planname: point.planname,
    })),
    items: canReadAnswers(caller)
      ? series.items.map((item, index) => ({ no: index + 1, title: item.title, max: item.max, values: item.values }))
      : [],
    bands: series.bands.map((band): [number | null, number | null, number, string, string] => [
      band.min,
      band.max,
      band.level,
      band.label,
      band.colour,
    ]),
    change: series.change && toChange(series.change),
    events: series.events,
    nextretest: due ? shanghaiDate(due) : null,
  };
});

export const reportHandlers = [
  getCUserReportPageList,
  getCUserReport,
  getExamForms,
  getReportMaxTime,
  updateReport,
  showOrHiddenReport,
  getReportCount,
  getPHQ9ChartsData,
];
