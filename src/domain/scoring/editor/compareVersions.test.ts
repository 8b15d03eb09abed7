import { describe, expect, it } from 'vitest';
import { compareVersions, nextVersion } from '#domain/scoring/editor/compareVersions.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';
import { library } from '#domain/scoring/scales/library.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';

const withItem = (code: string, change: Partial<Item>): Scale => ({
  ...phq9,
  items: phq9.items.map((item) => (item.c === code ? { ...item, ...change } : item)),
});
const total = phq9.scores[0] as Scale['scores'][number];
const alert = phq9.alerts?.[0] as NonNullable<Scale['alerts']>[number];
const sizeOf = (after: Scale) => compareVersions(phq9, after).size;

describe('the difference of two versions', () => {
  it.each(library.map((scale) => [scale.formcode, scale] as const))('is nothing between %s and itself', (_code, scale) => {
    expect(compareVersions(scale, structuredClone(scale))).toEqual({ changes: [], size: 'none' });
  });

  it('shows the words of a question before and after', () => {
    expect(compareVersions(phq9, withItem('q2', { t: '心情低落' }))).toEqual({
      size: 'patch',
      changes: [
        {
          part: 'items',
          code: 'q2',
          name: '心情低落',
          change: '修改',
          field: '题干',
          before: '感到心情低落、沮丧或绝望',
          after: '心情低落',
        },
      ],
    });
  });

  it('shows a moved limit of a level as a main version', () => {
    const after: Scale = {
      ...phq9,
      bands: {
        total: [
          [0, 4, 0, '无抑郁症状'],
          [5, 8, 1, '轻度'],
          [9, 14, 2, '中度'],
          [15, 19, 3, '中重度'],
          [20, 27, 4, '重度'],
        ],
      },
    };
    const { size, changes } = compareVersions(phq9, after);
    expect(size).toBe('major');
    expect(changes.map(({ name, field, before, after }) => [name, field, before, after])).toEqual([
      ['抑郁总分：轻度', '分值范围', '5—9', '5—8'],
      ['抑郁总分：中度', '分值范围', '10—14', '9—14'],
    ]);
  });

  it.each<[string, Scale]>([
    [
      'the points of an option',
      { ...phq9, optionsets: { ...phq9.optionsets, f4: [['0', '完全不会', 1], ...(phq9.optionsets['f4'] ?? []).slice(1)] } },
    ],
    ['a reversed question', { ...phq9, reverse: ['q1'] }],
    ['another rounding', { ...phq9, scores: [{ ...total, post: [['floor']] }, ...phq9.scores.slice(1)] }],
    ['a score that no longer counts', { ...phq9, scores: [{ ...total, primary: false }, ...phq9.scores.slice(1)] }],
    ['a removed score', { ...phq9, scores: [total] }],
    ['another level of an alert', { ...phq9, alerts: [{ ...alert, level: 3 }, ...(phq9.alerts ?? []).slice(1)] }],
    ['a removed alert', { ...phq9, alerts: [alert] }],
    ['a removed scored question', { ...phq9, items: phq9.items.filter(({ c }) => c !== 'q3') }],
    ['a scored question that is not always asked', withItem('q4', { showif: { item: 'q1', gte: 1 } })],
    ['two questions inside a range of another score', { ...phq9, scores: [{ ...total, of: 'q1..q8' }, ...phq9.scores.slice(1)] }],
  ])('makes %s a main version', (_what, after) => {
    expect(sizeOf(after)).toBe('major');
  });

  it.each<[string, Scale]>([
    ['an unscored question', { ...phq9, items: [...phq9.items, { c: 'q11', type: 0, t: '还想说的话' }] }],
    ['a removed unscored question', { ...phq9, items: phq9.items.filter(({ c }) => c !== 'q10') }],
    [
      'the order of two questions',
      { ...phq9, items: [phq9.items[0] as Item, phq9.items[2] as Item, phq9.items[1] as Item, ...phq9.items.slice(3)] },
    ],
    ['a question that may stay open', withItem('q1', { required: false })],
    ['a lowest age', { ...phq9, agemin: 14 }],
    ['the domain of a score', { ...phq9, scores: [{ ...total, domain: '08' }, ...phq9.scores.slice(1)] }],
  ])('makes %s a middle version', (_what, after) => {
    expect(sizeOf(after)).toBe('minor');
  });

  it.each<[string, Scale]>([
    ['the words of an alert', { ...phq9, alerts: [{ ...alert, msg: '请尽快面谈' }, ...(phq9.alerts ?? []).slice(1)] }],
    ['the instruction', { ...phq9, instruction: '请选择。' }],
    [
      'the name of an option set',
      {
        ...phq9,
        optionsets: { ...phq9.optionsets, f5: phq9.optionsets['f4'] ?? [] },
        items: phq9.items.map((item) => (item.o === 'f4' ? { ...item, o: 'f5' } : item)),
      },
    ],
  ])('keeps %s out of the results', (_what, after) => {
    expect(['patch', 'none']).toContain(sizeOf(after));
  });

  it('numbers versions by the size of the change', () => {
    expect(nextVersion(undefined, 'major')).toBe('1.0.0');
    expect(['major', 'minor', 'patch', 'none'].map((size) => nextVersion('1.4.2', size as 'major'))).toEqual([
      '2.0.0',
      '1.5.0',
      '1.4.3',
      '1.4.2',
    ]);
  });
});
