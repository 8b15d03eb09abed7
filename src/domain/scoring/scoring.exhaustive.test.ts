import { describe, expect, it } from 'vitest';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { epds } from '#domain/scoring/scales/epds.ts';
import { gad7 } from '#domain/scoring/scales/gad7.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { score } from '#domain/scoring/scoring.ts';

/** The expected result of one set of answers, computed from the raw digits alone. */
type Oracle = (digits: Uint8Array) => { total: number; level: number; alerts: string };

/** Scores all possible answers to `n` items with four options. Returns the first results that differ from the oracle. */
function disagreements(scale: Scale, n: number, codes: readonly string[], oracle: Oracle): { sheets: number; wrong: string[] } {
  const digits = new Uint8Array(n);
  const names = Array.from({ length: n }, (_, index) => `q${index + 1}`);
  const answers: Record<string, string> = {};
  const wrong: string[] = [];
  const sheets = 4 ** n;
  for (let sheet = 0; sheet < sheets; sheet++) {
    for (let index = 0, rest = sheet; index < n; index++, rest >>>= 2) {
      digits[index] = rest & 3;
      answers[names[index] as string] = codes[rest & 3] as string;
    }
    const expected = oracle(digits);
    const outcome = score(scale, answers as Answers);
    if (
      outcome.kind !== 'scored' ||
      outcome.scores.total !== expected.total ||
      outcome.levels.total !== expected.level ||
      outcome.alerts.join() !== expected.alerts
    ) {
      if (wrong.length < 5) wrong.push(`${digits.join('')} should be ${JSON.stringify(expected)}`);
    }
  }
  return { sheets, wrong };
}

const sum = (digits: Uint8Array) => {
  let total = 0;
  for (const digit of digits) total += digit;
  return total;
};

describe('every possible set of answers', () => {
  it('to the PHQ-9 (262 144) has the sum, the severity of Kroenke 2001 and the alert of item 9', () => {
    const severity = (total: number) => (total >= 20 ? 4 : total >= 15 ? 3 : total >= 10 ? 2 : total >= 5 ? 1 : 0);
    const result = disagreements(phq9, 9, ['0', '1', '2', '3'], (digits) => {
      const total = sum(digits);
      return { total, level: severity(total), alerts: ['', 'SI1', 'SI2', 'SI2'][digits[8] ?? 0] ?? '' };
    });
    expect(result).toEqual({ sheets: 262144, wrong: [] });
  });

  it('to the GAD-7 (16 384) has the sum and the severity of Spitzer 2006', () => {
    const severity = (total: number) => (total >= 15 ? 3 : total >= 10 ? 2 : total >= 5 ? 1 : 0);
    const result = disagreements(gad7, 7, ['0', '1', '2', '3'], (digits) => {
      const total = sum(digits);
      return { total, level: severity(total), alerts: '' };
    });
    expect(result).toEqual({ sheets: 16384, wrong: [] });
  });

  it('to the EPDS (1 048 576) has the right score: items 1, 2 and 4 rise with the position, the others fall', () => {
    const rising = new Set([0, 1, 3]);
    const result = disagreements(epds, 10, ['1', '2', '3', '4'], (digits) => {
      let total = 0;
      for (let index = 0; index < 10; index++) total += rising.has(index) ? (digits[index] ?? 0) : 3 - (digits[index] ?? 0);
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
