import { colourOf } from '#domain/scoring/mentalState.ts';
import type { SectionContent, SectionContext, KV } from '#domain/report/report.blocks.ts';
import {
  fixedParagraph,
  keyValueBlocks,
  toKeyValues,
  readableForms,
  chooseSentences,
  textBlock,
  toParagraph,
} from '#domain/report/report.blocks.ts';
import type { Block, Paragraph } from '#domain/report/report.content.ts';
import type { ReportForm } from '#domain/report/report.facts.ts';
import {
  answerText,
  earlierExams,
  toTrendTest,
  isExplained,
  isWithheld,
  previousExam,
  mainScore,
  primaryScores,
  formatRounded,
  shortNameOf,
} from '#domain/report/report.facts.ts';
import { quotasOf } from '#domain/scoring/scales/library.ts';
import { personalBandsOf, personalLabelOf } from '#domain/report/reader.ts';
import { changeText, cutoffNote, evidenceOf, plainChangeText, referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import type { TrendBand, TrendTest } from '#domain/report/trend.ts';
import { isTrue } from '#domain/scoring/condition.ts';
import { BREAK_WORDS, isSameMajor } from '#domain/scoring/majorVersion.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { bandsOf, betterOf, changeOf, comparable } from '#domain/report/trend.ts';

/** The title of the answers that staff should ask about. */
export const HIGHLIGHTS_TITLE = '值得询问的条目';
/** The labels of the reference period and of the licence line. */
export const PERIOD_LABEL = '参考期';
export const LICENCE_LABEL = '版权说明';

/** Section 5: each form with its comment, bars, radar, notes for staff and reference range. */
export function buildForms(context: SectionContext): SectionContent {
  const blocks = readableForms(context).flatMap((form): Block[] => {
    if (!context.summary.valid || !isExplained(context.facts, form)) {
      if (context.audience === 'self')
        return context.summary.valid
          ? [
              textBlock(
                fixedParagraph(context, 'FM_INVALID', '这份量表的效度检查未通过', unexplainedText(context)),
                shortNameOf(form.scale),
              ),
            ]
          : [];
      const raw = form.scale.scores.map((score): KV => ({
        label: score.n,
        value: String(form.result.scores[score.c] ?? '未计分'),
      }));
      return keyValueBlocks([{ label: '结果', value: '无效问卷，得分仅存档，不作解释' }, ...raw], shortNameOf(form.scale));
    }
    const sentences = chooseSentences(context, 'form', form);
    const comments = sentences.length ? sentences : chooseSentences(context, 'formdefault', form);
    const withheld = context.audience === 'self' && isWithheld(form);
    const title = isChildReader(context) ? shortNameOf(form.scale) : form.scale.title;
    return [
      ...comments.map((comment, index) => textBlock(toParagraph(context, comment), index === 0 ? title : undefined)),
      ...(withheld ? [] : scoreBlocks(context, form)),
      ...(context.audience === 'staff' ? staffNotes(context, form) : []),
      ...reference(context, form, withheld),
    ];
  });
  return { title: '各量表结果', blocks: [...blocks, ...youthNote(context)] };
}

/** Whether this version is for a pupil of primary school. */
const isChildReader = ({ audience, summary }: SectionContext): boolean => audience === 'self' && summary.reader.isChild;

const unexplainedText = (context: SectionContext): string =>
  isChildReader(context) ? '这份问卷先不作说明。' : '这份问卷的作答效度不足，不作解释。';

/** The bands of a score in the words of the audience. */
const bandsFor = ({ audience }: SectionContext, form: ReportForm, scorecode: string): TrendBand[] =>
  audience === 'self' ? personalBandsOf(bandsOf(form.scale, scorecode)) : bandsOf(form.scale, scorecode);

function scoreBlocks(context: SectionContext, form: ReportForm): Block[] {
  const { scale, result } = form;
  const quotas = quotasOf(scale);
  const isChild = isChildReader(context);
  const scores = isChild ? [mainScore(form)].filter((score) => score !== undefined) : primaryScores(scale);
  const bars = scores.map((score): Block => {
    const quota = quotas.find((candidate) => candidate.scorecode === score.c);
    const level = result.levels[score.c] ?? null;
    return {
      type: 'score',
      formcode: scale.formcode,
      scorecode: score.c,
      name: isChild ? '得分' : score.n,
      score: result.scores[score.c] ?? null,
      level,
      label: context.audience === 'self' ? personalLabelOf(level) : (result.labels[score.c] ?? '未计分'),
      colour: colourOf(level).hex,
      min: quota?.minscore ?? null,
      max: quota?.maxscore ?? null,
      better: betterOf(scale, score.c),
      bands: bandsFor(context, form, score.c),
    };
  });
  const axes = quotas.flatMap((quota) => {
    const value = result.scores[quota.scorecode];
    if (quota.kind !== '02' || value == null || quota.minscore === null || quota.maxscore === null) return [];
    return [{ name: quota.quotaname, value, min: quota.minscore, max: quota.maxscore }];
  });
  return isChild || axes.length < 3 ? bars : [...bars, { type: 'radar', formcode: scale.formcode, title: '各维度得分', axes }];
}

/** The notes for staff: secondary scores, highlight sentences, and answers in the top third of their range. */
function staffNotes(context: SectionContext, form: ReportForm): Block[] {
  const { scale, result } = form;
  const secondary = scale.scores.filter((score) => !score.primary && result.scores[score.c] != null);
  const highest = scale.items
    .flatMap((item) => {
      const value = result.itemscores[item.c];
      const options = (scale.optionsets[item.o ?? ''] ?? []).flatMap(([, , points]) => (points === null ? [] : [points]));
      const [low, high] = [Math.min(...options), Math.max(...options)];
      const share = value == null || item.scored === false || !(high > low) ? 0 : (value - low) / (high - low);
      return share >= 2 / 3 - 1e-9 ? [{ item, share, value }] : [];
    })
    .sort((a, b) => b.share - a.share)
    .slice(0, 3);
  const better = betterOf(scale, primaryScores(scale)[0]?.c ?? '');
  const lines: Paragraph[] = [
    ...chooseSentences(context, 'highlight', form).map((sentence) => toParagraph(context, sentence)),
    ...(better === 'high' ? [] : highest).map(({ item, value }) => {
      const answer = answerText(scale, item, form.answers);
      const quotation = `${item.t || item.c}：${answer ? `${answer}，` : ''}${value}分`;
      // A quotation has no comment id: `withViolenceFound` keeps it.
      return { ...fixedParagraph(context, 'HL_TOP', '这一题的得分在其范围的上三分之一', quotation), commentids: [] };
    }),
  ];
  return [
    ...keyValueBlocks(
      secondary.map((score) => ({
        label: score.n,
        value: `${result.scores[score.c]}${result.labels[score.c] ? `（${result.labels[score.c]}）` : ''}`,
      })),
    ),
    ...(lines.length ? [{ type: 'list' as const, title: HIGHLIGHTS_TITLE, items: lines }] : []),
  ];
}

const spanText = (min: number | null, max: number | null, isHalfOpen: boolean): string => {
  if (min === null) return `<${max}`;
  if (max === null) return `≥${min}`;
  if (min === max) return String(min);
  return isHalfOpen ? `${min}≤且<${max}` : `${min}–${max}`;
};

/**
 * The reference period, the ranges, the sources and the licence line of a form. A withheld form has no ranges. A pupil of
 * primary school reads the licence line only.
 */
function reference(context: SectionContext, form: ReportForm, withheld: boolean): Block[] {
  const { scale } = form;
  const licence = toKeyValues([[LICENCE_LABEL, scale.licencetext]]);
  const isStaff = context.audience === 'staff';
  if (isChildReader(context)) return keyValueBlocks(licence);
  const evidence = evidenceOf(scale.formcode);
  const ranges = (withheld ? [] : primaryScores(scale)).map((score): KV => {
    const bands = bandsFor(context, form, score.c).map(
      ({ min, max, label }) => `${spanText(min, max, scale.bandmode?.[score.c] === 'halfopen')} ${label}`,
    );
    return { label: `${score.n}参考范围`, value: bands.join('；') };
  });
  const period = `${referencePeriodOf(scale)}${isStaff && evidence ? `（${evidence.recallsource}）` : ''}`;
  return keyValueBlocks([
    { label: PERIOD_LABEL, value: period },
    ...ranges,
    ...toKeyValues([['参考文献', withheld ? null : scale.citation]]),
    ...licence,
  ]);
}

/** The note on adult cut-offs below 18. A person who reads no score of a form reads no number of its cut-offs either. */
function youthNote(context: SectionContext): Block[] {
  const { facts, summary, audience } = context;
  if (!summary.valid) return [];
  const shown = readableForms(context).filter((form) => isExplained(facts, form) && !(audience === 'self' && isWithheld(form)));
  const note = cutoffNote(
    shown.map(({ scale }) => scale.formcode),
    facts.person.age,
  );
  if (!note) return [];
  const isShort = isChildReader(context) || (audience === 'self' && summary.usesSupportiveText);
  const text = isShort ? '参考范围来自成人研究，以面谈为准。' : note;
  return [textBlock(fixedParagraph(context, 'FM_YOUTH', `年龄为${facts.person.age}，界值来自成人研究`, text))];
}

/** Whether a test raised an alert. Earlier tests keep their item scores, and the alerts of the form judge them. */
const hadAlert = (scale: Scale, { hasalert, itemscores, scores, levels }: TrendTest): boolean =>
  hasalert ?? (scale.alerts ?? []).some(({ when }) => isTrue(when, { itemscores: itemscores ?? {}, scores, levels }));

/** Section 6: the change of each form since its last valid exam. */
export function buildCompare(context: SectionContext): SectionContent {
  if (!context.summary.valid) return { title: '与上次比较', blocks: [] };
  const blocks = readableForms(context).flatMap((form): Block[] => {
    const { scale, result } = form;
    const score = primaryScores(scale)[0];
    const now = score ? result.scores[score.c] : null;
    const before = score ? previousExam(context.facts, form, score.c) : undefined;
    const last = score ? before?.scores[score.c] : null;
    const isBroken =
      score !== undefined && !isSameMajor(earlierExams(context.facts, form, score.c).at(-1)?.formversion, form.scale.version);
    const mark = isBroken ? keyValueBlocks([{ label: shortNameOf(scale), value: BREAK_WORDS }]) : [];
    if (
      !score ||
      now == null ||
      last == null ||
      !isExplained(context.facts, form) ||
      (context.audience === 'self' && isWithheld(form))
    )
      return isExplained(context.facts, form) && !isChildReader(context) ? mark : [];
    const change = changeOf({ formcode: scale.formcode, scorecode: score.c }, last, now, score.better);
    const words = context.audience === 'self' ? plainChangeText(change.findings) : changeText(change.findings);
    const meaning = isChildReader(context) ? '' : `；${words}`;
    const size = change.absdelta === 0 ? change.label : `${change.arrow}${formatRounded(change.absdelta)}，${change.label}`;
    const tests = comparable(
      [
        ...(form.previous ?? []).filter(
          (test) => test.submittime < context.facts.exam.submittime && isSameMajor(test.formversion, scale.version),
        ),
        toTrendTest(context.facts, form),
      ],
      score.c,
    );
    const quota = quotasOf(scale).find((candidate) => candidate.scorecode === score.c);
    return [
      ...mark,
      ...keyValueBlocks([
        {
          label: shortNameOf(scale),
          value: `${formatRounded(last)} → ${formatRounded(now)}（${size}）${meaning}`,
        },
      ]),
      ...chooseSentences(context, 'compare', form).map((sentence) => textBlock(toParagraph(context, sentence))),
      {
        type: 'line',
        formcode: scale.formcode,
        title: `${shortNameOf(scale)}${isChildReader(context) ? '得分' : score.n}变化`,
        min: quota?.minscore ?? null,
        max: quota?.maxscore ?? null,
        bands: bandsFor(context, form, score.c),
        points: tests.map((test) => ({
          time: test.submittime.slice(0, 10),
          label: test.stagename ?? test.planname ?? '',
          score: test.scores[score.c] ?? 0,
          level: test.levels[score.c] ?? null,
          // The ring marks a positive self-harm item, so the person's own version has none.
          ring: context.audience === 'staff' && hadAlert(scale, test),
        })),
      },
    ];
  });
  return { title: '与上次比较', blocks };
}
