import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { getLessonList, sortLessons, type LessonRow } from '#features/classroom/course.contract.ts';

/**
 * Returns the lessons in the order that the user chose, and saves it. Moves in quick succession are sent one after the other; of those
 * that wait only the last. After a refusal the server's order is back.
 */
export function useLessonOrder(courseid: number, lessons: readonly LessonRow[]) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly number[]>();
  const waiting = useRef<number[]>(undefined);
  const sending = useRef(false);

  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    try {
      while (waiting.current) {
        const lessonids = waiting.current;
        waiting.current = undefined;
        await call(sortLessons, { courseid, lessonids });
      }
    } catch (error) {
      waiting.current = undefined;
      notifyError(error);
    }
    sending.current = false;
    await invalidateActions(client, [getLessonList]);
    // Another move may have begun meanwhile.
    if (!sending.current) setChosen(undefined);
  };

  // A lesson that was added meanwhile stands at the end.
  const place = ({ lessonid }: LessonRow) => chosen?.indexOf(lessonid) ?? 0;
  const rank = (lesson: LessonRow) => (place(lesson) < 0 ? lessons.length : place(lesson));
  return {
    ordered: chosen ? [...lessons].sort((a, b) => rank(a) - rank(b)) : lessons,
    sort: (next: readonly LessonRow[]) => {
      const lessonids = next.map(({ lessonid }) => lessonid);
      setChosen(lessonids);
      waiting.current = lessonids;
      void send();
    },
  };
}
