import { expect, test } from 'vitest';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { condWords, rangeWords, scoreWords } from '#domain/scoring/scoringText.ts';
import type { Scale } from '#domain/scoring/scale.ts';

const of = (code: string) => scaleOf(code) as Scale;
const words = (code: string, score: string) => {
  const def = of(code).scores.find((candidate) => candidate.c === score);
  return def && scoreWords(of(code), def);
};

test('the rules of a form read as a sentence', () => {
  expect(words('PHQ9', 'total')).toBe('第1—9题得分相加；最多缺答2题，按已答题目换算；四舍五入取整');
  expect(words('PHQ9', 'nsym')).toBe('第1—9题中得分≥2的题数；最多缺答2题，只用已答题目');
  expect(words('SDS', 'std')).toContain('取整数部分');
  const alert = of('PHQ9').alerts?.find((def) => def.c === 'SI2');
  expect(alert && condWords(of('PHQ9'), alert.when)).toBe('第9题得分≥2');
  expect(rangeWords([10, 14, 2, '中度'])).toBe('10—14');
  expect(rangeWords([20, null, 4, '重度'])).toBe('≥20');
});

test('every rule of every shipped form is shown as text without code', () => {
  for (const scale of library) {
    const said = [
      ...scale.scores.map((def) => scoreWords(scale, def)),
      ...(scale.alerts ?? []).map((alert) => condWords(scale, alert.when)),
      ...(scale.validity ?? []).map((rule) => condWords(scale, rule.when)),
    ];
    for (const text of said) expect(text, scale.formcode).not.toMatch(/undefined|\[object|^$|第0题/);
  }
});
