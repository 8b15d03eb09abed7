import { describe, expect, it } from 'vitest';
import { explainScore } from '#domain/scoring/explainScore.ts';
import type { Answers, PersonFacts } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { tdemo } from '#domain/scoring/scales/tdemo.fixture.ts';

const answersOfRow = (codes: string): Answers =>
  Object.fromEntries(codes.split(' ').map((code, index) => [`q${index + 1}`, code === '-' ? null : code]));

function reasons(code: string, answers: Answers, person: PersonFacts = {}): string[] {
  const scale = code === 'TDEMO' ? tdemo : scaleOf(code);
  if (!scale) throw new Error(`no form ${code}`);
  return explainScore(scale, answers, person).map((step) => step.text);
}

describe('the explanation of a trial score', () => {
  it('shows the substitution and the rounding for a missing PHQ-9 answer', () => {
    expect(reasons('PHQ9', answersOfRow('1 1 1 1 1 0 0 0 -'))).toEqual([
      '必答题未作答：第9题',
      '抑郁总分：计入9题，缺答1题（第9题，允许2题），1+1+1+1+1+0+0+0＝5，按已答题目换算：5×9÷8＝5.625',
      '抑郁总分：四舍五入取整：5.625→6',
      '抑郁总分：6分在5—9分内，等级1（轻度）',
      '症状条目数(≥2)：计入9题，缺答1题（第9题，允许2题），只用已答题目，得分≥2的有0题',
      '总体等级＝max(抑郁总分等级1)＝1',
    ]);
  });

  it('names the item of an alert and the reason for a missing total', () => {
    const text = reasons('PHQ9', answersOfRow('- - - 3 - - - - 3'));
    expect(text).toContain(
      '抑郁总分：计入9题，缺答7题（第1题、第2题、第3题、第5题、第6题、第7题、第8题），超过允许的2题，不计分',
    );
    expect(text).toContain(
      '提示（3级）：第9题（自伤/自杀意念）一半以上天数或几乎每天，须当日核实；依据：第9题“有不如死掉或用某种方式伤害自己的念头”得3分',
    );
    expect(text.at(-1)).toBe('总体等级＝max(提示等级3)＝3');
  });

  it('shows reversed items, skipped items and items that do not apply', () => {
    expect(reasons('CESD', answersOfRow('0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'))[0]).toBe(
      '第4题反向计分：选“几乎一直有（5—7天）”原为3分，计3−3＝0分',
    );
    expect(reasons('K10', answersOfRow('2 1 - 2 1 - 2 2 2 2'))[0]).toBe('第3题按跳转规则未询问，计为“从来没有”（1分）');
    expect(reasons('PHQ15', answersOfRow('1 1 1 - 1 0 0 0 0 0 0 0 0 0 0'), { gender: '01' })[0]).toBe(
      '第4题对该受测者不适用，不计入任何得分',
    );
  });

  it('shows conversions: ×4, whole part, T score and half-open bands', () => {
    expect(reasons('WHO5', answersOfRow('2 2 1 1 1'))).toContain('百分制得分：乘以4：7×4＝28');
    const sds = reasons('SDS', answersOfRow('2 2 2 1 2 2 2 2 2 2 3 3 2 3 2 3 3 3 2 3'));
    expect(sds).toContain('标准分：取整数部分：52.5→52');
    const boy = reasons('TDEMO', answersOfRow('3 3 3 2'), { gender: '01', age: 13 });
    expect(boy).toContain('原始分：计入4题，3×1+3×1+3×2+2×0.5＝13');
    expect(boy).toContain('T分：按常模N1换算T分：13→62');
    expect(boy).toContain('T分：62分在60（含）至70（不含）内，等级2（偏高）');
    expect(reasons('TDEMO', answersOfRow('3 3 3 2'))).toContain('T分：没有适合该受测者的常模（N1），无法换算T分');
  });

  it('says that an invalid form has no level', () => {
    const allYes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`q${index + 1}`, '1']));
    const text = reasons('MHT', allYes);
    expect(text).toContain('效度量表得分过高，答卷可信度低，建议重测（答卷判为无效，不显示等级）');
    expect(text.at(-1)).toBe('没有可用的等级，总体等级为空');
  });

  it('names the answers that the form does not offer, and scores nothing', () => {
    expect(reasons('PHQ9', { q1: '7', x: '1' })).toEqual([
      '第1题“做事时提不起劲或没有兴趣”：答案“7”不在选项之内',
      'x：量表中没有这道题',
      '存在量表未提供的答案，整份不计分',
    ]);
  });

  it('says that a registration form has no score', () => {
    expect(reasons('CONSULTREG', { before: '0' }).at(-1)).toBe('登记表不计分，没有等级');
  });
});
