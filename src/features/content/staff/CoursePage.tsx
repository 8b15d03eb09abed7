import { Button } from '@mantine/core';
import { IconLock, IconPlayerSkipForward } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { lengthWords } from '#domain/content/duration.ts';
import { useUser } from '#ui/api/session.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { getShelfCourse } from '#features/content/content.contract.ts';
import type { ShelfCourse, ShelfLesson } from '#features/content/shelf.contract.ts';
import { PriceMark } from '#features/content/staff/CoursesTab.tsx';
import { findLessonToOpen, lessonWords, progressWords } from '#features/content/staff/courseWords.ts';
import { LessonList } from '#features/content/staff/LessonList.tsx';
import { LessonStage } from '#features/content/staff/LessonPlayer.tsx';
import { BackToShelf, idFrom, NO_CONTENT, NotOpened, useOpened } from '#features/content/staff/ShelfFrame.tsx';
import type { SavedProgress } from '#features/content/staff/useWatchReporter.ts';
import classes from './shelf.module.css';

const back = <BackToShelf to="/content?tab=course">返回课程列表</BackToShelf>;

/** One course: its lessons and the player of one of them. The lesson stands in the address. */
export default function CoursePage() {
  const [params] = useSearchParams();
  const read = useOpened(getShelfCourse, { courseid: idFrom(params.get('courseid')) ?? NO_CONTENT });
  const isActing = useUser().loginasby !== '';
  if (!read.data) return <NotOpened read={read} what="这门课程" back={back} />;
  const onSaved = (lessonid: number, saved: SavedProgress) => {
    // While another account acts nothing is noted, so the answer says nothing about the learner.
    if (isActing) return;
    read.change(({ course, lessons }) => {
      const newLessons = lessons.map((lesson) => (lesson.lessonid === lessonid ? { ...lesson, ...saved } : lesson));
      return { course: { ...course, finished: newLessons.filter(({ finished }) => finished === 1).length }, lessons: newLessons };
    });
  };
  return <Course {...read.data} isActing={isActing} onSaved={onSaved} />;
}

function Course({
  course,
  lessons,
  isActing,
  onSaved,
}: {
  course: ShelfCourse;
  lessons: readonly ShelfLesson[];
  isActing: boolean;
  onSaved: (lessonid: number, saved: SavedProgress) => void;
}) {
  const [params, setParams] = useSearchParams();
  // The first choice stays when the lesson becomes finished: only the learner moves on.
  const [firstId] = useState(() => findLessonToOpen(lessons)?.lessonid);
  const addressId = idFrom(params.get('lessonid'));
  const findOpen = (id: number | undefined) => lessons.find(({ lessonid, locked }) => lessonid === id && locked === 0);
  const lesson = findOpen(addressId) ?? findOpen(firstId);
  const following = lesson && lessons.slice(lessons.indexOf(lesson) + 1).find(({ locked }) => locked === 0);
  const [chosenId, setChosenId] = useState<number>();
  const [endedId, setEndedId] = useState<number>();
  const heading = useRef<HTMLHeadingElement>(null);
  const choose = (lessonid: number) => {
    setChosenId(lessonid);
    setParams({ courseid: String(course.courseid), lessonid: String(lessonid) }, { replace: true });
  };
  return (
    <PageStack>
      <div className={classes['course']}>
        <Section>
          {back}
          <h2 className={classes['now']}>{course.title}</h2>
          <div className={classes['facts']} style={{ margin: '4px 0 14px' }}>
            <PriceMark course={course} />
            {course.lecturer && <span>{course.lecturer}</span>}
            <span>
              {course.lessons} 课时 · {lengthWords(course.duration)}
            </span>
            <span>{progressWords(course)}</span>
          </div>
          {course.locked === 1 && (
            <p className={classes['lock']}>
              <IconLock size={18} stroke={1.6} aria-hidden />
              本机构还没有选购这门课程，{lesson ? '可以先看试看课时' : '暂时不能观看'}。需要时请联系本机构管理员。
            </p>
          )}
          {lesson ? (
            <>
              <LessonStage
                key={lesson.lessonid}
                course={course}
                lesson={lesson}
                autoBegin={chosenId === lesson.lessonid}
                onSaved={(saved) => onSaved(lesson.lessonid, saved)}
                onEnded={() => setEndedId(lesson.lessonid)}
              />
              <h3 ref={heading} tabIndex={-1} className={classes['now']}>
                {lesson.title}
              </h3>
              <div className={classes['after']}>
                <span>{isActing ? '代登录时不记录学习进度' : lessonWords(lesson)}</span>
                <span role="status">{endedId === lesson.lessonid && '本课时已播放完'}</span>
                {following && (
                  <Button
                    variant={endedId === lesson.lessonid ? 'filled' : 'default'}
                    leftSection={<IconPlayerSkipForward size={16} aria-hidden />}
                    onClick={() => {
                      choose(following.lessonid);
                      // The last lesson has no such button; the focus then needs a place.
                      heading.current?.focus({ preventScroll: true });
                    }}
                  >
                    下一课
                  </Button>
                )}
              </div>
            </>
          ) : (
            lessons.length === 0 && <EmptyState title="课程还没有课时" />
          )}
        </Section>
        <PageStack>
          {lessons.length > 0 && (
            <Section title="课时">
              <LessonList lessons={lessons} current={lesson?.lessonid} choose={choose} />
            </Section>
          )}
          {course.intro && (
            <Section title="课程简介">
              <p className={classes['intro']}>{course.intro}</p>
            </Section>
          )}
        </PageStack>
      </div>
    </PageStack>
  );
}
