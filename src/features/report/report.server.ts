import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { retestDue } from '#domain/warning/deadline.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { showObstacle } from '#domain/report/review/obstacles.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { changeText, cutoffNote, findingWords, referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import { comparable, trendSeries, type Change, type TrendTest } from '#domain/report/trend.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { assertNotRestricted, isMinor, toFilters, toReportRow, withColour } from '#features/report/reportRow.ts';
import { readReport } from '#features/report/readReport.ts';
import { lockReports, refusalsOf } from '#features/report/review/lockReports.ts';
import * as trends from '#features/report/trend.queries.ts';

const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));

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
