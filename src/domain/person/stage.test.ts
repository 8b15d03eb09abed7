import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shiftDate } from '#domain/base/calendar.ts';
import { datesDisagree, gestationalDays } from '#domain/person/gestation.ts';
import { coverageOf, dueOf, proposeStage, stageWindows, type StageFacts, type ValidSheet } from '#domain/person/stage.ts';

const woman = (facts: Partial<StageFacts>): StageFacts => ({
  appid: '000000001',
  opendate: '2025-01-01',
  sheets: [],
  ...facts,
});
const pupil = (facts: Partial<StageFacts> = {}): StageFacts => ({
  appid: '000000002',
  opendate: '2025-01-01',
  gradecode: 'J2',
  sheets: [],
  ...facts,
});
const sheet = (stagecode: string, date: string, level = 0): ValidSheet => ({ stagecode, date, level });

test('a pregnancy moves from stage to stage on the days that the design names', () => {
  const edcdate = '2026-01-01';
  const on = (gestation: number) => proposeStage(woman({ edcdate }), shiftDate(edcdate, gestation - 280));
  const stages: [number, string | null, string][] = [
    [-1, null, '日期有误'],
    [0, 'YC01', ''],
    [97, 'YC01', ''],
    [98, 'YC02', ''],
    [195, 'YC02', ''],
    [196, 'YC03', ''],
    [294, 'YC03', ''],
    [295, null, '待补分娩信息'],
  ];
  for (const [day, stagecode, note] of stages) expect([day, on(day)]).toEqual([day, { stagecode, note }]);
});

test('after the birth the stages follow the days since it', () => {
  const deliverydate = '2025-10-01';
  const on = (days: number) => proposeStage(woman({ deliverydate, edcdate: '2025-10-05' }), shiftDate(deliverydate, days));
  const stages: [number, string | null, string][] = [
    [0, null, '产后第28天起可测'],
    [27, null, '产后第28天起可测'],
    [28, 'YC42', ''],
    [84, 'YC42', ''],
    [85, 'YC90', ''],
    [120, 'YC90', ''],
    [121, null, ''],
  ];
  for (const [day, stagecode, note] of stages) expect([day, on(day)]).toEqual([day, { stagecode, note }]);
  const withoutYC90 = woman({ deliverydate, chosenstages: ['YC01', 'YC02', 'YC03', 'YC42'] });
  expect(proposeStage(withoutYC90, shiftDate(deliverydate, 90))).toEqual({ stagecode: null, note: '' });
});

test('the expected date counts before the last period, and dates more than two weeks apart are reported', () => {
  const dates = { lmpdate: '2025-03-26', edcdate: '2026-01-15' };
  expect(gestationalDays(dates, '2025-10-08')).toBe(181);
  expect(gestationalDays({ lmpdate: '2025-03-26' }, '2025-10-08')).toBe(196);
  expect(datesDisagree({ lmpdate: '2025-03-26', edcdate: '2026-01-14' })).toBe(false);
  expect(datesDisagree(dates)).toBe(true);
  expect(gestationalDays({ ...dates, deliverydate: '2025-10-08' }, '2025-10-08')).toBeNull();
  expect(proposeStage(woman({}), '2025-10-08')).toEqual({ stagecode: null, note: '待补孕周信息' });
});

test('pupils are tested once a term, those of a first grade also on entry', () => {
  const months = (facts: StageFacts) =>
    ['2025-08-15', '2025-09-01', '2025-11-30', '2025-12-01', '2026-01-31', '2026-02-01', '2026-07-31', '2026-08-01'].map(
      (day) => proposeStage(facts, day).stagecode,
    );
  expect(months(pupil())).toEqual([null, 'XS01', 'XS01', 'XS01', 'XS01', 'XS02', 'XS02', null]);
  expect(months(pupil({ gradecode: 'J1' }))).toEqual(['XS00', 'XS00', 'XS00', 'XS01', 'XS01', 'XS02', 'XS02', 'XS00']);
  expect(proposeStage(pupil({ gradecode: 'J1', sheets: [sheet('XS00', '2025-09-10')] }), '2025-09-11').stagecode).toBe('XS01');
});

test('workers are tested once a year, elders once a year and 90 days after a result that needs attention', () => {
  const worker = (...sheets: ValidSheet[]): StageFacts => ({ appid: '000000003', opendate: '2024-01-01', sheets });
  expect(proposeStage(worker(), '2025-10-01').stagecode).toBe('ZY02');
  expect(proposeStage(worker(sheet('ZY02', '2024-10-01')), '2025-10-01').stagecode).toBeNull();
  expect(proposeStage(worker(sheet('ZY02', '2024-10-01')), '2025-10-02').stagecode).toBe('ZY02');
  const elder = (level: number): StageFacts => ({
    appid: '000000004',
    opendate: '2025-01-01',
    sheets: [sheet('LN01', '2025-07-01', level)],
  });
  expect(proposeStage(elder(1), '2025-09-28').stagecode).toBeNull();
  expect(proposeStage(elder(1), '2025-09-29').stagecode).toBe('LN02');
  expect(proposeStage(elder(0), '2025-09-29').stagecode).toBeNull();
});

test('a re-test due within a week comes before the stage, and is overdue after its last day', () => {
  const facts = woman({ edcdate: '2026-01-01', retest: { due: '2025-10-15', latest: '2025-10-29' } });
  expect(proposeStage(facts, '2025-10-07').stagecode).toBe('YC02');
  expect(proposeStage(facts, '2025-10-08').stagecode).toBe('FC01');
  expect(dueOf(facts, '2025-10-29')).toMatchObject({ state: 'retest', until: '2025-10-29' });
  expect(dueOf(facts, '2025-10-30')).toMatchObject({ state: 'overdue', stagecode: 'FC01' });
});

