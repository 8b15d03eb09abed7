import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commentary, CommentaryCond, NarrativeFacts } from '#domain/report/commentary/commentary.ts';
import {
  canonical,
  conditionOf,
  explainCommentary,
  fillTemplate,
  narrate,
  normaliseCondition,
  rankCommentary,
} from '#domain/report/commentary/commentary.ts';
import { commentaryLibrary } from '#domain/report/commentary/commentary.library.ts';
import { findForbidden, forbiddenPatterns, paragraphLimit } from '#domain/report/forbiddenWording.ts';

const facts = (more: Partial<NarrativeFacts> = {}): NarrativeFacts => ({
  appid: '000000003',
  call: '您',
  placeholders: {},
  person: {},
  ...more,
});
const row = (id: string, more: Partial<Commentary> = {}): Commentary => ({
  id,
  section: 'suggestion',
  audience: 'self',
  cond: { overallgte: 0 },
  t: `${id}的建议`,
  ...more,
});
const ids = (rows: readonly Commentary[], more: Partial<NarrativeFacts> = {}) =>
  narrate(facts({ person: { overall: 1 }, ...more }), rows, 'self', 'suggestion').map((sentence) => sentence.commentid);

describe('the shipped commentary library', () => {
  it.each(commentaryLibrary.map((commentary) => [commentary.id, commentary] as const))(
    '%s follows the wording rules',
    (_, commentary) => {
      expect(findForbidden(commentary.t, commentary.audience)).toEqual([]);
      expect(commentary.t.length).toBeLessThanOrEqual(paragraphLimit);
      if (commentary.audience !== 'self') expect(commentary.t).not.toMatch(/您|你/);
      if (commentary.appid === '000000002') expect(commentary.t).not.toContain('您');
    },
  );

  it('has one row per id and normalises every condition', () => {
    expect(new Set(commentaryLibrary.map((commentary) => commentary.id)).size).toBe(commentaryLibrary.length);
    for (const commentary of commentaryLibrary)
      expect(JSON.stringify(conditionOf(commentary))).not.toMatch(/"(archive|overall|overallgte|hasalert|maxscorelevel)":/);
  });
});

describe('the short forms of conditions', () => {
  it('are normalised to the grammar of scales', () => {
    expect(normaliseCondition({ level: 'PHQ9.total', gte: 3 })).toEqual({ form: 'PHQ9', level: 'total', gte: 3 });
    expect(normaliseCondition({ item: 'PHQ9.q3', gte: 2 })).toEqual({ form: 'PHQ9', item: 'q3', gte: 2 });
    expect(normaliseCondition({ delta: 'PHQ9.total', lte: -5 })).toEqual({
      delta: { form: 'PHQ9', score: 'total', days: 36_500 },
      lte: -5,
    });
    expect(normaliseCondition({ all: [{ hasalert: 1 }, { maxscorelevel: { lte: 1 } }] })).toEqual({
      all: [
        { person: 'hasalert', eq: 1 },
        { person: 'maxscorelevel', lte: 1 },
      ],
    });
  });

  it('treat the archive values "2" and 2 as equal, but not the code "01" and 1', () => {
    expect([canonical('2'), canonical(true), canonical('01'), canonical('')]).toEqual([2, 1, '01', null]);
    expect(normaliseCondition({ archive: 'domesticviolence', eq: '2' })).toEqual({ person: 'archive.domesticviolence', eq: 2 });
  });
});

