import type { Level, Scale } from '#domain/scoring/scale.ts';
import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { commentaryLibrary } from '#domain/report/commentary/commentary.library.ts';
import { mentionsFamily, personalLabelOf } from '#domain/report/reader.ts';
import type { Block, Paragraph, ReportContent } from '#domain/report/report.content.ts';
import { sentencesOf } from '#domain/report/report.content.ts';
import { changeOf } from '#domain/report/trend.ts';
import { library as scales } from '#domain/scoring/scales/library.ts';
import { plainChangeText } from '#domain/scoring/scaleEvidence.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';

/** The facts of one report for the AI provider: numbers, and words of the platform's own lists. No text that a person typed is in it. */
export interface AiFacts {
  population: string;
  call: '您' | '你';
  gender: '男' | '女' | '';
  ageband: string;
  /** a stage of the platform's own list; '' otherwise */
  stage: string;
  overall: string;
  forms: AiForm[];
  /** ids of the rules that named risk factors */
  riskcodes: string[];
  /** sentences of the platform's rules, with their numbers */
  paragraphs: string[];
  alert: 0 | 1;
  /** 1: the rules allow sentences about the family */
  family: 0 | 1;
}

interface AiForm {
  name: string;
  scores: { name: string; score: number; max: number; level: string }[];
  factors: { name: string; score: number; max: number }[];
  changes: { from: number; to: number; direction: string; words: string }[];
}

/** The parts of a report that the facts are made of. `content` is the version for the person, so nothing else can reach the provider. */
export interface AiSource {
  appid: string;
  gender: string | null;
  age: number | null;
  /** the stage if it is of the platform's list */
  stagename: string | null;
  hasalert: boolean;
  content: ReportContent;
  /** the rows that made the report; only those of the platform are used, because staff of institutions typed the others */
  library?: readonly Commentary[];
}

const POPULATIONS: Readonly<Record<string, string>> = {
  '000000001': '孕产妇',
  '000000002': '学生',
  '000000003': '职业人群',
  '000000004': '中老年人',
};
const AGE_BANDS: readonly (readonly [from: number, words: string])[] = [
  [75, '75岁及以上'],
  [60, '60–74岁'],
  [45, '45–59岁'],
  [35, '35–44岁'],
  [25, '25–34岁'],
  [18, '18–24岁'],
  [15, '15–17岁'],
  [12, '12–14岁'],
  [0, '12岁以下'],
];
/** The age as a band, so that it points at nobody. */
const ageBandOf = (age: number | null): string => (age === null ? '' : (AGE_BANDS.find(([from]) => age >= from)?.[1] ?? ''));

/** The facts of a report without anything that names its person. */
export function aiFactsOf({ appid, gender, age, stagename, hasalert, content, library = commentaryLibrary }: AiSource): AiFacts {
  const platformRows = library.filter(({ depth }) => depth === undefined);
  const patterns = rulePatternsOf(platformRows);
  const blocks = content.sections.flatMap((section) => section.blocks);
  const overall = blocks.find((block) => block.type === 'score' && block.scorecode === 'overall');
  const sentences = sentencesOf(content);
  return {
    population: POPULATIONS[appid] ?? '',
    call: sentences.some(({ text }) => text.includes('您')) ? '您' : '你',
    gender: gender === '01' ? '男' : gender === '02' ? '女' : '',
    ageband: ageBandOf(age),
    stage: stagename ?? '',
    overall: overall?.type === 'score' ? personalLabelOf(overall.level) : '',
    forms: scales.flatMap((scale) => formFactsOf(scale, blocks)),
    riskcodes: content.sections
      .filter(({ key }) => key === 'riskfactors')
      .flatMap((section) => sentencesOf({ ...content, sections: [section] }).flatMap(({ commentids }) => commentids))
      .filter((id) => platformRows.some((row) => row.id === id)),
    paragraphs: sentences.filter((sentence) => isRuleSentence(sentence, patterns)).map(({ text }) => text),
    alert: hasalert ? 1 : 0,
    family: sentences.some(({ text, commentids }) => commentids.length > 0 && mentionsFamily(text)) ? 1 : 0,
  };
}

