import type { ContentRef } from '#domain/content/recommend.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { defaultNightLine } from '#domain/exam/hotline.ts';
import type { NarrativeFacts } from '#domain/report/commentary/commentary.ts';
import { canonical } from '#domain/report/commentary/commentary.ts';
import type { EarlierResult, FormFacts } from '#domain/scoring/condition.ts';
import { recordLevel } from '#domain/scoring/mentalState.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import type { ArchiveFacts, Population } from '#domain/person/populations.ts';
import { gestationText, populationOf } from '#domain/person/populations.ts';
import type { Answers, Cond, FormResult, Item, Level, Scale } from '#domain/scoring/scale.ts';
import type { TrendTest } from '#domain/report/trend.ts';
import { betterOf, changeOf, comparable } from '#domain/report/trend.ts';
import type { Reader } from '#domain/report/reader.ts';
import { personalLabelOf, readerOf } from '#domain/report/reader.ts';
import type { ReportTemplate } from '#domain/report/template/template.ts';
import type { ViolenceScreen } from '#domain/report/violence.ts';
import { violenceScreenOf } from '#domain/report/violence.ts';
import { isSameMajor } from '#domain/scoring/majorVersion.ts';
import { changeText } from '#domain/scoring/scaleEvidence.ts';

/** One questionnaire of the exam with its result. The report does not print forms without scores (registration, archive). */
export interface ReportForm {
  scale: Scale;
  result: FormResult;
  /** the answers, for the staff's item list and appendix */
  answers?: Answers;
  /** earlier exams of the same form, in any order; the report ignores invalid ones */
  previous?: readonly TrendTest[];
}

/** All facts of a report. Times are local to the institution, `YYYY-MM-DD HH:mm[:ss]`. */
export interface ReportFacts {
  reportcode: string;
  generatedat: string;
  institution: { insname: string; musercode?: string; hotline?: string; appointment?: string };
  person: { name: string; gender: '01' | '02' | null; age: number | null };
  exam: {
    examcode: string;
    appid: string;
    planname: string;
    stagename?: string | null;
    submittime: string;
    /** seconds */
    duration?: number | null;
    valid: boolean;
    invalidreason?: string | null;
    /** snapshot at submission, whole days */
    gestationaldays?: number | null;
  };
  archive?: ArchiveFacts;
  forms: readonly ReportForm[];
  /** articles, music and courses for this level; a report with a calm invitation does not print them */
  contents?: readonly { title: string; kind: string; ref?: ContentRef }[];
  verifyurl?: string;
  review?: { conclusion?: string | null; advice?: string | null; reviewer?: string | null; reviewtime?: string | null };
  /** the template of a custom report, as it was at submission */
  template?: ReportTemplate & { templatecode: string };
}

/** The short name of a form. */
export const shortNameOf = (scale: Scale): string => shortTitle(scale.title);

/** The primary scores of a form. */
export const primaryScores = (scale: Scale) => scale.scores.filter((score) => score.primary);

/** The score that represents a form: the primary score with the highest level. */
export const mainScore = ({ scale, result }: ReportForm) =>
  [...primaryScores(scale)].sort((a, b) => (result.levels[b.c] ?? -1) - (result.levels[a.c] ?? -1))[0];

/** The item codes of a condition, in order. */
export function itemCodesOf(cond: Cond): string[] {
  if ('all' in cond) return cond.all.flatMap(itemCodesOf);
  if ('any' in cond) return cond.any.flatMap(itemCodesOf);
  if ('not' in cond) return itemCodesOf(cond.not);
  return 'item' in cond ? [cond.item] : [];
}

/** The label of the answer to an item; null without an answer. */
export function answerText(scale: Scale, item: Item, answers: Answers | undefined): string | null {
  const answer = answers?.[item.c];
  if (answer === null || answer === undefined || answer === '') return null;
  const options = scale.optionsets[item.o ?? ''] ?? [];
  const label = (code: string): string => options.find(([optionCode]) => optionCode === code)?.[1] || code;
  return typeof answer === 'object' ? answer.map(label).join('、') : item.o ? label(String(answer)) : String(answer);
}

