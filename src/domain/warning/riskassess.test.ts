import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestLevel } from '#domain/warning/riskassess.ts';
import type { RiskInterview } from '#domain/warning/riskassess.ts';

const noRiskFindings: RiskInterview = {
  ideation: 0,
  plan: 0,
  means: 0,
  attempthistory: 0,
  hopelessness: 0,
  support: 2,
  psychosis: 0,
  substance: 0,
  infantharm: 0,
};
const level = (answers: Partial<RiskInterview>) => suggestLevel({ ...noRiskFindings, ...answers }).level;

describe('the interview suggests level', () => {
  it('0 without a reason when there is no finding', () => {
    expect(suggestLevel(noRiskFindings)).toEqual({ level: 0, reasons: [] });
  });

  it('4 for ideation with a plan, a plan with available means, preparation, a recent attempt or an acute ASQ', () => {
    expect(level({ ideation: 3 })).toBe(4);
    expect(level({ ideation: 4 })).toBe(4);
    expect(level({ plan: 1, means: 1 })).toBe(4);
    expect(level({ attempthistory: 2 })).toBe(4);
    expect(level({ asqacute: 1 })).toBe(4);
    expect(level({ infantharm: 1, psychosis: 1 })).toBe(4);
  });

  it('3 for active ideation, a plan without means, thoughts of harming the infant, or passive ideation after an earlier attempt', () => {
    expect(level({ ideation: 2 })).toBe(3);
    expect(level({ plan: 1 })).toBe(3);
    expect(level({ infantharm: 1 })).toBe(3);
    expect(level({ ideation: 1, attempthistory: 1 })).toBe(3);
    expect(level({ ideation: 1, psychosis: 1 })).toBe(3);
  });

  it('2 for passive ideation with enough support, as in the worked scenario', () => {
    expect(suggestLevel({ ...noRiskFindings, ideation: 1 })).toEqual({ level: 2, reasons: ['有消极（被动）意念'] });
  });

  it('3 instead of 2 for a finding with hopelessness and lack of support, and names these reasons', () => {
    expect(suggestLevel({ ...noRiskFindings, ideation: 1, hopelessness: 1, support: 0 })).toEqual({
      level: 3,
      reasons: ['有消极（被动）意念', '绝望感明显', '缺乏支持'],
    });
    expect(level({ ideation: 2, hopelessness: 1, support: 0 })).toBe(4);
  });

  it('1 or 2 for aggravating factors without any finding', () => {
    expect(level({ support: 0 })).toBe(1);
    expect(level({ support: 0, hopelessness: 1 })).toBe(2);
    expect(level({ support: 0, hopelessness: 1, substance: 1 })).toBe(2);
  });

  it('0 for access to means alone', () => {
    expect(level({ means: 1 })).toBe(0);
  });
});

describe('a worse interview answer', () => {
  const bit = fc.constantFrom<(0 | 1)[]>(0, 1);
  const interviews = fc.record<RiskInterview>({
    ideation: fc.constantFrom(0, 1, 2, 3, 4),
    plan: bit,
    means: bit,
    attempthistory: fc.constantFrom(0, 1, 2),
    hopelessness: bit,
    support: fc.constantFrom(0, 1, 2),
    psychosis: bit,
    substance: bit,
    infantharm: bit,
    asqacute: bit,
  });

  it('never lowers the suggestion, and every level above 0 has a reason', () => {
    fc.assert(
      fc.property(interviews, interviews, (a, b) => {
        const worse = { ...a };
        for (const key of Object.keys(a) as (keyof RiskInterview)[]) {
          // Less support is worse, so the smaller value is the worse answer.
          const value = key === 'support' ? Math.min(a.support, b.support) : Math.max(a[key] ?? 0, b[key] ?? 0);
          Object.assign(worse, { [key]: value });
        }
        const before = suggestLevel(a);
        expect(suggestLevel(worse).level).toBeGreaterThanOrEqual(before.level);
        expect(before.reasons.length > 0).toBe(before.level > 0);
      }),
      { numRuns: 2000 },
    );
  });
});
