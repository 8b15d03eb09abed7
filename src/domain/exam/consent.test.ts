import { describe, expect, test } from 'vitest';
import { consentText, guardianDuty, readingOf, type ConsentFacts } from '#domain/exam/consent.ts';
import { defaultTerms, toTerms } from '#domain/exam/consentTerms.ts';

const school: ConsentFacts = {
  edition: 1,
  insname: '云栖市晨光中学',
  sector: 'edu',
  contact: '陈静怡 0571-86000000',
  providers: [{ name: '安澜心理', isOnDuty: true }],
  readers: {
    all: ['机构管理员', '心理教师'],
    results: [],
    cases: ['预警值守'],
    hints: ['班主任'],
    stats: ['主管部门'],
  },
  minstats: 5,
  terms: defaultTerms('edu'),
};

describe('the consent text', () => {
  test('names who sees what, the entrusted processor, retention, contact and rights', () => {
    const { text, providetext } = consentText(school, 'full');
    for (const words of [
      '云栖市晨光中学处理你的信息，联系人陈静怡 0571-86000000；安澜心理受托运行和值守',
      '机构管理员、心理教师能看姓名和每题回答',
      '预警值守在有安全风险时能看姓名和相关回答',
      '班主任只看姓名和“需要关注”',
      '主管部门只看不少于5人的统计',
      '回答保存到离校后3年，安全个案保存到结案后10年',
      '不经同意告诉监护人、学校负责人',
      '15个工作日内答复',
      '处理中的安全个案和依法保存的记录保留，并告诉你',
    ])
      expect(text).toContain(words);
    expect(providetext).toBe('');
  });

  test('asks separately about a recipient only when there is one', () => {
    const terms = toTerms('edu', { recipient: '云栖市心理卫生中心' });
    expect(consentText({ ...school, terms }, 'full').providetext).toBe('我单独同意把我的信息提供给云栖市心理卫生中心。');
  });

  test('no list of readers stands in the text when nobody belongs to it', () => {
    const readers = { ...school.readers, cases: [], hints: [] };
    expect(consentText({ ...school, readers }, 'full').text).not.toMatch(/有安全风险时能看|需要关注/);
  });

  test('a primary-school pupil reads 你 and sentences of at most 20 characters apart from names', () => {
    const { text } = consentText(school, 'short');
    expect(text).not.toContain('您');
    for (const line of text.split('\n').filter((line) => !line.includes('：') && !line.includes('保存')))
      expect([line, line.length <= 20]).toEqual([line, true]);
    expect(text).toContain('正在帮助你的记录会留下。');
  });

  test('an adult reads 您', () => {
    const { text } = consentText({ ...school, sector: 'enterprise', terms: defaultTerms('enterprise') }, 'full');
    expect(text).not.toMatch(/[^“]你/);
    expect(text).toContain('告诉家属、单位负责人');
  });
});

describe('the duty of the guardian', () => {
  const pupil = { isPupil: true, isAnonymous: false };
  test('a pupil under 14 and a pupil of unknown age need the consent of a guardian', () => {
    expect(guardianDuty({ ...pupil, age: 13 }, 'none')).toBe('01');
    expect(guardianDuty({ ...pupil, age: null }, 'none')).toBe('01');
    expect(guardianDuty({ ...pupil, age: null, isPupil: false }, 'agree')).toBeNull();
  });

  test('from 14 to 17 the institution decides, and adults decide alone', () => {
    for (const age of [14, 17])
      expect((['none', 'inform', 'agree'] as const).map((teen) => guardianDuty({ ...pupil, age }, teen))).toEqual([
        null,
        '02',
        '01',
      ]);
    expect(guardianDuty({ ...pupil, age: 18 }, 'agree')).toBeNull();
    expect(defaultTerms('edu').teenguardian).toBe('inform');
  });

  test('nobody looks for the guardian of a person who has no name here', () => {
    expect(guardianDuty({ age: null, isPupil: true, isAnonymous: true }, 'agree')).toBeNull();
  });
});

test('primary-school pupils are known by phase, by grade, otherwise by age', () => {
  const pupil = { eduphase: null, gradename: null, age: null, isPupil: true };
  expect(readingOf({ ...pupil, eduphase: '01' })).toBe('short');
  expect(readingOf({ ...pupil, gradename: '三年级' })).toBe('short');
  expect(readingOf({ ...pupil, age: 11 })).toBe('short');
  expect(readingOf({ ...pupil, gradename: '初三', age: 11 })).toBe('full');
  expect(readingOf({ ...pupil, eduphase: '02', age: 11 })).toBe('full');
  expect(readingOf(pupil)).toBe('full');
});
