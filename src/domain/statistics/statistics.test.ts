import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareScreenings, mcnemarTest, twoProportionTest, type Screening } from '#domain/statistics/compare.ts';
import { adjustedShare, funnelLimits, funnelZ, placeOf } from '#domain/statistics/funnel.ts';
import { newcombeInterval, pairedInterval, wilsonInterval, type Share } from '#domain/statistics/interval.ts';
import { exactSignP, twoSidedP } from '#domain/statistics/normal.ts';

const inPercent = ({ low, high }: { low: number; high: number }) => [low, high].map((value) => Number((value * 100).toFixed(1)));
const screening = (count: number, total: number, more: Partial<Screening> = {}): Screening => ({
  plancode: 'P1',
  forms: 'PHQ9@1,GAD7@1',
  cutoff: 2,
  count,
  total,
  ...more,
});
const share: fc.Arbitrary<Share> = fc
  .integer({ min: 1, max: 5000 })
  .chain((total) => fc.record({ count: fc.integer({ min: 0, max: total }), total: fc.constant(total) }));

describe('the interval of a share', () => {
  it('is 18.9 % to 73.3 % for 4 of 9 (design/reports.md 5.3)', () => {
    expect(inPercent(wilsonInterval({ count: 4, total: 9 }))).toEqual([18.9, 73.3]);
  });

  it('holds the share and stays between 0 and 1', () => {
    fc.assert(
      fc.property(share, (value) => {
        const { low, high } = wilsonInterval(value);
        const p = value.count / value.total;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(p + 1e-12);
        expect(high).toBeGreaterThanOrEqual(p - 1e-12);
      }),
    );
  });
});

