import { describe, expect, it } from 'vitest';
import { compare, expand, isTrue } from '#domain/scoring/condition.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';
import type { Cond } from '#domain/scoring/scale.ts';

const items = ['q1', 'q2', 'q3', 'q4', 'q4t', 'q5'].map((c) => ({ c, t: '' }));

describe('item codes', () => {
  it('can be ranges, lists or both, and a range follows the order of the form', () => {
    expect(expand('q1..q4', items)).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(expand('q4..q5', items)).toEqual(['q4', 'q4t', 'q5']);
    expect(expand('q1, q3..q4', items)).toEqual(['q1', 'q3', 'q4']);
    expect(expand(['q5', 'q1'], items)).toEqual(['q5', 'q1']);
  });
});

describe('comparisons with a value', () => {
  it('must all be true', () => {
    expect(compare(5, { gte: 5, lt: 6 })).toBe(true);
    expect(compare(6, { gte: 5, lt: 6 })).toBe(false);
    expect(compare('02', { in: ['01', '02'] })).toBe(true);
    expect(compare(5, { gt: 5 })).toBe(false);
    expect(compare(5, { lte: 5, ne: 4 })).toBe(true);
  });

  it('are false for an unknown value, even “not equal”', () => {
    for (const unknown of [null, undefined]) expect([compare(unknown, { ne: 1 }), compare(unknown, {})]).toEqual([false, false]);
  });

  it('distinguish codes from numbers', () => {
    expect(compare('1', { eq: 1 })).toBe(false);
  });
});

describe('a condition', () => {
  const facts = {
    items,
    itemscores: { q1: 0, q2: 2, q3: null, q4: 1 },
    scores: { total: 12 },
    levels: { total: 2 as const },
    flags: ['LIE_WARN'],
    valid: true,
    person: { gender: '02', age: 14 },
  };
  const cases: readonly [string, Cond, boolean][] = [
    ['an item', { item: 'q2', gte: 2 }, true],
    ['an unanswered item', { item: 'q3', gte: 0 }, false],
    ['the opposite of an unanswered item', { not: { item: 'q3', gte: 0 } }, true],
    [
      'a score and a level',
      {
        all: [
          { score: 'total', gte: 10 },
          { level: 'total', eq: 2 },
        ],
      },
      true,
    ],
    [
      'either of two',
      {
        any: [
          { score: 'total', gte: 20 },
          { person: 'age', lt: 18 },
        ],
      },
      true,
    ],
    ['how many items', { count: 'q1..q4', where: { gte: 1 }, eq: 2 }, true],
    ['a flag', { flag: 'LIE_WARN' }, true],
    ['validity', { valid: false }, false],
    ['another form without answers', { form: 'PHQ9', score: 'total', gte: 0 }, false],
    ['a change without history', { delta: { form: 'PHQ9', score: 'total', days: 90 }, gte: -99 }, false],
    ['all of nothing', { all: [] }, true],
    ['any of nothing', { any: [] }, false],
  ];

  it.each(cases)('can read %s', (_what, cond, expected) => {
    expect(isTrue(cond, facts)).toBe(expected);
  });

  it('can read the items of another form', () => {
    const forms = { ASQ: { scores: {}, levels: {}, itemscores: { q5: 1 }, alerts: ['ASQ_ACUTE'] } };
    expect(isTrue({ form: 'ASQ', item: 'q5', eq: 1 }, { forms })).toBe(true);
    expect(isTrue({ form: 'ASQ', alert: 'ASQ_POS' }, { forms })).toBe(false);
  });
});

describe('a form without wording', () => {
  it('has numbered items without text, each with its option set', () => {
    const scale = expandSkeleton({
      schema: 'asds/1',
      formcode: 'X',
      version: '1.0.0',
      formtype: '01',
      title: '骨架',
      tier: 'C',
      itemcount: 3,
      itemopt: 'down',
      itemoptx: { q2: 'up' },
      optionsets: { up: [['1', '', 0]], down: [['1', '', 1]] },
      scores: [],
      bands: {},
    });
    expect(scale.items).toEqual([
      { c: 'q1', o: 'down', t: '' },
      { c: 'q2', o: 'up', t: '' },
      { c: 'q3', o: 'down', t: '' },
    ]);
    expect(scale).not.toHaveProperty('itemcount');
  });
});
