import { Paragraphs } from '#respondent/PageFrame.tsx';
import type { ShelfProps } from '#respondent/relax/OverviewPage.tsx';
import { Opening, RelaxFrame } from '#respondent/relax/RelaxFrame.tsx';
import { courseWords, lessonWords, type Lesson } from '#respondent/relax/relaxWords.ts';
import { useLoaded } from '#respondent/relax/useLoaded.ts';

/** A course with its lessons: what is finished, where to go on, what is not open. */
export function CoursePage({
  courseid,
  isNamed,
  session,
  shelf,
  go,
  ...frame
}: ShelfProps & { courseid: number; isNamed: boolean }) {
  const { data, fault, load } = useLoaded(shelf, `course ${courseid}`, () => session.call('getPersonCourse', { courseid }));
  if (!data)
    return (
      <RelaxFrame heading="课程" {...frame}>
        <Opening fault={fault} retry={() => void load()} />
      </RelaxFrame>
    );
  const { course, lessons } = data;
  return (
    <RelaxFrame heading={course.title} {...frame}>
      <p className="quiet">{[course.lecturer && `主讲：${course.lecturer}`, courseWords(course)].filter(Boolean).join(' · ')}</p>
      {course.coverurl && <img className="relax-banner" src={course.coverurl} alt="" />}
      {course.intro && (
        <div className="lead">
          <Paragraphs text={course.intro} />
        </div>
      )}
      {course.locked === 1 && (
        <p className="recall">
          {lessons.some(({ trial }) => trial)
            ? `这门课程还没有开通，标着“可以试看”的可以先看。想学的话，可以告诉${frame.words.helper}。`
            : `这门课程还没有开通。想学的话，可以告诉${frame.words.helper}。`}
        </p>
      )}
      {!isNamed && lessons.length > 0 && <p className="quiet">{frame.words.you}没有登记姓名，学到哪里不会记下来。</p>}
      <ol className="relax-list" aria-label="课时">
        {lessons.map((lesson, index) => (
          <LessonRow
            key={lesson.lessonid}
            lesson={lesson}
            number={index + 1}
            open={() => go({ page: 'lesson', id: lesson.lessonid, courseid })}
          />
        ))}
      </ol>
    </RelaxFrame>
  );
}

function LessonRow({ lesson, number, open }: { lesson: Lesson; number: number; open: () => void }) {
  const isLocked = lesson.locked === 1;
  return (
    <li>
      <button type="button" className="relax-row" disabled={isLocked} onClick={open}>
        <span className={lesson.finished ? 'relax-number done' : 'relax-number'} aria-hidden="true">
          {lesson.finished ? '✓' : number}
        </span>
        <span className="relax-words">
          <b>{lesson.title}</b>
          <span className="quiet">{lessonWords(lesson)}</span>
        </span>
      </button>
    </li>
  );
}
