import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { Answers, FormResult, Scale } from '#domain/scoring/scale.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import { triggerFromForms, triggerLevel } from '#domain/warning/warningtrigger.ts';
import { expectWarning } from '#domain/reconcile/expectSheet.ts';
import { formTable } from '#domain/reconcile/formTable.ts';
import { judgeForm } from '#domain/reconcile/judgeForm.ts';
import { readOwnForm } from '#domain/reconcile/ownForm.ts';
import type { Sheet, SheetForm } from '#domain/reconcile/sheet.ts';
import type { TableForm } from '#domain/reconcile/tableForm.ts';

const noon = new Date('2025-10-08T04:00:00Z');
const scored = library.filter((scale) => scale.scores.length > 0);
const person = fc.record({ gender: fc.constantFrom('01', '02'), age: fc.integer({ min: 9, max: 90 }) });

/** Random answers to the single choices of a form; some questions stay unanswered. */
const answersTo = (scale: Scale) =>
  fc.record(
    Object.fromEntries(
      compileScale(scale)
        .items.filter((item) => item.type === 1)
        .map((item) => [item.item.c, fc.option(fc.constantFrom(...item.options.keys()), { freq: 12 })]),
    ),
  );

function live(scale: Scale, answers: Answers, who: Record<string, string | number>): FormResult {
  const outcome = score(scale, answers, who);
  if (outcome.kind === 'invalid') throw new Error(`${scale.formcode} refused ${outcome.items.join()}`);
  return outcome;
}

/** The differences between a row of the table and the live scoring of some answers, in words. */
function compareWithLive(scale: Scale, row: TableForm, answers: Answers, who: Record<string, string | number>): string[] {
  const result = live(scale, answers, who);
  const judged = judgeForm(row, answers as never, who);
  const differences = scale.scores.flatMap(({ c }) => [
    ...(judged.scores[c] === result.scores[c] ? [] : [`${c}: ${judged.scores[c]}, live ${result.scores[c]}`]),
    ...(judged.levels[c] === result.levels[c] ? [] : [`level of ${c}: ${judged.levels[c]}, live ${result.levels[c]}`]),
  ]);
  const [own, others] = [judged.alerts.map(({ code }) => code), result.alerts];
  if (own.join() !== others.join()) differences.push(`alerts: ${own.join()}, live ${others.join()}`);
  if (judged.isValid !== result.valid) differences.push(`valid: ${judged.isValid}, live ${result.valid}`);
  return differences;
}

/** The floor rule R00 for the live result of one form. */
const floorOf = (scale: Scale, { valid, levels }: FormResult): number => {
  const highest = Math.max(0, ...scale.scores.filter(({ primary }) => primary).map(({ c }) => levels[c] ?? 0));
  return valid && highest >= 3 ? highest - 1 : 0;
};

const liveLevelOf = (scale: Scale, result: FormResult, who: Record<string, string | number>): number => {
  const rules = result.valid ? {} : { rules: [] };
  const trigger = triggerFromForms({ [scale.formcode]: { scale, result } }, { person: who, minlevel: 1, ...rules });
  return trigger ? triggerLevel(trigger) : 0;
};
const tableLevelOf = (scale: Scale, { valid }: FormResult, answers: Answers, who: Record<string, string | number>): number =>
  levelOf([{ formcode: scale.formcode, answers: answers as SheetForm['answers'] }], { person: who, isValid: valid });

const sheet = (forms: readonly SheetForm[], more: Partial<Sheet> = {}): Sheet => ({
  appid: '000000002',
  forms,
  time: noon,
  isSubmitted: true,
  isValid: true,
  opentime: null,
  person: {},
  earlier: [],
  formsAfter: [],
  ...more,
});
const inOrder = (formcode: string, codes: string): SheetForm => ({
  formcode,
  answers: Object.fromEntries(codes.split(' ').map((code, index) => [`q${index + 1}`, code])),
});
/** Every item of a form with the same option. */
const filled = (formcode: string, option: string, more: Record<string, string> = {}): SheetForm => ({
  formcode,
  answers: { ...Object.fromEntries((scaleOf(formcode)?.items ?? []).map(({ c }) => [c, option])), ...more },
});
const levelOf = (forms: readonly SheetForm[], more: Partial<Sheet> = {}, now = noon) =>
  expectWarning(sheet(forms, more), [], now).level;

