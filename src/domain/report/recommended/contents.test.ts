import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sentencesOf, type ReportContent } from '#domain/report/report.content.ts';
import { summarise } from '#domain/report/report.facts.ts';
import { phq9, reportFactsOf, textOf } from '#domain/report/report.fixture.ts';
import { buildReport } from '#domain/report/report.ts';
import { contentsOf, PERSON_OFFER, withLinks, withoutContents } from '#domain/report/recommended/contents.ts';
import { anyFacts } from '#testing/report/anyReport.ts';

const rulesOf = (content: ReportContent) => sentencesOf(content).flatMap(({ commentids }) => commentids);
const contents = [
  { kind: '文章', title: '考前如何安睡', ref: { kind: 'article', id: 7 } },
  { kind: '音乐', title: '雨声', ref: { kind: 'music', id: 3 } },
] as const;
const { self, staff } = buildReport(reportFactsOf([phq9(6)], { contents }));

test('no report names contents at level 3 or more, after an alert or on an invalid sheet, whatever its facts are', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const summary = summarise(facts);
      if (summary.valid && !summary.usesSupportiveText) return;
      const built = buildReport(facts);
      expect(rulesOf(built.staff)).not.toContain('SG_CONTENT');
      expect(rulesOf(built.self)).not.toContain('SG_CONTENT');
    }),
    { numRuns: 40 },
  );
});

test('a report says what it recommends and where a reader of paper finds it', () => {
  expect(textOf(self, 'suggestion')).toContain('文章：考前如何安睡\n音乐：雨声\n可以在测评页面的“放松与学习”里打开。');
  expect(rulesOf(staff)).toContain('SG_CONTENT');
});

test('a content that was taken down keeps its title and loses its link', () => {
  expect(contentsOf(self)).toEqual([
    { kind: 'article', id: 7 },
    { kind: 'music', id: 3 },
  ]);
  const linked = withLinks(self, [{ kind: 'music', id: 3 }]);
  expect(contentsOf(linked)).toEqual([{ kind: 'music', id: 3 }]);
  expect(textOf(linked)).toBe(textOf(self));
});

test('after a later alert the person reads an offer in the place of the contents, and staff read neither', () => {
  expect(textOf(withoutContents(self), 'suggestion')).toContain(PERSON_OFFER);
  expect(rulesOf(withoutContents(self))).not.toContain('SG_CONTENT');
  expect(rulesOf(withoutContents(staff))).not.toContain('SG_CONTENT');
  expect(textOf(withoutContents(staff))).not.toContain(PERSON_OFFER);
});