describe('the choice of paragraphs', () => {
  it('prefers rows of the nearest institution, then of the app, then generic ones, and orders by priority and id', () => {
    const rows = [
      row('b'),
      row('a'),
      row('c', { priority: 9 }),
      row('app', { appid: '000000003' }),
      row('above', { depth: 1 }),
      row('own', { depth: 3 }),
    ];
    expect(ids(rows)).toEqual(['own', 'above', 'app', 'c', 'a']);
    expect(ids(rows, { appid: '000000001' })).toEqual(['own', 'above', 'c', 'a', 'b']);
  });

  it('matches form, score, level, gender and age of a row like conditions', () => {
    const person = { overall: 2, gender: '02', age: 14 };
    const forms = { PHQ9: { scores: { total: 12 }, levels: { total: 2 as const }, itemscores: {}, alerts: [] } };
    const chosen = (more: Partial<Commentary>) => ids([row('x', { cond: undefined, ...more } as Commentary)], { person, forms });
    expect(chosen({})).toEqual(['x']);
    expect([chosen({ level: 2 }), chosen({ level: 1 })]).toEqual([['x'], []]);
    expect([chosen({ quotacode: 'PHQ9.total', level: 2 }), chosen({ quotacode: 'PHQ9.total', level: 3 })]).toEqual([['x'], []]);
    expect([chosen({ form: 'PHQ9' }), chosen({ form: 'GAD7' })]).toEqual([['x'], []]);
    expect([chosen({ gender: '02' }), chosen({ gender: '01' })]).toEqual([['x'], []]);
    expect([chosen({ agemin: 12, agemax: 14 }), chosen({ agemin: 15 }), chosen({ agemax: 13 })]).toEqual([['x'], [], []]);
  });

  it('uses a copy in place of the row from above, and that row where the copy does not match', () => {
    const rows = [row('above'), row('copy', { depth: 2, origin: 'above', gender: '02' })];
    expect(ids(rows, { person: { overall: 1, gender: '02' } })).toEqual(['copy']);
    expect(ids(rows, { person: { overall: 1, gender: '01' } })).toEqual(['above']);
  });

  it('says of each other row why it was not chosen', () => {
    const rows = [
      row('a', { excl: 'sleep' }),
      row('b', { excl: 'sleep' }),
      row('c', { level: 3 }),
      row('d', { appid: '000000001' }),
    ];
    const losses: string[] = [];
    narrate(facts({ person: { overall: 1 } }), rows, 'self', 'suggestion', {
      onLoss: ({ id }, why) => losses.push(`${id}：${why}`),
    });
    expect(losses).toEqual(['d：适用人群不同', 'b：同组（sleep）已有一段', 'c：条件不成立：综合等级为1（不属于：=3）']);
  });

  it('uses an excl key once and stops at the limit of the section', () => {
    expect(ids([row('a', { excl: 'sleep' }), row('b', { excl: 'sleep' }), row('c')])).toEqual(['a', 'c']);
    expect(ids('abcdefg'.split('').map((id) => row(id)))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('skips a row with an unknown placeholder', () => {
    expect(fillTemplate('{{score.PHQ9.total}}分', { 'score.PHQ9.total': '16' })).toBe('16分');
    expect(fillTemplate('{{constructor}}', {})).toBeNull();
    expect(ids([row('a', { t: '{{weeks}}周' }), row('b')])).toEqual(['b']);
  });

  it('does not depend on the order of the library', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...commentaryLibrary], { minLength: commentaryLibrary.length }), (shuffled) => {
        expect(rankCommentary(shuffled).map((commentary) => commentary.id)).toEqual(
          rankCommentary(commentaryLibrary).map((commentary) => commentary.id),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('explains in Chinese which values made the rule true', () => {
    const person = { 'archive.weeklyhours': 60, 'archive.nightshifts': 2 };
    const names = { 'archive.weeklyhours': '档案“每周工时”' };
    expect(
      explainCommentary(
        normaliseCondition({
          any: [
            { archive: 'weeklyhours', gte: 55 },
            { archive: 'nightshifts', gte: 8 },
          ],
        }),
        facts({ person, names }),
      ),
    ).toBe('档案“每周工时”为60（条件：≥55）');
  });

  it('explains flags, coded answers and genders in words, and says what a fact misses', () => {
    const explain = (cond: CommentaryCond, person: NarrativeFacts['person'] & object) =>
      explainCommentary(
        normaliseCondition(cond),
        facts({
          person,
          names: { 'archive.livewith': '档案“居住方式”', 'archive.domesticviolence': '档案“家暴筛查”' },
          words: { 'archive.livewith': { '01': '独居' }, 'archive.domesticviolence': { '1': '否', '2': '是' } },
        }),
      );
    for (const flag of ['hasalert', 'assessed', 'form.scored', 'form.withheld', 'form.notapplicable', 'form.changereached']) {
      expect(explain({ person: flag, eq: 1 }, { [flag]: 1 })).toMatch(/为是（条件：=是）$/);
      expect(explain({ person: flag, eq: 0 }, { [flag]: 0 })).toMatch(/为否（条件：=否）$/);
    }
    expect(explain({ person: 'gender', eq: '02' }, { gender: '02' })).toBe('性别为女（条件：=女）');
    expect(explain({ archive: 'livewith', eq: '01' }, { 'archive.livewith': '01' })).toBe('档案“居住方式”为独居（条件：=独居）');
    expect(explain({ not: { archive: 'domesticviolence', eq: 2 } }, { 'archive.domesticviolence': 1 })).toBe(
      '档案“家暴筛查”为否（不属于：=是）',
    );
  });

  it('explains the direction of a change in Chinese', () => {
    const explain = (meaning: string) =>
      explainCommentary(
        { person: 'form.meaning', in: ['better', 'worse', 'same'] },
        facts({ person: { 'form.meaning': meaning } }),
      );
    expect(explain('worse')).toBe('变化方向为加重（条件：属于好转/加重/没有变化）');
    expect(explain('better')).toContain('变化方向为好转');
    expect(explainCommentary({ person: 'form.meaning', eq: 'same' }, facts({ person: { 'form.meaning': 'same' } }))).toBe(
      '变化方向为没有变化（条件：=没有变化）',
    );
  });
});

describe('the check for forbidden words', () => {
  it('finds the words of the rules and accepts symptoms and disclaimers', () => {
    for (const text of [
      '您患有抑郁',
      '已确诊',
      '诊断为焦虑',
      '抑郁症患者',
      '精神病',
      '不正常',
      '问题学生',
      '有自杀倾向',
      '一定会好',
      '必须服药',
      '可服用舍曲林',
    ])
      expect(findForbidden(text).length, text).toBeGreaterThan(0);
    expect(findForbidden('筛查提示中度的抑郁症状，不作为诊断依据，可到精神专科就诊')).toEqual([]);
    expect(findForbidden('第9题（自伤/自杀意念）', 'staff')).toEqual([]);
    expect(new Set(forbiddenPatterns.map((forbiddenWord) => forbiddenWord.c)).size).toBe(forbiddenPatterns.length);
  });
});
