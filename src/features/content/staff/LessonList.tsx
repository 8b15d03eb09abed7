import { IconCircle, IconCircleCheckFilled, IconLock, IconPlayerPlayFilled, IconProgress } from '@tabler/icons-react';
import { clockOf } from '#domain/content/duration.ts';
import type { ShelfLesson } from '#features/content/shelf.contract.ts';
import { lessonWords } from '#features/content/staff/courseWords.ts';
import classes from './shelf.module.css';

const iconOf = (lesson: ShelfLesson, isCurrent: boolean) => {
  if (lesson.locked === 1) return IconLock;
  if (isCurrent) return IconPlayerPlayFilled;
  if (lesson.finished === 1) return IconCircleCheckFilled;
  return lesson.position > 0 ? IconProgress : IconCircle;
};

/** The lessons of a course in their order, with the own progress; a locked one cannot be chosen. */
export function LessonList({
  lessons,
  current,
  choose,
}: {
  lessons: readonly ShelfLesson[];
  current: number | undefined;
  choose: (lessonid: number) => void;
}) {
  return (
    <ol className={classes['lessons']} aria-label="课时">
      {lessons.map((lesson, index) => {
        const isCurrent = lesson.lessonid === current;
        const Icon = iconOf(lesson, isCurrent);
        return (
          <li key={lesson.lessonid}>
            <button
              type="button"
              className={classes['lesson']}
              disabled={lesson.locked === 1}
              data-state={lesson.finished === 1 ? 'done' : undefined}
              aria-current={isCurrent || undefined}
              onClick={() => choose(lesson.lessonid)}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span>
                <span className={classes['name']}>
                  {index + 1}. {lesson.title}
                </span>
                <span className={classes['note']}>
                  {lesson.locked === 1 ? '需选购' : lessonWords(lesson)}
                  {lesson.trial === 1 && (
                    <span className={classes['mark']} data-quiet>
                      试看
                    </span>
                  )}
                </span>
              </span>
              <span className={classes['length']}>{clockOf(lesson.duration)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
