import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { comparable, trendSeries, type Change, type TrendTest } from '#domain/report/trend.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { changeText, cutoffNote, findingWords, referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import { retestDue } from '#domain/warning/deadline.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { assertNotRestricted, isMinor } from '#features/report/reportRow.ts';
import * as contract from '#features/trend/trend.contract.ts';
import * as trends from '#features/trend/trend.queries.ts';

const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));

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

/** The form that the page shows first: PHQ-9, otherwise the one with most exams. */
const chooseForm = (forms: readonly { formcode: string; tests: number }[]): string =>
  (forms.find(({ formcode }) => formcode === 'PHQ9') ?? [...forms].sort((a, b) => b.tests - a.tests)[0])?.formcode ?? 'PHQ9';

/** The scores of a form that a trend shows. */
const mainScores = (scale: Scale) => scale.scores.filter((score) => score.primary);

/** The self-harm item of a form, when it has one. */
const harmItems: Readonly<Record<string, string>> = { PHQ9: 'q9', EPDS: 'q10' };

const getPHQ9ChartsData = handle(contract.getPHQ9ChartsData, async (filters, ctx) => {
  const { scope, caller, now } = ctx;
  assertNotRestricted(caller);
  const { cuserid } = filters;
  const person = await trends.findPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const age = person.birthday ? ageOn(person.birthday, now) : null;
  ctx.audit({ minors: isMinor(age) });
  const forms = await trends.countTests(scope, cuserid);
  const formcode = filters.formcode ?? chooseForm(forms);
  const form = await trends.findScale(scope, formcode);
  if (!form) throw problems.notFound({ what: '量表' });
  const scale = form.definition as Scale;
  const rows = await trends.findTests(scope, { ...filters, formcode });
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
    formversion: row.formversion,
    isWithdrawn: row.versionstatus === 3,
  }));
  const measures = await trends.findMeasures(scope, cuserid);
  const events = measures.map(({ time, kind, place }) => ({
    time: shanghaiTime(time),
    label: kind === null ? `转介${place ? `（${place}）` : ''}` : InterfereKind.label(kind),
  }));
  const scores = mainScores(scale);
  const scorecode = scores.find((score) => score.c === filters.scorecode)?.c ?? scores[0]?.c;
  const series = trendSeries(scale, tests, { ...(scorecode ? { scorecode } : {}), events });
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
    scores: scores.map((score) => ({ scorecode: score.c, scorename: score.n })),
    scorecode: series.scorecode,
    scorename: series.scorename,
    min: series.min,
    max: series.max,
    better: series.better,
    forms,
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
      formversion: tests.find((test) => test.examcode === point.examcode)?.formversion ?? '',
      isbreak: point.isBreak ? 1 : 0,
      iswithdrawn: point.isWithdrawn ? 1 : 0,
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

export const trendHandlers = [getPHQ9ChartsData];
