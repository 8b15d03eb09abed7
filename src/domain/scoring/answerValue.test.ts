import { describe, expect, it } from 'vitest';
import { findChoiceFault, findValueFault, toggleOption, type AnswerLimits } from '#domain/scoring/answerValue.ts';
import { emptyScale } from '#domain/scoring/editor/emptyScale.ts';
import { score } from '#domain/scoring/scoring.ts';

describe('a value of each input type', () => {
  it.each<[AnswerLimits, string | number]>([
    [{ input: 0, maxlen: 4 }, '𠮷野家店'],
    [{ input: 1, min: 0 }, 3],
    [{ input: 2 }, 36.7251],
    [{ input: 2 }, '36.5'],
    [{ input: 3 }, '2024-02-29'],
    [{ input: 4 }, '08:30'],
    [{ input: 5 }, '2025-03-08 08:30'],
    [{ input: 6 }, '14:00-16:00'],
    [{ input: 7, min: 0, max: 10, step: 0.5 }, 7.5],
    [{ input: 8 }, '320106'],
  ])('%j takes %s', (item, value) => {
    expect(findValueFault(item, value)).toBeNull();
  });

  it.each<[AnswerLimits, string | number, string]>([
    [{ input: 0, maxlen: 3 }, '很长的话', '最多 3 个字'],
    [{ input: 0, pattern: '1\\d{10}' }, '12345', '填写的格式不正确'],
    [{ input: 1 }, 3.5, '请填写整数'],
    [{ input: 2 }, 36.72511, '最多填写 4 位小数'],
    [{ input: 2 }, '1e3', '请填写数字'],
    [{ input: 3 }, '2025-02-29', '请填写正确的日期，例如 2025-03-08'],
    [{ input: 4 }, '08:30:00', '请填写正确的时间，例如 08:30'],
    [{ input: 5 }, '2025-03-08T08:30', '请填写正确的日期和时间，例如 2025-03-08 08:30'],
    [{ input: 6 }, '16:00-14:00', '结束时间应晚于开始时间'],
    [{ input: 6 }, '14:00', '请填写开始和结束时间，例如 14:00-16:00'],
    [{ input: 7, min: 0, max: 10, step: 2 }, 3, '请从 0 起按 2 递增填写'],
    [{ input: 7, min: 0, max: 10 }, 11, '请填写不大于 10 的数字'],
    [{ input: 8 }, '江苏省南京市', '请选择地区'],
  ])('%j refuses %s: %s', (item, value, message) => {
    expect(findValueFault(item, value)).toBe(message);
  });
});

describe('a choice of several options', () => {
  const limits: AnswerLimits = { minsel: 2, maxsel: 3, excl: ['none'] };
  const order = ['a', 'b', 'c', 'd', 'none'];

  it('takes between the fewest and the most, or the option that excludes the others', () => {
    expect(
      [['a'], ['a', 'b'], ['a', 'b', 'c', 'd'], ['none'], ['a', 'none']].map((list) => findChoiceFault(limits, list)),
    ).toEqual(['请至少选择 2 项', null, '最多选择 3 项', null, '这一项不能与其他选项同时选择']);
  });

  it('empties the others at an excluding option, and that one at another option', () => {
    expect(toggleOption(limits, ['a', 'b'], 'none', order)).toEqual(['none']);
    expect(toggleOption(limits, ['none'], 'b', order)).toEqual(['b']);
    expect(toggleOption(limits, ['c', 'a'], 'b', order)).toEqual(['a', 'b', 'c']);
    expect(toggleOption(limits, ['a', 'b', 'c'], 'd', order)).toEqual(['a', 'b', 'c']);
    expect(toggleOption(limits, ['a', 'b'], 'a', order)).toEqual(['b']);
  });

  it('is refused by the server outside its limits', () => {
    const rows = order.map((code) => [code, code, null] as const);
    const scale = {
      ...emptyScale('03', '登记'),
      optionsets: { o: rows },
      items: [{ c: 'q1', t: '困扰', type: 2 as const, o: 'o', minsel: 2, maxsel: 3, excl: ['none'] }],
    };
    expect(score(scale, { q1: ['a', 'none'] })).toEqual({ kind: 'invalid', items: ['q1'] });
    expect(score(scale, { q1: ['a', 'b'] }).kind).toBe('scored');
  });
});
