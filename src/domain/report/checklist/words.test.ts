import { describe, expect, it } from 'vitest';
import { checkedContents } from '#domain/report/checklist/cases.fixture.ts';
import { commentaryLibrary } from '#domain/report/commentary/commentary.library.ts';
import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';
import { closingParagraphFor, sentencesOf } from '#domain/report/report.content.ts';
import { textOf } from '#domain/report/report.fixture.ts';

describe('the clinician’s checklist: words', () => {
  it('37 names no diagnosis, no drug and no certainty, in any text and in any row of the library', () => {
    for (const { content, name } of checkedContents)
      for (const { text } of sentencesOf(content)) expect(findForbidden(text, content.audience), `${name} ${text}`).toEqual([]);
    for (const { id, t, audience } of commentaryLibrary) expect(findForbidden(t, audience), id).toEqual([]);
  });

  it('38 has paragraphs of at most 150 characters without an empty place', () => {
    for (const { content, name } of checkedContents)
      for (const { text, commentids } of sentencesOf(content)) {
        expect(text, name).not.toMatch(/[{}]|undefined|null|NaN/);
        // The list of topics that were asked, and the fixed last paragraph, are longer.
        if (!['RF_ASKED', 'CL_END'].includes(commentids[0] ?? ''))
          expect(text.length, `${name} ${text}`).toBeLessThanOrEqual(paragraphLimit);
      }
  });

  it('39 begins with “不作为诊断依据” and ends with the fixed paragraph and the emergency numbers', () => {
    for (const { content, report, name } of checkedContents) {
      expect(textOf(content, 'notice'), name).toContain('本报告为筛查结果，不作为诊断依据');
      const reader =
        content.audience === 'staff' ? { isChild: false, call: report.summary.population.person } : report.summary.reader;
      expect(sentencesOf(content).at(-1)?.text, name).toBe(closingParagraphFor(reader));
      for (const number of ['12356', '010-82951332', '120', '110', '0571-12345678'])
        expect(textOf(content, 'support'), name).toContain(number);
    }
  });

  it('40 is never empty: every population and level has a summary, a comment for each form, and suggestions', () => {
    for (const { content, report, name } of checkedContents) {
      expect(textOf(content, 'overall'), name).not.toBe('');
      if (!report.summary.valid) continue;
      expect(textOf(content, 'suggestion'), name).not.toBe('');
      const comments = content.sections.find(({ key }) => key === 'forms')?.blocks.filter(({ type }) => type === 'text') ?? [];
      const readable = report.facts.forms.filter(
        ({ scale }) => content.audience === 'staff' || (scale.formtype !== '04' && scale.capturemode !== 'staff'),
      );
      expect(comments.length, name).toBeGreaterThanOrEqual(readable.length);
    }
  });
});