test('the re-test of a plan ends when the next stage begins; one that staff planned stays', () => {
  const tested = sheet('XS02', '2025-05-20', 1);
  const pupilTested = pupil({ sheets: [{ ...tested, retestdays: 28 }] });
  expect(proposeStage(pupilTested, '2025-06-09').stagecode).toBe('XS02');
  expect(proposeStage(pupilTested, '2025-06-10').stagecode).toBe('FC01');
  expect(dueOf(pupilTested, '2025-07-01')).toMatchObject({ state: 'overdue', stagecode: 'FC01' });
  expect(dueOf(pupilTested, '2025-09-01')).toMatchObject({ state: 'due', stagecode: 'XS01' });
  const planned = { ...pupilTested, retest: { due: '2025-06-17', latest: '2025-06-17' } };
  expect(dueOf(planned, '2025-09-01')).toMatchObject({ state: 'overdue', stagecode: 'FC01' });
});

test('a stage is due, overdue in its last two weeks, and missed when the next one has begun', () => {
  const edcdate = '2026-01-01';
  const on = (gestation: number, sheets: ValidSheet[] = []) =>
    dueOf(woman({ edcdate, sheets }), shiftDate(edcdate, gestation - 280));
  expect(on(181)).toMatchObject({ state: 'due', stagecode: 'YC02', missed: ['YC01'] });
  expect(on(182)).toMatchObject({ state: 'overdue', stagecode: 'YC02' });
  expect(on(195)).toMatchObject({ state: 'overdue' });
  expect(on(196)).toMatchObject({ state: 'due', stagecode: 'YC03', missed: ['YC01', 'YC02'] });
  expect(on(181, [sheet('YC02', '2025-08-01')])).toMatchObject({ state: 'missed', stagecode: 'YC01' });
  const mother = woman({ deliverydate: '2025-10-01', opendate: '2025-09-30' });
  expect(dueOf(mother, shiftDate('2025-10-01', 56))).toMatchObject({ state: 'due', stagecode: 'YC42' });
  expect(dueOf(mother, shiftDate('2025-10-01', 57))).toMatchObject({ state: 'overdue', stagecode: 'YC42' });
});

test('a sheet of an earlier archive or school year does not count', () => {
  const edcdate = '2026-01-01';
  const second = woman({ edcdate, opendate: '2025-05-01', sheets: [sheet('YC03', '2024-03-01')] });
  expect(dueOf(second, '2025-11-01')).toMatchObject({ state: 'due', stagecode: 'YC03' });
  expect(dueOf(pupil({ sheets: [sheet('XS01', '2024-10-01')] }), '2025-10-01')).toMatchObject({
    state: 'due',
    stagecode: 'XS01',
  });
  expect(dueOf(pupil({ sheets: [sheet('XS01', '2025-09-10')] }), '2025-10-01')).toMatchObject({ state: null });
});

test('windows of one archive never overlap, and the proposal is always the window of its day', () => {
  const day = fc.integer({ min: 0, max: 700 }).map((days) => shiftDate('2024-06-01', days));
  const date = fc.option(day, { nil: null });
  fc.assert(
    fc.property(date, date, date, day, (lmpdate, edcdate, deliverydate, today) => {
      const facts = woman({ lmpdate, edcdate, deliverydate, opendate: '2024-06-01' });
      const windows = stageWindows(facts, today).sort((a, b) => a.from.localeCompare(b.from));
      windows.forEach((window, index) => {
        const next = windows[index + 1];
        if (next) expect((window.until ?? '9') < next.from).toBe(true);
      });
      const current = windows.find(({ from, until }) => from <= today && today <= (until ?? '9'));
      expect(proposeStage(facts, today).stagecode).toBe(current?.stagecode ?? null);
    }),
  );
});

test('a stage counts as due when its window was open within the span, and as tested with a valid sheet of it', () => {
  // Due on 2026-01-01: YC01 until 2025-07-02, YC02 until 2025-10-08, YC03 from 2025-10-09 to 2026-01-15.
  const facts = woman({ edcdate: '2026-01-01', opendate: '2025-06-01', sheets: [sheet('YC02', '2025-09-01')] });
  const covered = (span: { from?: string; until?: string }, today: string) =>
    coverageOf(facts, span, today).map(({ stagecode, isTested }) => [stagecode, isTested]);
  expect(covered({}, '2025-11-01')).toEqual([
    ['YC01', false],
    ['YC02', true],
    ['YC03', false],
  ]);
  expect(covered({ from: '2025-07-03' }, '2025-11-01')).toEqual([
    ['YC02', true],
    ['YC03', false],
  ]);
  expect(covered({ from: '2025-07-03', until: '2025-10-08' }, '2025-11-01')).toEqual([['YC02', true]]);
  expect(covered({}, '2025-10-08')).toHaveLength(2);
  const registeredLate = { ...facts, opendate: '2025-10-09' };
  expect(coverageOf(registeredLate, {}, '2025-11-01').map(({ stagecode }) => stagecode)).toEqual(['YC03']);
});

test('a yearly stage was due when it is open, or when it was tested within the span', () => {
  const worker = (...sheets: ValidSheet[]): StageFacts => ({ appid: '000000003', opendate: '2025-01-01', sheets });
  const covered = (facts: StageFacts, from: string) => coverageOf(facts, { from }, '2025-11-01').map(({ isTested }) => isTested);
  expect(covered(worker(), '2025-06-01')).toEqual([false]);
  expect(covered(worker(sheet('ZY02', '2025-07-01')), '2025-06-01')).toEqual([true]);
  expect(covered(worker(sheet('ZY02', '2025-05-01')), '2025-06-01')).toEqual([]);
});
