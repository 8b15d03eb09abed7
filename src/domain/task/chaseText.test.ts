import { expect, test } from 'vitest';
import { chaseText, distinguishNames } from '#domain/task/chaseText.ts';

test('two children of one name are told apart by the end of their number, and others carry their name only', () => {
  const people = [
    { username: '王芳', studentno: '20250123' },
    { username: '李明', studentno: '20250124' },
    { username: '王芳', studentno: '20250125' },
  ];
  expect(distinguishNames(people)).toEqual(['王芳（尾号 0123）', '李明', '王芳（尾号 0125）']);
});

test('equal ends of two numbers show the whole number, and a namesake without a number is marked', () => {
  const people = ['10000123', '20000123', ''].map((studentno) => ({ username: '王芳', studentno }));
  expect(distinguishNames(people)).toEqual(['王芳（10000123）', '王芳（20000123）', '王芳（无学号）']);
});

test('the text for a class group has a count and no name unless names are given', () => {
  const facts = {
    taskname: '秋季普测',
    teamname: '初二3班',
    total: 40,
    unfinished: 2,
    until: '10月10日 17:00',
    entryurl: null,
  };
  expect(chaseText(facts).split('\n')[0]).toBe('【秋季普测】初二3班：应测 40 人，还有 2 人未完成。');
  expect(chaseText({ ...facts, names: ['王芳', '李明'] })).toContain('2 人未完成：王芳、李明。');
});
