import { expand } from '#domain/scoring/condition.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import { itemCodesOf } from '#domain/report/report.facts.ts';
import type { Answers, FormResult, Level, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';
import { jobReasons, runRules, type RuleContext, type WarningRule } from '#domain/warning/platformRules.ts';
import { triggerFromForms, type WarningTrigger } from '#domain/warning/warningtrigger.ts';
import { scoreExam, type ExamForm } from '#domain/exam/exam.ts';
import { visibleItems } from '#domain/exam/questionFlow.ts';

/** What the answers of a sitting say that nobody submitted. All functions are pure. */

/** Alerts about self-harm; also the observed talk of death and the hopelessness of the GDS-15 (clinical-rules.md, News). */
const SELF_HARM = /^(SI|SELFHARM)\d?$|^ASQ|^DEATHTALK$|^HOPELESS$/;

/** The codes of the items about self-harm. */
export const selfHarmItems = (scale: Scale): string[] => [
  ...new Set(
    (scale.alerts ?? [])
      .filter((alert) => SELF_HARM.test(alert.c))
      .flatMap((alert) => itemCodesOf(alert.when))
      .flatMap((code) => expand(code, scale.items)),
  ),
];

/** Whether the person stopped at an item about self-harm: it is the next one to answer, or its answer was emptied. */
export function isStoppedAtSelfHarm({ scale, answers }: Pick<ExamForm, 'scale' | 'answers'>, person: PersonFacts): boolean {
  const items = selfHarmItems(scale);
  if (items.some((code) => code in answers && isUnanswered(answers[code]))) return true;
  const open = visibleItems(scale, answers, person).find((item) => item.required !== false && isUnanswered(answers[item.c]));
  const hasBegun = scale.items.some((item) => !isUnanswered(answers[item.c]));
  return hasBegun && open !== undefined && items.includes(open.c);
}

const pointsScales = new WeakMap<Scale, Scale>();

/**
 * The result by the answered points alone: a sum counts missing items as 0, so the true score is at least as high. A score whose high
 * values are good would fall instead; it stays null.
 */
export function scoreAnsweredPoints(scale: Scale, answers: Answers, person: PersonFacts): FormResult | null {
  let points = pointsScales.get(scale);
  if (!points) {
    const scores = scale.scores.map((def) =>
      def.op === 'sum' && def.better !== 'high' && !isSourceOfGoodScore(scale, def.c)
        ? { ...def, miss: { max: scale.items.length, how: 'zero' as const } }
        : def,
    );
    points = { ...scale, scores };
    pointsScales.set(scale, points);
  }
  const outcome = score(points, answers, person);
  return outcome.kind === 'invalid' ? null : outcome;
}

const isSourceOfGoodScore = (scale: Scale, code: string) => scale.scores.some((def) => def.ref === code && def.better === 'high');

/** The highest level of primary scores and alerts, also of a form that is not valid. */
export const highestLevel = (forms: readonly { scale: Scale; result: FormResult }[]): number =>
  Math.max(
    0,
    ...forms.flatMap(({ scale, result }) => [
      result.alertlevel,
      ...scale.scores.filter((def) => def.primary).map((def) => result.levels[def.c] ?? 0),
    ]),
  );

/** The judgement of the open sheets of one sitting. */
export interface OpenSheetJudgement {
  /** null: the answers call for no case */
  trigger: WarningTrigger | null;
  /** the person stopped at an item about self-harm */
  isStopped: boolean;
  /** a doubtful answer pattern with a level of 3 or more: scores raise nothing, staff look at the sheet */
  isDoubtful: boolean;
}

/**
 * Judges sheets that nobody submitted, as far as the missing rule of each form allows; where it gives no score, by the answered points
 * alone. `rules`, `history` and `minlevel` are those of a submission.
 */
export function judgeOpenSheets(
  forms: readonly ExamForm[],
  person: PersonFacts,
  context: RuleContext & { rules: readonly WarningRule[]; minlevel: 1 | 2 },
): OpenSheetJudgement {
  const begun = forms.filter(({ scale, answers }) => scale.items.some((item) => item.c in answers));
  const exam = scoreExam(begun, person, null);
  const rules = exam.valid ? context.rules : [];
  const results = Object.fromEntries(exam.forms.map(({ scale, result }) => [scale.formcode, { scale, result }]));
  const scored = triggerFromForms(results, { ...context, rules, person });
  const stopped = begun.filter((form) => isStoppedAtSelfHarm(form, person));
  const points = Object.fromEntries(
    begun.flatMap(({ scale, answers }) => {
      const result = scoreAnsweredPoints(scale, answers, person);
      return result ? [[scale.formcode, result] as const] : [];
    }),
  );
  const reasons = [
    ...(hasUnfollowedForm(forms, results, person) ? [jobReasons.unfollowed] : []),
    ...(stopped.some(({ scale }) => reachesLevel(scale, points[scale.formcode], 1)) ? [jobReasons.stopped] : []),
    ...(exam.valid &&
    runRules(rules, pointsWithoutScore(exam.forms, points), context).warninglevel >= 2 &&
    (scored?.level ?? 0) < 2
      ? [jobReasons.points]
      : []),
  ];
  const isStopped = stopped.length > 0;
  const isDoubtful = !exam.valid && highestLevel(exam.forms) >= 3;
  if (!scored && reasons.length === 0) return { trigger: null, isStopped, isDoubtful };
  const level = Math.max(scored?.level ?? 0, reasons.length > 0 ? 2 : 0) as WarningTrigger['level'];
  return {
    trigger: {
      source: '01',
      level,
      itemtrigger: (scored?.itemtrigger ?? false) || reasons.includes(jobReasons.stopped),
      rulecodes: [...(scored?.rulecodes ?? []), ...reasons.map((reason) => reason.c)],
      rulenames: scored?.rulenames ?? {},
      alerts: scored?.alerts ?? [],
      alertmsgs: [...(scored?.alertmsgs ?? []), ...reasons.map((reason) => reason.n), '未交卷：按已作答部分判断'],
    },
    isStopped,
    isDoubtful,
  };
}

/** The answered points of the forms that have no primary score, because too many answers are missing. */
function pointsWithoutScore(
  forms: readonly { scale: Scale; result: FormResult }[],
  points: Readonly<Record<string, FormResult>>,
): Record<string, FormResult> {
  const withoutScore = forms.filter(({ scale, result }) =>
    scale.scores.filter((def) => def.primary).every((def) => result.scores[def.c] === null),
  );
  return Object.fromEntries(
    withoutScore.flatMap(({ scale: { formcode } }) => (points[formcode] ? [[formcode, points[formcode]]] : [])),
  );
}

function reachesLevel(scale: Scale, result: FormResult | undefined, level: Level): boolean {
  return result !== undefined && highestLevel([{ scale, result: { ...result, alertlevel: 0 } }]) >= level;
}

/** PHQ-2 or GAD-2 is positive, and the form that must follow is absent or incomplete. */
function hasUnfollowedForm(
  forms: readonly ExamForm[],
  results: Readonly<Record<string, { scale: Scale; result: FormResult }>>,
  person: PersonFacts,
): boolean {
  return ['PHQ2', 'GAD2'].some((code) => {
    const short = results[code];
    if (!short) return false;
    return nextForms(short.scale, short.result, person).some((formcode) => {
      const next = forms.find(({ scale }) => scale.formcode === formcode);
      return !next || score(next.scale, next.answers, person).kind !== 'scored';
    });
  });
}
