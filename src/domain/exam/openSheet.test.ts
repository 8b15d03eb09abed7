import { describe, expect, it } from 'vitest';
import { isStoppedAtSelfHarm, judgeOpenSheets, scoreAnsweredPoints, selfHarmItems } from '#domain/exam/openSheet.ts';
import { reviewDue } from '#domain/exam/review.ts';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { platformRules } from '#domain/warning/platformRules.ts';

const context = { rules: platformRules, minlevel: 2 as const };
/** An open sheet: option codes in item order, a dash for a blank. */
function sheet(formcode: string, codes: string) {
  const scale = scaleOf(formcode) as Scale;
  const answers = Object.fromEntries(
    [...codes].flatMap((code, index) => (code === '-' ? [] : [[scale.items[index]?.c, code] as const])),
  ) as Answers;
  return { examformid: 1, scale, answers };
}
const judge = (...forms: ReturnType<typeof sheet>[]) => judgeOpenSheets(forms, {}, context);

describe('the judgement of open sheets', () => {
  it('prorates eight answers of 3 before a blank item 9 to 27, which is level 3', () => {
    expect(judge(sheet('PHQ9', '33333333'))).toMatchObject({
      trigger: { level: 3, itemtrigger: true, rulecodes: ['R02', 'R03', 'R13'] },
      isStopped: true,
      isDoubtful: false,
    });
  });

  it('says nothing about a sheet without answers or with low answers', () => {
    expect(judge(sheet('PHQ9', ''))).toEqual({ trigger: null, isStopped: false, isDoubtful: false });
    expect(judge(sheet('PHQ9', '0000')).trigger).toBeNull();
  });

  it('uses the answered points alone where the form gives no score, and never more than level 2', () => {
    expect(judge(sheet('PHQ9', '333')).trigger).toBeNull();
    expect(judge(sheet('PHQ9', '3331')).trigger).toMatchObject({ level: 2, itemtrigger: false, rulecodes: ['R14'] });
    expect(judge(sheet('PHQ9', '333333')).trigger).toMatchObject({ level: 2, rulecodes: ['R14'] });
  });

  it('does not take a well-being that is only half answered for a low one', () => {
    expect(judge(sheet('WHO5', '555')).trigger).toBeNull();
    expect(scoreAnsweredPoints(scaleOf('WHO5') as Scale, { q1: '5' }, {})?.scores).toEqual({ raw: null, total: null });
  });

  it('lists a person who stops at item 9 with few points, without a case', () => {
    expect(judge(sheet('PHQ9', '11100000'))).toEqual({ trigger: null, isStopped: true, isDoubtful: false });
  });

  it('raises level 2 when the longer form after a positive PHQ-2 is absent or incomplete, and not when it is complete', () => {
    const rulecodes = (...forms: ReturnType<typeof sheet>[]) => judge(...forms).trigger?.rulecodes ?? [];
    expect(rulecodes(sheet('PHQ2', '30'))).toEqual(['R12']);
    expect(rulecodes(sheet('PHQ2', '30'), sheet('PHQ9', '00'))).toEqual(['R12']);
    expect(rulecodes(sheet('PHQ2', '30'), sheet('PHQ9', '0000000000'))).toEqual([]);
    expect(rulecodes(sheet('PHQ2', '20'))).toEqual([]);
  });

  it('raises nothing by the scores of a doubtful sheet, but lists it when they are high', () => {
    const uniform = [...(scaleOf('CESD') as Scale).items].map(() => '3').join('');
    expect(judge(sheet('CESD', uniform))).toMatchObject({ trigger: null, isStopped: false, isDoubtful: false });
    const lying = sheet('MHT', [...(scaleOf('MHT') as Scale).items].map(() => '1').join(''));
    expect(judge(lying)).toMatchObject({ trigger: null, isDoubtful: true });
  });
});

describe('stopping at a question about self-harm', () => {
  it('means that it is the next question, or that its answer was emptied', () => {
    const isStopped = (codes: string, more: Answers = {}) => {
      const { scale, answers } = sheet('PHQ9', codes);
      return isStoppedAtSelfHarm({ scale, answers: { ...answers, ...more } }, {});
    };
    expect(isStopped('00000000')).toBe(true);
    expect(isStopped('0000000')).toBe(false);
    expect(isStopped('000000000')).toBe(false);
    expect(isStopped('00', { q9: null })).toBe(true);
    expect(isStopped('')).toBe(false);
  });

  it('knows the items of every form', () => {
    const items = Object.fromEntries(
      library.flatMap((scale) => {
        const codes = selfHarmItems(scale);
        return codes.length ? [[scale.formcode, codes]] : [];
      }),
    );
    expect(items).toMatchObject({
      PHQ9: ['q9'],
      EPDS: ['q10'],
      GDS15: ['q14'],
      SCL90: ['q15', 'q59'],
      TEACHOBS: ['q10'],
      CAREOBS: ['q9'],
    });
  });
});

describe('the clock of 待核对答卷', () => {
  it('is three working days, and seven days over a long holiday', () => {
    const at = (text: string) => new Date(`${text}:00+08:00`);
    expect(reviewDue(at('2026-11-19T10:00'))).toEqual(at('2026-11-24T10:00'));
    const calendar = { holidays: ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-10-${day}`) };
    expect(reviewDue(at('2026-09-30T10:00'), calendar)).toEqual(at('2026-10-07T10:00'));
  });
});
