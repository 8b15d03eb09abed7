import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeOpenSheets } from '#domain/exam/openSheet.ts';
import { expectWarning } from '#domain/reconcile/expectSheet.ts';
import { findOpenTime } from '#domain/reconcile/openSheet.ts';
import type { Sheet, SheetForm } from '#domain/reconcile/sheet.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { platformRules } from '#domain/warning/platformRules.ts';
import { triggerLevel } from '#domain/warning/warningtrigger.ts';

const noon = new Date('2025-10-08T04:00:00Z');
const at = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);
const person = fc.record({ gender: fc.constantFrom('01', '02'), age: fc.integer({ min: 9, max: 90 }) });

/** The first answers of a form, some emptied, some all the same. Respondents stop anywhere. */
function partialAnswers(scale: Scale): fc.Arbitrary<Record<string, string | null>> {
  const items = compileScale(scale).items.filter((item) => item.type === 1);
  const answer = (item: (typeof items)[0]) =>
    fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...item.options.keys()) }, { weight: 1, arbitrary: fc.constant(null) });
  const last = fc.constant(items.map((item) => [...item.options.keys()].at(-1) as string));
  return fc
    .tuple(fc.oneof(fc.tuple(...items.map(answer)), last), fc.integer({ min: 0, max: items.length }))
    .map(([values, count]) =>
      Object.fromEntries(items.slice(0, count).map((item, index) => [item.item.c, values[index] as string | null])),
    );
}

const openSheet = (forms: readonly SheetForm[], more: Partial<Sheet> = {}): Sheet => ({
  appid: '000000002',
  forms,
  time: noon,
  isSubmitted: false,
  isValid: true,
  opentime: at(24),
  person: {},
  earlier: [],
  formsAfter: [],
  ...more,
});

function liveLevel(
  forms: readonly { scale: Scale; answers: Record<string, string | null> }[],
  who: Record<string, string | number>,
) {
  const { trigger } = judgeOpenSheets(
    forms.map(({ scale, answers }, index) => ({ examformid: index, scale, answers: answers as Answers })),
    who,
    { rules: platformRules, minlevel: 2, person: who, history: [] },
  );
  return trigger ? triggerLevel(trigger) : 0;
}
const tableLevel = (
  forms: readonly { scale: Scale; answers: Record<string, string | null> }[],
  who: Record<string, string | number>,
) => {
  const { level } = expectWarning(
    openSheet(
      forms.map(({ scale, answers }) => ({ formcode: scale.formcode, answers })),
      { person: who },
    ),
    [],
    at(26),
  );
  return level >= 2 ? level : 0;
};

/** Staff ask the ASQ; nobody leaves it open. */
const scored = library.filter((scale) => scale.scores.length > 0 && scale.formcode !== 'ASQ');

describe.each(scored.map((scale) => [scale.formcode, scale] as const))('an open %s', (_formcode, scale) => {
  it('asks the table for the same warning as the job, wherever the person stopped', () => {
    fc.assert(
      fc.property(partialAnswers(scale), person, (answers, who) => {
        expect(tableLevel([{ scale, answers }], who)).toBe(liveLevel([{ scale, answers }], who));
      }),
      { numRuns: 150 },
    );
  });
});

it.each([
  ['PHQ2', 'PHQ9'],
  ['GAD2', 'GAD7'],
  ['GAD7', 'PHQ9'],
  ['GDS15', 'PHQ9'],
])('%s with %s: both judge two open forms alike', (first, second) => {
  const scales = [scaleOf(first) as Scale, scaleOf(second) as Scale];
  fc.assert(
    fc.property(fc.tuple(...scales.map(partialAnswers)), person, (answers, who) => {
      const forms = scales.map((scale, index) => ({ scale, answers: answers[index]! }));
      expect(tableLevel(forms, who)).toBe(liveLevel(forms, who));
    }),
    { numRuns: 300 },
  );
});

describe('an open sheet', () => {
  const phq9 = (codes: string): SheetForm => ({
    formcode: 'PHQ9',
    answers: Object.fromEntries([...codes].map((code, index) => [`q${index + 1}`, code])),
  });
  const expectOf = (forms: SheetForm[], more: Partial<Sheet> = {}) => expectWarning(openSheet(forms, more), [], at(26));

  it.each<[string, SheetForm[], number, string]>([
    ['eight answers of 3 are prorated to 27', [phq9('33333333')], 3, 'PHQ9 total=27'],
    ['item 9 is next after 5 points', [phq9('11111000')], 2, 'R13'],
    ['four answers of 3 alone reach the cut-off', [phq9('3333')], 2, 'R14'],
    ['a positive PHQ-2 without its PHQ-9', [{ formcode: 'PHQ2', answers: { q1: '3', q2: '3' } }], 2, 'R12'],
  ])('%s', (_title, forms, level, reason) => {
    const expected = expectOf(forms);
    expect(expected.level).toBe(level);
    expect(expected.reasons.join()).toContain(reason);
    // Before the job's time only its alerts count.
    expect(expectOf(forms, { opentime: null }).level).toBe(0);
  });

  it('with a mild other form still counts its answered points, also where level 1 opens cases', () => {
    const gad = scaleOf('GAD7') as Scale;
    const phq = scaleOf('PHQ9') as Scale;
    const mild = { q1: '1', q2: '1', q3: '1', q4: '1', q5: '1', q6: '0', q7: '0' };
    const { trigger } = judgeOpenSheets(
      [
        { examformid: 1, scale: gad, answers: mild },
        { examformid: 2, scale: phq, answers: phq9('3333').answers as Answers },
      ],
      {},
      { rules: platformRules, minlevel: 1, history: [] },
    );
    expect(trigger).toMatchObject({ level: 2, rulecodes: ['R01', 'R14'] });
    expect(expectOf([{ formcode: 'GAD7', answers: mild }, phq9('3333')]).level).toBe(2);
  });

  it('is due 24 hours after its last answer or at the end of its task, and an hour later the table expects the judgement', () => {
    const times = { starttime: at(-1), time: noon, taskend: null, judgedtime: null };
    expect(findOpenTime(times, at(24.9))).toBeNull();
    expect(findOpenTime(times, at(25))).toEqual(at(24));
    expect(findOpenTime({ ...times, taskend: at(2) }, at(2.9))).toBeNull();
    expect(findOpenTime({ ...times, taskend: at(2) }, at(3))).toEqual(at(2));
    // An answer after the end is judged again.
    expect(findOpenTime({ ...times, taskend: at(-5) }, at(1))).toEqual(noon);
    expect(findOpenTime({ ...times, judgedtime: at(0.5) }, at(0.5))).toEqual(at(0.5));
    expect(findOpenTime({ ...times, starttime: at(-91 * 24) }, at(30))).toBeNull();
  });
});

it('late answers are judged by their totals at each arrival, also when a later one takes them back', () => {
  const q = (code: string) =>
    Object.fromEntries(['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q9'].map((item) => [item, code]));
  const late = (value: string, hours: number) => ['q1', 'q2', 'q3', 'q4', 'q5'].map((item) => ({ item, value, time: at(hours) }));
  const form: SheetForm = { formcode: 'PHQ9', answers: q('0'), late: [...late('3', 1), ...late('0', 2)] };
  const sheet = openSheet([form], { isSubmitted: true, opentime: null });
  expect(expectWarning(sheet, [], at(3))).toMatchObject({ level: 3, reasons: ['PHQ9 total=15'], time: at(1) });
  expect(expectWarning({ ...sheet, forms: [{ ...form, late: [] }] }, [], at(3)).level).toBe(0);
});
