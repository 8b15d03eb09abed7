import { describe, expect, it } from 'vitest';
import type { FormResult, Outcome, Scale } from '#domain/scoring/scale.ts';
import { answersOf, workedCases } from '#domain/scoring/scales/cases.ts';
import { asq } from '#domain/scoring/scales/asq.ts';
import { careobs } from '#domain/scoring/scales/careobs.ts';
import { consultreg } from '#domain/scoring/scales/consultreg.ts';
import { gad7 } from '#domain/scoring/scales/gad7.ts';
import { k10 } from '#domain/scoring/scales/k10.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { mht } from '#domain/scoring/scales/mht.ts';
import { pcptsd5 } from '#domain/scoring/scales/pcptsd5.ts';
import { phq15 } from '#domain/scoring/scales/phq15.ts';
import { phq2 } from '#domain/scoring/scales/phq2.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { stureg } from '#domain/scoring/scales/stureg.ts';
import { tdemo } from '#domain/scoring/scales/tdemo.fixture.ts';
import { teachobs } from '#domain/scoring/scales/teachobs.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';

const formOf = (code: string): Scale => {
  const scale = code === 'TDEMO' ? tdemo : scaleOf(code);
  if (!scale) throw new Error(`no form ${code}`);
  return scale;
};

const numbers = (outcome: Outcome): FormResult => {
  if (outcome.kind === 'invalid') throw new Error(`refused ${outcome.items.join()}`);
  return outcome;
};

/** The value with the name that a worked example uses: `total`, `level.total`, `alerts`, `overall`, `valid`, `flags`. */
function valueOf(result: FormResult, name: string): unknown {
  if (name === 'overall') return result.overalllevel;
  if (name === 'alerts' || name === 'valid' || name === 'flags') return result[name];
  return name.startsWith('level.') ? result.levels[name.slice(6)] : result.scores[name];
}

const answersOfRow = (codes: string) =>
  Object.fromEntries(codes.split(' ').map((code, index) => [`q${index + 1}`, code === '-' ? null : code]));

describe('the worked examples of every form', () => {
  it.each(workedCases.map((workedCase) => [workedCase.form, workedCase.id, workedCase] as const))(
    '%s: %s',
    (_form, _id, testCase) => {
      const scale = formOf(testCase.form);
      const result = numbers(score(scale, answersOf(scale, testCase), testCase.p));
      const values = Object.fromEntries(Object.keys(testCase.e).map((name) => [name, valueOf(result, name)]));
      expect(values).toEqual(testCase.e);
    },
  );
});

describe('the scoring of a form', () => {
  it('is complete when all required questions are answered, also without the function item of the PHQ-9', () => {
    expect(score(phq9, answersOfRow('1 1 1 1 0 0 0 0 0')).kind).toBe('scored');
  });

  it('names the unanswered questions and computes the scores that the missing-rule allows', () => {
    const outcome = score(phq9, answersOfRow('1 1 1 1 1 1 1 - -'));
    expect(outcome).toMatchObject({
      kind: 'incomplete',
      unanswered: ['q8', 'q9'],
      scores: { total: 9, nsym: 0 },
      missing: { total: 2 },
    });
    expect(score(phq9, answersOfRow('1 1 1 1 1 1 - - -'))).toMatchObject({
      kind: 'incomplete',
      scores: { total: null },
      levels: { total: null },
    });
  });

  it('counts an empty text and an empty choice as unanswered', () => {
    expect(score(gad7, { ...answersOfRow('1 1 1 1 1 1'), q7: '' })).toMatchObject({ kind: 'incomplete', unanswered: ['q7'] });
    const registration = { consultdate: '2025-10-08 09:30', topics: [], duration: 3, before: '0', detail: '入睡困难' };
    expect(score(consultreg, registration)).toMatchObject({ kind: 'incomplete', unanswered: ['topics'] });
  });

  it('refuses an unknown question and an unknown option, and computes nothing', () => {
    expect(score(phq9, { ...answersOfRow('1 1 1 1 0 0 0 0 4'), q77: '1' })).toEqual({ kind: 'invalid', items: ['q9', 'q77'] });
  });

  it('refuses a single code for a multiple choice, a list for a single choice, and the same code twice', () => {
    expect(score(consultreg, { topics: '02' })).toMatchObject({ kind: 'invalid', items: ['topics'] });
    expect(score(consultreg, { topics: ['02', '02'] })).toMatchObject({ kind: 'invalid', items: ['topics'] });
    expect(score(consultreg, { before: ['0'] })).toMatchObject({ kind: 'invalid', items: ['before'] });
  });

  it.each([
    ['a number above the limit', { duration: 121 }],
    ['a text instead of a number', { duration: '三个月' }],
    ['a blank instead of a number', { duration: ' ' }],
    ['text longer than allowed', { expect: '好'.repeat(501) }],
    ['a day that does not exist', { consultdate: '2025-02-30 09:30' }],
    ['a day without its time', { consultdate: '2025-02-28' }],
  ])('refuses %s in a registration form', (_what, answers) => {
    expect(score(consultreg, answers)).toEqual({ kind: 'invalid', items: Object.keys(answers) });
  });

  it('refuses a telephone number that does not match its pattern and accepts one that does', () => {
    expect(score(stureg, { guardian1phone: '1380013800' })).toMatchObject({ kind: 'invalid' });
    expect(score(stureg, { guardian1phone: '13800138000' })).toMatchObject({ kind: 'incomplete' });
  });

  it('accepts option codes written as numbers', () => {
    expect(numbers(score(gad7, { q1: 3, q2: 3, q3: 3, q4: 2, q5: 2, q6: 1, q7: 1 })).scores.total).toBe(15);
  });
});

