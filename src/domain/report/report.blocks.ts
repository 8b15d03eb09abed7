import type { Commentary, CommentarySection, Sentence } from '#domain/report/commentary/commentary.ts';
import { narrate } from '#domain/report/commentary/commentary.ts';
import type { Block, Paragraph } from '#domain/report/report.content.ts';
import type { ReportFacts, ReportForm, Summary } from '#domain/report/report.facts.ts';
import { narrativeFacts, primaryScores } from '#domain/report/report.facts.ts';

/** The input for a section of a report. */
export interface SectionContext {
  facts: ReportFacts;
  summary: Summary;
  audience: 'self' | 'staff';
  library: readonly Commentary[];
}
export interface SectionContent {
  title: string;
  blocks: Block[];
}
export type KV = { label: string; value: string };

/** A paragraph of a person's own words, without a rule. */
export const plainParagraph = (text: string): Paragraph => ({ text, commentids: [] });
/** A paragraph with a fixed text that belongs to a rule. Only the staff version says the rule and why the text stands there. */
export const fixedParagraph = (
  { audience }: Pick<SectionContext, 'audience'>,
  rule: string,
  why: string,
  text: string,
): Paragraph => ({
  text,
  commentids: [rule],
  ...(audience === 'staff' ? { because: [`规则${rule}：${why}`] } : {}),
});
/** A text block with an optional title. */
export const textBlock = (paragraph: Paragraph, title?: string): Block => ({
  type: 'text',
  ...(title ? { title } : {}),
  ...paragraph,
});
/** A fixed text that says 您, in the words of its reader: 你 or 您 for the person, 学生, 老人 … for staff. */
export const inWordsOfReader = ({ audience, summary }: SectionContext, text: string): string =>
  text.replaceAll('您', audience === 'staff' ? summary.population.person : summary.reader.call);
/** The labelled values; empty values are left out. */
export const toKeyValues = (items: readonly (readonly [string, string | null | undefined])[]): KV[] =>
  items.flatMap(([label, value]) => (value ? [{ label, value }] : []));
/** One block of labelled values, or no block without values. */
export const keyValueBlocks = (items: KV[], title?: string): Block[] =>
  items.length ? [{ type: 'kv', ...(title ? { title } : {}), items }] : [];

/** A chosen paragraph for the report. Only the staff version includes the rule. */
export const toParagraph = ({ audience }: SectionContext, sentence: Sentence): Paragraph => ({
  text: sentence.text,
  commentids: [sentence.commentid],
  ...(audience === 'staff' ? { because: [sentence.because] } : {}),
});

/** A text of several lines is several paragraphs. */
const toSentences = (sentence: Sentence): Sentence[] =>
  sentence.text
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => ({ ...sentence, text }));

/** The paragraphs of a section. A form with several main scores gets one paragraph per score, at most three. */
export function chooseSentences(context: SectionContext, section: CommentarySection, form?: ReportForm): Sentence[] {
  const facts = narrativeFacts(context.facts, context.summary, context.audience, form);
  if (!form) return narrate(facts, context.library, context.audience, section).flatMap(toSentences);
  const limit = section === 'form' ? Math.min(3, Math.max(1, primaryScores(form.scale).length)) : undefined;
  const options = { form: form.scale.formcode, ...(limit ? { limit } : {}) };
  return narrate(facts, context.library, context.audience, section, options).flatMap(toSentences);
}

/** The forms that this audience may read about. Observations of staff are only for staff. */
export const readableForms = ({ facts, audience }: SectionContext): ReportForm[] =>
  facts.forms.filter(
    ({ scale }) =>
      scale.scores.length > 0 && (audience === 'staff' || (scale.formtype !== '04' && scale.capturemode !== 'staff')),
  );
