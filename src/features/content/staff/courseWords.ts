import { clockOf } from '#domain/content/duration.ts';
import type { ShelfCourse, ShelfLesson } from '#features/content/shelf.contract.ts';

const yuan = (fen: number): string => `¥${(fen / 100).toFixed(fen % 100 === 0 ? 0 : 2)}`;

/** What a course costs the institution, in words: 免费, 已开通, or its price with 需选购. */
export const priceWords = ({ free, locked, price }: ShelfCourse): string => {
  if (free === 1) return '免费';
  if (locked === 0) return '已开通';
  return price > 0 ? `${yuan(price)} · 需选购` : '需选购';
};

/** How much of a course the learner has finished, in words. */
export const progressWords = ({ finished, lessons }: Pick<ShelfCourse, 'finished' | 'lessons'>): string =>
  lessons > 0 && finished >= lessons ? '已全部学完' : `${finished}/${lessons} 课时已学`;

/** How far the learner is in a lesson, in words. */
export const lessonWords = ({ finished, position }: ShelfLesson): string =>
  finished === 1 ? '已学完' : position > 0 ? `学到 ${clockOf(position)}` : '未开始';

/** Seconds before the end of a lesson from which a learner begins anew. */
const NEAR_END = 3;

/** The second at which a player opens a lesson: the last one, or the beginning after the end. */
export const startOf = ({ position, duration }: Pick<ShelfLesson, 'position' | 'duration'>): number =>
  position >= duration - NEAR_END ? 0 : position;

/** The lesson with which a learner goes on: the first open one that is not finished, else the first open one. */
export const findLessonToOpen = <L extends Pick<ShelfLesson, 'locked' | 'finished'>>(lessons: readonly L[]): L | undefined =>
  lessons.find(({ locked, finished }) => locked === 0 && finished === 0) ?? lessons.find(({ locked }) => locked === 0);
