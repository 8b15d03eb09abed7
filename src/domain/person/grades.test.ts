import { expect, test } from 'vitest';
import {
  compareGrades,
  composeTeamName,
  grades,
  parseGrade,
  parseTeamName,
  schoolYearOf,
  normalizeClassName,
  normalizeSchoolYear,
} from '#domain/person/grades.ts';

test('the parser reads a grade in every spelling of schools', () => {
  for (const [text, code, name] of [
    ['初二', 'J2', '初二'],
    ['八年级', 'J2', '初二'],
    ['8年级', 'J2', '初二'],
    ['８ 年级', 'J2', '初二'],
    ['初中二年级', 'J2', '初二'],
    ['初2', 'J2', '初二'],
    ['三年级', 'P3', '小学三年级'],
    ['小学3年级', 'P3', '小学三年级'],
    ['高一', 'S1', '高一'],
    ['十年级', 'S1', '高一'],
    ['12年级', 'S3', '高三'],
    ['大三', 'U3', '大三'],
    ['研一', 'M1', '研一'],
    ['中职二年级', 'V2', '职二'],
    ['预初', 'J0', '预初'],
  ] as const)
    expect([text, parseGrade(text)]).toMatchObject([text, { gradecode: code, gradename: name }]);
});

test('a year of entry becomes a grade only when phase and school year are known', () => {
  expect(parseGrade('2023级')).toEqual({ gradecode: '', gradename: '2023级' });
  expect(parseGrade('2023级', { year: '2025-2026', eduphase: '02' })).toMatchObject({ gradecode: 'J3', gradename: '初三' });
  expect(parseGrade('高2024级', { year: '2025-2026' })).toMatchObject({ gradecode: 'S2' });
  expect(parseGrade('23级', { year: '2025-2026', eduphase: '05' })).toMatchObject({ gradecode: 'U3' });
  expect(parseGrade('2019级', { year: '2025-2026', eduphase: '02' })).toEqual({ gradecode: '', gradename: '2019级' });
  expect(parseGrade('初2026届', { year: '2025-2026' }).gradecode).toBe('');
});

test('the sixth year of a junior school is its preparatory year', () => {
  expect(parseGrade('六年级', { eduphase: '02' }).gradecode).toBe('J0');
  expect(parseGrade('六年级', { eduphase: '01' }).gradecode).toBe('P6');
});

test('text that is no grade stays unchanged', () => {
  expect(parseGrade(' 冲刺部 ')).toEqual({ gradecode: '', gradename: '冲刺部' });
});

test('the parser finds every grade by its name and aliases, and each word means one grade', () => {
  const words = grades.flatMap((grade) => [grade.name, ...grade.aliases].map((word) => [word, grade.code] as const));
  expect(new Set(words.map(([word]) => word)).size).toBe(words.length);
  for (const [word, code] of words) expect([word, parseGrade(word).gradecode]).toEqual([word, code]);
  expect(
    [...grades]
      .reverse()
      .map((grade) => grade.code)
      .sort(compareGrades),
  ).toEqual(grades.map((grade) => grade.code));
});

test('the parser reads the grade and the class from a team name', () => {
  expect(parseTeamName('初二（3）班')).toMatchObject({ gradecode: 'J2', classname: '3班' });
  expect(parseTeamName('高一12班')).toMatchObject({ gradecode: 'S1', classname: '12班' });
  expect(parseTeamName('心理社团')).toEqual({ gradecode: '', gradename: '', classname: '' });
  for (const text of ['七(1)班', '七（1）班', '七1班', '701', '0701', '初一（1）班', '七年级1班'])
    expect([text, parseTeamName(text)]).toMatchObject([text, { gradecode: 'J1', gradename: '初一', classname: '1班' }]);
  expect(parseTeamName('1203班')).toMatchObject({ gradecode: 'S3', classname: '3班' });
  expect(parseTeamName('三(2)班')).toMatchObject({ gradecode: 'P3', classname: '2班' });
  expect(parseTeamName('(1)班')).toMatchObject({ gradecode: '', classname: '1班' });
  expect(parseTeamName('2024级1班', { year: '2025-2026', eduphase: '02' })).toMatchObject({ gradecode: 'J2', classname: '1班' });
  expect(parseTeamName('2024级1班')).toMatchObject({ gradecode: '', gradename: '2024级', classname: '1班' });
  expect(parseTeamName('1999')).toMatchObject({ gradecode: '', classname: '' });
});

test('a grade and a class become one name', () => {
  expect(composeTeamName('初一', '1班')).toBe('初一（1）班');
  expect(composeTeamName('小学三年级', '2班')).toBe('三年级（2）班');
  expect(composeTeamName('初一', '火箭班')).toBe('初一火箭班');
  expect(composeTeamName('', '1班')).toBe('1班');
});

test('a class that names another grade than the list keeps its name, so that nobody lands in the wrong class', () => {
  expect(normalizeClassName('1144班')).toBe('44班');
  expect(normalizeClassName('1144班', 'S2')).toBe('44班');
  expect(normalizeClassName('1144班', 'J2')).toBe('1144班');
  expect(normalizeClassName('六(1)班', 'J0')).toBe('1班');
  expect(normalizeClassName('3班', 'J2')).toBe('3班');
});

test('class names and school years are normalized to one spelling', () => {
  expect(['（3）班', '3', '03班', '3 班', '火箭班'].map((text) => normalizeClassName(text))).toEqual([
    '3班',
    '3班',
    '3班',
    '3班',
    '火箭班',
  ]);
  expect(['七(3)班', '703', '初一（3）班'].map((text) => normalizeClassName(text))).toEqual(['3班', '3班', '3班']);
  expect(['2025', '2025-26', '2025—2026学年', '2025-2026', '长期'].map(normalizeSchoolYear)).toEqual([
    '2025-2026',
    '2025-2026',
    '2025-2026',
    '2025-2026',
    '长期',
  ]);
  expect([schoolYearOf('2026-07-31'), schoolYearOf('2026-08-01')]).toEqual(['2025-2026', '2026-2027']);
});
