import { describe, expect, test } from 'vitest';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { answersOf, categoriesOf } from '#seed/demo/content/answers.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { nameOf } from '#seed/demo/content/names.ts';

const n = 20_000;
const persons = (mean: number, answer: (theta: number, index: number) => number[]) =>
  Array.from({ length: n }, (_, index) => answer(mean + randomOf(1, 'theta', index).normal(), index));
const total = (categories: readonly number[]) => categories.reduce((sum, category) => sum + category, 0);
const sheets = (formcode: string, mean: number) =>
  persons(mean, (theta, index) => categoriesOf(formcode, theta, randomOf(1, formcode, index)));
const share = (answers: readonly number[][], test: (categories: readonly number[]) => boolean) => answers.filter(test).length / n;

/** The shares of the demonstration's design, in per cent. With 20,000 persons the random error is below 0.33 points for 5 %. */
describe('the answers of demonstration persons reach the cut-offs as often as in published surveys', () => {
  const within = (actual: number, percent: number) =>
    expect(Math.abs(actual * 100 - percent), `${(actual * 100).toFixed(1)} secondst ${percent}`).toBeLessThan(
      Math.max(0.4, percent * 0.09),
    );

  test.each([
    ['students', 0, 27, 8.7, 2.5, 0.5, 6.7, 4.8],
    ['girls of a senior high school', 0.3, 37, 13.9, 4.7, 1.3, 10.4, 8.3],
    ['women in early pregnancy', -0.02, 26, 8.5, 2.4, 0.5, 6.5, 4.6],
    ['workers', 0.1, 30, 10, 3.1, 0.8, 7.7, 5.7],
  ])('PHQ-9 and GAD-7 of %s', (_group, mean, phq5, phq10, phq15, phq20, item9, gad10) => {
    const phq = sheets('PHQ9', mean);
    within(
      share(phq, (c) => total(c) >= 5),
      phq5,
    );
    within(
      share(phq, (c) => total(c) >= 10),
      phq10,
    );
    within(
      share(phq, (c) => total(c) >= 15),
      phq15,
    );
    within(
      share(phq, (c) => total(c) >= 20),
      phq20,
    );
    within(
      share(phq, (c) => (c[8] as number) >= 1),
      item9,
    );
    within(
      share(sheets('GAD7', mean), (c) => total(c) >= 10),
      gad10,
    );
  });

  test('K10, EPDS, PHQ-15 and GDS-15', () => {
    within(
      share(sheets('K10', 0), (c) => total(c) + 10 >= 25),
      16,
    );
    within(
      share(sheets('EPDS', -0.02), (c) => total(c) >= 10),
      14,
    );
    within(
      share(sheets('PHQ15', 0.1), (c) => total(c) >= 10),
      10,
    );
    within(
      share(sheets('GDS15', 0), (c) => total(c) >= 5),
      24,
    );
  });
});

test.each(['PHQ9', 'GAD7', 'K10', 'GDS15', 'PHQ15'])('%s: option codes match the meaning of the categories', (formcode) => {
  const scale = scaleOf(formcode) as Scale;
  for (let index = 0; index < 200; index++) {
    const categories = categoriesOf(formcode, randomOf(2, 'theta', index).normal(), randomOf(2, formcode, index));
    const result = score(scale, answersOf(scale, categories), { gender: '02' });
    expect(result.kind === 'invalid' ? result : result.scores['total']).toBe(total(categories) + (formcode === 'K10' ? 10 : 0));
  }
});

test('a person’s random values do not depend on other persons, and names fit the year of birth', () => {
  const first = randomOf(7, 'student', 3);
  const second = randomOf(7, 'student', 3);
  expect([first.next(), first.normal(), first.integer(1, 6)]).toEqual([second.next(), second.normal(), second.integer(1, 6)]);
  expect(randomOf(7, 'student', 4).next()).not.toBe(randomOf(7, 'student', 3).next());
  expect(nameOf(randomOf(7, 'student', 3), '02', 2012)).toMatch(/^[\u4e00-\u9fff]{2,3}$/);
});
