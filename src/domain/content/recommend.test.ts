import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContentKind, recommendedAtMost } from '#domain/content/content.ts';
import { chooseRecommendations, type Candidate, type SheetState } from '#domain/content/recommend.ts';

const candidate = fc.record<Candidate>({
  kind: fc.constantFrom(...ContentKind.codes),
  id: fc.integer({ min: 1, max: 1000 }),
  title: fc.string(),
  isown: fc.boolean(),
  istop: fc.boolean(),
  time: fc.date({ noInvalidDate: true }),
});
const sheet = fc.record<SheetState>({
  isValid: fc.boolean(),
  overalllevel: fc.option(fc.integer({ min: 0, max: 4 })),
  hasalert: fc.boolean(),
  caselevel: fc.option(fc.integer({ min: 1, max: 4 })),
});
const calm: SheetState = { isValid: true, overalllevel: 1, hasalert: false, caselevel: null };

test('a report recommends nothing at level 3 or more, after an alert, with a grave case, or on an invalid sheet', () => {
  fc.assert(
    fc.property(sheet, fc.array(candidate), (facts, candidates) => {
      const isRefused = !facts.isValid || facts.hasalert || (facts.overalllevel ?? 3) >= 3 || (facts.caselevel ?? 0) >= 3;
      if (isRefused) expect(chooseRecommendations(facts, candidates)).toEqual([]);
    }),
  );
});

test('a report recommends at most three articles, one piece of music and one course, and nothing that was not offered', () => {
  fc.assert(
    fc.property(sheet, fc.array(candidate), (facts, candidates) => {
      const chosen = chooseRecommendations(facts, candidates);
      for (const kind of ContentKind.codes)
        expect(chosen.filter((content) => content.kind === kind).length).toBeLessThanOrEqual(recommendedAtMost[kind]);
      for (const { kind, id, title } of chosen)
        expect(candidates.some((known) => known.kind === kind && known.id === id && known.title === title)).toBe(true);
    }),
  );
});

test('own contents come first, then pinned ones, then the newest', () => {
  const article = (id: number, isown: boolean, istop: boolean, day: number): Candidate => ({
    kind: 'article',
    id,
    title: `第 ${id} 篇`,
    isown,
    istop,
    time: new Date(2025, 9, day),
  });
  const offered = [
    article(1, false, true, 9),
    article(2, true, false, 1),
    article(3, false, false, 8),
    article(4, true, false, 2),
    article(5, true, true, 1),
  ];
  const ids = (candidates: Candidate[]) => chooseRecommendations(calm, candidates).map(({ id }) => id);
  expect(ids(offered)).toEqual([5, 4, 2]);
  expect(ids(offered.filter(({ isown }) => !isown))).toEqual([1, 3]);
});
