import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { AsqResult } from '#domain/warning/asqTriage.ts';
import {
  countedLevel,
  describeInterview,
  isLowConclusion,
  isLowReasonSufficient,
  missingRepeatInterview,
  pendingConclusions,
  suggestLevel,
} from '#domain/warning/riskassess.ts';
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
  abuse: 0,
  asqresult: null,
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
    expect(level({ asqresult: AsqResult.acute })).toBe(4);
    expect(level({ asqresult: AsqResult.acutePossible })).toBe(4);
    expect(level({ infantharm: 1, psychosis: 1 })).toBe(4);
  });

  it('3 for a positive ASQ, also an unfinished one, and nothing for a negative or unfinished ASQ without a positive answer', () => {
    for (const asqresult of [AsqResult.positive, AsqResult.positiveUnfinished, AsqResult.refused])
      expect(suggestLevel({ ...noRiskFindings, asqresult })).toEqual({ level: 3, reasons: ['ASQ 阳性'] });
    expect(level({ asqresult: AsqResult.negative })).toBe(0);
    expect(level({ asqresult: AsqResult.unfinished })).toBe(0);
  });

  it('2 for suspected abuse alone, and 3 with two aggravating factors', () => {
    expect(suggestLevel({ ...noRiskFindings, abuse: 1 })).toEqual({ level: 2, reasons: ['疑似侵害、忽视或欺凌'] });
    expect(level({ abuse: 1, support: 0 })).toBe(2);
    expect(level({ abuse: 1, support: 0, substance: 1 })).toBe(3);
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
  /** The results of the ASQ from the least to the gravest. */
  const asqByGravity = [null, '07', '06', '05', '04', '03', '02', '01'] as const;
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
    abuse: bit,
    asqresult: fc.constantFrom(...asqByGravity),
  });

  it('never lowers the suggestion, and every level above 0 has a reason', () => {
    fc.assert(
      fc.property(interviews, interviews, (a, b) => {
        const worse = { ...a };
        for (const key of Object.keys(a) as (keyof RiskInterview)[]) {
          if (key === 'asqresult') {
            const gravity = Math.max(asqByGravity.indexOf(a.asqresult), asqByGravity.indexOf(b.asqresult));
            worse.asqresult = asqByGravity[gravity] ?? null;
            continue;
          }
          // Less support is worse, so the smaller value is the worse answer.
          const value = key === 'support' ? Math.min(a.support, b.support) : Math.max(a[key], b[key]);
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

describe('a low conclusion', () => {
  it('is two levels below the suggestion, or at all below a suggestion of level 3 or 4', () => {
    const low = [4, 3, 2, 1, 0].flatMap((suggested) =>
      [0, 1, 2, 3, 4]
        .filter((conclusion) => isLowConclusion(conclusion, suggested))
        .map((conclusion) => `${suggested}→${conclusion}`),
    );
    expect(low).toEqual(['4→0', '4→1', '4→2', '4→3', '3→0', '3→1', '3→2', '2→0']);
  });

  it('counts with the level of the suggestion until a second person has confirmed it (L15)', () => {
    expect(countedLevel({ conclusionlevel: 0, suggestedlevel: 4 }, false)).toBe(4);
    expect(countedLevel({ conclusionlevel: 0, suggestedlevel: 4 }, true)).toBe(0);
    expect(countedLevel({ conclusionlevel: 1, suggestedlevel: 2 }, false)).toBe(1);
    expect(countedLevel({ conclusionlevel: 4, suggestedlevel: 2 }, false)).toBe(4);
    expect(countedLevel({ conclusionlevel: 1, suggestedlevel: null }, false)).toBe(1);
  });

  const noon = new Date('2025-10-10T06:00:00Z');
  const interview = (days: number, isLow: boolean, needssecond = isLow) => ({
    time: addDays(noon, days),
    newsno: 1,
    finished: true,
    islow: isLow,
    needssecond,
  });

  it('meets no criterion, and a new interview does so from the seventh day', () => {
    const missing = (...riskassess: ReturnType<typeof interview>[]) =>
      missingRepeatInterview({ newstime: noon, newsno: 1, riskassess });
    expect(missing(interview(0, true, false))).toBe('有一次评估结论低于系统建议，须在2025-10-17及以后再做一次访谈评估');
    expect(missing(interview(0, true), interview(6, false))).not.toBe('');
    expect(missing(interview(0, true), interview(7, false))).toBe('');
    expect(missing(interview(-1, true), interview(0, false))).toBe('');
  });

  it('waits for a second person until it is confirmed, replaced by a later interview, or older than news', () => {
    const waiting = (...riskassess: ReturnType<typeof interview>[]) =>
      pendingConclusions({ newstime: noon, newsno: 1, riskassess }).map(({ time }) => shanghaiDate(time));
    expect(waiting(interview(1, true), interview(0, true))).toEqual(['2025-10-10', '2025-10-11']);
    expect(waiting(interview(0, true), interview(1, false))).toEqual([]);
    expect(waiting(interview(0, false), interview(1, true))).toEqual(['2025-10-11']);
    expect(waiting(interview(0, true, false))).toEqual([]);
    expect(waiting(interview(-1, true))).toEqual([]);
  });

  it('needs a reason of at least 20 characters', () => {
    expect(isLowReasonSufficient('一'.repeat(19))).toBe(false);
    expect(isLowReasonSufficient(` ${'一'.repeat(20)} `)).toBe(true);
    expect(isLowReasonSufficient(`${'一'.repeat(10)}${' '.repeat(20)}`)).toBe(false);
  });
});

it('the log of an interview names each finding, the ASQ, the suggestion and the conclusion', () => {
  expect(
    describeInterview(
      { ...noRiskFindings, ideation: 2, plan: 1, attempthistory: 2, hopelessness: 1, abuse: 1, asqresult: '03' },
      { suggestedlevel: 4, conclusionlevel: 4 },
      'edu',
    ),
  ).toBe(
    '结论：特级预警（系统建议 特级预警）。自杀意念：主动，无计划；具体计划：有；可获得的工具：无；自伤或自杀未遂：三个月内有；' +
      'ASQ：非急性阳性；疑似侵害、忽视或欺凌：是；支持：支持充分。其他发现：绝望感明显',
  );
  expect(describeInterview(noRiskFindings, { suggestedlevel: 0, conclusionlevel: 0 }, 'edu')).toContain('ASQ：未询问');
});
