import type { Scale } from '#domain/scoring/scale.ts';
import { expandSkeleton } from '#domain/scoring/compiledScale.ts';

/** A form with invented norms, only for the tests of T scores. The product does not contain it. */
export const tdemo: Scale = expandSkeleton({
  schema: 'asds/1',
  formcode: 'TDEMO',
  version: '1.0.0',
  formtype: '01',
  title: '常模换算测试表',
  tier: 'S',
  itemcount: 4,
  itemopt: 'l5',
  optionsets: {
    l5: [
      ['1', '1', 1],
      ['2', '2', 2],
      ['3', '3', 3],
      ['4', '4', 4],
      ['5', '5', 5],
    ],
  },
  norms: {
    N1: [
      {
        where: {
          all: [
            { person: 'gender', eq: '01' },
            { person: 'age', gte: 12 },
            { person: 'age', lte: 15 },
          ],
        },
        mean: 10,
        sd: 2.5,
        source: 'test',
      },
      {
        where: {
          all: [
            { person: 'gender', eq: '02' },
            { person: 'age', gte: 12 },
            { person: 'age', lte: 15 },
          ],
        },
        mean: 11,
        sd: 3,
        source: 'test',
      },
    ],
  },
  scores: [
    { c: 'raw', n: '原始分', op: 'weighted', of: 'q1..q4', w: [1, 1, 2, 0.5], b: 0 },
    { c: 't', n: 'T分', op: 'ref', ref: 'raw', post: [['tscore', 'N1']], primary: true },
  ],
  bandmode: { t: 'halfopen' },
  bands: {
    t: [
      [null, 60, 0, '正常'],
      [60, 70, 2, '偏高'],
      [70, null, 3, '高'],
    ],
  },
});
