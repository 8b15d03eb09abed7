import { describe, expect, test } from 'vitest';
import { applyBandsets, chooseBandsets, findBandText, withBandsets } from '#domain/scoring/bandset/applyBandsets.ts';
import { findBandFaults } from '#domain/scoring/bandset/checkBandset.ts';
import { findTextFaults } from '#domain/scoring/bandset/checkTexts.ts';
import { bandOf, definitionBandOf, score } from '#domain/scoring/scoring.ts';
import type { Answers, BandOption, BandSet, Level, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';

const phq9 = scaleOf('PHQ9') as Scale;
const scl90 = scaleOf('SCL90') as Scale;
const row = (minscore: number | null, maxscore: number | null, level: Level, levelname = `${level} 级`): BandOption => ({
  minscore,
  maxscore,
  level,
  levelname,
});
/** The school counts 8 and 9 as moderate; the definition begins at 10. */
const strict = [row(0, 4, 0), row(5, 7, 1), row(8, 14, 2, '需要关注'), row(15, 19, 3), row(20, 27, 4)];
const setOf = (options: readonly BandOption[], more: Partial<BandSet> = {}): BandSet => ({
  bandsetid: 1,
  quotacode: 'PHQ9.total',
  orgpath: 'AS.P.S.',
  appid: null,
  gender: null,
  agemin: null,
  agemax: null,
  options,
  ...more,
});
const sumOf = (total: number): Answers =>
  Object.fromEntries(phq9.items.map(({ c }, index) => [c, String(Math.min(3, Math.max(0, total - 3 * index)))]));
const faultsOf = (options: readonly BandOption[], above: Parameters<typeof findBandFaults>[3] = []) =>
  findBandFaults(phq9, 'total', options, above).map(({ message }) => message);

describe('a set that is switched on', () => {
  test('may give a higher level than the definition at some scores', () => {
    expect(faultsOf(strict)).toEqual([]);
  });

  test('is refused with the score where its level is lower than the definition', () => {
    const lax = [row(0, 4, 0), row(5, 9, 1), row(10, 16, 2), row(17, 19, 3), row(20, 27, 4)];
    expect(faultsOf(lax)).toEqual(['15 分：本机构 2 级，低于定义的 3 级']);
  });

  test('is refused with the score where its level is lower than a set above', () => {
    const usual = [row(0, 4, 0), row(5, 9, 1), row(10, 14, 2), row(15, 19, 3), row(20, 27, 4)];
    expect(faultsOf(usual, [{ insname: '安澜心理', options: strict }])).toEqual(['8 分：本机构 1 级，低于上级“安澜心理”的 2 级']);
  });

  test('covers the range of the score without a gap and without an overlap', () => {
    expect(faultsOf([row(0, 4, 0), row(6, 27, 4)])).toEqual(['5 分没有等级，请从 5 分开始']);
    expect(faultsOf([row(0, 5, 1), row(5, 27, 4)])).toEqual(['5 分有两个等级，请从 6 分开始']);
    expect(faultsOf([row(1, 27, 4)])).toEqual(['0 分没有等级，请从 0 分开始']);
    expect(faultsOf([row(0, 20, 4)])).toEqual(['27 分没有等级，请到 27 分为止']);
    expect(faultsOf([row(0, 30, 4)])).toEqual(['得分最高为 27 分']);
    expect(faultsOf([row(0, 4.5, 4), row(5.5, 27, 4)])).toEqual(['界值应为 1 的整数倍', '界值应为 1 的整数倍']);
    expect(faultsOf([])).toEqual(['请至少填写一个等级']);
  });

  test('touches at its limits where the definition has half-open bands', () => {
    const faults = (options: BandOption[]) => findBandFaults(scl90, 'dep', options).map(({ message }) => message);
    expect(faults([row(1, 1.5, 0), row(1.5, 3, 2), row(3, null, 3)])).toEqual([]);
    expect(faults([row(1, 1.5, 0), row(1.6, 3, 2), row(3, null, 3)])).toEqual(['1.5 分没有等级，请从 1.5 分开始']);
    expect(faults([row(1, 1.5, 0), row(1.5, 5, 3)])).toEqual(['最高的一级不设上限']);
  });
});

describe('the level in force', () => {
  const judged = { appid: '000000002', person: { gender: '01', age: 13 } };

  test('is that of the set, and the level of the definition stays known', () => {
    const scale = withBandsets(phq9, [setOf(strict)], judged);
    const outcome = score(scale, sumOf(8));
    expect(outcome).toMatchObject({ kind: 'scored', levels: { total: 2 }, labels: { total: '需要关注' }, overalllevel: 2 });
    expect(definitionBandOf(scale, 'total', 8)?.[2]).toBe(1);
    expect(score(phq9, sumOf(8))).toMatchObject({ levels: { total: 1 } });
  });

  test('is the higher one where a new version of the form is stricter than the set', () => {
    const newer: Scale = {
      ...phq9,
      bands: {
        total: [
          [0, 4, 0, '无'],
          [5, 6, 1, '轻'],
          [7, 30, 3, '重'],
        ],
      },
    };
    const scale = withBandsets(newer, [setOf(strict)], judged);
    expect([6, 7, 20, 30].map((value) => bandOf(scale, 'total', value)?.[2])).toEqual([1, 3, 4, 4]);
    expect(scale.bands['total']?.map(([low, high]) => [low, high])).toEqual([
      [0, 4],
      [5, 6],
      [7, 14],
      [15, 19],
      [20, 30],
    ]);
  });

  test('is the higher one where a set above became stricter than the own set', () => {
    const above = setOf([row(0, 4, 0), row(5, 27, 4, '上级')], { bandsetid: 7, orgpath: 'AS.P.' });
    const scale = withBandsets(phq9, [setOf(strict), above], judged);
    expect(bandOf(scale, 'total', 8)).toEqual([5, 19, 4, '上级']);
    expect(bandOf(scale, 'total', 20)).toEqual([20, 27, 4, '4 级']);
  });

  test('is that of the most specific set of each institution: population, then age, then gender', () => {
    const ids = (sets: readonly BandSet[], person = judged) =>
      chooseBandsets(phq9, sets, person)['total']?.map(({ bandsetid }) => bandsetid);
    const general = setOf(strict, { bandsetid: 1 });
    const boys = setOf(strict, { bandsetid: 2, gender: '01' });
    const young = setOf(strict, { bandsetid: 3, agemax: 14 });
    const pupils = setOf(strict, { bandsetid: 4, appid: '000000002' });
    const provider = setOf(strict, { bandsetid: 5, orgpath: 'AS.P.', appid: '000000002', gender: '01', agemax: 14 });
    expect(ids([general, boys, young, pupils, provider])).toEqual([4, 5]);
    expect(ids([general, boys, young, provider])).toEqual([3, 5]);
    expect(ids([general, boys])).toEqual([2]);
    expect(ids([general, boys, young, pupils], { appid: '000000001', person: { gender: '02', age: 30 } })).toEqual([1]);
    expect(ids([young], { appid: '000000002', person: { gender: '01', age: null as unknown as number } })).toBeUndefined();
  });

  test('has its texts from the nearest set with that level', () => {
    const own = setOf(
      strict.map((option) => ({ ...option, comment: `本校 ${option.level}` })),
      { bandsetid: 8 },
    );
    const scale = applyBandsets(phq9, { total: [own] });
    expect(findBandText(scale, 'total', 9, 2)?.option.comment).toBe('本校 2');
    expect(findBandText(scale, 'total', 9, 3)).toBeUndefined();
    expect(findBandText(phq9, 'total', 9, 1)).toBeUndefined();
  });
});

test('a text of a band is checked for its reader, its length and its placeholders, with the reason', () => {
  const messages = (texts: Parameters<typeof findTextFaults>[0]) => findTextFaults(texts, phq9).map(({ message }) => message);
  expect(
    messages({ levelname: '需要关注', comment: '您的得分为{{score.PHQ9.total}}分。', staffcomment: '请询问自杀意念。' }),
  ).toEqual([]);
  expect(messages({ comment: '您患有抑郁症。' })).toEqual([
    '给本人的评语请勿写“患有”：筛查不能说明患病',
    '给本人的评语请勿写“抑郁症”：只写症状，不写疾病名称',
  ]);
  expect(messages({ levelname: '异常' })).toEqual(['等级名称请勿写“异常”：给本人和家长的文字使用“关注”']);
  expect(messages({ suggestion: '请看{{score.GAD7.total}}和{{name' })).toEqual([
    '给本人的建议中没有这个占位符：score.GAD7.total、{{',
  ]);
  expect(messages({ staffcomment: '字'.repeat(151) })).toEqual(['给工作人员的评语第 1 段超过 150 个字，请分段']);
});
