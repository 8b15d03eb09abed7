import type { Block, ReportContent, SectionKey } from '#domain/report/report.content.ts';
import { sentencesOf } from '#domain/report/report.content.ts';
import type { ReportFacts, ReportForm } from '#domain/report/report.facts.ts';
import type { Answers } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';

/** A form with these option codes in item order; other items have no answer. */
export function fillForm(formcode: string, codes: readonly (string | null)[], gender: '01' | '02' = '02'): ReportForm {
  const scale = scaleOf(formcode);
  if (!scale) throw new Error(`no form ${formcode}`);
  const answers: Answers = Object.fromEntries(scale.items.map((item, index) => [item.c, codes[index] ?? null]));
  const outcome = score(scale, answers, { gender, age: 30 });
  if (outcome.kind === 'invalid') throw new Error(`${formcode}: ${outcome.items.join()}`);
  return { scale, result: outcome, answers };
}

/** A PHQ-9 with that total; item 9 is 0 by default. */
export function phq9(total: number, q9 = 0): ReportForm {
  let left = total - q9;
  const codes = Array.from({ length: 8 }, () => {
    const points = Math.min(3, left);
    left -= points;
    return String(points);
  });
  return fillForm('PHQ9', [...codes, String(left > 0 ? left + q9 : q9)]);
}

/** The report facts of an exam of 林小雨; `more` replaces any part. */
export const reportFactsOf = (forms: readonly ReportForm[], more: Partial<ReportFacts> = {}): ReportFacts => ({
  reportcode: 'BG2025100800017',
  generatedat: '2025-10-08 10:20:00',
  institution: { insname: '育才中学', musercode: 'm01' },
  person: { name: '林小雨', gender: '02', age: 14 },
  archive: {},
  forms,
  ...more,
  exam: {
    examcode: 'e100',
    appid: '000000002',
    planname: '秋季普查',
    stagename: '初二上',
    submittime: '2025-10-08 09:58:00',
    duration: 380,
    valid: true,
    ...more.exam,
  },
});

/** The report with these sections only. */
export const sectionsOf = (content: ReportContent, ...keys: (SectionKey | 'ai')[]): ReportContent => ({
  ...content,
  sections: content.sections.filter((section) => keys.includes(section.key)),
});
/** The sentences of these sections, or of all. */
export const textOf = (content: ReportContent, ...keys: (SectionKey | 'ai')[]): string =>
  sentencesOf(keys.length ? sectionsOf(content, ...keys) : content)
    .map(({ text }) => text)
    .join('\n');
/** The exam of a population. */
export const examOf = (appid: string, more: Partial<ReportFacts['exam']> = {}): ReportFacts['exam'] => ({
  ...reportFactsOf([]).exam,
  appid,
  ...more,
});
/** The blocks of a section. */
export const blocksOf = (content: ReportContent, key: SectionKey): Block[] =>
  content.sections.find((section) => section.key === key)?.blocks ?? [];