/** The figures of a report that the choice of texts needs. */
export interface Summary {
  population: Population;
  reader: Reader;
  violence: ViolenceScreen;
  /** false: the report replaces section 4 and explains no level */
  valid: boolean;
  invalidreason: string;
  overall: Level | null;
  /** highest level of the primary scores, without alerts */
  maxscorelevel: Level | null;
  hasalert: boolean;
  alerts: { form: ReportForm; code: string; level: number; msg: string; items: Item[] }[];
  /** level 3 or more, or an alert: the person's own version is the calm one */
  usesSupportiveText: boolean;
  lost: boolean;
  archive: ArchiveFacts;
}

/** Whether the person may not read the numbers of the form: it raised an alert or reached level 3. */
export const isWithheld = (form: ReportForm): boolean => form.result.alerts.length > 0 || (form.result.overalllevel ?? 0) >= 3;

/** Whether the report may explain the result of the form. */
export const isExplained = (facts: ReportFacts, form: ReportForm): boolean => facts.exam.valid && form.result.valid;

/** The summary of a report over the forms with scores. */
export function summarise(facts: ReportFacts): Summary {
  const scored = facts.forms.filter((form) => form.scale.scores.length > 0);
  const usable = scored.filter((form) => form.result.valid);
  const valid = facts.exam.valid && (usable.length > 0 || scored.length === 0);
  const overall = valid ? recordLevel(usable.map((form) => form.result)) : null;
  const levels = valid
    ? usable.flatMap((form) => primaryScores(form.scale).map((score) => form.result.levels[score.c] ?? null))
    : [];
  const knownLevels = levels.filter((level): level is Level => level !== null);
  const alerts = scored.flatMap((form) =>
    form.result.alerts.map((code) => {
      // The reader must see the alert even if the definition no longer has its code.
      const def = form.scale.alerts?.find((alert) => alert.c === code);
      const codes = def ? itemCodesOf(def.when) : [];
      const items = form.scale.items.filter((item) => codes.includes(item.c));
      return {
        form,
        code,
        level: def?.level ?? form.result.alertlevel,
        msg: def?.msg ?? `${shortNameOf(form.scale)}关键条目阳性`,
        items,
      };
    }),
  );
  const hasalert = scored.some((form) => form.result.alerts.length > 0);
  const broken = scored.flatMap((form) =>
    (form.scale.validity ?? [])
      .filter((rule) => rule.action === 'invalid' && form.result.flags.includes(rule.c))
      .map((rule) => rule.msg),
  );
  const gradename = facts.archive?.gradename;
  return {
    population: populationOf(facts.exam.appid),
    reader: readerOf(facts.exam.appid, {
      age: facts.person.age,
      gradename: typeof gradename === 'string' ? gradename : null,
    }),
    violence: violenceScreenOf(facts),
    valid,
    invalidreason: facts.exam.invalidreason || broken[0] || '效度检查未通过',
    overall,
    maxscorelevel: knownLevels.length ? knownLevels.reduce((a, b) => (b > a ? b : a)) : null,
    hasalert,
    alerts: alerts.sort((a, b) => b.level - a.level),
    usesSupportiveText: hasalert || (overall ?? 0) >= 3,
    lost: canonical(facts.archive?.babyoutcome as string | undefined) === '04',
    archive: archiveOf(facts),
  };
}

/** The archive with the derived field 孕周/产后天数. */
function archiveOf(facts: ReportFacts): ArchiveFacts {
  const archive = facts.archive ?? {};
  const delivered = typeof archive.deliverydate === 'string' ? daysBetween(archive.deliverydate, facts.exam.submittime) : null;
  if (delivered !== null && delivered >= 0) return { ...archive, gestation: `产后${delivered}天` };
  const days = facts.exam.gestationaldays;
  return days == null ? archive : { ...archive, gestation: gestationText(days) };
}

/** The number of whole calendar days between two local times. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000);

/** The present exam as a point of the trend. */
export const toTrendTest = (facts: ReportFacts, form: ReportForm): TrendTest => ({
  examcode: facts.exam.examcode,
  submittime: facts.exam.submittime,
  planname: facts.exam.planname,
  ...(facts.exam.stagename ? { stagename: facts.exam.stagename } : {}),
  valid: isExplained(facts, form),
  scores: form.result.scores,
  levels: form.result.levels,
  labels: form.result.labels,
  itemscores: form.result.itemscores,
  formversion: form.scale.version,
  hasalert: form.result.alerts.length > 0,
});