describe('the scoring of questions that were not asked', () => {
  it('does not count the women’s item in a man’s PHQ-15 as missing', () => {
    const outcome = score(phq15, answersOfRow('2 2 2 - 2 2 2 2 2 2 2 2 2 2 2'), { gender: '01' });
    expect(outcome).toMatchObject({ kind: 'scored', notapplicable: ['q4'], scores: { total: 28 }, missing: { total: 0 } });
  });

  it('ignores an answer to a question that does not apply', () => {
    expect(numbers(score(phq15, answersOfRow('0 0 0 2 0 0 0 0 0 0 0 0 0 0 0'), { gender: '01' })).scores.total).toBe(0);
  });

  it('uses the answers of a skip rule, also when the page sent an empty text', () => {
    expect(score(k10, { ...answersOfRow('2 1 - 2 1 - 2 2 2 2'), q3: '', q6: '' })).toMatchObject({
      kind: 'scored',
      scores: { total: 16 },
    });
  });

  it('gives a PC-PTSD-5 without an event no score and no level', () => {
    expect(score(pcptsd5, { q0: '0' })).toMatchObject({ kind: 'scored', scores: { total: null }, overalllevel: null });
  });

  it('applies the college only to university students and guardians only to minors', () => {
    const pupil = numbers(score(stureg, { eduphase: '02' }, { age: 14 }));
    expect(pupil.notapplicable).toEqual(['college', 'major']);
    const student = numbers(score(stureg, { eduphase: '05' }, { age: 19 }));
    expect(student.notapplicable).toContain('guardian1name');
    expect(student.notapplicable).not.toContain('college');
  });
});

describe('the scoring of alerts and flags', () => {
  it('raises the acute ASQ alert to level 4, also after a refused question 5', () => {
    expect(numbers(score(asq, { q1: '0', q2: '0', q3: '1', q4: '0', q5: '1' }))).toMatchObject({
      alerts: ['ASQ_ACUTE'],
      overalllevel: 4,
    });
    expect(numbers(score(asq, { q1: '0', q2: '0', q3: '1', q4: '0', q5: '9' })).alerts).toEqual(['ASQ_ACUTE']);
  });

  it('does not apply question 5 of the ASQ when no earlier answer was positive', () => {
    expect(score(asq, answersOfRow('0 0 0 0'))).toMatchObject({ kind: 'scored', notapplicable: ['q4t', 'q5'] });
  });

  it('raises an alert for talk of death in the teacher’s checklist without any clear sign', () => {
    const outcome = numbers(score(teachobs, answersOfRow('0 0 0 0 0 0 0 0 0 1 0 0')));
    expect(outcome).toMatchObject({ levels: { nclear: 0 }, alerts: ['DEATHTALK'], alertlevel: 3, overalllevel: 3 });
  });

  it('derives the level of the carer’s checklist from its clear signs', () => {
    expect(numbers(score(careobs, answersOfRow('2 2 2 1 0 0 0 0 0 0')))).toMatchObject({
      scores: { total: 7, nclear: 3 },
      levels: { nclear: 2 },
    });
    expect(numbers(score(careobs, answersOfRow('0 0 0 0 0 0 0 0 1 2 0'))).alerts).toEqual(['DEATHTALK', 'WOUND2']);
    expect(numbers(score(careobs, answersOfRow('0 0 0 0 0 0 0 0 0 0 2'))).alerts).toEqual(['EVENT']);
  });

  it('keeps the scores of a form with a high lie scale but gives it no level', () => {
    const answers = Object.fromEntries(mht.items.map((item) => [item.c, '1']));
    const outcome = numbers(score(mht, answers));
    expect(outcome).toMatchObject({ valid: false, flags: ['LIE_INVALID'], scores: { total: 90, lie: 10 }, overalllevel: null });
  });

  it('sets a flag for a missing norm and gives no T score', () => {
    const outcome = numbers(score(tdemo, answersOfRow('3 3 3 2'), { gender: '01', age: 40 }));
    expect(outcome).toMatchObject({ scores: { raw: 13, t: null }, levels: { t: null }, flags: ['nonorm:t'], overalllevel: null });
  });
});

describe('the next form of the same exam', () => {
  it('is the PHQ-9 after a positive PHQ-2, and nothing after a negative one', () => {
    expect(nextForms(phq2, numbers(score(phq2, answersOfRow('2 1'))))).toEqual(['PHQ9']);
    expect(nextForms(phq2, numbers(score(phq2, answersOfRow('1 1'))))).toEqual([]);
  });
});
