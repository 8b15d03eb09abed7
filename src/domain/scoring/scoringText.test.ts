import { expect, test } from 'vitest';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { conditionText, bandText, scoreText } from '#domain/scoring/scoringText.ts';
import type { Scale } from '#domain/scoring/scale.ts';

const formOf = (code: string) => scaleOf(code) as Scale;
const textOf = (code: string, score: string) => {
  const def = formOf(code).scores.find((candidate) => candidate.c === score);
  return def && scoreText(formOf(code), def);
};

test('the rules of a form are shown as sentences', () => {
  expect(textOf('PHQ9', 'total')).toBe('第1—9题得分相加；最多缺答2题，按已答题目换算；四舍五入取整');
  expect(textOf('PHQ9', 'nsym')).toBe('第1—9题中得分≥2的题数；最多缺答2题，只用已答题目');
  expect(textOf('SDS', 'std')).toContain('取整数部分');
  const alert = formOf('PHQ9').alerts?.find((def) => def.c === 'SI2');
  expect(alert && conditionText(formOf('PHQ9'), alert.when)).toBe('第9题得分≥2');
  expect(bandText([10, 14, 2, '中度'])).toBe('10—14');
  expect(bandText([20, null, 4, '重度'])).toBe('≥20');
});

test('every rule of every shipped form is shown as text without code', () => {
  for (const scale of library) {
    const texts = [
      ...scale.scores.map((def) => scoreText(scale, def)),
      ...(scale.alerts ?? []).map((alert) => conditionText(scale, alert.when)),
      ...(scale.validity ?? []).map((rule) => conditionText(scale, rule.when)),
    ];
    for (const text of texts) expect(text, scale.formcode).not.toMatch(/undefined|\[object|^$|第0题/);
  }
});