/** The valid exams before this one with that score, oldest first. */
export const earlierExams = (facts: ReportFacts, form: ReportForm, scorecode: string): TrendTest[] =>
  comparable(
    (form.previous ?? []).filter((test) => test.examcode !== facts.exam.examcode && test.submittime < facts.exam.submittime),
    scorecode,
  );

/** The last valid exam before this one with that score, in the same major version of the form. */
export const previousExam = (facts: ReportFacts, form: ReportForm, scorecode: string): TrendTest | undefined =>
  earlierExams(facts, form, scorecode)
    .filter((test) => isSameMajor(test.formversion, form.scale.version))
    .at(-1);

/** The alert messages, joined up to the length of a paragraph. */
function alertMessages(summary: Summary): string {
  let text = '';
  let count = 0;
  for (const { msg } of summary.alerts) {
    if (text && text.length + msg.length > 70) break;
    text += `${text ? '；' : ''}${msg}`;
    count++;
  }
  return count < summary.alerts.length ? `${text}等${summary.alerts.length}项` : text;
}

/**
 * The facts of the narrative engine for one audience. For `self` they lack the numbers of withheld forms, so no row that quotes
 * such a number can match. `focus` sets the `form.*` facts for the sections about one form.
 */
export function narrativeFacts(
  facts: ReportFacts,
  summary: Summary,
  audience: 'self' | 'staff',
  focus?: ReportForm,
): NarrativeFacts {
  const placeholders: Record<string, string> = {
    call: summary.reader.call,
    person: summary.population.person,
    hotline: facts.institution.hotline || '12356',
    nightline: defaultNightLine,
  };
  const names: Record<string, string> = {};
  const forms: Record<string, FormFacts> = {};
  const history: EarlierResult[] = [];
  const person: Record<string, string | number | boolean | null> = {
    age: facts.person.age,
    gender: facts.person.gender,
    overall: summary.overall,
    hasalert: summary.hasalert ? 1 : 0,
    maxscorelevel: summary.maxscorelevel,
    assessed: summary.overall === null ? 0 : 1,
  };
  for (const [field, value] of Object.entries(summary.archive)) {
    if (Array.isArray(value)) {
      person[`archive.${field}`] = value.join('、');
      person[`archive.${field}.count`] = value.length;
    } else person[`archive.${field}`] = canonical(value as string | number | boolean | null | undefined);
  }
  const words: Record<string, Readonly<Record<string, string>>> = {};
  for (const { code, title, kind, choices } of archiveFieldsOf[facts.exam.appid] ?? []) {
    names[`archive.${code}`] = `档案“${title}”`;
    if (kind === 'list') names[`archive.${code}.count`] = `档案“${title}”的项数`;
    if (kind === 'yesno') words[`archive.${code}`] = { '1': '是', '0': '否' };
    if (choices) words[`archive.${code}`] = Object.fromEntries(choices);
  }
  if (summary.overall !== null) placeholders.overall = String(summary.overall);
  if (facts.exam.stagename && !summary.lost) placeholders.stage = facts.exam.stagename;
  if (facts.exam.gestationaldays != null && !summary.lost)
    placeholders.weeks = String(Math.floor(facts.exam.gestationaldays / 7));
  const recall = commonRecall(facts);
  if (recall) placeholders.recall = recall.replace(/^(过去|最近)/, '近');
  if (audience === 'staff' && summary.alerts.length) placeholders.alertmsgs = alertMessages(summary);

  for (const form of facts.forms) {
    const { scale, result } = form;
    const code = scale.formcode;
    const explained = summary.valid && isExplained(facts, form);
    names[code] = shortNameOf(scale);
    scale.items.forEach((item, index) => (names[`${code}.${item.c}`] = `第${index + 1}题`));
    forms[code] = explained ? result : { scores: {}, levels: {}, itemscores: {}, alerts: result.alerts };
    if (!explained) continue;
    const hasDetails = audience === 'staff' || !isWithheld(form);
    for (const score of scale.scores) {
      const key = `${code}.${score.c}`;
      const value = result.scores[score.c];
      const last = previousExam(facts, form, score.c)?.scores[score.c];
      names[key] = score.n;
      if (!hasDetails) continue;
      if (value != null) placeholders[`score.${key}`] = String(value);
      const label = labelOf(form, score.c, audience);
      if (label) placeholders[`level.${key}`] = label;
      if (value == null || last == null) continue;
      placeholders[`last.${key}`] = String(last);
      placeholders[`delta.${key}`] = formatSigned(value - last);
      placeholders[`absdelta.${key}`] = formatRounded(Math.abs(value - last));
    }
    if (hasDetails)
      for (const [item, value] of Object.entries(result.itemscores))
        if (value !== null) placeholders[`item.${code}.${item}`] = String(value);
    for (const test of comparable(form.previous ?? [], primaryScores(scale)[0]?.c ?? '')) {
      const isJoined = isSameMajor(test.formversion, scale.version);
      if (isJoined && test.submittime < facts.exam.submittime && test.examcode !== facts.exam.examcode) {
        history.push({ form: code, daysago: daysBetween(test.submittime, facts.exam.submittime), scores: test.scores });
      }
    }
  }
  if (focus) focusOn(facts, focus, audience, person, placeholders);
  // The latest exam comes first, also when two exams have the same day.
  history.reverse();
  return {
    appid: facts.exam.appid,
    call: summary.reader.call,
    isChild: audience === 'self' && summary.reader.isChild,
    violence: summary.violence,
    placeholders,
    names,
    words,
    forms,
    history,
    person,
    valid: summary.valid,
    flags: facts.forms.flatMap((form) => form.result.flags),
  };
}

