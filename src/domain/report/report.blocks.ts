import type { Commentary, CommentarySection, Sentence } from '#domain/report/commentary/commentary.ts';
import { narrate } from '#domain/report/commentary/commentary.ts';
import type { Block, Paragraph } from '#domain/report/report.content.ts';
import type { ReportFacts, ReportForm, Summary } from '#domain/report/report.facts.ts';
import { narrativeFacts, primaryScores } from '#domain/report/report.facts.ts';

/** What a section is built from. */
export interface Context {
  facts: ReportFacts;
  summary: Summary;
  audience: 'self' | 'staff';
  library: readonly Commentary[];
}
export interface Built {
  title: string;
  blocks: Block[];
}
export type KV = { label: string; value: string };

export const fixed = (text: string): Paragraph => ({ text, commentids: [] });
export const text = (paragraph: Paragraph, title?: string): Block => ({
  type: 'text',
  ...(title ? { title } : {}),
  ...paragraph,
});
export const pairs = (items: readonly (readonly [string, string | null | undefined])[]): KV[] =>
  items.flatMap(([label, value]) => (value ? [{ label, value }] : []));
export const kv = (items: KV[], title?: string): Block[] =>
  items.length ? [{ type: 'kv', ...(title ? { title } : {}), items }] : [];

/** A chosen paragraph as it is stored; the rule that chose it is told to staff only. */
export const toParagraph = ({ audience }: Context, sentence: Sentence): Paragraph => ({
  text: sentence.text,
  commentids: [sentence.commentid],
  ...(audience === 'staff' ? { because: [sentence.because] } : {}),
});

/** Paragraphs of a section; for forms with several main scores one paragraph per score, at most three. */
export function sentencesOf(x: Context, section: CommentarySection, form?: ReportForm): Sentence[] {
  const facts = narrativeFacts(x.facts, x.summary, x.audience, form);
  if (!form) return narrate(facts, x.library, x.audience, section);
  const limit = section === 'form' ? Math.min(3, Math.max(1, primaryScores(form.scale).length)) : undefined;
  return narrate(facts, x.library, x.audience, section, { form: form.scale.formcode, ...(limit ? { limit } : {}) });
}

/** Forms this audience reads about: what staff observed is for staff. */
export const readable = ({ facts, audience }: Context): ReportForm[] =>
  facts.forms.filter(
    ({ scale }) =>
      scale.scores.length > 0 && (audience === 'staff' || (scale.formtype !== '04' && scale.capturemode !== 'staff')),
  );