describe('two screenings', () => {
  it('of 40 and 60 among 400 differ by +5.0 points (0.4–9.6), z 2.14, p .033', () => {
    const [from, to] = [screening(40, 400), screening(60, 400)];
    expect(inPercent(newcombeInterval(from, to))).toEqual([0.4, 9.6]);
    const { z, p } = twoProportionTest(from, to);
    expect([z.toFixed(2), p.toFixed(3)]).toEqual(['2.14', '0.033']);
    expect(compareScreenings(from, to, { always: 0, onlyfirst: 0, onlysecond: 0, both: 199 })).toMatchObject({
      comparable: true,
      test: 'z',
      isnoise: false,
      words: '变化有统计学差异',
    });
  });

  it('of the same persons are compared as pairs: 30 and 18 changed, χ² 2.52, p .112, random fluctuation', () => {
    const { chisquare, p } = mcnemarTest({ onlyfirst: 30, onlysecond: 18 });
    expect([chisquare?.toFixed(2), p.toFixed(3)]).toEqual(['2.52', '0.112']);
    expect(
      compareScreenings(screening(60, 400), screening(48, 400), { always: 30, onlyfirst: 30, onlysecond: 18, both: 380 }),
    ).toMatchObject({
      test: 'mcnemar',
      isnoise: true,
      words: '差异在随机波动范围内',
    });
  });

  it('of the same persons have the interval of paired data: 5.6 to 32.9 points, and 1.1 to 22.6 (Altman 2000, table 6.2)', () => {
    // Newcombe 1998, method 10. The sources give the first share minus the second.
    expect(inPercent(pairedInterval({ always: 20, onlyfirst: 2, onlysecond: 12, both: 50 }))).toEqual([5.6, 32.9]);
    expect(inPercent(pairedInterval({ always: 14, onlyfirst: 0, onlysecond: 5, both: 41 }))).toEqual([1.1, 22.6]);
  });

  it('whose pairs differ beyond chance have an interval without 0, and pairs within chance have one with 0', () => {
    const pairs = fc.integer({ min: 60, max: 3000 }).chain((both) =>
      fc.record({
        both: fc.constant(both),
        always: fc.integer({ min: 0, max: Math.floor(both / 3) }),
        onlyfirst: fc.integer({ min: 0, max: Math.floor(both / 3) }),
        onlysecond: fc.integer({ min: 0, max: Math.floor(both / 3) }),
      }),
    );
    fc.assert(
      fc.property(pairs, (counts) => {
        const { low, high } = pairedInterval(counts);
        const { p } = mcnemarTest(counts);
        const difference = (counts.onlysecond - counts.onlyfirst) / counts.both;
        expect(low).toBeLessThanOrEqual(difference + 1e-12);
        expect(high).toBeGreaterThanOrEqual(difference - 1e-12);
        // The corrected test is stricter than the interval, so they may disagree near .05 only.
        if (p < 0.04) expect(low > 0 || high < 0).toBe(true);
        if (p > 0.2) expect(low <= 0 && high >= 0).toBe(true);
      }),
    );
  });

  it('with fewer than 25 changed persons are tested exactly', () => {
    expect(exactSignP(2, 12)).toBeCloseTo((2 * (1 + 12 + 66)) / 4096, 12);
    expect(exactSignP(0, 0)).toBe(1);
    const pairs = { always: 3, onlyfirst: 2, onlysecond: 10, both: 50 };
    expect(compareScreenings(screening(5, 50), screening(13, 50), pairs)).toMatchObject({ test: 'exact', isnoise: false });
  });

  it('are not compared with another plan, other cut-offs or fewer than 30 persons', () => {
    const none = { always: 0, onlyfirst: 0, onlysecond: 0, both: 0 };
    const reasonOf = (from: Screening, to: Screening) => {
      const result = compareScreenings(from, to, none);
      return result.comparable ? '' : result.reason;
    };
    expect(reasonOf(screening(3, 29), screening(3, 40))).toBe('有效人数不足 30 人');
    expect(reasonOf(screening(3, 40), screening(3, 40, { plancode: 'P2' }))).toBe('两次使用的方案或量表不同');
    expect(reasonOf(screening(3, 40), screening(3, 40, { cutoff: 3 }))).toBe('两次的需关注标准不同');
  });

  it('exchanged give the opposite difference with the same p', () => {
    fc.assert(
      fc.property(share, share, (from, to) => {
        const [there, back] = [newcombeInterval(from, to), newcombeInterval(to, from)];
        expect(there.low).toBeCloseTo(-back.high, 10);
        expect(twoProportionTest(from, to).p).toBeCloseTo(twoProportionTest(to, from).p, 10);
      }),
    );
  });
});

describe('a school against its region', () => {
  it('with 12 % in the region and 200 persons is 波动内 with 30 and 偏离 with 38 (z 3.05)', () => {
    expect(placeOf({ count: 30, total: 200 }, 0.12)).toBe('波动内');
    expect(placeOf({ count: 38, total: 200 }, 0.12)).toBe('偏离');
    expect(funnelZ({ count: 38, total: 200 }, 0.12).toFixed(2)).toBe('3.05');
    expect(placeOf({ count: 60, total: 200 }, 0.12)).toBe('明显偏离');
    const { warning, action } = funnelLimits(200, 0.12);
    expect(warning.map((value) => (value * 100).toFixed(1))).toEqual(['7.5', '16.5']);
    expect(action.map((value) => (value * 100).toFixed(1))).toEqual(['4.9', '19.1']);
  });

  it('is adjusted for its grades: a school with the region’s shares in each grade has the region’s share', () => {
    const grades = [
      { total: 100, regional: 0.1 },
      { total: 200, regional: 0.2 },
    ];
    expect(adjustedShare(50, grades, 0.12)).toBeCloseTo(0.12, 12);
    expect(adjustedShare(0, [], 0.12)).toBe(null);
  });
});

describe('the normal distribution', () => {
  it('gives the textbook p values', () => {
    const asText = (z: number) => twoSidedP(z).toFixed(4);
    expect([0, 1, 1.96, 2.576, 3.291].map(asText)).toEqual(['1.0000', '0.3173', '0.0500', '0.0100', '0.0010']);
  });
});
