import type { ContentRef } from '#domain/content/recommend.ts';
import type { Level } from '#domain/scoring/scale.ts';
import type { TrendBand } from '#domain/report/trend.ts';

/** The content of the individual report as data. The screen and the PDF draw it the same way (design/reports.md 5.1). */

export const sectionKeys = [
  'cover',
  'notice',
  'basicinfo',
  'overall',
  'forms',
  'compare',
  'riskfactors',
  'suggestion',
  'support',
  'conclusion',
  'appendix',
  'closing',
] as const;
/** The sections of the design, plus `closing`, the fixed last paragraph of every report. */
export type SectionKey = (typeof sectionKeys)[number];

/** A paragraph with the ids of its comments. `because` gives their reasons, in the staff version only, because it quotes scores. */
export interface Paragraph {
  text: string;
  commentids: string[];
  because?: string[];
  /** a recommended content, for a link of the person's own page */
  content?: ContentRef;
}

export type Block =
  | { type: 'kv'; title?: string; items: { label: string; value: string }[] }
  /** a value on its bands; with `scorecode` overall and `score` null it is the five-colour gauge */
  | {
      type: 'score';
      formcode: string;
      scorecode: string;
      name: string;
      score: number | null;
      level: Level | null;
      label: string;
      colour: string;
      min: number | null;
      max: number | null;
      better: 'low' | 'high';
      bands: TrendBand[];
    }
  | { type: 'radar'; formcode: string; title: string; axes: { name: string; value: number; min: number; max: number }[] }
  | {
      type: 'line';
      formcode: string;
      title: string;
      min: number | null;
      max: number | null;
      bands: TrendBand[];
      points: { time: string; label: string; score: number; level: Level | null; ring: boolean }[];
    }
  | { type: 'table'; title?: string; columns: string[]; rows: (string | number | null)[][] }
  | ({ type: 'text'; title?: string } & Paragraph)
  /** staff only */
  | { type: 'alert'; level: number; title: string; items: string[] }
  | { type: 'list'; title?: string; items: Paragraph[] };

export interface ReportSection {
  /** `ai` is the text of the AI provider, which is added when the report is read */
  key: SectionKey | 'ai';
  title: string;
  blocks: Block[];
}

export interface ReportContent {
  schema: 'rpt/1';
  audience: 'self' | 'staff';
  /** page that draws the report: usersReport, usersReport2 …, or the code of a custom template */
  templatecode: string;
  title: string;
  /** the picture of a custom template instead of the logo of the institution */
  logofileid?: string;
  generatedat: string;
  /** version of the rules and texts */
  engine: string;
  disclaimer: string;
  largefont: boolean;
  sections: ReportSection[];
}

export const disclaimer = '本报告为筛查结果，不作为诊断依据';

/**
 * The last paragraph of every report, from design/reports.md 5.2; in the words of its reader; for staff `call` is 学生, 老人 …
 * `isOwn`: all questionnaires were made by the institution (自编) and are not standardised.
 */
export const closingParagraphFor = ({ isChild, call }: { isChild: boolean; call: string }, isOwn = false): string =>
  isChild
    ? '这份报告只说最近一段时间。它不是医生的诊断。难受超过两周，请告诉信任的大人。想伤害自己时，马上打120。也可以打12356，并告诉信任的人。'
    : `本报告依据${isOwn ? '机构自编问卷' : '标准化量表'}的自评结果生成，` +
      '反映测评前一段时间的情绪状态，属于筛查参考，不能替代精神科/心理专科的临床诊断。' +
      '如困扰持续两周以上或影响学习、工作、生活，请及时到医院心理科或精神专科就诊。' +
      `如有伤害自己或他人的念头，请立即拨打12356或120，并告知${call}信任的人。`;

/** The staff version without single answers, for staff without permission 00035. */
export const withoutAnswers = (content: ReportContent): ReportContent => ({
  ...content,
  sections: content.sections.filter((section) => section.key !== 'appendix'),
});

/** All sentences of a report, in reading order. */
export const sentencesOf = (content: ReportContent): Paragraph[] =>
  content.sections.flatMap((section) =>
    section.blocks.flatMap((block) => (block.type === 'text' ? [block] : block.type === 'list' ? block.items : [])),
  );
