import { describe, expect, it } from 'vitest';
import { goBack, goTo, overview } from '#respondent/relax/places.ts';
import { courseWords, lessonWords, shareWatched, startOf } from '#respondent/relax/relaxWords.ts';

const course = {
  ...{ courseid: 1, title: '睡个好觉', coverurl: '', lecturer: '', intro: '', free: 1, price: 0, locked: 0 },
  ...{ lessons: 4, duration: 1800, finished: 0 },
};
const lesson = { lessonid: 1, title: '第一节', duration: 600, trial: 0, locked: 0, position: 0, watched: 0, finished: 0 };

describe('the words of 放松与学习', () => {
  it('a course says how many lessons it has and how many are finished', () => {
    expect(courseWords(course)).toBe('4 课 · 30 分钟');
    expect(courseWords({ ...course, finished: 1 })).toBe('4 课 · 30 分钟 · 已学 1 课');
    expect(courseWords({ ...course, finished: 4 })).toBe('4 课 · 30 分钟 · 已学完');
    expect(courseWords({ ...course, lessons: 0, duration: 0 })).toBe('课时正在准备');
  });

  it('a lesson says where the learner stopped, what is finished, and what is not open', () => {
    expect(lessonWords(lesson)).toBe('10 分钟');
    expect(lessonWords({ ...lesson, position: 187 })).toBe('10 分钟 · 上次看到 3:07');
    expect(lessonWords({ ...lesson, position: 187, finished: 1 })).toBe('10 分钟 · 已学完');
    expect(lessonWords({ ...lesson, trial: 1 })).toBe('10 分钟 · 可以试看');
    expect(lessonWords({ ...lesson, locked: 1 })).toBe('10 分钟 · 未开通');
  });

  it('a lesson goes on where the learner stopped; one that was watched to the end begins anew', () => {
    expect(startOf({ position: 187, duration: 600 })).toBe(187);
    expect(startOf({ position: 599, duration: 600 })).toBe(0);
  });

  it('the share that was watched never rounds up to a whole lesson', () => {
    expect(shareWatched(599, 600)).toBe(99);
    expect(shareWatched(600, 600)).toBe(100);
    expect(shareWatched(0, 0)).toBe(0);
  });
});

describe('the way through 放松与学习', () => {
  it('leads from a lesson back to its course, also after the next lesson', () => {
    const atCourse = goTo(overview, { page: 'course', id: 3 });
    const atLesson = goTo(atCourse, { page: 'lesson', id: 7, courseid: 3 });
    const atNext = goTo(atLesson, { page: 'lesson', id: 8, courseid: 3 });
    expect(goBack(atNext)).toEqual(atCourse);
  });

  it('leads out from the first page', () => {
    expect(goBack(overview)).toBeUndefined();
    expect(goBack(goTo(overview, { page: 'list', kind: 'music' }))).toEqual(overview);
  });
});
