import { describe, expect, it } from 'vitest';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { epds } from '#domain/scoring/scales/epds.ts';
import { gad7 } from '#domain/scoring/scales/gad7.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { score } from '#domain/scoring/scoring.ts';

/** What a form must give for one sheet, worked out from the raw digits alone. */
type Oracle = (digits: Uint8Array) => { total: number; level: number; alerts: string };

/** Scores every possible sheet of `n` items with four options and returns the first disagreements with the oracle. */
function disagreements(scale: Scale, n: number, codes: readonly string[], oracle: Oracle): { sheets: number; wrong: string[] } {
  const digits = new Uint8Array(n);
  const names = Array.from({ length: n }, (_, at) => `q${at + 1}`);
  const answers: Record<string, string> = {};
  const wrong: string[] = [];
  const sheets = 4 ** n;
  for (let sheet = 0; sheet < sheets; sheet++) {
    for (let at = 0, rest = sheet; at < n; at++, rest >>>= 2) {
      digits[at] = rest & 3;
      answers[names[at] as string] = codes[rest & 3] as string;
    }
    const should = oracle(digits);
    const got = score(scale, answers as Answers);
    if (
      got.kind !== 'scored' ||
      got.scores.total !== should.total ||
      got.levels.total !== should.level ||
      got.alerts.join() !== should.alerts
    ) {
      if (wrong.length < 5) wrong.push(`${digits.join('')} should be ${JSON.stringify(should)}`);
    }
  }
  return { sheets, wrong };
}

const sum = (digits: Uint8Array) => {
  let total = 0;
  for (const digit of digits) total += digit;
  return total;
};

// A million sheets take seconds, and longer while other tests share the processor.
describe('every possible set of answers', () => {
  it('PHQ-9: all 262 144 sheets have the sum, the severity of Kroenke 2001 and the alert of item 9', () => {
    const severity = (total: number) => (total >= 20 ? 4 : total >= 15 ? 3 : total >= 10 ? 2 : total >= 5 ? 1 : 0);
    const result = disagreements(phq9, 9, ['0', '1', '2', '3'], (digits) => {
      const total = sum(digits);
      return { total, level: severity(total), alerts: ['', 'SI1', 'SI2', 'SI2'][digits[8] ?? 0] ?? '' };
    });
    expect(result).toEqual({ sheets: 262144, wrong: [] });
  });

  it('GAD-7: all 16 384 sheets have the sum and the severity of Spitzer 2006', () => {
    const severity = (total: number) => (total >= 15 ? 3 : total >= 10 ? 2 : total >= 5 ? 1 : 0);
    const result = disagreements(gad7, 7, ['0', '1', '2', '3'], (digits) => {
      const total = sum(digits);
      return { total, level: severity(total), alerts: '' };
    });
    expect(result).toEqual({ sheets: 16384, wrong: [] });
  });

  it('EPDS: all 1 048 576 sheets, printed positions 1–4, items 1, 2, 4 rising and the others falling', () => {
    const rising = new Set([0, 1, 3]);
    const result = disagreements(epds, 10, ['1', '2', '3', '4'], (digits) => {
      let total = 0;
      for (let at = 0; at < 10; at++) total += rising.has(at) ? (digits[at] ?? 0) : 3 - (digits[at] ?? 0);
      const item10 = 3 - (digits[9] ?? 0);
      return {
        total,
        level: total >= 13 ? 2 : total >= 10 ? 1 : 0,
        alerts: item10 === 0 ? '' : item10 === 1 ? 'SELFHARM1' : 'SELFHARM2',
      };
    });
    expect(result).toEqual({ sheets: 1048576, wrong: [] });
  });
});
