import { expect, test } from 'vitest';
import { findLessonToOpen, lessonWords, priceWords, progressWords, startOf } from '#features/content/staff/courseWords.ts';

const course = {
  courseid: 1,
  title: '睡个好觉',
  coverurl: '',
  lecturer: '方敏',
  intro: '',
  free: 0,
  price: 9900,
  locked: 1,
  lessons: 3,
  duration: 300,
  finished: 1,
};
const lesson = { lessonid: 1, title: '第一课', duration: 100, trial: 0, locked: 0, position: 0, watched: 0, finished: 0 };

test('a course says what it costs the institution', () => {
  expect(priceWords(course)).toBe('¥99 · 需选购');
  expect(priceWords({ ...course, price: 1250 })).toBe('¥12.50 · 需选购');
  expect(priceWords({ ...course, price: 0 })).toBe('需选购');
  expect(priceWords({ ...course, locked: 0 })).toBe('已开通');
  expect(priceWords({ ...course, free: 1, locked: 0 })).toBe('免费');
});

test('a course says how many lessons are finished', () => {
  expect(progressWords(course)).toBe('1/3 课时已学');
  expect(progressWords({ lessons: 3, finished: 3 })).toBe('已全部学完');
  expect(progressWords({ lessons: 0, finished: 0 })).toBe('0/0 课时已学');
});

test('a lesson says how far the learner is', () => {
  expect([lesson, { ...lesson, position: 67 }, { ...lesson, position: 3, finished: 1 }].map(lessonWords)).toEqual([
    '未开始',
    '学到 1:07',
    '已学完',
  ]);
});

test('a lesson goes on at the last second, and begins anew after its end', () => {
  expect(startOf({ position: 42, duration: 100 })).toBe(42);
  expect(startOf({ position: 98, duration: 100 })).toBe(0);
});

test('a learner goes on with the first open lesson that is not finished', () => {
  const finished = { ...lesson, finished: 1 };
  const locked = { ...lesson, lessonid: 2, locked: 1 };
  const third = { ...lesson, lessonid: 3 };
  expect(findLessonToOpen([finished, locked, third])).toBe(third);
  expect(findLessonToOpen([finished, locked])).toBe(finished);
  expect(findLessonToOpen([locked])).toBeUndefined();
});