/** What the report's blocks say about one form of the platform, in the names of its definition. */
function formFactsOf(scale: Scale, blocks: readonly Block[]): AiForm[] {
  const own = blocks.filter((block) => 'formcode' in block && block.formcode === scale.formcode);
  const nameOf = (scorecode: string) => scale.scores.find((score) => score.c === scorecode)?.n;
  const scores = own.flatMap((block) => {
    const name = block.type === 'score' && nameOf(block.scorecode);
    if (block.type !== 'score' || !name || block.score === null || block.max === null) return [];
    return [{ name, score: Number(block.score), max: Number(block.max), level: personalLabelOf(block.level as Level | null) }];
  });
  const factors = own.flatMap((block) =>
    block.type !== 'radar'
      ? []
      : block.axes.flatMap(({ name, value, max }) =>
          scale.scores.some((score) => score.n === name) ? [{ name, score: Number(value), max: Number(max) }] : [],
        ),
  );
  const primary = scale.scores.find((score) => score.primary);
  const changes = own.flatMap((block) => {
    const [before, now] = block.type === 'line' ? block.points.slice(-2) : [];
    if (!before || !now || !primary) return [];
    const change = changeOf(
      { formcode: scale.formcode, scorecode: primary.c },
      Number(before.score),
      Number(now.score),
      primary.better ?? 'low',
    );
    return [{ from: change.from, to: change.to, direction: change.label, words: plainChangeText(change.findings) }];
  });
  return scores.length + factors.length + changes.length > 0 ? [{ name: shortTitle(scale.title), scores, factors, changes }] : [];
}

const oneOf = (words: readonly string[]) =>
  `(?:${[...new Set(words)].map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`;
const NUMBER = String.raw`[+-]?\d{1,4}(?:\.\d{1,2})?`;
const RECALL = oneOf(['近期', ...scales.flatMap(({ recall }) => (recall ? [recall.replace(/^(过去|最近)/, '近')] : []))]);
/** What a placeholder may stand for: a number, or a word of the platform. Another placeholder keeps its sentence here. */
function patternOf(placeholder: string): string | undefined {
  if (placeholder === 'call') return '(?:您|你)';
  if (placeholder === 'recall') return RECALL;
  if (placeholder === 'form.title') return oneOf(scales.map((scale) => shortTitle(scale.title)));
  if (placeholder === 'form.level') return oneOf(([0, 1, 2, 3, 4] as const).map(personalLabelOf));
  if (placeholder === 'form.direction') return '(?:上升|下降|持平)';
  if (/^(form\.(score|last|now|delta|absdelta)|score\..+|last\..+|delta\..+|absdelta\..+|weeks)$/.test(placeholder))
    return NUMBER;
  return undefined;
}

/** The sentence with 您 for both 您 and 你. */
const withoutReader = (text: string): string => text.replaceAll('你', '您');

/** The patterns of the platform's sentences by the id of their rule. */
const rulePatternsOf = (rows: readonly Commentary[]): ReadonlyMap<string, RegExp> =>
  new Map(
    rows.flatMap(({ id, t }) => {
      const parts = withoutReader(t).split(/\{\{(.*?)\}\}/);
      const patterns = parts.map((part, index) => (index % 2 === 0 ? oneOf([part]) : patternOf(part)));
      return patterns.every((pattern) => pattern !== undefined) ? [[id, new RegExp(`^${patterns.join('')}$`)] as const] : [];
    }),
  );

/** Whether a sentence is one of a rule, with nothing but numbers and words of the platform in its gaps. */
const isRuleSentence = ({ text, commentids }: Paragraph, patterns: ReadonlyMap<string, RegExp>): boolean =>
  commentids.length === 1 && (patterns.get(commentids[0] ?? '')?.test(withoutReader(text)) ?? false);
