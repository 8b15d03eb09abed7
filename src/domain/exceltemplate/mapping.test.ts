import { expect, test } from 'vitest';
import { cellValue, indicators, valueOf, type Figures } from '#domain/exceltemplate/indicators.ts';
import { findByName, findMappingFault, gradeNamed } from '#domain/exceltemplate/mapping.ts';

const schools = ['云栖市第一中学', '云栖市晨光中学', '云栖市晨光中学（分校）', '江南区第一中学'];
const find = (text: string) => findByName(schools, (name) => name, text);

test('a row names a school by its name or its ending; a name that fits two schools names none', () => {
  expect(find('云栖市 晨光中学')).toBe('云栖市晨光中学');
  expect(find('晨光中学')).toBe('云栖市晨光中学');
  expect(find('云栖市晨光中学(分校)')).toBe('云栖市晨光中学（分校）');
  expect(find('第一中学')).toBeUndefined();
  expect(find('中学')).toBeUndefined();
  expect(find('')).toBeUndefined();
});

test('a row names a grade as schools write it', () => {
  expect([gradeNamed('七年级'), gradeNamed('初一'), gradeNamed('高中二年级'), gradeNamed('合计')]).toEqual([
    'J1',
    'J1',
    'S2',
    undefined,
  ]);
});

const figures: Figures = {
  effort: { total: 1200, exempt: 5, tested: 1145 },
  outcome: {
    ...{ valid: 1130, abnormal: null, alert: 12, opened: 20, settled: 18, closed: null },
    ...{ levels: [900, 150, 60, null, null], depressed: [1000, 90, 40, 0, 0], anxious: [1000, 90, 40, 0, 0] },
  },
};

test('a hidden count is “不公布”, a share with a hidden part is “—”, and a share follows the format of its cell', () => {
  const show = (code: string, isPercent = false) => cellValue(valueOf(code, figures), isPercent);
  expect([show('total'), show('valid'), show('levels.2')]).toEqual([1200, 1130, 60]);
  expect([show('abnormal'), show('levels.3'), show('abnormalrate')]).toEqual(['不公布', '不公布', '—']);
  // 1145 / 1200 = 95.4 %
  expect([show('rate', true), show('rate')]).toEqual([0.954, 95.4]);
  const waiting: Figures = { ...figures, outcome: undefined };
  expect([cellValue(valueOf('valid', waiting), false), cellValue(valueOf('total', waiting), false)]).toEqual(['—', 1200]);
});

test('every indicator can be chosen for the whole region, and only published groups besides', () => {
  const choice = { place: 'region', placecolumn: '', people: 'all', peoplecolumn: '' };
  for (const { code } of indicators) expect([code, findMappingFault({ ...choice, indicator: code })]).toEqual([code, undefined]);
  const byGender = indicators.filter(({ code }) => !findMappingFault({ ...choice, indicator: code, people: 'gender:01' }));
  expect(byGender.map(({ code }) => code)).toEqual(['valid', 'abnormal', 'abnormalrate']);
});