function focusOn(
  facts: ReportFacts,
  form: ReportForm,
  audience: 'self' | 'staff',
  person: Record<string, string | number | boolean | null>,
  placeholders: Record<string, string>,
): void {
  const { scale, result } = form;
  const main = mainScore(form);
  const value = main ? (result.scores[main.c] ?? null) : null;
  const scoredItems = scale.items.filter((item) => item.scored !== false && (item.type ?? 1) !== 0);
  person['form.level'] = main ? (result.levels[main.c] ?? null) : null;
  person['form.scored'] = main && value === null ? 0 : 1;
  person['form.withheld'] = isWithheld(form) ? 1 : 0;
  person['form.notapplicable'] =
    scoredItems.length > 0 && scoredItems.every((item) => result.notapplicable.includes(item.c)) ? 1 : 0;
  placeholders['form.title'] = shortNameOf(scale);
  if (!main || value === null || (audience === 'self' && isWithheld(form))) return;
  placeholders['form.score'] = String(value);
  const label = labelOf(form, main.c, audience);
  if (label) placeholders['form.level'] = label;
  const compared = primaryScores(scale)[0];
  const now = compared ? result.scores[compared.c] : null;
  const last = compared ? previousExam(facts, form, compared.c)?.scores[compared.c] : null;
  if (!compared || now == null || last == null) return;
  const change = changeOf({ formcode: scale.formcode, scorecode: compared.c }, last, now, betterOf(scale, compared.c));
  person['form.delta'] = change.delta;
  person['form.meaning'] = change.meaning;
  person['form.changereached'] = change.findings.some((finding) => finding.isReached) ? 1 : 0;
  placeholders['form.now'] = formatRounded(now);
  placeholders['form.last'] = formatRounded(last);
  placeholders['form.delta'] = formatSigned(change.delta);
  placeholders['form.absdelta'] = formatRounded(change.absdelta);
  placeholders['form.direction'] = change.label;
  placeholders['form.changetext'] = changeText(change.findings);
}

/** The label of a score: the clinical one for staff, the person's own one for the person. */
function labelOf({ result }: ReportForm, scorecode: string, audience: 'self' | 'staff'): string | null {
  const label = result.labels[scorecode] ?? null;
  return label === null || audience === 'staff' ? label : personalLabelOf(result.levels[scorecode] ?? null);
}

/** The reference period of all questionnaires of the exam, or 近期 when they differ; undefined when none has a period. */
function commonRecall({ forms }: ReportFacts): string | undefined {
  const recalls = new Set(
    forms.flatMap(({ scale }) => (scale.recall && scale.formtype === '01' && scale.scores.length ? [scale.recall] : [])),
  );
  return recalls.size > 1 ? '近期' : [...recalls][0];
}

/** The number with at most one decimal, which hides binary rounding errors. */
export const formatRounded = (value: number): string => String(Math.round(value * 10) / 10);
/** The rounded number, with + for a positive one. */
export const formatSigned = (value: number): string => `${value > 0 ? '+' : ''}${formatRounded(value)}`;
