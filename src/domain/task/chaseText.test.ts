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

test('a class with a time slot is asked to come at its time, and after it to ask for another', () => {
  const facts = { taskname: '秋季普测', teamname: '初二3班', total: 40, unfinished: 3, until: '10月10日 17:00', entryurl: null };
  const slot = '10月8日 10:00–10:45';
  expect(chaseText({ ...facts, slot, isSlotOver: false })).toContain('本班的作答时间是 10月8日 10:00–10:45，请按时作答');
  const late = chaseText({ ...facts, slot, isSlotOver: true });
  expect(late).toContain('本班的作答时间（10月8日 10:00–10:45）已过，请联系老师安排补测');
  expect(late).not.toContain('10月10日 17:00');
});