it('the table contains every shipped questionnaire that has a score', () => {
  expect(Object.keys(formTable).sort()).toEqual(scored.map((scale) => scale.formcode).sort());
});

describe.each(scored.map((scale) => [scale.formcode, scale] as const))('random answers to %s', (formcode, scale) => {
  it('get the same scores, levels and alerts from the table as from the live definition', () => {
    const row = formTable[formcode] as TableForm;
    fc.assert(
      fc.property(answersTo(scale), person, (answers, who) => {
        expect(compareWithLive(scale, row, answers, who)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('ask for the same warning as the live rules with the floor rule', () => {
    fc.assert(
      fc.property(answersTo(scale), person, (answers, who) => {
        const result = live(scale, answers, who);
        const expected = Math.max(liveLevelOf(scale, result, who), floorOf(scale, result));
        expect(tableLevelOf(scale, result, answers, who)).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(scored.map((scale) => [scale.formcode, scale] as const))('random answers to %s', (_formcode, scale) => {
  it('never ask the table for less than the live rules', () => {
    fc.assert(
      fc.property(answersTo(scale), person, (answers, who) => {
        const result = live(scale, answers, who);
        expect(tableLevelOf(scale, result, answers, who)).toBeGreaterThanOrEqual(liveLevelOf(scale, result, who));
      }),
      { numRuns: 60 },
    );
  });

  it('get the same results when the stored definition is read like a questionnaire of an institution', () => {
    const row = readOwnForm(JSON.parse(JSON.stringify(scale)));
    fc.assert(
      fc.property(answersTo(scale), person, (answers, who) => {
        expect(compareWithLive(scale, row, answers, who)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the cut-offs of section G', () => {
  it.each<[string, SheetForm, number]>([
    ['PHQ-9 of 9', inOrder('PHQ9', '3 3 3 0 0 0 0 0 0'), 1],
    ['PHQ-9 of 10', inOrder('PHQ9', '3 3 3 1 0 0 0 0 0'), 2],
    ['PHQ-9 of 15', inOrder('PHQ9', '3 3 3 3 3 0 0 0 0'), 3],
    ['PHQ-9 item 9 “several days”', inOrder('PHQ9', '0 0 0 0 0 0 0 0 1'), 2],
    ['PHQ-9 item 9 “more than half the days”', inOrder('PHQ9', '0 0 0 0 0 0 0 0 2'), 3],
    ['PHQ-9 of 27', filled('PHQ9', '3'), 3],
    ['GAD-7 of 15', inOrder('GAD7', '3 3 3 3 3 0 0'), 3],
    ['PHQ-4 of 9', inOrder('PHQ4', '3 3 3 0'), 2],
    ['PHQ-15 of 30', filled('PHQ15', '2'), 2],
    ['GDS-15 of 15', filled('GDS15', '1', { q1: '0', q5: '0', q7: '0', q11: '0', q13: '0' }), 2],
    ['CES-D of 60', filled('CESD', '3', { q4: '0', q8: '0', q12: '0', q16: '0' }), 2],
    ['K10 of 50', filled('K10', '5'), 2],
    ['K6 of 24', filled('K6', '4'), 2],
    ['DASS-21 depression 30', filled('DASS21', '0', { q3: '3', q5: '3', q10: '3', q13: '3', q16: '3' }), 3],
    ['DASS-21 depression 24', filled('DASS21', '0', { q3: '3', q5: '3', q10: '3', q13: '3' }), 2],
    ['WHO-5 of 0', filled('WHO5', '0'), 2],
    ['WHO-5 of 40', filled('WHO5', '2'), 0],
    ['CBI of 75', filled('CBI', '75', { w7: '25' }), 2],
    ['CBI of 100', filled('CBI', '100', { w7: '0' }), 3],
    ['SDS of 100', filled('SDS', '4', { q2: '1', q5: '1', q6: '1', q11: '1', q12: '1', q14: '1', q16: '1', q17: '1' }), 2],
    ['SCL-90 item 15 of 2', filled('SCL90', '1', { q15: '2' }), 2],
    ['SCL-90 item 15 of 3', filled('SCL90', '1', { q15: '3' }), 3],
    ['EPDS of 20', filled('EPDS', '2', { q1: '3', q2: '3', q3: '2', q4: '3', q10: '4', q5: '1', q6: '1' }), 3],
    ['a teacher who saw talk of death', filled('TEACHOBS', '0', { q10: '1' }), 3],
    ['a teacher who saw five clear signs', filled('TEACHOBS', '0', { q1: '2', q2: '2', q3: '2', q4: '2', q5: '2' }), 2],
    ['an acute ASQ', inOrder('ASQ', '0 0 0 0 1'), 4],
    ['an ASQ with a refusal at question 5 after a yes', inOrder('ASQ', '1 0 0 0 9'), 4],
    ['an ASQ that stopped before question 5 after a yes', inOrder('ASQ', '0 0 1 0'), 3],
  ])('%s', (_title, form, level) => {
    expect(levelOf([form])).toBe(level);
  });

  it('sums count only for a submitted and valid sheet; a positive answer to an alert item always counts', () => {
    const severe = [inOrder('PHQ9', '3 3 3 3 3 3 3 3 1')];
    expect(levelOf(severe)).toBe(3);
    expect(levelOf(severe, { isSubmitted: false })).toBe(2);
    expect(levelOf(severe, { isValid: false })).toBe(2);
  });

  it('an answer that was changed back still counts, at the time when it was given', () => {
    const early = new Date('2025-10-08T01:11:00Z');
    const changed = { ...inOrder('PHQ9', '0 0 0 0 0 0 0 0 0'), versions: [{ item: 'q9', value: '2', seq: 1, time: early }] };
    expect(expectWarning(sheet([changed]), [], noon)).toMatchObject({
      level: 3,
      isSelfHarm: true,
      reasons: ['PHQ9:SI2'],
      time: early,
    });
  });

  it('a PHQ-9 that rose by 5 within 90 days asks for level 2; a GDS-15 of 12 with PHQ-9 item 9 asks for level 3', () => {
    const earlier = (time: string) => [{ ...inOrder('PHQ9', '1 1 0 0 0 0 0 0 0'), time: new Date(time) }];
    const seven = [inOrder('PHQ9', '3 3 1 0 0 0 0 0 0')];
    expect(levelOf(seven, { earlier: earlier('2025-09-01T00:00:00Z') })).toBe(2);
    expect(levelOf(seven, { earlier: earlier('2025-05-01T00:00:00Z') })).toBe(1);
    const gds = filled('GDS15', '1', { q1: '0', q5: '0', q7: '0', q11: '1', q13: '1', q14: '0' });
    expect(levelOf([gds, inOrder('PHQ9', '0 0 0 0 0 0 0 0 1')])).toBe(3);
  });

  it('a positive short form asks for level 2 when its longer form is not done a day later', () => {
    const short = [inOrder('PHQ2', '3 3')];
    const nextDay = new Date(noon.getTime() + 27 * 3_600_000);
    expect(levelOf(short)).toBe(0);
    expect(levelOf(short, {}, nextDay)).toBe(2);
    expect(levelOf(short, { formsAfter: ['PHQ9'] }, nextDay)).toBe(0);
    expect(levelOf([...short, inOrder('PHQ9', '0 0 0 0 0 0 0 0 0')], {}, nextDay)).toBe(0);
  });

  it('a questionnaire of an institution follows the floor rule, and its own rule follows its own limit', () => {
    const definition = {
      items: [{ c: 'a', o: 'n' }],
      optionsets: {
        n: [
          ['x', '', 0],
          ['y', '', 7],
          ['z', '', 9],
        ],
      },
      scores: [{ c: 'total', op: 'sum', of: 'a', primary: true }],
      bands: {
        total: [
          [0, 6, 0, ''],
          [7, 8, 3, ''],
          [9, 9, 4, ''],
        ],
      },
    };
    const own = (a: string) => [{ formcode: 'ZF01', definition, answers: { a } }];
    expect([levelOf(own('x')), levelOf(own('y')), levelOf(own('z'))]).toEqual([0, 2, 3]);
    const rule = { rulecode: 'ZR1', cond: { all: [{ form: 'PHQ9', score: 'total', gte: 7 }] }, warninglevel: 2, appid: null };
    const seven = sheet([inOrder('PHQ9', '3 3 1 0 0 0 0 0 0')]);
    expect(expectWarning(seven, [{ ...rule, since: new Date(0) }], noon).level).toBe(2);
    expect(expectWarning(seven, [{ ...rule, since: new Date(noon.getTime() + 1) }], noon).level).toBe(1);
  });
});
