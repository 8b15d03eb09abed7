import type { Commentary, CommentarySection, Sentence } from '#domain/report/commentary/commentary.ts';
import { narrate } from '#domain/report/commentary/commentary.ts';
import type { Block, Paragraph } from '#domain/report/report.content.ts';
import type { ReportFacts, ReportForm, Summary } from '#domain/report/report.facts.ts';
import { narrativeFacts, primaryScores } from '#domain/report/report.facts.ts';

/** What a section is built from. */
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

export const plainParagraph = (text: string): Paragraph => ({ text, commentids: [] });
export const textBlock = (paragraph: Paragraph, title?: string): Block => ({
  type: 'text',
  ...(title ? { title } : {}),
  ...paragraph,
});
export const toKeyValues = (items: readonly (readonly [string, string | null | undefined])[]): KV[] =>
  items.flatMap(([label, value]) => (value ? [{ label, value }] : []));
export const keyValueBlocks = (items: KV[], title?: string): Block[] =>
  items.length ? [{ type: 'kv', ...(title ? { title } : {}), items }] : [];

/** A chosen paragraph as it is stored; the rule that chose it is told to staff only. */
export const toParagraph = ({ audience }: SectionContext, sentence: Sentence): Paragraph => ({
  text: sentence.text,
  commentids: [sentence.commentid],
  ...(audience === 'staff' ? { because: [sentence.because] } : {}),
});

/** Paragraphs of a section; for forms with several main scores one paragraph per score, at most three. */
export function chooseSentences(context: SectionContext, section: CommentarySection, form?: ReportForm): Sentence[] {
  const facts = narrativeFacts(context.facts, context.summary, context.audience, form);
  if (!form) return narrate(facts, context.library, context.audience, section);
  const limit = section === 'form' ? Math.min(3, Math.max(1, primaryScores(form.scale).length)) : undefined;
  return narrate(facts, context.library, context.audience, section, { form: form.scale.formcode, ...(limit ? { limit } : {}) });
}

/** Forms this audience reads about: what staff observed is for staff. */
export const readableForms = ({ facts, audience }: SectionContext): ReportForm[] =>
  facts.forms.filter(
    ({ scale }) =>
      scale.scores.length > 0 && (audience === 'staff' || (scale.formtype !== '04' && scale.capturemode !== 'staff')),
  );
