import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { retestDue } from '#domain/warning/deadline.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { withMaskedName, withReview } from '#domain/report/report.review.ts';
import type { Level, Scale } from '#domain/scoring/scale.ts';
import { comparable, trendSeries, type TrendTest } from '#domain/report/trend.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName, canReadNames } from '#server/security/privacy.ts';
import * as contract from '#features/report/report.contract.ts';
import * as queries from '#features/report/report.queries.ts';
import { reportText } from '#features/report/renderReport.ts';
import * as trends from '#features/report/trend.queries.ts';

/** Class teachers and ward nurses hold the crisis screen for their own pupils, never scores or answers. */
function assertNotRestricted(caller: Staff) {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
}
/** Readings of minors are marked in the trail. */
const isMinor = (age: number | null) => age !== null && age < 18;
const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));

const withColour = <Q extends { level: number | null; levelname: string | null }>(quota: Q) => ({
  ...quota,
  levelname: quota.levelname ?? '',
  colour: colourOf(quota.level as Level | null).hex,
});

function rowOf(caller: Staff, row: queries.ReportRecord) {
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
  const { total, rows } = await queries.findReports(scope, { ...filters, phonehash });
  return { total, rows: rows.map((row) => rowOf(caller, row)) };
});

const getCUserReport = handle(contract.getCUserReport, async (which, ctx) => {
  const { scope, caller } = ctx;
  assertNotRestricted(caller);
  const report = await queries.findReport(scope, which);
  if (!report) throw problems.notFound({ what: '报告' });
  const text = await reportText(scope, report.reportcode);
  const { conclusion, advice, reviewby, reviewtime, reviewername, version, ...row } = report;
  ctx.audit({ cuserids: [row.cuserid], objectid: row.reportcode, minors: isMinor(row.age) });
  const review = {
    conclusion: conclusion ?? '',
    advice: advice ?? '',
    reviewer: reviewername ?? reviewby ?? '',
    reviewtime: reviewtime && shanghaiTime(reviewtime),
  };
  const named = (content: ReportContent) => (canReadNames(caller) ? content : withMaskedName(content));
  const whole = withReview(text.staff, review);
  return {
    report: rowOf(caller, row),
    staff: named(canReadAnswers(caller) ? whole : withoutAnswers(whole)),
    self: named(text.self),
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
  const after = await queries.changeReport(scope, reportcode, version, changes);
  if (!after) {
    const report = await queries.findReport(scope, { reportcode });
    if (!report) throw problems.notFound({ what: '报告' });
    // What the other one wrote travels along, so that nobody has to retype.
    throw problems.changedMeanwhile(undefined, {
      data: { version: report.version, conclusion: report.conclusion ?? '', advice: report.advice ?? '' },
    });
  }
  ctx.audit({
    cuserids: [after.cuserid],
    objectid: reportcode,
    detail: { changed: Object.keys(texts), ...(status ? { status } : {}) },
  });
  return after;
});

const showOrHiddenReport = handle(contract.showOrHiddenReport, async ({ reportcodes, isshow }, ctx) => {
  assertNotRestricted(ctx.caller);
  const askedReportcodes = [...new Set(reportcodes)];
  const rows = await queries.showReports(ctx.scope, askedReportcodes, isshow, ctx.now);
  if (rows.length !== askedReportcodes.length) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [...new Set(rows.map((row) => row.cuserid))], detail: { reportcodes: askedReportcodes, isshow } });
  return { updated: rows.length };
});

const getReportCount = handle(contract.getReportCount, async ({ cuserid, cuserids = [] }, { scope }) => {
  const ids = [...new Set([...cuserids, ...(cuserid ? [cuserid] : [])])];
  const rows = ids.length ? await queries.countReports(scope, ids) : [];
  return ids.map((text) => rows.find((row) => row.cuserid === text) ?? { cuserid: text, reportcount: 0, showcount: 0 });
});

/** The self-harm question of a form, where it has one. */
const harmItem: Readonly<Record<string, string>> = { PHQ9: 'q9', EPDS: 'q10' };

const getPHQ9ChartsData = handle(contract.getPHQ9ChartsData, async (ids, ctx) => {
  const { scope, caller, now } = ctx;
  assertNotRestricted(caller);
  const { cuserid, formcode } = ids;
  const person = await trends.findPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const age = person.birthday ? ageOn(person.birthday, now) : null;
  ctx.audit({ minors: isMinor(age) });
  const form = await trends.findScale(scope, formcode);
  if (!form) throw problems.notFound({ what: '量表' });
  const scale = form.definition as Scale;
  const rows = await trends.findTests(scope, ids);
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
  const planned = await trends.findPlannedRetest(scope, cuserid);
  const last = rows.find((row) => row.examcode === comparable(tests, series.scorecode).at(-1)?.examcode);
  const due = planned?.duetime ?? (last && retestDue(last.submittime, last.retestdays));
  const harm = harmItem[formcode];
  const { warningcode, warninglevel, warningstate, birthday: _birthday, ...who } = person;
  return {
    cuser: {
      ...who,
      username: displayName(caller, who.username),
      age,
      warning: warningcode ? { warningcode, level: warninglevel ?? 0, state: warningstate ?? '' } : null,
    },
    formcode,
    formname: form.formname,
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
      item9: harm && canReadAnswers(caller) ? (series.items.find((item) => item.code === harm)?.values[index] ?? null) : null,
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
    change: series.change && {
      ...series.change,
      reliablechange: series.change.meaningful === null ? null : series.change.meaningful ? 1 : 0,
    },
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
