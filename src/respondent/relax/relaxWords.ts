import type { ContentKindCode } from '#domain/content/content.ts';
import { clockOf, lengthWords } from '#domain/content/duration.ts';
import type { CallResponse } from '#respondent/api/api.ts';
import type { Place } from '#respondent/relax/places.ts';

/** The words of 放松与学习. */

export type Article = CallResponse<'getPersonArticles'>['rows'][number];
export type Music = CallResponse<'getPersonMusic'>['rows'][number];
export type Course = CallResponse<'getPersonCourses'>['rows'][number];
export type Lesson = CallResponse<'getPersonCourse'>['lessons'][number];

/** The name of this part of the app, in the menu and on its pages. */
export const RELAX = '放松与学习';
export const kindNames: Readonly<Record<ContentKindCode, string>> = { article: '文章', music: '音乐', course: '课程' };

/** Names a place, for the way back to it. */
export function nameOf(place: Place): string {
  if (place.page === 'overview') return RELAX;
  if (place.page === 'list') return kindNames[place.kind];
  return place.page === 'article' ? '文章' : '课程';
}

/** Says how far a course is. Without a name nothing is noted, so only its size is said. */
export function courseWords({ lessons, duration, finished }: Course): string {
  if (lessons === 0) return '课时正在准备';
  const size = `${lessons} 课 · ${lengthWords(duration)}`;
  if (finished === 0) return size;
  return finished >= lessons ? `${size} · 已学完` : `${size} · 已学 ${finished} 课`;
}

/** Says where the learner is in a lesson. */
export function lessonWords({ duration, trial, locked, position, finished }: Lesson): string {
  const state = locked
    ? '未开通'
    : finished
      ? '已学完'
      : position > 0
        ? `上次看到 ${clockOf(position)}`
        : trial
          ? '可以试看'
          : '';
  return state ? `${lengthWords(duration)} · ${state}` : lengthWords(duration);
}

/** The second at which a lesson goes on. One that was left in its last seconds begins anew. */
export const startOf = ({ position, duration }: Pick<Lesson, 'position' | 'duration'>): number =>
  position >= duration - 3 ? 0 : position;

/** Says how much of a lesson the learner has watched, in whole percent that never round up to a finished lesson. */
export const shareWatched = (watched: number, duration: number): number =>
  duration <= 0 ? 0 : Math.min(100, Math.floor((watched / duration) * 100));
