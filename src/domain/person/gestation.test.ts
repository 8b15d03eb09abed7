import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { describePregnancy } from '#domain/person/gestation.ts';
import { personWordsOf, sayInSector } from '#domain/person/words.ts';

const now = fromShanghai('2025-10-08 10:00');

test('the week of pregnancy follows from the last period or the expected date, which counts first', () => {
  expect(describePregnancy({ lmpdate: '2025-07-03' }, now)).toEqual({
    gestation: '孕 13周+6天',
    edcdate: '2026-04-09',
    stage: '孕早期',
  });
  expect(describePregnancy({ lmpdate: '2025-07-02' }, now)).toMatchObject({ gestation: '孕 14周+0天', stage: '孕中期' });
  expect(describePregnancy({ lmpdate: '2025-01-01', edcdate: '2025-12-31' }, now)).toEqual({
    gestation: '孕 28周+0天',
    edcdate: '2025-12-31',
    stage: '孕晚期',
  });
});

test('after the birth the days since then stand instead, and without dates nothing does', () => {
  expect(describePregnancy({ lmpdate: '2025-01-01', deliverydate: '2025-09-26' }, now)).toMatchObject({
    gestation: '产后 12 天',
    stage: '产后',
  });
  expect(describePregnancy({ edcdate: '2025-08-01' }, now)).toEqual({ gestation: '', edcdate: '2025-08-01', stage: '产后' });
  expect(describePregnancy({}, now)).toEqual({ gestation: '', edcdate: '', stage: '' });
});

test('each sector reads its own words', () => {
  expect(['edu', 'health', 'elder', 'platform'].map((sector) => personWordsOf(sector).number)).toEqual([
    '学号',
    '建册号',
    '编号',
    '学号/工号',
  ]);
  const text = '姓名、拼音、学号/工号；班级/团体的受测者';
  expect(sayInSector(text, 'edu')).toBe('姓名、拼音、学号；班级的学生');
  expect(sayInSector(text, 'health')).toBe('姓名、拼音、建册号；团体的孕产妇');
  expect(sayInSector(text, 'platform')).toBe(text);
});
